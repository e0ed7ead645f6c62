"""The report on the founding study, section by section: its texts are in the file, their numbers come from here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from regretlab.documents.blocks import Cell, Chart, Section, Series, Table
from regretlab.documents.numbers import written
from regretlab.evaluation import kuhn_equilibria
from regretlab.experiments.findings.kuhn_report.judge import Judged, Verdict, judge_claims
from regretlab.experiments.findings.kuhn_report.study import (
    ALGORITHMS,
    ALL_DEALS,
    CONFIGURATIONS,
    EARLY,
    ERRORS,
    HORIZONS,
    LONG,
    ORIGINAL,
    ROUNDING,
    SHORT,
    Configuration,
    Phrasing,
    Sample,
    Study,
)
from regretlab.experiments.findings.ranking import geometric_mean
from regretlab.experiments.rows import Row, rows_of
from regretlab.experiments.store import StoredRun

VERDICTS = "What the original study said and what holds"

MIDDLE = 0.025, 0.975
"""Where 95 of 100 runs are."""

TINY = 0.001
"""What rounding to four decimals leaves of a distance to the right value, and more."""

ACTIONS = ("J: bet", "Q: bet", "K: bet", "Qcb: call", "Jc: bet", "Jb: call", "Qb: call", "Kb: call")
"""The actions that tell strategies apart."""

FAMILY = {"J": "α, 0 to 1/3", "K": "3α", "Qcb": "α + 1/3"}
"""What goes together where the bet is as large as the ante."""


Claims = Mapping[str, Sequence[Judged]]
"""Every claim with its verdict, by what it is about."""

Part = tuple[Mapping[str, Any], Sequence[Table], Sequence[Chart]]
"""The numbers of a section: facts for its texts, tables and charts."""


def founding_study(runs: Sequence[StoredRun], planned: int) -> tuple[Section, ...]:
    """What the runs of the suite, of which so many are planned, say about the founding study."""
    if len(runs) < planned:
        missing = f"This part needs all runs of the suite; {len(runs):,} of {planned:,} are there."
        return (Section(VERDICTS, (missing,)),)
    return study_sections(rows_of(runs))


def study_sections(rows: Iterable[Row]) -> tuple[Section, ...]:
    """The whole report on it, from the rows that ``experiment`` returns."""
    study = Study(rows)
    judged = judge_claims(study)
    sections = []
    for text, find in zip(ORIGINAL["sections"], PARTS, strict=True):
        facts, tables, charts = find(study, judged)
        paragraphs = tuple(map(Phrasing(study, facts).format, text["paragraphs"]))
        sections.append(Section(text["title"], paragraphs, tuple(tables), tuple(charts)))
    return tuple(sections)


def _table(
    study: Study,
    name: str,
    rows: Iterable[tuple[Cell, ...]],
    best: frozenset[tuple[int, int]] = frozenset(),
    **facts: object,
) -> Table:
    """The rows below the head and with the words that the file has for them."""
    text, words = ORIGINAL["tables"][name], Phrasing(study, facts)
    return Table(words.format(text["title"]), tuple(text["head"]), tuple(rows), words.format(text["note"]), best)


def _in_short(study: Study, judged: Claims) -> Part:
    everything = [each for group in judged.values() for each in group]
    counts = {str(verdict): sum(each.verdict is verdict for each in everything) for verdict in Verdict}
    wrong = [
        f"on {stakes}, where it is {claim.ours} and not {claim.printed}"
        for stakes, claim in zip(CONFIGURATIONS, judged["Its targets"], strict=True)
        if claim.verdict is Verdict.WRONG
    ]
    return {"claims": len(everything), "wrong_targets": ", and ".join(wrong) or "nowhere"} | counts, (), ()


def _verdicts(study: Study, judged: Claims) -> Part:
    head = ("what it said", "its figure", "ours", "verdict", "why")
    tables = []
    for title, group in judged.items():
        rows = ((each.claim, each.printed, each.ours, str(each.verdict), each.reason) for each in group)
        tables.append(Table(title, head, tuple(rows)))
    return {}, tables, ()


def _sampled_deals(study: Study, judged: Claims) -> Part:
    """How exploitable the four are as they were run; the best are those that are not beyond luck above the least."""

    def level(samples: Sequence[Sample]) -> list[int]:
        least = min(samples, key=lambda one: one.mean)
        return [number for number, one in enumerate(samples) if one is least or (one / least).direction <= 0]

    falls = [study.loss(name, SHORT).mean / study.loss(name, LONG).mean for name in ALGORITHMS]
    table, charts = _losses(study, "sampled_deals", ALGORITHMS, str, level)
    return {"least_fall": min(falls), "largest_fall": max(falls)}, [table], charts


def _all_deals(study: Study, judged: Claims) -> Part:
    """What the rules of the four can do where all deals are walked, from the uniform start and from all starts."""

    def least(samples: Sequence[Sample]) -> list[int]:
        usual = [one.amounts[0] for one in samples]
        return [usual.index(min(usual))]

    def from_all_starts(found: Sample) -> str:
        ends = (found.amounts[0], min(found.amounts), max(found.amounts))
        usual, low, high = (written(each) if each > ROUNDING else "0" for each in ends)
        return usual if usual == low == high else f"{usual} ({low} to {high})"

    table, charts = _losses(study, "all_deals", ALL_DEALS, from_all_starts, least)
    return {}, [table], charts


def _losses(
    study: Study,
    name: str,
    recipes: Iterable[str],
    write: Callable[[Sample], str],
    best: Callable[[Sequence[Sample]], list[int]],
) -> tuple[Table, list[Chart]]:
    """A row for each configuration and horizon, with the best marked, and a chart for each configuration."""
    rows: list[tuple[Cell, ...]] = []
    marked, charts = set(), []
    for stakes in CONFIGURATIONS:
        for iterations in HORIZONS:
            samples = [study.loss(recipe, iterations, stakes) for recipe in recipes]
            marked |= {(len(rows), 2 + column) for column in best(samples)}
            rows.append((str(stakes), f"{iterations:,}", *map(write, samples)))
        series = []
        for colour, recipe in enumerate(recipes, start=1):
            means, band = [], []
            for t in study.checkpoints(recipe, stakes):
                found = study.loss(recipe, t, stakes)
                ordered, last = sorted(found.amounts), len(found.amounts) - 1
                means.append((float(t), found.mean))
                band.append((float(t), ordered[round(0.05 * last)], ordered[round(0.95 * last)]))
            series.append(Series(ALL_DEALS.get(recipe, recipe), tuple(means), tuple(band), colour=colour))
        note = "The mean of all runs; the band holds the middle nine tenths of them."
        title, amount = f"Exploitability on {stakes}", "milli-chips a game"
        charts.append(Chart(title, "iterations", amount, "log", "log", tuple(series), note=note))
    return _table(study, name, rows, frozenset(marked)), charts


def _its_measure(study: Study, judged: Claims) -> Part:
    """What the study called error: what it printed, and what many runs give for it."""
    rows, inside = [], 0
    for (stakes, iterations), printed_row in ERRORS.items():
        for name, printed in printed_row.items():
            ours = study.error(name, iterations, stakes)
            below = ours.share_below(printed)
            inside += MIDDLE[0] <= below <= MIDDLE[1]
            rows.append((str(stakes), f"{iterations:,}", name, f"{printed:.6f}", str(ours), f"{below:.0%}"))
    plus, printed = study.error("CFR+", SHORT), ERRORS[CONFIGURATIONS[0], SHORT]["CFR+"]
    as_near = round(plus.share_below(printed) * len(plus.amounts))
    exact = ((each, float(kuhn_equilibria(each.ante, each.bet).value)) for each in CONFIGURATIONS)
    floors = [(each, abs(each.value - value)) for each, value in exact]
    said = " and ".join(f"{floor:.4f} on {each}" for each, floor in floors if floor > TINY)
    facts = {"inside": inside, "cells": len(rows), "as_near": as_near, "floors": said}
    return facts, [_table(study, "its_measure", rows)], ()


def _learned(study: Study, judged: Claims) -> Part:
    """Strategies beside the family of equilibria."""

    def played(measure: str, name: str, stakes: Configuration = CONFIGURATIONS[0]) -> str:
        found = study.sample(measure, name, LONG, stakes)
        return f"{found.mean:.4f} ± {found.deviation:.4f}"

    printed = [
        (name, f"`{action}`", f"{figures[number]:.4f}", played(f"average({action})", name))
        for number, name in enumerate(ALGORITHMS)
        for action, figures in ORIGINAL["printed"]["strategies"].items()
    ]
    tables = [_table(study, "learned", printed)]
    for stakes in CONFIGURATIONS:
        family = kuhn_equilibria(stakes.ante, stakes.bet)
        shares = {at: str(low) if low == high else f"{low} to {high}" for at, (low, high) in family.ranges.items()}
        shares |= FAMILY if family.regime == "bet = ante" else {}
        rows = []
        for action in ACTIONS:
            ours = (played(f"average({action})", name, stakes) for name in ALGORITHMS)
            rows.append((f"`{action}`", shares[action.partition(":")[0]], *ours))
        rows.append(("distance to them", "0", *(played("distance", name, stakes) for name in ALGORITHMS)))
        tables.append(_table(study, "strategies", rows, stakes=stakes))
    return {}, tables, ()


def _costs(study: Study, judged: Claims) -> Part:
    """Time per iteration."""
    printed, unit = ORIGINAL["printed"]["times"], study.microseconds("CFR+")
    times = {name: study.microseconds(name) for name in (*ALGORITHMS, *ALL_DEALS)}
    rows = [(_shown(name), time, time / unit, printed.get(name)) for name, time in times.items()]
    return {}, [_table(study, "costs", rows)], ()


def _which_when(study: Study, judged: Claims) -> Part:
    """What to take, from what the runs show over the four configurations."""

    def typical(name: str, iterations: int) -> float:
        found = (study.loss(name, iterations, each).mean for each in CONFIGURATIONS)
        return geometric_mean([max(each, ROUNDING) for each in found])

    def ranked(names: Iterable[str], iterations: int) -> list[str]:
        return sorted(names, key=lambda name: typical(name, iterations))

    def left(name: str, iterations: int) -> str:
        found = study.loss(name, iterations)
        return str(found) if found.mean > ROUNDING else "0"

    choices = [(f"all deals can be walked, {each:,} iterations", ALL_DEALS, each) for each in (EARLY, LONG)]
    choices += [(f"deals are sampled, {each:,} iterations", ALGORITHMS, each) for each in HORIZONS]
    rows = []
    for when, names, iterations in choices:
        first, second = ranked(names, iterations)[:2]
        rows.append((when, _shown(first), left(first, iterations), _shown(second), left(second, iterations)))

    full, sampled = ranked(ALL_DEALS, EARLY)[0], ranked(ALGORITHMS, LONG)[0]
    level = []
    for name in ALGORITHMS:
        ratios = (study.loss(name, LONG, each) / study.loss(sampled, LONG, each) for each in CONFIGURATIONS)
        if name != sampled and not any(ratio.direction for ratio in ratios):
            level.append(name)
    pairs = {"plus": ("CFR+", "CFR"), "hedge_plus": ("NormalHedge+", "NormalHedge"), "full_plus": ("cfr+", "cfr")}
    truncation = {key: typical(one, SHORT) / typical(other, SHORT) for key, (one, other) in pairs.items()}
    facts = {
        "full": ALL_DEALS[full],
        "full_time": EARLY * study.microseconds(full) / 1000,
        "full_loss": left(full, EARLY),
        "sampled": sampled,
        "sampled_time": LONG * study.microseconds(sampled) / 1000,
        "sampled_loss": left(sampled, LONG),
        "as_good": f", and {' and '.join(level)} can't be told from it on any configuration" if level else "",
        "sampled_pays": "pays" if truncation["plus"] < 1 else "costs",
        "full_pays": "pays" if truncation["full_plus"] < 1 else "costs",
        "hedge": typical("NormalHedge", LONG) / typical("CFR", LONG),
    }
    return facts | truncation, [_table(study, "which_when", rows)], ()


def _shown(name: str) -> str:
    return name if name in ALGORITHMS else f"`{ALL_DEALS[name]}`"


PARTS = (_in_short, _verdicts, _sampled_deals, _all_deals, _its_measure, _learned, _costs, _which_when)
"""In the order of the sections in the file."""
