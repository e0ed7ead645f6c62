"""The recipes in words and formulas, from the one table.

Rules and feedbacks bring their own words along. A part without words is named plainly, so that a new rule has a page
before anybody has found words for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from regretlab.deep import is_installed
from regretlab.rules import ACCUMULATIONS, WEIGHINGS
from regretlab.solving import RECIPES, Recipe
from regretlab.solving.averaging import NAMED_EXPONENTS
from regretlab.solving.formula import SYMBOLS, formulas
from regretlab.solving.schedule import SCHEDULES
from regretlab.watch.offers import FEATURED, SETTINGS, recipe_shown, slug_of

_SCHEDULES = {
    "alternating": "The players take turns in each iteration: player 2 learns against player 1's new strategy.",
    "one-player": "Only one player learns in each iteration, in turns.",
}
_AVERAGES = {
    True: "The average strategy is what a second network has learned from the strategies that were played.",
    False: "The average strategy needs no network of its own: the strategies of all advantage networks make it up.",
}
_NETWORK_SYMBOLS = {
    "R": "what the network says of each action, in place of regrets; R₊ is max(R, 0)",
    "r": "what each action earned more in a walk of iteration t than the strategy did; a sample is the mean over those "
    "walks of an iteration that came by",
}
_SETTINGS = {
    "traversals": "walks for a player in an iteration",
    "capacity": "samples that a memory holds",
    "width": "units of a hidden layer",
    "layers": "hidden layers of a network",
    "training": "steps in which an advantage network is trained; that of the average gets √t times as many",
}


@cache
def described() -> list[dict[str, Any]]:
    """Every row of the recipe table as ``GET /api/recipes`` gives it, the featured ones first."""
    slugs = [slug_of(row) for row in RECIPES]
    slugs.sort(key=lambda slug: FEATURED.index(slug) if slug in FEATURED else len(FEATURED))
    entries = []
    for slug in slugs:
        recipe = recipe_shown(slug)
        trains, changed = recipe.feedback_kind.trains, list(changes(recipe))
        # Whether networks can be trained here, and whether one of them is the average.
        networks = {"installed": is_installed(), "average": recipe.settings.strategy_network} if trains else None
        entry = {
            "slug": slug,
            "recipe": recipe.row,
            "run": recipe.name,
            "title": recipe.title,
            "citation": "; ".join(citation.short for citation in recipe.citations),
            # Braces in a title only tell BibTeX to keep capitals.
            "citations": [
                {"short": each.short, "title": each.title.replace("{", "").replace("}", ""), "where": each.where}
                for each in recipe.citations
            ],
            "status": RECIPES[recipe.row].status,
            "summary": " ".join(changed) or "This is vanilla CFR, which the others change.",
            "formulas": formulas(recipe),
            "symbols": SYMBOLS | (_NETWORK_SYMBOLS if trains else {}),
            "changes": changed,
            "parameters": list(parameters(recipe)),
            "featured": slug in FEATURED,
            "networks": networks,
            "walks": list(_walks(recipe)),
        }
        entries.append(entry)
    return entries


def _walks(recipe: Recipe) -> tuple[str, ...]:
    """The names of the walks of an iteration that are drawn."""
    kind = recipe.feedback_kind
    if kind.draws_actions:
        return "player 1’s walk", "player 2’s walk"
    return ("latest",) if kind.samples else ()


def changes(recipe: Recipe) -> Iterator[str]:
    """What a recipe changes against vanilla CFR, in words."""
    plain, kind = RECIPES["cfr"], recipe.feedback_kind
    seen = (kind.changes or (f"An iteration sees {kind.words}.",)) if kind.samples else ()
    taken = _SCHEDULES.get(recipe.schedule, f"The players learn by the schedule {recipe.schedule}.")
    turns = () if recipe.schedule == plain.schedule else (taken,)
    if recipe.accumulate != plain.accumulate:
        words = ACCUMULATIONS[recipe.accumulate].words
        yield words or f"Regrets are accumulated by the rule {recipe.accumulate}."
    if kind.trains:
        yield from seen
        yield _AVERAGES[recipe.settings.strategy_network]
        yield "Later walks count more: those of iteration t count t times."
        yield from turns
        return
    if recipe.alpha is not None or recipe.beta is not None:
        yield "What was regretted before fades: old regrets are discounted before new ones are added."
    if recipe.weigh != plain.weigh:
        words = WEIGHINGS[recipe.weigh].words
        yield words or f"The strategy follows from the regrets by the rule {recipe.weigh}."
    if recipe.predict:
        part = "the last regrets" if recipe.predict == 1 else f"{recipe.predict} of the last regrets"
        yield f"The next strategy is chosen as if {part} came once more."
    if recipe.restart is not None:
        part = f"{recipe.restart} of what it was"
        yield f"Whenever the exploitability has fallen to {part}, the run begins anew from its average."
    yield from turns
    yield from seen
    if recipe.averaging.name != plain.averaging.name:
        yield f"Later iterations count more in the average: {formulas(recipe)['average']}."


def parameters(recipe: Recipe) -> Iterator[dict[str, Any]]:
    """What can be chosen on the page of a recipe."""
    parts = recipe.parts

    def field(name: str, kind: str, help: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "default": parts[name], "kind": kind, **more, "help": help}

    if recipe.feedback_kind.trains:
        for name, help in _SETTINGS.items():
            _, least, most = SETTINGS[name]
            yield field(name, "whole", f"{help}; {least:,} to {most:,}")
        return
    yield field("schedule", "choice", "who learns when", choices=list(SCHEDULES))
    averages = [*NAMED_EXPONENTS] if parts["averaging"] in NAMED_EXPONENTS else [*NAMED_EXPONENTS, parts["averaging"]]
    yield field("averaging", "choice", "how much iteration t counts in the average", choices=averages)
    yield field("delay", "whole", "how many iterations the average leaves out at the start")
    for name, sign in (("alpha", "positive"), ("beta", "negative")):
        if parts[name] != "none":
            yield field(name, "text", f"the discount of {sign} regrets")
    if recipe.predict:
        yield field(
            "predict", "text", "how much of the last regrets is expected once more: yes, no, or a part such as 1/3"
        )
    if "horizon" in parts:
        yield field("horizon", "whole", "n in the exponents")
    if "epsilon" in parts:
        yield field("epsilon", "text", "how often the walking player explores")
