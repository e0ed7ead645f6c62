"""What batches of spots show, board by board: frequencies, EVs, equities and grids at one decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from regretlab.documents.rows import Row, Rows
from regretlab.endgames import NodeView, Spot
from regretlab.endgames.cards import ALL_HANDS, RANKS, hand_name, hand_of, read_cards
from regretlab.endgames.lines import line_as_said
from regretlab.endgames.ranges import class_of, grid_class
from regretlab.endgames.spot import PLAYERS
from regretlab.endgames.textures import Texture, texture
from regretlab.experiments.jobs import Job
from regretlab.experiments.solved import KeptSpot
from regretlab.forms.kernel import Floats
from regretlab.games import load

FIELDS = {grid_class(row, column): (row, column) for row in range(len(RANKS)) for column in range(len(RANKS))}
"""The fields of the usual grid."""

_GRID = (len(RANKS), len(RANKS))
_FIELD_OF = {hand_name(hand): FIELDS[class_of(hand)] for hand in ALL_HANDS}


@dataclass(frozen=True, eq=False)
class SolvedBoard:
    """A board of a batch at one decision."""

    board: tuple[int, ...]
    weight: int  # how many boards it stands for
    view: NodeView
    exploitability_of_pot: float
    iterations: int
    file: Path | None  # in which the strategy is kept, if it is

    @property
    def name(self) -> str:
        """How the board is written."""
        return hand_name(self.board)

    @cached_property
    def texture(self) -> Texture:
        """What it looks like."""
        return texture(self.board)

    @cached_property
    def mass(self) -> float:
        """How much it counts in means over boards: its weight × the weight of all pairs of hands that get here."""
        return self.weight * float(self.view.sides[0].weights.sum())

    @cached_property
    def frequencies(self) -> dict[str, float]:
        """How often each action is taken."""
        return self.view.frequencies

    @cached_property
    def aggressive(self) -> float:
        """How often there is a bet or a raise."""
        return sum(often for action, often in self.frequencies.items() if is_aggressive(action))

    def grids(self, spot: Spot) -> tuple[Floats, Floats]:
        """(13, 13) which part of each field's combinations there is here, and (13, 13, actions) what they do; that is
        nan where nobody holds such hands."""
        player = self.view.player
        side, known = self.view.sides[player], spot.ranges[player].weights
        places = tuple(np.array([_FIELD_OF[hand] for hand in side.cards.tolist()]).T)
        possible, held, weights = np.zeros((3, *_GRID))
        done = np.zeros((*_GRID, len(self.view.actions)))
        free = [_FIELD_OF[hand_name(hand)] for hand in ALL_HANDS if not set(hand) & set(self.board)]
        np.add.at(possible, tuple(np.array(free).T), 1.0)
        in_range = np.array([float(known[hand_of(*read_cards(hand))]) for hand in side.cards.tolist()])
        np.add.at(held, places, in_range * side.reach)
        np.add.at(weights, places, side.weights)
        np.add.at(done, places, side.weights[:, None] * self.view.strategy)
        with np.errstate(invalid="ignore", divide="ignore"):
            return held / possible, done / weights[:, :, None]


def is_aggressive(action: str) -> bool:
    """Whether an action is a bet or a raise."""
    return action.startswith(("bet", "raise"))


@dataclass(frozen=True, eq=False)
class Batch:
    """A spot on several boards, all solved in the same way, at the decision after a line."""

    label: str  # the spot, and by what it was solved
    spot: Spot  # on one of the boards
    line: tuple[str, ...]
    boards: tuple[SolvedBoard, ...]

    @property
    def player(self) -> str:
        """Who acts, oop or ip."""
        return PLAYERS[self.boards[0].view.player]

    @property
    def pot(self) -> int:
        """The chips on the table."""
        return self.boards[0].view.pot

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The actions; the same on all boards, for sizes depend on pot and stacks alone."""
        return self.boards[0].view.actions

    @cached_property
    def masses(self) -> Floats:
        """How much each board counts."""
        return np.array([each.mass for each in self.boards])

    def mean(self, numbers: Sequence[float]) -> float:
        """The mean over boards, by how much they count."""
        return float(np.average(numbers, weights=self.masses))


def batches_of(spots: Iterable[KeptSpot], line: Sequence[str] = ()) -> list[Batch]:
    """The batches among solved spots, at the decision after a line of actions."""
    groups: dict[tuple[str, ...], list[KeptSpot]] = {}
    for spot in spots:
        groups.setdefault(_way(spot.job), []).append(spot)
    return [_batch(mine, tuple(line_as_said(line)), _label(way, list(groups))) for way, mine in groups.items()]


def _way(job: Job) -> tuple[str, ...]:
    """What the boards of a batch have in common: the spot, and how it was solved."""
    assert job.board is not None
    until = "" if job.run.until is None else f"to {job.run.until:g} chips"
    return job.board.spot, job.run.recipe, job.run.precision, until


def _label(way: tuple[str, ...], every: Sequence[tuple[str, ...]]) -> str:
    """The spot, and what tells its batch from the others."""
    told = [part for k, part in enumerate(way) if k == 0 or len({other[k] for other in every}) > 1]
    return ", ".join(filter(None, told))


def _batch(spots: Sequence[KeptSpot], line: tuple[str, ...], label: str) -> Batch:
    rules = load(spots[0].run.game)
    assert isinstance(rules, Spot)
    return Batch(label, rules, line, tuple(_solved(spot, line) for spot in spots))


def _solved(spot: KeptSpot, line: tuple[str, ...]) -> SolvedBoard:
    called = spot.job.board
    assert called is not None
    last = {each.measure: each for each in spot.run.measurements}["exploitability_of_pot"]
    assert last.amount is not None
    board = read_cards(called.board)
    return SolvedBoard(board, called.weight, spot.at(*line), last.amount, last.iteration, spot.file)


def board_rows(spots: Iterable[KeptSpot], *line: str) -> Rows:
    """A row for each solved spot, all with the same columns: the board and its texture, and what is done and earned at
    the decision after a line of actions."""
    return rows_of_batches(batches_of(spots, line))


def rows_of_batches(batches: Sequence[Batch]) -> Rows:
    """A row for each board of each batch."""
    rows = [row for batch in batches for row in _rows(batch)]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return Rows({key: row.get(key) for key in columns} for row in rows)


def _rows(batch: Batch) -> Iterator[Row]:
    for each in batch.boards:
        row: dict[str, Any] = {"batch": batch.label, "line": ", ".join(batch.line), "player": batch.player}
        row |= {"board": each.name, "weight": each.weight, "mass": each.mass} | each.texture._asdict()
        row |= {"pot": each.view.pot}
        row |= {f"ev of {who}": ev for who, ev in zip(PLAYERS, each.view.evs, strict=True)}
        row |= {f"equity of {who}": equity for who, equity in zip(PLAYERS, each.view.equities, strict=True)}
        row |= {f"frequency of {action}": often for action, often in each.frequencies.items()}
        yield row | {"exploitability_of_pot": each.exploitability_of_pot, "iterations": each.iterations}
