"""Cards: their numbers are phevaluator's, and what is written is read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator.card import Card

from regretlab.endgames.cards import ALL_HANDS, DECK, card_name, hand_name, hand_of, read_cards


def test_cards_are_numbered_as_the_evaluator_numbers_them() -> None:
    assert [Card.to_id(card_name(card)) for card in range(DECK)] == list(range(52))


def test_every_hand_is_there_once_with_the_higher_card_first() -> None:
    assert len(ALL_HANDS) == len(set(ALL_HANDS)) == 1326
    assert all(high > low for high, low in ALL_HANDS)
    assert {hand_of(low, high) for high, low in ALL_HANDS} == {hand_of(*hand) for hand in ALL_HANDS} == set(ALL_HANDS)


@given(st.lists(st.integers(0, DECK - 1), unique=True))
def test_cards_that_are_written_are_read_again(cards: list[int]) -> None:
    assert read_cards(hand_name(cards)) == tuple(cards)


@pytest.mark.parametrize("text", ["QsJh2h", "Qs Jh 2h", "Qs, Jh,2h", " qsjh2h ", "QSJH2H", "Qs\nJh\n2h"])
def test_spaces_commas_and_capitals_do_not_matter(text: str) -> None:
    assert hand_name(read_cards(text)) == "QsJh2h"
