"""Spots: games with hands that keep the protocol, pay what a referee pays, and have the value of a reference."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import regretlab as rl
from regretlab.endgames import Spot, holdem, usual_iterations
from regretlab.endgames.cards import hand_name, read_cards
from regretlab.endgames.strengths import strengths
from regretlab.errors import UserError
from regretlab.evaluation import nash
from regretlab.games import CHANCE, TERMINAL, Number, check_game
from regretlab.games.public import Always, HandKernel, Product, Stronger
from regretlab.solving import Solver, solve

RIVER = json.loads((Path(__file__).parents[1] / "data/endgames/river.json").read_text())


def tiny(board: str, **fields: object) -> Spot:
    given = {"pot": 20, "stack": 20, "oop": "AsKs,9h9d:0.5", "ip": "QdQc,7h6h", "bets": "a", "raises": ""}
    return holdem(board=board, **(given | fields))


def reference() -> Spot:
    fields = {key: RIVER[key] for key in ("board", "pot", "stack", "oop", "ip")}
    return holdem(**fields, bets=RIVER["sizes"], raises=RIVER["sizes"])


# The protocol.


@pytest.mark.parametrize(
    "spot",
    [
        tiny("QsJh2h8d3c", bets="50%, a", raises="a"),
        tiny("QsJh2h8d", ip="QdQc,9h8h"),
        tiny("QsJh2h", oop="AsKs", ip="QdQc"),
        tiny("QsJh2h8d3c", pot=7, oop="AsKs,AsQh", ip="AsKd,KsKd"),
    ],
    ids=lambda spot: spot.name,
)
def test_a_tiny_spot_of_each_street_keeps_the_protocol(spot: Spot) -> None:
    check_game(spot)


def states(spot: Spot) -> list[tuple[str, ...]]:
    found, waiting = [], [spot.start()]
    while waiting:
        line = waiting.pop()
        found.append(line)
        if spot.turn(line) != TERMINAL:
            waiting += [spot.after(line, move) for move in range(len(spot.moves(line)))]
    return found


@pytest.mark.parametrize("board", ["QsJh2h8d3c", "QsJh2h8d", "QsJh2h"])
def test_public_states_are_counted_without_a_walk(board: str) -> None:
    spot = tiny(board)
    assert len(states(spot)) == spot.public_states()


# Hands.


def test_hands_are_those_that_the_board_leaves_the_highest_first() -> None:
    spot = holdem(board="AsJh2h8d3c", pot=2, stack=2, oop="QQ:0.5, AJs, 32s", ip="random")
    assert spot.hands(0) == ("AdJd", "AcJc", "QsQh", "QsQd", "QsQc", "QhQd", "QhQc", "QdQc", "3s2s", "3d2d")
    assert [hand_name(hand) for hand in spot.cards(0)] == list(spot.hands(0))
    assert spot.hand_weights(0).tolist() == [1, 1, *[0.5] * 6, 1, 1]
    assert len(spot.hands(1)) == 47 * 46 // 2
    weights = spot.weights()
    assert isinstance(weights, Product)
    assert weights.first == (1, 1, *[Fraction(1, 2)] * 6, 1, 1)
    assert spot.held(1) == spot.cards(1) == sorted(spot.cards(1), reverse=True)


@pytest.mark.parametrize(("board", "left"), [("QsJh2h8d", 44), ("QsJh2h", 45)])
def test_cards_that_nobody_holds_are_equally_likely(board: str, left: int) -> None:
    spot = tiny(board)
    line = ("check", "check")
    cards, outcomes = spot.moves(line), spot.outcomes(line)
    assert spot.turn(line) == CHANCE
    assert set(cards).isdisjoint({"Qs", "Jh", "2h"})
    assert len(cards) == 52 - len(spot.board)
    for mine, theirs in product(range(2), range(2)):
        held = {spot.hands(0)[mine][:2], spot.hands(0)[mine][2:], spot.hands(1)[theirs][:2], spot.hands(1)[theirs][2:]}
        chances = {card: each.at(mine, theirs) for card, each in zip(cards, outcomes, strict=True)}
        assert chances == {card: 0 if card in held else Fraction(1, left) for card in cards}


# What is won.


@pytest.mark.parametrize(
    ("line", "mine", "theirs", "won"),
    [
        # The pot of 7 is half each one's: 3½ and what was matched change hands.
        (("check", "check"), "AsKs", "QdQc", Fraction(-7, 2)),
        (("check", "check"), "AsKs", "7h6h", Fraction(7, 2)),
        (("check", "check"), "AsKs", "AdKd", 0),
        (("bet 20", "call"), "AsKs", "7h6h", Fraction(47, 2)),
        (("bet 20", "fold"), "AsKs", "QdQc", Fraction(7, 2)),
        (("check", "bet 20", "fold"), "AsKs", "7h6h", Fraction(-7, 2)),
        (("bet 4", "raise 20", "fold"), "AsKs", "7h6h", Fraction(-15, 2)),
    ],
)
def test_who_wins_gets_half_of_the_pot_and_what_was_matched(
    line: tuple[str, ...], mine: str, theirs: str, won: Fraction
) -> None:
    spot = tiny("QsJh2h8d3c", pot=7, ip="QdQc,7h6h,AdKd", bets="50%, a", raises="a")
    kernel, factor, *_ = spot.ending(line)
    assert factor * kernel.at(spot.hands(0).index(mine), spot.hands(1).index(theirs)) == won


def test_on_the_turn_the_card_decides() -> None:
    spot = tiny("QsJh2h8d")
    line = ("bet 20", "call")
    kings = spot.hands(0).index("AsKs")
    queens = spot.hands(1).index("QdQc")
    won = {}
    for card in ("Th", "Td", "3c"):
        kernel, factor, *_ = spot.ending((*line, card))
        won[card] = factor * kernel.at(kings, queens)
    assert won == {"Th": 30, "Td": 30, "3c": -30}


def test_kernels_are_made_once() -> None:
    spot = tiny("QsJh2h")
    lines = [(*line, *cards) for line in (("bet 20", "call"),) for cards in (("3c", "4c"), ("4c", "3c"))]
    first, second = (spot.ending(line).kernel for line in lines)
    assert first is second
    assert isinstance(first, Stronger)
    assert isinstance(spot.ending(("bet 20", "fold")).kernel, Always)
    assert spot.outcomes(("check", "check"))[0] is spot.outcomes(("bet 20", "call"))[0]


class RakedEnding(NamedTuple):
    """An ending with a third field: each player loses half of the rake besides."""

    kernel: HandKernel
    factor: Number
    rake: Number = 0

    def both_win(self, kernel: int) -> tuple[Fraction, Fraction]:
        half, won = Fraction(self.rake) / 2, Fraction(self.factor) * kernel
        return won - half, -won - half


# A pot of 20 and 20 more from each: 5 % are 3 chips.
@pytest.mark.parametrize(("kernel", "won"), [(1, (27, -30)), (-1, (-30, 27)), (0, (Fraction(-3, 2), Fraction(-3, 2)))])
def test_rake_is_paid_by_who_wins_and_shared_in_a_tie(
    kernel: int, won: tuple[Fraction, Fraction], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("regretlab.endgames.spot.Ending", RakedEnding)
    ending: Any = tiny("QsJh2h8d3c", rake="5%", rake_cap=30).ending(("bet 20", "call"))
    assert ending.both_win(kernel) == won


# Labels, names, targets.


def test_labels_say_the_hand_and_the_line_with_its_cards() -> None:
    spot = tiny("QsJh2h8d")
    assert spot.knows(0, 0, ()) == "AsKs"
    assert spot.knows(1, 0, ("check",)) == "QdQc check"
    assert spot.knows(0, 1, ("check", "check", "3c", "check", "bet 20")) == "9h9d check, check, 3c, check, bet 20"


@pytest.mark.parametrize(
    ("target", "chips"), [("0.5%", 1), ("0.1 %", 0.2), ("1", 1), (1, 1), (0.25, 0.25), ("1/3", 1 / 3)]
)
def test_a_target_is_of_the_pot_or_in_chips(target: str | float, chips: float) -> None:
    assert tiny("QsJh2h8d3c", pot=200).target(target) == chips
    assert tiny("QsJh2h8d3c", until=target).until == str(target)


# Locks.


def locked(line: str, strategy: str, board: str = "QsJh2h8d3c", **fields: object) -> Spot:
    return tiny(board, bets="50%, a", raises="a", lock={line: strategy}, **fields)


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("check", ((1, 0, 0), (1, 0, 0))),
        ("bet 10", ((0, 1, 0), (0, 1, 0))),
        ("bet 10 0.3, check 0.7", ((Fraction(7, 10), Fraction(3, 10), 0),) * 2),
        ("check 1/3,  bet  20  2/3", ((Fraction(1, 3), 0, Fraction(2, 3)),) * 2),
        ("QQ: bet 10", ((0, 1, 0), None)),
        ("7h6h: check 0.5, bet 20 0.5", (None, (Fraction(1, 2), 0, Fraction(1, 2)))),
        ("AA,QQ: bet 10; *: check", ((0, 1, 0), (1, 0, 0))),
        ("*: check; QQ: bet 10", ((1, 0, 0), (1, 0, 0))),  # what stands first counts
    ],
)
def test_a_lock_says_what_each_hand_does(strategy: str, expected: object) -> None:
    spot = locked("check", strategy)
    (lock,) = spot.locks
    assert (lock.line, lock.player, lock.actions) == (("check",), 1, ("check", "bet 10", "bet 20"))
    assert lock.probabilities == expected
    assert spot.lock_at(("check",)) is lock
    assert spot.lock_at(()) is None


def test_the_first_decision_is_locked_as_root() -> None:
    (lock,) = locked("root", "check").locks
    assert (lock.line, lock.player) == ((), 0)


def test_a_lock_without_cards_holds_on_all_boards_and_one_with_a_card_there() -> None:
    everywhere, there = "check, check", "check, check, 3c"
    spot = tiny("QsJh2h8d", lock={everywhere: "check", there: "bet 20"})
    general, special = spot.locks
    assert (general.moves, special.moves) == (("check", "check"),) * 2
    assert spot.lock_at(("check", "check", "4c")) is general
    assert spot.lock_at(("check", "check", "3c")) is special
    assert spot.lock_at(("check", "check", "3c", "check")) is None
    assert spot.lock_at(("check",)) is None


def test_of_two_cards_one_may_be_left_out() -> None:
    spot = tiny("QsJh2h", lock={"check, check, check, check, 4c": "check"})
    cards = [("3c", "4c"), ("4c", "3c"), ("4c", "5c")]
    lines = [("check", "check", turn, "check", "check", river) for turn, river in cards]
    assert [spot.lock_at(line) is not None for line in lines] == [True, False, False]


# Values.


def equity(spot: Spot) -> tuple[Fraction, int]:
    """Player 0's share of the pot if all cards are shown at once, and the number of pairs of hands."""
    zero, one = (strengths(spot.board, spot.cards(player)) for player in (0, 1))
    pairs = [(i, j) for i, j in product(range(len(zero)), range(len(one))) if spot.possible(i, j)]
    shares = sum(2 * int(zero[i] > one[j]) + int(zero[i] == one[j]) for i, j in pairs)
    return Fraction(shares, 2 * len(pairs)), len(pairs)


def test_the_reference_has_the_same_equity_and_pairs_of_hands() -> None:
    share, pairs = equity(reference())
    assert pairs == RIVER["compatible_pairs"]
    assert float(share) == pytest.approx(RIVER["oop_equity"], abs=1e-6)


def test_the_value_is_that_of_the_reference() -> None:
    spot = reference()
    solution = solve(spot, "dcfr", iterations=150)
    low, high = RIVER["oop_ev_bracket"]
    # The value lies within NashConv of what the average earns, and so does the reference's bracket.
    assert 0 <= solution.exploitability < 1
    assert low - solution.nash_conv <= solution.value + spot.pot / 2 <= high + solution.nash_conv


def test_a_polar_range_bets_all_nuts_and_as_many_bluffs_as_the_odds_allow() -> None:
    """One pot is bet: a bluff for each two hands that win, and half of the catchers call, without cards in common.

    Aces are three hands here, bluffs three, so 1½ bluffs are bet; player 0 gets the pot with 4½ of 6 hands. Against
    catchers that always lose what they call, less is not to be had: 3/4 of 100 less 50.
    """
    aces, bluffs, catchers = "AsAh,AsAd,AsAc", "9h8h,9d8d,9c8c", "KcQc,KdQd"
    spot = holdem(
        board="KsTd7h4c2s", pot=100, stack=100, oop=f"{aces},{bluffs}", ip=catchers, bets="a", raises="", ip_bets=""
    )
    assert nash(spot, exact=True).value == 25


def test_spots_that_say_the_same_are_equal() -> None:
    assert tiny("QsJh2h8d3c") == tiny("Qs Jh 2h 8d 3c", oop="9h9d:1/2, AsKs")
    assert hash(tiny("QsJh2h8d3c")) == hash(tiny("QsJh2h8d3c"))
    assert tiny("QsJh2h8d3c") != tiny("QsJh2h8d3c", stack=21)


def test_ranges_that_exclude_each_other_are_refused() -> None:
    with pytest.raises(UserError, match="exclude each other"):
        tiny("QsJh2h8d3c", oop="AsKs", ip="AsAh,KsKd")


def test_the_board_is_read_in_its_order() -> None:
    assert tiny("3cQsJh2h8d").board == read_cards("3cQsJh2h8d")


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ({"check": "check"}, {"check": "check"}),
        ("check: KQs: check; *: bet 100", {"check": "KQs: check; *: bet 100"}),
        ({"bet 100": {"fold": 0.25, "call": "3/4"}}, {"bet 100": "fold 0.25, call 3/4"}),
        ({"KsQs bet 100": "fold", "KhQh bet 100": "call"}, {"bet 100": "KsQs: fold; KhQh: call"}),
        ({"AhAd": "check"}, {"root": "AhAd: check"}),
        ({"check": {"strategy": "check"}}, {"check": "check"}),
    ],
)
def test_locks_are_given_as_for_any_game(lock: Any, wanted: dict[str, str]) -> None:
    spot = holdem("river-polar", board="3s3d7h4c2d")
    assert rl.lock(spot, lock) == holdem("river-polar", board="3s3d7h4c2d", lock=wanted)


def test_a_new_lock_goes_before_an_old_one(tmp_path: Path) -> None:
    (tmp_path / "lock.toml").write_text('[lock]\n"check" = "KsQs: bet 100"\n', encoding="utf-8")
    spot = rl.lock(holdem("river-polar", board="3s3d7h4c2d", lock={" check": "check"}), tmp_path / "lock.toml")
    assert isinstance(spot, Spot)
    (lock,) = spot.locks
    by_hand = dict(zip(spot.hands(1), lock.probabilities, strict=True))
    assert (by_hand["KsQs"], by_hand["KhQh"]) == ((0, 1), (1, 0))


@pytest.mark.parametrize("lock", ["check", 3, {"check": 3}, {"chek": "check"}, {3: "check"}])
def test_a_lock_that_is_none_is_named_in_one_line(lock: Any) -> None:
    with pytest.raises(rl.UserError, match=r"^[^\n]*(check|3)[^\n]*$"):
        rl.lock("holdem:river-polar", lock)


@pytest.mark.parametrize("part", [0.005, 0.001])
@pytest.mark.parametrize("stack", [200, 900, 2_000, 8_000])
def test_a_river_takes_about_as_many_iterations_as_is_foretold(stack: int, part: float) -> None:
    """Within a factor of two, with one to forty pots behind."""
    spot = holdem("river-srp", stack=stack)
    foretold = usual_iterations(part, stack / spot.pot)
    solver = Solver(spot, spot.recommended())
    for iterations, reached in ((foretold // 2, False), (2 * foretold, True)):
        solver.advance(iterations - solver.iteration)
        assert (solver.evaluate().exploitability <= part * spot.pot) == reached
