"""What the benchmark asks of an implementation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from benchmarks.games import BenchGame

FULL = ("cfr+", "cfr")
"""CFR+: truncated regrets, alternating, linear average. CFR: summed regrets, alternating, uniform average."""

EXTERNAL, OUTCOME = "external sampling", "outcome sampling"
SAMPLED = (EXTERNAL, OUTCOME)
"""CFR that walks a random part of the game for each player: one action of chance and of the other player, and all of
one's own; or a single history, own actions drawn from the strategy, or with a probability of 0.6 from all alike."""

EXACTLY = 1e-6
"""Allowed relative difference of exploitabilities that differ by rounding alone."""

FACTOR = 1.5
"""Random algorithms agree in distribution only: medians over seeds may differ by this factor.

From seed to seed exploitabilities spread by a factor of 1.5 on Kuhn poker and by 1.1 on Leduc poker, medians by less.
"""

Judge = Callable[[], float]
"""Computes the exploitability of a strategy that was made ready before."""


class Run(Protocol):
    """A solver at work on one game."""

    def iterate(self, count: int) -> None:
        """Go on by so many iterations, in each of which both players are updated."""

    def exploitability(self) -> float:
        """NashConv / 2 of the average strategy, by the library's own judge where it has one."""

    def judges(self) -> dict[str, Judge]:
        """The library's own ways to judge the average strategy of now, by the name of the series."""

    def restart(self, seed: int = 0) -> None:
        """Go back to before the first iteration; what draws at random draws by ``seed`` from there."""


class Peer(Protocol):
    """A library, or another way to compute the same."""

    @property
    def key(self) -> str:
        """Its name on the command line."""

    @property
    def title(self) -> str:
        """Its name in tables."""

    @property
    def convention(self) -> str:
        """What it does differently, so that numbers can't agree exactly; empty if nothing."""

    @property
    def tolerance(self) -> float:
        """The relative difference that this allows."""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Those of FULL and SAMPLED that it has."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The modules without which it can't be used."""

    @property
    def package(self) -> str:
        """The distribution whose version is told; empty where it is a part of regretlab."""

    def start(self, game: BenchGame, algorithm: str) -> Run:
        """A solver before its first iteration. Timing this is timing how long the game takes to get ready."""
