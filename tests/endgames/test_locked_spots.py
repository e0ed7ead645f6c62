"""Locked spots: solved in blocks, judged by dense matrices with the lock's owner bound to it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from endgames.dense_judge import judge, label_of, locked_rows, read_merged_policy, read_policy
from endgames.random_spots import random_lock, random_spot

from regretlab.endgames import Spot, holdem
from regretlab.evaluation import nash
from regretlab.games import lock as lock_game
from regretlab.solving import Solution, solve

EXACT = 1e-10
"""Of the pot: what two ways to sum the same terms in double precision may differ by."""

SPOTS = [*(("river", seed) for seed in range(20, 27)), *(("turn", seed) for seed in range(20, 23))]


def locked(street: str, seed: int) -> Spot:
    """A random spot in which two decisions are locked, one for all hands and one for some."""
    spot = random_spot(street, seed)
    return replace(spot, lock=tuple(random_lock(spot, seed).items()))


def check(spot: Spot, solution: Solution) -> None:
    policy = read_policy(solution.strategy) if not spot.merge_suits else read_merged_policy(spot, solution.strategy)
    verdict = judge(spot, policy)
    assert solution.exploitability == pytest.approx(verdict.exploitability, abs=EXACT * spot.pot)
    assert solution.values == pytest.approx(verdict.values, abs=EXACT * spot.pot)


@pytest.mark.parametrize(("street", "seed"), SPOTS)
def test_a_locked_spot_is_worth_what_the_judge_says(street: str, seed: int) -> None:
    spot = locked(street, seed)
    solution = solve(spot, "dcfr", iterations=15)
    check(spot, solution)
    free = replace(spot, lock=())
    assert judge(free, read_policy(solution.strategy)).exploitability > solution.exploitability + 1e-6 * spot.pot


@pytest.mark.parametrize("seed", [20, 21, 30, 33, 36, 39])
def test_a_locked_spot_has_the_value_of_the_linear_programme(seed: int) -> None:
    """By its histories, in which locked decisions are moves of chance."""
    spot = locked("river", seed)
    solution = solve(spot, "pcfr+", iterations=200_000, until=1e-10 * spot.pot)
    assert solution.stopped == "until"
    value = nash(spot).value
    assert solution.value == pytest.approx(value, abs=1e-9 * spot.pot)
    assert abs(nash(replace(spot, lock=())).value - value) > 1e-4 * spot.pot  # the locks matter


@pytest.mark.parametrize(("street", "seed"), SPOTS)
def test_a_locked_hand_plays_its_lock_and_others_do_not(street: str, seed: int) -> None:
    spot = locked(street, seed)
    solution = solve(spot, "dcfr", iterations=3)
    bound = 0
    for player, treeplex in enumerate(solution.form.treeplexes):
        for label, actions in zip(treeplex.labels, treeplex.actions, strict=True):
            name, _, line = label.partition(" ")
            rows = locked_rows(spot, tuple(line.split(", ")) if line else ())
            hand = spot.hands(player).index(name)
            row = None if rows is None else rows[hand]
            if row is not None:
                bound += 1
                played = [solution.strategy[label][action] for action in actions]
                assert played == pytest.approx([float(part) for part in row], abs=1e-12)
    assert bound


@pytest.mark.parametrize("seed", range(20, 24))
@pytest.mark.parametrize("recipe", ["dcfr", "cfr+", "pcfr+", "normalhedge+"])
def test_locks_by_lines_and_locks_by_labels_give_the_same_numbers(recipe: str, seed: int) -> None:
    """The second way is the general one for every game, by histories, which knows nothing of lines or blocks."""
    spot = locked("river", seed)
    by_label = {
        label_of(hand, lock.line): dict(zip(lock.actions, row, strict=True))
        for lock in spot.locks
        for hand, row in zip(spot.cards(lock.player), lock.probabilities, strict=True)
        if row is not None and any(not set(hand) & set(rival) for rival in spot.cards(1 - lock.player))
    }
    ours = solve(spot, recipe, iterations=20)
    theirs = solve(lock_game(replace(spot, lock=()), by_label), recipe, iterations=20, form="histories")
    assert ours.exploitability == pytest.approx(theirs.exploitability, abs=1e-9 * spot.pot)
    assert ours.values == pytest.approx(theirs.values, abs=1e-9 * spot.pot)


SIZES = {"pot": 20, "stack": 45, "bets": "75%", "raises": "a", "oop": "AsKs,99,AhQh", "ip": "TT,7h6h,AcKc,AdKd"}


@pytest.mark.parametrize(
    "lock",
    [
        {"check": "check"},
        {"check, check": "99: check; AsKs: bet 15 0.3, check 0.7"},
        {"check, check": "9c9d: check"},  # clubs and diamonds stay alike
        {"check, check": "9c9s: bet 15"},  # now suits are told apart
        {"check, check, 3c": "check", "check, check": "bet 15"},  # one board, and all others
        {"check, check, Kd, check": "bet 15"},
    ],
)
@pytest.mark.parametrize("merge_suits", [True, False])
def test_a_lock_holds_where_suits_are_merged(lock: dict[str, str], merge_suits: bool) -> None:
    spot = holdem(board="QsJh2h8s", **SIZES, lock=lock, merge_suits=merge_suits)
    check(spot, solve(spot, "dcfr", iterations=15))


@pytest.mark.parametrize(
    "lock",
    [
        {"check, bet 60": "Jh9h,Jc9c: fold 0.6, call 0.4"},  # two of them are left alike
        {"check": "6h6d: bet 60", "check, bet 60": "Jc9c: call"},
        {"check, check": "Jh9h,Jd9d: bet 60", "check, check, bet 60": "6h6d: fold 0.3, call 0.7; *: call"},
    ],
)
def test_a_lock_leaves_some_of_three_suits_alike(lock: dict[str, str]) -> None:
    fields = {"board": "Js8s7s5s", "pot": 33, "stack": 60, "bets": "a", "raises": "", "oop": "J9s", "ip": "66"}
    merged, apart = (holdem(**fields, lock=lock, merge_suits=merge) for merge in (True, False))
    assert (merged.block_size().boards, apart.block_size().boards) == (36, 49)
    solutions = [solve(spot, "dcfr", iterations=15) for spot in (merged, apart)]
    check(merged, solutions[0])
    check(apart, solutions[1])
    assert solutions[0].values == pytest.approx(solutions[1].values, abs=1e-9 * merged.pot)


def test_locked_players_who_never_bet_let_the_other_one_win_what_the_cards_say() -> None:
    """Both only check, so all there is to win is decided by the cards, and nobody could gain: all is locked."""
    spot = holdem(
        board="QsJh2h8d3c", pot=20, stack=45, bets="a", raises="", oop="AsKs,9h9d", ip="TsTh,7h6h",
        lock={"root": "check", "check": "check"},
    )  # fmt: skip
    solution = solve(spot, "dcfr", iterations=5)
    # Of four pairs the ace loses to tens and beats seven high; nines do the same.
    assert solution.value == pytest.approx(0, abs=1e-12)
    assert judge(spot, read_policy(solution.strategy)).values[0] == pytest.approx(0, abs=1e-12)
    assert solution.exploitability == pytest.approx(0, abs=1e-12)
