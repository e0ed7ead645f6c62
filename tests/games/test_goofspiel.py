"""Goofspiel's rules: by hand, by brute force over all orders of bids, and against OpenSpiel, bit for bit."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pyspiel
import pytest

from regretlab.errors import UserError
from regretlab.evaluation import evaluate, exploitability, nash
from regretlab.forms import SequenceForm, as_form, compile, uniform
from regretlab.games import CHANCE, TERMINAL, Goofspiel, check_game, load

OPENSPIEL = {"cards": "num_cards", "turns": "num_turns", "prizes": "points_order", "returns": "returns_type"}
SAME = [
    "goofspiel(cards=2, prizes=descending, bids=hidden)",
    "goofspiel(cards=2)",
    "goofspiel(cards=3, bids=hidden)",
    "goofspiel(cards=3)",
    "goofspiel(cards=3, prizes=ascending)",
    "goofspiel(cards=4, prizes=descending, bids=hidden)",
    "goofspiel(cards=4, prizes=ascending, bids=hidden, returns=point_difference)",
    "goofspiel(cards=4, turns=2, bids=hidden, returns=point_difference)",
    "goofspiel(cards=4, turns=2)",
    "goofspiel(cards=4, turns=1, prizes=descending)",
    "goofspiel(cards=5, turns=2, prizes=ascending, returns=point_difference)",
]


def play(game: Goofspiel, *names: str) -> object:
    """The state after the named prizes and bids."""
    state = game.root()
    for name in names:
        state = game.child(state, list(game.actions(state)).index(name))
    return state


def from_openspiel(game: Goofspiel) -> SequenceForm:
    arguments = {"imp_info": game.bids == "hidden", "players": 2}
    arguments |= {theirs: getattr(game, ours) for ours, theirs in OPENSPIEL.items() if getattr(game, ours) != "all"}
    return as_form(f"openspiel:goofspiel({','.join(f'{key}={value}' for key, value in arguments.items())})")


@pytest.mark.parametrize("name", SAME)
def test_the_compiled_form_is_openspiels_up_to_labels(name: str) -> None:
    """The numbering agrees, too: histories, information sets, sequences, payoffs are the same arrays."""
    game = load(name)
    ours, theirs = as_form(name), from_openspiel(game)  # type: ignore[arg-type]
    for mine, other in zip(ours.treeplexes, theirs.treeplexes, strict=True):
        assert mine.parent.tolist() == other.parent.tolist()
        assert mine.first.tolist() == other.first.tolist()
    for column in ("children", "player", "infoset", "probability", "payoff"):
        assert getattr(ours.tree, column).tolist() == getattr(theirs.tree, column).tolist()
    for matrix, other_matrix in zip(ours.payoff.matrices, theirs.payoff.matrices, strict=True):  # type: ignore[attr-defined]
        assert all(np.array_equal(part, other) for part, other in zip(matrix, other_matrix, strict=True))
    assert exploitability(ours, uniform(ours)) == exploitability(theirs, uniform(theirs))


def test_numbers_of_the_benchmark_game() -> None:
    """Counted in OpenSpiel; the last cards are not a decision, so the last of four turns has no histories."""
    form = compile("goofspiel(cards=4, prizes=descending, bids=hidden)")
    assert form.tree is not None
    assert (form.tree.histories, (form.tree.player == TERMINAL).sum()) == (1077, 576)
    assert form.infosets == 162
    assert [treeplex.sequences for treeplex in form.treeplexes] == [175, 175]
    theirs = pyspiel.load_game("goofspiel(imp_info=True,num_cards=4,points_order=descending)")
    theirs = pyspiel.convert_to_turn_based(theirs)
    gain = pyspiel.nash_conv(theirs, pyspiel.UniformRandomPolicy(theirs)) / 2
    assert exploitability(form, uniform(form)) == pytest.approx(gain, abs=1e-12)


@pytest.mark.parametrize("name", ["goofspiel(cards=3)", "goofspiel(prizes=descending, bids=hidden)"])
def test_the_value_is_0_because_neither_player_has_an_advantage(name: str) -> None:
    found = nash(name)
    assert found.value == pytest.approx(0, abs=1e-9)
    assert evaluate(as_form(name), found.strategy).exploitability == pytest.approx(0, abs=1e-8)


# Brute force: all orders in which prizes and bids can come, without any tree.


@pytest.mark.parametrize("returns", ["win_loss", "point_difference"])
@pytest.mark.parametrize("turns", ["all", 3, 2, 1])  # OpenSpiel fails on 3 turns with 4 cards
@pytest.mark.parametrize("prizes", ["descending", "ascending"])
def test_payoffs_are_those_of_all_orders_of_bids(prizes: str, turns: int | str, returns: str) -> None:
    form = compile(Goofspiel(4, turns, prizes, "hidden", returns))
    assert form.tree is not None
    at_the_end = form.tree.payoff[form.tree.player == TERMINAL]
    count = 4 if turns == "all" else int(turns)
    values = range(1, 5) if prizes == "ascending" else range(4, 0, -1)
    orders = list(permutations(range(1, 5), count))
    expected = []
    for mine, theirs in product(orders, orders):
        points = [0, 0]
        for value, bid, answer in zip(values, mine, theirs, strict=False):
            if bid != answer:
                points[0 if bid > answer else 1] += value
        mean = Fraction(sum(points), 2)
        expected.append(points[0] - mean if returns == "point_difference" else np.sign(points[0] - points[1]))
    assert sorted(at_the_end) == sorted(map(float, expected))


def best_against_uniform(prizes: frozenset[int], mine: frozenset[int], theirs: frozenset[int], ahead: int) -> Fraction:
    """What the best answer to uniform bids wins where all cards are seen: a recursion over what is left."""
    if len(mine) == 1:
        ahead += next(iter(prizes)) * int(np.sign(next(iter(mine)) - next(iter(theirs))))
        return Fraction(int(np.sign(ahead)))
    total = Fraction(0)
    for prize in prizes:
        total += max(
            sum(
                best_against_uniform(
                    prizes - {prize}, mine - {bid}, theirs - {answer}, ahead + prize * int(np.sign(bid - answer))
                )
                for answer in theirs
            )
            / Fraction(len(theirs))
            for bid in mine
        )
    return total / len(prizes)


def test_uniform_play_of_the_default_game_is_as_exploitable_as_a_recursion_over_the_cards_left_says() -> None:
    """OpenSpiel's labels of this game forget in which order the cards were bid, so it can't be compared with that."""
    form, cards = compile(Goofspiel()), frozenset(range(1, 5))
    gain = float(best_against_uniform(cards, cards, cards, 0))
    judged = evaluate(form, uniform(form))
    assert judged.value == pytest.approx(0, abs=1e-15)
    assert judged.exploitability == pytest.approx(gain, abs=1e-12)


# By hand.


def test_a_tie_discards_the_prize_and_the_last_cards_play_themselves() -> None:
    game = Goofspiel(3, prizes="descending", returns="point_difference")
    state = play(game, "bid 3", "bid 3", "bid 1", "bid 2")
    assert game.player(state) == TERMINAL
    # Prize 3 goes to nobody, prize 2 to player 1, prize 1 to player 0 with the 2 that is left against the 1.
    assert game.payoff(state) == Fraction(1 - 2, 2)


def test_with_one_turn_less_nothing_plays_itself() -> None:
    game = Goofspiel(3, turns=2, prizes="descending", returns="point_difference")
    state = play(game, "bid 3", "bid 3", "bid 1", "bid 2")
    assert game.player(state) == TERMINAL
    assert game.payoff(state) == Fraction(-2, 2)


def test_random_prizes_come_from_chance() -> None:
    game = Goofspiel(3)
    state = play(game, "prize 2", "bid 1", "bid 3")
    assert game.player(state) == CHANCE
    assert list(game.actions(state)) == ["prize 1", "prize 3"]
    assert list(game.chance(state)) == [Fraction(1, 2)] * 2


@pytest.mark.parametrize(
    ("bids", "moves", "label", "meaning"),
    [
        ("hidden", (), "p0 4", "bids for 4"),
        ("hidden", ("bid 2",), "p1 4", "bids for 4"),
        ("hidden", ("bid 2", "bid 3"), "p0 4:2- 3", "lost 4 with 2; bids for 3"),
        ("hidden", ("bid 2", "bid 3", "bid 1"), "p1 4:3+ 3", "won 4 with 3; bids for 3"),
        ("hidden", ("bid 2", "bid 2", "bid 4", "bid 1"), "p0 4:2= 3:4+ 2", "tied 4 with 2; won 3 with 4; bids for 2"),
        ("open", ("bid 2", "bid 3"), "p0 4:2v3 3", "lost 4 with 2 against 3; bids for 3"),
        ("open", ("bid 2", "bid 3", "bid 1"), "p1 4:3v2 3", "won 4 with 3 against 2; bids for 3"),
    ],
)
def test_labels_are_what_a_player_has_seen(bids: str, moves: tuple[str, ...], label: str, meaning: str) -> None:
    game = Goofspiel(prizes="descending", bids=bids)
    assert game.label(play(game, *moves)) == label  # type: ignore[arg-type]
    assert game.meaning(label) == meaning


@pytest.mark.parametrize("name", ["goofspiel(cards=3)", "goofspiel(cards=12, turns=1)", "goofspiel(turns=3)"])
def test_it_keeps_the_protocol(name: str) -> None:
    check_game(name)


def test_the_name_says_what_is_not_the_default() -> None:
    game = load("goofspiel(cards=4, turns=4, bids=hidden)")
    assert game == Goofspiel(bids="hidden")
    assert game.name == "goofspiel(bids=hidden)"
    assert load(Goofspiel(13, 2, "ascending").name) == Goofspiel(13, 2, "ascending")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("goofspiel(cards=1)", "cards=1 must be a whole number, at least 2"),
        ("goofspiel(cards=4, turns=5)", "turns=5 must be a whole number, at least 1 and at most 4"),
        ("goofspiel(turns=0)", "turns=0 must be"),
        ("goofspiel(turns=every)", "turns=every is not a whole number"),
        ("goofspiel(prizes=descend)", "unknown prizes 'descend'; did you mean 'descending'?"),
        ("goofspiel(bids=closed)", "unknown bids 'closed'"),
        ("goofspiel(returns=total_points)", "there are: win_loss, point_difference"),
        ("goofspiel(num_cards=4)", "unknown argument of goofspiel 'num_cards'; did you mean 'cards'?"),
    ],
)
def test_bad_parameters_are_named(name: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        load(name)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
