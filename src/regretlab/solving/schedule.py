"""Schedules: who is updated when. The one place that knows."""

from __future__ import annotations

import numpy as np

SIMULTANEOUS, ALTERNATING, ONE_PLAYER = 0, 1, 2

SCHEDULES = {"simultaneous": SIMULTANEOUS, "alternating": ALTERNATING, "one-player": ONE_PLAYER}
"""The names of the schedules, and the small integers by which kernels know them."""

_NOBODY, _ZERO, _ONE, _BOTH = 0, 1, 2, 3
"""Who learns in a pass: bit p is set if player p does."""

PASSES = np.array(
    [
        [[_BOTH, _NOBODY], [_BOTH, _NOBODY]],  # simultaneous: both see the same, old, strategies
        [[_ZERO, _ONE], [_ZERO, _ONE]],  # alternating: player 1 sees what player 0 has just learned
        [[_ONE, _NOBODY], [_ZERO, _NOBODY]],  # one-player: odd iterations update player 0, even ones player 1
    ]
)
"""(schedules, 2, 2): who learns in the passes of an iteration, by schedule, by whether its number is odd, by pass."""


def passes(schedule: int, iteration: int) -> tuple[tuple[int, ...], ...]:
    """The passes of an iteration, each the players that learn in it; iterations count from 1.

    In one pass both players see the same, old, strategies; a later pass sees what an earlier one has learned.

    >>> passes(SIMULTANEOUS, 1), passes(ALTERNATING, 1), passes(ONE_PLAYER, 1), passes(ONE_PLAYER, 2)
    (((0, 1),), ((0,), (1,)), ((0,),), ((1,),))
    """
    learning = PASSES[schedule, iteration % 2].tolist()
    return tuple(tuple(player for player in (0, 1) if who >> player & 1) for who in learning if who)
