"""The texts, word for word. After a change that is meant, run this file as a program and read the difference."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import regretlab as rl

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
LARGEST = 100_000
"""Bytes of a file that people still read."""


def four(width: int) -> str:
    """The default: four algorithms, three hands. The second hand repeats the first on other cards and is left out."""
    lines = rl.walkthrough().text(width).splitlines(keepends=True)
    start, end = (next(k for k, line in enumerate(lines) if line.startswith(f"Iteration {t}: ")) for t in (2, 3))
    return "".join(lines[:start] + lines[end:])


TEXTS: dict[str, Callable[[], str]] = {
    "kuhn-four-80.txt": lambda: four(80),
    "kuhn-four-120.txt": lambda: four(120),
    "kuhn-three-hands.md": lambda: rl.walkthrough().markdown(),
    "kuhn-exact.md": lambda: rl.walkthrough("kuhn(bet=2)", "normalhedge+", deals="KQ,JQ,KQ", exact=True).markdown(),
    "kuhn-alternating.txt": lambda: rl.walkthrough("kuhn", "cfr+", deals="QJ,QJ").text(100),
    "kuhn-one-hand.html": lambda: rl.walkthrough("kuhn", "cfr,normalhedge+", deals="JQ", exact=True).html(),
    "leduc-exact-80.txt": lambda: rl.walkthrough(
        "leduc", "cfr,cfr(accumulate=truncate)", deals="JsQhKs", exact=True
    ).text(80),
    "kuhn-pdcfr.md": lambda: rl.walkthrough("kuhn", "pdcfr+,pcfr+", deals="JQ,JQ").markdown(),
    "matrix-floors.txt": lambda: rl.walkthrough(
        "matrix(rows=5 -1; 0 1)", "hedge,dcfr(accumulate=clip)", iterations=2
    ).text(100),
    "rps-all.txt": lambda: rl.walkthrough("rps", "cfr", iterations=1).text(100),
    "explain-J.txt": lambda: rl.explain("kuhn", "normalhedge(schedule=alternating)", "J", 10).text(100),
    "explain-dcfr.txt": lambda: rl.explain("kuhn", "dcfr", "Qb", 7).text(100),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_is_word_for_word(name: str) -> None:
    assert TEXTS[name]() == (GOLDEN / name).read_text(encoding="utf-8")


def test_files_are_small_and_all_used() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(TEXTS)
    assert all(path.stat().st_size < LARGEST for path in GOLDEN.iterdir())


if __name__ == "__main__":
    for name, write in TEXTS.items():
        (GOLDEN / name).write_text(write(), encoding="utf-8")
