"""What several judges' tests need."""

from collections.abc import Callable

import numpy as np
import pytest

from regretlab.forms import SequenceForm, Strategy, from_weights

RandomStrategy = Callable[[SequenceForm, int], Strategy]


@pytest.fixture(scope="session")
def random_strategy() -> RandomStrategy:
    """A strategy from a seed: most probabilities are mixed, and one action in four is never taken."""

    def make(form: SequenceForm, seed: int) -> Strategy:
        rng = np.random.default_rng(seed)
        sizes = [treeplex.sequences for treeplex in form.treeplexes]
        mine, theirs = (rng.exponential(size=size) * (rng.random(size) < 0.75) for size in sizes)
        return from_weights(form, (mine, theirs))

    return make
