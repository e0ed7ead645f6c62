"""The study of flops: equities against the package's own, the choice against all swaps, errors by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import regretlab as rl
from regretlab.endgames.cards import read_cards
from regretlab.endgames.flops import all_flops
from regretlab.endgames.suits import distinct_boards, suits_alike
from studies import flops as study


def rivers_of(board: tuple[int, ...]) -> study.Rivers:
    """The rivers of a flop alone."""
    kinds = {study.representative(river) for river in distinct_boards(board, 5, suits_alike(board, ()))}
    return study.rivers(sorted(kinds, key=study.code))


@pytest.mark.parametrize("flop", ["Qs7h2h", "8s8h3d"])
def test_equities_are_those_of_solutions(flop: str) -> None:
    board = read_cards(flop)
    every = study.CHOSEN_BY | study.HELD_OUT
    name = "raised thrice, button against cut-off"
    weights = np.array([[study.weights_in(text) for text in every[name]]])
    pairs, mean, spread = study.equities_on(board, weights, rivers_of(board))
    spot = rl.holdem(board=flop, pot=10, stack=10, oop=every[name][0], ip=every[name][1], bets="a", raises="a")
    solution = rl.solve(spot, "dcfr", iterations=1)
    assert mean[0] == pytest.approx(solution.equities[0], abs=1e-12)
    assert pairs[0] == pytest.approx(float(solution.at().sides[0].weights.sum()))
    for player, side in enumerate(solution.at().sides):
        steps = spread[0][player * study.BINS : (player + 1) * study.BINS]
        # A hand counts for two steps around its equity, so the middles of the steps have its mean, but at the ends.
        middles = (np.arange(study.BINS) + 0.5) / study.BINS
        within = np.clip(side.equity, middles[0], middles[-1])
        assert steps.sum() == pytest.approx(1)
        assert steps @ middles == pytest.approx(side.mean(within))


def worst_error(kernel: np.ndarray, shares: np.ndarray, places: tuple[int, ...]) -> float:
    """The square of the largest error of a mean over some flops with the best weights, by its definition."""
    inner, target = kernel[np.ix_(places, places)], (kernel @ shares)[list(places)]
    return float(shares @ kernel @ shares - target @ np.linalg.solve(inner, target))


@pytest.mark.parametrize("seed", range(3))
def test_no_swap_improves_what_is_chosen(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(seed)
    points, shares = draw.normal(size=(12, 2)), draw.dirichlet(np.ones(12))
    monkeypatch.setattr(study, "SHARES", shares)
    kernel = np.exp(-((points[:, None] - points) ** 2).sum(axis=2) / 2) + 1e-9 * np.eye(12)
    places = study.chosen(kernel, 3)
    found = worst_error(kernel, shares, tuple(places))
    swaps = [(set(places) - {out}) | {other} for out in places for other in range(12) if other not in places]
    assert all(worst_error(kernel, shares, tuple(swap)) >= found for swap in swaps)
    every = sorted(worst_error(kernel, shares, others) for others in combinations(range(12), 3))
    assert found <= every[len(every) // 10]
    assert sum(study.weights_of(kernel, places)) == 22_100


def test_differences_are_those_of_the_definition() -> None:
    flops, draw = all_flops(), np.random.default_rng(0)
    pairs = draw.uniform(1, 2, size=(len(flops), 6))
    mean, spread = draw.uniform(size=(len(flops), 6)), draw.uniform(size=(len(flops), 6, 4))
    known = study.Equities(pairs, mean, spread)
    every = np.array([float(weight) for _, weight in flops])
    assert study.differences(every, known) == pytest.approx(0, abs=1e-12)
    rainbow = np.array([len({card % 4 for card in board}) == 3 for board, _ in flops])
    found = study.differences(every * rainbow, known)
    assert found[0] == pytest.approx(1 - 8788 / 22100)  # all flops are rainbow then; 4 × 13³ of them are
    by_hand = [
        abs(
            np.average(mean[rainbow, r], weights=(every * pairs[:, r])[rainbow])
            - np.average(mean[:, r], weights=every * pairs[:, r])
        )
        for r in range(6)
    ]
    assert found[3:] == pytest.approx(by_hand)


def test_without_equities_the_command_that_makes_them_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert study.main(["errors", "--equities", "nowhere.npz"]) == 2
    assert "python -m studies.flops equities" in capsys.readouterr().err
