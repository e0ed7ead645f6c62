"""Random numbers without a state: a hash of (seed, iteration, place).

The draw at one place in one iteration does not depend on what else was drawn, so a run can be stopped and resumed, or
two passes of one iteration can see the same deal, without anything to save.
"""

from __future__ import annotations

import numpy as np

from regretlab.forms.kernel import kernel

_WORD = 0xFFFFFFFF


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
