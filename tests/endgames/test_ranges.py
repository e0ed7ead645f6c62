"""Ranges: what the grammar means, by count, by hand and by PokerKit's reader; and that it is written as it is read."""

from __future__ import annotations

import json
import warnings
from fractions import Fraction
from pathlib import Path

import pokerkit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretlab.endgames.cards import ALL_HANDS, Hand, card_name, hand_name, read_cards
from regretlab.endgames.ranges import Range, class_of, grid_class, read_range

with warnings.catch_warnings(action="ignore"):  # eval7 calls pyparsing by old names
    import eval7

RIVER = json.loads((Path(__file__).parents[1] / "data/endgames/river.json").read_text())

WEIGHTS = st.sampled_from([Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(123, 1000)])
CLASSES = st.builds(grid_class, st.integers(0, 12), st.integers(0, 12))
RANGES = st.builds(
    lambda classes, hands: Range.of({hand: weight for each, weight in classes for hand in each.hands()} | hands),
    st.lists(st.tuples(CLASSES, WEIGHTS), min_size=1, max_size=60),
    st.dictionaries(st.sampled_from(ALL_HANDS), WEIGHTS, max_size=20),
)


def names(text: str) -> str:
    """The classes of a range that has no weights and only whole classes, in the order of cards."""
    found = read_range(text)
    classes = sorted({class_of(hand) for hand, _ in found.entries}, reverse=True)
    assert sum(len(each.hands()) for each in classes) == len(found)
    return " ".join(map(str, classes))


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("QQ+", "AA KK QQ"),
        ("JJ-88", "JJ TT 99 88"),
        ("88-JJ", "JJ TT 99 88"),
        ("AKs", "AKs"),
        ("KAs", "AKs"),
        ("AK", "AKs AKo"),
        ("aks, Qq", "AKs QQ"),
        ("A9s-A6s", "A9s A8s A7s A6s"),
        ("KTo+", "KQo KJo KTo"),
        ("KT+", "KQs KQo KJs KJo KTs KTo"),
        ("98o-65o", "98o 87o 76o 65o"),
        ("J9s-75s", "J9s T8s 97s 86s 75s"),
        ("AK-KQ", "AKs AKo KQs KQo"),
        ("T9s+", "T9s"),
        ("AA KK", "AA KK"),
        ("AA,AA", "AA"),
        ("22,33", "33 22"),
        ("AKs\n,  QQ ,", "AKs QQ"),
    ],
)
def test_an_entry_stands_for_these_classes(text: str, classes: str) -> None:
    assert names(text) == classes


@pytest.mark.parametrize(
    ("text", "count"),
    [("random", 1326), ("AA", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("AhKd", 1), ("KdAh", 1), ("22+", 78)],
)
def test_a_range_has_so_many_hands(text: str, count: int) -> None:
    assert len(read_range(text)) == count


def hands_of(text: str) -> set[frozenset[str]]:
    return {frozenset(map(card_name, hand)) for hand, _ in read_range(text).entries}


# PokerKit knows runs of hands with one gap, eval7 those with one high card.


@pytest.mark.parametrize("text", ["QQ+", "JJ-88", "KTo+", "AK", "98o-65o", "J9s-75s", "AhKd, 22", "K5s+, A2o+, 72"])
def test_pokerkit_reads_the_same_hands(text: str) -> None:
    assert hands_of(text) == {frozenset(map(repr, hand)) for hand in pokerkit.parse_range(text)}


@pytest.mark.parametrize("text", [RIVER["oop"], RIVER["ip"], "QQ+", "JJ-88", "KTo+", "AK", "A9s-A6s, KT-K8, AhKd"])
def test_eval7_reads_the_same_hands(text: str) -> None:
    with warnings.catch_warnings(action="ignore"):
        theirs = eval7.HandRange(text).hands
    assert hands_of(text) == {frozenset(map(str, hand)) for hand, _ in theirs}


@pytest.mark.parametrize("player", ["oop", "ip"])
def test_the_reference_has_the_same_hands(player: str) -> None:
    board = set(read_cards(RIVER["board"]))
    ours = {hand_name(hand) for hand, _ in read_range(RIVER[player]).entries if not board & set(hand)}
    assert ours == set(RIVER[f"{player}_hands"].split())


def weight_of(found: Range, hand: str) -> Fraction:
    high, low = read_cards(hand)
    return found.weights.get((high, low), Fraction(0))


def test_later_entries_override_and_weights_are_exact() -> None:
    found = read_range("22+:0.1, AA, AsAh:1/3, KK:0, 2d2c:1e-3")
    expected = {"AsAh": "1/3", "AsAd": "1", "KsKh": "0", "QsQh": "0.1", "2d2c": "0.001"}
    assert {hand: weight_of(found, hand) for hand in expected} == {h: Fraction(w) for h, w in expected.items()}


def test_a_hand_of_weight_0_is_not_there() -> None:
    assert len(read_range("random, AA:0")) == 1320


@settings(max_examples=200, deadline=None)
@given(RANGES)
def test_what_is_written_is_read_again(found: Range) -> None:
    assert read_range(str(found)) == found


@pytest.mark.parametrize(
    "text",
    [
        *(
            "random",
            "random:0.5",
            "22+",
            "JJ-88",
            "AK",
            "A2s+,ATo+",
            "98s-54s",
            "T9o-87o",
            "T9s,98s",
            "KK+,AQ+,AhJd",
            "AA:0.5",
            "AA,KK:1/3",
        ),
        "AKs,QQ:0.25",
    ],
)
def test_a_short_form_is_written_as_it_was(text: str) -> None:
    assert ",".join(sorted(str(read_range(text)).split(","))) == ",".join(sorted(text.split(",")))


def test_the_whole_is_written_in_few_words() -> None:
    every_entry = ",".join(hand_name(hand) for hand in ALL_HANDS)
    assert str(read_range(every_entry)) == "random"


@given(st.lists(st.lists(WEIGHTS, min_size=13, max_size=13), min_size=13, max_size=13))
@settings(max_examples=25, deadline=None)
def test_a_grid_is_read_and_written(rows: list[list[Fraction]]) -> None:
    found = read_range(rows)
    assert found.grid() == rows
    assert read_range("\n".join(" ".join(map(str, row)) for row in rows)) == found


def test_the_grid_has_aces_first_and_suited_hands_above_the_diagonal() -> None:
    rows: list[list[object]] = [[0] * 13 for _ in range(13)]
    rows[0][0], rows[0][1], rows[1][0], rows[12][12] = 1, "0.5", 0.25, "1/8"
    assert str(read_range(rows)) == "AA,AKs:0.5,AKo:0.25,22:0.125"


def test_a_grid_says_the_mean_of_a_class() -> None:
    assert read_range("AsAh, AsAd:0.5").grid()[0][0] == Fraction(1, 4)


@given(st.sampled_from(ALL_HANDS))
def test_a_hand_is_in_its_class(hand: Hand) -> None:
    assert hand in class_of(hand).hands()
