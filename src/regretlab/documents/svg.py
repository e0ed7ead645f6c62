"""Pictures as SVG within HTML, for places where no script runs: charts, and mosaics such as the grid of hands.

Text and lines have the colour of the text around them, so that they can be read on light and on dark ground.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from html import escape
from itertools import groupby

from regretlab.documents.blocks import Chart, Mosaic, Scale
from regretlab.documents.numbers import written

COLOURS = ("#1f9d73", "#d97b29", "#5b87e0", "#c45a9f", "#b0932a", "#3aa5b8", "#8b73d6", "#d05f5f")
"""Of the lines of a chart: each can be told from white and from black."""

WIDTH, HEIGHT = 480, 220
LEFT, RIGHT, TOP, BOTTOM = 62, 22, 24, 38
"""Of a chart, and the room around its lines, in pixels."""

TILE_WIDTH, TILE_HEIGHT = 27, 21
LINE = 16
"""The height of a line of text."""

LETTER = 6.4
"""About how wide a letter is."""

TICKS, DIGITS = 5, 2
"""About how many numbers stand along an axis, and how many digits they have: they are round."""


def chart(drawn: Chart) -> str:
    """Lines over one axis, with their names below; what a log axis can't show is left out."""
    across = _axis([x for line in drawn.series for x, _ in line.points], drawn.x_scale, LEFT, WIDTH - RIGHT)
    heights = [y for line in drawn.series for _, y in line.points] + [target.y for target in drawn.targets]
    up = _axis(heights, drawn.y_scale, HEIGHT - BOTTOM, TOP)
    parts = [_text(WIDTH / 2, 14, drawn.title, "middle", "bold")]
    parts += [_text(place, HEIGHT - BOTTOM + LINE, written(x, DIGITS), "middle") for x, place in across.ticks]
    for y, place in up.ticks:
        parts.append(f'<path d="M{LEFT} {place:.1f}H{WIDTH - RIGHT}" stroke="currentColor" opacity=".15"/>')
        parts.append(_text(LEFT - 5, place + 4, written(y, DIGITS), "end"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, f"{drawn.x_label}; height: {drawn.y_label}", "middle"))
    for target in drawn.targets:
        if up.shows(target.y):
            across_all = f'd="M{LEFT} {up.place(target.y):.1f}H{WIDTH - RIGHT}"'
            parts.append(f'<path {across_all} stroke="currentColor" stroke-dasharray="5 4" opacity=".6"/>')
    chosen = (k if line.colour is None else line.colour - 1 for k, line in enumerate(drawn.series))
    colours = [COLOURS[number % len(COLOURS)] for number in chosen]
    for line, colour in zip(drawn.series, colours, strict=True):
        points = [(across.place(x), up.place(y)) for x, y in line.points if across.shows(x) and up.shows(y)]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in _thinned(points))
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>' if points else "")
    names = list(zip((line.name for line in drawn.series), colours, strict=True)) if len(drawn.series) > 1 else []
    below, lines = _legend(names, LEFT, HEIGHT + 10)
    return _picture(drawn.title, WIDTH, HEIGHT + lines * LINE, "".join(parts) + below)


def mosaic(drawn: Mosaic) -> str:
    """The fields with their names, each divided from left to right, and what the colours mean."""
    areas: list[list[str]] = [[] for _ in drawn.kinds]
    names = []
    for row, tiles in enumerate(drawn.rows):
        for column, tile in enumerate(tiles):
            left, top = float(column * TILE_WIDTH), TOP + row * TILE_HEIGHT
            for kind, part in enumerate(tile.parts):
                width = part * (TILE_WIDTH - 1)
                if width >= 0.1:
                    areas[kind].append(f"M{left:.1f} {top}h{width:.1f}v{TILE_HEIGHT - 1}h-{width:.1f}z")
                left += width
            held = sum(tile.parts) > 0
            middle = column * TILE_WIDTH + (TILE_WIDTH - 1) / 2
            names.append(f'<text x="{middle}" y="{top + 14}"{"" if held else _UNHELD}>{escape(tile.name)}</text>')
    width, bottom = TILE_WIDTH * max(map(len, drawn.rows)), TOP + TILE_HEIGHT * len(drawn.rows)
    filled = "".join(
        f'<path fill="{colour}" d="{"".join(area)}"/>' for colour, area in zip(drawn.colours, areas, strict=True)
    )
    below, lines = _legend(list(zip(drawn.kinds, drawn.colours, strict=True)), 0, bottom + LINE)
    title = _text(width / 2, 14, drawn.title, "middle", "bold")
    return _picture(
        drawn.title, width, bottom + (lines + 0.5) * LINE, f"{title}{filled}<g {_HELD}>{''.join(names)}</g>{below}"
    )


_HELD = (
    'font-size="9" text-anchor="middle" fill="#fff" stroke="#000" stroke-opacity=".45" stroke-width="2" '
    'paint-order="stroke"'
)
_UNHELD = ' fill="currentColor" stroke="none" opacity=".4"'
"""Names on a colour are white with a dark rim, all others have the colour of the text around the picture."""


class _Axis:
    """Where numbers stand on an axis, and which are written beside it."""

    def __init__(self, scale: Scale, low: float, high: float, start: float, end: float) -> None:
        self._of: Callable[[float], float] = math.log10 if scale == "log" else float
        self._log = scale == "log"
        self._low, self._high, self._start, self._end = low, high, start, end

    def shows(self, number: float) -> bool:
        """Whether the axis has a place for it."""
        return math.isfinite(number) and (number > 0 or not self._log)

    def place(self, number: float) -> float:
        """The pixel."""
        part = (self._of(number) - self._low) / (self._high - self._low)
        return self._start + part * (self._end - self._start)

    @property
    def ticks(self) -> Iterator[tuple[float, float]]:
        """Round numbers and their pixels."""
        step = 1.0 if self._log else 10 ** math.floor(math.log10((self._high - self._low) / TICKS))
        while (self._high - self._low) / step > 1.6 * TICKS:
            step *= 2
        for k in range(math.ceil(self._low / step - 1e-9), math.floor(self._high / step + 1e-9) + 1):
            number = 10.0 ** (k * step) if self._log else k * step
            yield number, self.place(number)


def _axis(numbers: list[float], scale: Scale, start: float, end: float) -> _Axis:
    """An axis with room for these numbers."""
    shown = [
        math.log10(x) if scale == "log" else x for x in numbers if math.isfinite(x) and (x > 0 or scale == "linear")
    ]
    low, high = min(shown, default=0.0), max(shown, default=1.0)
    if high - low < 1e-12 * max(1.0, abs(high)):
        low, high = low - 0.5, high + 0.5
    return _Axis(scale, low, high, start, end)


def _thinned(points: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Of the points in each column of pixels the first, the lowest, the highest and the last."""
    for _, column in groupby(points, lambda point: int(point[0])):
        here = list(column)
        heights = [y for _, y in here]
        kept = {0, heights.index(min(heights)), heights.index(max(heights)), len(here) - 1}
        yield from (here[k] for k in sorted(kept))


def _legend(names: list[tuple[str, str]], left: float, top: float) -> tuple[str, int]:
    """Names with their colours, in as many lines as they need; returns how many these are."""
    parts, x, line = [], left, 0
    for name, colour in names:
        room = 18 + LETTER * len(name) + 12
        if x > left and x + room > WIDTH:
            x, line = left, line + 1
        y = top + line * LINE
        parts.append(
            f'<rect x="{x:.0f}" y="{y - 9:.0f}" width="12" height="9" fill="{colour}"/>{_text(x + 17, y, name)}'
        )
        x += room
    return "".join(parts), line + 1 if names else 0


def _text(x: float, y: float, text: str, anchor: str = "start", weight: str = "normal") -> str:
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    thick = "" if weight == "normal" else f' font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{where}{thick}>{escape(text)}</text>'


def _picture(title: str, width: float, height: float, inside: str) -> str:
    """The picture, as wide as there is room and no wider than it was drawn."""
    return (
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'style="max-width:100%;height:auto" font-family="system-ui, sans-serif" font-size="11" fill="currentColor">'
        f"{inside}</svg>"
    )
