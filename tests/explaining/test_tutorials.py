"""What the tutorials show of the walkthrough is what the walkthrough says, and their equations are true.

Between ``<!-- walkthrough RECIPES DEALS: CHAPTER: SECTION -->`` and ``<!-- end -->`` stands a section of a walkthrough.
After a change that is meant, run this file as a program.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from printed_equations import read_line

import regretlab as rl
from regretlab.explaining.walkthroughs import FOUR

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorial"
GENERATED = re.compile(
    r"(?P<start><!-- walkthrough (?P<recipes>\S+) (?P<deals>\S+): (?P<chapter>[^:\n]+): (?P<section>.+?) -->\n)"
    r"(?P<text>.*?)(?P<end><!-- end -->)",
    re.DOTALL,
)
NAMES = ["regret-in-ten-minutes.md", "kuhn-by-hand.md", "from-cfr-to-normalhedge.md"]


@cache
def sections(recipes: str, deals: str) -> dict[tuple[str, str], str]:
    """The sections of a walkthrough by chapter and title; a chapter's own text comes without its title."""
    chosen = FOUR if recipes == "four" else recipes
    text = rl.walkthrough("kuhn", chosen, deals=deals).markdown()
    found, chapter = {}, ""
    for part in re.split(r"^(?=##+ )", text, flags=re.MULTILINE):
        title, _, body = part.partition("\n")
        marks, _, name = title.partition(" ")
        chapter = name.partition(":")[0] if marks == "##" else chapter
        found[chapter, "whole" if marks == "##" else name] = (body if marks == "##" else part).strip() + "\n"
    return found


def generated(document: str) -> str:
    """A document with all that is generated in it as it should be."""

    def fill(match: re.Match[str]) -> str:
        text = sections(match["recipes"], match["deals"])[match["chapter"], match["section"]]
        return f"{match['start']}\n{text}\n{match['end']}"

    return GENERATED.sub(fill, document)


@pytest.mark.parametrize("name", NAMES)
def test_generated_sections_are_what_the_walkthrough_says(name: str) -> None:
    document = (TUTORIALS / name).read_text(encoding="utf-8")
    assert document == generated(document)


def test_the_walkthrough_is_in_the_tutorial() -> None:
    assert len(GENERATED.findall((TUTORIALS / "kuhn-by-hand.md").read_text(encoding="utf-8"))) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_equations_in_tutorials_are_true(name: str) -> None:
    document = (TUTORIALS / name).read_text(encoding="utf-8")
    prose = re.sub(r"^```python.*?^```$", "", document, flags=re.DOTALL | re.MULTILINE)
    lines = [
        read_line(line) for line in prose.splitlines() if line.startswith("    ") or not line.startswith(("|", "#"))
    ]
    numeric = [line for line in lines if line is not None and line.numeric]
    assert len(numeric) >= 5
    assert [fault for line in numeric for fault in line.faults()] == []


if __name__ == "__main__":
    for name in NAMES:
        path = TUTORIALS / name
        path.write_text(generated(path.read_text(encoding="utf-8")), encoding="utf-8")
