"""The pages as files with recorded runs, to put on any web host: no server, no engine, nothing outside the folder."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from regretlab.errors import UserError
from regretlab.web import glossary_page, responses
from regretlab.web.body import encoded
from regretlab.web.frame import PAGE
from regretlab.web.frames import numbers
from regretlab.web.network_run import new_run
from regretlab.web.pages import can_run, home, learn
from regretlab.web.recipes import described
from regretlab.web.run import CHARTED
from regretlab.web.scene import scene
from regretlab.web.slugs import NETWORKS, recipe_shown
from regretlab.web.standalone import standalone
from regretlab.web.static import CHART, static_file

LAST = 10_000
"""The last recorded iteration."""

LAST_TRAINED = 25
"""The same where networks are trained: each iteration takes a tenth of a second or more."""

FRAMES = (0, *(iteration for iteration in CHARTED if iteration < LAST), LAST)
EXPLAINED = frozenset({*range(1, 21), *FRAMES[21::6], LAST})
"""The iterations whose arithmetic is recorded: at all frames it would be most of the file."""

MARK = ".regretlab-export"
"""A file that tells a folder which may be replaced from one that somebody cares about."""

LIVE_ONLY = ("race", "play", "results")
"""Pages that are nothing without a server."""


def export(folder: Path) -> Iterator[str]:
    """Write the site, which takes the place of ``folder`` when it is whole; yields each part that is done."""
    check_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        (beside / MARK).touch()
        yield from _write(beside)
        beside.chmod(0o755)
        _replace(folder, beside)
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


def _replace(folder: Path, beside: Path) -> None:
    old = beside.with_name(f"{beside.name}.old")
    if folder.exists():
        folder.rename(old)
    beside.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _write(folder: Path) -> Iterator[str]:
    for name, found in _static_files(PAGE):
        _put(folder / "static" / name, found.read_bytes())
    for name in CHART:
        found_chart = static_file(name)
        if found_chart is not None:
            _put(folder / "static" / name, found_chart.read_bytes())
    yield "static files"
    recipes = [entry for entry in described() if can_run(entry)]
    pages = {"index.html": home(recipes), "glossary.html": glossary_page.exported(), **responses.exported()}
    pages |= {f"learn/{entry['slug']}.html": learn(entry, recipes) for entry in recipes}
    for name, text in pages.items():
        _put(folder / name, (standalone(text) if name.endswith(".html") else text).encode())
    yield "pages"
    for entry in recipes:
        recorded = encoded(recording(entry["slug"]) | {"recipe": entry})
        _put(folder / "data" / f"{entry['slug']}.bin", gzip.compress(recorded, mtime=0))
        yield f"a run of {entry['recipe']}"


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _static_files(folder: Traversable, before: str = "") -> Iterator[tuple[str, Traversable]]:
    """What pages without a server load; the HTML files are only halves of pages."""
    for found in folder.iterdir():
        name = before + found.name
        if found.is_dir() and found.name not in LIVE_ONLY:
            yield from _static_files(found, f"{name}/")
        elif found.is_file() and Path(name).suffix in (".js", ".css", ".svg") and Path(name).stem not in LIVE_ONLY:
            yield name, found


def recording(slug: str) -> dict[str, Any]:
    """A run with its frames, and the arithmetic of some of them."""
    shown, recipe = scene("1", "1"), recipe_shown(slug)
    run = new_run(shown, recipe, seed=0)
    frames: list[dict[str, Any]] = []
    explains: dict[str, dict[int, str]] = {label: {} for label in shown.labels}
    for iteration in (each for each in FRAMES if slug not in NETWORKS or each <= LAST_TRAINED):
        moment = run.go(iteration)
        frames.append({"playing": False, "speed": 1} | numbers(shown, moment))
        if iteration in EXPLAINED:
            for label in shown.labels:
                explains[label][iteration] = run.explained(label)["html"]
    return {"game": shown.described() | {"recipe": recipe.name}, "frames": frames, "explains": explains}
