"""Several people explore a solved turn while another spot is being solved: how long does a click take?

    python -m benchmarks.holdem_load --explorers 10 --seconds 30
    python -m benchmarks.holdem_load --browser

The server runs in a process of its own. It solves ``--spot``, says what its process takes and what was promised, and
begins a solve that does not end. Then every explorer walks: a click on an action or a card, the answer, a pause. With
``--browser`` one of them sits before Chromium, and what counts is the time from the click until the grid is drawn.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import quote

from benchmarks.server_load import MEGABYTE, ask, memory, server, working_seconds

DEEPEST = 8
"""Steps after which an explorer goes back to the first decision."""

LONGEST_SOLVE = 600.0


@dataclass
class Report:
    """What came of it: the milliseconds of every click, by what was asked for."""

    clicks: dict[str, list[float]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def add(self, kind: str, seconds: float) -> None:
        """Another click."""
        self.clicks.setdefault(kind, []).append(1000 * seconds)

    def __str__(self) -> str:
        rows = [f"{'a click on a':<28}{'clicks':>8}{'median':>9}{'90 %':>9}{'99 %':>9}{'longest':>9}"]
        for kind, times in sorted(self.clicks.items()):
            cuts = quantiles(times, n=100) if len(times) > 1 else times * 99
            numbers = (median(times), cuts[89], cuts[98], max(times))
            rows.append(f"{kind:<28}{len(times):>8}" + "".join(f"{number:>6.0f} ms" for number in numbers))
        return "\n".join([*self.lines, *rows])


async def solve(port: int, fields: dict[str, Any], until: str, wait: bool = True) -> str:
    """Have a spot solved; returns its name."""
    status, told = await ask(port, "POST", "/api/holdem/solves", {"fields": fields, "recipe": "dcfr", "until": until})
    if status != 201:
        raise SystemExit(f"the server refused the spot: {told}")
    name, begun = str(told["solve"]), time.monotonic()
    while (wait and told["state"] != "done") or not told.get("iteration"):
        if told["state"] == "failed" or time.monotonic() - begun > LONGEST_SOLVE:
            raise SystemExit(f"the spot was not solved: {told}")
        await asyncio.sleep(0.2)
        _, told = await ask(port, "GET", f"/api/holdem/solves/{name}")
    return name


async def explore(port: int, name: str, seed: int, pause: float, end: float, report: Report) -> None:
    """Walk through a solution at random, from a place of one's own."""
    chance = random.Random(seed)
    line: list[str] = []
    await asyncio.sleep(pause * chance.random())
    while time.monotonic() < end:
        begun = time.perf_counter()
        status, node = await ask(port, "GET", f"/api/holdem/solves/{name}/node?line={quote(', '.join(line))}")
        if status != 200:
            raise SystemExit(f"no answer for {line}: {node}")
        kind = {"decision": "decision", "card": "street: all next cards", "end": "last action"}[node["kind"]]
        report.add(kind, time.perf_counter() - begun)
        moves = [action["name"] for action in node.get("actions", [])] or [
            card["card"] for card in node.get("cards", [])
        ]
        line = [*line, chance.choice(moves)] if moves and len(line) < DEEPEST else []
        await asyncio.sleep(pause * (0.5 + chance.random()))


async def clicks_in_browser(port: int, name: str, pause: float, end: float, report: Report) -> None:
    """The same before a real browser, until the grid is drawn."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = await browser.new_page(viewport={"width": 1280, "height": 900})
        await page.goto(f"http://127.0.0.1:{port}/holdem?solve={name}")
        await page.wait_for_selector(".step[aria-current] .act")
        chance = random.Random(0)
        while time.monotonic() < end:
            acts = await page.query_selector_all(".step[aria-current] .act, .card-grid button")
            chosen = chance.choice(acts) if acts else None
            await asyncio.sleep(pause * (0.5 + chance.random()))
            took = await page.evaluate(WAIT_FOR_GRID, chosen) if chosen else None
            if took is None:
                await page.goto(f"http://127.0.0.1:{port}/holdem?solve={name}")
                await page.wait_for_selector(".step[aria-current] .act")
            else:
                report.add(f"{took['kind']}, in the browser", took["milliseconds"] / 1000)
        await browser.close()


WAIT_FOR_GRID = """async (button) => {
  const kind = button.closest(".card-grid") ? "card" : "action";
  const explore = document.querySelector("#explore");
  const begun = performance.now();
  const painted = (resolve) => () => requestAnimationFrame(() => setTimeout(resolve));
  const drawn = new Promise((resolve) => explore.addEventListener("place", painted(resolve), { once: true }));
  const late = new Promise((resolve) => setTimeout(resolve, 5000, false));
  button.click();
  const shown = await Promise.race([drawn.then(() => true), late]);
  return shown ? { kind, milliseconds: performance.now() - begun } : null;
}"""
"""Clicks, and waits until the next picture after the answer has been painted."""


def solving_processes(of: int) -> list[int]:
    """The processes that a server has begun, where the system tells."""
    with contextlib.suppress(OSError):
        return [int(each) for each in Path(f"/proc/{of}/task/{of}/children").read_text().split()]
    return []


async def measure(port: int, process: int, options: argparse.Namespace) -> Report:
    """All of it."""
    report, fields = Report(), {"name": options.spot}
    _, size = await ask(port, "POST", "/api/holdem/describe", fields)
    name = await solve(port, fields, options.until)
    solver = max(solving_processes(process), default=0)  # the youngest
    promised = size["precisions"]["f64"]["bytes"]
    report.lines.append(
        f"{options.spot}: promised {promised / MEGABYTE:.0f} MB besides the program; its process holds "
        f"{(memory(solver) or 0) / MEGABYTE:.0f} MB with it, the server {(memory(process) or 0) / MEGABYTE:.0f} MB"
    )
    if options.solve_beside:
        await solve(port, {"name": options.spot, "pot": str(size["pot"] + 1)}, "0.000001%", wait=False)
    worked = [working_seconds(each) or 0.0 for each in (solver, process)]
    end = time.monotonic() + options.seconds
    tasks = [explore(port, name, seed, options.pause, end, report) for seed in range(options.explorers)]
    if options.browser:
        tasks.append(clicks_in_browser(port, name, options.pause, end, report))
    await asyncio.gather(*tasks)
    clicks = sum(map(len, report.clicks.values()))
    each = [
        1000 * ((working_seconds(one) or 0.0) - before) / clicks
        for one, before in zip((solver, process), worked, strict=True)
    ]
    report.lines.append(
        f"a click takes {each[0]:.0f} ms of the spot's processor time, and {each[1]:.0f} of the server's"
    )
    beside = "one solve beside" if options.solve_beside else "no solve beside"
    report.lines.append(f"{options.explorers} explorers for {options.seconds:.0f} s, {beside}")
    return report


def main(arguments: Sequence[str]) -> None:
    """Measure, and say what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--explorers", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument(
        "--pause", type=float, default=1.0, help="seconds between two clicks of an explorer, on average"
    )
    parser.add_argument("--spot", default="turn-srp", help="a ready spot")
    parser.add_argument("--until", default="0.5%")
    parser.add_argument("--solve-beside", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--browser", action="store_true", help="one explorer more, before Chromium")
    options = parser.parse_args(arguments)
    with server() as (port, process):
        print(asyncio.run(measure(port, process, options)))


if __name__ == "__main__":
    main(sys.argv[1:])
