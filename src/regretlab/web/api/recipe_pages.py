"""The home page and the learning pages: their files, filled with the words of the recipe table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from regretlab.documents.mathml import as_mathml
from regretlab.watch.nearest import MOST_TEXT, nearest_name, same_name
from regretlab.watch.offers import OFFERS, OWN, RULES, WATCHED, recipe_of
from regretlab.web.api.glossary_page import linked
from regretlab.web.server.answers import answer, framed, page_file, refused, text

Entry = Mapping[str, Any]
"""A recipe as ``GET /api/recipes`` describes it."""

FIRST = "cfr-plus"
"""The recipe that most people look at first."""

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
_BRAIN = (
    'In each of 12 situations the <a href="/glossary#regret">regret</a> of each action: how much more it would have '
    "earned than what was played. A card opens its arithmetic."
)
_NETWORK_BRAIN = "12 situations. Networks say the advantages, which take the place of regrets. Choose one."
_BUSY = '<p class="busy" id="busy" aria-hidden="true"><i></i>collecting samples, training …</p>'
GAMES = (
    '<details class="siblings" data-live><summary>Other games</summary>'
    '<nav aria-label="Games"><ul>{{links}}</ul></nav></details>'
)
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


def learn(entry: Entry, recipes: Sequence[Entry], own: str | None = None) -> str:
    """The page of one recipe on Kuhn poker; ``own`` is the game that the command line named."""
    plain = next(each for each in recipes if each["slug"] == PLAIN)
    name = escape(spoken(entry["recipe"]))
    changes = "".join(f"<li>{linked(words, '', '/glossary')}</li>" for words in entry["changes"])
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
        games=GAMES.replace("{{links}}", _game_links(entry, "kuhn", own)) if entry["networks"] is None else "",
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
        differs=_differs(entry),
        changes_title="What vanilla CFR does" if entry is plain else f"What {name} changes against vanilla CFR",
        changes=f"<ol>{changes}</ol>" if changes else f"<p>{escape(entry['summary'])}</p>",
        formulas=f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>",
        symbols="".join(
            f"<dt>{as_mathml(sign)}</dt><dd>{escape(words)}</dd>" for sign, words in entry["symbols"].items()
        ),
    )
    return framed(page, "/learn/cfr-plus", "../")


def learn_any(entry: Entry, recipes: Sequence[Entry], game: str, own: str | None) -> str:
    """The page of one recipe on another game than Kuhn poker; where there is none, Kuhn poker's and a sentence."""
    from regretlab.explaining.textbook import level
    from regretlab.watch.any_game import any_game

    games = games_to_watch(own)
    if game not in games or entry["networks"] is not None:
        there = ", ".join(
            f'<a href="/learn/{entry["slug"]}?game={name}">{escape(title)}</a>' for name, title in games.items()
        )
        reason = (
            f"There is no game of the name “{escape(game[:40])}” here; this is Kuhn poker. There are: {there}."
            if entry["networks"] is None
            else "Networks are watched on Kuhn poker only, so this is Kuhn poker."
        )
        note = f'<p class="note" role="status">{reason}</p>\n\n<section class="cockpit'
        return learn(entry, recipes, own).replace('<section class="cockpit', note, 1)
    links = "".join(
        f'<li><a href="/learn/{each["slug"]}?game={game}"{_current(each is entry)}>'
        f"{escape(spoken(each['recipe']))}</a></li>"
        for each in recipes
        if (each["featured"] and each["networks"] is None) or each is entry
    )
    page = _filled(
        "any.html",
        **panels(),
        picture=page_file("any_triangles.html" if any_game(game, own).is_one_shot else "any_tree.html"),
        rules=_rules(game),
        name=escape(spoken(entry["recipe"])),
        game=escape(any_game(game, own).title),
        key=game,
        floor="zero" if level(recipe_of(entry["slug"])) == 0 else "none",
        slug=entry["slug"],
        status=entry["status"],
        status_words=_STATUS[entry["status"]],
        links=links,
        differs=_differs(entry),
        against=_against_on(game, entry["slug"]),
        games=_game_links(entry, game, own),
    )
    return framed(page, "/learn/cfr-plus", "../")


def _differs(entry: Entry) -> str:
    """What the link says that leads to the changes and the reasons for them."""
    return "How it works" if entry["slug"] == PLAIN else "How it differs"


def _against_on(game: str, slug: str) -> str:
    """The link to a table at which the bot sits; only some games are played there, and bots learn only so long."""
    from regretlab.web.api.playing import GAMES as PLAYED

    if game not in PLAYED:
        return ""
    return (
        f'<a class="button" id="against" href="/play?game={game}&amp;recipe={slug}&amp;iterations=0" '
        f'data-most="{OFFERS[game].most_iterations}" data-live>Play against this bot</a>'
    )


def games_to_watch(own: str | None) -> dict[str, str]:
    """What the games are called, by their names in addresses."""
    return {"kuhn": "Kuhn poker"} | WATCHED | ({OWN: "Your own game"} if own is not None else {})


def _rules(game: str) -> str:
    """The rules of a game, to unfold; nobody has written down those of the user's own."""
    if game not in RULES:
        return ""
    lines = "".join(f"<li>{escape(line)}</li>" for line in RULES[game])
    return f'<details class="signs"><summary>The rules in three lines</summary><ol class="rules">{lines}</ol></details>'


def _game_links(entry: Entry, here: str, own: str | None) -> str:
    """Links to the page of a recipe on every game."""
    return "".join(
        f'<li><a href="/learn/{entry["slug"]}{"" if name == "kuhn" else f"?game={name}"}"{_current(name == here)}>'
        f"{escape(title)}</a></li>"
        for name, title in games_to_watch(own).items()
    )


def _current(here: bool) -> str:
    return ' aria-current="page"' if here else ""


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
        return _filled(
            "run.html", **panels(page_file("inside.html").strip()), parameters=fields, deals=_deals(entry), **texts
        )
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
    return _filled(
        "run.html", **panels(page_file("inside.html").strip()), parameters=fields, deals=_deals(entry), **texts
    )


def panels(inside: str = "") -> dict[str, str]:
    """What all learning pages have: controls, with or without the inside of an iteration, arithmetic, milestones."""
    controls = page_file("controls.html").rstrip().replace("{{inside}}", inside)
    return {"controls": controls} | {name: page_file(f"{name}.html").rstrip() for name in ("drawer", "milestones")}


def _deals(entry: Entry) -> str:
    """What can be drawn: the walks of the latest iteration, where there are any, and every deal."""
    from regretlab.games import Kuhn

    buttons = [(f"walk-{number}", name, "") for number, name in enumerate(entry["walks"], start=1)]
    for deal in ("JQ", "JK", "QJ", "QK", "KJ", "KQ"):
        one, two = (Kuhn().meaning(card).partition(",")[0] for card in deal)
        buttons.append((deal, deal, f' title="Player 1 has the {one}, player 2 the {two}"'))
    return "".join(
        f'<label{words}><input type="radio" name="deal" value="{value}"{"" if place else " checked"}>'
        f"<span>{name}</span></label>"
        for place, (value, name, words) in enumerate(buttons)
    )


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
    return f'<a href="/learn/{entry["slug"]}"{_current(here)}>{escape(spoken(entry["recipe"]))}</a>'


def recipes(request: Request) -> Response:
    """Every recipe, in words and formulas, for machines."""
    from regretlab.web.api.recipe_words import described

    return answer(described())


def home_page(request: Request) -> Response:
    """The home page, where everything begins."""
    from regretlab.web.api.recipe_words import described

    return text(request, home(described()))


def why(request: Request) -> Response:
    """Why the recipe differs, in texts and charts."""
    return answer(why_different(request.path_params["slug"]))


def why_different(slug: str) -> list[dict[str, Any]]:
    """The reasons of a recipe; terms in them lead to the glossary."""
    from regretlab.explaining.why import reasons
    from regretlab.watch.offers import recipe_shown

    return [reason | {"words": linked(reason["words"], "", "../glossary")} for reason in reasons(recipe_shown(slug))]


def bluff(request: Request) -> Response:
    """The numbers that the home page moves."""
    from regretlab.watch.bluffing import bluffing

    return answer(bluffing())


def learn_page(request: Request) -> Response:
    """The page of one recipe, on Kuhn poker or on another game."""
    from regretlab.web.api.recipe_words import described

    slug, entries = request.path_params["slug"], {entry["slug"]: entry for entry in described()}
    game, own = request.query_params.get("game", "kuhn"), request.app.state.settings.game
    if slug in entries:
        recipes = list(entries.values())
        if game == "kuhn":
            return text(request, learn(entries[slug], recipes, own))
        return text(request, learn_any(entries[slug], recipes, game, own))
    meant = {same_name(name): each for each, entry in entries.items() for name in (each, entry["recipe"])}
    if same_name(slug) in meant:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{meant[same_name(slug)]}{query}", 307)
    near = nearest_name(slug, entries)
    return refused(request, f"there is no recipe '{slug:.{MOST_TEXT}}'", near and _link(entries[near]))


def first_learn_page(request: Request) -> Response:
    """The page of the recipe that most people look at first."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"learn/{FIRST}{query}", 307)


def no_such_page(request: Request) -> tuple[str, str | None]:
    """What is wrong with an address that leads nowhere, and a link to the page that was probably meant."""
    pages = dict(re.findall(r'<a href="/([^"]+)">([^<]+)</a>', page_file("frame.html")))
    near = nearest_name(request.url.path, pages)
    meant = f'<a href="/{near}">{pages[near]}</a>' if near else None
    return f"there is no page {request.url.path:.{MOST_TEXT}}", meant


ROUTES = [
    Route("/", home_page),
    Route("/learn", first_learn_page),
    Route("/learn/{slug}", learn_page),
    Route("/api/recipes", recipes),
    Route("/api/bluff", bluff),
    Route("/api/why/{slug}", why),
]
