"""Pages as files: whole, with relative addresses, and with the engine's numbers."""

import base64
import gzip
import http.server
import json
import re
import threading
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretlab as rl
from regretlab.deep import is_installed
from regretlab.errors import UserError
from regretlab.solving import RECIPES
from regretlab.watch.offers import NETWORKS, slug_of
from regretlab.web import export as export_module
from regretlab.web.export import EXPLAINED, FRAMES, LAST, as_file, check_folder, export, recording, standalone
from regretlab.web.server.answers import static_file

FEW = (0, 1, 2, 10)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export with few frames, below other folders."""
    folder = tmp_path_factory.mktemp("host") / "some" / "where"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export_module, "FRAMES", FEW)
        patch.setattr(export_module, "EXPLAINED", {2})
        parts = list(export(folder))
    assert parts[:2] == ["static files", "pages"]
    return folder


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [value for key, value in attributes if key in ("href", "src") and value is not None]


def links(text: str) -> list[str]:
    parser = Links()
    parser.feed(text)
    return parser.found


def test_every_page_and_recording_is_there(site: Path) -> None:
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    slugs = {slug_of(row) for row in RECIPES} - (set() if is_installed() else set(NETWORKS))
    assert pages == {"index.html", "glossary.html", "exploitability.html", *(f"learn/{slug}.html" for slug in slugs)}
    beside = {"bluff", "terms", "vanilla", *(f"why-{slug}" for slug in slugs)}
    assert {path.stem for path in (site / "data").glob("*.js")} == slugs | beside


def test_all_links_are_relative_and_lead_to_files(site: Path) -> None:
    for page in site.rglob("*.html"):
        found = links(page.read_text("utf-8"))
        assert found
        for link in found:
            parts = urlparse(link)
            assert not parts.scheme
            assert not link.startswith("/"), (page, link)
            target = page.parent / parts.path if parts.path else page
            assert target.resolve().is_relative_to(site.resolve()), (page, link)
            assert target.is_file(), (page, link)


def test_pages_say_that_they_are_recorded_and_show_nothing_live(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert text.lower().startswith("<!doctype html>")
        assert '<html lang="en" data-source="recorded">' in text
        assert "data-live" not in text
        assert 'href="race' not in text


def test_a_recording_holds_the_engine_s_frames(site: Path) -> None:
    script = (site / "data" / "normalhedge.js").read_text("utf-8")
    packed = re.fullmatch(r'regretlab\["data/normalhedge"\] = "(.*)";\n', script)
    recorded = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    assert [frame["iteration"] for frame in recorded["frames"]] == list(FEW)
    solution = rl.solve("kuhn", "normalhedge", iterations=10)
    last = recorded["frames"][-1]
    assert last["exploitability"]["average"] == solution.exploitability
    assert last["average"] == {label: list(solution.strategy[label].values()) for label in solution.strategy}
    assert recorded["game"]["deals"][0] == "JQ"
    assert recorded["recipe"]["slug"] == "normalhedge"
    assert {*recorded["explains"]} == {*solution.strategy}
    assert list(recorded["explains"]["Qcb"]) == ["2"]
    assert recorded["explains"]["Qcb"]["2"].count("<section") == 3


def test_the_real_recording_is_fine_enough_to_step_and_scrub() -> None:
    assert FRAMES[:31] == tuple(range(31))
    assert FRAMES[-1] == LAST
    assert {*FRAMES} >= EXPLAINED
    assert {*range(1, 21)} < EXPLAINED
    assert recording.__doc__


def test_an_earlier_export_is_replaced_and_anything_else_is_left_alone(site: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(export_module, "_parts", lambda: iter([("pages", {"new.html": b"new"})]))
    old = tmp_path / "old"
    old.mkdir()
    list(export(old))  # an empty folder will do
    (old / "stale.html").touch()
    list(export(old))
    assert {path.name for path in old.iterdir()} == {"new.html", ".regretlab-export"}
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.tex").touch()
    (tmp_path / "file").touch()
    for folder in (precious, tmp_path / "file"):
        with pytest.raises(UserError, match=f"can't export to '{folder}'"):
            check_folder(folder)
        with pytest.raises(UserError):
            list(export(folder))
    assert (precious / "thesis.tex").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"old", "precious", "file"}


def test_an_export_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch) -> None:
    def fail():
        yield "half", {"half": b""}
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export_module, "_parts", fail)
    with pytest.raises(UserError, match="No space left on device"):
        list(export(tmp_path / "site"))
    assert not list(tmp_path.iterdir())


# Pages without a server, on small examples.


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<!DOCTYPE html><html><p>a &amp; b &#8211; c</p></html>", None),
        (
            '<html><ul><li data-live><a href="/x"><b>X</b><br></a></li><li>Y</li></ul></html>',
            "<html><ul><li>Y</li></ul></html>",
        ),
        ("<html><input data-live><p>Y</p></html>", "<html><p>Y</p></html>"),
        (
            "<html><svg data-live><path d='1'/></svg><path d='2'/><!-- c --></html>",
            "<html><path d='2'/><!-- c --></html>",
        ),
        ('<html><script>if (a < b && c) x("</p>");</script></html>', None),
    ],
)
def test_what_is_left_out_and_what_stays(page: str, expected: str | None) -> None:
    wanted = (page if expected is None else expected).replace("<html>", '<html data-source="recorded">')
    assert standalone(page, {}) == wanted


@given(st.text(alphabet="abc/.?#&=:-", max_size=12))
def test_a_page_keeps_its_query_and_place(address: str) -> None:
    changed = as_file(address)
    assert urlparse(changed).fragment == urlparse(address).fragment
    assert as_file(changed) == changed


def test_static_files_are_the_page_s_own() -> None:
    assert static_file("js/site.js") is not None
    assert static_file("chart.js") is not None
    assert static_file("../server.py") is None
    assert static_file("js/../../server.py") is None


# In a browser, from a host that knows nothing, below other folders.


@pytest.fixture
def host(site: Path):
    class Silent(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=site.parents[1])) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/some/where/"
        server.shutdown()


def test_the_export_plays_in_a_browser(browser, host: str) -> None:
    faults: list[str] = []
    context = browser.new_context()
    page = context.new_page()
    page.on("console", lambda message: message.type == "error" and faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: request.url.startswith(host) or faults.append(request.url))
    for name in ("index.html", "glossary.html", "exploitability.html"):
        page.goto(urljoin(host, name))
        page.wait_for_load_state("networkidle")
    for slug in ("cfr-plus", *(["deep-cfr"] if is_installed() else [])):
        page.goto(urljoin(host, f"learn/{slug}.html"))
        iteration = page.locator("[data-stat=iteration]")
        for expected in ("1", "2", "10"):
            page.locator("#step").click()
            iteration.filter(has_text=re.compile(f"^{expected}$")).wait_for()
        page.locator("#back").click()
        iteration.filter(has_text=re.compile("^2$")).wait_for()
        page.locator(".info button").first.click()
        page.locator("#arithmetic math").first.wait_for()
    context.close()
    assert not faults
