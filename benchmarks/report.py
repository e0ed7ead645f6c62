"""Findings as one plain dictionary, for JSON and for the picture, and beside them what is to be reached.

Every ratio is computed from the timings in the dictionary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks import machine
from benchmarks.clock import SLOWED, Series
from benchmarks.parts import cores, holdem, limits, processes, race
from benchmarks.parts.growth import large_point
from benchmarks.parts.race import ITERATION, JUDGE
from benchmarks.parts.spot_runs import RECIPE
from benchmarks.peers.protocol import EXTERNAL
from benchmarks.results import FROM_DICTIONARY, OURS, Cores, Findings, Load, Measurement, Point, Solved
from benchmarks.spots import RIVER, TURN

_CFR_PLUS = f"{ITERATION}, cfr+"
_EXTERNAL = f"{ITERATION}, {EXTERNAL}"
_OPENSPIEL, _LITEEFG, _JAX = "OpenSpiel C++", "LiteEFG", "OpenSpiel JAX"


@dataclass(frozen=True)
class Target:
    """A number, the least that is asked of it, and the aim."""

    what: str
    measured: float | None
    least: float
    aim: float
    unit: str  # "×", "%", "s", "MB" or empty
    smaller_is_better: bool = False
    broken: str = ""  # a condition beside the number that does not hold

    @property
    def verdict(self) -> str:
        """``aim``, ``met``, ``missed`` or ``not measured``."""
        if self.broken:
            return "missed"
        if self.measured is None:
            return "not measured"
        sign = -1 if self.smaller_is_better else 1
        goals = (("aim", self.aim), ("met", self.least))
        return next((word for word, goal in goals if sign * self.measured >= sign * goal), "missed")


_RACES = (
    ("Kuhn against OpenSpiel C++", "kuhn", _CFR_PLUS, _OPENSPIEL, OURS, 80, 150),
    ("Leduc against OpenSpiel C++", "leduc", _CFR_PLUS, _OPENSPIEL, OURS, 500, 1_000),
    ("Kuhn against LiteEFG", "kuhn", _CFR_PLUS, _LITEEFG, OURS, 20, 40),
    ("Leduc against LiteEFG", "leduc", _CFR_PLUS, _LITEEFG, OURS, 120, 300),
    ("Leduc against OpenSpiel JAX", "leduc", _CFR_PLUS, _JAX, OURS, 80, 200),
    ("liar's dice, 6 sides, against OpenSpiel C++", "liars-dice-6", _CFR_PLUS, _OPENSPIEL, OURS, 250, 600),
    ("external sampling, Kuhn, against OpenSpiel C++", "kuhn", _EXTERNAL, _OPENSPIEL, OURS, 10, 20),
    ("external sampling, Leduc, against OpenSpiel C++", "leduc", _EXTERNAL, _OPENSPIEL, OURS, 10, 20),
    ("exploitability, Leduc, from arrays, against OpenSpiel C++", "leduc", JUDGE, _OPENSPIEL, OURS, 2_000, 5_000),
    ("the same from a dictionary", "leduc", JUDGE, _OPENSPIEL, FROM_DICTIONARY, 50, 100),
    ("exploitability, Leduc, from arrays, against LiteEFG", "leduc", JUDGE, _LITEEFG, OURS, 15, 30),
)
"""What, game, quantity, peer, which of our series, at least, aim: how many times as long the peer takes."""


def targets(found: Findings, cache: int) -> list[Target]:
    """Every target with what was measured of it; ``cache`` is the last-level cache in bytes."""
    races = [
        Target(what, found.ratio(game, quantity, peer, ours), least, aim, "×")
        for what, game, quantity, peer, ours, least, aim in _RACES
    ]
    rules = found.ratio("leduc", race.RULES, race.NORMALHEDGE, race.MATCHING)
    both = found.cores
    gained = next((both.share(one) for one in both.speedups if one.form == cores.GAME), None) if both else None
    large = large_point(found.growth, cache)
    peaks = {memory.name: memory.bytes for memory in found.memory if memory.game == "liars-dice-6"}
    memory = peaks[OURS] / peaks[_OPENSPIEL] if {OURS, _OPENSPIEL} <= peaks.keys() else None
    helped = found.ratio(processes.COMMAND_LINE, processes.HELP, processes.HELP, processes.BARE)
    loads = f"loads {', '.join(found.imports_of_help)}" if found.imports_of_help else ""
    warm = found.ratio(processes.COMMAND_LINE, processes.WARM, processes.WARM, processes.ONE_KERNEL)
    first = found.find(processes.COMMAND_LINE, processes.FIRST)
    two_cores = "two cores against one, Kuhn with 1,000 cards, share of what streaming gains"
    beside = max((one.slowdown for one in found.neighbours), default=None)
    bandwidth = "share of memory bandwidth, form of 3 × the last cache"
    return [
        *races,
        Target("NormalHedge against regret matching, Leduc", rules, 1.6, 1.3, "×", True),
        Target(two_cores, None if gained is None else 100 * gained, 80, 95, "%"),
        Target("two cores against one beside 0 to 2 busy neighbours, at worst", beside, 1.1, 1.0, "×", True),
        Target(bandwidth, None if large is None else 100 * large.bandwidth, 50, 80, "%"),
        Target("peak memory, liar's dice, solving and judging, against OpenSpiel C++", memory, 1 / 2, 1 / 3, "×", True),
        Target("regretlab --help against python -c pass", helped, 25, 12, "×", True, loads),
        Target("regretlab solve kuhn, warm, against one cached kernel", warm, 1.6, 1.3, "×", True),
        Target(
            "first run ever, with all compilation", None if first is None else first.series[0].median, 10, 5, "s", True
        ),
        *_holdem_targets(found),
    ]


DICE_MILLISECONDS = 0.47
"""What an iteration of liar's dice took where the goals for Hold'em were set: they are held as multiples of it."""

_ITERATIONS = (
    ("Hold'em river, all hands, iteration in f64 against liar's dice", RIVER, "f64", 0.45, 0.40),
    ("the same in f32", RIVER, "f32", 0.30, 0.20),
    ("Hold'em turn, all hands, iteration in f32 against liar's dice", TURN, "f32", 90, 63),
)
"""What, spot, precision, at most, aim: milliseconds where liar's dice takes DICE_MILLISECONDS."""


def _holdem_targets(found: Findings) -> list[Target]:
    """Those of the two spots with all hands."""
    quick = [
        Target(what, found.ratio(spot, holdem.QUANTITY, precision, holdem.DICE), least / dice, aim / dice, "×", True)
        for what, spot, precision, least, aim in _ITERATIONS
        for dice in (DICE_MILLISECONDS,)
    ]
    solved = {one.spot: one for one in found.holdem.solved if one.name == RECIPE}
    both = found.holdem.cores
    gain = next((one.factor for one in both.speedups if one.form == TURN), None) if both else None
    taken = {one.precision: one.grown / 1e6 for one in found.holdem.memory if one.spot == TURN}
    started = found.find(RIVER, holdem.START)
    start = None if started is None else started.series[0].median
    return [
        *quick,
        _iterations("Hold'em river, all hands, iterations to 0.1 % of the pot", solved.get(RIVER), 300, 200),
        _iterations("Hold'em turn, all hands, iterations to 0.5 % of the pot", solved.get(TURN), 130, 100),
        Target("Hold'em turn, all hands, two cores against one", gain, 1.6, 1.8, "×"),
        Target("Hold'em turn, all hands, memory in f32", taken.get("f32"), 180, 160, "MB", True),
        Target("Hold'em turn, all hands, memory in 16 bits", taken.get("16bit"), 95, 85, "MB", True),
        Target("Hold'em river, all hands, to the first iteration", start, 1, 0.5, "s", True),
    ]


def _iterations(what: str, solved: Solved | None, most: float, aim: float) -> Target:
    """How many iterations were needed; who has given up has missed."""
    gave_up = "" if solved is None or solved.reached else "not reached"
    return Target(what, None if solved is None else solved.iterations, most, aim, "", True, gave_up)


FORMAT = 3
"""The layout of the dictionary."""


def as_dict(found: Findings) -> dict[str, Any]:
    """All that was found, raw timings included."""
    return {
        "format": FORMAT,
        "complete": found.complete,
        "machine": found.machine,
        "versions": found.versions,
        "settings": found.settings,
        "calibration": {
            "seconds": found.calibration,
            "slowed": SLOWED,
            "retries": found.retries,
            "disturbed": found.disturbed,
        },
        "left_out": [{"what": one.what, "why": one.why} for one in found.left_out],
        "agreements": [vars(one) | {"difference": one.difference, "agrees": one.agrees} for one in found.agreements],
        "measurements": [_measurement(one) for one in found.measurements],
        "limits": _limits(found),
        "loads": [vars(one) | reached(found, one) for one in found.loads],
        "growth": [_point(one) for one in found.growth],
        "memory": [vars(one) for one in found.memory],
        "cores": _cores(found.cores),
        "neighbours": [vars(one) | {"slowdown": one.slowdown} for one in found.neighbours],
        "holdem": _holdem(found),
        "imports_of_help": found.imports_of_help,
        "targets": [
            vars(target) | {"verdict": target.verdict} for target in targets(found, machine.last_level_cache())
        ],
    }


def reached(found: Findings, load: Load) -> dict[str, Any]:
    """Which share of the limits an iteration of CFR+ reaches; more than all of the bandwidth means caches."""
    measurement = found.find(load.game, f"{ITERATION}, cfr+")
    ours = measurement.get(OURS) if measurement else None
    if ours is None or found.limits is None:
        return {"seconds": None, "share_of_bandwidth": None, "share_of_product": None}
    return {
        "seconds": ours.median,
        "share_of_bandwidth": load.bytes / ours.median / found.limits.bandwidth,
        "share_of_product": 2 * load.entries / ours.median / found.limits.entries,
    }


def _measurement(one: Measurement) -> dict[str, Any]:
    """A measurement, with how many times as long everybody else takes as each of our own series."""
    ours = [series.name for series in one.series if series.name in (OURS, FROM_DICTIONARY)]
    names = [series.name for series in one.series if series.name not in ours]
    ratios = [(name, mine, one.ratio(name, mine)) for mine in ours for name in names]
    return {
        "game": one.game,
        "quantity": one.quantity,
        "note": one.note,
        "series": [_series(series) for series in one.series],
        "ratios": [{"name": name, "to": mine, **ratio._asdict()} for name, mine, ratio in ratios if ratio is not None],
    }


def _series(series: Series) -> dict[str, Any]:
    """All batches of one task, and what they amount to."""
    return {
        "name": series.name,
        "note": series.note,
        "median": series.median,
        "quartiles": series.quartiles,
        "batches": [batch._asdict() for batch in series.batches],
    }


def _limits(found: Findings) -> dict[str, Any] | None:
    """What the machine allows, if it was measured."""
    if found.limits is None:
        return None
    return {
        limits.READ: found.limits.read,
        limits.TRIAD: found.limits.triad,
        "bandwidth": found.limits.bandwidth,
        "product": found.limits.product,
        "entries": found.limits.entries,
    }


def _cores(cores: Cores | None) -> dict[str, Any] | None:
    """What a second core brings, if it was measured."""
    if cores is None:
        return None
    speedups = [vars(one) | {"factor": one.factor, "share": cores.share(one)} for one in cores.speedups]
    return vars(cores) | {"streaming": cores.streaming, "speedups": speedups}


def _holdem(found: Findings) -> dict[str, Any]:
    """What was found of Hold'em beside the measurements."""
    spots = found.holdem
    flop = spots.flop
    return {
        "solved": [_solved(one) for one in spots.solved],
        "sampled": [_solved(one) for one in spots.sampled],
        "compared": [_solved(one) for one in spots.compared],
        "memory": [one._asdict() for one in spots.memory],
        "cores": _cores(spots.cores),
        "flop": None
        if flop is None
        else _solved(flop.solved) | {"cores": flop.cores, "memory": flop.memory and flop.memory._asdict()},
    }


def _solved(one: Solved) -> dict[str, Any]:
    """A solution of a spot, with all looks."""
    looks = [look._asdict() for look in one.looks]
    return vars(one) | {"looks": looks, "reached": one.reached, "iterations": one.iterations, "seconds": one.seconds}


def _point(point: Point) -> dict[str, Any]:
    """One form of a growing family."""
    return {
        "family": point.family,
        "name": point.name,
        **{key: value for key, value in vars(point.load).items() if key != "game"},
        "setup": point.setup,
        "nanoseconds": point.nanoseconds,
        "share_of_bandwidth": point.bandwidth,
        "series": _series(point.series),
        "streaming": [_series(one) for one in point.streaming],
        "streamed": point.streamed,
    }
