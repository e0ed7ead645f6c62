"""How a run's strategy came about: regrets and averages as they were whenever the run was judged, as far as they fit.

Of a small spot the whole of them is kept, so that any place can be read as it stood then. Of a large one only the
decisions before the next card are, and of those what a hand does and regrets can be told, but not what it earns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.documents.blocks import Document
from regretlab.documents.html import fragment
from regretlab.documents.numbers import Notation
from regretlab.endgames import Reading, Spot
from regretlab.endgames.cards import hand_name, hand_of, read_cards
from regretlab.endgames.lines import Place, find
from regretlab.endgames.reader import everybody, named
from regretlab.errors import UserError, unknown
from regretlab.explaining.textbook import weigh_regrets
from regretlab.explaining.update_words import describe_weighing
from regretlab.forms.block_passes import WIDTH
from regretlab.forms.blocks import BlockForm
from regretlab.forms.packed import KEPT, kept_size, pack, unpacked
from regretlab.forms.strategy import from_weights
from regretlab.reference.decisions import Basis
from regretlab.solving import Solver

MOST_BYTES = 64_000_000
"""What all moments take at most."""

ENOUGH = 12
"""Moments that there has to be room for if more than the first decisions are kept."""

Numbers = NDArray[np.float32]
"""Single precision is more than is shown, in half the room."""


class Moment(NamedTuple):
    """A run as it was after an iteration; each field for each player."""

    iteration: int
    of_pot: float  # its exploitability
    regrets: tuple[Numbers, Numbers]
    totals: tuple[Numbers, Numbers]  # what the average is proportional to
    strategies: tuple[Numbers, Numbers] | None  # what is played next, where it does not follow from the regrets


class Row(NamedTuple):
    """Where a hand's numbers at a decision stand, and how to make chips of regrets."""

    place: Place
    player: int
    hand: str
    slots: NDArray[np.int64]
    a_deal: float  # the weight of all hands that the other player may hold besides, and of the cards before


class History:
    """The moments of one run, within a limit."""

    def __init__(self, solver: Solver, most_bytes: int = MOST_BYTES) -> None:
        assert isinstance(solver.form, BlockForm)
        self.solver, self.form = solver, solver.form
        self.moments: list[Moment] = []
        sizes = [self._bytes(part) for part in (self._everything, self._first_block)]
        self.whole = ENOUGH * sizes[0] <= most_bytes or sizes[0] == sizes[1]  # a river has no other block
        self.part = self._everything if self.whole else self._first_block
        self.most = most_bytes // max(1, sizes[0 if self.whole else 1])
        self._known: tuple[int, Reading] | None = None

    def _everything(self, player: int) -> slice:
        return slice(0, self.form.layout.sizes[player])

    def _first_block(self, player: int) -> slice:
        """The decisions before the next card: of a shape that only its one board has."""
        layout = self.form.layout
        shape, begin = layout.shapes[0], int(layout.stored[player])
        own = shape.slots(player) - shape.entries
        return slice(begin, begin + layout.boards[0].tiles(player) * own * int(WIDTH))

    def _bytes(self, part: Any) -> int:
        """What a moment takes if so much of it is kept."""
        each = sum(part(player).stop - part(player).start for player in (0, 1)) * np.dtype(np.float32).itemsize
        return int(each) * (3 if len(self.solver.sides[0].strategy) else 2)

    @property
    def iterations(self) -> list[int]:
        """The iterations after which there is a moment."""
        return [moment.iteration for moment in self.moments]

    def take(self, of_pot: float) -> None:
        """Keep the run as it is now. Where there is no room left, that moment goes whose neighbours are nearest."""
        if self.most < 2:
            return
        if len(self.moments) == self.most:
            near = [after / before for before, after in zip(self.iterations, self.iterations[2:], strict=False)]
            del self.moments[1 + near.index(min(near)) if near else 0]
        sides = self.solver.sides
        regrets, totals = self._kept([side.regret for side in sides]), self._kept([side.total for side in sides])
        recalled = [side.strategy for side in sides]
        strategies = self._kept(recalled) if len(recalled[0]) else None
        self.moments.append(Moment(self.solver.iteration, of_pot, regrets, totals, strategies))

    def _kept(self, arrays: Sequence[NDArray[Any]]) -> tuple[Numbers, Numbers]:
        zero, one = (unpacked(each, self.part(player)).astype(np.float32) for player, each in enumerate(arrays))
        return zero, one

    def at(self, iteration: int) -> Moment:
        """The moment after an iteration."""
        for moment in self.moments:
            if moment.iteration == iteration:
                return moment
        raise unknown("iteration that is kept", str(iteration), [str(each) for each in self.iterations])

    def reading(self, iteration: int) -> Reading:
        """The average as it stood after an iteration, to be read; made once until another is asked for."""
        if not self.whole:
            raise UserError("this spot is too large to keep all of it: only its first decisions can be followed back")
        if self._known is None or self._known[0] != iteration:
            moment = self.at(iteration)
            zero, one = (self._as_run(total) for total in moment.totals)
            self._known = iteration, Reading(self.form, from_weights(self.form, (zero, one)))
        return self._known[1]

    def _as_run(self, numbers: Numbers) -> NDArray[Any]:
        """Numbers as the run keeps them, for which the judge's kernels are there."""
        precision = self.solver.precision
        kept: NDArray[Any] = np.zeros(kept_size(len(numbers), precision), dtype=KEPT[precision])
        pack(numbers.astype(np.float64), kept, 0)
        return kept

    # -- one hand

    def hand(self, line: Sequence[str], hand: str, at: int | None = None) -> dict[str, Any]:
        """What a hand did on average, would have done next and regretted at every moment, and how the regrets of one
        moment, else the last, become its strategy."""
        spot = self.form.rules
        assert isinstance(spot, Spot)
        found = find(spot, self.form.layout, line)
        row = self._row(spot, found, hand)
        said = {"hand": row.hand, "line": list(found.line), "player": row.player, "whole": self.whole}
        said |= {"actions": list(found.node.actions), "recipe": self.solver.recipe.name}
        if not self._holds(found):
            return said | {"moments": []}
        locked = spot.lock_at(found.line)
        held = locked is not None and locked.probabilities[spot.hands(row.player).index(row.hand)] is not None
        moments = [self._told(moment, row) for moment in self.moments]
        chosen = self.at(at) if at is not None else self.moments[-1] if self.moments else None
        html = fragment(self._arithmetic(chosen, row)) if chosen and not held else ""
        return said | {"moments": moments, "locked": held, "at": chosen and chosen.iteration, "html": html}

    def _holds(self, place: Place) -> bool:
        """Whether the block of a decision is kept."""
        return self.whole or len(place.steps) == 1

    def _row(self, spot: Spot, place: Place, hand: str) -> Row:
        """Where the numbers of a hand stand."""
        layout, player = self.form.layout, place.node.player
        number, board = place.steps[-1].shape, place.steps[-1].board
        shape, order = layout.shapes[number], layout.orders[layout.boards[board].order]
        cards = read_cards(hand, "hand")
        if len(cards) != 2:
            raise UserError(f"hand={hand!s:.20} is no hand; write two cards, such as AhKd")
        names, by = named(order.cards[player], place.suits)
        name = hand_name(hand_of(*cards))
        if name not in names:
            raise unknown("hand here", name, names.tolist())
        k = int(by[names.tolist().index(name)])
        low, high = shape.firsts[player][(n := shape.lines[player].index(place.done)) : n + 2]
        own, width = shape.slots(player) - shape.entries, int(WIDTH)
        begin = int(layout.stored[2 * layout.cell(number, board) + player]) + k // width * own * width + k % width
        slots = begin + (np.arange(low, high) - shape.entries) * width
        a_deal = float(everybody(layout, board).rivals(player)[k] * order.likely[player][k])
        return Row(place, player, name, slots, a_deal)

    def _numbers(self, arrays: tuple[Numbers, Numbers], row: Row) -> list[float]:
        first = self.part(row.player).start
        return [float(each) for each in arrays[row.player][row.slots - first]]

    def _told(self, moment: Moment, row: Row) -> dict[str, Any]:
        """A moment of one hand."""
        regrets = self._regrets(moment, row)
        next_ = regrets if moment.strategies is None else self._numbers(moment.strategies, row)
        return {
            "iteration": moment.iteration,
            "of_pot": moment.of_pot,
            "average": shares(self._numbers(moment.totals, row)),
            "current": shares(next_),
            "regrets": regrets,
        }

    def _regrets(self, moment: Moment, row: Row) -> list[float]:
        """In chips a deal of the hand: each iteration's counted by how likely the other player played to here."""
        return [each / row.a_deal if row.a_deal else 0.0 for each in self._numbers(moment.regrets, row)]

    def _arithmetic(self, moment: Moment, row: Row) -> Document:
        """How regrets become the next strategy, as the walkthrough of a small game has it; nothing for recipes that
        remember more than their regrets."""
        recipe, regrets = self.solver.recipe, tuple(self._regrets(moment, row))
        if recipe.weigh != "regret-matching" or recipe.predict or recipe.rule is not None:
            return Document((), Notation())
        basis = Basis(iteration=moment.iteration, regrets=regrets)
        pieces = describe_weighing(weigh_regrets(recipe, regrets, basis), row.place.node.actions)
        return Document(tuple(block for piece in pieces for block in piece), Notation())


def shares(weights: Sequence[float]) -> list[float]:
    """What is proportional to the positive ones, uniform where there are none.

    >>> shares([3.0, -1.0, 1.0]), shares([-1.0, 0.0])
    ([0.75, 0.0, 0.25], [0.5, 0.5])
    """
    positive = [max(weight, 0.0) for weight in weights]
    total = math.fsum(positive)
    return [each / total for each in positive] if total > 0 else [1 / len(positive)] * len(positive)
