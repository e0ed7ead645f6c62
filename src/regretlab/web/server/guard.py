"""Who may ask for what: hosts, origins, the token, sizes, rates, and what browsers are told to forbid.

The server is for one person on this computer. Other web pages that this person has open must not be able to use it:
their requests have a foreign ``Origin``, and where they make a name of their own point here (DNS rebinding) a foreign
``Host``. On a network everybody else needs the token.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import secrets
import time
from collections import OrderedDict
from contextlib import suppress
from hashlib import sha256
from html import escape
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from regretlab.web.server.answers import answer, most_bytes, wants_page

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, nothing inline, in nobody's frame."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NO_OPENER = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Takes a page out of the hands of the page that opened it.

The browser starts a process for that, which delays the first paint; so it is left out where nobody else's page could
have opened ours.
"""

LOOPBACK = ("localhost", "127.0.0.1", "::1")
SAFE = ("GET", "HEAD")
OURS = ("none", "same-origin")
"""Where a request may come from, as browsers say it: an address that somebody typed, or a page of ours."""

REQUESTS_PER_SECOND = 100.0
MOST_AT_ONCE = 400.0
"""A client may make so many requests at once, and so many per second in the long run; a page makes a few."""

MOST_CLIENTS = 1_024
"""How many clients' rates are remembered."""

SECONDS_TO_SEND = 10.0
"""How long a client may take to send its body."""

MOST_THROWN_AWAY, SECONDS_TO_FINISH = 1_048_576, 1.0
"""How many bytes a client that is refused may still send, and for how long."""

MOST_ADDRESS = 2_048
"""The most letters of an address with its query."""


COOKIE = "regretlab-token"


class TooLargeError(Exception):
    """A body that goes on for longer than was announced."""


class Guard:
    """Stands before the application and lets through what may pass."""

    def __init__(self, app: ASGIApp, host: str, token: str | None = None) -> None:
        self.app = app
        self.host = host
        self.token = token
        self.rates = Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        asked_by_us = Headers(scope=scope).get("sec-fetch-site") in OURS
        added = HEADERS if asked_by_us else HEADERS | NO_OPENER
        size, whole = 0, False

        async def limited_receive() -> Message:
            """Count what comes in, and do not wait for it for ever."""
            nonlocal size, whole
            if whole:
                return await receive()  # nothing but the end of the connection can come now
            async with asyncio.timeout(SECONDS_TO_SEND):
                message = await receive()
            size += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if size > most_bytes(scope["path"]):
                raise TooLargeError
            return message

        async def send_with_headers(message: Message) -> None:
            """Add our headers to an answer, unless it has its own."""
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in added.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self.look_at(scope)
        if refused is not None:
            await _let_finish(receive)
        await (refused or self.app)(scope, limited_receive, send_with_headers)

    def look_at(self, scope: Scope) -> Response | None:
        """The answer to a request that may not pass; None where it may."""
        headers = Headers(scope=scope)
        if len(scope["raw_path"]) + len(scope["query_string"]) > MOST_ADDRESS:
            return refusal(scope, headers, 414, "the address is too long")
        if not self.is_our_host(headers.get("host", "")):
            return refusal(scope, headers, 403, "this server does not answer to that host name")
        if not is_same_origin(headers, scope["method"]):
            return refusal(scope, headers, 403, "requests from other sites are refused")
        if not self.rates.allow((scope.get("client") or ("",))[0]):
            return refusal(scope, headers, 429, "too many requests; wait a second", {"Retry-After": "1"})
        if is_too_large(headers, most_bytes(scope["path"])):
            return too_large(scope["path"], {"Connection": "close"})
        return self.ask_for_token(scope, headers)

    def is_our_host(self, host: str) -> bool:
        """Whether a Host header names this server: the name that it was given, this computer, or a plain address.

        A foreign page can make its own name point here, but no address.
        """
        name = host_name(host)
        if name in LOOPBACK or name == self.host:
            return True
        return self.token is not None and is_address(name)

    def ask_for_token(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a client without the token's cookie: the cookie for a token in the address, else what to do.

        The cookie comes with a page that goes on to the address without the token. A redirect would not do: coming from
        another site, browsers leave a strict cookie out until a page of ours asks.
        """
        if self.token is None:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get("token")
        if given is not None and secrets.compare_digest(given.encode(), self.token.encode()):
            others = [(name, value) for name, value in query if name != "token"]
            # One slash at the start: with two, what follows would be the name of another host.
            path = "/" + quote(scope["path"]).lstrip("/")
            address = escape(f"{path}{'?' if others else ''}{urlencode(others)}")
            response = HTMLResponse(
                f'<!doctype html><html lang="en"><meta http-equiv="refresh" content="0; url={address}">'
                f'<title>regretlab</title><p><a href="{address}">Go on</a>'
            )
            response.set_cookie(COOKIE, self.token, httponly=True, samesite="strict", path="/")
            response.headers["Cache-Control"] = "no-store"
            return response
        kept = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if secrets.compare_digest(kept.encode(), self.token.encode()):
            return None
        if given is not None:
            words = "the token in this address is not the server's; it makes a new one whenever it is started"
        else:
            words = "this server wants to see its token"
        return refusal(scope, headers, 401, f"{words}: open the whole address that regretlab serve has printed")


STYLE = (
    ":root{color-scheme:light dark;font:1.1rem/1.5 system-ui,sans-serif}"
    "body{max-width:36rem;margin:20vh auto;padding:0 1.5rem}h1{font-size:1.4rem}"
)
"""Of the page for people who may not pass: it stands alone, because they get none of our files."""

STYLE_POLICY = f"default-src 'none'; style-src 'sha256-{base64.b64encode(sha256(STYLE.encode()).digest()).decode()}'"


def refusal(scope: Scope, headers: Headers, status: int, words: str, added: dict[str, str] | None = None) -> Response:
    """What somebody is told who may not pass: people who have opened an address see a page, programs get JSON."""
    if not wants_page(headers, scope["path"]):
        return answer({"error": words}, status, added)
    said = escape(f"{words[:1].upper()}{words[1:]}.")
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>regretlab: {status}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style><main><h1>regretlab can’t show this page</h1><p>{said}</p></main></html>"
    )
    return HTMLResponse(
        page, status, {"Content-Security-Policy": STYLE_POLICY, "Cache-Control": "no-store"} | (added or {})
    )


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach a server at this host."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def is_address(name: str) -> bool:
    """Whether a name is an IP address.

    >>> is_address("192.168.0.7"), is_address("::1"), is_address("example.org")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def host_name(host: str) -> str:
    """A Host header without its port and brackets.

    >>> host_name("localhost:8000"), host_name("[::1]:8000"), host_name("::1")
    ('localhost', '::1', '::1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    name = host.rpartition(":")[0]
    return (name if name and ":" not in name else host).lower()


def is_same_origin(headers: Headers, method: str) -> bool:
    """Whether a request comes from a page of ours, from no page at all, or follows a link."""
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != headers.get("host"):
        return False
    site = headers.get("sec-fetch-site", "none")
    if site in OURS:
        return True
    return method in SAFE and headers.get("sec-fetch-mode") == "navigate"


def too_large(path: str, headers: dict[str, str]) -> Response:
    """What somebody is told who has sent too much."""
    return answer({"error": f"a body has at most {most_bytes(path):,} bytes"}, 413, headers)


def is_too_large(headers: Headers, most: int) -> bool:
    """Whether a request announces a body that is too large, or no size that can be read."""
    announced = headers.get("content-length", "0")
    return not announced.isdecimal() or len(announced) > 18 or int(announced) > most


class Rates:
    """How many requests each client may still make: a bucket that fills again."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, client: str) -> bool:
        """Take one from the client's bucket, if there is one."""
        now = time.monotonic()
        left, since = self._buckets.pop(client, (MOST_AT_ONCE, now))
        left = min(MOST_AT_ONCE, left + (now - since) * REQUESTS_PER_SECOND)
        self._buckets[client] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return left >= 1


async def _let_finish(receive: Receive) -> None:
    """Throw away what a refused client still sends, up to a limit.

    A connection that is closed with bytes unread is reset, and the client may lose the answer that says why.
    """
    left = MOST_THROWN_AWAY
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS_TO_FINISH):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return
