"""The recipes in words and formulas, from the one table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from regretlab.deep import is_installed
from regretlab.solving import RECIPES, Recipe
from regretlab.solving.averaging import NAMED_EXPONENTS
from regretlab.solving.citations import Citation
from regretlab.solving.formula import SYMBOLS, formulas
from regretlab.solving.schedule import SCHEDULES
from regretlab.web.slugs import FEATURED, SETTINGS, recipe_shown, rows_shown, slug_of

_REGRETS = {
    "truncate": "Regrets never fall below 0: what was bad is forgotten at once instead of being paid back.",
    "clip": "Regrets never fall further below 0 than a multiple of the largest one.",
}
_WEIGHS = {
    "normalhedge": "The strategy follows from NormalHedge: weights grow faster than the regrets, and a scale c, found "
    "anew each time, keeps them in proportion.",
    "hedge": "The strategy follows from exponential weights, with a rate that follows from what was seen.",
}
_FEEDBACKS = {
    "chance": "An iteration walks one drawn deal instead of all of them.",
    "external": "A walk takes all actions of the player who learns and one draw of everything else.",
    "outcome": "A walk follows a single drawn history.",
    "network": "No table of regrets: walks collect samples into memories of fixed size, and a network, trained on in "
    "each iteration, says from them what every action would have brought.",
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
_SCHEDULES = {
    "alternating": "The players take turns in each iteration: player 2 learns against player 1's new strategy.",
    "one-player": "Only one player learns in each iteration, in turns.",
}


@cache
def described() -> list[dict[str, Any]]:
    """Every row of the table, the featured ones first."""
    rows = sorted((recipe_shown(slug_of(row)) for row in rows_shown()), key=_rank)
    return [_described(row) for row in rows]


def _rank(recipe: Recipe) -> int:
    slug = slug_of(recipe.row)
    return FEATURED.index(slug) if slug in FEATURED else len(FEATURED)


def _described(recipe: Recipe) -> dict[str, Any]:
    slug = slug_of(recipe.row)
    return {
        "slug": slug,
        "recipe": recipe.row,
        "run": recipe.name,
        "title": recipe.title,
        "citation": "; ".join(citation.short for citation in recipe.citations),
        "citations": [_cited(citation) for citation in recipe.citations],
        "status": RECIPES[recipe.row].status,
        "summary": " ".join(changes(recipe)) or "This is vanilla CFR, which the others change.",
        "formulas": formulas(recipe),
        "symbols": SYMBOLS | (_NETWORK_SYMBOLS if recipe.feedback == "network" else {}),
        "changes": list(changes(recipe)),
        "parameters": list(parameters(recipe)),
        "featured": slug in FEATURED,
        "networks": _networks(recipe),
    }


def _networks(recipe: Recipe) -> dict[str, Any] | None:
    """Of a recipe that trains networks: whether they can be trained here, and whether one of them is the average."""
    if recipe.feedback != "network":
        return None
    return {"installed": is_installed(), "average": recipe.settings.strategy_network}


def _cited(citation: Citation) -> dict[str, str]:
    """A paper for people: braces only tell BibTeX to keep capitals."""
    title = citation.title.replace("{", "").replace("}", "")
    return {"short": citation.short, "title": title, "where": citation.where}


def changes(recipe: Recipe) -> Iterator[str]:
    """What a recipe changes against vanilla CFR, in words."""
    if recipe.accumulate in _REGRETS:
        yield _REGRETS[recipe.accumulate]
    if recipe.feedback == "network":
        yield from _network_changes(recipe)
        return
    if recipe.alpha is not None or recipe.beta is not None:
        yield "What was regretted before fades: old regrets are discounted before new ones are added."
    if recipe.weigh in _WEIGHS:
        yield _WEIGHS[recipe.weigh]
    if recipe.predict:
        yield "The next strategy is chosen as if the last regrets came once more."
    if recipe.schedule in _SCHEDULES:
        yield _SCHEDULES[recipe.schedule]
    if recipe.feedback in _FEEDBACKS:
        yield _FEEDBACKS[recipe.feedback]
    if recipe.averaging.name != "uniform":
        yield f"Later iterations count more in the average: {formulas(recipe)['average']}."


def _network_changes(recipe: Recipe) -> Iterator[str]:
    yield _FEEDBACKS["network"]
    yield _FEEDBACKS["external"]
    yield _AVERAGES[recipe.settings.strategy_network]
    yield "Later walks count more: those of iteration t count t times."
    yield _SCHEDULES[recipe.schedule]


def parameters(recipe: Recipe) -> Iterator[dict[str, Any]]:
    """What can be chosen on the page of a recipe."""
    parts = recipe.parts
    if recipe.feedback == "network":
        for name, help in _SETTINGS.items():
            _, least, most = SETTINGS[name]
            yield _whole(name, parts, f"{help}; {least:,} to {most:,}")
        return
    yield _choice("schedule", parts, SCHEDULES, "who learns when")
    averages = [*NAMED_EXPONENTS] if parts["averaging"] in NAMED_EXPONENTS else [*NAMED_EXPONENTS, parts["averaging"]]
    yield _choice("averaging", parts, averages, "how much iteration t counts in the average")
    yield _whole("delay", parts, "how many iterations the average leaves out at the start")
    for name, sign in (("alpha", "positive"), ("beta", "negative")):
        if parts[name] != "none":
            yield {"name": name, "default": parts[name], "kind": "text", "help": f"the discount of {sign} regrets"}
    if "horizon" in parts:
        yield _whole("horizon", parts, "n in the exponents")
    if "epsilon" in parts:
        help = "how often the walking player explores"
        yield {"name": "epsilon", "default": parts["epsilon"], "kind": "text", "help": help}


def _choice(name: str, parts: dict[str, object], choices: Any, help: str) -> dict[str, Any]:
    return {"name": name, "default": parts[name], "kind": "choice", "choices": list(choices), "help": help}


def _whole(name: str, parts: dict[str, object], help: str) -> dict[str, Any]:
    return {"name": name, "default": parts[name], "kind": "whole", "help": help}
