"""The home page and the learning pages: their files, filled with the words of the recipe table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.documents.mathml import as_mathml
from regretlab.web.server.answers import answer, framed, page_file, text

Entry = Mapping[str, Any]
"""A recipe as ``GET /api/recipes`` describes it."""

PLAIN = "cfr"
"""The recipe that the others are compared with."""

INSTALL = "pip install 'regretlab[deep]'"

_STATUS = {
    "proven": "A theorem says that it converges.",
    "tested": "It was seen to converge, and checked; no theorem says so.",
    "experimental": "Neither proven nor tested enough: an experiment.",
}
_KEPT = {"regrets": "the regrets", "strategy": "the strategy", "average": "weight in the average"}
_AGAINST = (
    '<a class="button" id="against" href="/play?recipe={{slug}}&amp;iterations=0" data-live>Play against this bot</a>'
)
_BRAIN = "All that the bot knows: 12 situations, and in each one regrets. Choose one to see its arithmetic."
_NETWORK_BRAIN = (
    "What the networks say: 12 situations, and in each one the advantages of the actions, which take the place of "
    "regrets. Choose one to see its arithmetic."
)
_BUSY = '<p class="busy" id="busy" aria-hidden="true"><i></i>collecting samples, training …</p>'
_KINDS = {"advantages": "Advantage network", "strategies": "Network of the average"}
_FITS = {
    True: "The average is a network, too, which is trained whenever it is looked at.",
    False: "The average has no network of its own: all advantage networks so far make it up, exactly.",
}


def home(recipes: Sequence[Entry]) -> str:
    """The home page: a tile for each featured recipe, with its first change that no recipe before it makes."""
    tiles, known = "", set[str]()
    for entry in (entry for entry in recipes if entry["featured"]):
        news = [change for change in entry["changes"] if change not in known]
        known.update(news)
        first = "The first of its kind: all others change a part of it." if entry["slug"] == PLAIN else ""
        tiles += (
            f'<a class="card tile" href="/learn/{entry["slug"]}"><h3>{escape(spoken(entry["recipe"]))} '
            f'<span class="badge {entry["status"]}">{entry["status"]}</span></h3>'
            f"<p><b>{_title(entry)}</b>{escape(news[0] if news else first)}</p>"
            f'<p class="cited">{escape(entry["citation"])}</p></a>'
        )
    others = "".join(
        f"<li>{_link(entry)} <span class='soft'>{_capitalised(entry['title'])}</span></li>"
        for entry in recipes
        if not entry["featured"]
    )
    return framed(_filled("index.html", tiles=tiles, others=others))


def learn(entry: Entry, recipes: Sequence[Entry]) -> str:
    """The page of one recipe."""
    plain = next(each for each in recipes if each["slug"] == PLAIN)
    name = escape(spoken(entry["recipe"]))
    changes = "".join(f"<li>{escape(words)}</li>" for words in entry["changes"])
    # The formulas of both recipes side by side; what differs from the plain one stands out.
    compared = [plain] if entry is plain else [plain, entry]
    head = "".join(f'<th scope="col">{escape(spoken(each["recipe"]))}</th>' for each in compared)
    rows = ""
    for kept, words in _KEPT.items():
        rows += f'<tr><th scope="row">{words}</th>'
        for formula in (each["formulas"][kept] for each in compared):
            differs = "" if formula == plain["formulas"][kept] else ' class="differs"'
            lines = "".join(f"<div>{as_mathml(part.strip())}</div>" for part in formula.split(";"))
            rows += f"<td{differs}>{lines}</td>"
        rows += "</tr>"
    script = '<script type="module" src="/static/js/learn/main.js"></script>'
    to_install = (
        f'<p class="card note">To watch {name} learn, PyTorch is needed: <code>{escape(INSTALL)}</code>, '
        "then start <code>regretlab serve</code> again.</p>"
    )
    page = _filled(
        "learn.html",
        run=_run(entry) if can_run(entry) else to_install,  # first, because there are names to replace in it
        name=name,
        title=_title(entry),
        slug=entry["slug"],
        kept="regret" if entry["networks"] is None else "advantage",
        status=entry["status"],
        status_words=_STATUS[entry["status"]],
        citations="; ".join(
            f"{escape(each['short'])}, <cite>{escape(each['title'])}</cite>, {escape(each['where'])}"
            for each in entry["citations"]
        ),
        links="".join(
            f"<li>{_link(each, here=each is entry)}</li>" for each in recipes if each["featured"] or each is entry
        ),
        script=script if can_run(entry) else "",
        changes_title="What vanilla CFR does" if entry is plain else f"What {name} changes against vanilla CFR",
        changes=f"<ol>{changes}</ol>" if changes else f"<p>{escape(entry['summary'])}</p>",
        formulas=f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>",
        symbols="".join(
            f"<dt>{as_mathml(sign)}</dt><dd>{escape(words)}</dd>" for sign, words in entry["symbols"].items()
        ),
    )
    return framed(page, "/learn/cfr-plus", "../")


def can_run(entry: Entry) -> bool:
    """Whether everything that a recipe needs is installed."""
    return entry["networks"] is None or bool(entry["networks"]["installed"])


def _run(entry: Entry) -> str:
    """Everything that moves: numbers, controls, tree, brain, arithmetic, charts; ``{{kept}}`` and ``{{slug}}`` stay."""
    fields = ""
    for parameter in entry["parameters"]:
        name, default = parameter["name"], escape(str(parameter["default"]))
        fields += f'<label class="field" title="{escape(parameter["help"])}"><span>{name.capitalize()}</span>'
        if "choices" in parameter:
            options = "".join(
                f"<option{' selected' if choice == parameter['default'] else ''}>{escape(str(choice))}</option>"
                for choice in parameter["choices"]
            )
            fields += f'<select name="{name}">{options}</select></label>'
        else:
            mode = ' inputmode="numeric"' if parameter["kind"] == "whole" else ""
            fields += f'<input name="{name}" size="7" value="{default}"{mode} autocomplete="off"></label>'
    if entry["networks"] is None:
        zeros = "Regrets that are 0"
        texts = {"brain": _BRAIN, "zeros": zeros, "against": _AGAINST, "busy": "", "networks": ""}
        return _filled("run.html", parameters=fields, **texts)
    # How well the networks fit, and how full the memories are.
    rows, average = "", entry["networks"]["average"]
    for kind in list(_KINDS)[: 2 if average else 1]:
        losses = "".join(f'<td data-loss="{kind} {player}">–</td>' for player in (0, 1))
        memories = "".join(
            f'<td><i class="fill" aria-hidden="true"></i><span data-memory="{kind} {player}">–</span></td>'
            for player in (0, 1)
        )
        rows += f'<tr><th scope="row">{_KINDS[kind]}: loss</th>{losses}</tr>'
        rows += f'<tr><th scope="row">Its memory</th>{memories}</tr>'
    networks, zeros = _filled("networks.html", average=_FITS[average], rows=rows), "Actions without a positive one"
    texts = {"brain": _NETWORK_BRAIN, "zeros": zeros, "against": "", "busy": _BUSY, "networks": networks}
    return _filled("run.html", parameters=fields, **texts)


def spoken(name: str) -> str:
    """A recipe's name as people write it.

    >>> spoken("predictive-normalhedge+"), spoken("hs-dcfr"), spoken("external-sampling")
    ('Predictive NormalHedge+', 'HS DCFR', 'External sampling')
    """
    words = name.replace("normalhedge", "NormalHedge").split("-")
    said = " ".join(word.upper() if "cfr" in word or len(word) < 3 else word for word in words)
    return said[0].upper() + said[1:]


def _filled(page: str, **texts: str) -> str:
    """A page file with its ``{{names}}`` replaced."""
    whole = page_file(page)
    for name, value in texts.items():
        whole = whole.replace(f"{{{{{name}}}}}", value)
    return whole


def _capitalised(title: str) -> str:
    return escape(title[0].upper() + title[1:])


def _title(entry: Entry) -> str:
    """What the name stands for; nothing where it is the title already."""
    return "" if entry["title"] == spoken(entry["recipe"]) else f"{_capitalised(entry['title'])}. "


def _link(entry: Entry, here: bool = False) -> str:
    current = ' aria-current="page"' if here else ""
    return f'<a href="/learn/{entry["slug"]}"{current}>{escape(spoken(entry["recipe"]))}</a>'


def recipes(request: Request) -> Response:
    """Every recipe, in words and formulas, for machines."""
    from regretlab.web.api.recipe_words import described

    return answer(described())


def home_page(request: Request) -> Response:
    """The home page, where everything begins."""
    from regretlab.web.api.recipe_words import described

    return text(request, home(described()))


def learn_page(request: Request) -> Response:
    """The page of one recipe."""
    from regretlab.web.api.recipe_words import described

    slug = request.path_params["slug"]
    entry = next((entry for entry in described() if entry["slug"] == slug), None)
    if entry is None:
        raise HTTPException(404, "there is no recipe of this name")
    return text(request, learn(entry, described()))


ROUTES = [Route("/", home_page), Route("/learn/{slug}", learn_page), Route("/api/recipes", recipes)]
