"""The race: one request is one race, from the start to the finish or until the reader goes away."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, ClassVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from regretlab.watch import offers
from regretlab.watch.nearest import Nearest
from regretlab.web.server.answers import answer, encoded
from regretlab.web.server.stream import EventStream, event

if TYPE_CHECKING:
    from regretlab.watch.watched_race import WatchedRace

MOST_RACES = 4
"""How many races are run at once."""

MOST_PER_CLIENT = 3
"""How many of them are one client's: another one can begin."""


SECONDS_TO_WAIT = 5.0
"""How long a race waits for room: who starts another one has left the last, which notices it when it has compiled."""


class RaceStream(EventStream):
    """A stream that makes room for another race however it ends."""

    running: ClassVar[Counter[str]] = Counter()
    """How many races are being run, by client."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            RaceStream.running[scope["client"][0]] -= 1


async def race(request: Request) -> Response:
    """Run the race that the query describes; it has ``with`` once for each recipe."""
    client, running, until = request.scope["client"][0], RaceStream.running, time.monotonic() + SECONDS_TO_WAIT
    while running.total() >= MOST_RACES or running[client] >= MOST_PER_CLIENT:
        if time.monotonic() >= until:
            raise HTTPException(429, f"{running.total()} races are being run already; wait until one is over")
        await asyncio.sleep(0.1)
    running[client] += 1

    def begun() -> WatchedRace:
        from regretlab.watch.watched_race import WatchedRace

        query = {key: value for key, value in request.query_params.items() if key != "with"}
        return WatchedRace(query, request.query_params.getlist("with"))

    async def messages() -> AsyncGenerator[bytes, None]:
        """What is known at the start; then a burst of running, and news: who reads slowly slows only this race."""
        yield event(encoded(watched.start()))
        while not watched.over:
            await run_in_threadpool(watched.burst)
            yield event(encoded(watched.news()))

    try:
        watched = await run_in_threadpool(begun)
    except BaseException:
        running[client] -= 1
        raise
    return RaceStream(messages())


def nearest(request: Request) -> Response:
    """The race that an address describes or, where it cannot be run, the nearest, and what was replaced."""
    from regretlab.watch.watched_race import read_order

    found, query = Nearest(), request.query_params
    order = read_order(query, query.getlist("with"), found)
    return answer({"fields": order.fields, "with": order.runners, "said": found.said})


def on_offer(request: Request) -> Response:
    """The games and recipes that can be chosen for a race or a bot."""
    games = [
        {"slug": slug, "title": offer.title, "most_iterations": offer.most_iterations, "unit": offer.unit}
        for slug, offer in offers.OFFERS.items()
    ]
    return answer({"games": games, "recipes": offers.recipes_with_tables()})


ROUTES = [
    Route("/api/race", race, methods=["GET"]),
    Route("/api/race/nearest", nearest, methods=["GET"]),
    Route("/api/offers", on_offer, methods=["GET"]),
]
