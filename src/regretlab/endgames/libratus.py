"""Endgames of the match that Libratus played in 2017, in the format of the files in which they are passed on.

Four keys: ``-round`` (3 is the turn, 4 the river), ``-board``, ``-pot``, and ``-reach``, after which come 1,326 weights
of the player out of position and as many of the button. Stacks were 20,000 at the start of each hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from regretlab.endgames.cards import ALL_HANDS, RANKS, SUITS, Hand, hand_of
from regretlab.endgames.ranges import Range
from regretlab.endgames.reading import holdem
from regretlab.endgames.spot import Spot
from regretlab.errors import UserError
from regretlab.spec import number, whole

STACK = 20_000
"""What each player had at the start of a hand."""

FIRST_BETS, RAISES = "50%, 100%, a", "100%, a"
"""The sizes with which papers solve these endgames."""

_DECK = [4 * rank + SUITS.index(suit) for rank in range(len(RANKS)) for suit in "shdc"]
_ORDER: tuple[Hand, ...] = tuple(
    hand_of(first, second) for place, first in enumerate(_DECK) for second in _DECK[place + 1 :]
)
"""2s2h, 2s2d, 2s2c, 2s3s, … AdAc."""

_KEYS = ("round", "board", "pot", "reach")


def read_libratus(path: str | Path, bets: str = FIRST_BETS, raises: str = RAISES) -> Spot:
    """The endgame in a file, with the sizes of papers unless others are given."""
    if not str(path):
        raise UserError("libratus: names no file; write it like libratus:subgame1.txt")
    try:
        words = Path(path).read_text(encoding="ascii").split()
    except (OSError, ValueError) as error:
        raise UserError(f"can't read '{path}': {getattr(error, 'strerror', None) or error}") from None
    try:
        return _spot(_sections(words), bets, raises)
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def _sections(words: Sequence[str]) -> dict[str, list[str]]:
    """The words after each of the keys."""
    sections: dict[str, list[str]] = {}
    for word in words:
        if word.startswith("-") and word[1:] in _KEYS:
            # Reach may be given in one list for both players, or in one for each.
            last = sections.setdefault(word[1:], [])
        elif not sections:
            raise UserError(f"begins with '{word:.20}'; an endgame begins with -round")
        else:
            last.append(word)
    for key in _KEYS:
        if not sections.get(key):
            raise UserError(f"-{key} is missing; an endgame has -round, -board, -pot and -reach")
    return sections


def _spot(sections: dict[str, list[str]], bets: str, raises: str) -> Spot:
    street = whole("-round", sections["round"][0], least=2, most=4)
    pot = whole("-pot", sections["pot"][0], least=2, most=2 * STACK - 2)
    reach = sections["reach"]
    if len(reach) != 2 * len(_ORDER):
        raise UserError(f"-reach has {len(reach):,} weights; there are {len(_ORDER):,} hands for each of two players")
    spot = holdem(
        board=sections["board"][0],
        pot=pot,
        stack=STACK - pot // 2,
        oop=_range(reach[: len(_ORDER)]),
        ip=_range(reach[len(_ORDER) :]),
        bets=bets,
        raises=raises,
    )
    if len(spot.board) != street + 1:
        raise UserError(f"-round is {street}, but -board has {len(spot.board)} cards, not {street + 1}")
    return spot


def _range(reach: Sequence[str]) -> Range:
    """The range of a player; where a weight is above 1 all are divided by the largest."""
    weights = {hand: number("-reach", weight) for hand, weight in zip(_ORDER, reach, strict=True)}
    if min(weights.values()) < 0:
        raise UserError(f"-reach has the weight {float(min(weights.values())):g}, which is below 0")
    most = max(*weights.values(), Fraction(1))
    return Range.of({hand: weights[hand] / most for hand in ALL_HANDS})
