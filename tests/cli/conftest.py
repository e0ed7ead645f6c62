"""The command line, called in this process."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from regretlab.cli import run


class Done(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output; NaN and infinities are not JSON."""

        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} is not JSON")

        return json.loads(self.out, parse_constant=refuse)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.out.splitlines()]


Command = Callable[..., Done]


@pytest.fixture
def regretlab(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command in a window of so many columns."""
    monkeypatch.setenv("NO_COLOR", "1")

    def command(*arguments: str, columns: int = 100) -> Done:
        monkeypatch.setenv("COLUMNS", str(columns))
        status = run(arguments)
        return Done(status, *capsys.readouterr())

    return command
