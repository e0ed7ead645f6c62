"""Reports and comparisons as one HTML file each, which holds all it shows; nothing is fetched when it opens."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from regretlab.documents.blocks import Section
from regretlab.documents.html import chart_specs, frame, report_main
from regretlab.errors import UserError
from regretlab.experiments import Comparison
from regretlab.experiments.comparing.presentation import comparison_sections
from regretlab.experiments.findings.reporting import SuiteReport
from regretlab.files import written_beside
from regretlab.plots.figures import FORMATS, convergence, save

WEB = Path(__file__).with_name("web")

PAGE = ".html"

LONGEST_FILE_NAME = 60
"""Letters of the name under which a picture is saved."""


def report_page(report: SuiteReport) -> str:
    """The whole report as the text of an HTML file."""
    lead = f"Report of the suite `{report.name}`, made by regretlab."
    return self_contained(report.name, report.title or report.name, lead, report.sections, report.missing)


def comparison_page(comparison: Comparison) -> str:
    """A comparison as the text of an HTML file: the table, the charts, the strategies, and what was run."""
    lead = f"Made by regretlab {version('regretlab')}. Amounts are chips a game; times are solving time."
    return self_contained(f"compare-{comparison.game}", comparison.heading, lead, comparison_sections(comparison))


def self_contained(name: str, title: str, lead: str, sections: Sequence[Section], missing: str = "") -> str:
    """An HTML file with a title, a sentence below it and sections; what is saved from it is called after ``name``."""
    style, script = (
        "".join((WEB / f"{part}.{kind}").read_text(encoding="utf-8") for part in ("chart", "report"))
        for kind in ("css", "js")
    )
    # Only what lies in the file may run, and nothing may be asked for: the browser itself sees to it.
    allowed = f"style-src {_hash(style)}; script-src {_hash(script)}"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    specs = []
    for spec in chart_specs([chart for section in sections for chart in section.charts]):
        file = re.sub(r"[^a-z0-9+]+", "-", f"{name}-{spec['title']}".lower()).strip("-")
        specs.append({"file": file[:LONGEST_FILE_NAME].strip("-"), **spec})
    data = json.dumps(specs, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    escaped = data.replace("<", "\\u003c")  # which would end the script in which the charts lie
    scripts = (
        f'<script type="application/json" id="charts">{escaped}</script>\n<script type="module">{script}</script>\n'
    )
    return frame(title, style, report_main(title, lead, sections, missing), policy, scripts)


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
