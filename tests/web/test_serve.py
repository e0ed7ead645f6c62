"""The command: how it starts, what it says, how it ends."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from benchmarks.server_load import load, orders
from regretlab.cli import run
from regretlab.errors import UserError
from regretlab.web.server.application import listen

LIGHT = """
import sys
import regretlab.web.server.application
loaded = {"numba", "numpy", "scipy", "matplotlib", "torch"} & sys.modules.keys()
assert not loaded, loaded
"""


SLOW = """
import sys, time
from regretlab.cli import run
from regretlab.explaining import glossary
glossary.EXAMPLES = (*glossary.EXAMPLES, lambda: time.sleep(600) or {})
run(sys.argv[1:])
"""


@contextmanager
def started(*options: str, program: tuple[str, str] = ("-m", "regretlab")) -> Iterator[tuple[subprocess.Popen, dict]]:
    """The command in a process of its own, and what it prints when it is ready."""
    command = [sys.executable, *program, "serve", "--no-browser", "--json", "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = ""
            while not said.endswith("}\n"):
                line = process.stdout.readline()
                assert line, process.stderr.read()
                said += line
            yield process, json.loads(said)
        finally:
            process.kill()


def test_the_server_is_up_before_the_engine() -> None:
    subprocess.run([sys.executable, "-c", LIGHT], check=True)


def test_ctrl_c_ends_it_with_streams_open() -> None:
    with started() as (process, said):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", said["address"])
        assert said["token"] is None
        with httpx.Client(base_url=said["address"], timeout=60) as client:
            session = client.post("/api/sessions", json={"recipe": "cfr"}).json()["session"]
            client.post(f"/api/sessions/{session}", json={"do": "play", "speed": "turbo"})
            with client.stream("GET", f"/api/sessions/{session}/stream") as stream:
                lines = stream.iter_lines()
                assert next(lines).startswith("data: ")
                process.send_signal(signal.SIGINT)
                for _ in lines:
                    pass
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == ""


def test_ctrl_c_waits_for_no_examples_of_the_glossary() -> None:
    """They may have to be compiled first, and somebody may wait for them."""
    with started(program=("-c", SLOW)) as (process, said):
        with httpx.Client(base_url=said["address"], timeout=60) as client, ThreadPoolExecutor(1) as pool:
            asked = pool.submit(client.get, "/api/examples")
            while client.get("/api/offers").status_code != 200 or not asked.running():
                pass
            process.send_signal(signal.SIGINT)
            asked.exception()
        assert process.wait(timeout=120) == 0


def test_on_a_network_the_token_is_printed_and_needed() -> None:
    with started("--host", "0.0.0.0") as (process, said):
        port = urlsplit(said["address"]).port
        assert said["address"].endswith(f":{port}/?token={said['token']}")
        assert len(said["token"]) >= 32
        here = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{here}/api/results").status_code == 401
        assert httpx.get(f"{here}/api/results?token={said['token']}").status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) in (0, -signal.SIGTERM)


@pytest.mark.parametrize(
    ("options", "screen", "opened"), [([], "DISPLAY", True), ([], "TERM", False), (["--no-browser"], "DISPLAY", False)]
)
def test_a_browser_opens_where_there_is_a_screen(monkeypatch, options: list[str], screen: str, opened: bool) -> None:
    seen: list[str] = []
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(screen, ":0")
    monkeypatch.setattr("webbrowser.open", seen.append)
    monkeypatch.setattr("regretlab.web.server.application.serve", lambda settings, ready: ready(settings))
    assert run(["serve", *options]) == 0
    assert seen == (["http://127.0.0.1:8000/"] if opened else [])


def test_a_busy_port_is_named_with_the_next_free_one(capsys) -> None:
    with listen("127.0.0.1", 0) as busy:
        port = busy.getsockname()[1]
        assert run(["serve", "--no-browser", "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"regretlab: port {port} is in use; --port ")
    free = int(said.split()[-3])
    assert port < free <= port + 100
    listen("127.0.0.1", free).close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "65536"], "--port=65536 must be a whole number, at least 0 and at most 65,535"),
        (["--port", "x"], "--port=x is not a whole number"),
        (["--host", "256.0.0.1"], "can't listen on 256.0.0.1, port 8000: "),
        (["--folder", "nowhere"], "--results: there is no folder 'nowhere'"),
        (["--export", __file__], "can't export to "),
        (["liars_dice"], "liars_dice has more than 20,000 histories, too many for a page; regretlab solve takes it"),
        (["./none.py:Game"], "there is no file"),
        (["run.npz"], "run.npz is a saved run; --results with its folder opens it on the page, --export writes it"),
        (["none.npz", "--export", "new"], "there is no file 'none.npz'"),
        (["--keep", "all"], "--keep=all says what of a saved run is written: regretlab serve run.npz --export FOLDER"),
    ],
)
def test_mistakes_are_one_line(capsys, options: list[str], said: str) -> None:
    assert run(["serve", "--no-browser", *options]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"regretlab: {said}")
    assert error.count("\n") == 1


def test_a_port_that_one_may_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> socket.socket:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    with pytest.raises(UserError, match=r"can't listen on .*, port 80: Permission denied"):
        listen("127.0.0.1", 80)


def test_sessions_at_once_get_their_own_frames_and_nobody_else_s(monkeypatch: pytest.MonkeyPatch) -> None:
    """The load tool, briefly; how many frames a second there are is its report, and no test's business."""
    source = Path(__file__).parents[2] / "src"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(source), os.environ.get("PYTHONPATH", "")]))
    with ThreadPoolExecutor(1) as apart:  # a browser test in this process may have left its event loop running
        report = apart.submit(load, sessions=6, seconds=1).result()
    assert report.strangers == 0
    assert all(visitor.frames > 0 and visitor.kept for visitor in report.visitors)
    assert len({str(order) for order in orders(100)}) == 100
    assert "frames that belong to somebody else: 0" in str(report)


def test_answers_are_sent_at_once(client) -> None:
    """A body that waits for the receipt of its headers is late by 40 ms."""
    client.get("/api/results")
    sockets = [each.transport.get_extra_info("socket") for each in list(client.server.server_state.connections)]
    assert sockets
    assert all(each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for each in sockets)
