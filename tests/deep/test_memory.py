"""Memories: what they keep, in which proportions, and what it adds up to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretlab.deep import Memory, new_memory, refill, remember, samples, size, tally
from regretlab.forms import Treeplex
from regretlab.forms.kernel import kernel

# Three information sets with 2, 1 and 3 actions.
TREEPLEX = Treeplex(
    np.array([0, 0, 1], dtype=np.uint32),
    np.array([1, 3, 4, 7], dtype=np.uint32),
    ("A", "B", "C"),
    (("x", "y"), ("x",), ("x", "y", "z")),
)
COUNTS = np.array([2, 1, 3])


@kernel
def remember_one(memory: Memory, chosen: float, i: int, weight: float, values: np.ndarray, low: int, high: int) -> None:
    remember(memory, chosen, i, weight, values, low, high)


def filled(capacity: int, count: int, seed: int = 0) -> tuple[Memory, list[tuple[int, float, np.ndarray]]]:
    """A memory that has seen ``count`` samples, and all of them; sample n has the weight n."""
    random = np.random.default_rng(seed)
    memory, told = new_memory(TREEPLEX, capacity), []
    for n in range(1, count + 1):
        i = int(random.integers(3))
        values = np.zeros(7)
        low, high = int(TREEPLEX.first[i]), int(TREEPLEX.first[i + 1])
        values[low:high] = random.normal(size=high - low)
        remember_one(memory, float(random.random()), i, float(n), values, low, high)
        told.append((i, float(n), values[low:high]))
    return memory, told


@given(st.integers(1, 40), st.integers(0, 40), st.integers(0, 1_000))
def test_every_sample_in_a_memory_is_one_that_was_seen(capacity: int, count: int, seed: int) -> None:
    memory, told = filled(capacity, count, seed)
    assert size(memory) == min(capacity, count)
    numbers = memory.weight[: size(memory)].astype(int)
    assert len(set(numbers)) == size(memory)
    if count <= capacity:
        assert numbers.tolist() == list(range(1, count + 1))
    for row, n in enumerate(numbers):
        i, _, values = told[n - 1]
        assert memory.infoset[row] == i
        assert (memory.sample[row, : len(values)] == values).all()


def test_early_and_late_samples_are_kept_equally_often() -> None:
    """4 of 12 stay: each in a third of 3,000 memories, up to four standard errors."""
    kept = np.zeros(13)
    for seed in range(3_000):
        memory, _ = filled(4, 12, seed)
        kept[memory.weight.astype(int)] += 1
    assert kept.sum() == 12_000
    assert abs(kept[1:] - 1_000).max() < 4 * np.sqrt(3_000 * 2 / 9)


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 1_000))
def test_a_tally_sums_what_is_in_the_memory(capacity: int, count: int, seed: int) -> None:
    memory, told = filled(capacity, count, seed)
    weight, total = np.zeros(3), np.zeros(7)
    for n in memory.weight[: size(memory)].astype(int):
        i, share, values = told[n - 1]
        weight[i] += share
        total[TREEPLEX.first[i] : TREEPLEX.first[i + 1]] += share * values
    found = tally(memory, TREEPLEX)
    assert found.weight == pytest.approx(weight)
    assert found.total == pytest.approx(total)


@given(st.integers(1, 30), st.integers(0, 60))
def test_a_memory_goes_on_from_its_samples(capacity: int, count: int) -> None:
    memory, _ = filled(capacity, count)
    again = new_memory(TREEPLEX, capacity)
    assert refill(again, samples(memory), 3)
    for mine, other in zip(memory, again, strict=True):
        assert (mine == other).all()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("seen", None),
        ("seen", np.array([-1])),
        ("seen", np.array([[5]])),
        ("seen", np.array([5, 5])),
        ("seen", np.array([4])),
        ("infoset", np.array([0, 1, 2, 3, 0], dtype=np.uint32)),
        ("infoset", np.zeros(5)),
        ("weight", np.array([1, 1, 1, 1, np.nan])),
        ("weight", np.ones(4)),
        ("sample", np.zeros((5, 2))),
        ("sample", np.full((5, 3), np.inf)),
        ("sample", None),
    ],
)
def test_samples_that_do_not_fit_are_refused(name: str, wrong: np.ndarray | None) -> None:
    memory, _ = filled(10, 5)
    assert not refill(new_memory(TREEPLEX, 10), samples(memory) | {name: wrong}, 3)
