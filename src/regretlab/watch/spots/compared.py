"""The same place in two solves, such as before and after a strategy was locked: what both say, and what has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from regretlab.errors import UserError
from regretlab.watch.spots.shown import DECIMALS

Place = Mapping[str, Any]
"""What ``shown.place_shown`` says of a decision."""


def compared(before: Place, after: Place) -> dict[str, Any]:
    """A decision in two solves: frequencies, what both players expect, the grids of both, and the changes."""
    line = ", ".join(after["line"]) or "the first decision"
    for place in (before, after):
        if place["kind"] != "decision":
            raise UserError(f"nobody acts after {line}; solves are compared where somebody does")
    names = [[action["name"] for action in place["actions"]] for place in (before, after)]
    if names[0] != names[1] or before["player"] != after["player"]:
        raise UserError(
            f"after {line} the two spots offer different actions: {', '.join(names[0])}, and {', '.join(names[1])}"
        )
    frequencies = [[action["frequency"] for action in place["actions"]] for place in (before, after)]
    return {
        "line": after["line"],
        "player": after["player"],
        "pot": after["pot"],
        "actions": [{key: action[key] for key in ("name", "kind", "key")} for action in after["actions"]],
        "before": _whole(before),
        "after": _whole(after),
        "change": {
            "frequencies": _differences(*frequencies),
            "evs": _differences(before["evs"], after["evs"]),
            "evs_of_pot": _differences(before["evs_of_pot"], after["evs_of_pot"]),
        },
        "changes": [
            [
                _field(*fields)
                for fields in zip(*(place["sides"][player]["grid"] for place in (before, after)), strict=True)
            ]
            for player in (0, 1)
        ],
    }


def _whole(place: Place) -> dict[str, Any]:
    """What one of the solves says: of the whole range, and of each field of the grids."""
    return {
        "iteration": place["iteration"],
        "frequencies": [action["frequency"] for action in place["actions"]],
        **{key: place[key] for key in ("evs", "evs_of_pot", "equities", "reach")},
        "sides": [{"grid": side["grid"]} for side in place["sides"]],
    }


def _field(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """How a field of the grid has changed; None where one of the ranges has none of it."""
    if before is None or after is None:
        return None
    mixes = before["mix"], after["mix"]
    return {
        "mix": None if None in mixes else _differences(*mixes),
        "ev": _difference(before["ev"], after["ev"]),
        "left": _difference(before["left"], after["left"]),
    }


def _differences(before: Sequence[float | None], after: Sequence[float | None]) -> list[float | None]:
    return [_difference(*pair) for pair in zip(before, after, strict=True)]


def _difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else round(after - before, DECIMALS)
