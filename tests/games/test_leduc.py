"""Leduc poker's rules, against OpenSpiel's two engines and a referee that counts chips."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from published import convergence, tolerance
from same_form import assert_same_form, assert_same_tree

from regretlab.errors import UserError
from regretlab.evaluation import evaluate, exploitability, nash
from regretlab.forms import as_form, uniform
from regretlab.games import CHANCE, TERMINAL, Leduc, check_game, load
from regretlab.solving import solve

PUBLISHED = convergence("leduc_poker")
SMALL = [
    "leduc(ranks=2, suits=2, cap=1)",
    "leduc(ranks=2, suits=3)",
    "leduc(ranks=3, suits=1, cap=3)",
    "leduc(ranks=4, suits=1, ante=1/3, first_bet=0.1, second_bet=7)",
    "leduc(ranks=5, suits=4, merge_suits=yes, cap=1)",
]


def play(game: Leduc, text: str) -> Any:
    """The state after the named cards and actions."""
    state = game.root()
    for name in text.split():
        state = game.child(state, list(game.actions(state)).index(name))
    return state


# The same game as other engines have.


@pytest.mark.parametrize(
    ("ours", "theirs", "histories", "terminals", "infosets", "sequences", "entries"),
    [
        ("leduc", "leduc_poker", 9457, 5520, 468, 1093, 4920),
        ("leduc(merge_suits=True)", "leduc_poker(suit_isomorphism=True)", 1939, 1116, 144, 337, 966),
    ],
)
def test_it_is_openspiels_leduc_array_by_array(
    ours: str, theirs: str, histories: int, terminals: int, infosets: int, sequences: int, entries: int
) -> None:
    form, other = as_form(ours), as_form(f"openspiel:{theirs}")
    assert_same_form(form, other)
    assert_same_tree(form.tree, other.tree)
    assert form.tree is not None
    assert (form.tree.histories, (form.tree.player == TERMINAL).sum()) == (histories, terminals)
    assert [treeplex.infosets for treeplex in form.treeplexes] == [infosets] * 2
    assert [treeplex.sequences for treeplex in form.treeplexes] == [sequences] * 2
    assert len(form.payoff.matrices[0].entry) == entries  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("ranks", "suits", "ante", "first_bet", "second_bet", "cap"),
    [(2, 2, 1, 2, 4, 1), (2, 3, 1, 2, 2, 2), (4, 1, 2, 3, 5, 3), (5, 1, 1, 1, 6, 1)],
)
def test_other_decks_and_stakes_are_those_of_the_computer_poker_competition(
    ranks: int, suits: int, ante: int, first_bet: int, second_bet: int, cap: int
) -> None:
    """OpenSpiel's universal poker plays any limit game; its betting and its hands come from other code than Leduc's."""
    universal = as_form(
        "openspiel:universal_poker(betting=limit,numPlayers=2,numRounds=2,firstPlayer=1 1,numHoleCards=1,"
        f"numBoardCards=0 1,numRanks={ranks},numSuits={suits},blind={ante} {ante},"
        f"raiseSize={first_bet} {second_bet},maxRaises={cap} {cap})"
    )
    form = as_form(Leduc(ranks, suits, ante, first_bet, second_bet, cap))
    assert_same_form(form, universal)
    assert_same_tree(form.tree, universal.tree)


@pytest.mark.parametrize("recipe", PUBLISHED)
def test_published_exploitability_to_six_digits(recipe: str) -> None:
    form = as_form("leduc")
    assert exploitability(form, uniform(form)) == pytest.approx(PUBLISHED[recipe][0], rel=1e-12)
    history = {point.iteration: point.exploitability for point in solve(form, recipe, iterations=1_000).history}
    for iterations in (10, 100, 1_000):
        close = tolerance("leduc_poker", recipe, iterations)
        assert history[iterations] == pytest.approx(PUBLISHED[recipe][iterations], rel=close)


# Its value.


@pytest.mark.parametrize(
    ("suits_apart", "merged", "value"),
    [
        ("leduc", "leduc(merge_suits=True)", -0.0856064240780),
        ("leduc(ranks=2, suits=3)", "leduc(ranks=2, suits=3, merge_suits=True)", None),
        ("leduc(ranks=4, cap=1)", "leduc(ranks=4, cap=1, merge_suits=True)", None),
    ],
)
def test_merged_suits_leave_the_value_as_it_is(suits_apart: str, merged: str, value: float | None) -> None:
    """The exact equilibrium of the merged game, played without a look at the suits, is one of the whole game."""
    exact = nash(merged, exact=True)
    assert exact.exact_strategy is not None
    form = as_form(suits_apart)
    blind = {label: exact.exact_strategy[without_suits(label)] for label in form.labels}
    judged = evaluate(form, blind)
    assert judged.nash_conv == pytest.approx(0, abs=1e-12)
    assert judged.value == pytest.approx(float(exact.value), abs=1e-12)
    if value is not None:
        assert judged.value == pytest.approx(value, abs=1e-12)


def without_suits(label: str) -> str:
    """``Qs cbc Kh b`` as ``Q cbc K b``: the first and the third word are cards."""
    return " ".join(word[:-1] if k in (0, 2) else word for k, word in enumerate(label.split()))


amounts = st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=100)


@given(amounts, amounts, amounts, amounts)
@settings(max_examples=6)
def test_all_stakes_times_a_factor_is_the_value_times_it(
    ante: Fraction, first: Fraction, second: Fraction, factor: Fraction
) -> None:
    game = Leduc(3, 2, ante, first, second, cap=1, merge_suits=True)
    scaled = Leduc(3, 2, factor * ante, factor * first, factor * second, cap=1, merge_suits=True)
    assert nash(scaled, exact=True).value == factor * nash(game, exact=True).value


# Its rules.

decks = st.tuples(st.integers(2, 5), st.integers(1, 4)).filter(lambda deck: deck[0] * deck[1] >= 3)


@given(decks, amounts, amounts, amounts, st.integers(1, 4), st.booleans(), st.data())
def test_a_referee_who_counts_chips_pays_the_same(
    deck: tuple[int, int], ante: Fraction, first: Fraction, second: Fraction, cap: int, merged: bool, data: Any
) -> None:
    game = Leduc(*deck, ante, first, second, cap, merged)
    state, cards, paid, size, raises = game.root(), [], [ante, ante], first, 0
    while (player := game.player(state)) != TERMINAL:
        names = list(game.actions(state))
        chosen = data.draw(st.sampled_from(names))
        state = game.child(state, names.index(chosen))
        if player == CHANCE:
            cards.append(chosen)
            size, raises = (second, 0) if len(cards) == 3 else (first, 0)
        elif chosen == "fold":
            assert game.payoff(state) == (paid[1] if player == 1 else -paid[0])
            return
        elif chosen == "call":
            paid[player] = paid[1 - player]
        elif chosen in ("bet", "raise"):
            assert (chosen == "bet") == (raises == 0)
            paid[player], raises = paid[1 - player] + size, raises + 1
            assert raises <= cap
    assert paid[0] == paid[1]
    mine, theirs, table = (int("JQK".find(card[0]) if deck[0] == 3 else card.rstrip("shdc")) for card in cards)
    strength = [100 * (own == table) + own for own in (mine, theirs)]
    won = (strength[0] > strength[1]) - (strength[0] < strength[1])
    assert game.payoff(state) == won * paid[0]


@pytest.mark.parametrize(
    ("moves", "payoff"),
    [
        ("Js Qs check check Ks check check", -1),
        ("Js Qs check check Jh check check", 1),
        ("Js Jh check bet call Ks check bet raise call", 0),
        ("Ks Qs bet raise call Qh bet raise call", -13),
        ("Ks Qs bet fold", 1),
        ("Ks Qs check bet raise fold", 3),
        ("Ks Qs bet raise fold", -3),
        ("Ks Qs bet call Js bet fold", 3),
        ("Ks Qs check bet call Js check bet raise fold", 7),
        ("Ks Qs check bet call Js bet raise fold", -7),
    ],
)
def test_payoffs(moves: str, payoff: int) -> None:
    game = Leduc()
    state = play(game, moves)
    assert game.player(state) == TERMINAL
    assert game.payoff(state) == payoff


def test_two_pairs_split_the_pot_where_there_are_three_suits() -> None:
    game = Leduc(suits=3)
    assert game.payoff(play(game, "Js Jh bet call Jd bet call")) == 0


@pytest.mark.parametrize(
    ("game", "moves", "outcomes", "chances"),
    [
        ("leduc", "", "Js Jh Qs Qh Ks Kh", "1/6 1/6 1/6 1/6 1/6 1/6"),
        ("leduc", "Qs", "Js Jh Qh Ks Kh", "1/5 1/5 1/5 1/5 1/5"),
        ("leduc", "Qs Kh bet call", "Js Jh Qh Ks", "1/4 1/4 1/4 1/4"),
        ("leduc(merge_suits=True)", "Q", "J Q K", "2/5 1/5 2/5"),
        ("leduc(merge_suits=True)", "Q Q check check", "J K", "1/2 1/2"),
        ("leduc(ranks=4, suits=1)", "2", "1 3 4", "1/3 1/3 1/3"),
        ("leduc(ranks=2, suits=4)", "2d", "1s 1h 1d 1c 2s 2h 2c", "1/7 1/7 1/7 1/7 1/7 1/7 1/7"),
    ],
)
def test_chance_deals_what_is_left_of_the_deck(game: str, moves: str, outcomes: str, chances: str) -> None:
    rules: Any = load(game)
    state = play(rules, moves)
    assert rules.player(state) == CHANCE
    assert list(rules.actions(state)) == outcomes.split()
    assert list(rules.chance(state)) == [Fraction(text) for text in chances.split()]


@pytest.mark.parametrize("name", SMALL)
def test_it_keeps_the_protocol(name: str) -> None:
    check_game(name)


# What people read.


@pytest.mark.parametrize(
    ("game", "moves", "label", "meaning", "actions"),
    [
        ("leduc", "Js Qs", "Js", "Jack of spades; first to act", "check bet"),
        ("leduc", "Js Qh check", "Qh c", "Queen of hearts; check", "check bet"),
        ("leduc", "Js Qh check bet", "Js cb", "Jack of spades; check, bet", "fold call raise"),
        ("leduc", "Js Qh bet raise", "Js br", "Jack of spades; bet, raise", "fold call"),
        (
            "leduc", "Qs Js check bet call Kh check bet", "Qs cbc Kh cb",
            "Queen of spades; check, bet, call; King of hearts on the table; check, bet", "fold call raise",
        ),
        (
            "leduc(merge_suits=True)", "K J check check K", "K cc K",
            "King; check, check; King on the table; first to act", "check bet",
        ),
        (
            "leduc(ranks=12)", "12s 7s check check 1h check", "7s cc 1h c",
            "card 7 of spades; check, check; card 1 of hearts on the table; check", "check bet",
        ),
        ("leduc(ranks=5, suits=1, cap=3)", "5 2 bet raise raise", "2 brr", "card 2; bet, raise, raise", "fold call"),
    ],
)  # fmt: skip
def test_labels_are_cards_and_moves_in_the_order_of_play(
    game: str, moves: str, label: str, meaning: str, actions: str
) -> None:
    rules: Any = load(game)
    state = play(rules, moves)
    assert rules.label(state) == label
    assert rules.meaning(label) == meaning
    assert list(rules.actions(state)) == actions.split()


def test_lists_go_by_round_then_by_situation_then_by_card() -> None:
    game = Leduc(ranks=10)
    listed = ["2s", "2h", "10s", "2s c", "10s c", "9h cbr", "1h cc 2s", "1h cc 10s", "1s cc 10s b", "1s cbc 2s"]
    assert sorted(set(listed), key=game.order) == listed
    named = ["Js", "Qs", "Qh", "Ks", "Js cb", "Qs cb", "Ks cc Js"]
    assert sorted(set(named), key=Leduc().order) == named


@pytest.mark.parametrize("name", SMALL)
def test_every_information_set_has_a_meaning_of_its_own(name: str) -> None:
    game: Any = load(name)
    labels = as_form(game).labels
    assert len({game.meaning(label) for label in labels}) == len({game.order(label) for label in labels}) == len(labels)


# Its arguments.


@pytest.mark.parametrize(
    ("text", "merged"), [("True", True), ("yes", True), ("1", True), ("false", False), ("No", False), ("0", False)]
)
def test_merge_suits_is_read_from_text(text: str, merged: bool) -> None:
    game: Any = load(f"leduc(merge_suits={text})")
    assert game.merge_suits is merged
    assert game == Leduc(merge_suits=merged)


def test_the_name_says_what_is_not_the_default() -> None:
    game = load("leduc(suits=3, ante=0.5, first_bet=2, merge_suits=yes)")
    assert game.name == "leduc(suits=3, ante=1/2, merge_suits=True)"
    assert load(game.name) == game
    assert load("leduc").name == "leduc"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("ranks=1", "ranks=1 must be a whole number, at least 2 and at most 50"),
        ("suits=5", "suits=5 must be a whole number, at least 1 and at most 4"),
        ("ranks=2, suits=1", "ranks=2 and suits=1 leave no card for the table; the deck needs 3 cards"),
        ("ante=0", "ante=0 must be above 0"),
        ("first_bet=-1", "first_bet=-1 must be above 0"),
        ("second_bet=x", "second_bet=x is not a finite number"),
        ("cap=0", "cap=0 must be a whole number, at least 1 and at most 50"),
        ("merge_suits=maybe", "merge_suits=maybe must be true or false"),
        ("merge_suit=True", "did you mean 'merge_suits'"),
    ],
)
def test_bad_arguments_are_named(arguments: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        load(f"leduc({arguments})")
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
