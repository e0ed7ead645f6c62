"""How exploitability is computed: the page with its numbers, for any recipe after any number of iterations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.errors import UserError
from regretlab.web.body import answer, encoded
from regretlab.web.frame import PAGE, framed
from regretlab.web.static import text

if TYPE_CHECKING:
    from regretlab.web.lesson import Lesson

RECORDED = "cfr-plus"
"""The recipe whose numbers are in an export."""


def page(request: Request) -> Response:
    """The whole page; what can't be read in the address is said on the page itself."""
    try:
        return text(request, rendered(request.query_params))
    except UserError as mistake:
        return text(request, rendered({}, str(mistake)))


def numbers(request: Request) -> Response:
    """What changes on the page, and its numbers for machines."""
    lesson = _lesson(request.query_params)
    return answer(_changed(lesson))


def _lesson(query: Mapping[str, str]) -> Lesson:
    from regretlab.web.lesson import lesson

    return lesson(
        query.get("recipe", RECORDED), query.get("iterations", "10"), query.get("ante", "1"), query.get("bet", "1")
    )


def _changed(lesson: Lesson) -> dict[str, object]:
    from regretlab.web.lesson_html import fragment

    return {"html": fragment(lesson)} | lesson.as_dict()


def rendered(query: Mapping[str, str], mistake: str = "") -> str:
    """The page in its frame, readable before any script runs."""
    from regretlab.web.lesson_html import form, fragment

    lesson = _lesson(query)
    whole = (PAGE / "exploitability.html").read_text("utf-8")
    parts = {"<!-- form -->": form(lesson, mistake), "<!-- content -->": fragment(lesson)}
    for place, part in parts.items():
        whole = whole.replace(place, part)
    return framed(whole, "/exploitability")


def exported() -> dict[str, str]:
    """The page and the numbers of one recipe at every step, for an export."""
    from regretlab.web.lesson import STEPS

    files = {"exploitability.html": rendered({})}
    for step in STEPS:
        changed = _changed(_lesson({"iterations": str(step)}))
        files[f"data/exploitability/{RECORDED}-{step}.json"] = encoded(changed).decode()
    return files


ROUTES = [Route("/exploitability", page), Route("/api/exploitability", numbers)]
