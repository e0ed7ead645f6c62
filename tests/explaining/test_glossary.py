"""The glossary: complete, linked, computed, and the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from printed_equations import read_line

import regretlab as rl
from regretlab.errors import UserError
from regretlab.explaining.glossary import EXAMPLES, TERMS, Term, as_markdown, find

ASKED_FOR = [
    "ante",
    "average strategy",
    "best response",
    "bluff",
    "counterfactual",
    "expected value",
    "exploitability",
    "fold",
    "information set",
    "mbb/g",
    "Nash equilibrium",
    "reach probability",
    "regret",
    "showdown",
    "strategy",
    "truncation",
    "alternating updates",
]
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "glossary.md"


def test_terms_are_all_there_in_the_order_of_the_alphabet() -> None:
    assert set(ASKED_FOR) <= set(TERMS)
    assert list(TERMS) == sorted(TERMS, key=str.lower)
    assert sorted(name for group in EXAMPLES for name in group()) == sorted(TERMS)
    assert all(name == term.name for name, term in TERMS.items())


@pytest.mark.parametrize("term", TERMS.values(), ids=TERMS.keys())
def test_every_term_has_all_its_parts(term: Term) -> None:
    assert len(re.findall(r"\.(?= [A-Z]|$)", term.meaning)) == 2, "two sentences"
    assert term.formula
    assert len(term.related) >= 2
    assert set(term.related) <= set(TERMS) - {term.name}
    assert term.example.endswith(".")
    assert set(term.as_dict()) == {"name", "meaning", "formula", "example", "related"}


@pytest.mark.parametrize("name", TERMS)
def test_equations_in_examples_are_true(name: str) -> None:
    for part in re.split(r"[.:;,] |[.] ?$| and | is | keeps | holds | for | loses | probability ", TERMS[name].example):
        line = read_line(re.sub(r"( chips| mbb/g).*", "", part))
        assert line is None or line.faults() == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mbb/g", "−1/18 × 1000 / 1 ≈ −55.5556 mbb/g"),
        ("expected value", "v = 1/2 × (−1) + 1/2 × (−2) = −3/2"),
        ("regret", "R(check) = −5/4 − (−7/8) = −3/8 and R(bet) = −1/2 − (−7/8) = 3/8"),
        ("NormalHedge", "c ≈ 1.4374, and the strategy is 0.1497 and 0.8503"),
        ("bluff", "with probability 1/3"),
        ("history", "one of 55 histories, of which 30 are ends"),
        ("information set", "There are 12."),
        ("exploitability", "(0.5 + 0.4167) / 2 ≈ 0.4583"),
        ("truncation", "max(0 + (−3/8), 0) = 0"),
        ("value of the game", "−1/18"),
        ("counterfactual", "q(bet) = 1/6 × (−1/2) + 1/6 × (−1/2) = −1/6"),
    ],
)
def test_numbers_that_are_known_from_elsewhere(name: str, said: str) -> None:
    assert said in TERMS[name].example


def test_measured_numbers_are_measured() -> None:
    for recipe in ("cfr", "cfr(schedule=alternating)"):
        solution = rl.solve("kuhn", recipe, iterations=1_000)
        assert f"{solution.exploitability:.4g}" in TERMS["alternating updates"].example


@pytest.mark.parametrize("name", ["Bluff", "BEST RESPONSE", "best-response", "nash_equilibrium", "mbbg", "zero sum"])
def test_a_term_is_found_however_it_is_spelled(name: str) -> None:
    assert find(name).name in TERMS


def test_an_unknown_term_is_told_in_one_line() -> None:
    with pytest.raises(UserError, match=r"unknown term 'bluf'; did you mean 'bluff'\?"):
        find("bluf")


def test_the_page_is_what_the_glossary_writes() -> None:
    assert PAGE.read_text(encoding="utf-8") == as_markdown(), "regretlab glossary --format markdown > " + PAGE.name


def test_links_of_the_page_lead_to_its_headings() -> None:
    page = as_markdown()
    anchors = {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^## (.*)$", page, re.M)
    }
    assert set(re.findall(r"\(#([^)]*)\)", page)) <= anchors
    assert len(anchors) == len(TERMS)
