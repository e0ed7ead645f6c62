"""Playing against the bot: tables, each with a bot, a person and an account."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.errors import UserError, unknown
from regretlab.spec import whole
from regretlab.watch import offers
from regretlab.web.server.answers import answer, read_json

if TYPE_CHECKING:
    from regretlab.watch.card_table import CardTable

MOST_TABLES = 200
"""How many tables are kept at once; the one that nobody has touched for longest makes room."""

IDLE_SECONDS = 3 * 3600
"""How long nobody may touch a table before it is cleared away."""

GAMES = ("kuhn", "leduc")
DEFAULT_ITERATIONS = 1_000


@dataclass
class Seated:
    """A table in use."""

    table: CardTable
    about: dict[str, Any]
    touched: float = field(default_factory=time.monotonic)
    lock: Lock = field(default_factory=Lock)


class Tables:
    """All tables in use, the least recently touched first."""

    def __init__(self) -> None:
        self.seated: OrderedDict[str, Seated] = OrderedDict()
        self.lock = Lock()

    def add(self, seated: Seated) -> str:
        """Take in a new table, for which old ones make room; returns its name."""
        name = secrets.token_urlsafe(12)
        with self.lock:
            idle = time.monotonic() - IDLE_SECONDS
            for old, each in list(self.seated.items()):
                if len(self.seated) < MOST_TABLES and each.touched >= idle:
                    break
                del self.seated[old]
            self.seated[name] = seated
        return name

    def get(self, name: str) -> Seated:
        """The table of this name."""
        with self.lock:
            if name not in self.seated:
                raise HTTPException(404, "there is no such table any more; begin a new one")
            self.seated.move_to_end(name)
            self.seated[name].touched = time.monotonic()
            return self.seated[name]

    def clear(self, name: str) -> None:
        """Forget a table."""
        with self.lock:
            self.seated.pop(name, None)


TABLES = Tables()


async def open_table(request: Request) -> Response:
    """Open a table: a bot learns, and the first hand is dealt."""
    body = await read_json(request)

    def opened() -> dict[str, Any]:
        from regretlab.evaluation import exploitability
        from regretlab.games import load
        from regretlab.watch.card_table import CardTable

        slug, recipe = str(body.get("game", "kuhn")), str(body.get("recipe", "cfr-plus"))
        if slug not in GAMES:
            raise unknown("game", slug, GAMES)
        game = offers.game_name(slug, str(body.get("ante", "1")), str(body.get("bet", "1")))
        iterations = body.get("iterations", DEFAULT_ITERATIONS)
        seed = body.get("seed")
        chosen = secrets.randbits(32) if seed is None else whole("seed", seed, least=0, most=2**32)
        strategy = offers.learned(slug, game, recipe, iterations)
        rules: Any = load(game)
        table = CardTable(rules, strategy, str(body.get("seat", "alternate")), chosen)
        bot = {
            "recipe": recipe,
            "name": offers.recipe_of(recipe).name,
            "iterations": whole("iterations", iterations, least=0),
            "exploitability": exploitability(strategy.form, strategy),
        }
        about = {"game": slug, "title": offers.offer(slug).title, "name": game, "unit": offers.unit(game), "bot": bot}
        seated = Seated(table, about)
        return _view(TABLES.add(seated), seated)

    return answer(await run_in_threadpool(opened), 201)


def _view(name: str, seated: Seated) -> dict[str, Any]:
    """What the person sees: amounts in chips, and beside them in the unit in which people compare."""
    chips = seated.about["unit"]["chips"]
    view = seated.table.view()
    account = view["account"]
    means = {
        key: {part: None if number is None else number / chips for part, number in account[key].items()}
        for key in ("mean_result", "mean_earned", "mean_loss")
    }
    milli = {"exploitability": seated.about["bot"]["exploitability"] / chips} | means
    return {"table": name} | seated.about | view | {"milli": milli}


def look(request: Request) -> Response:
    """The table as it is."""
    name = request.path_params["table"]
    seated = TABLES.get(name)
    with seated.lock:
        return answer(_view(name, seated))


async def move(request: Request) -> Response:
    """Do an action of the person, or deal the next hand."""
    name, body = request.path_params["table"], await read_json(request)
    seated = TABLES.get(name)

    def moved() -> dict[str, Any]:
        with seated.lock:
            if body.get("do") == "act":
                seated.table.act(str(body.get("action", "")))
            elif body.get("do") == "deal":
                seated.table.deal()
            else:
                raise UserError(f"do={body.get('do')!r:.20} is nothing to do; say act or deal")
            return _view(name, seated)

    return answer(await run_in_threadpool(moved))


def leave(request: Request) -> Response:
    """Leave the table, which is forgotten."""
    TABLES.clear(request.path_params["table"])
    return Response(status_code=204)


ROUTES = [
    Route("/api/play", open_table, methods=["POST"]),
    Route("/api/play/{table}", look, methods=["GET"]),
    Route("/api/play/{table}", move, methods=["POST"]),
    Route("/api/play/{table}", leave, methods=["DELETE"]),
]
