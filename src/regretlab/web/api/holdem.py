"""The Hold'em wing: spots that are described, solved, and looked at."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from regretlab.errors import UserError
from regretlab.spec import whole
from regretlab.web.server.answers import answer, framed, page_file, read_json, text
from regretlab.web.server.spot_sessions import SpotOrder, SpotRegister, SpotSession
from regretlab.web.server.stream import EventStream

MOST_STREAMS = 8
"""How many people may watch one spot being solved."""


async def page(request: Request) -> Response:
    """The page, on which everything happens."""
    return text(request, framed(page_file("holdem.html"), "/holdem"))


async def ready(request: Request) -> Response:
    """What one can begin with: spots, recipes, presets of ranges. Whoever asks will soon want a spot to be solved."""
    spots_of(request).prepare()
    return answer(await request.app.state.workers.do(_ready))


def _ready() -> dict[str, Any]:
    from regretlab.forms.packed import KEPT
    from regretlab.watch.spots import described, presets

    return {
        "spots": described.ready(),
        "recipes": described.recipes(),
        "precisions": list(KEPT),
        "presets": presets.offered(),
    }


async def describe(request: Request) -> Response:
    """What a spot comes to while it is being described, or which key is wrong.

    A tree that is too large takes seconds until that is clear. So one spot is described at a time, which leaves a
    thread to everybody else, and not at all if nobody waits for it any more.
    """
    from regretlab.watch.spots.described import described

    fields = await read_json(request)
    async with request.app.state.describing:
        if await request.is_disconnected():
            return Response(status_code=400)  # nobody reads it
        return answer(await request.app.state.workers.do(described, fields))


async def paint(request: Request) -> Response:
    """A range after fields of its grid were painted."""
    from regretlab.watch.spots.described import painted

    order = await read_json(request)
    given = (order.get("range"), order.get("cells"), order.get("board"))
    return answer(await request.app.state.workers.do(painted, *given))


async def solve(request: Request) -> Response:
    """Put a spot into the queue."""
    order = await request.app.state.workers.do(_read_order, await read_json(request))
    client = request.client.host if request.client else ""
    return answer(told_in_full(spots_of(request).add(order, client)), 201)


def _read_order(order: dict[str, Any]) -> SpotOrder:
    """What is to be solved and how, if all of it makes sense."""
    from dataclasses import replace

    from regretlab.errors import unknown
    from regretlab.forms.block_size import check_blocks_fit
    from regretlab.forms.packed import KEPT
    from regretlab.solving import recipe as read_recipe
    from regretlab.solving.steps import recalls
    from regretlab.watch.spots.described import read_spot

    fields = order.get("fields")
    if not isinstance(fields, dict):
        raise UserError("fields must be an object of keys and values")
    spot, precision = read_spot(fields), str(order.get("precision") or "f64")
    recipe = str(order.get("recipe") or spot.recommended())
    if precision not in KEPT:
        raise unknown("precision", precision, KEPT)
    until = str(order["until"]) if order.get("until") else None
    spot.target(until)
    size = replace(spot.block_size(), precision=precision, recalls=recalls(read_recipe(recipe)))
    check_blocks_fit(spot.name, size)
    return SpotOrder(fields, recipe, precision, until, size.nbytes)


async def train(request: Request) -> Response:
    """A table at which somebody plays a spot against its solution, after what its record says.

    The server keeps nothing that an order does not hold, so an order that is sent twice is done once.
    """
    order = await read_json(request)
    wanted = {key: order[key] for key in ("seats", "seed", "record", "big_blind") if key in order}
    return answer(await session_of(request).ask("train", **wanted))


async def told(request: Request) -> Response:
    """How things stand with a spot."""
    return answer(told_in_full(session_of(request)))


def told_in_full(session: SpotSession) -> dict[str, Any]:
    """How things stand with a spot, and which one it is."""
    from regretlab.watch.spots.described import fields_of

    return {"fields": fields_of(session.order.fields), **session.told()}


async def command(request: Request) -> Response:
    """Pause, resume, stop, or another target. What makes it solve again waits for its turn."""
    order = await read_json(request)
    do = order.get("do")
    if do not in ("pause", "resume", "stop", "until"):
        raise UserError(f"do={do!s:.20} is none of pause, resume, stop, until")
    session = session_of(request)
    told: dict[str, Any] = {"do": do}
    if do == "until":
        told["until"] = str(order.get("until"))
        from regretlab.watch.spots.described import read_spot

        read_spot(session.order.fields).target(told["until"])  # a bad one is refused at once
    if do in ("pause", "stop") or session.state == "solving":
        await session.ask(**told)
    elif session.state in ("paused", "done"):
        spots_of(request).go_on(session, told)
    return answer(session.told())


async def stream(request: Request) -> Response:
    """How things stand, as it changes."""
    session = session_of(request)
    if session.streams >= MOST_STREAMS:
        return answer({"error": f"this spot has {MOST_STREAMS} streams already"}, 429)
    return EventStream(session.frames())


async def node(request: Request) -> Response:
    """A place of a spot: a decision, a card to come, or the end of the hand."""
    kinds, suits = words_of(request, "kinds"), request.query_params.get("suits", "")
    order = {"line": words_of(request, "line"), "kinds": kinds, "suits": suits, "at": _moment(request)}
    return answer(await session_of(request).ask("node", **order))


async def table(request: Request) -> Response:
    """A decision as a file: all hands of both players, for a spreadsheet."""
    line = words_of(request, "line")
    said = await session_of(request).ask("table", line=line, at=_moment(request))
    name = re.sub(r"[^a-z0-9]+", "-", " ".join(line).lower()).strip("-")[:80] or "root"
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"', "Cache-Control": "no-store"}
    return Response(said, headers=headers, media_type="text/csv")


async def run_file(request: Request) -> Response:
    """The run as a file, as ``solve --save`` writes it: for ``show``, ``--resume`` and ``serve --results``."""
    session = session_of(request)
    folder = TemporaryDirectory(prefix="regretlab-", ignore_cleanup_errors=True)  # it goes with the answer
    path = Path(folder.name) / "run.npz"
    try:
        await session.ask("save", path=str(path))
    except BaseException:
        folder.cleanup()
        raise
    name = re.sub(r"[^A-Za-z0-9]+", "", str(told_in_full(session)["fields"].get("board", "")))
    return FileResponse(
        path,
        filename=f"holdem-{name}.npz",
        media_type="application/octet-stream",
        headers={"Cache-Control": "no-store"},
        background=BackgroundTask(folder.cleanup),
    )


async def kinds(request: Request) -> Response:
    """The kinds of hands that places can be looked at by, the best first, and what they mean."""
    from regretlab.endgames import KINDS

    return answer({"kinds": KINDS})


async def why(request: Request) -> Response:
    """Why a hand does what it does at a decision."""
    order = {"hand": request.query_params.get("hand", ""), "at": _moment(request)}
    return answer(await session_of(request).ask("why", line=words_of(request, "line"), **order))


async def past(request: Request) -> Response:
    """How a hand's strategy at a decision came about."""
    order = {"hand": request.query_params.get("hand", ""), "at": _moment(request)}
    return answer(await session_of(request).ask("past", line=words_of(request, "line"), **order))


async def close(request: Request) -> Response:
    """Forget a spot."""
    spots_of(request).remove(request.path_params["solve"])
    return Response(status_code=204)


ROUTES = [
    Route("/holdem", page),
    Route("/api/holdem/ready", ready),
    Route("/api/holdem/kinds", kinds),
    Route("/api/holdem/describe", describe, methods=["POST"]),
    Route("/api/holdem/paint", paint, methods=["POST"]),
    Route("/api/holdem/solves", solve, methods=["POST"]),
    Route("/api/holdem/solves/{solve}", told),
    Route("/api/holdem/solves/{solve}", command, methods=["POST"]),
    Route("/api/holdem/solves/{solve}", close, methods=["DELETE"]),
    Route("/api/holdem/solves/{solve}/stream", stream),
    Route("/api/holdem/solves/{solve}/node", node),
    Route("/api/holdem/solves/{solve}/node.csv", table),
    Route("/api/holdem/solves/{solve}/run.npz", run_file),
    Route("/api/holdem/solves/{solve}/why", why),
    Route("/api/holdem/solves/{solve}/past", past),
    Route("/api/holdem/solves/{solve}/train", train, methods=["POST"]),
]


def spots_of(request: Request) -> SpotRegister:
    """All spots of the server."""
    return request.app.state.spots  # type: ignore[no-any-return]


def session_of(request: Request) -> SpotSession:
    """The spot in the address."""
    return spots_of(request).get(request.path_params["solve"])


def words_of(request: Request, name: str) -> list[str]:
    """The words between commas in an address: ``line=check, bet 100``."""
    return [word.strip() for word in request.query_params.get(name, "").split(",") if word.strip()]


def _moment(request: Request) -> int | None:
    """The iteration in an address, as which something is to be looked at; None: as it stands."""
    given = request.query_params.get("at")
    return None if given is None else whole("at", given, least=1)
