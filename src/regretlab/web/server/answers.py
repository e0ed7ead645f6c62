"""What goes in and out: JSON of limited size, pages in their frame, and the page's own files."""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from regretlab.documents.numbers import plain

MOST_BYTES = 16_384
"""The largest body of a request; ours are a few hundred bytes."""

MOST_BYTES_OF_A_SPOT = 131_072
"""The same for Hold'em spots: two ranges with a weight for each of 1,326 hands, and locks, are some 40,000 bytes."""

PAGE = files("regretlab.web") / "page"
"""The page's own files."""

CHART = ("chart.js", "chart.css", "actions.css")
"""What pages and reports have in common, charts and colours; it lies beside the reports."""

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
FRAMED = ("race", "play", "results")
"""The pages that are a file in the frame and nothing else: what they show needs a server, so no export has them."""


def most_bytes(path: str) -> int:
    """How many bytes a body that is sent to this address may have."""
    return MOST_BYTES_OF_A_SPOT if path.startswith("/api/holdem/") else MOST_BYTES


async def read_json(request: Request) -> dict[str, Any]:
    """The JSON object in a request's body; HTTPException where it is none. ``guard`` watches over its size."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "send JSON, with the header Content-Type: application/json")
    body = await request.body()
    try:
        data = json.loads(body, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise HTTPException(400, "the body is not JSON") from None
    if not isinstance(data, dict):
        raise HTTPException(400, "the body is no JSON object")
    return data


def _refuse(name: str) -> None:
    """Refuse NaN and Infinity, which Python reads but JSON does not have."""
    raise ValueError(name)


def answer(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON for the page, which no cache keeps."""
    return Response(encoded(data), status, {"Cache-Control": "no-store", **(headers or {})}, "application/json")


def encoded(data: Any) -> bytes:
    """Compact JSON; −0.0 is 0, and null stands for what is not a finite number.

    >>> encoded({"value": -0.0, "gap": float("nan")})
    b'{"value":0.0,"gap":null}'
    """
    return json.dumps(plain(data), ensure_ascii=False, separators=(",", ":")).encode()


def text(request: Request, content: str | bytes, kind: str = "text/html") -> Response:
    """A text, compressed for clients that can read that; without a body for those that have it already."""
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


def page_file(name: str) -> str:
    """The text of one of the page's files."""
    return (PAGE / name).read_text("utf-8")


def framed(page: str, address: str = "", root: str = "") -> str:
    """A whole page from a page file's text, with head, navigation and footer; what precedes ``<main`` is for the head.

    ``address`` is the one of the link in the navigation that leads to this page. Page files write addresses from the
    root of the site. Here they become relative ones, with ``root`` as the way back to it (``../`` below ``/learn/``),
    so that a page works in any folder of any host.
    """
    head, opening, main = page.partition("<main")
    here = page_file("frame.html").replace(f'<a href="{address}">', f'<a href="{address}" aria-current="page">')
    whole = here.replace("<!-- head -->\n", head).replace("<!-- main -->\n", opening + main)
    # What begins with nothing or with a sign would be an address on the page itself.
    return re.sub(r'\b(href|src)="/(?=([^"]?))', lambda found: f'{found[1]}="{root or _here(found[2])}', whole)


def _here(first: str) -> str:
    """The way to the folder of a page; an address that begins with a letter needs none."""
    return "" if first.isalnum() else "./"


def refused(request: Request, words: str, meant: str | None = None, status: int = 404) -> Response:
    """What is wrong with an address: a page for people who have followed a link, and JSON for everybody else.

    ``meant`` is a link to the page that was probably meant, in HTML.
    """
    path = request.url.path
    if not wants_page(request.headers, path):
        return answer({"error": words}, status)
    said = f'<h1>{status}</h1><p class="lead">{escape(words[:1].upper() + words[1:])}.</p>'
    near = f"<p>Did you mean {meant}?</p>" if meant else ""
    main = f'<main id="main">{said}{near}<p><a href="/">Go to the start</a></p></main>'
    page = framed(f"<title>{status} · regretlab</title>\n{main}\n", root="../" * (path.count("/") - 1))
    return HTMLResponse(page, status)


def wants_page(headers: Mapping[str, str], path: str) -> bool:
    """Whether somebody asks who reads a page, and not a program."""
    return "text/html" in headers.get("accept", "") and not path.startswith("/api/")


def static_file(name: str) -> Traversable | None:
    """The file that ``/static/name`` stands for; nothing outside the folder, and nothing hidden."""
    parts = name.split("/")
    if any(not part or part.startswith(".") or "\\" in part or "\0" in part for part in parts):
        return None
    folder = files("regretlab.plots") / "web" if name in CHART else PAGE
    found = folder.joinpath(*parts)
    return found if found.is_file() else None


def file(request: Request) -> Response:
    """One of the page's own files, or the chart module."""
    name = request.path_params["path"]
    found = static_file(name)
    if found is None:
        raise HTTPException(404, "there is no such file")
    suffix = PurePosixPath(name).suffix
    kind = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return text(request, found.read_bytes(), kind)


def framed_file(request: Request) -> Response:
    """One of the pages in ``FRAMED``, by its address."""
    name = request.url.path.strip("/")
    return text(request, framed(page_file(f"{name}.html"), f"/{name}"))


ROUTES = [*(Route(f"/{name}", framed_file) for name in FRAMED), Route("/static/{path:path}", file)]
