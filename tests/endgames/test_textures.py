"""Textures, against what players call boards, and counts that are known from combinatorics."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from regretlab.endgames.cards import DECK, RANKS, SUITS, read_cards
from regretlab.endgames.flops import all_flops
from regretlab.endgames.textures import CONNECTIONS, PAIRINGS, SUITINGS, texture

BOARDS = [
    ("AsKhQd", "A-high, unpaired, rainbow, connected"),
    ("KsKh2h", "K-high, paired, two-tone, disconnected"),
    ("7s7h7d", "7-high, trips, rainbow, disconnected"),
    ("As5s3s", "A-high, unpaired, monotone, connected"),
    ("As9h5d", "A-high, unpaired, rainbow, semi-connected"),
    ("Qs7h2d", "Q-high, unpaired, rainbow, disconnected"),
    ("Ts9s8d7h", "T-high, unpaired, two-tone, four to a straight"),
    ("Ts9s8d8h", "T-high, paired, two-tone, connected"),
    ("Ts9s2d2h", "T-high, paired, two-tone, semi-connected"),
    ("Ts9h2d2c", "T-high, paired, rainbow, semi-connected"),
    ("Ts9h4s2h", "T-high, unpaired, double two-tone, semi-connected"),
    ("Ts9s4s2h", "T-high, unpaired, flush possible, semi-connected"),
    ("KsKh2h2d", "K-high, two pair, two-tone, disconnected"),
    ("8s8h8d8c3s", "8-high, quads, two-tone, disconnected"),
    ("8s8h8d3c3s", "8-high, full house, two-tone, disconnected"),
    ("8s8h3d3c2s", "8-high, two pair, two-tone, semi-connected"),
    ("As2h3d4c5s", "A-high, unpaired, two-tone, straight"),
    ("QsJs9s4s2h", "Q-high, unpaired, four to a flush, connected"),
    ("QsJsTs9s8s", "Q-high, unpaired, monotone, straight"),
]


@pytest.mark.parametrize(("board", "words"), BOARDS)
def test_board_is_called_what_players_call_it(board: str, words: str) -> None:
    assert str(texture(read_cards(board))) == words


@pytest.mark.parametrize("cards", [3, 4])
def test_words_are_those_that_are_explained(cards: int) -> None:
    seen = {texture(board) for board in combinations(range(0, DECK, 1 if cards == 3 else 3), cards)}
    for part, known in enumerate((PAIRINGS, SUITINGS, CONNECTIONS, RANKS)):
        assert {each[part] for each in seen} <= set(known)


def test_flops_of_each_texture_are_as_many_as_combinatorics_says() -> None:
    ranks, suits = len(RANKS), len(SUITS)
    pairing, suiting = Counter[str](), Counter[str]()
    for board, weight in all_flops():
        pairing[texture(board).pairing] += weight
        suiting[texture(board).suits] += weight
    assert pairing == {
        "trips": ranks * 4,  # 4 ways to leave a suit out
        "paired": ranks * 6 * (ranks - 1) * suits,
        "unpaired": 286 * suits**3,  # 13 over 3
    }
    assert suiting == {
        "monotone": suits * 286,
        "two-tone": suits * 78 * (DECK - ranks),  # 13 over 2, and any card of another suit
        "rainbow": 4 * ranks**3,  # the suit that is left out, and a rank in each other
    }
