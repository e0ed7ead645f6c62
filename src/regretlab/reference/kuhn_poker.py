"""Kuhn poker as the textbook configures it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regretlab.games import Kuhn
from regretlab.spec import positive


@dataclass(frozen=True)
class GameConfig:
    """What both players put in before the deal, and what a bet adds.

    >>> GameConfig(ante=1, bet_size=2).game.name
    'kuhn(bet=2)'
    """

    ante: Fraction | int | float | str = 1
    bet_size: Fraction | int | float | str = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "ante", positive("ante", self.ante))
        object.__setattr__(self, "bet_size", positive("bet_size", self.bet_size))

    @property
    def game(self) -> Kuhn:
        """The rules: three cards J, Q, K, one each; the higher one wins a showdown (Kuhn, 1950)."""
        return Kuhn(ante=positive("ante", self.ante), bet=positive("bet_size", self.bet_size))
