"""How exploitability is computed: the page with its numbers, for any recipe after any number of iterations."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.errors import UserError
from regretlab.spec import whole
from regretlab.web.body import answer, encoded
from regretlab.web.frame import PAGE, framed
from regretlab.web.static import text

if TYPE_CHECKING:
    from regretlab.explaining.best_responses import ExploitabilityLesson

RECORDED = "cfr-plus"
"""The recipe whose numbers are in an export."""

STEPS = (0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000)
"""The iterations that the page offers; any other can be written into its address."""


def page(request: Request) -> Response:
    """The whole page; what can't be read in the address is said on the page itself."""
    try:
        return text(request, rendered(request.query_params))
    except UserError as mistake:
        return text(request, rendered({}, str(mistake)))


def numbers(request: Request) -> Response:
    """What changes on the page, and its numbers for machines."""
    return answer(changed(request.query_params))


def lesson(query: Mapping[str, str]) -> ExploitabilityLesson:
    """The page's numbers for an address."""
    from regretlab.explaining.best_responses import explain_exploitability
    from regretlab.web import bots
    from regretlab.web.slugs import recipe_of

    game = bots.game_name("kuhn", query.get("ante", "1"), query.get("bet", "1"))
    most = bots.offer("kuhn").most_iterations
    iterations = whole("iterations", query.get("iterations", "10"), least=0, most=most)
    recipe = query.get("recipe", RECORDED)
    strategy = bots.learned("kuhn", game, recipe, iterations)
    return explain_exploitability(recipe_of(recipe), iterations, strategy)


def changed(query: Mapping[str, str]) -> dict[str, object]:
    """What a script puts into the page in place of what was there, and the numbers."""
    from regretlab.explaining.exploitability_html import lesson_html

    found = lesson(query)
    return {"html": lesson_html(found)} | found.as_dict() | {"recipe": query.get("recipe", RECORDED)}


def rendered(query: Mapping[str, str], mistake: str = "") -> str:
    """The page in its frame, readable before any script runs."""
    from regretlab.explaining.exploitability_html import lesson_html

    found = lesson(query)
    form = _form(found, query.get("recipe", RECORDED), mistake)
    page = (PAGE / "exploitability.html").read_text("utf-8")
    filled = page.replace("<!-- form -->", form).replace("<!-- content -->", lesson_html(found))
    return framed(filled, "/exploitability")


def _form(lesson: ExploitabilityLesson, chosen: str, mistake: str) -> str:
    """What can be chosen; it works without a script, too."""
    from regretlab.web import bots

    def option(value: str, words: str, chosen: str) -> str:
        return f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(words)}</option>'

    def stake(name: str, words: str, value: object) -> str:
        return (
            f'<label class="field"><span>{words}</span>'
            f'<input name="{name}" size="5" value="{escape(str(value))}" autocomplete="off"></label>'
        )

    recipes = "".join(option(each["slug"], each["name"], chosen) for each in bots.recipes())
    steps = sorted({*STEPS, lesson.iterations})
    iterations = "".join(option(str(step), f"{step:,}", str(lesson.iterations)) for step in steps)
    wrong = f'<p class="wrong" role="alert">{escape(mistake)}</p>' if mistake else ""
    return (
        f'{wrong}<form class="card choose row" id="choose" action="exploitability">'
        f'<label class="field"><span>Recipe</span><select name="recipe">{recipes}</select></label>'
        f'<label class="field"><span>After iterations</span><select name="iterations">{iterations}</select></label>'
        '<span class="row steps" hidden><button type="button" class="button" id="less">Fewer</button>'
        '<button type="button" class="button" id="more">More</button></span>'
        f"{stake('ante', 'Ante', lesson.rules.ante)}{stake('bet', 'Bet', lesson.rules.bet)}"
        '<button class="button primary" id="show">Show</button></form>'
    )


def exported() -> dict[str, str]:
    """The page and the numbers of one recipe at every step, for an export."""
    files = {"exploitability.html": rendered({})}
    for step in STEPS:
        numbers = encoded(changed({"iterations": str(step)})).decode()
        files[f"data/exploitability/{RECORDED}-{step}.json"] = numbers
    return files


ROUTES = [Route("/exploitability", page), Route("/api/exploitability", numbers)]
