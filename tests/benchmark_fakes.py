"""Peers for tests: quick, and with whatever exploitability a test wants."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.clock import Batch, Pace, Series
from benchmarks.games import GAMES, BenchGame
from benchmarks.parts import cores, growth, processes, race
from benchmarks.peers.ours import OurRun, Ours
from benchmarks.peers.protocol import EXTERNAL, FULL, OUTCOME, SAMPLED, Judge
from benchmarks.results import (
    FROM_DICTIONARY,
    OURS,
    Agreement,
    Cores,
    Findings,
    LeftOut,
    Limits,
    Load,
    Measurement,
    Memory,
    Point,
    Speedup,
)
from benchmarks.settings import QUICK

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
    sampled_iterations={EXTERNAL: 20, OUTCOME: 30},
    seeds={"kuhn": 3},
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
    algorithms: tuple[str, ...] = (*FULL, *SAMPLED)
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


PEERS = {"OpenSpiel C++": 1.0, "LiteEFG": 0.3, "OpenSpiel JAX": 0.5, "textbook": 123.0}
"""How many times as long as the first of them everybody takes in ``full_findings``."""


def full_findings() -> Findings:
    """All that a run can find, with numbers as long as they get."""
    return Findings(
        machine={"processor": "Abacus 1", "cores": 2, "caches": {"L3": 2**25}},
        versions={"regretlab": "0.1.0", "numpy": "2.4.6"},
        left_out=[LeftOut("liars-dice-6, textbook", "one iteration takes 7.21 s")],
        agreements=[
            *(_agreement(game, algorithm, peer) for game in GAMES for algorithm in FULL for peer in PEERS),
            *(_agreement(game, "external sampling", peer, seeds=51) for game in ("kuhn", "leduc") for peer in PEERS),
        ],
        measurements=[*(one for game in GAMES for one in _races(game)), *_pairs()],
        limits=Limits(12.3e9, 9e9, {1: 0.5e9, 4: 1.2e9}),
        loads=[Load(game, 147_420, 4_500_000, 9_012_345, 5_000_000) for game in GAMES],
        growth=[
            _point(growth.KUHN, "1,000 cards", Load("", 4_995_000, 10**8, 3, 10**8), 1e-2),
            _point(growth.RANDOM, "6,710,886 entries", Load("", 6_710_886, 10**9, 3, 10**9), 0.123),
        ],
        memory=[Memory("liars-dice-6", name, 2**28) for name in (OURS, *PEERS)],
        cores=Cores((1e9,), (1.7e9,), (Speedup(cores.GAME, 4_995_000, (0.0101,), (0.006,)),)),
        imports_of_help=[],
        calibration=0.001,
        complete=True,
    )


def _point(family: str, name: str, load: Load, seconds: float) -> Point:
    return Point(family, name, load, _series("x", seconds), (_series("read", 0.01),), 2 * 10**8, 1.0)


def _agreement(game: str, algorithm: str, peer: str, seeds: int = 0) -> Agreement:
    convention = "single precision" if peer == "OpenSpiel JAX" else ""
    return Agreement(game, algorithm, peer, 1_000, 0.010108977, 0.010109, 1 / 3, convention, seeds)


def _races(game: str) -> list[Measurement]:
    quantities = ("getting ready", "iteration, cfr+", "exploitability", "time until 0.001", "iteration, cfr")
    mine = (_series(OURS, 123e-6), _series(FROM_DICTIONARY, 1.23e-3))
    theirs = tuple(_series(peer, 0.234 * times) for peer, times in PEERS.items())
    return [Measurement(game, quantity, (*mine, *theirs), "1,259 iterations") for quantity in quantities]


def _pairs() -> list[Measurement]:
    pairs = {
        race.RULES: (race.NORMALHEDGE, race.MATCHING),
        processes.HELP: (processes.HELP, processes.BARE),
        processes.WARM: (processes.WARM, processes.ONE_KERNEL),
        processes.FIRST: (processes.FIRST,),
    }
    return [
        Measurement(processes.COMMAND_LINE, quantity, tuple(_series(name, 0.123) for name in names))
        for quantity, names in pairs.items()
    ]


def _series(name: str, seconds: float) -> Series:
    return Series(name, tuple(Batch(seconds * (1 + k / 7), 1, 0.001, 1.0) for k in range(7)))
