"""The glossary as a page: the one source of the terms, with links between them."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from html import escape
from threading import Event, Lock, Thread
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.documents.mathml import in_pieces
from regretlab.explaining.glossary import TERMS, anchor, examples
from regretlab.web.server.answers import answer, framed, page_file, text

_NAMES = {name.lower(): name for name in TERMS}
_LONGEST_FIRST = "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True))
_MENTION = re.compile(rf"(?<![\w/])(?:{_LONGEST_FIRST})(?![\w(])", re.IGNORECASE)
"""Any term in a text, but not within a longer word."""


LATER = "Its numbers are being computed; where regretlab is new that takes a minute, once."
"""In place of an example that needs a solver, until that is compiled."""

LOOK_SECONDS = 0.05
"""How often it is looked whether they are there."""

_computing, _computed = Lock(), Event()


def page(request: Request) -> Response:
    """The whole glossary; it needs no script once all examples are computed."""
    return text(request, rendered(at_once=not _computed.is_set()))


def compute() -> None:
    """Compute all examples; whoever asks for them meanwhile waits for this."""
    with _computing:
        examples()
        _computed.set()


async def later(request: Request) -> Response:
    """The examples that the page has had to do without, in HTML, when they are there.

    They are computed in a thread for which nobody waits who stops the server.
    """
    if not _computed.is_set():
        working = Thread(target=compute, daemon=True)
        working.start()
        while working.is_alive():
            await asyncio.sleep(LOOK_SECONDS)
    known = examples(at_once=True)
    return answer({anchor(name): _said(name, words) for name, words in examples().items() if name not in known})


def _said(name: str, example: str) -> str:
    from regretlab.watch.watched_game import players_from_one

    return linked(players_from_one(example), name)


@cache
def rendered(at_once: bool = False) -> str:
    """The page in its frame: with all examples, or with those that are there at once."""
    from regretlab.watch.watched_game import players_from_one

    known = examples(at_once)
    index = "".join(f'<li data-term="{anchor(name)}">{link(name)}</li>' for name in TERMS)
    entries = []
    for term in TERMS.values():
        name, related = anchor(term.name), ", ".join(link(name) for name in term.related)
        there = term.name in known
        example = _said(term.name, known[term.name]) if there else f"<span data-later>{LATER}</span>"
        entries.append(
            f'<section class="term card" id="{name}" aria-labelledby="{name}-name">'
            f'<h2 id="{name}-name">{escape(term.name)}</h2>'
            f"<p>{linked(players_from_one(term.meaning), term.name)}</p>"
            f'<p class="formula">{in_pieces(players_from_one(term.formula))}</p>'
            f'<p class="example"><strong>Example.</strong> {example}</p>'
            f'<p class="related small soft">See also: {related}</p></section>'
        )
    whole = page_file("glossary.html").replace("<!-- index -->", index)
    return framed(whole.replace("<!-- content -->", "\n".join(entries)), "/glossary")


def terms() -> dict[str, Any]:
    """What is shown in place of a link to a term, and what the labels of Kuhn poker mean."""
    from regretlab.games import Kuhn
    from regretlab.games.walk import walk
    from regretlab.watch.watched_game import players_from_one

    rules, labels = Kuhn(), {}
    for visit in walk(rules):
        if visit.infoset is not None:
            labels[visit.infoset.label] = f"Player {visit.player + 1}: {rules.meaning(visit.infoset.label)}"
    texts = {anchor(term.name): {"name": term.name, "words": players_from_one(term.meaning)} for term in TERMS.values()}
    return {"terms": texts, "labels": labels}


def words(request: Request) -> Response:
    """What ``terms`` says, as JSON."""
    return answer(terms())


def link(name: str, words: str | None = None, page: str = "") -> str:
    """A link to a term on the page of the glossary."""
    return f'<a href="{page}#{anchor(name)}">{escape(words or name)}</a>'


def linked(words: str, own: str, page: str = "") -> str:
    """A text in which the first mention of each other term leads to it, on the ``page`` of the glossary.

    >>> linked("A bet is a bluff or not.", "fold")
    'A <a href="#bet">bet</a> is a <a href="#bluff">bluff</a> or not.'
    """
    met, pieces, last = {own.lower()}, list[str](), 0
    for found in _MENTION.finditer(words):
        name = found[0].lower()
        pieces.append(escape(words[last : found.start()], quote=False))
        pieces.append(escape(found[0], quote=False) if name in met else link(_NAMES[name], found[0], page))
        met.add(name)
        last = found.end()
    return "".join([*pieces, escape(words[last:], quote=False)])


ROUTES = [Route("/glossary", page), Route("/api/terms", words), Route("/api/examples", later)]
