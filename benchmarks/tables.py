"""Findings as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import TypeVar

from rich.table import Table
from rich.text import Text

from benchmarks.clock import Series
from benchmarks.holdem_tables import holdem_tables
from benchmarks.machine import last_level_cache
from benchmarks.parts.processes import COMMAND_LINE
from benchmarks.parts.race import RULES
from benchmarks.report import Target, reached, targets
from benchmarks.results import FROM_DICTIONARY, OURS, Agreement, Findings, Measurement
from regretlab.cli import screen
from regretlab.documents import numbers

OfAGame = TypeVar("OfAGame", Agreement, Measurement)

FEW = 5
"""Below so many batches a time is marked as approximate."""

_BYTES = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))
_STYLES = {"aim": "bold green", "met": "green", "missed": "bold red", "not measured": "dim"}


def print_findings(found: Findings, json: Path | None, plot: Path | None) -> None:
    """All tables, what was left out, and where the files are."""
    page = screen.Page()
    machine = found.machine
    page.print(f"One core of {machine['processor']}, {machine['cores']} in all", style="bold")
    page.print(", ".join(f"{name} {version}" for name, version in found.versions.items()), style="dim")
    page.print()
    for title, table in _tables(found):
        if table.row_count:
            page.print(title, style="bold")
            page.table(table)
    for one in found.left_out:
        page.print(f"Left out: {one.what}: {one.why}")
    again, kept = f"again because the machine was slowed: {found.retries:,}", f"{found.disturbed:,}"
    page.print(f"Batches measured {again}; kept although it was slowed every time: {kept}")
    for what, file in (("All timings are", json), ("The plot is", plot)):
        if file is not None:
            page.print(f"{what} in {file}", soft_wrap=True)


def _tables(found: Findings) -> Iterable[tuple[str, Table]]:
    yield "Does everybody compute the same? Exploitability, and how far from it peers are", _agreement_table(found)
    yield "Times, and how many times as long as regretlab (± half the interquartile range)", _race_table(found)
    yield "What the machine allows, and which share of it an iteration of CFR+ reaches", _limit_table(found)
    yield "How cost grows", _growth_table(found)
    yield "Peak memory of a process, from the start of Python to the exploitability", _memory_table(found)
    yield "What a second core brings", _core_table(found)
    yield "Two cores beside busy neighbours, liar's dice", _neighbour_table(found)
    yield "Rules, and cold start", _pair_table(found)
    yield from holdem_tables(found)
    yield "What is to be reached", _target_table(found)


def _agreement_table(found: Findings) -> Table:
    """A line a game and algorithm, a column a peer."""
    peers = list(dict.fromkeys(one.peer for one in found.agreements))
    headings = ("", "after", "regretlab", *map(_in_two_lines, peers))
    table = screen.new_table(*headings, right=headings[1:], fold=[""])
    table.caption, table.caption_justify = _allowed(found.agreements), "left"
    for game, agreements in _by_game(found.agreements):
        table.add_row(Text(game, style="bold"))
        for algorithm, count in dict.fromkeys((one.algorithm, one.iterations) for one in agreements):
            row = {one.peer: one for one in agreements if (one.algorithm, one.iterations) == (algorithm, count)}
            ours = next(iter(row.values())).ours
            table.add_row(algorithm, f"{count:,}", f"{ours:.9f}", *(_difference(row.get(peer)) for peer in peers))
    return table


def _difference(one: Agreement | None) -> Text:
    """The relative difference, or that it is too large."""
    if one is None:
        return Text("–")
    return Text(f"{one.difference:.0e}" if one.difference else "0") if one.agrees else Text("DISAGREES", "bold red")


def _allowed(agreements: Sequence[Agreement]) -> str:
    """How large a difference may be, line by line."""
    exact = [f"up to {one.tolerance:.0e}: rounding" for one in agreements if not one.convention and not one.seeds]
    nearly = [f"{one.peer} up to {one.tolerance:.0e}: {one.convention}" for one in agreements if one.convention]
    random = [
        f"{one.game}, {one.algorithm}, in distribution only: medians of {one.seeds} seeds, "
        f"× {1 / (1 - one.tolerance):.2g}"
        for one in agreements
        if one.seeds
    ]
    return "Allowed are\n" + "\n".join(dict.fromkeys([*exact, *nearly, *random]))


def _by_game(found: Sequence[OfAGame]) -> Iterable[tuple[str, list[OfAGame]]]:
    """What belongs to each game, in the order in which the games came."""
    for game in dict.fromkeys(one.game for one in found):
        yield game, [one for one in found if one.game == game]


def _in_two_lines(name: str) -> str:
    """A long name for the head of a narrow column."""
    return name.replace(" ", "\n", 1)


def _race_table(found: Findings) -> Table:
    races = [one for one in found.measurements if one.get(OURS) is not None]
    others = [series.name for one in races for series in one.series if series.name not in (OURS, FROM_DICTIONARY)]
    peers = list(dict.fromkeys(others))
    headings = ("", OURS, *map(_in_two_lines, peers))
    table = screen.new_table(*headings, right=headings[1:], fold=[""])
    for game, measurements in _by_game(races):
        table.add_row(Text(game, style="bold"))
        for one in measurements:
            for ours in (OURS, FROM_DICTIONARY):
                series = one.get(ours)
                if series is not None:
                    cells = (_peer_cell(one, peer, ours) for peer in peers)
                    table.add_row(_quantity(one, ours), _time(series, "\n"), *cells)
    return table


def _quantity(one: Measurement, ours: str) -> str:
    """What was measured, by which of our series."""
    origin = ", from a dictionary" if ours == FROM_DICTIONARY else ""
    return f"{one.quantity}{origin}{f' ({one.note})' if one.note else ''}"


def _peer_cell(one: Measurement, peer: str, ours: str) -> Text:
    """The peer's time, and below it the ratio; ≈ where too few batches were measured, or none."""
    series, ratio = one.get(peer), one.ratio(peer, ours)
    if series is None or ratio is None:
        return Text("–")
    about = "≈ " if series.note or len(series.batches) < FEW else ""
    spread = "" if about else f" {_spread(ratio.median, ratio.low, ratio.high)}"
    return Text.assemble(about, numbers.duration(series.median), "\n", (numbers.ratio(ratio.median), "bold"), spread)


def _time(series: Series, between: str = " ") -> str:
    """The median and the spread."""
    return f"{numbers.duration(series.median)}{between}{_spread(series.median, *series.quartiles)}"


def _spread(median: float, low: float, high: float) -> str:
    """Half the interquartile range in percent of the median."""
    return f"±{50 * (high - low) / median:.0f}%"


def _limit_table(found: Findings) -> Table:
    headings = (
        "",
        "payoff\nentries",
        "bytes an\niteration",
        "operations",
        "time",
        "of the\nbandwidth",
        "of the\nproduct",
    )
    table = screen.new_table(*headings, right=headings[1:])
    if found.limits is None:
        return table
    peak, each = found.limits.bandwidth, 1 / found.limits.entries
    table.add_row("the machine", "", "", "", "", f"{peak / 1e9:.1f} GB/s", f"{numbers.duration(each)}/entry")
    for load in found.loads:
        share = reached(found, load)
        if share["seconds"] is not None:
            shares = (f"{100 * share[key]:.0f} %" for key in ("share_of_bandwidth", "share_of_product"))
            sizes = (f"{load.entries:,}", _size(load.bytes), f"{load.operations:,}")
            table.add_row(load.game, *sizes, numbers.duration(share["seconds"]), *shares)
    return table


def _growth_table(found: Findings) -> Table:
    headings = ("family", "size", "payoff\nentries", "all\narrays", "an\niteration", "ns an\nentry", "band-\nwidth")
    table = screen.new_table(*headings, right=headings[1:])
    for point in found.growth:
        sizes = (f"{point.load.entries:,}", _size(point.load.footprint))
        costs = (_time(point.series), f"{point.nanoseconds:.2f}", f"{100 * point.bandwidth:.0f} %")
        table.add_row(point.family, point.name, *sizes, *costs)
    return table


def _memory_table(found: Findings) -> Table:
    headings = ("solving:\npeak", "\n× regretlab", "and judging:\npeak", "\n× regretlab")
    table = screen.new_table("game", "", *headings, right=headings, leads=2)
    for memory in found.memory:
        ours = found.memory[0]
        ratios = numbers.ratio(memory.solved / ours.solved), numbers.ratio(memory.bytes / ours.bytes)
        table.add_row(memory.game, memory.name, _size(memory.solved), ratios[0], _size(memory.bytes), ratios[1])
    return table


def _core_table(found: Findings) -> Table:
    """What the second core brings to streaming, and to solving."""
    headings = ("", "payoff\nentries", "one core", "two", "gain", "of what\nstreaming gains")
    table = screen.new_table(*headings, right=headings[1:])
    cores = found.cores
    if cores is None:
        return table
    streams = (f"{8e-9 * median(words):.1f} GB/s" for words in (cores.alone, cores.together))
    table.add_row("streaming", "", *streams, numbers.ratio(cores.streaming), "")
    for one in cores.speedups:
        share = cores.share(one)
        times = (numbers.duration(median(seconds)) for seconds in (one.one, one.two))
        part = "–" if share is None else f"{100 * share:.0f} %"
        table.add_row(one.form, f"{one.entries:,}", *times, numbers.ratio(one.factor), part)
    return table


def _neighbour_table(found: Findings) -> Table:
    """Liar's dice with one core and with two, while other programs want them."""
    headings = ("busy neighbours", "one core", "two", "time of one core")
    table = screen.new_table(*headings, right=headings)
    for one in found.neighbours:
        times = (numbers.duration(median(seconds)) for seconds in (one.one, one.two))
        table.add_row(str(one.neighbours), *times, numbers.ratio(one.slowdown))
    return table


def _pair_table(found: Findings) -> Table:
    """Measurements of two things beside each other: the first is held against the second."""
    headings = ("what", "time", "beside", "time ", "ratio")
    table = screen.new_table(*headings, right=["time", "time ", "ratio"], fold=["what", "beside"])
    pairs = [one for one in found.measurements if one.game == COMMAND_LINE or one.quantity == RULES]
    for one in pairs:
        above, below = one.series[0], one.series[1] if len(one.series) > 1 else None
        ratio = one.ratio(above.name, below.name) if below else None
        beside = ("–", "–") if below is None else (below.name, _time(below))
        table.add_row(above.name, _time(above), *beside, numbers.ratio(ratio.median if ratio else None))
    return table


def _target_table(found: Findings) -> Table:
    headings = ("", "measured", "at least", "aim", "reached")
    table = screen.new_table(*headings, right=headings[1:4], fold=[""])
    for one in targets(found, last_level_cache()):
        verdict = Text(one.broken or one.verdict, style=_STYLES[one.verdict])
        table.add_row(one.what, *(_goal(one, number) for number in (one.measured, one.least, one.aim)), verdict)
    return table


def _goal(target: Target, number: float | None) -> str:
    """A number of a target in its unit."""
    if number is None:
        return "–"
    sign = "≤ " if target.smaller_is_better and number is not target.measured else ""
    unit = "×" if target.unit == "×" else f" {target.unit}".rstrip()
    return f"{sign}{numbers.significant(number, 2)}{unit}"


def _size(count: int) -> str:
    size, unit = next(((size, unit) for size, unit in _BYTES if count >= size), (1, "B"))
    return f"{numbers.significant(count / size, 3)} {unit}"
