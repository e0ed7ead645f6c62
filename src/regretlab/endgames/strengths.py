"""Who wins a showdown: how strong hands are on a board of five cards, by phevaluator's tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from phevaluator.evaluator import evaluate_7cards

from regretlab.endgames.cards import Hand

WEAKEST = 7462
"""phevaluator's number of the weakest hand; the strongest has 1."""

ON_THE_BOARD = 0
"""The strength of a hand that can't be held because one of its cards is on the board: below every other."""


def strengths(board: Sequence[int], hands: Sequence[Hand]) -> NDArray[np.int16]:
    """How strong each hand is with five cards on the board: higher is stronger, equal hands are equal.

    About a microsecond a hand.

    >>> from regretlab.endgames.cards import read_cards
    >>> aces, kings = read_cards("AsAh"), read_cards("KsKh")
    >>> pair_of_aces, pair_of_kings = strengths(read_cards("Qs Jh 2h 8d 3c"), [aces, kings])
    >>> bool(pair_of_aces > pair_of_kings)
    True
    """
    one, two, three, four, five = board
    taken = frozenset(board)
    return np.array(
        [
            ON_THE_BOARD
            if high in taken or low in taken
            else WEAKEST + 1 - evaluate_7cards(one, two, three, four, five, high, low)
            for high, low in hands
        ],
        dtype=np.int16,
    )
