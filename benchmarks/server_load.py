"""Many sessions at once against a server of its own: does everybody get frames, and only the own ones?

    python -m benchmarks.server_load --sessions 100 --seconds 30

Every session has an ante, a bet and a seed of its own, and plays at the highest speed. Frames are counted as they come;
some are kept, and afterwards the engine computes them anew: a frame that holds anything of another session differs.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from regretlab.watch.offers import FEATURED, NETWORKS

KEPT = 3
"""Frames of a session that are compared with the engine: early ones, and the last."""

MEGABYTE = 1_000_000


@dataclass
class Visitor:
    """Somebody with a session."""

    order: dict[str, Any]
    session: str = ""
    frames: int = 0
    bytes: int = 0
    kept: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """What came of it."""

    visitors: Sequence[Visitor]
    seconds: float
    memory: dict[str, float]  # of the server, in bytes: at the start, the most, and at the end
    cores: float | None  # how many the server kept busy
    strangers: int  # frames that were not what the engine computes for the session

    @property
    def rates(self) -> list[float]:
        """Frames a second, for each session."""
        return sorted(visitor.frames / self.seconds for visitor in self.visitors)

    def __str__(self) -> str:
        rates, size = self.rates, sum(visitor.bytes for visitor in self.visitors)
        far = median(visitor.kept[-1]["iteration"] for visitor in self.visitors if visitor.kept)
        memory = ", ".join(f"{when} {amount / MEGABYTE:.0f} MB" for when, amount in self.memory.items())
        return (
            f"{len(self.visitors)} sessions for {self.seconds:.0f} s\n"
            f"frames a second: fewest {rates[0]:.1f}, median {median(rates):.1f}, most {rates[-1]:.1f}\n"
            f"bytes a frame: {size / max(1, sum(visitor.frames for visitor in self.visitors)):,.0f}\n"
            f"iterations reached: median {far:,.0f}\n"
            f"memory of the server: {memory or 'unknown'}\n"
            f"cores that the server kept busy: {'unknown' if self.cores is None else f'{self.cores:.2f}'}\n"
            f"frames that belong to somebody else: {self.strangers}"
        )


def orders(count: int) -> list[dict[str, Any]]:
    """What the visitors ask for: recipes in turn, everything else different."""
    recipes = [slug for slug in FEATURED if slug not in NETWORKS]
    return [
        {"recipe": recipes[k % len(recipes)], "ante": f"{100 + k}/100", "bet": f"{200 + 3 * k}/100", "seed": k}
        for k in range(count)
    ]


@contextlib.contextmanager
def server() -> Iterator[tuple[int, int]]:
    """A server in a process of its own; yields its port and the number of the process."""
    command = [sys.executable, "-m", "regretlab", "serve", "--port", "0", "--no-browser", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = b""
        while not said.endswith(b"}\n"):
            said += process.stdout.readline()
        try:
            yield urlsplit(json.loads(said)["address"]).port or 0, process.pid
        finally:
            process.terminate()


async def visit(port: int, visitor: Visitor, start: asyncio.Event, end: asyncio.Event) -> None:
    """Open a session, and when everybody is there play it and count frames until the end."""
    _, created = await ask(port, "POST", "/api/sessions", visitor.order)
    visitor.session = created["session"]
    path = f"/api/sessions/{visitor.session}"
    await start.wait()
    await ask(port, "POST", path, {"do": "play", "speed": "turbo"})
    async with contextlib.aclosing(frames(port, f"{path}/stream")) as stream:
        async for data in stream:
            if end.is_set():
                break
            visitor.frames += 1
            visitor.bytes += len(data)
            keep(visitor, data)
    await ask(port, "DELETE", path)


def keep(visitor: Visitor, data: bytes) -> None:
    """Keep the first frames, and in the last place the newest one."""
    del visitor.kept[KEPT - 1 :]
    visitor.kept.append(json.loads(data))


async def connect(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection, on which lines may be long."""
    return await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)


def request(port: int, method: str, path: str, body: bytes = b"") -> bytes:
    """A request as it goes over the wire."""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def ask(port: int, method: str, path: str, data: object = None) -> tuple[int, Any]:
    """One request and its answer; whoever is told to wait does."""
    while True:
        reader, writer = await connect(port)
        try:
            writer.write(request(port, method, path, b"" if data is None else json.dumps(data).encode()))
            status, headers = await read_head(reader)
            body = await reader.readexactly(int(headers.get("content-length", 0)))
        finally:
            writer.close()
        if status != 429:
            return status, json.loads(body) if body else None
        await asyncio.sleep(1)


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines if line)
    return int(first.split()[1]), headers


async def frames(port: int, path: str) -> AsyncGenerator[bytes, None]:
    """The data of the events of a stream."""
    reader, writer = await connect(port)
    try:
        writer.write(request(port, "GET", path))
        await read_head(reader)
        while size := int(await reader.readline(), 16):
            chunk = (await reader.readexactly(size + 2))[:-2]
            if chunk.startswith(b"data: "):
                yield chunk[len(b"data: ") :].rstrip()
    finally:
        writer.close()


def memory(process: int) -> float | None:
    """The memory that a process holds, where the system tells, in bytes."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
    except OSError:
        return None
    return float(int(pages) * os.sysconf("SC_PAGE_SIZE"))


def working_seconds(process: int) -> float | None:
    """How long a process has worked, where the system tells."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def crowd(
    port: int, process: int, visitors: Sequence[Visitor], seconds: float
) -> tuple[float, float | None, dict[str, float]]:
    """Everybody at once; returns how long it took, and how the server's memory went."""
    start, end, seen = asyncio.Event(), asyncio.Event(), [memory(process)]
    tasks = [asyncio.create_task(visit(port, visitor, start, end)) for visitor in visitors]
    while not all(visitor.session or task.done() for visitor, task in zip(visitors, tasks, strict=True)):
        await asyncio.sleep(0.05)
    start.set()
    began, worked = time.perf_counter(), working_seconds(process)
    while (passed := time.perf_counter() - began) < seconds:
        await asyncio.sleep(min(0.5, seconds - passed))
        seen.append(memory(process))
    work = working_seconds(process)
    cores = None if worked is None or work is None else (work - worked) / passed
    end.set()
    await asyncio.gather(*tasks)
    known = [amount for amount in [*seen, memory(process)] if amount is not None]
    return passed, cores, {"at the start": known[0], "at most": max(known), "at the end": known[-1]} if known else {}


def strangers(visitor: Visitor) -> int:
    """How many of the kept frames are not what the engine computes for this session."""
    from regretlab.watch.frames import frame_numbers
    from regretlab.watch.offers import recipe_of
    from regretlab.watch.watched_game import watched_game
    from regretlab.watch.watched_run import WatchedRun

    order, wrong = visitor.order, 0
    run = WatchedRun(watched_game(order["ante"], order["bet"]), recipe_of(order["recipe"]), order["seed"])
    for frame in visitor.kept:
        moment = run.go(frame["iteration"])
        expected = json.loads(json.dumps(frame_numbers(run.game, moment, frame["playing"], frame["speed"])))
        wrong += any(frame[name] != value for name, value in expected.items())
    return wrong


def load(sessions: int, seconds: float) -> Report:
    """Run the whole thing."""
    visitors = [Visitor(order) for order in orders(sessions)]
    with server() as (port, process):
        passed, cores, amounts = asyncio.run(crowd(port, process, visitors, seconds))
    return Report(visitors, passed, amounts, cores, sum(strangers(visitor) for visitor in visitors))


def main() -> int:
    """The command line; leaves with status 1 where somebody got a stranger's frame, or too few."""
    parser = argparse.ArgumentParser(description="Many sessions at once against a server of its own.")
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--least", type=float, default=5.0, help="frames a second that everybody has to get")
    options = parser.parse_args()
    report = load(options.sessions, options.seconds)
    print(report)
    return int(report.strangers > 0 or report.rates[0] < options.least)


if __name__ == "__main__":
    sys.exit(main())
