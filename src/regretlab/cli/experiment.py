"""``regretlab experiment`` and ``report``: a suite of runs, to the end, and what they show in one file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.table import Table

from regretlab.cli import batch, screen
from regretlab.cli.progress import INTERRUPTED, RunDisplay
from regretlab.cli.screen import AsJson, StoreFile, check_store, check_target
from regretlab.documents import numbers
from regretlab.errors import UserError
from regretlab.spec import read_bytes, whole

if TYPE_CHECKING:
    from regretlab.experiments import Suite
    from regretlab.experiments.findings.reporting import SuiteReport
    from regretlab.experiments.jobs import Job, Means
    from regretlab.experiments.running import Outcome

EXAMPLES = """Examples:
  regretlab experiment
  regretlab experiment quick
  regretlab experiment convergence --dry-run
  regretlab experiment my_suite.toml --store my_results.sqlite
  regretlab experiment rivers.toml --workers 4 --memory 8GB
  regretlab experiment my_suite.toml --on ray://head:10001"""

FAILED = 1
"""The exit status where some runs could not be performed."""

MOST_CHECKPOINTS = 4
"""The table has a column for each of the last so many checkpoints; the store has them all."""

LEAST_ROOM, REST = 24, 56
"""The width that recipes have in the table at 80 columns; beyond that all but what the REST takes."""


def experiment(
    suite: Annotated[
        str | None, Parameter(help="The name of a suite, or a .toml file of your own. [default: list the suites]")
    ] = None,
    /,
    *,
    store: StoreFile = None,
    dry_run: Annotated[bool, Parameter(help="Only say what would run, and about how long it would take.")] = False,
    on: Annotated[
        str,
        Parameter(metavar="PLACE", help="Where to run: local is this machine; ray, or a cluster's ray://host:port."),
    ] = "local",
    workers: Annotated[
        str | None, Parameter(metavar="N", help="How many processes run at once. [default: one a core]")
    ] = None,
    memory: Annotated[
        str | None,
        Parameter(
            metavar="SIZE", help="No more runs at once than fit into this, such as 8GB. [default: what is free now]"
        ),
    ] = None,
    json: AsJson = False,
) -> int:
    """Run a suite of experiments to the end and keep the results.

    What has been run before is not run again, so a suite that was stopped
    goes on with the same command. Ctrl-C stops it; what was finished is kept.
    """
    from regretlab.experiments import Store, read_suite
    from regretlab.experiments.jobs import Means, plan
    from regretlab.experiments.rows import tidy
    from regretlab.experiments.running import MOST_WORKERS, find_place, memory_to_use, run_jobs, workers_to_use
    from regretlab.experiments.suite_reading import shipped_suites

    if suite is None:
        suites = shipped_suites()
        if json:
            screen.as_json([{"name": name, "title": title} for name, title in suites.items()])
        else:
            page = screen.Page()
            page.facts(list(suites.items()))
            page.print("\nWhat a suite would run, and about how long it takes: regretlab experiment quick --dry-run")
        return 0
    find_place(on)
    count = None if workers is None else whole("--workers", workers, least=1, most=MOST_WORKERS)
    limit = None if memory is None else read_bytes("--memory", memory)
    chosen = read_suite(suite)
    if dry_run:
        return _rehearse(
            chosen, store, Means(workers_to_use(count), limit if on != "local" else memory_to_use(limit)), json
        )
    with RunDisplay() as watch, Store.to_write(store) as opened:
        jobs = plan(chosen)
        outcome = run_jobs(jobs, opened, on=on, workers=count, memory=limit, callback=watch.experimenting)
        rows = tidy(opened, jobs)
    if json:
        found = {"suite": chosen.name, "store": str(opened.path), "runs": len(jobs), **outcome.as_dict(), "rows": rows}
        screen.as_json(found)
    else:
        _print(chosen, opened.path, outcome, rows)
    for job, reason in outcome.failures:
        start = f", start {job.run.start}" if job.run.start else ""
        seed = f", seed {job.run.seed}" if job.run.seed else ""
        screen.note(f"failed: {job.run.recipe} on {job.name}{seed}{start}: {' '.join(reason.split())}")
    if outcome.stopped:
        kept = outcome.there + outcome.done
        screen.note(f"stopped by Ctrl-C: {kept:,} of {len(jobs):,} runs are kept; the same command goes on from there")
        return INTERRUPTED
    return FAILED if outcome.failures else 0


def _rehearse(suite: Suite, store: Path | None, means: Means, json: bool) -> int:
    """Say what would run, game by game, and what that would take."""
    from regretlab.experiments import Store
    from regretlab.experiments.jobs import estimated_bytes, estimated_seconds, plan
    from regretlab.experiments.running import missing_jobs, too_large

    jobs = plan(suite)
    with Store.to_read(store) as opened:
        missing = missing_jobs(jobs, opened)
    fitting = [job for job in missing if means.fits(job)]
    workers = means.workers or 1
    seconds, memory = estimated_seconds(fitting, workers), estimated_bytes(fitting, workers, means.memory)
    refused = {job.name: too_large(job, means.memory) for job in missing if not means.fits(job)}
    if json:
        counts = {"runs": len(jobs), "there": len(jobs) - len(missing), "workers": workers}
        estimates = {"estimated_seconds": seconds, "estimated_bytes": memory, "refused": refused}
        kept = sum(job.kept for job in fitting)
        screen.as_json({"suite": suite.name, "store": str(opened.path), **counts, **estimates, "kept_bytes": kept})
        return 0
    page = screen.Page()
    page.print(f"{suite.name}: {suite.title}" if suite.title else suite.name, style="bold")
    if tables := [job for job in missing if not job.run.is_spot]:
        page.table(_planned(tables))
    if spots := [job for job in missing if job.run.is_spot]:
        page.table(batch.planned(spots))
    page.print(f"{numbers.count(len(jobs), 'run')}, of which {len(jobs) - len(missing):,} are in {opened.path} already")
    if missing:
        page.print(
            f"about {numbers.long_duration(seconds)} and {memory / 2**30:.1f} GiB of memory with "
            f"{numbers.count(workers, 'worker')}: an estimate from the sizes of the games"
        )
    for name, reason in refused.items():
        page.print(f"{name}: {reason}", soft_wrap=True)
    return 0


def _planned(jobs: Sequence[Job]) -> Table:
    """What the runs on games would take, a line for each game."""
    headings = ("game", "recipes", "runs", "iterations", "about")
    table = screen.new_table(*headings, right=headings[1:], fold=["game"])
    for game in dict.fromkeys(job.run.game for job in jobs):
        mine = [job for job in jobs if job.run.game == game]
        sizes = len({job.run.recipe for job in mine}), len(mine), sum(job.run.checkpoints[-1] for job in mine)
        about = numbers.long_duration(sum(job.seconds for job in mine))
        table.add_row(game, *(f"{each:,}" for each in sizes), about)
    return table


def _print(suite: Suite, store: Path, outcome: Outcome, rows: Sequence[dict[str, Any]]) -> None:
    page = screen.Page()
    page.print(f"{suite.name}: {suite.title}" if suite.title else suite.name, style="bold")
    page.print()
    # By game and by how long the runs were, because a table has one last checkpoint.
    last: dict[str, int] = {}
    for title, table, note in batch.solved(rows):
        page.print(title, style="bold")
        page.table(table)
        page.print(f"{note}\n")
    rows = [row for row in rows if row.get("board") is None]
    for row in rows:
        last[row["run"]] = max(row["iteration"], last.get(row["run"], 0))
    groups: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["game"], last[row["run"]]), []).append(row)
    for (game, _), group in groups.items():
        page.print(game, style="bold")
        page.table(_results(group, page.width))
    page.print(
        f"{numbers.count(outcome.done, 'run')} done now, {outcome.there:,} there before; all that was measured is in "
        f"{store} (regretlab results)",
        soft_wrap=True,
    )


def _results(rows: Sequence[dict[str, Any]], width: int) -> Table:
    """One game's recipes: the mean over seeds and starts at the last checkpoints, and the last one's standard error."""
    from regretlab.experiments import Estimate

    checkpoints = sorted({row["iteration"] for row in rows})[-MOST_CHECKPOINTS:]
    measure = _shown(rows)
    last = f"{measure} after\n{checkpoints[-1]:,} iterations"
    headings = ["recipe", "runs", *(f"\n{each:,}" for each in checkpoints[:-1]), last, "±"]
    table = screen.new_table(*headings, right=headings[1:], fold=["recipe"])
    for recipe in dict.fromkeys(row["recipe"] for row in rows):
        mine = [row for row in rows if row["recipe"] == recipe]
        amounts = [[row.get(measure) for row in mine if row["iteration"] == each] for each in checkpoints]
        known = [[amount for amount in group if amount is not None] for group in amounts]
        found = [Estimate.of(group) if group else None for group in known]
        error = found[-1] and found[-1].error
        table.add_row(
            screen.broken(recipe, max(LEAST_ROOM, width - REST)),
            f"{len({row['run'] for row in mine}):,}",
            *("–" if each is None else numbers.loss(each.mean) for each in found),
            "–" if error is None else numbers.error(error),
        )
    return table


def _shown(rows: Sequence[dict[str, Any]]) -> str:
    """The measure that a table shows: exploitability, else the value, else the first that there is."""
    from regretlab.experiments.measures import is_measure

    names = dict.fromkeys(
        name for row in rows for name, amount in row.items() if is_measure(name) and amount is not None
    )
    return next((name for name in ("exploitability", "value", *names) if name in names), "exploitability")


REPORT_EXAMPLES = """Examples:
  regretlab report quick
  regretlab report kuhn-report -o report.html
  regretlab report my_suite.toml -o my_suite.html --store my_results.sqlite
  regretlab report flops --at check
  regretlab report flops --at check -o flops.csv"""

REPORT_ENDINGS = (".html", ".htm")


def report(
    suite: Annotated[str, Parameter(help="The suite: a name such as quick, or a .toml file of your own.")],
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            metavar="FILE",
            help="The report; or, of spots on many boards, their numbers as .csv, .json or .parquet. "
            "[default: the suite's name with .html]",
        ),
    ] = None,
    at: Annotated[
        str,
        Parameter(metavar="LINE", help="Of spots: look at the decision after these actions, such as 'check, bet 50'."),
    ] = "",
    export: Annotated[
        bool, Parameter(name="--export", negative=(), help="Of spots kept whole: write an explorer of each board, too.")
    ] = False,
    store: StoreFile = None,
    json: AsJson = False,
) -> None:
    """Write what the runs of a suite show into one HTML file.

    It opens in any browser, also offline: a summary in words, charts, tables,
    and where every number comes from. Run the suite first: regretlab experiment.
    """
    from regretlab.experiments.rows import FORMATS

    target = Path(f"{Path(suite).stem}.html") if output is None else output
    ending = target.suffix.lower()
    if ending not in (*REPORT_ENDINGS, *FORMATS):
        raise UserError(f"can't write '{target}': a report's name ends in .html, its numbers' in {', '.join(FORMATS)}")
    if export and ending in FORMATS:
        raise UserError("--export writes explorers beside a report; its name ends in .html")
    check_target(target)
    check_store(store)
    from regretlab.experiments.findings.reporting import read_report

    found = read_report(suite, store, [at] if at else [])
    if ending in FORMATS:
        _write_boards(found, target, json)
        return
    from regretlab.files import written_beside
    from regretlab.plots import report_page

    explorers = _export_explorers(found, target) if export else {}
    text = report_page(found, explorers).encode()
    with written_beside(target) as file:
        file.write(text)
    if json:
        said = {"file": str(target), "bytes": len(text), "suite": found.name, "missing": found.missing or None}
        screen.as_json(said | ({"explorers": len(explorers)} if export else {}))
        return
    page = screen.Page()
    page.print(f"The report is in {target} ({len(text) / 1000:,.0f} kB)", soft_wrap=True)
    if explorers:
        beside = f"{numbers.count(len(explorers), 'explorer')} beside it, in {_explorers_folder(target)}"
        page.print(beside, soft_wrap=True)
    if found.missing:
        page.print(found.missing.replace("`", ""), soft_wrap=True)


def _write_boards(found: SuiteReport, target: Path, json: bool) -> None:
    """Write a row for each board of the batches."""
    from regretlab.experiments.findings.boards import rows_of_batches
    from regretlab.experiments.rows import export

    if not found.batches:
        raise UserError(f"{found.name} has no spots; its runs as a table: regretlab results export {target}")
    rows = rows_of_batches(found.batches)
    export(rows, target)
    if json:
        screen.as_json({"file": str(target), "rows": len(rows), "suite": found.name, "missing": found.missing or None})
        return
    screen.Page().print(f"{numbers.count(len(rows), 'board')} are in {target}", soft_wrap=True)
    if found.missing:
        screen.Page().print(found.missing.replace("`", ""), soft_wrap=True)


def _explorers_folder(target: Path) -> Path:
    """Where the explorers of a report's boards are."""
    return target.with_name(f"{target.stem}-explorers")


def _export_explorers(found: SuiteReport, target: Path) -> dict[str, str]:
    """Write an explorer for each board whose strategy is kept whole; their addresses, by the files of strategies."""
    from regretlab.cli.progress import counting
    from regretlab.experiments.kept import WHOLE
    from regretlab.solving import Solution
    from regretlab.web.export import check_folder
    from regretlab.web.spot_export import check_size, in_bytes, planned

    files = [board.file for batch in found.batches for board in batch.boards if board.file is not None]
    whole_ones = [file for file in files if file.suffix == WHOLE]
    if not whole_ones:
        raise UserError(f'{found.name} keeps no whole strategy to export; write keep = "all" into its [[spots]]')
    folder, addresses = _explorers_folder(target), {}
    with counting("explorers") as report:
        for done, file in enumerate(whole_ones):
            check_folder(folder / file.stem)
            explorer = planned(Solution.load(file))
            check_size(explorer)
            if not done:
                screen.note(f"{len(whole_ones):,} explorers, about {in_bytes(len(whole_ones) * explorer.nbytes)}")
            explorer.write(folder / file.stem)
            report(done + 1, len(whole_ones))
            addresses[file.name] = f"{folder.name}/{file.stem}/index.html"
    return addresses
