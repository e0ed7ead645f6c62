"""How the cost of an iteration grows with the game: nanoseconds per payoff entry should stay the same.

Kuhn poker grows by cards. Beyond the largest game, random sequence forms of any size are made as arrays.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from benchmarks.clock import Clock, Pace, Task, interleave
from benchmarks.parts.limits import Streaming, load_of
from benchmarks.results import Point
from regretlab.forms import SequenceForm, SparsePayoff, Treeplex, compile, sparse_payoff
from regretlab.forms.kernel import Indices
from regretlab.games import Kuhn
from regretlab.solving import Solver

KUHN, RANDOM = "Kuhn poker", "random forms"

LARGE_FORM = 3.0
"""The form on which the share of the bandwidth is measured, in multiples of the last-level cache."""

BYTES_AN_ENTRY = 40
"""Of a random form, with all arrays of a run: about, to choose sizes by."""

SMALLEST_FORM = 1_000
STEP = 4


def grow_kuhn(clock: Clock, pace: Pace, streaming: Streaming, cards: Sequence[int]) -> Iterator[Point]:
    """Kuhn poker with more and more cards."""
    for count in cards:
        make = partial(compile, Kuhn(cards=count), tree=False)
        yield _point(clock, pace, streaming, KUHN, f"{count} cards", make)


def grow_random(clock: Clock, pace: Pace, streaming: Streaming, cache: int, largest: float) -> Iterator[Point]:
    """Random forms up to ``largest`` times the last-level cache, one of them at LARGE_FORM."""
    for entries in sizes(cache, largest):
        yield _point(clock, pace, streaming, RANDOM, f"{entries:,} entries", partial(random_form, entries))


def sizes(cache: int, largest: float) -> list[int]:
    """Numbers of entries from SMALLEST_FORM on, each STEP times the one before, up to the two that are asked for.

    >>> sizes(2_000_000, 3.0)
    [1000, 4000, 16000, 64000, 150000]
    """
    marks = sorted({int(times * cache / BYTES_AN_ENTRY) for times in (min(LARGE_FORM, largest), largest)})
    small = [SMALLEST_FORM]
    while small[-1] * STEP < marks[0] * 0.75:
        small.append(small[-1] * STEP)
    return [*small, *marks]


def large_point(points: Sequence[Point], cache: int) -> Point | None:
    """The smallest random form that is LARGE_FORM times the cache, or nearly, if there is one."""
    large = [point for point in points if point.family == RANDOM and point.load.footprint > 0.9 * LARGE_FORM * cache]
    return min(large, key=lambda point: point.load.footprint, default=None)


def _point(
    clock: Clock, pace: Pace, streaming: Streaming, family: str, name: str, make: Callable[[], SequenceForm]
) -> Point:
    """An iteration beside the streaming kernels: what neighbours leave of the bandwidth changes all the time."""
    start = time.perf_counter()
    form = make()
    setup = time.perf_counter() - start
    solver = Solver(form, "cfr+", cores=1)
    series, *beside = interleave(clock, [Task(name, solver.advance), *streaming.tasks], pace)
    return Point(family, name, load_of(name, form, solver), series, tuple(beside), streaming.bytes, setup)


HANDS = 6
"""The hands that a player may hold in one public history, as in liar's dice with six sides.

So many information sets in a row have the same number of actions, and payoffs come in blocks of so many sequences of
either player, one block for each sequence. Games are regular like that. Lengths drawn one by one would cost a
mispredicted branch each: those of rows more than twice the time, those of information sets a sixth of it.
"""

WINDOW = 12
"""How many blocks away the opponent's hands may be at most: both belong to the same public history."""

LEAVES = 4
"""Only the first sequences, one in so many, are followed by further decisions, so that depth grows like a logarithm."""

_ACTIONS = (("left", "right"), ("left", "middle", "right"))
_WEIGHTS = 64


def random_form(entries: int, seed: int = 0) -> SequenceForm:
    """A form with about so many payoff entries, and always the same one for the same seed.

    >>> form = random_form(1_000)
    >>> 800 < len(form.payoff.matrices[0].entry) < 1_200
    True
    """
    generator = np.random.default_rng(seed)
    sequences = max(2 * HANDS, entries // HANDS)  # enough for a block, however few the actions are
    zero, one = (_treeplex(generator, player, sequences) for player in (0, 1))
    return SequenceForm(f"random({entries})", (zero, one), _payoff(generator, zero.sequences, one.sequences))


def _treeplex(generator: np.random.Generator, player: int, sequences: int) -> Treeplex:
    """About so many sequences in information sets of two or three actions, level by level as the walk numbers them."""
    infosets = max(1, round(sequences / 2.5))
    sizes = np.repeat(generator.integers(2, 4, size=math.ceil(infosets / HANDS)), HANDS)[:infosets]
    first = np.concatenate([[1], 1 + np.cumsum(sizes)])
    parents = np.sort(generator.integers(0, int(first[-1]) // LEAVES + 1, size=len(sizes)))
    return Treeplex(
        parent=np.minimum(parents, first[:-1] - 1).astype(np.uint32),
        first=first.astype(np.uint32),
        labels=tuple(f"{player}: {i}" for i in range(len(sizes))),
        actions=tuple(_ACTIONS[size - 2] for size in sizes.tolist()),
    )


def _payoff(generator: np.random.Generator, rows: int, columns: int) -> SparsePayoff:
    """Blocks near the diagonal, each at rows and columns that no other block has."""
    blocks = min(rows, columns) // HANDS
    place = np.arange(blocks)
    # Sorting random numbers within windows shuffles the blocks without moving any of them far.
    partner = np.lexsort((generator.random(blocks), place // WINDOW))
    hand = np.arange(HANDS)
    row = np.broadcast_to((place[:, None] * HANDS + hand)[:, :, None], (blocks, HANDS, HANDS)).ravel()
    column = np.broadcast_to((partner[:, None] * HANDS + hand)[:, None, :], (blocks, HANDS, HANDS)).ravel()
    which = generator.integers(0, _WEIGHTS, size=len(row))
    weights = (generator.standard_normal(_WEIGHTS) / len(row)).tolist()
    return sparse_payoff((rows, columns), _indices(row), _indices(column), which, weights)


def _indices(values: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Indices:
    return values.astype(np.uint32)
