"""What a strategy does and earns at a node of a spot: how often, with which hands, for how many chips.

Expected values count from the node on. Chips that were put in before are spent, and whoever wins gets the whole pot; so
folding is worth 0, and what both players expect sums to the pot on the table, less rake.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from regretlab.documents.blocks import Share, Table
from regretlab.documents.numbers import percent, value
from regretlab.documents.rows import Rows
from regretlab.endgames.hand_grid import strategy_mosaic
from regretlab.endgames.spot import PLAYERS
from regretlab.errors import UserError
from regretlab.forms.kernel import Floats

if TYPE_CHECKING:
    from regretlab.documents.notebook import Piece


@dataclass(frozen=True, eq=False)
class Side:
    """A player's hands at a node, the highest cards first; all arrays have one number for each hand.

    Where the other player never gets here with a hand that goes with this one, ``ev`` and ``equity`` are nan.
    """

    cards: NDArray[np.str_]
    """How each hand is written."""
    reach: Floats
    """How probable it is that the owner plays to this node with the hand."""
    weights: Floats
    """How much the hand counts here: its weight in the range × its reach × the sum, over the other player's hands that
    share no card with it, of weight × reach. For both players they have the same sum."""
    ev: Floats
    """What the hand expects, in chips from the node on."""
    equity: Floats
    """The part of the pot that the hand would win if nobody ever bet again, against the other player's range here."""

    def mean(self, numbers: Floats) -> float:
        """The mean over all hands by their weights; nan where no hand gets here."""
        return weighted_mean(numbers, self.weights)


def weighted_mean(numbers: Floats, weights: Floats) -> float:
    """The mean of numbers, of which those without weight may be nan; nan where none has weight."""
    counted = weights > 0
    total = float(weights[counted].sum())
    return float((weights[counted] * numbers[counted]).sum()) / total if total > 0 else math.nan


@dataclass(frozen=True, eq=False, repr=False)
class NodeView:
    """What players hold, do and expect where one of them is to act.

    ``cards``, ``strategy``, ``action_evs``, ``ev``, ``equity`` and ``weights`` are those of the player who acts;
    ``sides`` has both players' hands.
    """

    line: tuple[str, ...]
    """The actions and cards that lead here."""
    board: str
    """All cards that are turned up."""
    player: int
    """Who is to act: 0 is out of position, 1 in position."""
    actions: tuple[str, ...]
    pot: int
    """The chips on the table, all bets included."""
    probability: float
    """How often players get here, of all deals that allow the board."""
    reach: tuple[float, float]
    """How much of each player's range on this board gets here."""
    sides: tuple[Side, Side]
    strategy: Floats
    """(hands, actions) how probable each action is with each hand; also where the hand never gets here."""
    action_evs: Floats
    """(hands, actions) what each hand expects after each action."""

    @property
    def cards(self) -> NDArray[np.str_]:
        """The hands of the player who acts, as they are written."""
        return self.sides[self.player].cards

    @property
    def ev(self) -> Floats:
        """What each hand of the player who acts expects, in chips."""
        return self.sides[self.player].ev

    @property
    def equity(self) -> Floats:
        """The equity of each hand of the player who acts."""
        return self.sides[self.player].equity

    @property
    def weights(self) -> Floats:
        """How much each hand of the player who acts counts here."""
        return self.sides[self.player].weights

    @property
    def evs(self) -> tuple[float, float]:
        """What each player expects from here on, in chips; they sum to ``pot``, less rake."""
        zero, one = (side.mean(side.ev) for side in self.sides)
        return zero, one

    @property
    def equities(self) -> tuple[float, float]:
        """Both players' equities, which sum to 1."""
        zero, one = (side.mean(side.equity) for side in self.sides)
        return zero, one

    @property
    def frequencies(self) -> dict[str, float]:
        """How often each action is taken by who gets here: the mean of ``strategy`` by ``weights``."""
        side = self.sides[self.player]
        return {action: side.mean(self.strategy[:, a]) for a, action in enumerate(self.actions)}

    def hands(self, player: int | None = None) -> Rows:
        """A row for each hand of a player, or of the one who acts, with strategy and values of actions for that one.

        What is nan in the arrays is None. ``hands().frame()`` is a frame of pandas or polars.
        """
        if player not in (None, 0, 1):
            raise UserError(f"player {player!r} does not exist; the players are 0 and 1")
        side = self.sides[self.player if player is None else player]
        columns: dict[str, Iterable[Any]] = {
            "hand": side.cards.tolist(),
            "weight": side.weights.tolist(),
            "reach": side.reach.tolist(),
            "ev": _or_none(side.ev),
            "equity": _or_none(side.equity),
        }
        if player in (None, self.player):
            columns |= {action: self.strategy[:, a].tolist() for a, action in enumerate(self.actions)}
            columns |= {f"ev of {action}": _or_none(self.action_evs[:, a]) for a, action in enumerate(self.actions)}
        return Rows(dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))

    def pieces(self) -> list[Piece]:
        """The node as notebooks show it: the grid, how often each action is taken, what both players expect."""
        from regretlab.documents.notebook import facts, headline

        where = f"after {', '.join(self.line)}" if self.line else "at the start"
        taken = Table(
            "",
            ("action", "frequency"),
            tuple((action, None if math.isnan(often) else Share(often)) for action, often in self.frequencies.items()),
        )
        expected = (
            (f"EV of {who}", f"{value(ev)} chips, equity {percent(equity)}")
            for who, ev, equity in zip(PLAYERS, self.evs, self.equities, strict=True)
        )
        pieces: list[Piece] = [headline(f"{PLAYERS[self.player]} {where}", f", {self.board}, pot {self.pot:,}")]
        return [*pieces, strategy_mosaic(self, f"What {PLAYERS[self.player]} does"), taken, facts(*expected)]

    def _repr_html_(self) -> str:
        from regretlab.documents.notebook import as_html

        return as_html(*self.pieces())

    def __repr__(self) -> str:
        done = ", ".join(f"{action} {often:.1%}" for action, often in self.frequencies.items())
        return f"<{', '.join(self.line) or 'root'} on {self.board}: {PLAYERS[self.player]} has {done}>"


def _or_none(numbers: Floats) -> list[float | None]:
    return [None if math.isnan(number) else number for number in numbers.tolist()]
