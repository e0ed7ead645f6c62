"""What goes in and out: JSON of limited size, and errors in one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from regretlab.documents import plain

MOST_BYTES = 16_384
"""The largest body of a request; ours are a few hundred bytes."""


async def read_json(request: Request) -> dict[str, Any]:
    """The JSON object in a request's body; what is not one gets a proper status. ``guard`` watches over its size."""
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
    """NaN and Infinity are no JSON."""
    raise ValueError(name)


def answer(data: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """JSON for the page; nobody keeps it."""
    return Response(encoded(data), status, {"Cache-Control": "no-store", **(headers or {})}, "application/json")


def encoded(data: Any) -> bytes:
    """Compact JSON; −0.0 is 0, and null stands for what is not a finite number.

    >>> encoded({"value": -0.0, "gap": float("nan")})
    b'{"value":0.0,"gap":null}'
    """
    return json.dumps(plain(data), ensure_ascii=False, separators=(",", ":")).encode()
