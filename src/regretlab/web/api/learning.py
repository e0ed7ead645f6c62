"""Watching a run on a learning page: sessions, frames, arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.errors import UserError
from regretlab.spec import whole
from regretlab.watch.offers import NETWORKS
from regretlab.web.server.answers import answer, encoded, read_json
from regretlab.web.server.orders import nearest_order
from regretlab.web.server.sessions import MOST_STREAMS, Register, Session, new_session
from regretlab.web.server.stream import EventStream

if TYPE_CHECKING:
    from regretlab.web.server.workers import Crew


async def create(request: Request) -> Response:
    """Make a new session, and send its game and its first frame."""
    order = await read_json(request)
    # Where the networks of the recipe that is asked for are trained, if it has any.
    training = request.app.state.training if order.get("recipe") in NETWORKS else None
    client = request.client.host if request.client else ""
    _register(request).check_room(client, networks=training is not None)
    crew, said = training or request.app.state.workers, list[str]()
    if order.get("nearest"):  # somebody has followed a link, and should come to a page that lives
        order, said = await crew.do(nearest_order, order)
    session = await crew.do(new_session, order, training, request.app.state.settings.game)
    session.client = client
    if await request.is_disconnected():  # who has left meanwhile would never end it
        session.end()
        return Response(status_code=400)
    _register(request).add(session)
    game = session.run.game.described() | {"recipe": session.run.recipe.name, "last": session.run.last}
    about = encoded({"session": session.name, "game": game, "order": order, "said": said})
    return _json(about[:-1] + b',"frame":' + session.newest.value.encoded() + b"}", 201)


async def command(request: Request) -> Response:
    """Do what a button of the page says, and send the frame that follows."""
    order = await read_json(request)
    (session, crew), have = _session(request), _have(order.get("have", 0))
    frame = await session.command(order, crew)
    return _json(b'{"frame":' + frame.encoded(have) + b"}")


async def stream(request: Request) -> Response:
    """Send frames as they come."""
    (session, crew), have = _session(request), _have(request.query_params.get("have", 0))
    if session.streams >= MOST_STREAMS:
        return answer({"error": f"this session has {MOST_STREAMS} streams already"}, 429)
    return EventStream(session.frames(have, crew))


async def explain(request: Request) -> Response:
    """The arithmetic of one information set in the latest iteration."""
    session, crew = _session(request)
    return answer(await crew.do(session.explain, request.query_params.get("label", "")))


async def inside(request: Request) -> Response:
    """The iteration that comes next, in steps."""
    session, crew = _session(request)
    return answer(await crew.do(session.inside))


def compare(request: Request) -> Response:
    """Vanilla CFR on Kuhn poker with these stakes, or on another game, to compare with."""
    from regretlab.watch.vanilla import vanilla, vanilla_on

    if (game := request.query_params.get("game", "kuhn")) != "kuhn":
        return answer(vanilla_on(game, request.app.state.settings.game))
    stakes = (request.query_params.get(name, "1") for name in ("ante", "bet"))
    return answer(vanilla(*stakes))


async def close(request: Request) -> Response:
    """End a session."""
    _register(request).remove(request.path_params["session"])
    return Response(status_code=204)


ROUTES = [
    Route("/api/sessions", create, methods=["POST"]),
    Route("/api/sessions/{session}", command, methods=["POST"]),
    Route("/api/sessions/{session}", close, methods=["DELETE"]),
    Route("/api/sessions/{session}/stream", stream),
    Route("/api/sessions/{session}/explain", explain),
    Route("/api/vanilla", compare),
    Route("/api/sessions/{session}/inside", inside),
]


def _register(request: Request) -> Register:
    return request.app.state.register  # type: ignore[no-any-return]


def _session(request: Request) -> tuple[Session, Crew]:
    """The session that an address names, and who works for it."""
    session = _register(request).get(request.path_params["session"])
    return session, request.app.state.training if session.trains_networks else request.app.state.workers


def _have(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise UserError("have must be a whole number")
    return whole("have", value, least=0, most=1_000)


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, media_type="application/json")
