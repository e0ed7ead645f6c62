"""Reports and comparisons as one HTML file each, which holds all it shows; nothing is fetched when it opens."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from regretlab.documents.blocks import Section
from regretlab.documents.html import chart_specs, frame, report_main
from regretlab.errors import UserError
from regretlab.experiments import Comparison
from regretlab.experiments.comparing.presentation import comparison_sections
from regretlab.experiments.findings.boards_report import boards_data, boards_sections, opening_of
from regretlab.experiments.findings.reporting import SuiteReport
from regretlab.files import written_beside
from regretlab.plots.figures import FORMATS, convergence, save

WEB = Path(__file__).with_name("web")

STYLES = ("chart.css", "report.css")
"""How every report looks; where rules contradict each other the later file counts."""

SCRIPTS = (("chart.js", "report.js"),)
"""What runs in every report: modules, each made of files that know each other's names."""

BOARD_STYLES = (*STYLES, "actions.css", "boards.css")
BOARD_SCRIPTS = (*SCRIPTS, ("boards.js",))
"""What the report of batches of spots has besides."""

PAGE = ".html"

LONGEST_FILE_NAME = 60
"""Letters of the name under which a picture is saved."""


def report_page(report: SuiteReport, explorers: Mapping[str, str] | None = None) -> str:
    """The whole report as the text of an HTML file; ``explorers`` are addresses by the files of boards' strategies."""
    lead = f"Report of the suite `{report.name}`, made by regretlab."
    title = report.title or report.name
    if not report.batches:
        return self_contained(report.name, title, lead, report.sections, report.missing)
    links = explorers or {}
    boards = boards_sections(report.batches, opening_of(report.batches, report.command, report.strategies, bool(links)))
    data = {"batches": boards_data(report.batches, links)}
    sections = (*boards, *report.sections)
    return self_contained(report.name, title, lead, sections, report.missing, BOARD_STYLES, BOARD_SCRIPTS, data)


def comparison_page(comparison: Comparison) -> str:
    """A comparison as the text of an HTML file: the table, the charts, the strategies, and what was run."""
    lead = f"Made by regretlab {version('regretlab')}. Amounts are chips a game; times are solving time."
    return self_contained(f"compare-{comparison.game}", comparison.heading, lead, comparison_sections(comparison))


def self_contained(
    name: str,
    title: str,
    lead: str,
    sections: Sequence[Section],
    missing: str = "",
    styles: Sequence[str] = STYLES,
    scripts: Sequence[Sequence[str]] = SCRIPTS,
    data: Mapping[str, Any] | None = None,
) -> str:
    """An HTML file with a title, a sentence below it and sections; what is saved from it is called after ``name``.

    It holds ``data`` for its scripts, by the ids of the elements in which they lie.
    """
    style, modules = _read(styles), [_read(files) for files in scripts]
    # Only what lies in the file may run, and nothing may be asked for: the browser itself sees to it.
    allowed = f"style-src {_hash(style)}; script-src {' '.join(map(_hash, modules))}"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    specs = []
    for spec in chart_specs([chart for section in sections for chart in section.charts]):
        file = re.sub(r"[^a-z0-9+]+", "-", f"{name}-{spec['title']}".lower()).strip("-")
        specs.append({"file": file[:LONGEST_FILE_NAME].strip("-"), **spec})
    ends = [_in_a_script(key, each) for key, each in {"charts": specs, **(data or {})}.items()]
    ends += [f'<script type="module">{module}</script>\n' for module in modules]
    return frame(title, style, report_main(title, lead, sections, missing), policy, "".join(ends))


def _read(files: Sequence[str]) -> str:
    return "".join((WEB / file).read_text(encoding="utf-8") for file in files)


def _in_a_script(key: str, data: Any) -> str:
    """Data for a script, in an element of its own."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    escaped = text.replace("<", "\\u003c")  # which would end the script in which the data lie
    return f'<script type="application/json" id="{key}">{escaped}</script>\n'


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def check_comparison_format(path: str | Path) -> None:
    """Raise UserError unless the file's suffix says how to draw a comparison."""
    if Path(path).suffix.lower() not in (PAGE, *FORMATS):
        raise UserError(f"can't draw '{path}': a plot's name ends in .html, .png, .svg or .pdf")


def draw_comparison(comparison: Comparison, path: str | Path) -> None:
    """Draw into ``path``, in the format that its suffix names; the file is whole or as it was."""
    check_comparison_format(path)
    if Path(path).suffix.lower() != PAGE:
        save(convergence(comparison), path)
        return
    with written_beside(path) as file:
        file.write(comparison_page(comparison).encode())
