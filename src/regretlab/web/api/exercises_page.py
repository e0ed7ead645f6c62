"""The exercises as a page: tasks, hints and solutions, and answers that the server checks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.documents.blocks import Document, Paragraph, prose
from regretlab.documents.html import fragment
from regretlab.documents.numbers import Notation
from regretlab.errors import UserError
from regretlab.web.server.answers import answer, framed, page_file, read_json, text


async def page(request: Request) -> Response:
    """The whole page; where an answer stands in the address, with what is said about it."""
    return text(request, await run_in_threadpool(rendered, dict(request.query_params)))


async def check(request: Request) -> Response:
    """What is said about an answer."""
    order = await read_json(request)
    right, said = await run_in_threadpool(_checked, str(order.get("exercise", "")), str(order.get("answer", "")))
    return answer({"right": right, "html": said})


def _checked(number: str, given: str) -> tuple[bool, str]:
    """Whether an answer is right, and what is said about it in HTML; what can't be read is said as well."""
    from regretlab.explaining.exercises import find

    chosen = find(number)
    try:
        verdict = chosen.judge(given)
    except UserError as mistake:
        return False, _html(f"{str(mistake)[:1].upper()}{str(mistake)[1:]}.")
    return verdict.right, _html(verdict.said)


def rendered(query: Mapping[str, str]) -> str:
    """The page in its frame; its forms work without a script, too."""
    from regretlab.explaining.exercises import EXERCISES

    asked, given, verdicts = query.get("exercise", ""), query.get("answer", ""), dict[int, tuple[bool, str]]()
    if asked.isdecimal() and int(asked) in EXERCISES and given:
        verdicts[int(asked)] = _checked(asked, given)
    index = "".join(
        f'<li data-exercise="{each.place}"><a href="#exercise-{each.place}"><span>{each.place}</span> '
        f"<b>{escape(each.title)}</b></a></li>"
        for each in EXERCISES.values()
    )
    cards = []
    for place in EXERCISES:
        right, said = verdicts.get(place, (False, ""))
        state = " right" if right else ""
        before, after = _card(place)
        cards.append(f'{before}<div class="verdict{state}" role="status">{said}</div>{after}')
    whole = page_file("exercises.html").replace("<!-- index -->", index).replace("<!-- content -->", "\n".join(cards))
    return framed(whole, "/exercises")


@cache
def _card(place: int) -> tuple[str, str]:
    """An exercise up to what is said about an answer, and what comes after that."""
    from regretlab.explaining.exercises import EXERCISES

    chosen = EXERCISES[place]
    _, *task = chosen.document().blocks
    if chosen.options:
        task.pop()  # the options are buttons here
    # What scrolls sideways on a phone has to be reached by the keyboard.
    shown = fragment(Document(tuple(task), Notation())).replace("<pre>", '<pre tabindex="0">')
    hints = '<details class="solution"><summary>The solution</summary>' + _program(chosen.solution) + "</details>"
    for number, hint in reversed(list(enumerate(chosen.hints, 1))):
        name = "A hint" if number == 1 else "One more hint"
        hints = f"<details><summary>{name}</summary>{_html(hint)}{hints}</details>"
    return (
        f'<section class="exercise card" id="exercise-{place}" aria-labelledby="exercise-{place}-title">'
        f'<p class="eyebrow">Exercise {place}</p><h2 id="exercise-{place}-title">{escape(chosen.title)}</h2>'
        f"{_from_one(shown)}{_form(place)}",
        f"{_from_one(hints)}</section>",
    )


def _form(place: int) -> str:
    """Where an answer is given, or where a program is written."""
    from regretlab.explaining.exercises import EXERCISES

    chosen = EXERCISES[place]
    if chosen.kind == "program":
        command = f"regretlab exercise {place}"
        return (
            f'<p class="note">This one is a program. <code>{command}</code> in a terminal writes '
            f"<code>{chosen.file}</code> to begin with. Change it, and the same command checks it.</p>"
            f"<details><summary>What it begins with</summary>{_program(chosen.start)}</details>"
        )
    if chosen.options:
        fields = "".join(
            f'<label class="option"><input type="radio" name="answer" value="{escape(name)}" required>'
            f"<span>{escape(name.capitalize())}</span> <code>{escape(words)}</code></label>"
            for name, words in chosen.options.items()
        )
        fields = f'<fieldset class="options"><legend class="visually-hidden">Your answer</legend>{fields}</fieldset>'
    else:
        fields = (
            '<label class="field"><span>Your answer</span><input name="answer" size="18" maxlength="100" required '
            f'autocomplete="off" placeholder="such as {escape(chosen.example)}"></label>'
        )
    return (
        f'<form class="row answer" action="exercises#exercise-{place}" data-exercise="{place}">'
        f'<input type="hidden" name="exercise" value="{place}">{fields}'
        f'<button class="button primary">Check</button></form>'
    )


def _program(source: str) -> str:
    return f'<pre tabindex="0"><code>{escape(source)}</code></pre>'


def _html(said: str) -> str:
    return _from_one(fragment(Document((Paragraph(prose(said)),), Notation())))


def _from_one(words: str) -> str:
    from regretlab.watch.watched_game import players_from_one

    return players_from_one(words)


ROUTES = [Route("/exercises", page), Route("/api/exercises", check, methods=["POST"])]
