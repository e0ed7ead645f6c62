"""Random numbers without a state."""

import numpy as np

from regretlab.feedback.draws import new_stream, nth, uniform, uniform_at


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


def walk_sample(seed: int, iterations: range, player: int = 0, place: int = 0) -> np.ndarray:
    return np.array([uniform_at(np.uint64(new_stream(seed, t, player)), place) for t in iterations])


def test_draws_of_walks_are_spread_evenly_over_iterations_and_over_places() -> None:
    stream = np.uint64(new_stream(3, 4, 1))
    for draws in (
        *(walk_sample(seed, range(1, 20_001), 1, place) for seed, place in ((0, 0), (1, 7), (2**40, 2**20))),
        np.array([uniform_at(stream, place) for place in range(20_000)]),
    ):
        counts = np.histogram(draws, bins=100, range=(0, 1))[0]
        assert counts.sum() == 20_000
        assert ((counts - 200) ** 2 / 200).sum() < 160


def test_neighbours_in_walks_are_not_correlated() -> None:
    base = walk_sample(5, range(1, 5_001))
    for other in (
        walk_sample(5, range(2, 5_002)),
        walk_sample(6, range(1, 5_001)),
        walk_sample(5, range(1, 5_001), player=1),
        walk_sample(5, range(1, 5_001), place=1),
        walk_sample(5, range(1, 5_001), place=2),
    ):
        assert abs(np.corrcoef(base, other)[0, 1]) < 0.06  # four standard errors


def test_words_are_those_of_splitmix64() -> None:
    """The first five words from 1234567, as every implementation of the generator gives them."""
    assert [nth(1234567, n) for n in range(1, 6)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
