"""Clients that do what they should not: a proper status, one line, and the server goes on."""

import asyncio
import gc
import json
import logging
import re
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial

import httpx
import pytest
from event_loop import in_a_loop
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regretlab.web.server import application, guard, stream
from regretlab.web.server.answers import MOST_BYTES
from regretlab.web.server.sessions import Session
from regretlab.web.server.stream import Newest

POSTS = ["/api/sessions", "/api/play"]


def is_one_line(answer) -> bool:
    """An error in JSON, in one line, without anything of the program's inside."""
    (error,) = answer.json().values()
    return bool(error) and not any(sign in error for sign in ("\n", "Traceback", 'File "', "regretlab/"))


@pytest.fixture(autouse=True)
def still_there(client, caplog):
    """After every test the server works, and has logged no error."""
    caplog.set_level(logging.ERROR)
    yield
    assert client.post("/api/sessions", json={"recipe": "cfr"}).status_code == 201
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")], caplog.text


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"null", "application/json", 400),
        (b'"text"', "application/json", 400),
        (b'{"recipe": "cfr", "other": NaN}', "application/json", 400),
        (b"\xff\xfe\x00", "application/json", 400),
        (b"[" * 10_000, "application/json", 400),
        (b'{"a":' * 3_000, "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"{}", "application/x-www-form-urlencoded", 415),
        (b"{}", "", 415),
        (b" " * (MOST_BYTES + 1), "application/json", 413),
    ],
)
def test_bad_bodies(client, path: str, body: bytes, kind: str, status: int) -> None:
    answer = client.post(path, content=body, headers={"Content-Type": kind} if kind else {})
    assert answer.status_code == status
    assert is_one_line(answer)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"recipe": "cfrplus"}, "unknown recipe 'cfrplus'; did you mean 'cfr-plus'?"),
        ({}, "recipe must be a text or a number"),
        ({"recipe": None}, "recipe must be a text or a number"),
        ({"recipe": "./x.py:rule"}, "unknown recipe './x.py:rule'"),
        ({"recipe": "cfr", "parameters": []}, "parameters must be an object"),
        ({"recipe": "cfr", "parameters": {"delay": {}}}, "delay must be a text or a number"),
        ({"recipe": "cfr", "parameters": {"speed": 1}}, "unknown part of cfr 'speed'"),
        ({"recipe": "cfr", "parameters": {"delay": 10**11}}, "delay and horizon must be at most 10,000,000"),
        ({"recipe": "hs-dcfr", "parameters": {"horizon": 10**11}}, "delay and horizon must be at most 10,000,000"),
        ({"recipe": "cfr", "ante": "0"}, "ante=0 must be between 0.001 and 1,000,000"),
        ({"recipe": "cfr", "ante": "1e-400"}, "ante=1e-400 is too close to 0"),
        ({"recipe": "cfr", "bet": "1e999999999"}, "bet=1e999999999 is not a finite number"),
        ({"recipe": "cfr", "bet": "x" * 100}, "bet must have between 1 and 40 letters"),
        ({"recipe": "cfr", "seed": -1}, "seed=-1 must be a whole number"),
        ({"recipe": "cfr", "seed": 2**63}, "seed=9223372036854775808 must be a whole number"),
        ({"recipe": "cfr", "seed": True}, "seed must be a text or a number"),
        (
            {"recipe": "cfr", "at": 1e9},
            "iteration=1000000000.0 must be a whole number, at least 0 and at most 10,000,000",
        ),
        ({"recipe": "cfr", "at": 1.5}, "iteration=1.5 must be a whole number"),
    ],
)
def test_bad_sessions(client, order: dict, said: str) -> None:
    answer = client.post("/api/sessions", json=order)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(said)
    assert is_one_line(answer)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({}, "unknown command 'None'"),
        ({"do": "stepp"}, "unknown command 'stepp'; did you mean 'step'?"),
        ({"do": ["step"]}, "unknown command"),
        ({"do": "x" * 10_000}, "unknown command 'xxx"),
        ({"do": "go"}, "iteration must be a text or a number"),
        ({"do": "go", "to": 10**7 + 1}, "iteration=10000001 must be a whole number"),
        ({"do": "play", "speed": 0}, "speed=0 must be between"),
        ({"do": "play", "speed": "fast"}, "speed=fast is not a finite number"),
        ({"do": "play", "speed": 1e9}, "speed=1e+09 must be between"),
        ({"do": "step", "have": "many"}, "have=many is not a whole number"),
        ({"do": "step", "have": -1}, "have=-1 must be a whole number"),
        ({"do": "step", "have": [1]}, "have must be a whole number"),
    ],
)
def test_bad_commands_change_nothing(client, new_session, order: dict, said: str) -> None:
    session = new_session(at=5)["session"]
    answer = client.post(f"/api/sessions/{session}", json=order)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(said)
    assert is_one_line(answer)
    assert client.post(f"/api/sessions/{session}", json={"do": "pause"}).json()["frame"]["iteration"] == 5


@pytest.mark.parametrize("path", ["", "/stream", "/explain?label=J"])
def test_unknown_sessions(client, path: str) -> None:
    method = "GET" if path else "POST"
    answer = client.request(method, f"/api/sessions/nobody{path}", json={"do": "step"})
    assert answer.status_code == 404
    assert is_one_line(answer)


@pytest.mark.parametrize("label", ["", "X", "J" * 1000, "../../etc/passwd", "\0"])
def test_unknown_information_sets(client, new_session, label: str) -> None:
    session = new_session()["session"]
    answer = client.get(f"/api/sessions/{session}/explain", params={"label": label})
    assert answer.status_code == 400
    assert is_one_line(answer)
    assert len(answer.text) < 400


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/api/sessions", 405),
        ("GET", "/api/sessions", 405),
        ("POST", "/", 405),
        ("GET", "/api/nothing", 404),
        ("GET", "/learn/nothing", 404),
        ("GET", "/learn/../server.py", 404),
        ("GET", "/static/../server.py", 404),
        ("GET", "/static/%2e%2e/server.py", 404),
        ("GET", "/static/..%2f..%2ferrors.py", 404),
        ("GET", "/static//etc/passwd", 404),
        ("GET", "/static/.hidden", 404),
        ("GET", "/static/css", 404),
        ("GET", "/static/%00", 404),
        ("GET", "/static/" + "x" * 4_000, 414),
        ("BREW", "/", 405),
    ],
)
def test_bad_addresses(client, address: str, method: str, path: str, status: int) -> None:
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as raw:
        raw.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        said = b"".join(iter(lambda: raw.recv(65_536), b""))
    assert said.startswith(b"HTTP/1.1 %d" % status)
    assert b"Traceback" not in said


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=8,
)
KEYS = st.sampled_from(["recipe", "parameters", "ante", "bet", "seed", "at", "do", "to", "speed", "have"]) | (
    st.sampled_from(["game", "iterations", "seat", "action"])
)
NEARLY = st.dictionaries(
    KEYS,
    JSON
    | st.sampled_from(["cfr", "cfr-plus", "step", "go", "play", "turbo", "1/3", "1e400", 7, "kuhn", "act", "deal", "2"])
    | st.dictionaries(
        st.sampled_from(["delay", "alpha", "averaging", "schedule", "feedback", "horizon"]), JSON, max_size=3
    ),
    max_size=6,
)


@pytest.mark.usefixtures("patient")
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=JSON | NEARLY)
def test_any_json_gets_an_answer(client, new_session, data) -> None:
    body = json.dumps(data)
    session = new_session()["session"] if not hasattr(client, "victim") else client.victim
    client.victim = session
    table = client.post("/api/play", json={"iterations": 0}).json()["table"]
    for path in ("/api/sessions", f"/api/sessions/{session}", "/api/play", f"/api/play/{table}"):
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (200, 201, 400, 404, 413, 429), answer.text
        if answer.status_code >= 400:
            assert is_one_line(answer)
        if path == "/api/sessions" and answer.status_code == 201:
            client.delete(f"/api/sessions/{answer.json()['session']}")


def statuses(client, numbers: range) -> Counter[int]:
    """What becomes of requests on one connection, many at a time; whom they claim to come from makes no difference."""
    found: Counter[int] = Counter()
    with raw_connection(client) as raw:
        for first in range(0, len(numbers), 50):
            asked = [refused_request(number) for number in numbers[first : first + 50]]
            raw.sendall(b"".join(asked))
            said = b""
            while said.count(b"HTTP/1.1 ") < len(asked) or not said.endswith(b"}"):
                said += raw.recv(65_536)
            found.update(int(status) for status in re.findall(rb"HTTP/1.1 (\d+)", said))
    return found


def refused_request(number: int) -> bytes:
    body = json.dumps({"recipe": number})
    head = f"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 10.0.{number // 256}.{number % 256}\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


def objects() -> int:
    gc.collect()
    return len(gc.get_objects())


def test_ten_thousand_requests_are_answered_or_put_off_and_leave_nothing(run_server, monkeypatch) -> None:
    monkeypatch.setattr(guard, "MOST_AT_ONCE", 100.0)
    monkeypatch.setattr(guard, "REQUESTS_PER_SECOND", 0.0)
    with run_server() as client, ThreadPoolExecutor(4) as threads:
        assert statuses(client, range(200)) == {400: 100, 429: 100}
        before = objects()
        many = threads.map(partial(statuses, client), [range(k, 10_000, 4) for k in range(4)])
        assert sum(many, Counter()) == {429: 10_000}
        assert objects() < before + 2_000
        monkeypatch.setattr(guard, "REQUESTS_PER_SECOND", 1e6)
        assert client.get("/api/results").status_code == 200


# Connections that hang.


def raw_connection(client) -> socket.socket:
    return socket.create_connection((client.base_url.host, client.base_url.port), timeout=10)


def test_a_body_that_goes_on_is_cut_off(client) -> None:
    head = b"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    chunk = b"400\r\n" + b"x" * 1024 + b"\r\n"
    with raw_connection(client) as raw:
        raw.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * (MOST_BYTES // 1024))
        # One byte more, which is read whole: with bytes unread the connection would be reset, and the answer lost.
        raw.sendall(b"1\r\nx\r\n")
        with raw.makefile("rb") as answer:
            assert answer.read().startswith(b"HTTP/1.1 413")  # to the end: the server has closed the connection
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            raw.sendall(chunk * 10_000)


def test_a_body_that_never_comes_is_not_waited_for(run_server, monkeypatch) -> None:
    monkeypatch.setattr(guard, "SECONDS_TO_SEND", 0.1)
    head = b"POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    with run_server() as client, raw_connection(client) as raw:
        raw.sendall(head + b"Content-Length: 10\r\n\r\n{")
        assert raw.recv(100).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"])
def test_a_connection_that_asks_nothing_is_closed(run_server, monkeypatch, sent: bytes) -> None:
    monkeypatch.setattr(application, "SECONDS_TO_ASK", 0.1)
    with run_server() as client, raw_connection(client) as raw:
        raw.sendall(sent)
        assert raw.recv(100) == b""


def test_idle_connections_lock_out_nobody(run_server, monkeypatch) -> None:
    """Neither another client nor the same one; here two addresses of this computer are two clients."""
    monkeypatch.setattr(application, "MOST_PER_CLIENT", 20)
    monkeypatch.setattr(application, "MOST_CONNECTIONS", 30)
    with run_server() as client, ExitStack() as idle:
        for _ in range(60):
            idle.enter_context(raw_connection(client))
        assert client.get("/api/offers").status_code == 200
        for address in ("127.0.0.2", "127.0.0.3"):
            for _ in range(15):
                raw = socket.create_connection((client.base_url.host, client.base_url.port), 10, (address, 0))
                idle.enter_context(raw)
            with httpx.Client(base_url=client.base_url, transport=httpx.HTTPTransport(local_address=address)) as other:
                assert other.get("/api/offers").status_code == 200
        assert len(client.server.server_state.connections) <= 30


def test_what_is_no_http_is_refused(client) -> None:
    with raw_connection(client) as raw:
        raw.sendall(b"\x16\x03\x01\x02\x00 hello\r\n\r\n")
        assert raw.recv(100).startswith(b"HTTP/1.1 400")


def test_readers_who_leave_are_noticed(client, new_session, watch) -> None:
    kept = client.server.page.state.register
    session = new_session()["session"]
    client.post(f"/api/sessions/{session}", json={"do": "play", "speed": "turbo"})
    for _ in range(10):
        with raw_connection(client) as raw:
            raw.sendall(f"GET /api/sessions/{session}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert raw.recv(100).startswith(b"HTTP/1.1 200")
    while kept.get(session).streams:
        time.sleep(0.01)
    stopped = client.post(f"/api/sessions/{session}", json={"do": "pause"}).json()["frame"]["iteration"]
    assert client.post(f"/api/sessions/{session}", json={"do": "pause"}).json()["frame"]["iteration"] == stopped


def test_a_reader_who_reads_nothing_holds_up_nobody(client, new_session, watch, monkeypatch) -> None:
    """One stream is never read; another one of the same session gets its frames, and the first one loses its socket."""
    monkeypatch.setattr(application, "SECONDS_TO_READ", 0.3)
    before = len(client.server.server_state.connections)
    monkeypatch.setattr(stream, "FRAMES_PER_SECOND", 1_000)
    session = new_session(at=100_000)["session"]
    kept = client.server.page.state.register.get(session)
    sleeper = raw_connection(client)
    sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
    sleeper.sendall(f"GET /api/sessions/{session}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    client.post(f"/api/sessions/{session}", json={"do": "play", "speed": "turbo"})
    frames = watch(session)
    iterations = [next(frames)["iteration"] for _ in range(15)]
    assert iterations == sorted(set(iterations))
    frames.close()
    while kept.streams or len(client.server.server_state.connections) > before:
        time.sleep(0.01)
    sleeper.close()


def test_a_stream_holds_only_the_newest_frame() -> None:
    """A reader who takes a frame now and then sees the newest one each time, and nothing waits in between."""

    async def read() -> list[int]:
        newest, seen, number = Newest(0), [], 0
        for value in range(1, 100):
            newest.put(value)
            if value % 30 == 0:
                assert await newest.after(number)
                number = newest.number
                seen.append(newest.value)
        asyncio.get_running_loop().call_soon(newest.nudge)
        assert not await newest.after(newest.number)
        return seen

    assert in_a_loop(asyncio.wait_for(read(), 10)) == [30, 60, 90]


def test_a_stream_ends_with_its_session(client, new_session, watch) -> None:
    session = new_session()["session"]
    frames = watch(session)
    next(frames)
    client.delete(f"/api/sessions/{session}").raise_for_status()
    assert not list(frames)


def test_a_server_with_open_streams_stops(run_server) -> None:
    with run_server() as client:
        session = client.post("/api/sessions", json={"recipe": "cfr"}).json()["session"]
        raw = raw_connection(client)
        raw.sendall(f"GET /api/sessions/{session}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 200")
    said = b"".join(iter(lambda: raw.recv(65_536), b""))
    raw.close()
    assert said.endswith(b"0\r\n\r\n")  # a proper end, not a cut
    del client
    gc.collect()
    assert session not in {thing.name for thing in gc.get_objects() if type(thing) is Session}
