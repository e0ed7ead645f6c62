"""Documents and reports in HTML: nothing from elsewhere, formulas in MathML, light and dark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import count
from typing import Any

from regretlab.documents import blocks, mathml
from regretlab.documents.blocks import cell_text, prose
from regretlab.documents.expressions import Equation
from regretlab.documents.numbers import Notation, plain

LONG_TABLE = 20
"""A table with a title and more rows scrolls in a box of its own."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #fff; --raised: #f6f8fa; --line: #d1d9e0;
  --accent: #0b6e4f; --path: #8a4600; --side: #6639a6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa4af; --paper: #0f1318; --raised: #181e25;
  --line: #343c46; --accent: #5fd3a6; --path: #f0b35a; --side: #c4a5ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1rem; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin-top: 2.5rem; padding-bottom: .3rem; border-bottom: 2px solid var(--accent); }
h3 { margin-top: 2rem; padding-left: .6rem; border-left: 4px solid var(--accent); }
h4 { margin: 0 0 .5rem; color: var(--side); overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; list-style: none; }
a { color: var(--accent); }
code, pre { font-family: ui-monospace, monospace; font-size: .92em; }
pre, .equations { overflow-x: auto; padding: .6rem .8rem; background: var(--raised); border-radius: .4rem; }
pre { line-height: 1.35; }
math { font-family: "STIX Two Math", "Cambria Math", "Latin Modern Math", "DejaVu Math TeX Gyre", math, serif; }
.equation { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3rem .3rem; margin: .45rem 0; }
.note, .lead { color: var(--soft); }
.note { font-size: .9em; }
.path { font-weight: 600; }
.here { font-weight: 700; color: var(--path); }
aside { margin: 1rem 0; padding: .6rem .9rem; background: var(--raised); border-left: 4px solid var(--path);
  border-radius: .3rem; }
aside b { display: block; color: var(--path); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1rem; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: .8rem;
  align-items: start; margin: 1rem 0; }
.side { min-width: 0; padding: .7rem; border: 1px solid var(--side); border-radius: .5rem; }
.side > :last-child { margin-bottom: 0; }
.side th, .side td { padding: .25rem .35rem; font-size: .93rem; }
"""


def frame(title: str, style: str, main: str, policy: str = "", scripts: str = "") -> str:
    """A page of its own around what it shows; the browser keeps to the ``policy``, if there is one."""
    rules = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n' if policy else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{rules}'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n{main}\n</main>\n"
        f"{scripts}</body>\n</html>\n"
    )


def page(document: blocks.Document) -> str:
    """A document as a page, with links to its chapters below the title; it has no scripts."""
    chapters = [block for block in document.blocks if isinstance(block, blocks.Heading) and block.level == 2]
    links = "".join(f'<li><a href="#{_anchor(chapter)}">{_words(chapter.words)}</a></li>' for chapter in chapters)
    title, *rest = (_block(block, document.notation) for block in document.blocks)
    return frame(document.title, _STYLE, "\n".join((title, f"<nav><ul>{links}</ul></nav>", *rest)))


def fragment(document: blocks.Document) -> str:
    """The blocks alone, for a page that has a style of its own."""
    return "\n".join(_block(block, document.notation) for block in document.blocks)


def _block(block: blocks.Block, notation: Notation) -> str:
    if isinstance(block, blocks.Heading):
        anchor = f' id="{_anchor(block)}"' if block.level == 2 else ""
        return f"<h{block.level}{anchor}>{_words(block.words)}</h{block.level}>"
    if isinstance(block, blocks.Paragraph):
        return f"<p>{_words(block.words)}</p>"
    if isinstance(block, blocks.Bullets):
        return f"<ul>{''.join(f'<li>{_words(item)}</li>' for item in block.items)}</ul>"
    if isinstance(block, blocks.Equations):
        return f'<div class="equations">{"".join(_equation(line, notation) for line in block.lines)}</div>'
    if isinstance(block, blocks.Table):
        return _table(block, notation)
    if isinstance(block, blocks.DrawnTree):
        lines = []
        for branch in block.branches:
            kind = "here" if branch.here else "path" if branch.on_path else ""
            lead = f'<span class="lead">{branch.lead}</span>' if branch.lead else ""
            text = escape(branch.marked)
            lines.append(lead + (f'<span class="{kind}">{text}</span>' if kind else text))
        return f'<pre class="tree">{chr(10).join(lines)}</pre>'
    if isinstance(block, blocks.Panel):
        below = "".join(_equation(line, notation) for line in block.lines)
        return f"<aside><b>{escape(block.title)}</b>{_words(block.words)}{below}</aside>"
    if isinstance(block, blocks.Code):
        return f"<pre><code>{escape(block.text)}</code></pre>"
    sides = ((side.title, "".join(_block(each, notation) for each in side.blocks)) for side in block.sides)
    boxes = (f'<section class="side"><h4>{escape(title)}</h4>{inner}</section>' for title, inner in sides)
    return f'<div class="sides">{"".join(boxes)}</div>'


def _anchor(heading: blocks.Heading) -> str:
    return re.sub(r"\W+", "-", "".join(span.text for span in heading.words).lower()).strip("-")


def _words(words: blocks.Words) -> str:
    return "".join(
        f"<{span.kind}>{escape(span.text)}</{span.kind}>" if span.kind else escape(span.text) for span in words
    )


def _equation(equation: Equation, notation: Notation) -> str:
    note = f'<span class="note">{escape(equation.note)}</span>' if equation.note else ""
    return f'<div class="equation">{" ".join(mathml.equation(equation, notation, by_terms=True))}{note}</div>'


def _table(table: blocks.Table, notation: Notation, named: str = "") -> str:
    """A table in a box in which a wide one scrolls; if it is ``named``, by an attribute, the keyboard reaches it."""
    numeric = [table.is_numeric(column) for column in range(len(table.head))]

    def classes(column: int, best: bool = False) -> str:
        names = " ".join(name for name, given in (("number", numeric[column]), ("best", best)) if given)
        return f' class="{names}"' if names else ""

    head = "".join(f'<th scope="col"{classes(k)}>{_words(prose(name))}</th>' for k, name in enumerate(table.head))
    rows = []
    for number, row in enumerate(table.rows):
        marked = [(number, column) in table.best for column in range(len(row))]
        cells = []
        for cell, best in zip(row, marked, strict=True):
            if isinstance(cell, str):
                # Where there is little room, a long name with arguments breaks between them first.
                shown = re.sub(r"([(,])(?=[a-z])", r"\1<wbr>", _words(prose(cell)))
            else:
                shown = cell_text(cell, notation)
                if isinstance(cell, blocks.Share):
                    shown = f'<meter value="{cell.part:.4f}"></meter> <span class="share">{shown}</span>'
                if isinstance(cell, float | int):  # what was measured is kept to the last bit
                    shown = f'<data value="{cell!r}">{shown}</data>'
            cells.append(f'{shown}<span class="hidden"> (best)</span>' if best else shown)
        fields = [f"<td{classes(k, marked[k])}>{cell}</td>" for k, cell in enumerate(cells)]
        if table.title:
            fields[0] = f'<th scope="row">{cells[0]}</th>'
        rows.append(f"<tr>{''.join(fields)}</tr>\n")
    box = "scroll long" if table.title and len(rows) > LONG_TABLE else "scroll"
    reached = f' tabindex="0" role="group" {named}' if named else ""
    return (
        f'<div class="{box}"{reached}><table{f" {named}" if named else ""}>\n'
        + (f"<thead><tr>{head}</tr></thead>\n" if any(table.head) else "")  # one of names and facts has no head
        + f"<tbody>\n{''.join(rows)}</tbody></table></div>"
    )


# ---- reports


def report_main(title: str, lead: str, sections: Sequence[blocks.Section], missing: str = "") -> str:
    """What a report shows: a title, a sentence below it, what is ``missing``, links to the sections, the sections.

    A script draws the charts, from what ``chart_specs`` gives it.
    """
    links = (f'<li><a href="#part-{k}">{escape(part.title)}</a></li>' for k, part in enumerate(sections, 1))
    shown = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="lead">{_words(prose(lead))}</p>',
        *([f'<p class="missing" role="note">{_words(prose(missing))}</p>'] if missing else []),
        "<noscript><p>A script draws the charts; without it, their numbers are there all the same.</p></noscript>",
        f'<nav aria-label="Contents"><ul>{"".join(links)}</ul></nav>',
    ]
    notation, charts, tables = Notation(), count(), count(1)
    for part, section in enumerate(sections, 1):
        shown.append(f'<section aria-labelledby="part-{part}">\n<h2 id="part-{part}">{escape(section.title)}</h2>')
        shown += [f"<p>{_words(prose(paragraph))}</p>" for paragraph in section.paragraphs]
        if section.scripted:
            shown.append(f'<div id="{section.scripted}"></div>')
        pictures = []
        for chart in section.charts:
            numbers = _table(chart.table, notation, f'aria-label="{escape(chart.table.title)}"')
            pictures.append(
                f'<div class="picture"><div data-chart="{next(charts)}"></div>\n'
                f"<details><summary>The numbers in this picture</summary>\n{numbers}</details></div>"
            )
        # Several charts of a section stand side by side where there is room.
        side_by_side = "".join(pictures)
        shown.append(f'<div class="pictures">{side_by_side}</div>' if len(pictures) > 1 else side_by_side)
        for table in section.tables:
            name = f"table-{next(tables)}"
            note = f'\n<p class="note">{_words(prose(table.note))}</p>' if table.note else ""
            whole = _table(table, notation, f"aria-labelledby={name}")
            shown.append(f'<h3 id="{name}">{_words(prose(table.title))}</h3>\n{whole}{note}')
        shown.append("</section>")
    return "\n".join(shown)


def chart_specs(charts: Sequence[blocks.Chart]) -> list[dict[str, Any]]:
    """Charts as the script that draws them wants them, for JSON; where a number is not finite, nothing is drawn."""
    return [
        {
            "title": chart.title,
            "note": chart.note,
            "x": {"label": chart.x_label, "scale": chart.x_scale},
            "y": {"label": chart.y_label, "scale": chart.y_scale},
            "series": [
                {
                    "name": series.name,
                    "points": plain(series.points),
                    **({"band": plain(series.band)} if series.band else {}),
                    **({"dashed": True} if series.dashed else {}),
                    **({} if series.colour is None else {"colour": series.colour}),
                }
                for series in chart.series
            ],
            "targets": [vars(target) for target in chart.targets],
        }
        for chart in charts
    ]
