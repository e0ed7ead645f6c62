"""Findings as one plain dictionary, for JSON and for the picture, and beside them what is to be reached.

Every ratio is computed from the timings in the dictionary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks import machine
from benchmarks.clock import SLOWED, Series
from benchmarks.parts import cores, limits, processes, race
from benchmarks.parts.growth import large_point
from benchmarks.parts.race import ITERATION, JUDGE
from benchmarks.peers.protocol import EXTERNAL
from benchmarks.results import FROM_DICTIONARY, OURS, Agreement, Findings, Load, Measurement, Point

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
    unit: str  # "×", "%" or "s"
    smaller_is_better: bool = False
    broken: str = ""  # a condition beside the number that does not hold

    @property
    def verdict(self) -> str:
        """``aim``, ``met``, ``missed`` or ``not measured``."""
        if self.broken:
            return "missed"
        if self.measured is None:
            return "not measured"
        return next((word for word, goal in (("aim", self.aim), ("met", self.least)) if self._meets(goal)), "missed")

    def _meets(self, goal: float) -> bool:
        assert self.measured is not None
        return self.measured <= goal if self.smaller_is_better else self.measured >= goal


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

_OTHERS: tuple[tuple[str, Callable[[Findings, int], float | None], float, float, str, bool], ...] = (
    ("NormalHedge against regret matching, Leduc", lambda found, _: _normalhedge(found), 1.6, 1.3, "×", True),
    (
        "two cores against one, Kuhn with 1,000 cards, share of what streaming gains",
        lambda found, _: _share(found),
        80,
        95,
        "%",
        False,
    ),
    (
        "share of memory bandwidth, form of 3 × the last cache",
        lambda found, llc: _bandwidth(found, llc),
        50,
        80,
        "%",
        False,
    ),
    ("peak memory, liar's dice, against OpenSpiel C++", lambda found, _: _memory(found), 1 / 2, 1 / 3, "×", True),
    ("regretlab solve kuhn, warm, against one cached kernel", lambda found, _: _warm(found), 1.6, 1.3, "×", True),
    ("first run ever, with all compilation", lambda found, _: _first(found), 10, 5, "s", True),
)
"""What, how it is found, at least, aim, unit, whether smaller is better."""


def targets(found: Findings, cache: int) -> list[Target]:
    """Every target with what was measured of it; ``cache`` is the last-level cache in bytes."""
    races = [
        Target(what, found.ratio(game, quantity, peer, ours), least, aim, "×")
        for what, game, quantity, peer, ours, least, aim in _RACES
    ]
    others = [
        Target(what, measured(found, cache), least, aim, unit, smaller)
        for what, measured, least, aim, unit, smaller in _OTHERS
    ]
    return [*races, *others[:4], _help(found), *others[4:]]


def _help(found: Findings) -> Target:
    loaded = found.imports_of_help
    broken = f"loads {', '.join(loaded)}" if loaded else ""
    ratio = found.ratio(processes.COMMAND_LINE, processes.HELP, processes.HELP, processes.BARE)
    return Target("regretlab --help against python -c pass", ratio, 25, 12, "×", True, broken)


def _normalhedge(found: Findings) -> float | None:
    return found.ratio("leduc", race.RULES, race.NORMALHEDGE, race.MATCHING)


def _share(found: Findings) -> float | None:
    if found.cores is None:
        return None
    (share,) = (found.cores.share(solving) for solving in found.cores.speedups if solving.form == cores.GAME)
    return None if share is None else 100 * share


def _bandwidth(found: Findings, cache: int) -> float | None:
    point = large_point(found.growth, cache)
    return None if point is None else 100 * point.bandwidth


def _memory(found: Findings) -> float | None:
    peaks = {memory.name: memory.bytes for memory in found.memory if memory.game == "liars-dice-6"}
    return peaks[OURS] / peaks[_OPENSPIEL] if {OURS, _OPENSPIEL} <= peaks.keys() else None


def _warm(found: Findings) -> float | None:
    return found.ratio(processes.COMMAND_LINE, processes.WARM, processes.WARM, processes.ONE_KERNEL)


def _first(found: Findings) -> float | None:
    measurement = found.find(processes.COMMAND_LINE, processes.FIRST)
    return None if measurement is None else measurement.series[0].median


FORMAT = 2
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
        "agreements": [_agreement(one) for one in found.agreements],
        "measurements": [_measurement(one) for one in found.measurements],
        "limits": _limits(found),
        "loads": [load | reached(found, one) for one in found.loads for load in [_load(one)]],
        "growth": [_point(one) for one in found.growth],
        "memory": [{"game": one.game, "name": one.name, "bytes": one.bytes} for one in found.memory],
        "cores": _cores(found),
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


def _agreement(one: Agreement) -> dict[str, Any]:
    return vars(one) | {"difference": one.difference, "agrees": one.agrees}


def _measurement(one: Measurement) -> dict[str, Any]:
    return {
        "game": one.game,
        "quantity": one.quantity,
        "note": one.note,
        "series": [_series(series) for series in one.series],
        "ratios": _ratios(one),
    }


def _series(series: Series) -> dict[str, Any]:
    return {
        "name": series.name,
        "note": series.note,
        "median": series.median,
        "quartiles": series.quartiles,
        "batches": [batch._asdict() for batch in series.batches],
    }


def _ratios(one: Measurement) -> list[dict[str, Any]]:
    """How many times as long everybody else takes as each of our own series."""
    ours = [series.name for series in one.series if series.name in (OURS, FROM_DICTIONARY)]
    names = [series.name for series in one.series if series.name not in ours]
    pairs = [(name, mine, one.ratio(name, mine)) for mine in ours for name in names]
    return [{"name": name, "to": mine, **ratio._asdict()} for name, mine, ratio in pairs if ratio is not None]


def _limits(found: Findings) -> dict[str, Any] | None:
    if found.limits is None:
        return None
    return {
        limits.READ: found.limits.read,
        limits.TRIAD: found.limits.triad,
        "bandwidth": found.limits.bandwidth,
        "product": found.limits.product,
        "entries": found.limits.entries,
    }


def _cores(found: Findings) -> dict[str, Any] | None:
    cores = found.cores
    if cores is None:
        return None
    speedups = [vars(one) | {"factor": one.factor, "share": cores.share(one)} for one in cores.speedups]
    return vars(cores) | {"streaming": cores.streaming, "speedups": speedups}


def _load(load: Load) -> dict[str, Any]:
    return dict(vars(load))


def _point(point: Point) -> dict[str, Any]:
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
