"""What a report says, as plain values: sections made of sentences, tables and charts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Cell = str | float | None
"""Text, a number or nothing; numbers are shown as ``written`` and kept to the last bit beside that."""

Scale = Literal["log", "linear"]


@dataclass(frozen=True)
class Table:
    """A table of which every row is as long as its head."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""  # one or two sentences below it
    best: frozenset[tuple[int, int]] = frozenset()  # the cells to mark: (row, column), both from 0


@dataclass(frozen=True)
class Series:
    """One line of a chart."""

    name: str
    points: tuple[tuple[float, float], ...]  # (x, y), x ascending
    band: tuple[tuple[float, float, float], ...] = ()  # (x, low, high): the spread around it
    dashed: bool = False
    colour: int | None = None  # 1 to 8, so that one recipe looks the same in all charts; else the chart chooses


@dataclass(frozen=True)
class Target:
    """A level to compare with: a dashed horizontal line."""

    name: str
    y: float


@dataclass(frozen=True)
class Chart:
    """Lines over one axis. On a log axis only what is above 0 can be drawn; the data keep the rest."""

    title: str
    x_label: str
    y_label: str
    x_scale: Scale
    y_scale: Scale
    series: tuple[Series, ...]
    targets: tuple[Target, ...] = ()
    note: str = ""  # one or two sentences below it


@dataclass(frozen=True)
class Section:
    """A part of a report. Paragraphs are plain text, in which `code` stands between backticks."""

    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True)
class Findings:
    """Everything that runs have shown, in the order in which it is read."""

    sections: tuple[Section, ...]


def written(number: float, digits: int = 3) -> str:
    """A number as people read it, in sentences and tables; −0.0 is 0.

    >>> written(0.0123456), written(-12345.6), written(1.234e-5), written(-0.0), written(10_000)
    ('0.0123', '−12,346', '1.23·10⁻⁵', '0', '10,000')
    """
    if not math.isfinite(number):
        return "–" if math.isnan(number) else _signed(f"{number}".replace("inf", "∞"))
    size = abs(number)
    if size == 0 or (number == int(number) and size < _LARGE):
        return _signed(f"{int(number):,}")
    if _SMALL <= size < _LARGE:
        return _signed(f"{number:,.{max(0, digits - 1 - math.floor(math.log10(size)))}f}")
    factor, exponent = f"{number:.{digits - 1}e}".split("e")
    return f"{_signed(factor)}·10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


_SMALL, _LARGE = 1e-4, 1e7
"""Between these a number is written out; beyond them it has an exponent."""

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _signed(text: str) -> str:
    return text.replace("-", "−")
