"""What was found of Hold'em, as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from rich.table import Table

from benchmarks.parts.holdem import DICE, QUANTITY, START
from benchmarks.results import Findings, Flop, Promise, Solved
from regretlab.cli import screen
from regretlab.documents import numbers


def holdem_tables(found: Findings) -> Iterable[tuple[str, Table]]:
    """All tables, each with its title; those of what was not measured are empty."""
    holdem = found.holdem
    flop = holdem.flop
    yield "Hold'em: an iteration on one core, beside one of liar's dice", _iterations(found)
    yield "Hold'em: solved to a part of the pot, on one core", _solved(holdem.solved)
    yield "Hold'em: cards that are drawn, or all walked", _solved(holdem.sampled)
    yield "Hold'em: recipes", _solved(holdem.compared)
    yield "Hold'em: memory of a process of its own", _memory(holdem.memory)
    yield "Hold'em: a second core, and start", _speed(found)
    yield "Hold'em: a flop on all cores", _flop(flop)


def _iterations(found: Findings) -> Table:
    table = screen.new_table("spot", "", "time", "× liar's dice", right=["time", "× liar's dice"])
    for one in found.measurements:
        if one.quantity == QUANTITY:
            for series in one.series:
                ratio = one.ratio(series.name, DICE)
                table.add_row(
                    one.game,
                    series.name,
                    numbers.duration(series.median),
                    numbers.ratio(ratio.median if ratio else None),
                )
    return table


def _solved(every: Sequence[Solved]) -> Table:
    right = ["of the\npot", "itera-\ntions", "solving", "judging"]
    table = screen.new_table("spot", "by", *right, right=right, fold=["spot"])
    for one in every:
        name = one.name if one.precision == "f64" else f"{one.name}, {one.precision}"
        late = f"not within\n{numbers.duration(one.seconds)}"
        count = "–" if one.iterations is None else f"{one.iterations:,}"
        solving = numbers.duration(one.seconds) if one.reached else late
        judging = numbers.duration(one.judging) if one.judging else "–"
        table.add_row(one.spot, name, _percent(one.target), count, solving, judging)
    return table


def _percent(part: float) -> str:
    return f"{100 * part:g} %"


def _memory(promises: Sequence[Promise]) -> Table:
    right = ["promised", "taken"]
    table = screen.new_table("spot", "", *right, right=right)
    for one in promises:
        table.add_row(one.spot, one.precision, _megabytes(one.promised), _megabytes(one.grown))
    return table


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"


def _speed(found: Findings) -> Table:
    table = screen.new_table("what", "time", "beside", "gain", right=["time", "beside", "gain"])
    for one in found.holdem.cores.speedups if found.holdem.cores else ():
        times = [numbers.duration(median(seconds)) for seconds in (one.one, one.two)]
        table.add_row(f"{one.form}, one core and two", *times, numbers.ratio(one.factor))
    for measured in found.measurements:
        if measured.quantity == START:
            table.add_row(f"{measured.game}, {START}", numbers.duration(measured.series[0].median), "–", "–")
    return table


def _flop(flop: Flop | None) -> Table:
    right = ["iteration", "solving", "of the pot", "promised", "taken"]
    table = screen.new_table("spot", *right, right=right)
    if flop is None:
        return table
    for look in flop.solved.looks:
        seconds = numbers.duration(look.seconds)
        table.add_row(flop.solved.spot, f"{look.iteration:,}", seconds, f"{100 * look.part:.3g} %", "", "")
    if flop.memory is not None:
        sizes = (_megabytes(flop.memory.promised), _megabytes(flop.memory.grown))
        table.add_row(f"{numbers.count(flop.cores, 'core')}, {flop.solved.precision}", "", "", "", *sizes)
    return table
