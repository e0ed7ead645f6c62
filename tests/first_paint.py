"""How soon a page is seen, and how much goes over the wire for it, in a browser that has seen nothing before.

    python tests/first_paint.py --times 5

Every visit is to a server on this computer, with an empty cache. Measured is the time from the first byte of the answer
to the first paint with content, both as the browser tells them, and all that is sent until the page is at rest.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import urlopen

sys.path.append(str(Path(__file__).parents[1]))  # as a script this file finds only what lies beside it

from benchmarks.server_load import server
from regretlab.watch.offers import FEATURED

PAGES = (
    "/",
    *(f"/learn/{slug}" for slug in FEATURED),
    *("/race", "/play", "/holdem", "/exploitability", "/exercises", "/glossary", "/results"),
)
KILOBYTE = 1_000

TIMES = """() => {
  const [asked] = performance.getEntriesByType("navigation");
  const [painted] = performance.getEntriesByName("first-contentful-paint");
  return painted && painted.startTime - asked.responseStart;
}"""


@dataclass
class Visits:
    """What was seen of one page."""

    page: str
    paints: list[float] = field(default_factory=list)  # milliseconds from the first byte to the first paint
    sizes: list[int] = field(default_factory=list)  # bytes, headers included
    requests: int = 0

    def __str__(self) -> str:
        return (
            f"{self.page:36}{median(self.paints):6.0f} ms{max(self.paints):9.0f} ms"
            f"{max(self.sizes) / KILOBYTE:9.1f} KB{self.requests:10}"
        )


HEAD = f"{'page':36}{'median':>9}{'worst':>12}{'size':>12}{'requests':>10}"


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, or one line that says what is missing."""
    try:
        from browser import find_chromium
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError as error:
        raise SystemExit(f"first_paint: needs {error.name}: pip install -r requirements-dev.txt") from None
    place = find_chromium()
    if place is None:
        raise SystemExit("first_paint: needs the browser chromium; on Debian and Ubuntu: apt install chromium")
    with (
        sync_playwright() as started,
        closing(started.chromium.launch(executable_path=place, args=["--no-sandbox"])) as browser,
    ):
        yield browser


def visit(browser: Any, address: str, visits: Visits) -> None:
    """Look at a page once; a new context has an empty cache."""
    with closing(browser.new_context(base_url=address)) as context:
        page, finished = context.new_page(), []
        page.on("requestfinished", lambda request: finished.append(request))
        page.goto(visits.page)
        paint = page.wait_for_function(TIMES).json_value()
        page.wait_for_load_state("networkidle")
        sizes = [request.sizes() for request in finished]
    visits.paints.append(paint)
    visits.sizes.append(sum(each["responseHeadersSize"] + each["responseBodySize"] for each in sizes))
    visits.requests = len(sizes)


def measure(browser: Any, address: str, pages: tuple[str, ...] = PAGES, times: int = 5) -> list[Visits]:
    """Visit every page so many times, in rounds: what disturbs the machine for a while is spread over all."""
    with urlopen(f"{address}/api/examples"):
        pass  # nothing has to be compiled any more
    seen = [Visits(page) for page in pages]
    for _ in range(times):
        for visits in seen:
            visit(browser, address, visits)
    return seen


def main() -> int:
    """The command line; leaves with status 1 where a page is too slow or too large."""
    parser = argparse.ArgumentParser(description="How soon every page is painted, with an empty cache.")
    parser.add_argument("--times", type=int, default=5, help="visits to each page")
    parser.add_argument("--most-milliseconds", type=float, default=300.0, help="from the first byte to the first paint")
    parser.add_argument("--most-kilobytes", type=float, default=150.0, help="of everything that a page asks for")
    options = parser.parse_args()
    with server() as (port, _), chromium() as browser:
        seen = measure(browser, f"http://127.0.0.1:{port}", times=options.times)
    print(HEAD, *seen, sep="\n")
    slow = max(max(visits.paints) for visits in seen) > options.most_milliseconds
    return int(slow or max(max(visits.sizes) for visits in seen) > KILOBYTE * options.most_kilobytes)


if __name__ == "__main__":
    sys.exit(main())
