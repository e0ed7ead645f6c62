"""``regretlab recipes`` and ``warmup``: the algorithms there are, and their kernels compiled ahead of time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from regretlab.cli import screen
from regretlab.cli.screen import AsJson

if TYPE_CHECKING:
    from regretlab.solving import Recipe

EXAMPLES = """Examples:
  regretlab recipes
  regretlab recipes 'cfr+(delay=100, schedule=simultaneous)'
  regretlab recipes --bibtex > regretlab.bib"""

PARTS = ("accumulate", "weigh", "averaging", "schedule", "feedback")
"""The columns that every recipe has; what else a recipe says of itself are its parameters."""


def recipes(
    name: Annotated[str | None, Parameter(help="One recipe, such as cfr+ or 'cfr+(delay=100)'. [default: all]")] = None,
    /,
    *,
    bibtex: Annotated[bool, Parameter(help="Print the citations for a .bib file and nothing else.")] = False,
    json: AsJson = False,
) -> None:
    """List the recipes: what each is made of, where it comes from.

    A recipe is a rule (accumulate and weigh), an averaging, a schedule and
    a feedback. Each part can be replaced in place.
    """
    from regretlab.solving import RECIPES, recipe
    from regretlab.solving.formula import SYMBOLS, formulas
    from regretlab.solving.recipe import recipes_of_packages

    added, broken = recipes_of_packages() if name is None else ([], [])
    for line in broken:
        screen.note(f"{line}; it is left out")
    chosen = [*RECIPES.values(), *added] if name is None else [recipe(name)]
    if json:
        data = [
            {
                "name": each.name,
                "title": each.title,
                **{part: each.parts.get(part) for part in PARTS},
                "parameters": {part: choice for part, choice in each.parts.items() if part not in PARTS},
                "citations": [citation.short for citation in each.citations],
                "bibtex": [citation.bibtex for citation in each.citations],
                "status": each.status,
                "formulas": formulas(each),
            }
            for each in chosen
        ]
        screen.as_json(data if name is None else data[0])
    elif bibtex:
        # Several recipes may come from one paper.
        print("\n\n".join(dict.fromkeys(citation.bibtex for each in chosen for citation in each.citations)))
    elif name is None:
        _print_table(RECIPES, added)
    else:
        (one,) = chosen
        page = screen.Page()
        page.print(f"{one.name}\n", style="bold")
        cited = "; ".join(citation.short for citation in one.citations)
        parts = [(part, str(choice)) for part, choice in one.parts.items()]
        page.facts([("in words", one.title), ("status", one.status), ("citation", cited or "none"), *parts])
        page.print("")
        page.facts(list(formulas(one).items()))
        page.print(f"\n{'; '.join(f'{symbol}: {meaning}' for symbol, meaning in SYMBOLS.items())}.")


def _print_table(recipes: Mapping[str, Recipe], added: Sequence[Recipe]) -> None:
    """All recipes by what they change in vanilla CFR, and what each part can be replaced with."""
    from regretlab.feedback.registry import FEEDBACKS
    from regretlab.rules import ACCUMULATIONS, WEIGHINGS
    from regretlab.solving.averaging import NAMED_EXPONENTS
    from regretlab.solving.schedule import SCHEDULES

    page = screen.Page()
    headings = ("recipe", "what it changes in vanilla CFR", "status")
    table = screen.new_table(*headings, fold=[headings[1]])
    plain = recipes["cfr"].parts
    for each in recipes.values():
        changes = ", ".join(f"{part}={choice}" for part, choice in each.parts.items() if choice != plain.get(part))
        table.add_row(each.name, changes or "nothing: this is it", each.status)
    page.table(table)
    if added:
        table = screen.new_table(
            "rule", "what it is, and of which package", "status", fold=["what it is, and of which package"]
        )
        for each in added:
            table.add_row(each.name, each.title, each.status)
        page.table(table)
    page.print(
        "One of them in full, with its formulas and citation: regretlab recipes dcfr. Each part can be replaced in "
        "place: 'cfr+(delay=100)', 'cfr(schedule=alternating)', 'dcfr(alpha=2)'. A rule of your own: "
        "./my_rules.py:rule.\n"
    )
    averagings = [*NAMED_EXPONENTS, "t^1.5 (or any power)"]
    choices: tuple[Iterable[str], ...] = (ACCUMULATIONS, WEIGHINGS, averagings, SCHEDULES, FEEDBACKS)
    named = [(part, ", ".join(options)) for part, options in zip(PARTS, choices, strict=True)]
    others = [
        ("delay", "how many iterations the average leaves out at the start"),
        ("predict", "how much of the last regrets the next strategy expects once more: 0 (no) to 1 (yes)"),
        ("alpha, beta", "discounts of positive and negative regrets: a number, none, or 1+3t/n"),
        ("ties", "how near to 0, relative to the payoffs, a regret counts as 0; with 0 rounding decides"),
        ("restart", "begin anew from the average when the exploitability has fallen to this part: 1/2, or none"),
        (
            "level",
            "of accumulate=clip: the floor, in largest regrets; of smooth and stable: the least sum of regrets",
        ),
        ("horizon", "n in exponents such as 1+3t/n"),
        ("epsilon", "of feedback=outcome: how much the walking player explores"),
        ("traversals", "of feedback=network, as are those that regretlab recipes deep-cfr lists below it"),
    ]
    page.facts([*named, *others])


WARMUP_EXAMPLES = """Examples:
  regretlab warmup
  regretlab warmup --json"""


def warmup(*, json: AsJson = False) -> None:
    """Compile the kernels and keep them on disk, once after an installation.

    Whatever runs first would do it for itself: a few seconds for small games, twenty for Hold'em.
    """
    from rich.console import Console
    from rich.progress import track

    from regretlab.forms.kernel import cache_folder
    from regretlab.solving.solver import runs_to_warm, warm_up

    start = time.perf_counter()
    errors = Console(stderr=True)
    total = len(runs_to_warm())
    for _ in track(warm_up(), "compiling", total, console=errors, transient=True, disable=not errors.is_terminal):
        pass
    seconds = time.perf_counter() - start
    if json:
        screen.as_json({"seconds": seconds, "folder": str(cache_folder())})
    else:
        screen.Page().print(f"all kernels are ready after {seconds:.1f} s, kept in {cache_folder()}", soft_wrap=True)
