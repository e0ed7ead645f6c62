"""When a run is looked at: one fixed, roughly logarithmic sequence of iterations, the same for every run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

STEPS = (10, 15, 20, 30, 50, 70)
"""The members of the sequence in one factor of ten; the next has the same, ten times as large."""

FINE_STEPS = range(10, 100)
"""Every number of two digits, for runs that are drawn; the usual steps are among them."""


class Checkpoint(NamedTuple):
    """What the average strategy was worth after an iteration."""

    iteration: int
    exploitability: float  # NashConv / 2, in chips a game
    value: float  # player 0's expected payoff


def is_checkpoint(iteration: int) -> bool:
    """Whether the sequence 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, … contains this iteration.

    >>> [t for t in range(1, 101) if is_checkpoint(t)]
    [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100]
    """
    return iteration == next(checkpoints(iteration - 1))


def checkpoints(after: int, steps: Sequence[int] = STEPS) -> Iterator[int]:
    """The sequence from the first member after ``after``."""
    decade = 1
    while True:
        for step in steps:
            iteration, rest = divmod(step * decade, 10)
            if iteration > after and not rest:
                yield iteration
        decade *= 10


def chart_points(per_decade: int, each_until: int = 1) -> Iterator[int]:
    """The iterations at which a run that people watch is judged: each one at first, then evenly spaced on a
    logarithmic axis.

    >>> from itertools import islice
    >>> list(islice(chart_points(per_decade=16), 12))
    [1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 15]
    """
    yield from range(1, each_until)
    last = each_until - 1
    for k in count():
        point = round(each_until * 10 ** (k / per_decade))
        if point > last:
            last = point
            yield point


FIRST_LOOK, LEAST_GAP, RELATIVE_GAP = 20, 5, 5
"""When a run with restarts looks at itself: after 20 iterations, and then when it has grown by a fifth, or by five."""


def next_look(age: int) -> int:
    """The next age, in iterations since the last restart, at which a run with restarts looks at its average.

    >>> next_look(0), next_look(20), next_look(25), next_look(1_000)
    (20, 25, 30, 1082)
    """
    look = FIRST_LOOK
    while look <= age:
        look += max(LEAST_GAP, look // RELATIVE_GAP)
    return look
