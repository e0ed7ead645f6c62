"""Findings as one plain dictionary, for JSON and for the picture; every ratio is computed from the timings in it."""

from __future__ import annotations

from typing import Any

from regretlab.bench import limits, machine
from regretlab.bench.clock import SLOWED, Series
from regretlab.bench.race import ITERATION
from regretlab.bench.results import FROM_DICTIONARY, OURS, Agreement, Findings, Load, Measurement, Point
from regretlab.bench.targets import targets

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
