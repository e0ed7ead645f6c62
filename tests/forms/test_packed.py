"""Numbers in 16 bits: what is lost, and that kernels keep what numpy keeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretlab.forms.block_passes import block_kernel
from regretlab.forms.packed import BITS, KEPT, PACKED, ROW, kept_bytes, kept_size, pack, precision_of, unpacked

ROWS, WIDTH = 3, int(ROW)
NUMBERS = st.lists(st.floats(-1e6, 1e6, width=32), min_size=ROWS * WIDTH, max_size=ROWS * WIDTH)


def kept(numbers: np.ndarray, precision: str = PACKED) -> np.ndarray:
    array = np.zeros(kept_size(numbers.size, precision), dtype=KEPT[precision])
    pack(numbers, array, 0)
    return array


@given(NUMBERS)
def test_no_number_moves_by_more_than_a_part_of_the_largest_in_its_row(given_numbers: list[float]) -> None:
    numbers = np.array(given_numbers)
    array = kept(numbers)
    moved = abs(unpacked(array, np.arange(numbers.size)) - numbers).reshape(ROWS, WIDTH)
    largest = abs(numbers).reshape(ROWS, WIDTH).max(axis=1)
    # Half a unit; a whole one for the largest, which may be cut off. Below 2⁻¹²⁶ all is 0.
    assert (moved.max(axis=1) <= largest * 2.0 ** (1 - BITS) + 2.0**-126).all()


@given(NUMBERS)
def test_what_was_kept_once_is_kept_as_it_is(given_numbers: list[float]) -> None:
    once = kept(np.array(given_numbers))
    again = kept(unpacked(once, slice(None)))
    np.testing.assert_array_equal(unpacked(again, slice(None)), unpacked(once, slice(None)))


@given(NUMBERS)
def test_kernels_keep_the_same_and_read_the_same(given_numbers: list[float]) -> None:
    numbers = np.array(given_numbers, dtype=np.float32)
    # Rows apart from each other and in another order, so that none writes on its neighbour.
    ours, theirs = kept(np.zeros(numbers.size)), kept(numbers.astype(float))
    keep, load = (block_kernel(name, "f32", PACKED) for name in ("keep_tile", "load_tile"))
    for row in reversed(range(ROWS)):
        place = np.uint64(row * WIDTH)
        keep(numbers, place, np.uint64(1), ours, place, np.zeros(WIDTH // 2, dtype=np.float32))
    # A number halfway between two may go either way: single precision shifts it before it is cut off.
    difference = abs(unpacked(ours, slice(None)) - unpacked(theirs, slice(None))).reshape(ROWS, WIDTH)
    assert (ours[ROWS * WIDTH :] == theirs[ROWS * WIDTH :]).all()
    assert (difference.max(axis=1) <= np.ldexp(1.0, ours[ROWS * WIDTH :])).all()
    found = np.zeros(numbers.size, dtype=np.float32)
    load(ours, np.uint64(0), np.uint64(ROWS), found)
    np.testing.assert_array_equal(found, unpacked(ours, slice(None)).astype(np.float32))


@pytest.mark.parametrize(
    "row", [[0.0], [1.0, -1.0], [32767.6, -32768.0], [1e-44, -1e-44], [3e38, -1.0], [2.0**-100, 2.0**-120]]
)
def test_rows_at_the_ends_of_what_can_be_kept(row: list[float]) -> None:
    numbers = np.resize(np.array(row, dtype=np.float32), WIDTH)
    array = np.zeros(kept_size(WIDTH, PACKED), dtype=np.int16)
    block_kernel("keep_tile", "f32", PACKED)(
        numbers, np.uint64(0), np.uint64(1), array, np.uint64(0), np.zeros(WIDTH // 2, dtype=np.float32)
    )
    near = 2.0 ** (1 - BITS) * abs(numbers.astype(float)).max() + 2.0**-126
    np.testing.assert_allclose(unpacked(array, slice(None)), numbers, rtol=0, atol=near)


@pytest.mark.parametrize(("precision", "size"), [("f64", 8 * 640), ("f32", 4 * 640), (PACKED, 2 * 650)])
def test_what_it_takes(precision: str, size: int) -> None:
    array = kept(np.ones(640), precision)
    assert array.nbytes == kept_bytes(640, precision) == size
    assert precision_of(array) == precision
    assert (unpacked(array, np.array([0, 63, 64, 639])) == 1).all()
