"""Schedules: who is updated when."""

from __future__ import annotations

SIMULTANEOUS = 0
ALTERNATING = 1
ONE_PLAYER = 2

SCHEDULES = {"simultaneous": SIMULTANEOUS, "alternating": ALTERNATING, "one-player": ONE_PLAYER}
"""The names of the schedules, and the small integers by which kernels know them."""


def passes(schedule: int, iteration: int) -> tuple[tuple[int, ...], ...]:
    """The passes of an iteration, each the players that learn in it; iterations count from 1.

    In one pass both players see the same, old, strategies; a later pass sees what an earlier one has learned.

    >>> passes(SIMULTANEOUS, 1), passes(ALTERNATING, 1), passes(ONE_PLAYER, 1), passes(ONE_PLAYER, 2)
    (((0, 1),), ((0,), (1,)), ((0,),), ((1,),))
    """
    if schedule == SIMULTANEOUS:
        return ((0, 1),)
    if schedule == ALTERNATING:
        return ((0,), (1,))
    return (((iteration - 1) % 2,),)
