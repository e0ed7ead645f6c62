"""A document as a page of its own: no scripts, nothing from elsewhere, formulas in MathML, light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from regretlab.explaining import mathml
from regretlab.explaining.document import (
    Block,
    Branch,
    Bullets,
    Cell,
    Code,
    Document,
    Equations,
    Heading,
    Panel,
    Paragraph,
    Sides,
    Table,
    Tree,
    Words,
)
from regretlab.explaining.expression import Equation, Value
from regretlab.explaining.notation import Notation

_TAGS = {"code": "code", "strong": "strong"}

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


def page(document: Document) -> str:
    """A whole page."""
    chapters = [block for block in document.blocks if isinstance(block, Heading) and block.level == 2]
    links = "".join(f'<li><a href="#{_anchor(chapter)}">{_words(chapter.words)}</a></li>' for chapter in chapters)
    title, *rest = (_block(block, document.notation) for block in document.blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(document.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{title}\n<nav><ul>{links}</ul></nav>\n" + "\n".join(rest) + "\n</main>\n</body>\n</html>\n"
    )


def fragment(document: Document) -> str:
    """The blocks alone, for a page that has a style of its own."""
    return "\n".join(_block(block, document.notation) for block in document.blocks)


def _block(block: Block, notation: Notation) -> str:
    if isinstance(block, Heading):
        anchor = f' id="{_anchor(block)}"' if block.level == 2 else ""
        return f"<h{block.level}{anchor}>{_words(block.words)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{_words(block.words)}</p>"
    if isinstance(block, Bullets):
        return f"<ul>{''.join(f'<li>{_words(item)}</li>' for item in block.items)}</ul>"
    if isinstance(block, Equations):
        return f'<div class="equations">{"".join(_equation(line, notation) for line in block.lines)}</div>'
    if isinstance(block, Table):
        return _table(block, notation)
    if isinstance(block, Tree):
        return f'<pre class="tree">{chr(10).join(map(_branch, block.branches))}</pre>'
    if isinstance(block, Panel):
        lines = "".join(_equation(line, notation) for line in block.lines)
        return f"<aside><b>{escape(block.title)}</b>{_words(block.words)}{lines}</aside>"
    if isinstance(block, Code):
        return f"<pre><code>{escape(block.text)}</code></pre>"
    return f'<div class="sides">{"".join(_sides(block, notation))}</div>'


def _sides(block: Sides, notation: Notation) -> Iterator[str]:
    for side in block.sides:
        inner = "".join(_block(each, notation) for each in side.blocks)
        yield f'<section class="side"><h4>{escape(side.title)}</h4>{inner}</section>'


def _anchor(heading: Heading) -> str:
    return re.sub(r"\W+", "-", "".join(span.text for span in heading.words).lower()).strip("-")


def _words(words: Words) -> str:
    return "".join(
        f"<{_TAGS[span.kind]}>{escape(span.text)}</{_TAGS[span.kind]}>" if span.kind else escape(span.text)
        for span in words
    )


def _equation(equation: Equation, notation: Notation) -> str:
    note = f'<span class="note">{escape(equation.note)}</span>' if equation.note else ""
    return f'<div class="equation">{" ".join(mathml.equation(equation, notation))}{note}</div>'


def _branch(branch: Branch) -> str:
    kind = "here" if branch.here else "path" if branch.on_path else ""
    text = escape(branch.text) + ("  ◀ here" if branch.here else "")
    lead = f'<span class="lead">{branch.lead}</span>' if branch.lead else ""
    return lead + (f'<span class="{kind}">{text}</span>' if kind else text)


def _table(block: Table, notation: Notation) -> str:
    head = "".join(f"<th{_number_class(block, number)}>{escape(cell)}</th>" for number, cell in enumerate(block.head))
    rows = (
        "".join(f"<td{_number_class(block, number)}>{_cell(cell, notation)}</td>" for number, cell in enumerate(row))
        for row in block.rows
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _number_class(block: Table, column: int) -> str:
    return ' class="number"' if column >= block.numbers else ""


def _cell(cell: Cell, notation: Notation) -> str:
    return cell.written(notation).text if isinstance(cell, Value) else escape(cell)
