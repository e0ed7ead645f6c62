"""What is kept of a spot's strategy: its first decision in the store, a street or all of it in a file beside the store.

Decisions are kept as they are read, hand by hand: reach, weight, EV, equity, and how often each action is taken with
what it earns. That is enough for grids and tables, and a small part of the whole. Their numbers are kept in single
precision; strategies that are kept whole are those of the run to the last bit.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from regretlab.endgames import Decision, NodeView, Side, Spot
from regretlab.endgames.betting import Node
from regretlab.errors import UserError
from regretlab.experiments.specs import RunSpec
from regretlab.forms.kernel import Floats

STREET, WHOLE = ".street", ".npz"
"""How the names of files end in which the first street is kept, or all."""

BYTES_A_NUMBER = 4

SHORTEST_HASH = 12
"""So many characters of a run's hash are in its file's name."""


def strategies_folder(store: Path) -> Path:
    """Where the strategies of a store's runs are kept."""
    return store.with_name(f"{store.name}.strategies")


def file_name(run: RunSpec, board: str, hash: str) -> str | None:
    """The name of the file in which a run's strategy is kept; None where the store has all that is wanted."""
    ending = {"street": STREET, "all": WHOLE}.get(run.keep)
    return None if ending is None else f"{board}-{hash[:SHORTEST_HASH]}{ending}"


def first_street(spot: Spot) -> Iterator[tuple[str, ...]]:
    """The lines after which somebody acts before a card is turned up."""

    def below(node: Node, line: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if isinstance(node, Decision):
            yield line
            for action, after in zip(node.actions, node.after, strict=True):
                yield from below(after, (*line, action))

    return below(spot.betting, ())


def bytes_of_views(spot: Spot, keep: str) -> int:
    """How many bytes decisions take before they are compressed."""
    hands = len(spot.hands(0)), len(spot.hands(1))
    total = 0
    for line in first_street(spot) if keep == "street" else [()]:
        node = spot.node(line)
        assert isinstance(node, Decision)
        total += BYTES_A_NUMBER * (5 * sum(hands) + 2 * len(node.actions) * hands[node.player])
    return total


_OF_A_SIDE = ("reach", "weights", "ev", "equity")


def packed(views: Sequence[NodeView]) -> bytes:
    """Decisions as one compressed file."""
    arrays: dict[str, Any] = {}
    about = []
    for place, view in enumerate(views):
        plain = ("line", "board", "player", "actions", "pot", "probability", "reach")
        about.append({key: getattr(view, key) for key in plain})
        for player, side in enumerate(view.sides):
            arrays[f"{place}.{player}.cards"] = side.cards.astype("S4")
            arrays |= {f"{place}.{player}.{key}": getattr(side, key).astype(np.float32) for key in _OF_A_SIDE}
        arrays[f"{place}.strategy"] = view.strategy.astype(np.float32)
        arrays[f"{place}.action_evs"] = view.action_evs.astype(np.float32)
    file = io.BytesIO()
    np.savez_compressed(file, about=np.frombuffer(json.dumps(about).encode(), dtype=np.uint8), **arrays)
    return file.getvalue()


def unpacked(data: bytes, name: str) -> tuple[NodeView, ...]:
    """Decisions out of such a file; ``name`` is what it is called in errors."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            about = json.loads(file["about"].tobytes())
            return tuple(_view(place, each, file) for place, each in enumerate(about))
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise UserError(f"{name} is damaged: its decisions can't be read") from None


def _view(place: int, about: dict[str, Any], file: Any) -> NodeView:
    def doubles(key: str) -> Floats:
        return np.asarray(file[f"{place}.{key}"], dtype=np.float64)

    zero, one = (
        Side(file[f"{place}.{player}.cards"].astype(np.str_), *(doubles(f"{player}.{key}") for key in _OF_A_SIDE))
        for player in (0, 1)
    )
    tuples = {key: tuple(about[key]) for key in ("line", "actions", "reach")}
    return NodeView(**about | tuples, sides=(zero, one), strategy=doubles("strategy"), action_evs=doubles("action_evs"))
