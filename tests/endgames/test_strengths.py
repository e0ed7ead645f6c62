"""Who wins a showdown, by phevaluator and by two other evaluators."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pokerkit

from regretlab.endgames.cards import ALL_HANDS, DECK, card_name, hand_name, read_cards
from regretlab.endgames.strengths import ON_THE_BOARD, strengths

with warnings.catch_warnings(action="ignore"):  # eval7 calls pyparsing by old names
    import eval7


def ranks(values: list[object]) -> list[int]:
    """How many different values are below each: two orders are the same when these are."""
    place = {value: k for k, value in enumerate(sorted(set(values)))}  # type: ignore[type-var]
    return [place[value] for value in values]


def test_eval7_orders_all_hands_alike() -> None:
    drawn = random.Random(1)
    for _ in range(8):
        board = drawn.sample(range(DECK), 5)
        hands = [hand for hand in ALL_HANDS if not set(hand) & set(board)]
        theirs = [eval7.evaluate([eval7.Card(card_name(card)) for card in (*board, *hand)]) for hand in hands]
        assert ranks(strengths(board, hands).tolist()) == ranks(theirs)


def test_pokerkit_orders_hands_alike() -> None:
    drawn = random.Random(2)
    for _ in range(6):
        board = drawn.sample(range(DECK), 5)
        hands = drawn.sample([hand for hand in ALL_HANDS if not set(hand) & set(board)], 30)
        ours = strengths(board, hands)
        theirs = [pokerkit.StandardHighHand.from_game(hand_name(hand), hand_name(board)) for hand in hands]
        for i in range(len(hands)):
            for j in range(i):
                assert (ours[i] > ours[j]) == (theirs[i] > theirs[j])
                assert (ours[i] == ours[j]) == (theirs[i] == theirs[j])


def test_a_hand_that_the_board_holds_is_below_all() -> None:
    board = read_cards("2c3d4h6s8c")
    values = strengths(board, ALL_HANDS)
    touching = np.array([bool(set(hand) & set(board)) for hand in ALL_HANDS])
    assert (values[touching] == ON_THE_BOARD).all()
    assert (values[~touching] > ON_THE_BOARD).all()
