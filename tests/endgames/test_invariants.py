"""What must not matter: names of suits, the unit of chips, the scale of a range, whether suits are merged."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from endgames.dense_judge import DenseJudge, read_policy
from endgames.random_spots import random_fields, random_spot
from hypothesis import given, settings
from hypothesis import strategies as st

from regretlab.endgames import Decision, Fold, Showdown, Spot, holdem
from regretlab.endgames.betting import Node
from regretlab.endgames.cards import Hand, hand_of
from regretlab.endgames.ranges import Range
from regretlab.solving import Solution, solve

NEAR = 1e-9
"""Relative to the pot: what another order of additions changes in a few iterations of DCFR."""

FEW = settings(max_examples=8)
"""Every example is solved two or three times."""

ITERATIONS = 12
STREETS = st.sampled_from(["river", "river", "turn"])
SEEDS = st.integers(0, 10_000)


def solved(spot: Spot) -> Solution:
    return solve(spot, "dcfr", iterations=ITERATIONS)


def moved(cards: tuple[int, ...], suits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(card // 4 * 4 + suits[card % 4] for card in cards)


def with_ranges(spot: Spot, zero: dict[Hand, Fraction], one: dict[Hand, Fraction]) -> Spot:
    return replace(spot, ranges=(made(zero), made(one)))


def made(weights: dict[Hand, Fraction]) -> Range:
    return Range(tuple(sorted(weights.items(), reverse=True)))


# Suits.


@FEW
@given(STREETS, SEEDS, st.permutations(range(4)))
def test_other_names_of_suits_change_names_alone(street: str, seed: int, names: list[int]) -> None:
    spot, suits = random_spot(street, seed), tuple(names)
    zero, one = (
        {hand_of(*moved(hand, suits)): weight for hand, weight in each.weights.items()} for each in spot.ranges
    )
    other = replace(with_ranges(spot, zero, one), board=moved(spot.board, suits))
    mine, theirs = solved(spot), solved(other)
    assert theirs.values == pytest.approx(mine.values, abs=NEAR * spot.pot)
    assert theirs.exploitability == pytest.approx(mine.exploitability, abs=NEAR * spot.pot)
    spelled = str.maketrans("cdhs", "".join("cdhs"[suit] for suit in suits))

    def renamed(label: str) -> str:
        name, _, line = label.partition(" ")
        cards = sorted((name[:2].translate(spelled), name[2:].translate(spelled)), key=card_number, reverse=True)
        words = (word.translate(spelled) if len(word) == 2 else word for word in line.split(", "))
        return f"{''.join(cards)} {', '.join(words)}".strip()

    for label in mine.strategy:
        assert theirs.strategy[renamed(label)] == pytest.approx(mine.strategy[label], abs=1e-7), label


def card_number(card: str) -> int:
    return 4 * "23456789TJQKA".index(card[0]) + "cdhs".index(card[1])


SYMMETRIC = {"oop": "99,AKs:0.5", "ip": "TT,QJs", "pot": 40, "stack": 70, "bets": "50%", "raises": "a", "raise_cap": 1}


@pytest.mark.parametrize("rake", ["0%", "5%"])
@pytest.mark.parametrize(
    ("board", "alike"),
    [("8h6h2h4h", 6), ("8c6c2d4d", 4), ("8h6d2c4h", 1), ("8h6h2d4c", 1), ("8h8d8c4h", 2)],
)
def test_merging_suits_changes_neither_value_nor_exploitability(board: str, alike: int, rake: str) -> None:
    merged, apart = (solved(holdem(board=board, **SYMMETRIC, rake=rake, merge_suits=merge)) for merge in (True, False))
    boards = [solution.form.treeplexes[0].infosets for solution in (merged, apart)]
    assert (boards[0] < boards[1]) == (alike > 1)
    assert merged.values == pytest.approx(apart.values, abs=NEAR * 40)
    assert merged.exploitability == pytest.approx(apart.exploitability, abs=NEAR * 40)


# Units.


@FEW
@given(STREETS, SEEDS, st.sampled_from([2, 3, 10]))
def test_chips_of_another_unit_change_the_unit_alone(street: str, seed: int, scale: int) -> None:
    """Sizes are parts of the pot that make whole chips before and after, so that nothing is rounded."""
    rng = Random(seed)
    pot = 20 * rng.randrange(1, 5)
    fields = random_fields(street, seed) | {"bets": "50%, a", "raises": "a", "pot": pot, "stack": 3 * pot}
    fields.pop("rake_cap", None)
    one = holdem(**fields)
    other = holdem(**(fields | {"pot": scale * pot, "stack": 3 * scale * pot}))
    assert one.counts == other.counts
    mine, theirs = solved(one), solved(other)
    assert theirs.values == pytest.approx([scale * value for value in mine.values], abs=NEAR * other.pot)
    assert theirs.exploitability == pytest.approx(scale * mine.exploitability, abs=NEAR * other.pot)


@FEW
@given(STREETS, SEEDS, st.fractions(Fraction(1, 50), 1), st.fractions(Fraction(1, 50), 1))
def test_only_the_proportions_of_a_range_count(street: str, seed: int, first: Fraction, second: Fraction) -> None:
    spot = random_spot(street, seed)
    zero, one = (
        {hand: weight * factor for hand, weight in each.weights.items()}
        for each, factor in zip(spot.ranges, (first, second), strict=True)
    )
    mine, theirs = solved(spot), solved(with_ranges(spot, zero, one))
    assert theirs.values == pytest.approx(mine.values, abs=NEAR * spot.pot)
    assert theirs.exploitability == pytest.approx(mine.exploitability, abs=NEAR * spot.pot)


COPIES = ("AcKc", "AdKd", "AsKs")
"""On a board without a flush, against hands without an ace or a king, it does not matter which of them one has."""


@FEW
@given(
    st.sampled_from(["dcfr", "pcfr+", "normalhedge+"]),
    st.lists(st.integers(1, 20), min_size=3, max_size=3),
    st.fractions(Fraction(1, 20), 1),
)
def test_a_hand_may_be_split_into_copies(recipe: str, parts: list[int], others: Fraction) -> None:
    rest = f"QdTd:{others}, 7c6c:{others}"
    whole, split = (
        solve(
            holdem(board="QsJh2h8d3c", pot=20, stack=45, bets="50%,a", oop=f"{aces}, {rest}", ip="TT,QhTh,9s9c:0.5"),
            recipe,
            iterations=ITERATIONS,
        )
        for aces in (
            COPIES[0],
            ",".join(f"{hand}:{part}/{sum(parts)}" for hand, part in zip(COPIES, parts, strict=True)),
        )
    )
    assert split.values == pytest.approx(whole.values, abs=NEAR * 20)
    assert split.exploitability == pytest.approx(whole.exploitability, abs=NEAR * 20)
    for line in ("", " check, bet 10", " bet 10, raise 30"):
        for copy in COPIES:
            assert split.strategy[copy + line] == pytest.approx(whole.strategy[COPIES[0] + line], abs=1e-7)


@FEW
@given(STREETS, SEEDS)
def test_a_hand_of_almost_no_weight_changes_almost_nothing(street: str, seed: int) -> None:
    """The limit of a weight is the range without the hand: what remains is of the order of the weight."""
    spot = random_spot(street, seed)
    taken = {card for each in spot.ranges for hand in each.weights for card in hand} | set(spot.board)
    hand = hand_of(*[card for card in range(52) if card not in taken][:2])
    tiny = dict(spot.ranges[0].weights) | {hand: Fraction(1, 10**12)}
    mine, theirs = solved(spot), solved(with_ranges(spot, tiny, dict(spot.ranges[1].weights)))
    assert theirs.values == pytest.approx(mine.values, abs=NEAR * spot.pot)


# What is won is what was there.


def taken_by_the_house(spot: Spot, solution: Solution) -> float:
    """The expected rake: the probability of each ending with both hands, times what is taken there; for rivers."""
    court = DenseJudge(spot, read_policy(solution.strategy))

    def below(node: Node, line: tuple[str, ...], reach: object) -> float:
        if isinstance(node, Fold | Showdown):
            rate, cap = spot.rake
            taken = rate * (spot.pot + 2 * node.matched)
            return float(taken if cap is None else min(taken, cap)) * float(reach.sum())  # type: ignore[attr-defined]
        assert isinstance(node, Decision)
        total = 0.0
        for a, (action, child) in enumerate(zip(node.actions, node.after, strict=True)):
            parts = [
                [solution.strategy[spot.knows(node.player, h, line)][action]]
                for h in range(len(court.hands[node.player]))
            ]
            played = [part for (part,) in parts]
            there = reach * (DenseJudge.column(played) if node.player == 0 else DenseJudge.row(played))
            total += below(child, (*line, node.actions[a]), there)
        return total

    return below(spot.betting, (), court.pairs)


# Seats.


@FEW
@given(STREETS, SEEDS)
def test_who_sits_where_does_not_matter_where_nobody_may_bet(street: str, seed: int) -> None:
    """Equities change hands with the ranges; so do EVs on a river on which both are held to checking."""
    fields = random_fields(street, seed)
    swapped = fields | {"oop": fields["ip"], "ip": fields["oop"]}
    held = {"lock": {"": "check", "check": "check"}} if street == "river" else {}
    mine, theirs = (solved(holdem(**each, **held)) for each in (fields, swapped))
    assert theirs.equities == pytest.approx(mine.equities[::-1], abs=NEAR)
    if held:
        assert theirs.evs == pytest.approx(mine.evs[::-1], abs=NEAR * fields["pot"])
