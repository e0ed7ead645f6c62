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

from regretlab.errors import UserError
from regretlab.watch import offers
from regretlab.watch.nearest import Nearest
from regretlab.web.server.answers import answer, read_json

if TYPE_CHECKING:
    from regretlab.watch.card_table import CardTable

MOST_TABLES = 200
"""How many tables are kept at once; the one that nobody has touched for longest makes room."""

IDLE_SECONDS = 3 * 3600
"""How long nobody may touch a table before it is cleared away."""

GAMES = ("kuhn", "leduc")
DEFAULT_ITERATIONS = 1_000
MOST_SEED = 2**32


@dataclass
class Seated:
    """A table in use."""

    table: CardTable
    about: dict[str, Any]  # the game, the bot, and ``order``, with which one has the same again
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
    """Open a table: a bot learns, and the first hand is dealt, or hands are played again as a record says."""
    body = await read_json(request)

    def opened() -> dict[str, Any]:
        from regretlab.evaluation import exploitability
        from regretlab.games import load
        from regretlab.watch.card_table import CardTable

        order, said = read_order(body)
        slug, recipe, iterations = order["game"], order["recipe"], int(order["iterations"])
        game = offers.game_name(slug, order["ante"], order["bet"])
        strategy = offers.learned(slug, game, recipe, iterations)
        rules: Any = load(game)
        table = CardTable(rules, strategy, order["seat"], int(order.pop("seed")))
        bot = {
            "recipe": recipe,
            "name": offers.recipe_of(recipe).name,
            "iterations": iterations,
            "exploitability": exploitability(strategy.form, strategy),
        }
        if not table.replay(str(body.get("record", ""))):
            said.append(
                f"the bot has learned anew and plays another way: the account ends at hand {table.hand.number:,}"
            )
        title = {"title": offers.offer(slug).title, "name": game, "unit": offers.unit(game)}
        seated = Seated(table, {"game": slug, **title, "bot": bot, "order": order})
        return _view(TABLES.add(seated), seated) | {"said": said}

    return answer(await run_in_threadpool(opened), 201)


def read_order(body: dict[str, Any]) -> tuple[dict[str, str], list[str]]:
    """The table that is asked for, and sentences about what was replaced, if the nearest one will do."""
    from regretlab.watch.card_table import SEATS

    found = Nearest(strict=not body.get("nearest"))
    game = found.choice("game", body.get("game", "kuhn"), GAMES, "kuhn")
    recipes = [each["slug"] for each in offers.recipes_with_tables()]
    recipe = found.choice("recipe", body.get("recipe", "cfr-plus"), recipes, "cfr-plus")
    ante, bet = (found.stake(name, body.get(name, 1)) for name in ("ante", "bet"))
    most = offers.offer(game).most_iterations
    iterations = found.whole("iterations", body.get("iterations", DEFAULT_ITERATIONS), DEFAULT_ITERATIONS, 0, most)
    seat = found.choice("seat", body.get("seat", "alternate"), SEATS, "alternate")
    given = body.get("seed")
    drawn = secrets.randbits(32) if given is None else given
    seed = found.whole("seed", drawn, 0, 0, MOST_SEED)
    order = {"game": game, "recipe": recipe, "ante": ante, "bet": bet, "seat": seat, "seed": seed}
    return order | {"iterations": iterations}, found.said


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
    kept = {"table": name, "seed": seated.table.seed, "record": seated.table.record}  # to have this table again
    return kept | seated.about | view | {"milli": milli}


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
            if body.get("after", len(seated.table.record)) != len(seated.table.record):
                pass  # it was done before, or the page is behind: it is told how the table is
            elif body.get("do") == "act":
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
