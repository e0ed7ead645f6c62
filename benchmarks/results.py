"""What a run of the benchmark finds, as values; ratios are computed from the raw timings that they hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple

from benchmarks.clock import SLOWED, Series, quartiles

OURS = "regretlab"
FROM_DICTIONARY = "regretlab, from a dictionary"
"""The names of our own series; the second judges a plain dictionary where the first judges arrays."""

LEAST_GAIN = 1.2
"""Where two copies of the streaming kernel move less than this times as much as one, there is nothing to share in."""


class Ratio(NamedTuple):
    """How many times as long something takes: the median over rounds, and the quartiles."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Measurement:
    """One quantity on one game, by everybody who has it, measured in turn."""

    game: str
    quantity: str
    series: tuple[Series, ...]
    note: str = ""

    def get(self, name: str) -> Series | None:
        """The series of this name, if it was measured."""
        return next((series for series in self.series if series.name == name), None)

    def ratio(self, name: str, ours: str = OURS) -> Ratio | None:
        """How many times as long ``name`` takes as ``ours``: round by round where both have all rounds."""
        above, below = self.get(name), self.get(ours)
        return None if above is None or below is None else ratio(above, below)


def ratio(above: Series, below: Series) -> Ratio:
    """The ratio of two series that were measured in turn.

    Rounds are compared one by one, because what slows the machine for a while slows both sides of a round. Where one
    series has fewer batches, each of its batches is compared with the median of the other.
    """
    upper, lower = above.seconds, below.seconds
    if len(upper) > len(lower):
        upper = [median(upper)] * len(lower)
    elif len(lower) > len(upper):
        lower = [median(lower)] * len(upper)
    ratios = [mine / theirs for mine, theirs in zip(upper, lower, strict=True)]
    return Ratio(median(ratios), *quartiles(ratios))


@dataclass(frozen=True)
class Agreement:
    """Whether a peer and we computed the same thing: exploitability after the same iterations."""

    game: str
    algorithm: str
    peer: str
    iterations: int
    ours: float
    theirs: float
    tolerance: float  # allowed relative difference
    convention: str  # what the peer does differently, if anything
    seeds: int = 0  # over so many both numbers are medians; 0 where nothing is random

    @property
    def difference(self) -> float:
        """Relative to the larger one."""
        size = max(abs(self.ours), abs(self.theirs))
        return abs(self.ours - self.theirs) / size if size > 0 else 0.0

    @property
    def agrees(self) -> bool:
        """False, too, where one of the two is not a number."""
        return self.difference <= self.tolerance

    @property
    def complaint(self) -> str:
        """The line for a disagreement."""
        medians = f"median over {self.seeds} seeds, " if self.seeds else ""
        return (
            f"DISAGREEMENT: after {self.iterations} iterations of {self.algorithm} on {self.game} the exploitability "
            f"is {self.ours!r} here and {self.theirs!r} in {self.peer} ({medians}relative difference "
            f"{self.difference:.1e}, allowed {self.tolerance:.0e})"
        )


class LeftOut(NamedTuple):
    """Something that was not measured, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class Load:
    """What one iteration has to touch, from the sizes of the arrays."""

    game: str
    entries: int  # non-zero entries of the payoff matrix; an iteration uses each of them once for each player
    bytes: int  # read or written, every array once for each time that a pass needs it
    operations: int  # additions, multiplications, divisions and comparisons
    footprint: int  # bytes of all arrays: what has to fit into a cache


@dataclass(frozen=True)
class Limits:
    """What the machine allows on one core."""

    read: float  # bytes a second, best of all rounds
    triad: float
    product: dict[int, float]  # entries a second of the sparse product on cached data, by entries a row

    @property
    def bandwidth(self) -> float:
        """Bytes a second from memory: the better one of the two streaming kernels."""
        return max(self.read, self.triad)

    @property
    def entries(self) -> float:
        """Entries a second of the sparse product, at the best length of rows."""
        return max(self.product.values())


@dataclass(frozen=True)
class Point:
    """One form of a growing family: what an iteration costs."""

    family: str
    name: str
    load: Load
    series: Series
    streaming: tuple[Series, ...]  # the streaming kernels, in the same rounds
    streamed: int  # bytes that each of them moves a call
    setup: float  # seconds to compile it, or to make it

    @property
    def nanoseconds(self) -> float:
        """Nanoseconds an iteration and payoff entry."""
        return 1e9 * self.series.median / self.load.entries

    @property
    def bandwidth(self) -> float:
        """The share that an iteration has of the better streaming kernel's bandwidth; above 1, caches help."""
        best = min(ratio(kernel, self.series).median for kernel in self.streaming)
        return best * self.load.bytes / self.streamed


@dataclass(frozen=True)
class Memory:
    """The most memory that a process of its own needed, from the start of Python on."""

    game: str
    name: str
    solved: int  # bytes, until a few iterations were done
    bytes: int  # until the exploitability was known, too


def _paired(above: tuple[float, ...], below: tuple[float, ...]) -> float:
    """The median ratio, round by round: what neighbours leave of the machine changes from one to the next."""
    return median(mine / theirs for mine, theirs in zip(above, below, strict=True))


@dataclass(frozen=True)
class Speedup:
    """Solving one form with one core and with two."""

    form: str
    entries: int
    one: tuple[float, ...]  # seconds an iteration with one core, one number a round
    two: tuple[float, ...]  # and with two

    @property
    def factor(self) -> float:
        """How many times as fast two are as one."""
        return _paired(self.one, self.two)


@dataclass(frozen=True)
class BesideNeighbours:
    """Solving with one core and with two while other programs want the cores, too."""

    neighbours: int
    one: tuple[float, ...]  # seconds per iteration with one core, one number per round
    two: tuple[float, ...]  # and with two

    @property
    def slowdown(self) -> float:
        """How many times as long it takes with two: below 1 the second core helps."""
        return _paired(self.two, self.one)


@dataclass(frozen=True)
class Cores:
    """What a second core brings."""

    alone: tuple[float, ...]  # words a second that one copy of the streaming kernel moves, one number a round
    together: tuple[float, ...]  # what two copies move together
    speedups: tuple[Speedup, ...]
    tries: int = 0  # rounds in all, those included that a neighbour spoilt

    @property
    def streaming(self) -> float:
        """What two copies of the streaming kernel move together ÷ what one moves alone."""
        return _paired(self.together, self.alone)

    def share(self, solving: Speedup) -> float | None:
        """How much of what the second core adds to streaming it adds to solving, too; None if it added next to nothing.

        Only what is gained counts: the speed-ups themselves, divided, would credit a solver that leaves the second
        core idle with half of the way or more.
        """
        return (solving.factor - 1) / (self.streaming - 1) if self.streaming >= LEAST_GAIN else None


class Look(NamedTuple):
    """What a run of a spot was worth after an iteration."""

    iteration: int
    seconds: float  # of solving so far
    part: float  # the exploitability in parts of the pot


@dataclass(frozen=True)
class Solved:
    """A spot, solved until a best response gains no more than a part of the pot, or given up."""

    spot: str
    name: str  # of the recipe, or of another program
    precision: str
    target: float  # in parts of the pot
    looks: tuple[Look, ...]
    rounds: tuple[float, ...]  # seconds of solving, one number a round
    judging: float = 0.0  # seconds that all looks took beside that in the first round

    @property
    def reached(self) -> bool:
        """Whether the last look has found what was wanted."""
        return bool(self.looks) and self.looks[-1].part <= self.target

    @property
    def iterations(self) -> int | None:
        """After which it was found; None if it never was."""
        return self.looks[-1].iteration if self.reached else None

    @property
    def seconds(self) -> float:
        """Of solving, the median of all rounds."""
        return median(self.rounds)


class Promise(NamedTuple):
    """What a run of a spot is said to need before it begins, and what it then takes."""

    spot: str
    precision: str
    promised: int  # bytes
    grown: int  # bytes by which the peak of a process of its own has grown


@dataclass(frozen=True)
class Flop:
    """A flop solved on all cores, in a process of its own."""

    cores: int
    solved: Solved
    memory: Promise | None = None  # when it is done


@dataclass
class HoldemFindings:
    """What was found of Hold'em endgames; the times of iterations are among the measurements."""

    solved: list[Solved] = field(default_factory=list)
    sampled: list[Solved] = field(default_factory=list)
    compared: list[Solved] = field(default_factory=list)
    memory: list[Promise] = field(default_factory=list)
    cores: Cores | None = None
    flop: Flop | None = None


@dataclass
class Findings:
    """All that has been found so far; it fills up while the benchmark runs, so that Ctrl-C loses nothing."""

    machine: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    agreements: list[Agreement] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    limits: Limits | None = None
    growth: list[Point] = field(default_factory=list)
    memory: list[Memory] = field(default_factory=list)
    cores: Cores | None = None
    neighbours: list[BesideNeighbours] = field(default_factory=list)
    holdem: HoldemFindings = field(default_factory=HoldemFindings)
    imports_of_help: list[str] | None = None  # heavy modules that ``regretlab --help`` loads: there should be none
    calibration: float = 0.0  # seconds of the fixed loop, best of all
    retries: int = 0
    complete: bool = False

    def find(self, game: str, quantity: str) -> Measurement | None:
        """The measurement of a quantity, if it was made."""
        return next((one for one in self.measurements if (one.game, one.quantity) == (game, quantity)), None)

    def ratio(self, game: str, quantity: str, name: str, ours: str = OURS) -> float | None:
        """The median ratio of ``name`` to ``ours``, if both were measured."""
        measurement = self.find(game, quantity)
        found = None if measurement is None else measurement.ratio(name, ours)
        return None if found is None else found.median

    @property
    def disturbed(self) -> int:
        """How many batches were kept although the machine was slowed beside them."""
        raced = [series for one in self.measurements for series in one.series]
        grown = [series for point in self.growth for series in (point.series, *point.streaming)]
        every = [*raced, *grown]
        return sum(batch.slowness(self.calibration) > SLOWED for series in every for batch in series.batches)

    @property
    def complaints(self) -> list[str]:
        """A line for each disagreement."""
        return [agreement.complaint for agreement in self.agreements if not agreement.agrees]
