"""A client that is refused while it still sends: how much of it is thrown away before it gets its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import pytest
from event_loop import in_a_loop

from regretlab.web.server import guard


class Client:
    """Sends its pieces one after the other, then nothing any more, for ever."""

    def __init__(self, pieces: Iterator[bytes], whole: bool) -> None:
        self.left = list(pieces)
        self.whole = whole
        self.asked = 0

    async def receive(self) -> dict[str, Any]:
        self.asked += 1
        if not self.left:
            await asyncio.Event().wait()
        body = self.left.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(self.left) or not self.whole}


def throw_away(client: Client) -> int:
    """How often a client that is refused was asked for more."""
    in_a_loop(asyncio.wait_for(guard._let_finish(client.receive), 60))
    return client.asked


@pytest.mark.parametrize("count", [1, 5])
def test_a_body_that_ends_is_read_to_its_end_and_no_further(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "SECONDS_TO_FINISH", 50.0)
    assert throw_away(Client(repeat(b"x" * 1_000, count), whole=True)) == count


def test_a_body_that_does_not_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "SECONDS_TO_FINISH", 50.0)
    monkeypatch.setattr(guard, "MOST_THROWN_AWAY", 10_000)
    assert throw_away(Client(repeat(b"x" * 1_000, 50), whole=False)) == 10


def test_a_client_that_falls_silent_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "SECONDS_TO_FINISH", 0.01)
    assert throw_away(Client(repeat(b"x" * 1_000, 3), whole=False)) == 4


def test_the_guard_lets_a_client_finish_before_it_answers() -> None:
    client, said = Client(repeat(b"x" * 1_000, 3), whole=True), []

    async def application(*arguments: Any) -> None:
        raise AssertionError("it was not to pass")

    async def send(message: Any) -> None:
        said.append((message["type"], client.asked))

    headers = [(b"host", b"localhost"), (b"content-length", b"999999999")]
    scope = {"type": "http", "method": "POST", "path": "/", "raw_path": b"/", "query_string": b"", "headers": headers}
    in_a_loop(guard.Guard(application, "localhost")(scope, client.receive, send))
    assert said == [("http.response.start", 3), ("http.response.body", 3)]
