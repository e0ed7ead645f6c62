"""Networks: that they learn what they are given, and the same every time."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from regretlab.deep import Settings, Tally, new_networks  # noqa: E402
from regretlab.deep.network import Networks, reproducible  # noqa: E402
from regretlab.forms import SequenceForm, as_form  # noqa: E402

SETTINGS = Settings(width=32, layers=2, training=400, rate=Fraction(1, 50))


def random_tally(form: SequenceForm, player: int = 0, seed: int = 1) -> Tally:
    """Means between -1 and 1, and weights that differ much."""
    treeplex, random = form.treeplexes[player], np.random.default_rng(seed)
    weight = 10.0 ** random.uniform(-1, 1, treeplex.infosets)
    total = random.uniform(-1, 1, treeplex.sequences)
    total[1:] *= np.repeat(weight, np.diff(treeplex.first.astype(int)))
    return Tally(weight, total)


def means(form: SequenceForm, tally: Tally, player: int = 0) -> np.ndarray:
    return tally.total[1:] / np.repeat(tally.weight, np.diff(form.treeplexes[player].first.astype(int)))


def networks(game: str, **changes: object) -> tuple[SequenceForm, Networks]:
    form = as_form(game)
    return form, new_networks(form, 0, replace(SETTINGS, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["kuhn", "liars_dice(sides=2)", "goofspiel(cards=3)"])
def test_a_network_learns_the_means_up_to_their_scale(game: str) -> None:
    form, trainer = networks(game)
    tally = random_tally(form)
    trained = trainer.advantages(tally, seed=1)
    wanted = means(form, tally)
    found = trained.table[1:] * (wanted @ wanted) / (trained.table[1:] @ wanted)
    assert trained.table[0] == 0
    assert trained.loss < 1e-3
    assert found == pytest.approx(wanted, abs=0.1)


def test_small_batches_lead_to_the_same() -> None:
    form, trainer = networks("goofspiel(cards=3)", batch=8, training=1_000)
    tally = random_tally(form)
    wanted = means(form, tally)
    assert np.corrcoef(trainer.advantages(tally, seed=1).table[1:], wanted)[0, 1] > 0.98


def test_small_batches_count_everything_by_its_weight_on_average() -> None:
    """16,000 rows are drawn: five standard errors, which are at most √(weight / draws)."""
    form, trainer = networks("goofspiel(cards=3)", batch=8)
    weight, _ = trainer._means(random_tally(form))
    counted = torch.zeros_like(weight)
    batches = trainer._batches(weight, torch.Generator().manual_seed(1))
    for rows, weights in islice(batches, 2_000):
        counted.index_add_(0, rows, weights / 2_000)
    assert len(rows) == 8 < len(weight)
    assert counted.sum() == pytest.approx(1, abs=1e-4)
    assert (abs(counted - weight) <= 5 * torch.sqrt(weight / 16_000)).all()


def test_information_sets_that_look_alike_share_their_weighted_mean() -> None:
    """Queen of spades and Queen of hearts, one with three times the weight of the other: 3/4 · 1 + 1/4 · 5 = 2."""
    form, trainer = networks("leduc", training=200)
    treeplex = form.treeplexes[0]
    spades, hearts, other = (treeplex.index[label] for label in ("Qs", "Qh", "Ks"))
    weight, total = np.zeros(treeplex.infosets), np.zeros(treeplex.sequences)
    for i, share, advantages in ((spades, 3, (1, -1)), (hearts, 1, (5, -1)), (other, 4, (2, -4))):
        weight[i] = share
        total[treeplex.first[i] : treeplex.first[i + 1]] = share * np.array(advantages)
    table = trainer.advantages(Tally(weight, total), seed=3).table
    queen, king = (table[treeplex.first[i] : treeplex.first[i + 1]] for i in (spades, other))
    assert (queen == table[treeplex.first[hearts] : treeplex.first[hearts + 1]]).all()
    assert queen / king[0] == pytest.approx([1, -1 / 2], abs=0.01)
    assert king / king[0] == pytest.approx([1, -2], abs=0.01)


def test_the_scale_of_the_advantages_changes_nothing() -> None:
    form, trainer = networks("kuhn", training=50)
    tally = random_tally(form)
    large = Tally(tally.weight, tally.total * 1024)
    assert trainer.advantages(large, seed=1).table == pytest.approx(trainer.advantages(tally, seed=1).table, abs=1e-4)


def test_before_anything_is_learned_the_loss_is_1() -> None:
    """A network begins by saying 0, and advantages are measured in units of their root mean square, by weight."""
    form, trainer = networks("kuhn", training=1)
    assert trainer.advantages(random_tally(form), seed=1).loss == pytest.approx(1)


def test_where_nothing_is_better_than_anything_nothing_is_learned() -> None:
    """All advantages 0: no scale to measure them by."""
    form, trainer = networks("kuhn", training=5)
    tally = random_tally(form)
    trained = trainer.advantages(Tally(tally.weight, np.zeros_like(tally.total)), seed=1)
    assert (trained.table == 0).all()
    assert trained.loss == 0


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Those of all steps that are made."""
    made = []

    class Adam(torch.optim.Adam):
        def step(self) -> None:  # type: ignore[override]
            made.append(self.param_groups[0]["lr"])
            super().step()

    monkeypatch.setattr(torch.optim, "Adam", Adam)
    return made


def test_steps_shrink_to_nothing_and_are_small_where_a_network_goes_on(sizes: list[float]) -> None:
    form, trainer = networks("kuhn", training=4, rate=Fraction(1, 10))
    first = trainer.advantages(random_tally(form), seed=1)
    assert sizes == pytest.approx([0.1, 0.075, 0.05, 0.025])
    sizes.clear()
    trainer.advantages(random_tally(form), seed=2, last=first.weights)
    assert sizes == pytest.approx([0.02, 0.015, 0.01, 0.005])


def test_the_average_of_more_iterations_is_learned_in_more_steps(sizes: list[float]) -> None:
    form, trainer = networks("kuhn", training=3)
    for iterations, steps in ((1, 3), (2, 4), (100, 30)):
        sizes.clear()
        trainer.strategy(random_tally(form), seed=1, iterations=iterations)
        assert len(sizes) == steps
        assert sizes[0] == pytest.approx(1 / 50), "the network is a new one"


def test_a_network_that_goes_on_knows_what_it_knew() -> None:
    form, trainer = networks("leduc", training=100)
    tally = random_tally(form)
    first = trainer.advantages(tally, seed=1)
    before = {name: array.copy() for name, array in first.weights.items()}
    once_more = trainer.advantages(tally, seed=2, last=first.weights)
    assert once_more.loss < first.loss / 2
    assert all((first.weights[name] == array).all() for name, array in before.items()), "and is another one"
    anew = trainer.advantages(tally, seed=2)
    assert anew.loss > first.loss / 2


def test_a_network_that_goes_on_depends_on_nothing_but_its_weights() -> None:
    """Where all rows are in a batch, nothing is drawn."""
    form, trainer = networks("kuhn", training=20)
    tally = random_tally(form)
    last = trainer.advantages(tally, seed=1).weights
    backwards = dict(reversed(last.items()))
    found, again = trainer.advantages(tally, 2, last), trainer.advantages(tally, 3, backwards)
    assert (found.table == again.table).all()


@pytest.mark.parametrize("game", ["leduc", "goofspiel(cards=3)"])
def test_which_weights_can_be_those_of_a_network(game: str) -> None:
    form, trainer = networks(game, training=2)
    right = trainer.advantages(random_tally(form), seed=1).weights
    assert trainer.fits(right)
    assert not trainer.fits({})
    assert not trainer.fits({name: right[name] for name in list(right)[:-1]})
    assert not trainer.fits(right | {"weight9": right["weight0"]})
    assert not trainer.fits(right | {"bias0": right["bias0"][:-1]})
    assert not trainer.fits(right | {"bias0": right["bias0"].astype(np.float64)})
    assert not trainer.fits(right | {"weight1": np.full_like(right["weight1"], np.nan)})


@pytest.mark.parametrize(("game", "active"), [("leduc", 32), ("goofspiel(cards=4)", 1)])
def test_weights_begin_by_how_many_inputs_can_be_active(game: str, active: int) -> None:
    """Variance 2 / inputs (He et al. 2015): Leduc is seen by 32 numbers, but of a one-hot row a single one is not 0."""
    _, trainer = networks(game, width=200)
    weight, bias, *later = (parameter.detach() for parameter in trainer._initial(torch.Generator().manual_seed(1)))
    assert float(weight.var()) == pytest.approx(2 / active, rel=0.1)
    assert float(later[0].var()) == pytest.approx(2 / 200, rel=0.1)
    assert not bias.any()
    assert not later[-2].any()


def test_an_average_strategy_is_learned() -> None:
    form, trainer = networks("kuhn")
    treeplex = form.treeplexes[0]
    behaviour = np.random.default_rng(2).uniform(size=treeplex.sequences)
    behaviour[1:] /= np.repeat(np.add.reduceat(behaviour, treeplex.first[:-1]), 2)
    weight = np.arange(1.0, treeplex.infosets + 1)
    total = np.concatenate([[0.0], behaviour[1:] * np.repeat(weight, 2)])
    table = trainer.strategy(Tally(weight, total), seed=1, iterations=4).table
    assert table[1:] == pytest.approx(behaviour[1:], abs=0.02)


def test_one_seed_one_network() -> None:
    form, trainer = networks("kuhn", training=20)
    tally = random_tally(form)
    first, again, other = (trainer.advantages(tally, seed) for seed in (1, 1, 2))
    assert (first.table == again.table).all()
    assert (first.table != other.table).any()


def test_the_weights_tell_all_that_a_network_says() -> None:
    form, trainer = networks("leduc", training=20)
    tally = random_tally(form)
    trained = trainer.advantages(tally, seed=1)
    backwards = dict(reversed(trained.weights.items()))
    assert (trainer.predictions(backwards) == trained.table).all()
    average = trainer.strategy(tally, seed=1, iterations=4)
    assert (trainer.predictions(average.weights) == average.table).all()


def test_nothing_is_left_changed_behind() -> None:
    """Neither the state of torch's own generator, nor the number of threads, nor the choice of algorithms."""
    form, trainer = networks("kuhn", training=5, batch=2)
    torch.set_num_threads(2)
    before = torch.get_rng_state(), torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    with reproducible():
        assert torch.get_num_threads() == 1
        assert torch.are_deterministic_algorithms_enabled()
    trainer.advantages(random_tally(form), seed=1)
    after = torch.get_rng_state(), torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    assert (before[0] == after[0]).all()
    assert before[1:] == after[1:]
