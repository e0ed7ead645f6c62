"""Games that pay each player apart: what the walk makes of them, what is said of wrong ones, and rake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import GeneralSumGame, GenericGame, State, general_sum_games
from random_public_games import RandomPublicGame, random_public_games
from same_form import assert_same_form

from regretlab.errors import GameError, UserError
from regretlab.forms import SequenceForm, compile, form_to_solve
from regretlab.games import TERMINAL, Ending, Kuhn, check_game, load
from regretlab.games.protocol import Number, payoffs_at
from regretlab.games.walk import walk


@dataclass(frozen=True)
class Choice:
    """Player 0 chooses between two ends, and both are paid."""

    ends: tuple[Any, ...] = ((1, 2), (0, 0))
    name: str = "choice"

    def root(self) -> int | None:
        return None

    def player(self, state: int | None) -> int:
        return 0 if state is None else TERMINAL

    def actions(self, state: int | None) -> Sequence[str]:
        return ["left", "right"]

    def chance(self, state: int | None) -> Sequence[Number]:
        return ()

    def child(self, state: int | None, action: int) -> int:
        return action

    def label(self, state: int | None) -> str:
        return "start"

    def payoffs(self, state: int) -> Any:
        return self.ends[state]


class Split(GenericGame):
    """A zero-sum game that says so by both players' payoffs."""

    def payoffs(self, state: State) -> tuple[Fraction, Fraction]:
        won = super().payoff(state)
        return won, -won


@given(general_sum_games())
def test_the_walk_gives_both_payoffs(game: GeneralSumGame) -> None:
    check_game(game)
    form = compile(game)
    assert form.tree is not None
    visits = list(walk(game))
    assert form.tree.payoff.tolist() == [float(visit.payoff) for visit in visits]
    assert form.tree.payoff_to(1).tolist() == [float(visit.theirs) for visit in visits]
    assert not form.zero_sum


@given(st.integers(0, 10_000))
def test_payoffs_that_cancel_make_the_same_zero_sum_game(seed: int) -> None:
    plain, split = compile(GenericGame(seed)), compile(Split(seed))
    assert split.zero_sum
    assert split.tree is not None
    assert split.tree.theirs is None
    assert_same_form(plain, split)
    assert payoffs_at(Split(seed), ((0,), (0,), 1)) == payoffs_at(GenericGame(seed), ((0,), (0,), 1))


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (3, "payoffs gives 3, not a tuple of two numbers"),
        ((1, 2, 3), "payoffs gives (1, 2, 3), not a tuple of two numbers"),
        ([1, 2], "payoffs gives [1, 2], not a tuple of two numbers"),
        ((1, float("nan")), "the payoff nan is not an int, float or Fraction that is finite"),
        ((None, 1), "the payoff None is not an int, float or Fraction that is finite"),
    ],
)
def test_a_wrong_pair_is_named_with_its_history(wrong: Any, complaint: str) -> None:
    with pytest.raises(GameError) as caught:
        check_game(Choice(ends=((1, 2), wrong)))  # type: ignore[arg-type]
    assert str(caught.value).startswith(f"choice, at history 'right': {complaint}")


FILE = """
class Told:
    name = "told"
    def root(self): return ""
    def player(self, state): return -2 if state else 0
    def actions(self, state): return ["a", "b"]
    def child(self, state, action): return "ab"[action]
    def label(self, state): return "start"
"""


def test_a_game_in_a_file_has_payoff_or_payoffs(tmp_path: Path) -> None:
    path = tmp_path / "told.py"
    path.write_text(FILE)
    with pytest.raises(UserError, match="is no game: it has no payoff"):
        load(f"{path}:Told")
    path.write_text(FILE + "    def payoffs(self, state): return (1, 2) if state == 'a' else (0, 0)\n")
    check_game(load(f"{path}:Told"))


class Raked(Kuhn):
    """Kuhn poker in a house that takes a tenth of what is won, folds included."""

    def ending(self, public: Any) -> Ending:
        ending = super().ending(public)
        return ending._replace(rake=abs(Fraction(ending.factor)) / 10)


def test_both_players_pay_half_of_the_rake() -> None:
    """A fold wins 1 and a called bet 2: the house takes 1/10 and 1/5, half of it from each."""
    check_game(Raked())
    found = {(visit.payoff, visit.theirs) for visit in walk(Raked()) if visit.player == TERMINAL}
    half = {1: Fraction(1, 20), 2: Fraction(1, 10)}
    assert found == {
        (sign * won - half[won], -sign * won - half[won]) for won, sign in ((1, 1), (1, -1), (2, 1), (2, -1))
    }
    assert compile(Raked()).payoff.sparse.exact is not None  # type: ignore[union-attr]


class Doubled(Kuhn):
    """Kuhn poker for twice the chips, by a payoff of its own."""

    def payoff(self, state: Any) -> Number:
        return 2 * super().payoff(state)


def test_a_derived_class_may_have_a_payoff_of_its_own() -> None:
    plain, doubled = compile(Kuhn()), compile(Doubled())
    assert plain.tree is not None
    assert doubled.tree is not None
    assert doubled.zero_sum
    assert (doubled.tree.payoff == 2 * plain.tree.payoff).all()


class RandomRake(RandomPublicGame):
    """Any game with hands, with rake at some of its ends."""

    def ending(self, public: tuple[int, ...]) -> Ending:
        rng = self.random("rake", public)
        return super().ending(public)._replace(rake=self._number(rng, 0, 3))


@given(random_public_games())
def test_rake_lowers_both_payoffs_and_nothing_else(game: RandomPublicGame) -> None:
    raked = RandomRake(game.seed, game.most_hands)
    check_game(raked)
    before, after = compile(game), compile(raked)
    assert before.tree is not None
    assert after.tree is not None
    lost = [before.tree.payoff_to(player) - after.tree.payoff_to(player) for player in (0, 1)]
    assert lost[0] == pytest.approx(lost[1])
    assert (lost[0] > -1e-12).all()
    assert after.zero_sum == (not lost[0].any())


def test_rake_is_not_for_lanes() -> None:
    with pytest.raises(UserError, match=r"^kuhn\(cards=13\) takes rake, so it is not zero-sum, and lanes are; use"):
        form_to_solve(Raked(cards=13), "lanes")
    form = form_to_solve(Raked(cards=13))
    assert isinstance(form, SequenceForm)
    assert not form.zero_sum


@pytest.mark.parametrize("rake", [-1, float("inf"), "half"])
def test_a_wrong_rake_is_named(rake: Any) -> None:
    class Wrong(Kuhn):
        def ending(self, public: Any) -> Ending:
            return super().ending(public)._replace(rake=rake)

    with pytest.raises(GameError, match=f"the rake {rake!r} is not a finite number that is 0 or more"):
        check_game(Wrong())
