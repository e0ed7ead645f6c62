"""An export that is opened from its folder, with no server at all."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from browser import visiting

from regretlab.deep import is_installed
from regretlab.web import export as export_module
from regretlab.web.api.recipe_words import described
from regretlab.web.export import classic, export, in_order

FRAMES = (0, 1, 2, 3, 5, 9)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("a folder") / "site"
    few = [entry for entry in described() if entry["slug"] in ("cfr", "cfr-plus", "deep-cfr")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export_module, "described", lambda: few)
        patch.setattr(export_module, "FRAMES", FRAMES)
        patch.setattr(export_module, "EXPLAINED", {1, 3})
        list(export(folder))
    return folder


@pytest.fixture
def opened(browser, site: Path):
    """A page of the folder, without fault."""
    with visiting(browser, viewport={"width": 1280, "height": 900}) as visit:

        def go(name: str, **query: object):
            visit.page.goto(f"{(site / name).as_uri()}?{urlencode(query)}")
            return visit.page

        yield go
        visit.check()


def wait_for(page, iteration: int) -> None:
    page.wait_for_function("t => document.querySelector('[data-stat=iteration]').textContent === t", arg=str(iteration))


@pytest.mark.parametrize("slug", ["cfr-plus", *(["deep-cfr"] if is_installed() else [])])
def test_a_learn_page_lives_without_a_server(opened, slug: str) -> None:
    page = opened(f"learn/{slug}.html", t=2)
    page.wait_for_selector("main[data-ready]")
    wait_for(page, 2)
    page.click("#step")
    wait_for(page, 3)
    page.wait_for_function("() => location.search.includes('t=3')")
    page.reload()
    wait_for(page, 3)
    page.click(".info[data-label=J] h4 button")
    page.wait_for_selector("#arithmetic math")
    page.locator("#speed").press("End")
    page.click("#play")
    wait_for(page, FRAMES[-1])
    page.wait_for_selector(".notice:has-text('no more are recorded')")
    page.keyboard.press("?")
    assert page.locator("dialog").count() == 1  # each module is there once


def test_every_recorded_iteration_is_reached_and_others_are_said_to_be_missing(opened) -> None:
    page = opened("learn/cfr-plus.html", t=7)
    page.wait_for_selector(".notice:has-text('Iteration 7 was not recorded: here is 5, and the next one is 9.')")
    for iteration in (*FRAMES, 8, 100):
        page.fill("#go-to", str(iteration))
        page.press("#go-to", "Enter")
        wait_for(page, max(frame for frame in FRAMES if frame <= iteration))
        said = page.locator(".notice").all_inner_texts()
        assert any(f"Iteration {iteration} was not recorded" in words for words in said) == (iteration not in FRAMES)


def test_the_other_pages_live_without_a_server(opened) -> None:
    page = opened("exploitability.html")
    before = page.inner_text("#lesson h2")
    page.click("#more")
    page.wait_for_function("before => document.querySelector('#lesson h2').textContent !== before", arg=before)
    page.click("a:has-text('Glossary')")
    page.wait_for_selector("#filter:not([hidden])")
    page.click("a.brand")
    page.click("text=Watch CFR+ learn")
    page.wait_for_selector("main[data-ready]")


def test_no_page_asks_for_a_module(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert "module" not in re.findall(r"<script[^>]*>", text)
        scripts = re.findall(r'<script[^>]* src="([^"]*)"', text)
        assert len(scripts) == len(set(scripts))
    for script in (site / "static").rglob("*.js"):
        assert not re.search(r"^(import|export)\b", script.read_text("utf-8"), re.MULTILINE), script


def test_modules_come_after_what_they_need() -> None:
    modules = {
        "js/a.js": 'import { b } from "./x/b.js";\nimport "../c.js";\nexport const a = b;',
        "js/x/b.js": 'import {\n  c as d,\n} from "../../c.js";\nexport function b() {}',
        "c.js": "export const c = 1;",
    }
    assert in_order("js/a.js", modules) == ["c.js", "js/x/b.js", "js/a.js"]
    assert 'const {\n  c: d,\n} = regretlab["c.js"];' in classic("js/x/b.js", modules["js/x/b.js"])
    for other in ("export default 1;", 'import all from "./x.js";', 'export { a } from "./x.js";'):
        with pytest.raises(ValueError, match="can't write this as a classic script"):
            classic("js/a.js", other)
