"""Names with arguments, numbers, and what is said when they are wrong."""

import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretlab.errors import UserError, unknown
from regretlab.spec import LARGEST, format_call, number, parse_call, positive, read_bytes, split_list, whole


@given(st.fractions(-(10**9), 10**9))
def test_a_fraction_is_read_as_it_is_written(value: Fraction) -> None:
    assert number("x", str(value)) == value


@given(st.floats(-LARGEST, LARGEST))
def test_a_float_means_the_decimal_that_it_prints_as(value: float) -> None:
    assert number("x", value) == Fraction(repr(value)) == number("x", repr(value))


@given(st.dictionaries(st.sampled_from(["ante", "bet", "cards"]), st.fractions(min_value=0)))
def test_names_with_arguments_are_taken_apart_as_they_were_put_together(arguments: dict[str, Fraction]) -> None:
    name, read = parse_call(format_call("kuhn", arguments))
    assert name == "kuhn"
    assert {key: Fraction(value) for key, value in read.items()} == arguments


@pytest.mark.parametrize(
    "text", ["", "kuhn(", "kuhn)", "kuhn(ante)", "kuhn(=1)", "kuhn(ante=)", "a b", "kuhn(a=1,a=2)"]
)
def test_what_is_no_name_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_call(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    ["nan", "inf", "-inf", float("nan"), float("inf"), "x", "1/0", "", None, "1e400", "1e999999999", 10**400, "1e-400"],
)
def test_only_finite_numbers_are_numbers(value: object) -> None:
    with pytest.raises(UserError, match="bet=") as caught:
        number("bet", value)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("read", [number, lambda key, value: whole(key, value, least=1)])
def test_what_is_too_large_is_told_as_such(read: Callable[[str, str], object]) -> None:
    with pytest.raises(UserError, match=re.escape("bet=2e100 is too large; write a number up to 1e+100")):
        read("bet", "2e100")


@pytest.mark.parametrize("value", [0, -1, "-1/3", "0"])
def test_positive_means_above_zero(value: str) -> None:
    with pytest.raises(UserError, match="above 0"):
        positive("ante", value)


@pytest.mark.parametrize("value", [2, "1001", 3.5, "7/2"])
def test_whole_numbers_keep_to_their_bounds(value: str) -> None:
    with pytest.raises(UserError, match="at least 3 and at most 1,000"):
        whole("cards", value, least=3, most=1_000)


def test_lists_split_at_commas_outside_parentheses() -> None:
    assert split_list("cfr, cfr+(delay=1, schedule=one-player),,normalhedge") == [
        "cfr",
        "cfr+(delay=1, schedule=one-player)",
        "normalhedge",
    ]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("cfrplus", "cfr+"),
        ("CFR", "cfr"),
        ("cfr-plus", "cfr+"),
        ("normal-hedge", "normalhedge"),
        ("normalhedg+", "normalhedge+"),
    ],
)
def test_the_nearest_name_is_offered(typed: str, meant: str) -> None:
    assert f"did you mean '{meant}'?" in str(unknown("recipe", typed, ["cfr", "cfr+", "normalhedge", "normalhedge+"]))


def test_nothing_is_offered_for_a_name_far_from_all() -> None:
    assert "did you mean" not in str(unknown("recipe", "xyzzy", ["cfr", "cfr+"]))


@pytest.mark.parametrize("text", [".", "1.2.3", "-1", "1e3", "0", "8 XB", ""])
def test_what_is_no_amount_of_memory_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="is no amount of memory"):
        read_bytes("memory", text)
