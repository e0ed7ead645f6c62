"""Random numbers without a state."""

import numpy as np

from regretlab.sampling import uniform


def sample(seed: int, iterations: range, place: int = 0) -> np.ndarray:
    return np.array([uniform(seed, t, place) for t in iterations])


def test_draws_are_spread_evenly() -> None:
    """A chi-square test over 100 cells: 99 degrees of freedom, 160 is beyond the 0.9999 quantile."""
    for seed, place in ((0, 0), (1, 7), (2**40, 2**20)):
        counts = np.histogram(sample(seed, range(1, 20_001), place), bins=100, range=(0, 1))[0]
        assert ((counts - 200) ** 2 / 200).sum() < 160


def test_neighbours_are_not_correlated() -> None:
    base = sample(5, range(1, 5_001))
    for other in (sample(5, range(2, 5_002)), sample(6, range(1, 5_001)), sample(5, range(1, 5_001), place=1)):
        assert abs(np.corrcoef(base, other)[0, 1]) < 0.06  # four standard errors


def test_the_same_key_gives_the_same_number_in_the_unit_interval() -> None:
    assert uniform(3, 4, 5) == uniform(3, 4, 5)
    draws = sample(9, range(1, 1_000))
    assert ((draws >= 0) & (draws < 1)).all()
    assert len(set(draws)) == len(draws)


def test_the_upper_words_of_a_key_count_too() -> None:
    assert uniform(1, 1, 1) != uniform(1 + 2**32, 1, 1) != uniform(1 + 2**62, 1, 1)
