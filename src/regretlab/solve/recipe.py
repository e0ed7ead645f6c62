"""Recipes: an algorithm is four values put together, and every named one is a row of one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from regretlab.errors import UserError, unknown
from regretlab.rules import ACCUMULATE, WEIGH
from regretlab.solve.averaging import Averaging, read_averaging, read_gamma
from regretlab.solve.citations import CFR, CFR_PLUS, NORMALHEDGE, Citation
from regretlab.solve.schedule import SCHEDULES
from regretlab.spec import format_call, parse_call, whole

FEEDBACKS = ("full", "chance")
"""Which regrets the rule sees: those of all deals, or of one sampled deal an iteration."""

LINEAR = Averaging(read_averaging("linear"))


@dataclass(frozen=True)
class Recipe:
    """A rule (accumulate × weigh), an averaging, a schedule and a feedback, with a name and where it comes from."""

    row: str  # the row of the table that this is, or is a variation of
    accumulate: str
    weigh: str
    averaging: Averaging
    schedule: str
    feedback: str
    citations: tuple[Citation, ...]
    status: str  # proven: a theorem says that it converges; tested: seen to, and checked here; experimental
    title: str

    @property
    def parts(self) -> dict[str, object]:
        """The whole tuple: what a name alone would leave open."""
        return {
            "accumulate": self.accumulate,
            "weigh": self.weigh,
            "averaging": self.averaging.name,
            "delay": self.averaging.delay,
            "schedule": self.schedule,
            "feedback": self.feedback,
        }

    @property
    def name(self) -> str:
        """The shortest name that means exactly this recipe.

        >>> recipe("cfr+(schedule=alternating, delay=100)").name
        'cfr+(delay=100)'
        """
        base = RECIPES[self.row].parts if self.row in RECIPES else {}
        return format_call(self.row, {key: value for key, value in self.parts.items() if value != base.get(key)})

    @property
    def kinds(self) -> tuple[int, int, int]:
        """Schedule, accumulate and weigh as the small integers that kernels take."""
        return SCHEDULES[self.schedule], ACCUMULATE[self.accumulate], WEIGH[self.weigh]


RECIPES = {
    row.row: row
    for row in (
        Recipe("cfr", "sum", "regret-matching", Averaging(), "simultaneous", "full", (CFR,), "proven", "vanilla CFR"),
        Recipe("cfr+", "truncate", "regret-matching", LINEAR, "alternating", "full", CFR_PLUS, "proven", "CFR+"),
        Recipe(
            "normalhedge",
            "sum",
            "normalhedge",
            Averaging(),
            "simultaneous",
            "full",
            (NORMALHEDGE,),
            "proven",
            "NormalHedge",
        ),
        Recipe(
            "normalhedge+",
            "truncate",
            "normalhedge",
            Averaging(),
            "simultaneous",
            "full",
            (NORMALHEDGE,),
            "experimental",
            "NormalHedge with the truncation of CFR+",
        ),
    )
}
"""Every named recipe. Adding an algorithm is adding a row."""


def recipe(name: str | Recipe) -> Recipe:
    """The recipe that a name with arguments describes; any part can be replaced in place.

    >>> recipe("normalhedge+(schedule=alternating, averaging=linear)").parts["averaging"]
    'linear'
    """
    if isinstance(name, Recipe):
        return name
    if not isinstance(name, str):
        raise UserError(f"{name!r} is no recipe; give a name such as cfr+")
    row, arguments = parse_call(name)
    if row not in RECIPES:
        raise unknown("recipe", row, RECIPES)
    result = RECIPES[row]
    if "averaging" in arguments and "gamma" in arguments:
        raise UserError(f"{name}: averaging and gamma say the same thing; give one of them")
    for key, value in arguments.items():
        if key not in _READERS:
            raise unknown(f"part of {row}", key, _READERS)
        result = _READERS[key](result, value)
    same = next((known for known in RECIPES.values() if known.parts == result.parts), None)
    return same or replace(result, status="experimental" if result.status == "experimental" else "tested")


def _choice(part: str, options: Any) -> Callable[[Recipe, str], Recipe]:
    """A reader for a part that is one of several names."""

    def read(given: Recipe, value: str) -> Recipe:
        if value not in options:
            raise unknown(part, value, options)
        changes: dict[str, Any] = {part: value}
        return replace(given, **changes)

    return read


def _read_exponent(reader: Callable[[str], Any]) -> Callable[[Recipe, str], Recipe]:
    return lambda given, value: replace(given, averaging=replace(given.averaging, gamma=reader(value)))


def _read_delay(given: Recipe, value: str) -> Recipe:
    return replace(given, averaging=replace(given.averaging, delay=whole("delay", value, least=0)))


_READERS: dict[str, Callable[[Recipe, str], Recipe]] = {
    "accumulate": _choice("accumulate", ACCUMULATE),
    "weigh": _choice("weigh", WEIGH),
    "averaging": _read_exponent(read_averaging),
    "gamma": _read_exponent(read_gamma),
    "delay": _read_delay,
    "schedule": _choice("schedule", SCHEDULES),
    "feedback": _choice("feedback", FEEDBACKS),
}
