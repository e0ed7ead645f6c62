"""Peers for tests: quick, and with whatever exploitability a test wants."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.clock import Batch, Pace, Series
from benchmarks.games import GAMES, BenchGame
from benchmarks.parts import cores, growth, holdem, processes, race
from benchmarks.peers.ours import OurRun, Ours
from benchmarks.peers.protocol import EXTERNAL, FULL, OUTCOME, SAMPLED, Judge
from benchmarks.results import (
    FROM_DICTIONARY,
    OURS,
    Agreement,
    Cores,
    Findings,
    Flop,
    HoldemFindings,
    LeftOut,
    Limits,
    Load,
    Look,
    Measurement,
    Memory,
    Point,
    Promise,
    Solved,
    Speedup,
)
from benchmarks.settings import QUICK, HoldemSettings
from benchmarks.spots import RIVER, SMALL_FLOP, SMALL_RIVER, SMALL_TURN, TURN

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
    holdem=HoldemSettings(
        river=SMALL_RIVER,
        river_target=0.01,
        turn=SMALL_TURN,
        turn_target=0.02,
        sampled=SMALL_TURN,
        sampled_target=0.1,
        compared=SMALL_RIVER,
        compared_target=0.02,
        recipes=("dcfr", "cfr+"),
        longest=5.0,
        flop=SMALL_FLOP,
        flop_target=2e-4,
        flop_longest=20.0,
    ),
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
        measurements=[*(one for game in GAMES for one in _races(game)), *_pairs(), *_spots()],
        limits=Limits(12.3e9, 9e9, {1: 0.5e9, 4: 1.2e9}),
        loads=[Load(game, 147_420, 4_500_000, 9_012_345, 5_000_000) for game in GAMES],
        growth=[
            _point(growth.KUHN, "1,000 cards", Load("", 4_995_000, 10**8, 3, 10**8), 1e-2),
            _point(growth.RANDOM, "6,710,886 entries", Load("", 6_710_886, 10**9, 3, 10**9), 0.123),
        ],
        memory=[Memory("liars-dice-6", name, 2**27, 2**28) for name in (OURS, *PEERS)],
        cores=Cores((1e9,), (1.7e9,), (Speedup(cores.GAME, 4_995_000, (0.0101,), (0.006,)),)),
        holdem=_holdem(),
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


def _spots() -> list[Measurement]:
    names = (holdem.DICE, "f64", "f32", "16bit")
    iterations = tuple(_series(name, 0.0123 * (k + 1)) for k, name in enumerate(names))
    start = Measurement(RIVER, holdem.START, (_series(holdem.START, 0.309),))
    return [*(Measurement(spot, holdem.QUANTITY, iterations) for spot in (RIVER, TURN)), start]


def solved(spot: str, name: str, *parts: float, precision: str = "f64", target: float = 0.001) -> Solved:
    """A spot that was looked at every 10 iterations, a second each."""
    looks = tuple(Look(10 * (k + 1), k + 1.0, part) for k, part in enumerate(parts))
    return Solved(spot, name, precision, target, looks, (float(len(parts)),), judging=0.123)


def _holdem() -> HoldemFindings:
    flop = Promise("holdem:flop-srp", "f32", 3_456_789_012, 3_567_890_123)
    return HoldemFindings(
        solved=[solved(RIVER, "dcfr", 0.1, 0.0009), solved(TURN, "dcfr", 0.1, 0.004, precision="f32", target=0.005)],
        sampled=[solved("holdem:turn-3bet", "cfr+(feedback=chance)", *[0.5] * 123)],
        compared=[solved("holdem:river-srp", "sapdcfr+", 0.0005)],
        memory=[Promise(TURN, precision, 154_500_000, 157_000_000) for precision in ("f32", "16bit")],
        cores=Cores((1e9,), (1.7e9,), (Speedup(TURN, 15_327_744, (0.0532,), (0.031,)),)),
        flop=Flop(2, solved("holdem:flop-srp", "dcfr", 0.123, 0.00123, precision="f32"), flop),
    )


def _series(name: str, seconds: float) -> Series:
    return Series(name, tuple(Batch(seconds * (1 + k / 7), 1, 0.001, 1.0) for k in range(7)))
