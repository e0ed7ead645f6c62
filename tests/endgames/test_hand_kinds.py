"""What a hand is on a board, by another evaluator and by trying every next card."""

from __future__ import annotations

import random
import warnings
from collections import Counter

import pytest

from regretlab.endgames.cards import DECK, card_name, hand_of, read_cards
from regretlab.endgames.hand_kinds import KINDS, kinds_of

with warnings.catch_warnings(action="ignore"):  # eval7 calls pyparsing by old names
    import eval7

BETTER = {
    "Straight Flush": "straight flush", "Quads": "four of a kind", "Full House": "full house",
    "Flush": "flush", "Straight": "straight",
}  # fmt: skip


def best(cards: tuple[int, ...]) -> str:
    """What the best five of at least five cards are, by eval7."""
    return eval7.handtype(eval7.evaluate([eval7.Card(card_name(card)) for card in cards]))


def made(hand: tuple[int, int], board: tuple[int, ...]) -> str:
    """The kind below a straight, by counting ranks."""
    mine, ranks = Counter(card // 4 for card in hand), Counter(card // 4 for card in board)
    if 3 in (mine + ranks).values():
        return "set" if len(mine) == 1 else "trips"
    if len(mine) == 1:
        return "overpair" if max(mine) > max(ranks) else "underpair"
    paired = [rank for rank in mine if rank in ranks]
    if len(paired) == 2:
        return "two pair"
    if paired:
        above = sum(rank > paired[0] for rank in ranks)
        return ["top pair", "second pair", "low pair", "low pair", "low pair"][above]
    return "ace high" if 12 in mine else "nothing"


def completing(kind: str, hand: tuple[int, int], board: tuple[int, ...]) -> set[int]:
    """The ranks of the next cards that make a hand of this kind out of one that is worse, if the own cards help."""
    left = [card for card in range(DECK) if card not in (*hand, *board)]
    own = {"Straight": range(4), "Flush": {card % 4 for card in hand}}[kind]
    return {card // 4 for card in left if kind == best((*hand, *board, card)) and card % 4 in own}


@pytest.mark.parametrize("length", [3, 4, 5])
def test_another_evaluator_and_counting_agree(length: int) -> None:
    drawn = random.Random(length)
    for _ in range(1_500):
        *board, one, other = drawn.sample(range(DECK), length + 2)
        hand, board = hand_of(one, other), tuple(board)
        assert kinds_of(hand, board)[0] == BETTER.get(best((*hand, *board)), made(hand, board))


def test_draws_are_what_next_cards_complete() -> None:
    drawn = random.Random(7)
    found = Counter()
    for _ in range(400):
        *board, one, other = drawn.sample(range(DECK), drawn.choice([5, 6]))
        hand, board = hand_of(one, other), tuple(board)
        made, *draws = kinds_of(hand, board)
        found.update(draws)
        if list(KINDS).index(made) > list(KINDS).index("straight"):
            assert ("flush draw" in draws) == bool(completing("Flush", hand, board)), (hand, board)
            straights = len({r for r in range(13) if straight_with(r, hand, board)})
            said = "gutshot" in draws, "open-ended draw" in draws
            assert said == (straights == 1, straights > 1), (hand, board)
    assert min(found[draw] for draw in ("flush draw", "open-ended draw", "gutshot")) > 10


def straight_with(rank: int, hand: tuple[int, int], board: tuple[int, ...]) -> bool:
    """Whether a rank completes a higher straight than it does for the board alone."""

    def highest(cards: tuple[int, ...]) -> int:
        ranks = {card // 4 for card in cards} | {rank}
        runs = [{(low + k) % 13 for k in range(5)} for low in (12, *range(9))]
        return max((place for place, run in enumerate(runs) if run <= ranks), default=-1)

    return highest((*hand, *board)) > highest(board)


@pytest.mark.parametrize(
    ("hand", "board", "kinds"),
    [
        ("AhKh", "Kd7h2h", ("top pair", "flush draw")),
        ("JsTs", "9d8h2c", ("nothing", "open-ended draw")),
        ("As4s", "5d3h2c", ("straight",)),
        ("Ad5s", "4d3hKc", ("ace high", "gutshot")),
        ("7s7d", "7hKcKd2c3s", ("full house",)),
        ("As7d", "KhKd7c2s", ("second pair",)),
        ("8s8d", "8hKcQd", ("set",)),
        ("AsKd", "KhKc7d", ("trips",)),
        ("9s8d", "TcJdQh", ("straight",)),
        ("Js9s", "Ts8s2d", ("nothing", "flush draw", "open-ended draw")),
        ("KsQs", "2s3s4s", ("flush",)),
        ("AsKs", "2s3s4s5d9c", ("flush",)),
    ],
)
def test_by_hand(hand: str, board: str, kinds: tuple[str, ...]) -> None:
    assert kinds_of(hand_of(*read_cards(hand)), read_cards(board)) == kinds
