"""The report: one file that shows the numbers of the store and asks for nothing."""

import json
import math
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from experiments.fakes import in_process

from regretlab.documents.blocks import Chart, Section, Series, Table, Target
from regretlab.documents.numbers import written
from regretlab.experiments import Store, read_suite
from regretlab.experiments.findings.overview import overview_sections
from regretlab.experiments.findings.reporting import SuiteReport, origin_section, read_report
from regretlab.experiments.jobs import plan
from regretlab.experiments.measures import SECONDS, Measurement
from regretlab.experiments.rows import rows_of, tidy
from regretlab.experiments.running import PLACES, run_jobs
from regretlab.experiments.specs import RunSpec, digest, identity
from regretlab.experiments.store import StoredRun
from regretlab.experiments.suite_reading import find_suite
from regretlab.plots.pages import report_page

SUITE = """
title = "Two games & <three> recipes"
[[runs]]
games = ["kuhn", "rps"]
recipes = ["cfr", "cfr+", "normalhedge+(schedule=alternating, averaging=linear)"]
iterations = [10, 100, 1000]
starts = 3
[[runs]]
games = "kuhn"
recipes = "cfr(feedback=chance)"
iterations = [10, 100, 1000]
seeds = 4
"""
MOST_BYTES = 1_000_000
SMALLEST = 1e-16  # what the report counts as less than this
THEMES = [("light", 1200), ("dark", 1200), ("light", 360), ("dark", 360)]


class Tables(HTMLParser):
    """The tables of a page: rows of cells, a number to the last bit where there is one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: list[list[list[str | float]]] = []
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._cell: list[str] | None = None
        self._value: float | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        self.ids += [given["id"]] if given.get("id") else []
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._cell, self._value = [], None
        elif tag == "data":
            self._value = float(given["value"] or "")

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            self.tables[-1][-1].append("".join(self._cell) if self._value is None else self._value)
            self._cell = None


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a suite and a store that holds all its runs."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "small.toml").write_text(SUITE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, Store.to_write(folder / "results.sqlite") as store:
        patch.setitem(PLACES, "local", in_process)
        run_jobs(plan(read_suite(folder / "small.toml")), store)
    return folder


@pytest.fixture(scope="module")
def text(place: Path) -> str:
    return report_page(read_report(str(place / "small.toml"), place / "results.sqlite"))


@pytest.fixture
def file(text: str, tmp_path: Path) -> Path:
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    return tmp_path / "report.html"


@pytest.fixture(scope="module")
def rows(place: Path) -> list[dict[str, Any]]:
    with Store.to_read(place / "results.sqlite") as store:
        return list(tidy(store, plan(read_suite(place / "small.toml"))))


def amounts(rows: list[dict[str, Any]], measure: str, **where: Any) -> list[float]:
    return [row[measure] for row in rows if all(row[key] == value for key, value in where.items())]


def geometric(numbers: list[float]) -> float:
    return math.prod(numbers) ** (1 / len(numbers))


def test_the_tables_have_the_numbers_of_the_store(text: str, rows: list[dict[str, Any]]) -> None:
    tables = {str(table[0][0]): table for table in Tables(text).tables}
    finals = [table for table in Tables(text).tables if table[0][:3] == ["recipe", "runs", "exploitability"]]
    assert "game" in tables
    assert [len(table) for table in finals] == [5, 4]
    for game, table in zip(("kuhn", "rps"), finals, strict=True):
        for name, *cells in table[1:]:
            found = {"game": game, "recipe": name, "iteration": 1_000}
            losses = [max(loss, SMALLEST) for loss in amounts(rows, "exploitability", **found)]
            line = dict(zip(table[0][1:], cells, strict=True))
            assert line["runs"] == len(losses)
            assert (line["best run"], line["worst run"]) == (min(losses), max(losses))
            assert line["exploitability"] == pytest.approx(geometric(losses), rel=1e-12)
            assert line["value"] == pytest.approx(fmean(amounts(rows, "value", **found)), rel=1e-12, abs=1e-18)
            times = amounts(rows, "seconds", **found)
            assert line["µs an iteration"] == pytest.approx(1e6 * fmean(times) / 1_000)


def test_the_charts_have_the_numbers_of_the_store(text: str, rows: list[dict[str, Any]]) -> None:
    data = text.partition('id="charts">')[2].partition("</script>")[0]
    charts = {chart["title"]: chart for chart in json.loads(data)}
    assert set(charts) == {"Exploitability on kuhn", "Exploitability on rps"}
    for game in ("kuhn", "rps"):
        for series in charts[f"Exploitability on {game}"]["series"]:
            assert [x for x, _ in series["points"]] == [10, 100, 1_000]
            for (x, y), (_, low, high) in zip(series["points"], series["band"], strict=True):
                found = amounts(rows, "exploitability", game=game, recipe=series["name"], iteration=x)
                losses = [max(loss, SMALLEST) for loss in found]
                assert (low, high) == (min(losses), max(losses))
                assert y == pytest.approx(geometric(losses), rel=1e-12)


def test_the_numbers_behind_a_picture_are_beside_it(text: str) -> None:
    data = text.partition('id="charts">')[2].partition("</script>")[0]
    chart = next(chart for chart in json.loads(data) if chart["title"] == "Exploitability on rps")
    behind = [table for table in Tables(text).tables if table[0][0] == "line"][1]
    listed = [[name, *numbers] for name, *numbers in behind[1:]]
    assert listed == [
        [series["name"], *point, *spread[1:]]
        for series in chart["series"]
        for point, spread in zip(series["points"], series["band"], strict=True)
    ]


def test_the_summary_in_words_has_the_numbers(text: str, rows: list[dict[str, Any]]) -> None:
    losses = {
        recipe: geometric(amounts(rows, "exploitability", game="kuhn", recipe=recipe, iteration=1_000))
        for recipe in {row["recipe"] for row in rows if row["game"] == "kuhn"}
    }
    best, second = sorted(losses, key=lambda recipe: losses[recipe])[:2]
    assert f"<code>{best}</code> is best with {written(losses[best])} chips a game" in text
    assert f"Next comes <code>{second}</code> with {written(losses[second] / losses[best])} times as much" in text
    assert "<p>22 runs of 4 recipes on 2 games, up to 1,000 iterations.</p>" in text


def test_where_the_numbers_come_from_is_at_the_end(text: str, rows: list[dict[str, Any]]) -> None:
    last = text.partition("Where the numbers come from</h2>")[2]
    again, machine, games, recipes = Tables(last).tables
    assert ["run what is missing", "regretlab experiment small.toml --store results.sqlite"] in again
    facts = {str(name): value for name, value in machine}
    assert {"machine", "system", "python", "regretlab", "numpy", "numba", "numerics", "runs"} <= set(facts)
    assert (facts["numerics"], facts["runs"]) == (rows[0]["numerics"], "22")
    assert [row[:5] for row in games[1:]] == [
        ["kuhn", 13, "10, 100, 1,000", "0 to 3", "0 to 2"],
        ["rps", 9, "10, 100, 1,000", "0", "0 to 2"],
    ]
    tuples = {row[0]: dict(zip(recipes[0][1:], row[1:], strict=True)) for row in recipes[1:]}
    assert tuples["cfr+"]["accumulate"] == "truncate"
    assert tuples["cfr(feedback=chance)"]["feedback"] == "chance"
    assert len(tuples) == 4


def test_folders_of_this_machine_stay_out(text: str, place: Path) -> None:
    assert str(place) not in text
    assert str(Path.home()) + "/" not in text


@pytest.mark.parametrize(("scheme", "width"), THEMES)
def test_it_opens_without_asking_for_anything(visit, file: Path, scheme: str, width: int) -> None:
    opened = visit(file.as_uri(), color_scheme=scheme, viewport={"width": width, "height": 800})
    opened.page.wait_for_selector(".chart-plot .chart-line", state="attached")
    assert opened.requests == [file.as_uri()]
    assert opened.page.locator(".chart").count() == 2
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    paper = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 23, 27)")


@pytest.mark.parametrize(("scheme", "width"), [THEMES[0], THEMES[-1]])
def test_it_is_accessible(visit, file: Path, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    opened = visit(file.as_uri(), color_scheme=scheme, viewport={"width": width, "height": 800})
    opened.page.wait_for_selector(".chart-plot .chart-line", state="attached")
    found = axe.Axe().run(opened.page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_the_browser_is_told_to_let_nothing_out(visit, file: Path) -> None:
    opened = visit(file.as_uri())
    for attempt in ("fetch('https://example.org/')", "import('https://example.org/x.js')"):
        assert opened.page.evaluate(f"{attempt}.then(() => 'came through', () => 'refused')") == "refused"
    opened.errors.clear()  # it complains about both
    assert opened.strayed == []


def test_a_picture_of_the_report_can_be_saved(visit, file: Path) -> None:
    found = visit(file.as_uri()).page
    with found.expect_download() as started:
        found.get_by_role("button", name="Save data (CSV): Exploitability on kuhn").click()
    assert started.value.suggested_filename == "small-exploitability-on-kuhn.csv"
    assert "cfr+" in Path(started.value.path()).read_text(encoding="utf-8")


def test_it_can_be_printed(visit, tmp_path: Path) -> None:
    long = Table("long", ("name", "number"), tuple((f"row {k}", k) for k in range(60)))
    chart = Chart("c", "x", "y", "log", "log", (Series("line", ((1, 1), (2, 2))),))
    (tmp_path / "long.html").write_text(
        report_page(SuiteReport("name", "", "", (Section("s", (), (long,), (chart,)),)))
    )
    found = visit((tmp_path / "long.html").as_uri(), color_scheme="dark").page
    found.wait_for_selector(".chart-plot .chart-line", state="attached")
    box = "box => box.scrollHeight > box.clientHeight"
    assert found.eval_on_selector(".scroll[aria-labelledby]", box)  # on a screen it scrolls
    found.emulate_media(media="print", color_scheme="dark")
    assert not found.eval_on_selector(".scroll[aria-labelledby]", box)
    assert found.locator("nav").is_hidden()
    assert found.locator(".chart-save").first.is_hidden()
    assert found.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_a_part_of_the_runs_is_reported_and_the_rest_is_named(place: Path, tmp_path: Path) -> None:
    jobs = plan(read_suite(place / "small.toml"))
    with Store.to_read(place / "results.sqlite") as whole, Store.to_write(tmp_path / "part.sqlite") as part:
        kept = whole.runs({job.hash for job in jobs[:7]})
        part.add(kept)
    found = read_report(str(place / "small.toml"), tmp_path / "part.sqlite")
    assert found.missing == (
        "Only 7 of 22 runs are in the store; the others: `regretlab experiment small.toml --store part.sqlite`"
    )
    assert 'role="note">Only 7 of 22 runs' in report_page(found)


def test_text_from_elsewhere_stays_text(visit, tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script><img src=https://example.org/x onerror=alert(2)> `<b>code</b>`"
    chart = Chart(evil, evil, evil, "log", "linear", (Series(evil, ((1, 1), (2, 2))),), (Target(evil, 1.5),), evil)
    table = Table(evil, (evil, evil), ((evil, 1.5), (None, None)), evil, frozenset({(0, 1)}))
    made = report_page(SuiteReport(evil, evil, evil, (Section(evil, (evil,), (table,), (chart,)),)))
    (tmp_path / "evil.html").write_text(made, encoding="utf-8")
    opened = visit((tmp_path / "evil.html").as_uri())
    opened.page.wait_for_selector(".chart-plot .chart-line", state="attached")
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("b").count() == 0
    assert opened.page.locator("code", has_text="<b>code</b>").count() > 0
    assert opened.page.locator("main h1").text_content() == evil
    assert opened.page.locator("figcaption").text_content() == evil


def test_numbers_that_json_does_not_know_are_left_out_of_pictures() -> None:
    line = Series("line", ((1, math.inf), (2, math.nan), (3, 1.0)), ((1, -math.inf, 2.0),))
    chart = Chart("c", "x", "y", "linear", "linear", (line,))
    made = report_page(
        SuiteReport("name", "", "", (Section("s", (), (Table("t", ("a",), ((math.inf,), (math.nan,))),), (chart,)),))
    )
    data = json.loads(made.partition('id="charts">')[2].partition("</script>")[0])
    assert data[0]["series"][0]["points"] == [[1, None], [2, None], [3, 1.0]]
    assert ">∞</data>" in made


def test_every_anchor_is_there_once(text: str) -> None:
    found = Tables(text)
    assert len(found.ids) == len(set(found.ids))
    links = [given["href"] for tag, given in found.tags if tag == "a"]
    assert links
    assert all(link[1:] in found.ids for link in links)


def made_up(number: int, run: RunSpec) -> StoredRun:
    """A run with numbers that no run has found."""
    known = identity(run, "fingerprint")
    measured = tuple(
        Measurement(iteration, measure, (number % 97 + 1) / (7 * iteration + k))
        for iteration in run.checkpoints
        for k, measure in enumerate((*run.measures, SECONDS))
    )
    about = {"regretlab": "1", "machine": "m"}
    return StoredRun(digest(known), run.game, run.recipe, known, about, "2026-01-01T00:00:00Z", 0.5, measured)


def test_the_largest_suite_stays_small() -> None:
    runs = [made_up(number, run) for number, run in enumerate(read_suite("convergence").runs)]
    made = report_page(
        SuiteReport("convergence", "", "", (*overview_sections(rows_of(runs)), origin_section(runs, {})))
    )
    assert made.count("<h2 ") == len({run.game for run in runs}) + 4
    assert 100_000 < len(made.encode()) < MOST_BYTES


def test_only_the_shipped_study_is_held_against_the_original(tmp_path: Path) -> None:
    jobs = plan(read_suite("kuhn-report"))[:3]
    with Store.to_write(tmp_path / "s.sqlite") as store:
        store.add(made_up(number, job.run)._replace(hash=job.hash) for number, job in enumerate(jobs))
    shipped = read_report("kuhn-report", tmp_path / "s.sqlite")
    assert [section.title for section in shipped.sections][:2] == [
        "What the original study said and what holds",
        "All runs in short",
    ]
    assert shipped.missing.startswith("Only 3 of ")
    own = tmp_path / "kuhn-report.toml"
    own.write_text(find_suite("kuhn-report").read_text(encoding="utf-8"), encoding="utf-8")
    assert read_report(str(own), tmp_path / "s.sqlite").sections[0].title == "All runs in short"


def test_a_column_in_which_nothing_stands_is_no_column_of_numbers() -> None:
    table = Table("t", ("text", "nothing", "numbers"), (("x", None, 1.0), ("y", None, None)))
    assert [table.is_numeric(column) for column in range(3)] == [False, False, True]
