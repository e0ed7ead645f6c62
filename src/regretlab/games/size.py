"""How large a game is, before it is walked: counted where the game can say it, else estimated by playing at random."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from regretlab.errors import UserError
from regretlab.games.protocol import CHANCE, Game, HasBlocks, HasSize
from regretlab.machine import free_memory

if TYPE_CHECKING:
    from random import Random

    from regretlab.games.public import PublicGame

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

    unit: ClassVar[str] = "histories"

    @property
    def walked(self) -> int:
        """How many steps the walk over it has."""
        return self.histories

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


BYTES_A_PUBLIC_STATE = 450
"""What a walk over the public tree takes at most for each state."""

NUMBERS_A_LANE = 6
"""Strategy, plan, regret, average and values of each action and hand, and what is kept of a node and hand."""


@dataclass(frozen=True)
class LaneSize:
    """How large a game with hands is on lanes, where pairs of hands are never looked at."""

    public: int  # public states, those of chance and the endings included; all but the first are an action's
    hands: tuple[int, int]
    estimates: tuple[int, ...] = ()  # of the public states, as in ``Size``

    unit: ClassVar[str] = "public states"

    @property
    def walked(self) -> int:
        """How many steps the walk over it has."""
        return self.public

    @property
    def numbers(self) -> int:
        """How many numbers an array over all actions and hands of both players has, padding included."""
        return self.public * (-(-max(self.hands) // 8) * 8)

    def nbytes(self, bytes_a_number: int) -> int:
        """About how much memory it takes to solve the game with numbers of a precision."""
        return self.public * BYTES_A_PUBLIC_STATE + self.numbers * NUMBERS_A_LANE * bytes_a_number

    def __str__(self) -> str:
        """The size in words.

        >>> print(LaneSize(131_071, (10, 10)))
        131,071 public states, 10 hands; f64 about 159 MB, f32 about 109 MB
        """
        hands = " and ".join(str(count) for count in dict.fromkeys(self.hands))
        double, single = (written_bytes(self.nbytes(size)) for size in (8, 4))
        states = _counted(self.public, self.unit, bool(self.estimates))
        return f"{states}, {hands} hands; f64 {double}, f32 {single}"


class _PublicTree:
    """The public states of a game as far as random plays need them."""

    def __init__(self, game: PublicGame) -> None:
        self.root, self.player, self.actions, self.child = game.start, game.turn, game.moves, game.after


def lane_size_of(game: PublicGame) -> LaneSize:
    """How large a game with hands is on lanes: what it says itself, or an estimate."""
    hands, known = (len(game.hands(0)), len(game.hands(1))), game.public_states()
    if known is not None:
        return LaneSize(known, hands)
    found = _estimated(_PublicTree(game))
    return LaneSize(found.histories, hands, found.estimates)


def check_lanes_fit(game: PublicGame, size: LaneSize, bytes_a_number: int) -> None:
    """Raise UserError where there is no memory to solve a game on lanes, beyond doubt."""
    free, doubt = free_memory(), CERTAINTY if size.estimates else 1
    if free is not None and size.nbytes(bytes_a_number) // doubt > free:
        smaller = " or ".join(_smaller(game, lambda other: lane_size_of(other).nbytes(bytes_a_number) <= free))
        hint = f"; {smaller} would fit" if smaller else ""
        raise UserError(f"{game.name} is too large: {size}; {written_bytes(free)} are free on this machine{hint}")


def _counted(number: int, noun: str, estimate: bool = False) -> str:
    """A number of things, rounded where nobody would read all digits."""
    return f"about {_rounded(number)} {noun}" if estimate or number >= 10**9 else f"{number:,} {noun}"


def _rounded(number: float) -> str:
    """Two digits of a number.

    >>> _rounded(12_345), _rounded(3.21e19), _rounded(9.96e10), _rounded(10**400)
    ('12,000', '3.2e19', '1e11', '1e400')
    """
    digits, power = f"{int(number):,}", len(str(int(number))) - 1
    if power < 2:
        return digits
    leading = round(int(number) / 10 ** (power - 1)) / 10
    if leading == 10:
        leading, power = 1.0, power + 1
    return f"{round(leading * 10**power):,}" if power < 9 else f"{leading:g}e{power}"


def written_bytes(nbytes: int) -> str:
    """An amount of memory.

    >>> written_bytes(640_000_000), written_bytes(21_600_000_000), written_bytes(200)
    ('about 640 MB', 'about 22 GB', 'less than 1 MB')
    """
    if nbytes < 10**6:
        return "less than 1 MB"
    if nbytes < 10**10:
        return f"about {nbytes // 10**6:,} MB"
    return f"about {_rounded((nbytes + 10**9 // 2) // 10**9)} GB"


def size_of(game: Game) -> Size:
    """How large a game is: what it says itself, or an estimate, in less than half a second."""
    return game.counted() if isinstance(game, HasSize) else _estimated(game)


def _estimated(game: Game | _PublicTree) -> Size:
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


def _play(game: Game | _PublicTree, rng: Random, end: float) -> int:
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
        hint = _what_would_do(game, free)
        raise UserError(f"{game.name} is too large: {size}; {written_bytes(free)} are free on this machine{hint}")
    return min(most, free // BYTES_A_HISTORY)


def _what_would_do(game: Game, free: int) -> str:
    """What to try in place of a walk for which there is not enough memory."""
    if isinstance(game, HasBlocks):
        return "; solve, which needs no histories, takes it"
    smaller = _smaller(game, lambda other: size_of(other).nbytes <= free) if isinstance(game, HasSize) else []
    return f"; {' or '.join(smaller)} would fit" if smaller else ""


def _smaller(game: Any, fits: Callable[[Any], bool]) -> list[str]:
    """The parameters that would each make the game small enough, with the largest value that does."""
    found: list[str] = []
    if not dataclasses.is_dataclass(game):
        return found
    for field in dataclasses.fields(game):
        value = getattr(game, field.name)
        if not isinstance(value, int) or isinstance(value, bool):
            continue
        for smaller in range(value - 1, 0, -1):
            try:
                small_enough = fits(dataclasses.replace(game, **{field.name: smaller}))  # type: ignore[type-var]
            except UserError:  # the rules don't allow so small a value
                break
            if small_enough:
                found.append(f"{field.name}={smaller}")
                break
    return found
