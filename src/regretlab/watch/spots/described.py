"""A spot while it is being described: what it comes to, or which of its keys is wrong, and where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from regretlab.endgames import (
    Range,
    Spot,
    holdem,
    read_range,
    ready_spots,
    ready_text,
    spot_fields,
    usual_iterations,
    written,
)
from regretlab.endgames.cards import Hand, read_cards
from regretlab.endgames.ranges import grid_class
from regretlab.endgames.reading import KEYS
from regretlab.errors import UserError, unknown
from regretlab.forms import BlockSize
from regretlab.forms.packed import KEPT
from regretlab.games.registry import SPOT_FILE
from regretlab.machine import free_memory
from regretlab.solving import RECIPES
from regretlab.solving import recipe as read_recipe
from regretlab.solving.steps import recalls
from regretlab.spec import number
from regretlab.watch.spots.held import locks_shown

FIELDS = [grid_class(row, column) for row in range(13) for column in range(13)]
"""The fields of the grid of 13 × 13, row by row."""

HALF_A_PERCENT = 0.005
"""Of the pot: the target whose time is shown."""

_AT = re.compile(r"at character (\d+)")
_KEY = re.compile(rf"^(?:[\w-]+: )?({'|'.join(sorted(KEYS, key=len, reverse=True))})\b")
"""The key with which a sentence begins, perhaps after the name of a ready spot."""


def read_spot(fields: Mapping[str, Any]) -> Spot:
    """The spot of what a form holds: the keywords of ``holdem``, of which empty ones are left out but for sizes; with
    ``name``, a ready spot, or ``toml``, a text, which they change.

    What a form holds comes from anywhere, so it can never name a file.
    """
    given = {key: value for key, value in fields.items() if key not in ("name", "toml") and _says_something(key, value)}
    name, toml = fields.get("name"), fields.get("toml")
    if name and name not in ready_spots():
        raise unknown("spot", str(name), ready_spots())
    if toml and ("=" not in str(toml) or str(toml).endswith(SPOT_FILE)):
        raise UserError("toml: this is not the text of a spot, which has lines such as pot = 100")
    return holdem(str(name or toml) if name or toml else None, **given)


def _says_something(key: str, value: Any) -> bool:
    """Whether a field is filled in; no sizes at all are something, too."""
    if key not in KEYS:
        raise unknown("key", key, KEYS)
    return value not in ("", None) or key.endswith(("bets", "raises", "donk"))


def mistake(error: UserError) -> dict[str, Any]:
    """What is wrong, and the key and the character where it is, if the sentence names them."""
    said = " ".join(str(error).split())
    key, at = _KEY.match(said), _AT.search(said)
    return {"error": said, "key": key[1] if key else None, "at": int(at[1]) if at else None}


def described(fields: Mapping[str, Any]) -> dict[str, Any]:
    """All that a page shows of a spot before it is solved, or what is wrong with it; ranges are shown either way."""
    ranges = {key: range_shown(fields.get(key), fields.get("board"), key) for key in ("oop", "ip") if key in fields}
    try:
        spot = read_spot({key: value for key, value in fields.items() if key != "recipe"})
        size = spot.block_size()
        if fields.get("recipe"):
            size = replace(size, recalls=recalls(read_recipe(str(fields["recipe"]))))
        if spot.lock:
            _ = spot.locks  # a line that does not exist is a mistake, too
    except UserError as error:
        return mistake(error) | {"ranges": ranges}
    shown = {key: shown_range(each, spot.board) for key, each in zip(("oop", "ip"), spot.ranges, strict=True)}
    return about(spot, size) | {"ranges": shown, "fields": fields_of(fields), "locks": locks_shown(spot)}


def fields_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a form holds of a ready spot or a text and of what changes it; all as people write it, but for locks."""
    name, toml = given.get("name"), given.get("toml")
    fields = spot_fields(ready_text(str(name)) if name else str(toml)) if name or toml else {}
    fields |= {key: value for key, value in given.items() if key in KEYS and _says_something(key, value)}
    return {key: _as_written(key, value) for key, value in fields.items()}


def _as_written(key: str, value: Any) -> Any:
    """A value in the text of a form's field."""
    if isinstance(value, bool):
        return str(value).lower()
    if key in ("oop", "ip"):
        return value if isinstance(value, str) else str(read_range(value, key))
    return value if key == "lock" else str(value)


def about(spot: Spot, size: BlockSize) -> dict[str, Any]:
    """A spot in numbers: how large it is, what solving it takes in each precision, and whether there is room."""
    free = free_memory()
    sizes = {precision: replace(size, precision=precision) for precision in KEPT}
    return {
        "name": spot.name,
        "street": spot.street,
        "board": list(spot.board),
        "pot": spot.pot,
        "stack": spot.stack,
        "target": spot.target(),
        "hands": [len(spot.hands(player)) for player in (0, 1)],
        "iterations": usual_iterations(HALF_A_PERCENT, spot.stack / spot.pot),
        "decisions": size.decisions,
        "boards": size.boards,
        "endings": spot.counts.endings,
        "free": free,
        "precisions": {
            name: {"bytes": each.nbytes, "seconds": each.seconds, "fits": free is None or each.nbytes <= free}
            for name, each in sizes.items()
        },
        "most_sizes": size.most_sizes,
        "rake": float(spot.rake.rate),
        "toml": written(spot),
    }


def range_shown(text: Any, board: Any, key: str) -> dict[str, Any]:
    """A range as it is being written, on a board that may not be finished."""
    try:
        return shown_range(read_range(text, key), _finished_cards(board))
    except UserError as error:
        return mistake(error)


def _finished_cards(board: Any) -> tuple[int, ...]:
    """The cards of a board; none where it is not one yet."""
    try:
        return read_cards(str(board)) if board else ()
    except UserError:
        return ()


def shown_range(hands: Range, board: tuple[int, ...]) -> dict[str, Any]:
    """A range in its shortest form, its weights in the grid of 13 × 13, and how many combinations the board leaves."""
    taken = set(board)
    free = {hand: float(weight) for hand, weight in hands.entries if not taken & set(hand)}
    fields = [each.hands() for each in FIELDS]
    return {
        "text": str(hands),
        "grid": [_mean(hands, each) for each in fields],
        "blocked": [sum(bool(taken & set(hand)) for hand in each) / len(each) for each in fields],
        "combos": len(free),
        "weight": sum(free.values()),
    }


def _mean(hands: Range, field: list[Hand]) -> float:
    """The mean weight of a field of the grid."""
    return float(sum(hands.weights.get(hand, 0) for hand in field)) / len(field)


def painted(text: Any, cells: Any, board: Any) -> dict[str, Any]:
    """A range after fields of the grid were painted: ``[place, weight]`` each. All other hands stay as they were."""
    found = dict(read_range(text, "range").weights) if text else {}
    if not isinstance(cells, list) or len(cells) > len(FIELDS):
        raise UserError(f"cells are at most {len(FIELDS)} pairs of a place in the grid and a weight")
    for cell in cells:
        if not isinstance(cell, list) or len(cell) != 2 or cell[0] not in range(len(FIELDS)):
            raise UserError(f"a cell is a place from 0 to {len(FIELDS) - 1} and a weight")
        weight = number("weight", str(cell[1]))
        if not 0 <= weight <= 1:
            raise UserError(f"weight {weight} must be between 0 and 1")
        found |= dict.fromkeys(FIELDS[int(cell[0])].hands(), weight)
    return shown_range(Range.of(found), _finished_cards(board))


def ready() -> list[dict[str, Any]]:
    """The spots that come with the package, rivers first: their names, what they are, their text, and what a form holds
    of it."""
    spots = [(name, ready_text(name)) for name in ready_spots()]
    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "about": text.partition("\n")[0].lstrip("# "),
            "toml": text,
            "fields": fields_of({"name": name}),
        }
        for name, text in spots
    ]
    return sorted(rows, key=lambda row: -len(read_cards(row["fields"]["board"])))


def recipes() -> list[dict[str, str]]:
    """The recipes that a page offers for spots, and what people call them; sampling ones are for studies."""
    rows = {name: read_recipe(name) for name in RECIPES}
    return [{"name": name, "title": row.title} for name, row in rows.items() if not row.feedback_kind.samples]
