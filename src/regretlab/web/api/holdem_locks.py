"""Locks of spots, which people set while they explore, and two solves of a spot beside each other."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.errors import UserError
from regretlab.web.api.holdem import session_of, spots_of, words_of
from regretlab.web.server.answers import answer, read_json


async def lock(request: Request) -> Response:
    """The locks of a spot with one more, or what is wrong with it."""
    return answer(await request.app.state.workers.do(_locked, await read_json(request)))


def _locked(order: dict[str, Any]) -> dict[str, Any]:
    from regretlab.watch.spots.described import mistake
    from regretlab.watch.spots.locking import locked

    try:
        return locked(order)
    except UserError as error:
        return mistake(error)


async def compare(request: Request) -> Response:
    """A decision of two solves, and what has changed from the other one to this one."""
    from regretlab.watch.spots.compared import compared

    after, before = session_of(request), spots_of(request).get(request.query_params.get("with", ""))
    kinds, suits = words_of(request, "kinds"), request.query_params.get("suits", "")
    order = {"line": words_of(request, "line"), "kinds": kinds, "suits": suits}
    found = await asyncio.gather(before.ask("node", **order), after.ask("node", **order))
    return answer(compared(*found))


ROUTES = [
    Route("/api/holdem/lock", lock, methods=["POST"]),
    Route("/api/holdem/solves/{solve}/compare", compare),
]
