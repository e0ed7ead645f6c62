"""Liar's dice, also called dudo: one round for two players, with secret rolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TypeAlias

from regretlab.errors import UserError
from regretlab.games.protocol import CHANCE, TERMINAL
from regretlab.spec import format_changed, whole

State: TypeAlias = tuple[int, ...]
"""The numbers of player 0's roll and of player 1's, as far as they have rolled, then what has been said.

Every bid is higher than the last, so the set of bids tells their order, and one integer holds it: bit b stands for
bid b, and the bit above all bids for the call that ends the round.
"""

MOST_BIDS = 16
"""Each further bid doubles the number of histories; 16 bids are as many as the walk over a game takes on."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True)
class LiarsDice:
    """Both players roll in secret and bid in turn how many dice show one face, until one calls the other a liar.

    A bid speaks of all dice, the other player's included, and the highest face is wild: it counts as any other. Each
    bid must be higher than the last: more dice, or as many of a higher face. Who doubts a bid calls, which ends the
    round: if at least as many dice as the bid says show the face, the bidder wins a chip, else the caller.

    Bids are written with the number first: ``2-5`` is two dice with a 5. Labels are the own dice, sorted, and the bids
    so far: ``6 1-2 1-5`` is who has rolled a 6, has bid one 2 and heard one 5.
    """

    dice: int = 1
    sides: int = 6

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", whole("dice", self.dice, least=1, most=MOST_BIDS // 4))
        object.__setattr__(self, "sides", whole("sides", self.sides, least=2, most=MOST_BIDS // 2))
        if self.bids > MOST_BIDS:
            raise UserError(
                f"dice={self.dice} and sides={self.sides} allow {self.bids} bids, too many to compile; "
                f"2 × dice × sides must be at most {MOST_BIDS}"
            )

    @property
    def name(self) -> str:
        """The name with the parameters that are not the default."""
        return format_changed("liars_dice", self)

    @cached_property
    def bids(self) -> int:
        """How many bids there are: each face in each number, up to all dice on the table."""
        return 2 * self.dice * self.sides

    def root(self) -> State:
        """Before the rolls."""
        return ()

    def player(self, state: State) -> int:
        """Chance rolls for one player after the other, then they take turns until one calls."""
        if len(state) < 2:
            return CHANCE
        said = state[2]
        return TERMINAL if said.bit_length() > self.bids else said.bit_count() % 2

    def actions(self, state: State) -> Sequence[str]:
        """All higher bids, then the call; the rolls where chance moves."""
        return self._roll_names if len(state) < 2 else self._options[state[2].bit_length()]

    def chance(self, state: State) -> Sequence[Fraction]:
        """The probability of each roll, in whatever order its dice fall."""
        return self._roll_chances

    def child(self, state: State, action: int) -> State:
        """The state after roll number ``action``, or after the call that is so many above the lowest still allowed."""
        if not state:
            return (action,)
        if len(state) == 1:
            return state[0], action, 0
        mine, theirs, said = state
        return mine, theirs, said | 1 << said.bit_length() + action

    def label(self, state: State) -> str:
        """The own dice and the bids so far."""
        mine, theirs, said = state
        own = self._roll_names[theirs if said.bit_count() % 2 else mine]
        return " ".join([own, *(name for b, name in enumerate(self._bid_names) if said >> b & 1)])

    def payoff(self, state: State) -> int:
        """The bidder wins where the last bid holds, else the caller."""
        mine, theirs, said = state
        last = (said ^ 1 << self.bids).bit_length() - 1
        least, face = last // self.sides + 1, last % self.sides
        holds = self._matches[mine][face] + self._matches[theirs][face] >= least
        caller = (said.bit_count() - 1) % 2
        return 1 if holds == (caller == 1) else -1

    @cached_property
    def _rolls(self) -> tuple[tuple[int, ...], ...]:
        """What one player can roll: faces, sorted, the lowest first."""
        return tuple(combinations_with_replacement(range(1, self.sides + 1), self.dice))

    @cached_property
    def _roll_names(self) -> tuple[str, ...]:
        return tuple("".join(map(str, roll)) for roll in self._rolls)

    @cached_property
    def _roll_chances(self) -> tuple[Fraction, ...]:
        """Orders in which the dice of a roll can fall, of all equally likely ones."""
        faces, orders = range(1, self.sides + 1), factorial(self.dice)
        ways = (orders // prod(factorial(roll.count(face)) for face in faces) for roll in self._rolls)
        return tuple(Fraction(count, self.sides**self.dice) for count in ways)

    @cached_property
    def _matches(self) -> tuple[tuple[int, ...], ...]:
        """For each roll, how many of its dice count as each face."""
        faces, wild = range(1, self.sides + 1), self.sides
        return tuple(tuple(sum(die in (face, wild) for die in roll) for face in faces) for roll in self._rolls)

    @cached_property
    def _bid_names(self) -> tuple[str, ...]:
        return tuple(f"{b // self.sides + 1}-{b % self.sides + 1}" for b in range(self.bids))

    @cached_property
    def _options(self) -> tuple[tuple[str, ...], ...]:
        """What can be said, by how many bids are no longer allowed; who begins must bid."""
        later = ((*self._bid_names[lowest:], "liar") for lowest in range(1, self.bids + 1))
        return self._bid_names, *later

    def meaning(self, label: str) -> str:
        """A label in words: ``6 1-2 2-5`` is 'rolled 6; bids: one 2, two 5s'."""
        own, *bids = label.split()
        return f"rolled {own}; " + (f"bids: {', '.join(map(_spoken, bids))}" if bids else "first to bid")

    def order(self, label: str) -> tuple[int, list[str], str]:
        """Where people expect a label in a list: by the bids so far, fewer first, then by the own dice."""
        own, *bids = label.split()
        return len(bids), bids, own

    def encode(self, label: str) -> list[float]:
        """A label in numbers, for networks: own dice that count as each face, own wild dice, all bids, the last bid."""
        own, *bids = label.split()
        roll = self._roll_names.index(own)
        dice = [count / self.dice for count in (*self._matches[roll], self._rolls[roll].count(self.sides))]
        said = [float(name in bids) for name in self._bid_names]
        last = [float(name in bids[-1:]) for name in self._bid_names]
        return [*dice, *said, *last]


def _spoken(bid: str) -> str:
    """A bid in words: ``2-5`` is 'two 5s'."""
    number, face = bid.split("-")
    return f"{_NUMBERS[int(number)]} {face}{'s' * (number != '1')}"
