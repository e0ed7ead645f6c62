"""Notebooks: their cells are run while the site is built, and what each shows stands below it.

A notebook is a Markdown file that Jupytext opens in Jupyter: its header names a kernel, and its blocks of Python are
the cells.
"""

import ast
import re
from base64 import b64encode
from contextlib import chdir, redirect_stdout
from html import escape
from io import BytesIO, StringIO
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib

matplotlib.use("agg")  # draws without a screen
from matplotlib import pyplot

DOTS_PER_INCH = 110

HEADER = re.compile(r"---\n(?:.*\n)*?kernelspec:\n(?:.*\n)*?---\n")
CELL = re.compile(r"^```python\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)


def with_outputs(page: str, name: str) -> str:
    """A notebook with what its cells show; any other page as it is."""
    header = HEADER.match(page)
    if header is None:
        return page
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with TemporaryDirectory() as folder, chdir(folder):
        return CELL.sub(lambda cell: cell[0] + box(run(cell["code"], name, namespace)), page[header.end() :])


def run(code: str, name: str, namespace: dict[str, Any]) -> list[str]:
    """Run a cell; returns what it prints and the value of its last expression in HTML."""
    cell = ast.parse(code, name)
    last = cell.body.pop() if isinstance(cell.body[-1], ast.Expr) else None
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(cell, name, "exec"), namespace)
        value = None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    outputs = [preformatted(printed.getvalue())] if printed.getvalue() else []
    if value is not None and not code.rstrip().endswith(";"):  # which asks Jupyter, too, to show nothing
        outputs.append(value._repr_html_() if hasattr(value, "_repr_html_") else preformatted(repr(value)))
    return outputs + figures()


def figures() -> list[str]:
    """The figures that the cell has drawn."""
    drawn = []
    for number in pyplot.get_fignums():
        png = BytesIO()
        pyplot.figure(number).savefig(png, format="png", dpi=DOTS_PER_INCH)
        pyplot.close(number)
        drawn.append(
            f'<img alt="What the cell draws" src="data:image/png;base64,{b64encode(png.getvalue()).decode()}">'
        )
    return drawn


def preformatted(text: str) -> str:
    """Text as it is printed."""
    return f"<pre>{escape(text.rstrip())}</pre>"


def box(outputs: list[str]) -> str:
    """What a cell shows, as a block of HTML, in which Markdown wants no empty line."""
    lines = [line for line in "\n".join(outputs).splitlines() if line.strip()]
    return "\n\n" + "\n".join(['<div class="cell-output">', *lines, "</div>"]) + "\n" if lines else ""
