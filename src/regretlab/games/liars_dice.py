"""Liar's dice, also called dudo: one round for two players, with secret rolls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, prod

from regretlab.errors import UserError
from regretlab.games.protocol import TERMINAL
from regretlab.games.public import Ending, Product, PublicGame, Table
from regretlab.games.size import Size
from regretlab.spec import format_changed, whole

MOST_BIDS = 24
"""Each further bid doubles the number of public states. Before memory is full, the game is refused."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True)
class LiarsDice(PublicGame):
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

    def hands(self, player: int) -> Sequence[str]:
        """What one player can roll."""
        return self._roll_names

    @cached_property
    def _weights(self) -> Product:
        return Product(self._roll_chances, self._roll_chances)

    def weights(self) -> Product:
        """Both players roll, in whatever order their dice fall."""
        return self._weights

    def start(self) -> int:
        """What has been said is the public state. Every bid is higher than the last, so the set of bids tells their
        order, and one integer holds it: bit b stands for bid b, and the bit above all bids for the call at the end."""
        return 0

    def turn(self, said: int) -> int:
        """They take turns until one calls."""
        return TERMINAL if said.bit_length() > self.bids else said.bit_count() % 2

    def moves(self, said: int) -> Sequence[str]:
        """All higher bids, then the call."""
        return self._options[said.bit_length()]

    def after(self, said: int, move: int) -> int:
        """What is so many above the lowest bid still allowed has been said, too."""
        return said | 1 << said.bit_length() + move

    def knows(self, player: int, hand: int, said: int) -> str:
        """The own dice and the bids so far."""
        return " ".join([self._roll_names[hand], *(name for b, name in enumerate(self._bid_names) if said >> b & 1)])

    def ending(self, said: int) -> Ending:
        """The bidder wins where the last bid holds, else the caller."""
        caller = (said.bit_count() - 1) % 2
        return Ending(self._holds[(said ^ 1 << self.bids).bit_length() - 1], 1 if caller else -1)

    def public_states(self) -> int:
        """Every set of bids, and every one but the empty with a call."""
        return (2 << self.bids) - 1

    @cached_property
    def _holds(self) -> tuple[Table, ...]:
        """For each bid and each pair of rolls whether it holds: 1 or -1."""
        counts = [[roll[face] for roll in self._matches] for face in range(self.sides)]
        return tuple(
            Table(tuple(tuple(1 if mine + theirs > b // self.sides else -1 for theirs in count) for mine in count))
            for b, count in ((b, counts[b % self.sides]) for b in range(self.bids))
        )

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

    def counted(self) -> Size:
        """All sets of bids can come up, and after each but the empty one a call."""
        rolls, said = len(self._rolls), 2**self.bids
        return Size(1 + rolls + rolls**2 * (2 * said - 1), rolls * said)

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
