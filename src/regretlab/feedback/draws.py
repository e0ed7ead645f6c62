"""Random numbers without a state: a hash of (seed, iteration, place), or of a walk in place of an iteration.

The draw at one place in one iteration does not depend on what else was drawn, so a run can be stopped and resumed, or
two passes of one iteration can see the same deal, without anything to save.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from regretlab.forms.kernel import inlined_kernel, kernel

_WORD = 0xFFFFFFFF
_LONG = 0xFFFFFFFFFFFFFFFF

_settings: Any = numba.config
_long: Any = int if _settings.DISABLE_JIT else np.uint64
"""What 64-bit words are made with. Without the compiler they are Python's integers, which a mask cuts: numpy's warn."""


@kernel
def _scramble(word: np.uint64) -> np.uint64:
    """The finaliser of MurmurHash3 (Appleby) on 32 bits; products of two words fit into 64 and never overflow."""
    word = ((word ^ (word >> np.uint64(16))) * np.uint64(0x85EBCA6B)) & np.uint64(_WORD)
    word = ((word ^ (word >> np.uint64(13))) * np.uint64(0xC2B2AE35)) & np.uint64(_WORD)
    return word ^ (word >> np.uint64(16))


@kernel
def uniform(seed: int, iteration: int, place: int) -> float:
    """A number in [0, 1) with 53 random bits for this seed, iteration and place (all non-negative)."""
    high, low = np.uint64(0x9E3779B9), np.uint64(0x7F4A7C15)
    for number in (np.uint64(seed), np.uint64(iteration), np.uint64(place)):
        for word in (number & np.uint64(_WORD), number >> np.uint64(32)):
            high = _scramble(high ^ word)
            low = _scramble(low ^ high ^ word)
    bits = (high << np.uint64(21)) ^ (low >> np.uint64(11))
    return float(bits) / 9007199254740992.0  # 2⁵³


@inlined_kernel
def nth(state: int, n: int) -> int:
    """The n-th word that SplitMix64 gives from ``state``: three of them make a draw, at half the cost of ``uniform``.

    Steele, Lea, Flood (2014), "Fast Splittable Pseudorandom Number Generators".
    """
    word = (_long(state) + _long(n) * 0x9E3779B97F4A7C15) & _LONG
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _LONG
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _LONG
    return word ^ (word >> 31)  # type: ignore[no-any-return]


@inlined_kernel
def new_stream(seed: int, iteration: int, player: int) -> int:
    """What all draws of one player's walk in one iteration begin with."""
    return nth(nth(0, seed), 2 * iteration + player)


@inlined_kernel
def uniform_at(stream: int, place: int) -> float:
    """A number in [0, 1) with 53 random bits for this place (non-negative) of a walk."""
    return float(nth(stream, place) >> 11) / 9007199254740992.0  # 2⁵³
