"""How numbers are written: always true, and rounded only where it is said."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretlab.documents.numbers import Notation, Unit, Written, plain
from regretlab.games import load

numbers = (
    st.fractions(-(10**25), 10**25) | st.fractions(-1, 1) | st.floats(-1e30, 1e30) | st.integers(-(10**25), 10**25)
)


@given(numbers, st.booleans())
def test_what_is_written_is_the_number(number: Fraction | float, exact: bool) -> None:
    text, rounded = Notation(exact).write(number)
    shown, true = Fraction(text.replace("−", "-")), Fraction(number)
    assert rounded == (shown != true)
    # Four decimals, or four digits of what is larger or smaller; twelve digits beside fractions.
    allowed = 1e-11 * abs(true) if exact else max(Fraction(1, 20_000), Fraction(1, 2_000) * abs(true))
    assert abs(shown - true) <= allowed
    assert "-" not in text.replace("e-", "")


@pytest.mark.parametrize(
    ("number", "decimal", "fraction"),
    [
        (0, "0", "0"),
        (-0.0, "0", "0"),
        (Fraction(-3, 8), "−0.375", "−3/8"),
        (Fraction(1, 3), "0.3333", "1/3"),
        (Fraction(1, 30), "0.03333", "1/30"),
        (Fraction(1, 16), "0.0625", "1/16"),
        (Fraction(2, 10**9 + 7), "2.000e-09", "2/1000000007"),
        (1.0, "1", "1"),
        (1200, "1200", "1200"),
        (10**20, "1.000e+20", "1.00000000000e+20"),
        (2**0.5, "1.4142", "1.41421356237"),
        (0.1 + 0.2, "0.3000", "0.300000000000"),
        (Fraction(10**9 + 1, 10**9), "1.0000", "1.000000001"),
    ],
)
def test_numbers_as_people_read_them(number: float, decimal: str, fraction: str) -> None:
    assert Notation().write(number).text == decimal
    assert Notation(exact=True).write(number).text == fraction


def test_json_has_fractions_only_where_they_are_shown() -> None:
    exact, rounded = Notation(exact=True), Notation()
    assert (plain(Fraction(3, 8), exact), plain(Fraction(3, 8), rounded)) == ("3/8", 0.375)
    assert plain(2**0.5, exact) == plain(2**0.5, rounded) == 2**0.5
    assert str(plain(-0.0, rounded)) == "0.0"


def test_json_has_records_as_dictionaries_and_no_numbers_that_it_does_not_know() -> None:
    assert plain({1: (Written("0.5", False), [math.inf, -0.0])}) == {
        "1": [{"text": "0.5", "rounded": False}, [None, 0]]
    }
    assert plain(Unit("mbb/g", 0.5), Notation(exact=True)) == {"name": "mbb/g", "chips": "1/2"}


@pytest.mark.parametrize(
    ("game", "name", "chips", "words"),
    [
        ("kuhn(ante=2)", "mbb/g", 0.002, "thousandths of the ante a game"),
        ("liars_dice(sides=2)", "milli-chips", 0.001, "thousandths of a chip a game"),
    ],
)
def test_the_unit_is_a_thousandth_of_the_ante_or_of_a_chip(game: str, name: str, chips: float, words: str) -> None:
    unit = Unit.of(load(game))
    assert (unit.name, unit.chips, unit.words) == (name, chips, words)
