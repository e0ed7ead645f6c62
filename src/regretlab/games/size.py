"""How large a game is, before it is walked: counted where the game can say it, else estimated by playing at random."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regretlab.errors import UserError
from regretlab.games.protocol import CHANCE, Game, HasSize
from regretlab.machine import free_memory

if TYPE_CHECKING:
    from random import Random

BYTES_A_HISTORY, BYTES_AN_INFOSET = 100, 250
"""What a walk and the arrays made from it take at most: between 60 and 160 and about 230 bytes on the games tried.

The states of a game come on top of that; of all but the simplest ones nobody knows how large they are.
"""

HISTORIES_AN_INFOSET = 4
"""How many histories look alike, where nobody has counted: 3.7 in goofspiel with open bids, 5 in battleship, 12 in
liar's dice."""

MOST_HISTORIES = 20_000_000
"""Where a walk gives up if nobody expects so many: a game without end would otherwise fill the memory."""

LARGE = 1_000_000
"""From so many histories on a game takes seconds, and people are told so before."""

SMALL = 100_000
"""A game that the first random plays take for smaller than this is walked at once, without looking closer."""

ESTIMATES, PLAYS, SECONDS = 30, 100, 0.3
"""How many estimates are made, from how many random plays each at most, and after how long they are good enough."""

CERTAINTY = 10
"""A game is smaller than a tenth of the median estimate with a probability below one in a million.

An estimate is right on average, so it is ten times the truth with a probability of at most 1/10, and half of thirty
are with at most 2e-8.
"""

ENOUGH = 10**100
"""A play that has seen so many ways need not be played to its end."""


@dataclass(frozen=True)
class Size:
    """How large a game is."""

    histories: int  # the root and all endings included
    infosets: int | None = None  # of both players; None where nobody has counted
    estimates: tuple[int, ...] = ()  # of the histories, independent of each other; none where they are counted

    @property
    def nbytes(self) -> int:
        """About how much memory it takes to compile the game."""
        infosets = self.histories // HISTORIES_AN_INFOSET if self.infosets is None else self.infosets
        return BYTES_A_HISTORY * self.histories + BYTES_AN_INFOSET * infosets

    @property
    def least(self) -> Size:
        """The size that the game has at least, for all that is known."""
        return Size(sorted(self.estimates)[len(self.estimates) // 2] // CERTAINTY) if self.estimates else self

    def __str__(self) -> str:
        """The size in words.

        >>> print(Size(55, 12))
        55 histories, 12 information sets, less than 1 MB
        >>> print(Size(2 * 10**19))
        about 2e19 histories, about 3.2e12 GB
        """
        parts = [_counted(self.histories, "histories", bool(self.estimates))]
        if max(self.estimates, default=0) >= ENOUGH:
            parts = [f"more than {_rounded(ENOUGH)} histories"]
        elif len(set(self.estimates)) > 1:
            ascending = sorted(self.estimates)
            low, high = ascending[len(ascending) // 4], ascending[3 * len(ascending) // 4]
            parts[0] += f" (by random plays: half of the estimates say {_rounded(low)} to {_rounded(high)})"
        if self.infosets is not None:
            parts.append(_counted(self.infosets, "information sets"))
        return ", ".join([*parts, written_bytes(self.nbytes)])


def _counted(number: int, noun: str, estimate: bool = False) -> str:
    """A number of things, rounded where nobody would read all digits."""
    return f"about {_rounded(number)} {noun}" if estimate or number >= 10**9 else f"{number:,} {noun}"


def _rounded(number: float) -> str:
    """Two digits of a number.

    >>> _rounded(12_345), _rounded(3.21e19), _rounded(10**400)
    ('12,000', '3.2e19', '1e400')
    """
    digits, power = f"{int(number):,}", len(str(int(number))) - 1
    if power < 2:
        return digits
    leading = round(int(number) / 10 ** (power - 1)) / 10
    return f"{round(leading * 10**power):,}" if power < 9 else f"{leading:g}e{power}"


def written_bytes(nbytes: int) -> str:
    """An amount of memory.

    >>> written_bytes(640_000_000), written_bytes(21_600_000_000), written_bytes(200)
    ('about 640 MB', 'about 22 GB', 'less than 1 MB')
    """
    if nbytes < 10**6:
        return "less than 1 MB"
    return f"about {_rounded(nbytes // 10**9)} GB" if nbytes >= 10**10 else f"about {nbytes // 10**6:,} MB"


def size_of(game: Game) -> Size:
    """How large a game is: what it says itself, or an estimate, in less than half a second."""
    return game.counted() if isinstance(game, HasSize) else _estimated(game)


def _estimated(game: Game) -> Size:
    """The mean of estimates, each the mean of some random plays, which are right on average (Knuth, 1975).

    Most plays are far too small, and a few far too large, so that the median of plays would be far below the truth.
    """
    from random import Random  # most games are counted, and starting should stay quick

    rng, end = Random(0), time.monotonic() + SECONDS
    plays = [_play(game, rng, time.monotonic() + SECONDS / ESTIMATES) for _ in range(ESTIMATES)]
    while sum(plays) > SMALL * len(plays) and len(plays) < ESTIMATES * PLAYS and time.monotonic() < end:
        plays.append(_play(game, rng, end))
    groups = [plays[k::ESTIMATES] for k in range(ESTIMATES)]
    return Size(sum(plays) // len(plays), estimates=tuple(sum(group) // len(group) for group in groups))


def _play(game: Game, rng: Random, end: float) -> int:
    """The number of histories, if all ways branched as a random one does; a way without end is left in time."""
    histories = width = 1
    state = game.root()
    while game.player(state) in (0, 1, CHANCE) and width < ENOUGH and time.monotonic() < end:
        choices = len(game.actions(state))
        if not choices:
            break  # the walk names this history
        width *= choices
        histories += width
        state = game.child(state, rng.randrange(choices))
    return histories


def most_histories(game: Game, size: Size) -> int:
    """How many histories of a game of this size are walked before it counts as endless, or memory as full.

    Raises UserError where there is no memory for it, beyond doubt.
    """
    most, free = max(MOST_HISTORIES, CERTAINTY * size.histories), free_memory()
    if free is None:
        return most
    if size.least.nbytes > free:
        smaller = " or ".join(_smaller_games(game, free))
        hint = f"; {smaller} would fit" if smaller else ""
        raise UserError(f"{game.name} is too large: {size}; {written_bytes(free)} are free on this machine{hint}")
    return min(most, free // BYTES_A_HISTORY)


def _smaller_games(game: Game, free: int) -> list[str]:
    """The parameters that would each make the game small enough, with the largest value that does."""
    found: list[str] = []
    if not dataclasses.is_dataclass(game) or not isinstance(game, HasSize):
        return found
    for field in dataclasses.fields(game):
        value = getattr(game, field.name)
        if not isinstance(value, int) or isinstance(value, bool):
            continue
        for smaller in range(value - 1, 0, -1):
            try:
                fits = dataclasses.replace(game, **{field.name: smaller}).counted().nbytes <= free
            except UserError:  # the rules don't allow so small a value
                break
            if fits:
                found.append(f"{field.name}={smaller}")
                break
    return found
