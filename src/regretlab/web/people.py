"""Texts of the engine, which counts players from 0, for people, who count from 1."""

from __future__ import annotations

import re

_PLAYER = re.compile(r"\b([Pp]layers?) ([01])\b")
_NEXT = str.maketrans("₀₁", "₁₂")


def for_people(text: str) -> str:
    """The same text with players 1 and 2, in words and in indices.

    >>> for_people("Player 0 bets, player 1 folds: u₁ = −u₀")
    'Player 1 bets, player 2 folds: u₂ = −u₁'
    """
    return _PLAYER.sub(lambda found: f"{found[1]} {int(found[2]) + 1}", text).translate(_NEXT)
