"""What can be watched while the textbook learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from regretlab.games import Number


class Basis(NamedTuple):
    """What a strategy follows from beside the regrets; nothing for the four algorithms."""

    iteration: int = 0
    """When the information set last learned."""
    regrets: tuple[Number, ...] = ()
    """R as it was then. Later iterations may have faded it, which changes no strategy."""
    discounts: tuple[Number, ...] = ()
    """By which a prediction multiplies them: those of the next iteration."""
    last: tuple[Number, ...] = ()
    """r, of which a prediction expects a part or all once more; empty without a prediction."""
    squared_ranges: Number = 0
    """V, from which Hedge takes its rate."""


@dataclass(frozen=True)
class Decision:
    """One decision as one pass saw it, and what the pass changed there.

    Regrets change after the pass, once for each information set, so the events of a pass come when it is over: in the
    order in which the recursion finished the histories, children before parents. Where a pass visits an information
    set in several histories, each has its own event with its own ``regret_increments``, and their sum led from
    ``regrets_before`` to ``regrets_after``.

    Values are the acting player's: what player 1 wins is positive at player 1's decisions.
    """

    iteration: int
    updating: tuple[int, ...]
    """The players whose regrets and averages this pass changes."""
    updated: bool
    """Whether the acting player is one of them."""
    history: tuple[str, ...]
    """The names of all that has happened, such as ("JQ", "check", "bet")."""
    label: str
    player: int
    actions: tuple[str, ...]
    own_reach: Number
    """The probability with which the acting player's own choices lead here."""
    opponent_reach: Number
    """The probability with which the opponent's choices lead here, times ``chance_reach``."""
    chance_reach: Number
    """The probability of the deals on the way where all deals are walked; 1 where deals are drawn or listed."""
    weight: Number
    """How much this iteration counts in the average."""
    strategy: tuple[Number, ...]
    """σ, as it was played in this pass."""
    action_values: tuple[Number, ...]
    """v(a): what the player can expect after each action."""
    value: Number
    """v = Σ σ(a) v(a)."""
    regret_increments: tuple[Number, ...]
    """r(a) = opponent_reach × (v(a) − v), also where ``updated`` is false and nothing came of it."""
    regrets_before: tuple[Number, ...]
    regrets_after: tuple[Number, ...]
    strategy_sum_before: tuple[Number, ...]
    strategy_sum: tuple[Number, ...]
    """S after the pass; divided by its sum it is the average strategy."""
    next_strategy: tuple[Number, ...]
    """The strategy that follows from ``regrets_after``."""
    basis_before: Basis
    basis_after: Basis
