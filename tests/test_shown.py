"""What notebooks show of the values that people meet: small, well-formed, for light and for dark ground."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

import regretlab as rl
from regretlab.documents.rows import Rows
from regretlab.evaluation import best_response, distance_to_equilibria, evaluate
from regretlab.forms import form_to_solve, uniform

VALUES: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "solution": (lambda: solved("kuhn"), ("kuhn by cfr+: 100 iterations", "exploitability", "Qcb", "<svg")),
    "solution of a spot": (lambda: river(), ("EVs", "equities", "What oop does", "AKs", "bet 100")),
    "solution that is not zero-sum": (lambda: raked(), ("no theorem promises",)),
    "strategy": (lambda: solved("leduc").strategy, ("936 information sets", "24 of 2,184 rows", "<meter")),
    "locked strategy": (lambda: rl.solve("kuhn", "cfr", iterations=5, lock="Jc: check").strategy, ("Qcb", "Jc")),
    "regrets": (lambda: solved("kuhn").regrets, ("12 information sets", "<data value=")),
    "comparison": (lambda: rl.compare("kuhn", ["cfr", "cfr+"], iterations=50), ("cfr+", "off by", "<svg", "★|best")),
    "equilibrium": (lambda: rl.nash("kuhn"), ("linear programming", "-0.0555556")),
    "exact equilibrium": (lambda: rl.nash("kuhn", exact=True), ("-1/18 = -0.0555556", "2/3", "exact gap")),
    "evaluation": (lambda: evaluate("kuhn", solved("kuhn")), ("player 1", "exploitability", "best response")),
    "best response": (lambda: best_response("kuhn", uniform(rl.compile("kuhn")), 1), ("0.4166667", "★", "Qb")),
    "distance": (lambda: distance_to_equilibria("kuhn", solved("kuhn")).nearest, ("Jcb",)),
    "chaos": (lambda: rl.chaos("leduc", "dcfr", iterations=200), ("leduc by dcfr", "exp(", "from iteration 1")),
    "family": (lambda: rl.kuhn_equilibria(), ("bet = ante", "value -1/18", "1/3 to 2/3", "call")),
    "recipe": (lambda: rl.recipe("dcfr(alpha=2)"), ("discounted CFR", "Brown and Sandholm", "σ ∝ R₊", "alternating")),
    "histories": (lambda: rl.compile("kuhn"), ("6 of player 0", "55", "in fractions")),
    "lanes": (lambda: form_to_solve("kuhn(cards=20)"), ("hands as lanes", "20 and 20")),
    "blocks": (lambda: river().form, ("in blocks", "information sets")),
    "spot": (lambda: rl.holdem("river-polar"), ("Range of oop", "Range of ip", "pot 100", "22")),
    "range": (lambda: rl.holdem("river-polar").ranges[0], ("AA", "in the range")),
    "node": (lambda: river().at("check"), ("ip after check", "frequency", "EV of oop")),
    "rows": (lambda: river().at().hands(), ("hand", "equity", "bet 100")),
    "many rows": (lambda: Rows({"n": n} for n in range(100)), ("10 of 100 rows; <code>frame()</code>",)),
    "no rows": (lambda: Rows(), ("no rows",)),
}

MOST_BYTES = 30_000


def solved(game: str) -> rl.Solution:
    return rl.solve(game, "cfr+", iterations=100)


def river() -> rl.Solution:
    return rl.solve("holdem:river-polar", "dcfr", iterations=50)


def raked() -> rl.Solution:
    spot = rl.holdem(board="QsJh2h8d3c", oop="AA,KQ", ip="KK,QJ", pot=20, stack=40, bets="50%", rake="5%")
    return rl.solve(spot, iterations=20)


class Strict(HTMLParser):
    """Fails where an element is not closed in its turn."""

    EMPTY = frozenset({"wbr", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(html: str) -> Strict:
    """The parsed page, of which every element was closed."""
    parser = Strict()
    parser.feed(html)
    parser.close()
    assert not parser.open
    return parser


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_shown_well(name: str) -> None:
    make, said = VALUES[name]
    html = make()._repr_html_()
    page = read(html)
    text = "".join(page.words)
    for words in said:
        assert words in html or words in text or re.search(words, text), words
    assert len(html) < MOST_BYTES
    assert not page.seen & {"script", "iframe", "link", "object", "img"}
    assert "http" not in html
    # No ground and no ink of its own: a rule that sets either would be unreadable in one of the themes.
    assert not re.search(r"background|[{;\s]color\s*:", html)
    assert "\n\n" not in html, "an empty line ends a block of HTML in Markdown"


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_printed_in_a_few_words(name: str) -> None:
    if "rows" in name:
        return  # lists print as lists
    text = repr(VALUES[name][0]())
    assert "array(" not in text
    assert len(text) < 400
    assert text.startswith(("<", "Evaluation(", "KuhnEquilibria("))


def test_a_run_in_progress_says_where_it_is() -> None:
    solver = rl.Solver("kuhn", "cfr+")
    solver.advance(5)
    assert repr(solver) == "<run of kuhn by cfr+: 5 iterations done>"


def test_parts_of_a_form_print_no_arrays() -> None:
    form = rl.compile("kuhn")
    parts = [repr(part) for part in (form, *form.treeplexes, form.tree, form.payoff)]
    assert parts == [
        "<kuhn, compiled history by history: 12 information sets>",
        "<6 information sets with 13 sequences>",
        "<6 information sets with 13 sequences>",
        "<tree of 55 histories>",
        "<payoff with 30 entries>",
    ]
    assert repr(form_to_solve("kuhn(cards=20)").treeplexes[0]) == "<40 information sets with 81 sequences>"


def test_labels_are_no_markup() -> None:
    rows = Rows([{"<b>": "<script>", "x": 1.5, "none": None, "yes": True}])
    html = rows._repr_html_()
    assert "&lt;script&gt;" in html
    assert "&lt;b&gt;" in html
    assert "<script>" not in html
