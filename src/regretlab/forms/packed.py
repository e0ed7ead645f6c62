"""How the numbers of a run are kept: as they are computed, or in 16 bits.

In 16 bits the numbers of a row, one for each hand of a tile, are whole numbers times a power of two that fits the
largest of them. The powers stand behind all rows of an array, one for each, so that what is kept is one array whatever
the precision. Only keeping is done in 16 bits: a row is computed in single precision.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretlab.forms.kernel import Floats
from regretlab.forms.lane_passes import REALS

ROW = np.uint64(64)
"""Numbers of a row."""

PACKED = "16bit"
KEPT: dict[str, Any] = {**REALS, PACKED: np.int16}
"""What numbers are kept as, by the precision of a run."""

BITS = 15
"""Without the sign."""

LEAST_POWER = -126 + BITS
"""Smaller numbers are 0: their scale would be too large for single precision."""

REAL: Any = np.float64
"""The precision in which rows are computed, which ``specialised`` puts in place of this."""

_REST = ROW + np.uint64(1)


def computed_in(precision: str) -> str:
    """The precision of what is not kept."""
    return "f32" if precision == PACKED else precision


def precision_of(kept: NDArray[Any]) -> str:
    """The precision of a run that keeps such numbers."""
    return next(name for name, kind in KEPT.items() if kept.dtype == kind)


def kept_size(numbers: int, precision: str) -> int:
    """The length of an array in which so many numbers, in whole rows, are kept."""
    return numbers + numbers // int(ROW) if precision == PACKED else numbers


def kept_bytes(numbers: int, precision: str) -> int:
    """And its bytes."""
    return kept_size(numbers, precision) * int(np.dtype(KEPT[precision]).itemsize)


def unpacked(kept: NDArray[Any], places: Any) -> Floats:
    """The numbers at some places of an array; they are copies where it is packed."""
    if kept.dtype != KEPT[PACKED]:
        return np.asarray(kept[places])
    places = np.arange(len(kept) // int(_REST) * int(ROW))[places]
    powers = kept[len(kept) // int(_REST) * int(ROW) + places // int(ROW)]
    return np.asarray(np.ldexp(kept[places].astype(np.float64), powers))


def pack(numbers: Floats, kept: NDArray[Any], place: int) -> None:
    """Keep numbers, whole rows of them, from a place on in an array of any precision."""
    if kept.dtype != KEPT[PACKED]:
        kept[place : place + numbers.size] = numbers.ravel()
        return
    rows, first = numbers.reshape(-1, int(ROW)), len(kept) // int(_REST) * int(ROW) + place // int(ROW)
    powers = np.maximum(np.frexp(abs(rows).max(axis=1, initial=0.0))[1] - BITS, LEAST_POWER)
    whole = np.floor(np.ldexp(rows, -powers[:, None]) + 0.5)
    kept[place : place + numbers.size] = np.minimum(whole, 2**BITS - 1).ravel()
    kept[first : first + len(rows)] = powers


# Texts of kernels, for numbers that are kept as they are and for those that are packed.


def unit_as_is(kept: NDArray[Any], place: np.uint64) -> Any:
    """What the numbers of the row at ``place`` are multiples of."""
    return REAL(1.0)


def unit_of_row(kept: NDArray[Any], place: np.uint64) -> Any:
    """The same."""
    return REAL(math.ldexp(1.0, int(kept[np.uint64(len(kept)) // _REST * ROW + place // ROW])))


def keep_as_is(rows: Floats, begin: np.uint64, kept: NDArray[Any], place: np.uint64, scratch: Floats) -> None:
    """Keep a row. ``scratch`` has the length of half a row."""
    for h in range(ROW):
        kept[place + h] = rows[begin + h]


def keep_packed(rows: Floats, begin: np.uint64, kept: NDArray[Any], place: np.uint64, scratch: Floats) -> None:
    """The same. The largest number is found by halves, which can be done for several numbers at once. Numbers are
    shifted above 0 before they are cut off, because that rounds both signs alike."""
    half = ROW // np.uint64(2)
    for h in range(half):
        one, other = abs(rows[begin + h]), abs(rows[begin + half + h])
        scratch[h] = one if one > other else other
    while half > np.uint64(8):
        half //= np.uint64(2)
        for h in range(half):
            scratch[h] = scratch[h] if scratch[h] > scratch[half + h] else scratch[half + h]
    largest = REAL(0.0)
    for h in range(half):
        largest = scratch[h] if scratch[h] > largest else largest
    power = max(math.frexp(largest)[1] - BITS, LEAST_POWER)
    scale = REAL(math.ldexp(1.0, -power))
    shift, most = REAL(2**BITS + 0.5), np.int32(2**BITS - 1)
    for h in range(ROW):
        whole = np.int32(rows[begin + h] * scale + shift) - np.int32(2**BITS)
        kept[place + h] = np.int16(min(whole, most))
    kept[np.uint64(len(kept)) // _REST * ROW + place // ROW] = np.int16(power)


def keeping(precision: str) -> dict[str, Any]:
    """The texts for a precision, by what kernels call them."""
    packed = precision == PACKED
    return {"unit_of": unit_of_row if packed else unit_as_is, "keep_row": keep_packed if packed else keep_as_is}
