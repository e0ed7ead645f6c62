"""Schedules: who is updated when. The one place that knows."""

from __future__ import annotations

from itertools import takewhile
from typing import TypeVar

import numpy as np

Played = TypeVar("Played")

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


def until_both_learn(schedule: int) -> int:
    """After how many iterations both players have learned: one, or two where they take turns by the iteration."""
    in_the_first = {player for players in passes(schedule, 1) for player in players}
    return 1 if len(in_the_first) == 2 else 2


def in_force(schedule: int, iteration: int, player: int, played: Played, learned: Played) -> tuple[Played, Played]:
    """What each player plays when ``player`` learns in an iteration: what was ``played`` when that began, or, where a
    player has learned in an earlier pass of it, what was ``learned``.

    >>> in_force(ALTERNATING, 1, 0, "old", "new"), in_force(ALTERNATING, 1, 1, "old", "new")
    (('old', 'old'), ('new', 'old'))
    """
    turns = passes(schedule, iteration)
    learns = any(player in players for players in turns)
    earlier = takewhile(lambda players: player not in players, turns)
    theirs = learned if learns and any(1 - player in players for players in earlier) else played
    return (played, theirs) if player == 0 else (theirs, played)
