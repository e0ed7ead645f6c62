"""Who may ask for what."""

import re
import socket

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from regretlab.web.server import guard
from regretlab.web.server.answers import MOST_BYTES
from regretlab.web.server.application import ServerSettings
from regretlab.web.server.guard import Guard, Rates, host_name, is_loopback, is_same_origin, is_too_large

PAGES = ["/", "/learn/cfr-plus", "/static/js/site.js", "/api/recipes", "/nothing", "/api/nothing"]


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_is_guarded(client, path: str) -> None:
    answer = client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "server" not in answer.headers


@pytest.mark.parametrize(("path", "way"), [("/nothing", ""), ("/learn/nothing", "../"), ("/static/a/b", "../../")])
def test_people_who_follow_a_dead_link_see_a_page(client, path: str, way: str) -> None:
    answer = client.get(path, headers={"Accept": "text/html,*/*"})
    assert answer.status_code == 404
    assert f'href="{way}static/css/site.css"' in answer.text
    assert "<h1>404</h1>" in answer.text
    said = client.get("/api/nothing", headers={"Accept": "text/html"}).json()
    assert said == {"error": "there is no page /api/nothing"}


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "192.168.0.7", "", "["]
)
@pytest.mark.parametrize("path", PAGES)
def test_a_foreign_host_is_refused(client, host: str, path: str) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 403
    assert answer.json() == {"error": "this server does not answer to that host name"}


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1234", "127.0.0.1", "[::1]:8000"])
def test_this_computer_has_several_names(client, host: str) -> None:
    assert client.get("/api/recipes", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS", "PUT"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    ],
)
def test_other_sites_are_refused(client, method: str, headers: dict[str, str]) -> None:
    answer = client.request(method, "/api/sessions", headers=headers)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_links_from_other_sites_may_be_followed_but_not_posted(client) -> None:
    follow = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/learn/cfr-plus", headers=follow).status_code == 200
    assert client.post("/api/sessions", headers=follow).status_code == 403


def test_the_page_itself_may_ask(client, address: str) -> None:
    headers = {"Origin": address, "Sec-Fetch-Site": "same-origin"}
    made = client.post("/api/sessions", json={"recipe": "cfr"}, headers=headers)
    assert made.status_code == 201


@pytest.mark.parametrize(
    ("host", "origin", "allowed"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("localhost:8000", "http://127.0.0.1:8000", False),
        ("127.0.0.1:8000", "http://127.0.0.1:8001", False),
        ("127.0.0.1:8000", "file://", False),
        ("127.0.0.1:8000", "", False),
    ],
)
def test_origins(host: str, origin: str, allowed: bool) -> None:
    assert is_same_origin(Headers({"host": host, "origin": origin}), "POST") is allowed


@given(st.text())
def test_no_host_header_breaks_the_guard(host: str) -> None:
    assert isinstance(Guard(None, "127.0.0.1").is_our_host(host), bool)
    assert host_name(f"{host}:80".replace(":", "")) == host.replace(":", "").lower() + "80" or host.startswith("[")


@pytest.mark.parametrize(
    ("length", "refused"),
    [("0", False), ("16384", False), ("16385", True), ("-1", True), ("²", True), ("9" * 99, True)],
)
def test_announced_sizes(length: str, refused: bool) -> None:
    assert is_too_large(Headers({"content-length": length}), MOST_BYTES) is refused


def test_too_many_requests_are_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(guard.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(guard, "MOST_AT_ONCE", 5.0)
    rates = Rates()
    assert [rates.allow("a") for _ in range(7)] == [True] * 5 + [False] * 2
    assert rates.allow("b")
    now[0] += 2.5 / guard.REQUESTS_PER_SECOND
    assert [rates.allow("a") for _ in range(3)] == [True, True, False]
    now[0] += 1_000
    assert [rates.allow("a") for _ in range(7)] == [True] * 5 + [False] * 2
    for number in range(guard.MOST_CLIENTS + 10):
        rates.allow(str(number))
    assert len(rates._buckets) == guard.MOST_CLIENTS


# The token.

TOKEN = "the-token-of-this-test"


@pytest.fixture(scope="module")
def shared(run_server):
    with run_server(token=TOKEN) as client:
        yield client


def test_without_the_token_nothing_is_shown(shared: httpx.Client) -> None:
    for path in ["/", "/api/recipes", "/static/js/site.js", "/?token=wrong", "/?token=", f"/?tokens={TOKEN}"]:
        answer = shared.get(path)
        assert answer.status_code == 401
        assert TOKEN not in answer.text
    assert shared.get("/", headers={"Cookie": "regretlab-token=wrong"}).status_code == 401
    assert shared.get("/", headers={"Cookie": "regretlab-token=ü".encode("latin-1")}).status_code == 401


def test_the_token_becomes_a_cookie_and_leaves_the_address(shared: httpx.Client) -> None:
    answer = shared.get(f"/learn/cfr-plus?t=3&token={TOKEN}&info=%3Cb%3E")
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in (TOKEN, "HttpOnly", "SameSite=strict", "Path=/"))
    (target,) = re.findall(r'content="0; url=([^"]*)"', answer.text)
    assert target == "/learn/cfr-plus?t=3&amp;info=%3Cb%3E"
    assert TOKEN not in answer.text
    kept = {"Cookie": cookie.partition(";")[0]}
    assert shared.get("/api/recipes", headers=kept).status_code == 200
    assert shared.post("/api/sessions", json={"recipe": "cfr"}, headers=kept).status_code == 201


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("//evil.example/x", "/evil.example/x"),
        ("/%5Cevil.example/x", "/%5Cevil.example/x"),
        ("/%09/evil.example/x", "/%09/evil.example/x"),
        ("///evil.example", "/evil.example"),
    ],
)
def test_the_token_leads_to_no_other_host(shared: httpx.Client, path: str, target: str) -> None:
    host, port = shared.base_url.host, shared.base_url.port
    with socket.create_connection((host, port)) as raw:  # a client may tidy up the address
        raw.sendall(f"GET {path}?token={TOKEN} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        said = b"".join(iter(lambda: raw.recv(65_536), b"")).decode()
    assert re.findall(r'content="0; url=([^"]*)"', said) == [target]


def test_people_without_the_token_see_what_to_do(shared: httpx.Client) -> None:
    shared.cookies.clear()
    for query, words in (("", "wants to see its token"), ("?token=old", "is not the server's")):
        answer = shared.get(f"/learn/cfr-plus{query}", headers={"Accept": "text/html,*/*"})
        assert (answer.status_code, answer.headers["content-type"]) == (401, "text/html; charset=utf-8")
        assert words.replace("'", "&#x27;") in answer.text
        assert "open the whole address that regretlab serve has printed" in answer.text
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert shared.get(f"/learn/cfr-plus{query}").json()["error"]  # a program
    assert shared.get("/api/recipes", headers={"Accept": "text/html"}).json()["error"]


def test_on_a_network_addresses_are_hosts_but_names_are_not(shared: httpx.Client) -> None:
    kept = {"Cookie": f"regretlab-token={TOKEN}"}
    assert shared.get("/api/recipes", headers=kept | {"Host": "192.168.0.7:8000"}).status_code == 200
    assert shared.get("/api/recipes", headers=kept | {"Host": "evil.example"}).status_code == 403


def test_loopback() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "127.1.2.3", "::1", "localhost"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.0.7", "example.org", ""]))


def test_the_address_of_the_page() -> None:
    assert ServerSettings().address == "http://127.0.0.1:8000/"
    assert ServerSettings("::1", 80, "abc").address == "http://[::1]:80/?token=abc"
    assert "0.0.0.0" not in ServerSettings("0.0.0.0").address


@pytest.mark.parametrize(
    ("site", "kept"), [("cross-site", True), ("same-site", True), ("none", False), ("same-origin", False)]
)
def test_a_page_that_another_site_opened_has_no_opener(client, site: str, kept: bool) -> None:
    answer = client.get("/", headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"})
    assert answer.status_code == 200
    assert ("cross-origin-opener-policy" in answer.headers) is kept
    assert "content-security-policy" in answer.headers
