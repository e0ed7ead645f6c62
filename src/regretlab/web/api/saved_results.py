"""Saved runs and reports in one folder that the command line names, and nothing outside of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from regretlab.documents.numbers import Unit, plain
from regretlab.errors import UserError
from regretlab.web.server.answers import answer, text

KINDS = {".npz": "solution", ".safetensors": "solution", ".html": "report"}
MOST_FILES = 500
"""How many files are listed."""

LARGEST = 50_000_000
"""The most bytes of a file that is opened."""

MOST_ROWS = 2_000
"""The most information sets in the table of a strategy: more than anybody reads."""

POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:"
)
"""A report may draw itself, in an origin of its own from which it reaches nothing else."""


def listing(request: Request) -> Response:
    """What there is in the folder, the newest first."""
    folder: Path | None = request.app.state.settings.folder
    if folder is None:
        return answer({"folder": None, "files": []})
    files: list[dict[str, Any]] = []
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.suffix in KINDS and inside(folder, name) is not None:
            about = path.stat()
            modified = datetime.fromtimestamp(about.st_mtime, UTC).isoformat(timespec="seconds")
            files.append({"name": name, "kind": KINDS[path.suffix], "bytes": about.st_size, "modified": modified})
    files.sort(key=lambda each: each["modified"], reverse=True)
    return answer({"folder": str(folder), "files": files[:MOST_FILES]})


def solution(request: Request) -> Response:
    """A saved run: recipe, numbers, strategy."""
    from regretlab.games import load
    from regretlab.solving import Solution

    path = _find(request, request.query_params.get("name", ""), "solution")
    try:
        found = Solution.load(path)
    except UserError as error:
        raise UserError(str(error).replace(str(path), path.name)) from None
    rules, form, about = load(found.form.load_name), found.form, found.as_dict()
    del about["strategy"]
    meaning = getattr(rules, "meaning", lambda label: "")
    order = getattr(rules, "order", {label: place for place, label in enumerate(form.labels)}.__getitem__)
    labels = sorted(form.labels[:MOST_ROWS], key=lambda label: (form.owner(label), order(label)))
    table = [
        {
            "label": label,
            "words": meaning(label),
            "player": form.owner(label),
            "actions": found.strategy[label],
            "current": found.current[label],
        }
        for label in labels
    ]
    shown = {"file": path.name, "title": found.recipe.title, "infosets": form.infosets, "table": table}
    return answer(about | shown | {"unit": plain(Unit.of(rules))})


def report(request: Request) -> Response:
    """A report, with ``POLICY`` in place of the policy of our own pages."""
    path = _find(request, request.path_params["name"], "report")
    response = text(request, path.read_bytes())
    response.headers["Content-Security-Policy"] = POLICY
    return response


ROUTES = [
    Route("/api/results", listing),
    Route("/api/results/solution", solution),
    Route("/results/report/{name:path}", report),
]


def _find(request: Request, name: str, kind: str) -> Path:
    """The file of this name and kind in the folder; HTTPException where there is none, or where it is too large."""
    folder: Path | None = request.app.state.settings.folder
    path = None if folder is None else inside(folder, name)
    if path is None or KINDS.get(path.suffix) != kind:
        raise HTTPException(404, "there is no such file in the folder")
    if path.stat().st_size > LARGEST:
        raise HTTPException(413, f"the file has more than {LARGEST:,} bytes; use regretlab on the command line")
    return path


def inside(folder: Path, name: str) -> Path | None:
    """The file of this name, if it is one, is not hidden, and does not lead out of the folder by dots or by links."""
    if not name or "\0" in name or any(part.startswith(".") for part in name.replace("\\", "/").split("/")):
        return None
    root = folder.resolve()
    try:
        path = (root / name).resolve()
        return path if path.is_relative_to(root) and path.is_file() else None
    except OSError:  # a name that is too long, links that go round in circles
        return None
