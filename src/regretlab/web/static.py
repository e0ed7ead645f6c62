"""The page's own files: small, compressed, and asked for again only when they have changed."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import lru_cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from regretlab.web.frame import PAGE, framed

CHART = ("chart.js", "chart.css")
"""What page and report share: drawn by the same module."""

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
FRAMED = ("race", "play", "results")
"""The pages that are a file in the frame and nothing else."""


def text(request: Request, content: str | bytes, kind: str = "text/html") -> Response:
    """A text, compressed for who can read that; nothing at all for who has it already."""
    body = content.encode() if isinstance(content, str) else content
    tag, packed = _packed(body)
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=kind)
    return Response(body, headers=headers, media_type=kind)


@lru_cache(maxsize=128)
def _packed(body: bytes) -> tuple[str, bytes]:
    return f'"{hashlib.sha256(body).hexdigest()[:20]}"', gzip.compress(body, mtime=0)


def file(request: Request) -> Response:
    """One of the files under ``page``, or the chart module."""
    name = request.path_params["path"]
    found = static_file(name)
    if found is None:
        raise HTTPException(404, "there is no such file")
    suffix = PurePosixPath(name).suffix
    kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return text(request, found.read_bytes(), kind)


def static_file(name: str) -> Traversable | None:
    """The file that ``/static/name`` stands for; nothing outside the folder, and nothing hidden."""
    parts = name.split("/")
    if any(not part or part.startswith(".") or "\\" in part or "\0" in part for part in parts):
        return None
    folder = files("regretlab.plots") / "web" if name in CHART else PAGE
    found = folder.joinpath(*parts)
    return found if found.is_file() else None


def page(request: Request) -> Response:
    """A page that is a file in the frame."""
    name = request.url.path.strip("/")
    found = static_file(f"{name}.html")
    if found is None:
        raise HTTPException(404, "there is no such page")
    return text(request, framed(found.read_text("utf-8"), f"/{name}"))


def problem(request: Request, status: int, words: str) -> Response:
    """A page that says what is wrong, for people who have followed a link."""
    root = "../" * (request.url.path.count("/") - 1)
    title = f"<title>{status} · regretlab</title>"
    said = f'<h1>{status}</h1><p class="lead">{escape(words[:1].upper() + words[1:])}.</p>'
    return HTMLResponse(
        framed(f'{title}\n<main id="main">{said}<p><a href="/">Go to the start</a></p></main>\n', root=root), status
    )


def home(request: Request) -> Response:
    """Where everything begins."""
    from regretlab.web.pages import home
    from regretlab.web.recipes import described

    return text(request, home(described()))


def learn(request: Request) -> Response:
    """The page of one recipe."""
    from regretlab.web.pages import learn
    from regretlab.web.recipes import described

    slug = request.path_params["slug"]
    entry = next((entry for entry in described() if entry["slug"] == slug), None)
    if entry is None:
        raise HTTPException(404, "there is no recipe of this name")
    return text(request, learn(entry, described()))


ROUTES = [
    Route("/", home),
    Route("/learn/{slug}", learn),
    *(Route(f"/{name}", page) for name in FRAMED),
    Route("/static/{path:path}", file),
]
