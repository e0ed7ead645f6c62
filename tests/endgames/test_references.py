"""Spots that others have solved: a river by postflop-solver, and endgames of the match that Libratus played."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from endgames.dense_judge import DenseJudge, Policy, judge, read_policy
from endgames.libratus_files import libratus_file

from regretlab.endgames import Spot, holdem, read_libratus
from regretlab.solving import Solution, solve

RIVER = json.loads((Path(__file__).parents[1] / "data/endgames/river.json").read_text())
BIG_BLIND = 100


@cache
def solved_river() -> tuple[Spot, Solution]:
    fields = {key: RIVER[key] for key in ("board", "pot", "stack", "oop", "ip")}
    spot = holdem(**fields, bets=RIVER["sizes"], raises=RIVER["sizes"])
    return spot, solve(spot, "dcfr", iterations=3_000)


# The river.


def test_the_river_has_as_many_nodes() -> None:
    counts = solved_river()[0].counts._asdict()
    assert {key: counts[key] for key in RIVER["counts"]} == RIVER["counts"]
    assert counts["deals"] == 0


def test_the_reference_lies_between_both_best_responses() -> None:
    spot, solution = solved_river()
    verdict = judge(spot, read_policy(solution.strategy))
    low, high = spot.pot / 2 - verdict.best[1], spot.pot / 2 + verdict.best[0]
    assert low <= RIVER["oop_ev"] <= high
    assert high - low < 2e-4 * spot.pot
    ev = spot.pot / 2 + solution.value
    assert ev == pytest.approx(RIVER["oop_ev"], abs=2e-4 * spot.pot)
    assert solution.exploitability == pytest.approx(verdict.exploitability, abs=1e-10 * spot.pot)


def test_equities_are_those_of_the_reference() -> None:
    spot, solution = solved_river()
    court = DenseJudge(spot, read_policy(solution.strategy))
    assert court.equities() == pytest.approx((RIVER["oop_equity"], 1 - RIVER["oop_equity"]), abs=1e-4)
    shares = (1 + court.signs(spot.board)) / 2
    for player, wanted in enumerate(RIVER["first_equities"]):
        pairs, share = (court.pairs, shares) if player == 0 else (court.pairs.T, 1 - shares.T)
        mine = (pairs * share).sum(axis=1) / pairs.sum(axis=1)
        assert {hand: mine[spot.hands(player).index(hand)] for hand in wanted} == pytest.approx(wanted, abs=1e-4)


def test_hands_are_worth_what_they_are_in_the_reference() -> None:
    """Equilibria differ in what a hand earns: solved to 1e-7 of the pot by two recipes, single hands are still up to
    0.25 chips from the reference, and 0.1 from each other."""
    spot, solution = solved_river()
    court = DenseJudge(spot, read_policy(solution.strategy))
    for player, wanted in enumerate(RIVER["first_evs"]):
        likely = court.pairs.sum(axis=1 - player)
        evs = court.worth(player, free=False) / likely + spot.pot / 2
        mine = {hand: evs[spot.hands(player).index(hand)] for hand in wanted}
        assert mine == pytest.approx(wanted, abs=2.5e-3 * spot.pot)


@pytest.mark.parametrize(("label", "action", "gap"), RIVER["determined"], ids=[row[0] for row in RIVER["determined"]])
def test_a_well_determined_hand_does_as_in_the_reference(label: str, action: str, gap: float) -> None:
    """Every other action costs so many chips there that no equilibrium takes it."""
    assert gap > 1
    assert solved_river()[1].strategy[label][action] == pytest.approx(1, abs=0.01)


def test_the_first_action_is_as_frequent_as_in_the_reference() -> None:
    spot, solution = solved_river()
    court = DenseJudge(spot, read_policy(solution.strategy))
    likely = court.pairs.sum(axis=1)
    found = {
        action: sum(
            part * solution.strategy[hand][action] for part, hand in zip(likely.tolist(), spot.hands(0), strict=True)
        )
        for action in RIVER["first_action"]
    }
    assert found == pytest.approx(RIVER["first_action"], abs=0.01)


# Libratus.


def uniform(spot: Spot) -> Policy:
    def policy(player: int, hand: tuple[int, int], line: tuple[str, ...]) -> dict[str, float]:
        actions = spot.moves(line)
        return dict.fromkeys(actions, 1 / len(actions))

    return policy


@pytest.mark.parametrize(("number", "printed", "excluding"), [(3, 28.6347, 25.8598), (4, 41.1947, 36.4026)])
def test_uniform_play_is_as_exploitable_as_others_have_found(number: int, printed: float, excluding: float) -> None:
    """In big blinds; ``excluding`` counts pairs of hands that share a card as worth 0."""
    spot = read_libratus(libratus_file(number))
    verdict = judge(spot, uniform(spot))
    # The first iteration plays uniformly, and so does its average.
    ours = solve(spot, "cfr", iterations=1).exploitability
    assert ours == pytest.approx(verdict.exploitability, rel=1e-10)
    weights = [spot.hand_weights(player) / spot.hand_weights(player).sum() for player in (0, 1)]
    apart = np.array([[not set(mine) & set(theirs) for theirs in spot.cards(1)] for mine in spot.cards(0)])
    possible = float(weights[0] @ apart @ weights[1])
    # All that is printed are four digits behind the point.
    assert ours / BIG_BLIND == pytest.approx(printed, abs=0.51e-4)
    assert ours / BIG_BLIND * possible == pytest.approx(excluding, abs=0.51e-4)


@pytest.mark.parametrize("number", [2, 3, 4])
def test_an_endgame_of_libratus_is_solved_to_a_thousandth_of_the_pot(number: int) -> None:
    spot = read_libratus(libratus_file(number))
    solution = solve(spot, "dcfr", iterations=2_000, until=1e-3 * spot.pot, precision="f32")
    assert solution.stopped == "until"
    assert 0 < solution.exploitability <= 1e-3 * spot.pot


def test_the_deepest_endgame_of_libratus_gets_better() -> None:
    """On that turn 40 pots are behind: a thousandth takes 1,500 iterations, minutes in place of seconds."""
    spot = read_libratus(libratus_file(1))
    solution = solve(spot, "dcfr", iterations=4, precision="f32")
    first, *_, last = solution.history
    assert 0 < last.exploitability < first.exploitability
