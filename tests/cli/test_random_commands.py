"""Random command lines end as they should; ``python tests/random_commands.py 1000`` tries more of them."""

import os
from pathlib import Path

import pytest
import random_commands

from regretlab.cli.main import app

COUNT = int(os.environ.get("REGRETLAB_RANDOM_COMMANDS", "50"))


def test_none_of_them_ends_badly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / random_commands.DATA))
    assert "\n\n".join(random_commands.check_all(COUNT, tmp_path)) == ""


def test_they_speak_of_every_command_and_every_parameter() -> None:
    lines = [line.arguments for line in random_commands.lines(3_000)]
    for chain, command in random_commands.commands(app):
        said = {word.partition("=")[0] for line in lines if line[: len(chain)] == chain for word in line}
        asked = {name for name, _, _, has_place in random_commands.parameters(command) if not has_place}
        assert said, chain
        assert asked <= said, (chain, asked - said)


@pytest.mark.parametrize(
    ("ended", "says"),
    [
        (random_commands.Ended(None, "", "Traceback …", False), "an error came through"),
        (random_commands.Ended(1, "", "regretlab: no", False), "the status is 1"),
        (random_commands.Ended(130, "", "regretlab: interrupted", False), "the status is 130"),
        (random_commands.Ended(2, "kuhn", "regretlab: no", False), "printed something, and failed"),
        (random_commands.Ended(2, "", "no\n", False), "not told in one line"),
        (random_commands.Ended(2, "", "", False), "not told in one line"),
        (random_commands.Ended(0, "{", "", False), "--json gave no JSON"),
    ],
)
def test_what_is_wrong_is_seen(ended: random_commands.Ended, says: str) -> None:
    assert says in random_commands.wrong(random_commands.Line(("games", "--json"), True), ended)


def test_what_is_left_behind_is_seen() -> None:
    line, left = random_commands.Line(("solve", "kuhn", "--save=a/run.npz"), False), random_commands.left_behind
    done, failed = (random_commands.Ended(status, "", "", False) for status in (0, 2))
    assert left(line, done, {"b": b""}, {"b": b""}) == ""
    assert "nobody has named" in left(line, done, {}, {".run.npz.x": b"half"})
    assert "nobody has named" in left(line, done, {"b": b"1"}, {"b": b"2"})
    assert "the command failed" in left(line, failed, {}, {"a": None})
    assert "is gone" in left(line, done, {"b": b""}, {})
