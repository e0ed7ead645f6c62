"""Games with hands: their histories, and one line for every mistake in their rules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from random_public_games import RandomPublicGame, random_public_games

from regretlab.errors import GameError
from regretlab.forms import compile, form_to_solve, public_tree
from regretlab.games import CHANCE, TERMINAL, Kuhn, Leduc, check_game
from regretlab.games.public import Always, Ending, Product, PublicGame, Stronger, Table, Weights


class Toy(PublicGame):
    """One of two cards each, the toss of a coin, one bet: a sound game to break in one place at a time."""

    name = "toy"

    def hands(self, player: int) -> Any:
        return ["low", "high"]

    def weights(self) -> Any:
        return Product((1, 2), (1, 1))

    def held(self, player: int) -> Any:
        return [(0,), (1,)]

    def start(self) -> str:
        return ""

    def turn(self, public: str) -> int:
        return (CHANCE, 0, 1, TERMINAL)[len(public)]

    def moves(self, public: str) -> Sequence[str]:
        return ["heads", "tails"] if not public else ["pass", "bet"]

    def after(self, public: str, move: int) -> str:
        return public + "ab"[move]

    def outcomes(self, public: str) -> Any:
        return [Product((Fraction(1, 2),) * 2, (1, 1))] * 2

    def ending(self, public: str) -> Any:
        return Ending(Stronger((0, 1), (0, 1)), 1 + public.count("b"))

    def knows(self, player: int, hand: int, public: str) -> str:
        return f"{player} {hand} {public}"


class NoHands(Toy):
    def hands(self, player: int) -> Any:
        return [] if player else ["low", "high"]


class NamelessHand(Toy):
    def hands(self, player: int) -> Any:
        return ["low", ""]


class NumberedHand(Toy):
    def hands(self, player: int) -> Any:
        return ["low", 3]


class SameHands(Toy):
    def hands(self, player: int) -> Any:
        return ["low", "low"]


class FewHeld(Toy):
    def held(self, player: int) -> Any:
        return [(0,)]


class SameCardTwice(Toy):
    def held(self, player: int) -> Any:
        return [(0, 0), (1, 2)]


class NegativeCard(Toy):
    def held(self, player: int) -> Any:
        return [(-1,), (1,)]


class FewWeights(Toy):
    def weights(self) -> Any:
        return Product((1, 2), (1,))


class LongTable(Toy):
    def weights(self) -> Any:
        return Table(((1, 1), (1, 1), (1, 1)))


class NegativeWeight(Toy):
    def weights(self) -> Any:
        return Product((1, -2), (1, 1))


class InfiniteWeight(Toy):
    def weights(self) -> Any:
        return Table(((1, float("inf")), (1, 1)))


class ListOfWeights(Toy):
    def weights(self) -> Any:
        return Table([[1, 1], [1, 1]])  # type: ignore[arg-type]


class NoWeights(Toy):
    def weights(self) -> Any:
        return 1


class Impossible(Toy):
    def held(self, player: int) -> Any:
        return [(0, 1), (1, 2)]


class Weightless(Toy):
    def weights(self) -> Any:
        return Product((0, 0), (1, 1))


class SameMoves(Toy):
    def moves(self, public: str) -> Sequence[str]:
        return ["bet", "bet"] if len(public) == 1 else super().moves(public)


class NoMoves(Toy):
    def moves(self, public: str) -> Sequence[str]:
        return [] if public == "ab" else super().moves(public)


class FewOutcomes(Toy):
    def outcomes(self, public: str) -> Any:
        return super().outcomes(public)[:1]


class NoOutcomes(Toy):
    outcomes = PublicGame.outcomes


class ShortOutcome(Toy):
    def outcomes(self, public: str) -> Any:
        return [Product((Fraction(1, 2),), (1, 1))] * 2


class NegativeOutcome(Toy):
    def outcomes(self, public: str) -> Any:
        return [Product((1.5, 1.5), (1, 1)), Product((-0.5, -0.5), (1, 1))]


class OddChance(Toy):
    def outcomes(self, public: str) -> Any:
        return [Product((Fraction(1, 2),) * 2, (1, 1)), Product((Fraction(1, 2), Fraction(1, 3)), (1, 1))]


class LargeKernel(Toy):
    def ending(self, public: str) -> Any:
        return Ending(Stronger((0, 1, 2), (0, 1)), 1)


class ShortTable(Toy):
    def ending(self, public: str) -> Any:
        return Ending(Table(((1,), (1, 1))), 1)


class NumberAsEnding(Toy):
    def ending(self, public: str) -> Any:
        return 3


class NumberAsKernel(Toy):
    def ending(self, public: str) -> Any:
        return Ending(3, 1)  # type: ignore[arg-type]


class InfiniteFactor(Toy):
    def ending(self, public: str) -> Any:
        return Ending(Always(), float("nan"))


class Strange(Toy):
    def turn(self, public: str) -> int:
        return 7 if len(public) == 2 else super().turn(public)


class Endless(Toy):
    """Betting goes on for ever."""

    def turn(self, public: int) -> int:  # type: ignore[override]
        return 0

    def start(self) -> int:  # type: ignore[override]
        return 0

    def moves(self, public: int) -> Sequence[str]:  # type: ignore[override]
        return ["on"]

    def after(self, public: int, move: int) -> int:  # type: ignore[override]
        return public + 1


MISTAKES: list[tuple[PublicGame, str]] = [
    (NoHands(), "player 1 has no hands"),
    (NamelessHand(), "the name of a hand of player 0, '', is not a text"),
    (NumberedHand(), "the name of a hand of player 0, 3, is not a text"),
    (SameHands(), "player 0 has 2 hands called 'low'"),
    (FewHeld(), "player 0 has 2 hands, but held has 1"),
    (SameCardTwice(), "hand 'low' of player 0 holds (0, 0); cards are whole numbers from 0 on, each once"),
    (NegativeCard(), "hand 'low' of player 0 holds (-1,); cards are whole numbers"),
    (FewWeights(), "weights: Product has 2 and 1 numbers; the players have 2 and 2 hands"),
    (LongTable(), "weights: Table has 3 rows of 2 numbers; the players have 2 and 2 hands"),
    (NegativeWeight(), "weights: -2 is not a finite number that is 0 or more"),
    (InfiniteWeight(), "weights: inf is not a finite number that is 0 or more"),
    (ListOfWeights(), "weights: Table is to be given tuples, not [[1, 1], [1, 1]]"),
    (NoWeights(), "weights: 1 is not one of Product, Table"),
    (Impossible(), "no pair of hands has a weight above 0"),
    (Weightless(), "no pair of hands has a weight above 0"),
    (SameMoves(), "share a name: bet, bet"),
    (NoMoves(), "nothing can be done, yet the game has not ended"),
    (FewOutcomes(), "at '': 2 moves but 1 outcomes"),
    (NoOutcomes(), "chance moves at '', but there is no method outcomes"),
    (ShortOutcome(), "at '': Product has 1 and 2 numbers; the players have 2 and 2 hands"),
    (NegativeOutcome(), "at '': -0.5 is not a finite number that is 0 or more"),
    (OddChance(), "the chance probabilities sum to "),
    (LargeKernel(), "Stronger has 3 and 2 numbers; the players have 2 and 2 hands"),
    (ShortTable(), "Table has 2 rows of 1 or 2 numbers; the players have 2 and 2 hands"),
    (NumberAsEnding(), "the ending is 3, not Ending(kernel, factor)"),
    (NumberAsKernel(), "3 is not one of Always, Stronger, Table"),
    (InfiniteFactor(), "the factor nan is not a finite number"),
    (Strange(), "is 7, not 0, 1, CHANCE or TERMINAL"),
]


@pytest.mark.parametrize("form", ["check_game", "lanes", "histories"])
@pytest.mark.parametrize(("game", "complaint"), MISTAKES, ids=[type(game).__name__ for game, _ in MISTAKES])
def test_a_mistake_is_told_in_one_line_whoever_finds_it(game: PublicGame, complaint: str, form: str) -> None:
    with pytest.raises(GameError) as caught:
        check_game(game) if form == "check_game" else form_to_solve(type(game)(), form)
    assert str(caught.value).startswith("toy")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_game_without_end_is_noticed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GameError, match="toy: the game goes on after 100,000 public moves"):
        public_tree.walk_public(Endless(), limit=200_000)
    monkeypatch.setattr("regretlab.games.walk.LONGEST_GAME", 1_000)
    with pytest.raises(GameError, match="always taking action 0, a history goes on after 1,000 moves"):
        check_game(Endless())
    with pytest.raises(GameError, match="more than 5 public states and no end in sight"):
        public_tree.walk_public(Toy(), limit=5)


class Forgetful(Toy):
    """Player 1 is not told what player 0 has done, though it is public."""

    def knows(self, player: int, hand: int, public: str) -> str:
        return f"{player} {hand} {public[:1]}"


class Anonymous(Toy):
    def knows(self, player: int, hand: int, public: str) -> str:
        return f"{hand} {public.replace('aa', 'a')}"


@pytest.mark.parametrize("game", [Forgetful(), Anonymous()], ids=["within a player", "across players"])
def test_two_information_sets_must_not_share_a_label(game: PublicGame) -> None:
    with pytest.raises(GameError, match=r"toy: two information sets share the label '.*' \(player, hand"):
        check_game(game)
    form = form_to_solve(game, "lanes")
    with pytest.raises(GameError, match="toy: two information sets share the label"):
        _ = [form.owner(label) for label in ("1 0 a", "0 a")]


def test_the_sound_games_pass() -> None:
    for game in (Toy(), Kuhn(cards=4), Leduc(merge_suits=True), Leduc()):
        check_game(game)


@settings(max_examples=30)
@given(random_public_games())
def test_random_games_keep_the_protocol(game: RandomPublicGame) -> None:
    check_game(game)


def test_numbers_are_exact_where_they_are_given_so() -> None:
    game = Toy()
    dealt = [(name, chance) for name, chance in zip(game.actions(game.root()), game.chance(game.root()), strict=True)]
    assert dealt == [("low", Fraction(1, 3)), ("high", Fraction(2, 3))]
    after = game.child(game.child(game.root(), 1), 0)
    assert (after.mine, after.theirs) == (1, 0)
    assert game.chance(after) == [Fraction(1, 2), Fraction(1, 2)]
    assert game.payoff(after._replace(public="abb")) == 3
    assert compile(game).payoff.sparse.exact is not None  # type: ignore[union-attr]


class Table3(Toy):
    """Chance tells more about some pairs of hands than about others."""

    def held(self, player: int) -> Any:
        return [(), ()]

    def outcomes(self, public: str) -> list[Weights]:
        return [Table(((1, Fraction(1, 2)), (0, Fraction(1, 3)))), Table(((0, Fraction(1, 2)), (1, Fraction(2, 3))))]


def test_what_hands_exclude_does_not_come_up() -> None:
    game = Table3()
    state = game.root()
    both_low = game.child(game.child(state, 0), 0)
    assert (game.actions(both_low), game.chance(both_low)) == (["heads"], [1])
    assert game.child(both_low, 0).public == "a"
    low_high = game.child(game.child(state, 0), 1)
    assert game.actions(low_high) == ["heads", "tails"]
    high_low = game.child(game.child(state, 1), 0)
    assert game.actions(high_low) == ["tails"]
    assert game.child(high_low, 0).public == "b"
    check_game(game)
