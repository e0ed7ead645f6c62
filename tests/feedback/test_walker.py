"""What external and outcome sampling have in common: draws, schedules, what fades, and what can't be asked for."""

from __future__ import annotations

import numpy as np
import pytest
from expectation import histories
from hypothesis import given
from hypothesis import strategies as st
from random_games import RandomGame, random_games

from regretlab.errors import UserError
from regretlab.feedback.draws import uniform_at
from regretlab.feedback.walker import chance_move, depth, new_ground, new_walker, their_move
from regretlab.forms import SequenceForm, as_form, compile
from regretlab.games import CHANCE, TERMINAL, Kuhn
from regretlab.solving import Solver

FEEDBACKS = ("external", "outcome")
both_feedbacks = pytest.mark.parametrize("feedback", FEEDBACKS)


@given(random_games(), st.integers(0, 2**64 - 1), st.integers(0, 1_000))
def test_moves_are_drawn_with_their_probability(game: RandomGame, stream: int, seed: int) -> None:
    """A number between the sum of the probabilities before a move and the sum with it draws this move."""
    form, random = as_form(game), np.random.default_rng(seed)
    tree, word = histories(form), np.uint64(stream)
    ground = new_ground(tree)
    for history in np.flatnonzero(tree.player != TERMINAL).tolist():
        first, player = int(tree.children[history]), int(tree.player[history])
        options = int(tree.children[history + 1]) - first
        if player == CHANCE:
            sums = np.cumsum(tree.probability[first : first + options])
            drawn, place = chance_move(ground, history, word), 2 * history
        else:
            infoset = int(tree.infoset[history])
            behaviour = np.zeros(form.treeplexes[player].sequences)
            start = int(form.treeplexes[player].first[infoset])
            behaviour[start : start + options] = random.dirichlet(np.ones(options))
            sums = np.cumsum(behaviour[start : start + options])
            theirs = new_walker(player, form.treeplexes[player].first, behaviour, behaviour, np.zeros(len(behaviour)))
            drawn, place = their_move(ground, theirs, history, 0.5, word), 2 * infoset + 1
            assert (theirs.total == behaviour / 2).all()
        assert drawn - first == min(np.searchsorted(sums, uniform_at(word, place), side="right"), options - 1)


@given(random_games())
def test_there_is_room_for_the_longest_walk(game: RandomGame) -> None:
    tree = histories(as_form(game))
    levels = np.zeros(tree.histories, dtype=int)
    for history in range(tree.histories):
        levels[tree.children[history] : tree.children[history + 1]] = levels[history] + 1
    assert depth(tree) == levels.max()


def one_more(recipe: str, iterations: int = 20) -> tuple[list[np.ndarray], list[np.ndarray], Solver]:
    """Regrets and averages of both players on Kuhn before and after an iteration."""
    solver = Solver("kuhn", recipe, seed=4)
    solver.advance(iterations)
    before = [array.copy() for side in solver.sides for array in (side.regret, side.total)]
    solver.advance(1)
    return before, [array for side in solver.sides for array in (side.regret, side.total)], solver


@both_feedbacks
@pytest.mark.parametrize(
    ("iterations", "grown"), [(20, [True, False, False, True]), (21, [False, True, True, False])], ids=["odd", "even"]
)
def test_one_player_learns_while_the_others_average_grows(feedback: str, iterations: int, grown: list[bool]) -> None:
    before, after, _ = one_more(f"cfr(schedule=one-player, feedback={feedback})", iterations)
    assert [bool((old != new).any()) for old, new in zip(before, after, strict=True)] == grown


def cards_that_changed(form: SequenceForm, player: int, before: np.ndarray, after: np.ndarray) -> set[str]:
    treeplex = form.treeplexes[player]
    changed = np.flatnonzero(before != after)
    return {treeplex.labels[int(np.searchsorted(treeplex.first, s, side="right")) - 1][0] for s in changed}


@both_feedbacks
@pytest.mark.parametrize("schedule", ["alternating", "simultaneous"])
def test_nothing_changes_where_no_walk_came_by(feedback: str, schedule: str) -> None:
    """A walk knows one card of each player: regrets change at one's own, the average at the other's."""
    before, after, solver = one_more(f"cfr(schedule={schedule}, feedback={feedback})")
    for player, changed in ((0, (0, 1)), (1, (2, 3))):
        for k in changed:
            assert len(cards_that_changed(solver.form, player, before[k], after[k])) <= 1
    assert any((old != new).any() for old, new in zip(before, after, strict=True))


@both_feedbacks
def test_discounts_and_fading_are_for_all(feedback: str) -> None:
    """DCFR with a scheduled average: before iteration 21 regrets and average are multiplied, wherever a walk goes."""
    recipe = f"dcfr(averaging=t^30-5t/n, horizon=1000, alpha=1.5, beta=0, feedback={feedback})"
    before, after, solver = one_more(recipe)
    fade = (20 / 21) ** (30 - 5 * 20 / 1_000)
    for player in (0, 1):
        regret, total = before[2 * player], before[2 * player + 1] * fade
        regret = regret * np.where(regret > 0, 20**1.5 / (20**1.5 + 1), 0.5)
        assert len(cards_that_changed(solver.form, player, regret, after[2 * player])) <= 1
        near = np.where(np.isclose(total, after[2 * player + 1], rtol=1e-12), after[2 * player + 1], total)
        assert len(cards_that_changed(solver.form, player, near, after[2 * player + 1])) <= 1


@both_feedbacks
def test_a_discount_multiplies_what_was_there_before_and_that_once(feedback: str) -> None:
    """The same iteration without discounts, from regrets multiplied by hand, comes to the same bits."""
    discounted = Solver("kuhn", f"dcfr(feedback={feedback})", seed=4)
    by_hand = Solver("kuhn", f"dcfr(alpha=none, beta=none, feedback={feedback})", seed=4)
    discounted.advance(20)
    by_hand.iteration = 20
    for mine, other in zip(by_hand.sides, discounted.sides, strict=True):
        mine.regret[:] = other.regret * np.where(other.regret > 0, 20**1.5 / (20**1.5 + 1), 0.5)
        mine.strategy[:], mine.total[:] = other.strategy, other.total
    discounted.advance(1)
    by_hand.advance(1)
    for mine, other in zip(by_hand.sides, discounted.sides, strict=True):
        assert (mine.regret == other.regret).all()
        assert (mine.strategy == other.strategy).all()


@both_feedbacks
@pytest.mark.parametrize(("schedule", "new"), [("alternating", True), ("simultaneous", False)])
def test_which_strategy_counts(feedback: str, schedule: str, new: bool) -> None:
    """An alternating iteration counts player 0's new strategy, against which player 1 learns; else the old one counts.

    In the first iteration the old one is uniform.
    """
    uniform_counts = {0: 0, 1: 0}
    for seed in range(30):
        solver = Solver("kuhn", f"cfr(schedule={schedule}, feedback={feedback})", seed=seed)
        solver.advance(1)
        average = solver.average
        for player in (0, 1):
            uniform_counts[player] += bool((average.arrays[player][1:] == 0.5).all())
            if player == 0 and new:
                met = solver.sides[0].total > 0
                assert average.arrays[0][met] == pytest.approx(solver.current.arrays[0][met])
    assert uniform_counts[1] == 30
    assert (uniform_counts[0] < 30) == new


@both_feedbacks
def test_the_two_walks_of_an_iteration_have_draws_of_their_own(feedback: str) -> None:
    """Player 0's card in player 0's walk and in player 1's: the same in a third of the iterations."""
    same, form = 0, as_form("kuhn")
    for seed in range(300):
        solver = Solver(form, f"cfr(schedule=simultaneous, feedback={feedback})", seed=seed)
        solver.advance(1)
        walked = cards_that_changed(solver.form, 0, np.zeros(13), solver.sides[0].regret)
        counted = cards_that_changed(solver.form, 0, np.zeros(13), solver.sides[0].total)
        same += walked == counted
    assert abs(same - 100) < 4 * np.sqrt(300 * 2 / 9)


@both_feedbacks
def test_one_seed_one_run(feedback: str) -> None:
    first, again, other = (Solver("kuhn", f"cfr+(feedback={feedback})", seed=seed) for seed in (1, 1, 2))
    for solver in (first, again, other):
        solver.advance(50)
    assert (first.sides[0].regret == again.sides[0].regret).all()
    assert (first.sides[0].regret != other.sides[0].regret).any()


@both_feedbacks
def test_deals_cannot_be_given(feedback: str) -> None:
    with pytest.raises(UserError, match="draws its own; use feedback=chance"):
        Solver("kuhn", f"cfr(feedback={feedback})", deals=["JQ"])


@both_feedbacks
def test_a_form_without_histories_cannot_be_walked(feedback: str) -> None:
    with pytest.raises(UserError, match="without its histories"):
        Solver(compile(Kuhn(), tree=False), f"cfr(feedback={feedback})")
