"""What is to be reached, beside what was measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from regretlab.bench import cores, normalhedge, startup
from regretlab.bench.growth import large_point
from regretlab.bench.peers.protocol import EXTERNAL
from regretlab.bench.race import ITERATION, JUDGE
from regretlab.bench.results import FROM_DICTIONARY, OURS, Findings

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
    ratio = found.ratio(startup.COMMAND_LINE, startup.HELP, startup.HELP, startup.BARE)
    return Target("regretlab --help against python -c pass", ratio, 25, 12, "×", True, broken)


def _normalhedge(found: Findings) -> float | None:
    return found.ratio("leduc", normalhedge.QUANTITY, normalhedge.NORMALHEDGE, normalhedge.MATCHING)


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
    return found.ratio(startup.COMMAND_LINE, startup.WARM, startup.WARM, startup.ONE_KERNEL)


def _first(found: Findings) -> float | None:
    measurement = found.find(startup.COMMAND_LINE, startup.FIRST)
    return None if measurement is None else measurement.series[0].median
