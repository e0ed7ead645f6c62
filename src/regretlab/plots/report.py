"""The report: one HTML file that holds all it shows. Nothing is computed here, and nothing is fetched when it opens."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import count
from pathlib import Path
from typing import Any

from regretlab.experiments.findings import Cell, Chart, Section, Table, written
from regretlab.experiments.reporting import Report

WEB = Path(__file__).with_name("web")

NO_SCRIPT = "<noscript><p>A script draws the charts; without it, their numbers are there all the same.</p></noscript>"

MOST_ROWS = 20
"""A table with more rows scrolls in a box of its own."""

LONGEST_FILE_NAME = 60
"""Letters of the name under which a picture is saved."""


def page(report: Report) -> str:
    """The whole report as the text of an HTML file."""
    lead = f"Report of the suite `{report.name}`, made by regretlab."
    return self_contained(report.name, report.title or report.name, lead, report.sections, report.missing)


def self_contained(name: str, title: str, lead: str, sections: Sequence[Section], missing: str = "") -> str:
    """An HTML file with a title, a sentence below it and sections; what is saved from it is called after ``name``."""
    style = _source("chart.css") + _source("report.css")
    script = _source("chart.js") + _source("report.js")
    charts = [chart for section in sections for chart in section.charts]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(style, script)}">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join((*_top(title, lead, sections, missing), *_sections(sections)))
        + f'\n</main>\n<script type="application/json" id="charts">{_json(name, charts)}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _source(name: str) -> str:
    return (WEB / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Only what lies in the file may run, and nothing may be asked for: the browser itself sees to it."""
    allowed = f"style-src {_hash(style)}; script-src {_hash(script)}"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _top(title: str, lead: str, sections: Sequence[Section], missing: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    yield f'<p class="lead">{_words(lead)}</p>'
    if missing:
        yield f'<p class="missing" role="note">{_words(missing)}</p>'
    yield NO_SCRIPT
    links = (f'<li><a href="#part-{k}">{escape(part.title)}</a></li>' for k, part in enumerate(sections, 1))
    yield f'<nav aria-label="Contents"><ul>{"".join(links)}</ul></nav>'


def _sections(sections: Sequence[Section]) -> Iterator[str]:
    pictures, tables = count(), count(1)
    for number, section in enumerate(sections, 1):
        yield f'<section aria-labelledby="part-{number}">\n<h2 id="part-{number}">{escape(section.title)}</h2>'
        yield from (f"<p>{_words(paragraph)}</p>" for paragraph in section.paragraphs)
        yield _pictures([_picture(chart, next(pictures)) for chart in section.charts])
        yield from (_titled(table, next(tables)) for table in section.tables)
        yield "</section>"


def _words(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _breakable(text: str) -> str:
    """The same where there is little room: a long name with arguments breaks between them first."""
    return re.sub(r"([(,])(?=[a-z])", r"\1<wbr>", _words(text))


# ---- tables


def _titled(table: Table, number: int) -> str:
    name = f"table-{number}"
    note = f'\n<p class="note">{_words(table.note)}</p>' if table.note else ""
    return f'<h3 id="{name}">{_words(table.title)}</h3>\n{_table(table, f"aria-labelledby={name}")}{note}'


def _table(table: Table, named: str) -> str:
    """A table in a box of its own, in which wide and long ones scroll; the keyboard reaches it, too."""
    numbers = {column for column in range(len(table.head)) if _is_numeric([row[column] for row in table.rows])}
    rows = (_row(row, numbers, {k for r, k in table.best if r == number}) for number, row in enumerate(table.rows))
    box = "scroll long" if len(table.rows) > MOST_ROWS else "scroll"
    return (
        f'<div class="{box}" tabindex="0" role="group" {named}><table {named}>\n'
        f"{_head_row(table.head, numbers)}<tbody>\n{chr(10).join(rows)}\n</tbody></table></div>"
    )


def _head_row(head: Sequence[str], numbers: set[int]) -> str:
    """The names of the columns; a table of names and facts has none."""
    cells = (f'<th scope="col"{_class(k in numbers, False)}>{_words(name)}</th>' for k, name in enumerate(head))
    return f"<thead><tr>{''.join(cells)}</tr></thead>\n" if any(head) else ""


def _is_numeric(cells: Sequence[Cell]) -> bool:
    return all(not isinstance(cell, str) for cell in cells) and any(cell is not None for cell in cells)


def _row(row: Sequence[Cell], numbers: set[int], best: set[int]) -> str:
    first, *others = (_cell(cell, k in best) for k, cell in enumerate(row))
    cells = (f"<td{_class(k in numbers, k in best)}>{cell}</td>" for k, cell in enumerate(others, 1))
    return f'<tr><th scope="row">{first}</th>{"".join(cells)}</tr>'


def _class(number: bool, best: bool) -> str:
    names = " ".join(name for name, given in (("number", number), ("best", best)) if given)
    return f' class="{names}"' if names else ""


def _cell(cell: Cell, best: bool) -> str:
    """What people read, and beside it what it is to the last bit."""
    if cell is None:
        return "–"
    shown = _breakable(cell) if isinstance(cell, str) else f'<data value="{cell!r}">{written(cell)}</data>'
    return f'{shown}<span class="hidden"> (best)</span>' if best else shown


# ---- charts


def _pictures(made: Sequence[str]) -> str:
    """Several charts of a section stand side by side where there is room."""
    return f'<div class="pictures">{"".join(made)}</div>' if len(made) > 1 else "".join(made)


def _picture(chart: Chart, number: int) -> str:
    table = _table(_numbers(chart), f'aria-label="{escape(chart.title)}: numbers"')
    return (
        f'<div class="picture"><div data-chart="{number}"></div>\n'
        f"<details><summary>The numbers in this picture</summary>\n{table}</details></div>"
    )


def _numbers(chart: Chart) -> Table:
    """All that a chart shows."""
    rows: list[tuple[Cell, ...]] = []
    for series in chart.series:
        spread = {x: (low, high) for x, low, high in series.band}
        rows += [(series.name, x, y, *spread.get(x, (None, None))) for x, y in series.points]
    rows += [(target.name, None, target.y, None, None) for target in chart.targets]
    whole = Table("", ("line", chart.x_label, chart.y_label, "low", "high"), tuple(rows))
    if any(series.band for series in chart.series):
        return whole
    return replace(whole, head=whole.head[:3], rows=tuple(row[:3] for row in whole.rows))


def _json(report: str, charts: Sequence[Chart]) -> str:
    """The charts as the module wants them; ``<`` would end the script in which they lie."""
    specs = [_spec(chart, _file_name(f"{report}-{chart.title}")) for chart in charts]
    return json.dumps(specs, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _spec(chart: Chart, file: str) -> dict[str, Any]:
    return {
        "title": chart.title,
        "note": chart.note,
        "file": file,
        "x": {"label": chart.x_label, "scale": chart.x_scale},
        "y": {"label": chart.y_label, "scale": chart.y_scale},
        "series": [
            {
                "name": series.name,
                "points": _finite(series.points),
                **({"band": _finite(series.band)} if series.band else {}),
                **({"dashed": True} if series.dashed else {}),
                **({} if series.colour is None else {"colour": series.colour}),
            }
            for series in chart.series
        ],
        "targets": [vars(target) for target in chart.targets],
    }


def _finite(points: Sequence[Sequence[float]]) -> list[list[float | None]]:
    """JSON knows neither infinities nor NaN; nothing is drawn there."""
    return [[number if math.isfinite(number) else None for number in point] for point in points]


def _file_name(title: str) -> str:
    return re.sub(r"[^a-z0-9+]+", "-", title.lower()).strip("-")[:LONGEST_FILE_NAME].strip("-")
