"""Formulas that are written in one line, as MathML."""

import re
from xml.etree import ElementTree

import pytest

from regretlab.documents.expressions import Equation, Symbol, Value, add, multiply, subtract
from regretlab.documents.mathml import as_mathml, equation, in_pieces
from regretlab.documents.numbers import Notation
from regretlab.explaining import TERMS
from regretlab.solving import RECIPES
from regretlab.solving.formula import formulas

FORMULAS = [term.formula for term in TERMS.values()] + sorted(
    {text for recipe in RECIPES.values() for text in formulas(recipe).values()}
)
PLAIN = str.maketrans(
    {"½": "12", "^": "", "(": "", ")": ""}
    | dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢ", "0123456789+−i", strict=True))
    | dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))
)


@pytest.mark.parametrize("formula", FORMULAS)
def test_nothing_of_a_formula_is_lost(formula):
    made = ElementTree.fromstring(as_mathml(formula).replace("&nbsp;", "\u00a0"))
    text = "".join(made.itertext())
    # Indices and powers change places where a letter has both; brackets around a power are not needed.
    assert sorted(re.sub(r"\s", "", text).translate(PLAIN)) == sorted(re.sub(r"\s", "", formula).translate(PLAIN))


def test_indices_powers_and_words():
    assert as_mathml("x^(3/2)").count("<msup>") == 1
    assert "<mfrac><mn>1</mn><mn>2</mn></mfrac>" in as_mathml("½ x")
    assert "<mi>max</mi>" in as_mathml("max(R, 0)")
    assert "<mtext>&nbsp;such that&nbsp;</mtext>" in as_mathml("c such that x")
    assert as_mathml("a < b") == "<math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math>"
    assert as_mathml("10,000, 3") == "<math><mn>10,000</mn><mo>,</mo><mn>3</mn></math>"


@pytest.mark.parametrize("formula", FORMULAS)
def test_pieces_are_the_whole_in_the_same_order(formula):
    whole, pieces = as_mathml(formula), in_pieces(formula)
    assert letters(pieces) == letters(whole)
    assert re.match(r"<math>(?!<mo)", pieces) or formula[0] in "½{("


def letters(text):
    """What is read, without tags and spaces."""
    return re.sub(r"<[^>]+>|&nbsp;|\s", "", text)


def test_formulas_break_before_relations_but_not_within_brackets():
    assert in_pieces("f(a, b) = max(c = d, e), g").count("<math>") == 3
    assert '<math><mo form="infix" lspace="0">=</mo>' in in_pieces("a = b")


def test_a_sum_from_which_something_is_taken_breaks_at_every_term():
    whole = subtract(add(multiply(Value(2), Value(3)), Value(4)), Value(5))
    pieces = list(equation(Equation((Symbol("EV"), whole, Value(5))), Notation(), by_terms=True))
    texts = ["".join(ElementTree.fromstring(piece).itertext()) for piece in pieces]
    assert texts == ["EV", "=2×3", "+4", "−5", "=5"]
    assert len(list(equation(Equation((Symbol("EV"), whole, Value(5))), Notation()))) == 3
