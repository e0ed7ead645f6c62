"""``regretlab report``: what the runs of a suite show, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from regretlab.cli import show
from regretlab.cli.options import AsJson, StoreFile
from regretlab.cli.target import check_target
from regretlab.errors import UserError

EXAMPLES = """Examples:
  regretlab report quick
  regretlab report kuhn-report -o report.html
  regretlab report my_suite.toml -o my_suite.html --store my_results.sqlite"""

ENDINGS = (".html", ".htm")


def report(
    suite: Annotated[str, Parameter(help="The suite: a name such as quick, or a .toml file of your own.")],
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], metavar="FILE", help="The report. [default: the suite's name with .html]"),
    ] = None,
    store: StoreFile = None,
    json: AsJson = False,
) -> None:
    """Write what the runs of a suite show into one HTML file.

    It opens in any browser, also offline: a summary in words, charts, tables,
    and where every number comes from. Run the suite first: regretlab experiment.
    """
    target = Path(f"{Path(suite).stem}.html") if output is None else output
    if target.suffix.lower() not in ENDINGS:
        raise UserError(f"can't write '{target}': a report's name ends in .html")
    check_target(target)
    from regretlab.experiments.findings.reporting import read_report
    from regretlab.files import written_beside
    from regretlab.plots import report_page

    found = read_report(suite, store)
    text = report_page(found).encode()
    with written_beside(target) as file:
        file.write(text)
    if json:
        show.as_json({"file": str(target), "bytes": len(text), "suite": found.name, "missing": found.missing or None})
        return
    screen = show.Page()
    screen.print(f"The report is in {target} ({len(text) / 1000:,.0f} kB)", soft_wrap=True)
    if found.missing:
        screen.print(found.missing.replace("`", ""), soft_wrap=True)
