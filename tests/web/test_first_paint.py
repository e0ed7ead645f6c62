"""The tool that measures the first paint. How fast a page is, is its report, and no test's business; how large, is."""

import sys

import pytest
from first_paint import HEAD, chromium, measure

OTHER_PAGES = ("/", "/race", "/play", "/holdem", "/exploitability", "/exercises", "/glossary", "/results")
"""The size of the learning page has a test of its own."""


def test_every_page_is_small_and_is_painted(browser, address: str) -> None:
    for visits in measure(browser, address, OTHER_PAGES, times=1):
        assert visits.requests > 5
        assert 15_000 < max(visits.sizes) < 150_000
        assert min(visits.paints) > 0
        assert len(str(visits)) == len(HEAD)


def test_what_is_missing_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("browser.USUAL_PLACES", ())
    with pytest.raises(SystemExit, match="needs the browser chromium"), chromium():
        pass
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(SystemExit, match=r"needs playwright.*: pip install -r requirements-dev.txt"), chromium():
        pass
