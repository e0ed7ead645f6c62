"""The pages as files with recorded runs, to put on any web host: no server, no engine, nothing outside the folder."""

from __future__ import annotations

import base64
import gzip
import posixpath
import re
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from regretlab.errors import UserError
from regretlab.watch.bluffing import bluffing
from regretlab.watch.frames import frame_numbers
from regretlab.watch.offers import NETWORKS, recipe_shown
from regretlab.watch.vanilla import vanilla
from regretlab.watch.watched_game import watched_game
from regretlab.watch.watched_run import CHARTED, new_run
from regretlab.web.api import exploitability_page, glossary_page
from regretlab.web.api.recipe_pages import can_run, home, learn, why_different
from regretlab.web.api.recipe_words import described
from regretlab.web.server.answers import CHART, FRAMED, PAGE, encoded, static_file

LAST = 10_000
"""The last recorded iteration."""

LAST_TRAINED = 25
"""The last recorded iteration where networks are trained: each takes a tenth of a second or more."""

FRAMES = (0, *(iteration for iteration in CHARTED if iteration < LAST), LAST)
EXPLAINED = frozenset({*range(1, 21), *FRAMES[21::6], LAST})
"""The iterations whose arithmetic is recorded: at all frames it would be most of the file."""

NEED_SERVER = (*FRAMED, "any", "exercises", "holdem")
"""The pages that no export has, by the names of their files."""

MARK = ".regretlab-export"
"""A file that tells a folder which may be replaced from one that somebody cares about."""


Parts = Iterator[tuple[str, dict[str, bytes]]]
"""What each part is, and its files."""


def export(folder: Path) -> Iterator[str]:
    """Write the site, which takes the place of ``folder`` when it is whole; yields each part that is done."""
    return written_whole(folder, _parts())


def written_whole(folder: Path, parts: Parts) -> Iterator[str]:
    """Write files beside ``folder``, whose place they take when all are there; yields each part that is done."""
    check_folder(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as error:
        raise UserError(f"can't write '{folder}': {error.strerror or error}") from None
    try:
        (beside / MARK).touch()
        for part, contents in parts:
            for name, content in contents.items():
                path = beside / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            yield part
        beside.chmod(0o755)
        old = beside.with_name(f"{beside.name}.old")
        if folder.exists():
            folder.rename(old)
        beside.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise UserError(f"can't write '{folder}': {error.strerror or error}") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def check_folder(folder: Path) -> None:
    """Raise UserError unless the folder is new, empty, or an earlier export."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UserError(f"can't export to '{folder}': it is no folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise UserError(f"can't export to '{folder}': it holds something else; give a new folder")


def _parts() -> Parts:
    """The parts of the site."""
    static = static_files()
    scripts = {name: content.decode() for name, content in static.items() if name.endswith(".js")}
    yield "static files", {f"static/{name}": as_loaded(name, content) for name, content in static.items()}
    recipes = [entry for entry in described() if can_run(entry)]
    pages = {"index.html": home(recipes), "glossary.html": glossary_page.rendered()}
    lessons = exploitability_page.exported()
    pages["exploitability.html"] = lessons.pop("exploitability.html")
    pages |= {f"learn/{entry['slug']}.html": learn(entry, recipes) for entry in recipes}
    data: dict[str, Any] = {
        "data/bluff": bluffing(),
        "data/vanilla": vanilla("1", "1"),
        "data/terms": glossary_page.terms(),
    }
    data |= {f"data/why-{entry['slug']}": why_different(entry["slug"]) for entry in recipes}
    lessons |= {name: encoded(numbers).decode() for name, numbers in data.items()}
    whole = {name: standalone(text, scripts) for name, text in pages.items()}
    whole |= {f"{name}.js": as_script(name, numbers) for name, numbers in lessons.items()}
    yield "pages", {name: text.encode() for name, text in whole.items()}
    for entry in recipes:
        recorded = gzip.compress(encoded(recording(entry["slug"]) | {"recipe": entry}), mtime=0)
        name, packed = f"data/{entry['slug']}", encoded(base64.b64encode(recorded).decode())
        yield f"a run of {entry['recipe']}", {f"{name}.js": as_script(name, packed.decode()).encode()}


def static_files(without: Collection[str] = NEED_SERVER) -> dict[str, bytes]:
    """All that pages load from ``static``, by name, but for those of some pages: usually those that need a server.

    HTML files are left out, which are only halves of pages.
    """
    found = {name: chart.read_bytes() for name in CHART if (chart := static_file(name)) is not None}
    folders = [("", PAGE)]
    for before, folder in folders:  # which grows on the way
        for each in folder.iterdir():
            name = before + each.name
            if each.is_dir() and each.name not in without:
                folders.append((f"{name}/", each))
            elif each.is_file() and Path(name).suffix in (".js", ".css", ".svg") and Path(name).stem not in without:
                found[name] = each.read_bytes()
    return found


# Pages that are opened from a folder may load classic scripts, but neither modules nor data: browsers see a stranger in
# every file. So in an export modules become scripts that keep what they export in one object, and so do data.

CLASSIC = frozenset({"js/theme.js"})
"""Scripts that are no modules."""

_IMPORT = re.compile(r'^import\s+(?:(\{[^}]*\})\s+from\s+)?"([^"]+)";', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+))", re.MULTILINE)


def classic(name: str, module: str) -> str:
    """A module as a classic script, which has to come after those that it imports from.

    >>> print(classic("js/a.js", 'import { b as c } from "./b.js";\\nexport const a = c;'), end="")
    (() => {
    const { b: c } = regretlab["js/b.js"];
    const a = c;
    regretlab["js/a.js"] = { a };
    })();
    """

    def taken(found: re.Match[str]) -> str:
        names = (found[1] or "{}").replace(" as ", ": ")
        return f'const {names} = regretlab["{_beside(name, found[2])}"];'

    exported = ", ".join(_EXPORT.findall(module))
    script = _EXPORT.sub("", _IMPORT.sub(taken, module)).replace("import.meta.url", "document.currentScript.src")
    left = re.search(r"^(?:import|export)\b.*", script, re.MULTILINE)
    if left is not None:
        raise ValueError(f"{name}: can't write this as a classic script: {left[0]}")
    return f'(() => {{\n{script.strip()}\nregretlab["{name}"] = {{ {exported} }};\n}})();\n'


def as_loaded(name: str, content: bytes) -> bytes:
    """A static file as pages without a server load it."""
    is_module = name.endswith(".js") and name not in CLASSIC
    return classic(name, content.decode()).encode() if is_module else content


def in_order(name: str, modules: Mapping[str, str]) -> list[str]:
    """A module after all that it needs."""
    found: list[str] = []
    for _, other in _IMPORT.findall(modules[name]):
        found += in_order(_beside(name, other), modules)
    return list(dict.fromkeys([*found, name]))


def _beside(name: str, other: str) -> str:
    """The name of a file as another one calls it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), other))


def as_script(name: str, value: str) -> str:
    """A value in JSON as a script, which keeps it where ``exported`` in ``js/api.js`` finds it."""
    return f'regretlab["{name}"] = {value};\n'


def recording(slug: str) -> dict[str, Any]:
    """A recorded run: the game, its frames, and the arithmetic of some of them in HTML."""
    game, recipe = watched_game("1", "1"), recipe_shown(slug)
    run = new_run(game, recipe, seed=0)
    frames: list[dict[str, Any]] = []
    explains: dict[str, dict[int, str]] = {label: {} for label in game.labels}
    for iteration in (each for each in FRAMES if slug not in NETWORKS or each <= LAST_TRAINED):
        moment = run.go(iteration)
        frames.append(dict(frame_numbers(game, moment, playing=False, speed=1)))
        if iteration in EXPLAINED:
            for label in game.labels:
                explains[label][iteration] = run.explained(label)["html"]
    return {"game": game.described() | {"recipe": recipe.name}, "frames": frames, "explains": explains}


VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
"""Elements that have no end tag."""

LIVE = "data-live"
"""The attribute of elements that need a server."""


def standalone(page: str, modules: Mapping[str, str]) -> str:
    """A page of the server as a file; its modules become classic scripts.

    >>> standalone('<html><a href="race" data-live>Race</a><a href="learn/cfr?t=3">CFR</a></html>', {})
    '<html data-source="recorded"><a href="learn/cfr.html?t=3">CFR</a></html>'
    """
    changes = _Changes(page, modules)
    changes.feed(page)
    changes.close()
    return "".join([*changes.pieces, page[changes.taken :]])


def as_file(address: str) -> str:
    """The file that an address of a page becomes; what is no page stays as it is.

    >>> as_file("../learn/cfr-plus#main"), as_file("./"), as_file("../static/icon.svg"), as_file("#main")
    ('../learn/cfr-plus.html#main', './index.html', '../static/icon.svg', '#main')
    """
    match = re.fullmatch(r"([^?#]*)(.*)", address, re.DOTALL)
    assert match is not None
    path, rest = match.groups()
    if not path or re.match(r"[a-z][a-z0-9+.-]*:", path) or "." in path.rpartition("/")[2]:
        return address
    return f"{path}{'index' if path.endswith('/') else ''}.html{rest}"


class _Changes(HTMLParser):
    """Finds what has to change in a page; everything else is taken over to the letter."""

    def __init__(self, page: str, modules: Mapping[str, str]) -> None:
        super().__init__(convert_charrefs=False)
        self.scripts: list[str] = []  # the modules that the page has so far
        self._modules = modules
        self.pieces: list[str] = []
        self.taken = 0  # the letters of the page that the pieces stand for
        self._page = page
        self._lines = [0, *(found.end() for found in re.finditer("\n", page))]
        self._left_out = 0  # how many elements deep inside of one that is left out

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if self._left_out:
            self._left_out += tag not in VOID
        elif LIVE in dict(attributes):
            self._change("")
            self._left_out += tag not in VOID
        elif tag == "html":
            self._change(_tag(tag, [*attributes, ("data-source", "recorded")]))
        elif tag == "script" and dict(attributes).get("type") == "module":
            root, _, name = (dict(attributes)["src"] or "").partition("static/")
            news = [each for each in in_order(name, self._modules) if each not in self.scripts]
            self.scripts += news
            *before, itself = (_tag("script", [("defer", None), ("src", f"{root}static/{each}")]) for each in news)
            self._change("".join(f"{script}</script>\n" for script in before) + itself)
        elif tag == "a" and "href" in dict(attributes):
            self._change(_tag(tag, [(k, as_file(v or "") if k == "href" else v) for k, v in attributes]))

    def handle_endtag(self, tag: str) -> None:
        if self._left_out and tag not in VOID:
            self._left_out -= 1
            line, column = self.getpos()
            self.taken = self._page.index(">", self._lines[line - 1] + column) + 1

    def _change(self, tag: str) -> None:
        """Take over the page up to the tag that was just met, and put another one in its place."""
        line, column = self.getpos()
        start = self._lines[line - 1] + column
        self.pieces += [self._page[self.taken : start], tag]
        self.taken = start + len(self.get_starttag_text() or "")


def _tag(name: str, attributes: list[tuple[str, str | None]]) -> str:
    written = (f" {key}" if value is None else f' {key}="{escape(value)}"' for key, value in attributes)
    return f"<{name}{''.join(written)}>"
