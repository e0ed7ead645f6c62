"""Peers for tests: quick, and with whatever exploitability a test wants."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from regretlab.bench.clock import Pace
from regretlab.bench.games import BenchGame
from regretlab.bench.peers import Judge
from regretlab.bench.peers.ours import OurRun, Ours
from regretlab.bench.settings import QUICK

TINY = replace(
    QUICK,
    games=("kuhn",),
    peers=("openspiel",),
    parts=("peers",),
    pace=Pace(rounds=3, batch=0.0, longest=5.0),
    process_rounds=1,
    patience=0.0,
    agree_after=5,
    until=0.1,
    memory_game="kuhn",
    cards=(3, 4),
    largest_form=0.001,
)
"""Everything once, as short as it can be."""


@dataclass(frozen=True)
class FakePeer:
    """Computes what we compute, and then tells ``lie`` of it."""

    key: str = "fake"
    title: str = "a fake"
    convention: str = ""
    tolerance: float = 1e-6
    needs: tuple[str, ...] = ()
    package: str = "fake"
    lie: Callable[[float], float] = lambda exploitability: exploitability

    def start(self, game: BenchGame, algorithm: str) -> "FakeRun":
        return FakeRun(self, Ours().start(game, algorithm))


class FakeRun:
    def __init__(self, peer: FakePeer, run: OurRun) -> None:
        self._peer = peer
        self._run = run
        self.iterate = run.iterate
        self.restart = run.restart

    def exploitability(self) -> float:
        return self._peer.lie(self._run.exploitability())

    def judges(self) -> dict[str, Judge]:
        return {self._peer.title: self.exploitability}
