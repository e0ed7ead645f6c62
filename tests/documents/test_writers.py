"""Where a document is shown: the page stands alone, the terminal keeps to its width, Markdown is well formed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretlab as rl
from regretlab.documents.blocks import (
    Alternative,
    Alternatives,
    Branch,
    Bullets,
    Code,
    Document,
    DrawnTree,
    Equations,
    Heading,
    Panel,
    Paragraph,
    Span,
    Table,
    words,
)
from regretlab.documents.expressions import Call, Equation, Square, Symbol, Value, add, divide, equation_sides, multiply
from regretlab.documents.html import page
from regretlab.documents.markdown import as_text as as_markdown
from regretlab.documents.numbers import Notation
from regretlab.documents.terminal import as_text

VOID = {"meta", "br", "wbr"}
PHONE = 375
"""The width of a small phone in CSS pixels."""


class Checker(HTMLParser):
    """Keeps the open elements, and what the page asks for from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for key, value in attributes if key in ("href", "src", "srcset", "action")]
        if tag not in VOID:
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


@pytest.fixture(scope="module")
def html() -> str:
    return rl.walkthrough(deals="JQ,QK,JQ").html()


def test_the_page_is_well_formed_and_needs_nothing_from_elsewhere(html: str) -> None:
    checker = Checker()
    checker.feed(html)
    assert checker.opened == []
    assert all(link.startswith("#") for link in checker.links)
    assert not {"script", "link", "img", "iframe", "object", "font"} & set(checker.tags)
    assert not re.search(r"@import|url\(|https?:", html)
    anchors = set(re.findall(r' id="([^"]+)"', html))
    assert {link[1:] for link in checker.links} == anchors
    assert len(anchors) >= 8


def test_the_page_is_for_light_dark_and_phones(html: str) -> None:
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in html
    assert "color-scheme: light dark" in html
    assert "@media (prefers-color-scheme: dark)" in html
    assert "overflow-x: auto" in html


def test_formulas_are_mathml(html: str) -> None:
    formulas = re.findall(r"<math.*?</math>", html)
    assert len(formulas) > 500
    allowed = {"math", "mrow", "mi", "mn", "mo", "mtext", "mfrac", "msub", "msup"}
    arity = {"mfrac": 2, "msub": 2, "msup": 2}
    for formula in set(formulas):
        for element in ElementTree.fromstring(formula).iter():
            assert element.tag in allowed
            assert len(element) == arity.get(element.tag, len(element))


HOSTILE = "<i>&\"'`*_|[x](y)#"


def hostile() -> Document:
    cell = Table("", (HOSTILE,), ((HOSTILE,),))
    line = Equations((Equation((Symbol("v", of=HOSTILE), Value(1)), HOSTILE),))
    spans = words(HOSTILE, Span(HOSTILE, "code"), Span(HOSTILE, "strong"))
    shown = (
        Panel(HOSTILE, spans),
        DrawnTree((Branch("", HOSTILE, True), Branch("└─ ", HOSTILE, False))),
        Code(HOSTILE),
    )
    sides = Alternatives((Alternative(HOSTILE, shown), Alternative(HOSTILE, (Heading(2, words(HOSTILE)),))))
    return Document(
        (Heading(1, words(HOSTILE)), Paragraph(spans), Bullets((spans,)), cell, line, *shown, sides), Notation()
    )


def test_names_of_a_user_s_game_cannot_break_the_page() -> None:
    checker = Checker()
    checker.feed(page(hostile()))
    assert checker.opened == []
    assert "i" not in checker.tags


def test_names_of_a_user_s_game_cannot_break_markdown() -> None:
    text = as_markdown(hostile())
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE).replace("\\`", "")
    ours = r"`[^`]*`|\*\*(?=\\<)|\*\*$|\*\*(?=: )|^#+ |^\*(?=\\<)|:\*$"
    assert not re.search(r"(?<!\\)[<*_#]", re.sub(ours, "", prose, flags=re.MULTILINE))
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in table] == [2, 2, 2]


@pytest.mark.parametrize("width", [60, 120])
def test_the_terminal_keeps_to_its_width(width: int) -> None:
    leduc = rl.walkthrough("leduc(merge_suits=yes)", "cfr+,normalhedge", deals="JQK", exact=True)
    for told in (rl.walkthrough(deals="JQ,JQ,JQ"), leduc):
        assert max(map(len, told.text(width).splitlines())) <= width


numbers = st.integers(0, 10**6).map(Value) | st.fractions(0, 100).map(Value) | st.just(Symbol("R", "+", "check"))
expressions = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=4).map(lambda terms: add(*terms)),
        st.lists(inner, min_size=2, max_size=4).map(lambda terms: multiply(*terms)),
        st.tuples(inner, inner).map(lambda pair: divide(*pair)),
        st.lists(inner, min_size=1, max_size=3).map(lambda terms: Call("max", tuple(terms))),
        inner.map(Square),
    ),
    max_leaves=12,
)


@given(st.lists(expressions, min_size=2, max_size=4), st.integers(20, 120))
def test_a_broken_line_says_the_same(sides: Sequence[Value], width: int) -> None:
    line = Equation((Symbol("v"), *sides))
    shown = as_text(Document((Equations((line,)),), Notation()), width)
    assert "".join(shown.split()) == "".join("".join(equation_sides(line, Notation())).split())


@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no chromium to show the page in")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it_on_a_phone_without_scrolling_sideways(scheme: str, tmp_path: Path, html: str) -> None:
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    frame = f"""<iframe id="phone" src="page.html" style="width: {PHONE}px; height: 800px; border: 0"></iframe>
    <script>document.getElementById("phone").onload = event => {{
      const inside = event.target.contentDocument, shown = inside.defaultView.getComputedStyle(inside.body);
      const fraction = inside.querySelector("mfrac").getBoundingClientRect();
      document.title = [inside.documentElement.scrollWidth, shown.backgroundColor, fraction.height > 20].join(";");
    }}</script>"""
    (tmp_path / "frame.html").write_text(frame, encoding="utf-8")
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--allow-file-access-from-files",
        "--virtual-time-budget=5000",
    ]
    colours = f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}"
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    command = ["chromium", *options, colours, profile, "--dump-dom", (tmp_path / "frame.html").as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    width, background, stacked = re.findall(r"<title>(.*?)</title>", shown)[0].split(";")
    assert int(width) <= PHONE
    assert background == ("rgb(15, 19, 24)" if scheme == "dark" else "rgb(255, 255, 255)")
    assert stacked == "true"
