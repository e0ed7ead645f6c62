"""``regretlab recipes``: the algorithms there are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from regretlab.cli import show
from regretlab.cli.options import AsJson

if TYPE_CHECKING:
    from regretlab.solve import Recipe

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
    from regretlab.solve import RECIPES, recipe

    chosen = list(RECIPES.values()) if name is None else [recipe(name)]
    if json:
        data = [_as_dict(each) for each in chosen]
        show.as_json(data if name is None else data[0])
    elif bibtex:
        # Several recipes may come from one paper.
        print("\n\n".join(dict.fromkeys(citation.bibtex for each in chosen for citation in each.citations)))
    elif name is None:
        _print_table(chosen)
    else:
        _print_one(chosen[0])


def _parameters(recipe: Recipe) -> dict[str, object]:
    return {part: choice for part, choice in recipe.parts.items() if part not in PARTS}


def _as_dict(recipe: Recipe) -> dict[str, Any]:
    return {
        "name": recipe.name,
        "title": recipe.title,
        **{part: recipe.parts[part] for part in PARTS},
        "parameters": _parameters(recipe),
        "citations": [citation.short for citation in recipe.citations],
        "bibtex": [citation.bibtex for citation in recipe.citations],
        "status": recipe.status,
    }


def _print_one(recipe: Recipe) -> None:
    page = show.Page()
    page.print(f"{recipe.name}\n", style="bold")
    parts = [(part, str(choice)) for part, choice in recipe.parts.items()]
    page.facts([("in words", recipe.title), *parts, ("citation", _cited(recipe)), ("status", recipe.status)])


def _print_table(chosen: Iterable[Recipe]) -> None:
    page = show.Page()
    made_of = show.new_table("recipe", *PARTS)
    origin = show.new_table("recipe", "parameters", "status", "citation", "in words", fold=["citation", "in words"])
    for each in chosen:
        made_of.add_row(each.name, *(str(each.parts[part]) for part in PARTS))
        parameters = "\n".join(f"{key}={value}" for key, value in _parameters(each).items())
        origin.add_row(each.name, parameters, each.status, _cited(each), each.title)
    page.table(made_of)
    page.table(origin)
    page.print("Each part can be replaced in place: 'cfr+(delay=100)', 'cfr(schedule=alternating)', …\n")
    page.facts(_choices())


def _choices() -> list[tuple[str, str]]:
    """What each part can be replaced with."""
    from regretlab.rules import ACCUMULATE, WEIGH
    from regretlab.solve.averaging import NAMED_EXPONENTS
    from regretlab.solve.recipe import FEEDBACKS
    from regretlab.solve.schedule import SCHEDULES

    choices = (ACCUMULATE, WEIGH, [*NAMED_EXPONENTS, "t^1.5 (or any power)"], SCHEDULES, FEEDBACKS)
    named = [(part, ", ".join(options)) for part, options in zip(PARTS, choices, strict=True)]
    return [*named, ("delay", "how many iterations the average leaves out at the start")]


def _cited(recipe: Recipe) -> str:
    return "; ".join(citation.short for citation in recipe.citations)
