"""Reads printed equations back and says whether they are true, with nothing taken from what printed them.

A number with few decimals is what it says. One with four decimals or more, with an exponent, or with twelve digits may
have been rounded, and then stands for all numbers that are written so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from mpmath import iv

iv.dps = 40

RELATION = re.compile(r" ([=≈←]) ")
NOTE = re.compile(r"   \(.*\)$")
TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([^\W\d_]+)|(.))")
FUNCTIONS = {"max", "min", "exp", "ln", "mean"}
FEWEST_DECIMALS_OF_A_ROUNDED_NUMBER = 4


class SymbolicError(Exception):
    """The side has letters in it: a formula, not a number."""


@dataclass(frozen=True)
class Number:
    """What a side may be worth: an interval, and the exact value if every number in it is exact."""

    interval: Any
    exact: Fraction | None


def literal(text: str) -> Number:
    """A number as it is written."""
    value = Fraction(text)
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    if not exponent and decimals < FEWEST_DECIMALS_OF_A_ROUNDED_NUMBER:
        return Number(interval(value, value), value)
    half = Fraction(1, 2) / 10**decimals * Fraction(10) ** int(exponent or 0)
    return Number(interval(value - half, value + half), value)


def interval(low: Fraction, high: Fraction) -> Any:
    ends = (iv.mpf(low.numerator) / low.denominator, iv.mpf(high.numerator) / high.denominator)
    return iv.mpf([ends[0].a, ends[1].b])


class Reader:
    """A parser for sums, products, quotients, powers, roots, brackets and a few functions."""

    def __init__(self, text: str) -> None:
        self.tokens = [match.groups() for match in TOKEN.finditer(text.strip())]
        self.place = 0

    def read(self) -> Number:
        found = self.sum()
        if self.place < len(self.tokens):
            raise SymbolicError
        return found

    def peek(self) -> str:
        return next(filter(None, self.tokens[self.place]), "") if self.place < len(self.tokens) else ""

    def take(self, *options: str) -> str:
        token = self.peek()
        if token not in options:
            return ""
        self.place += 1
        return token

    def sum(self) -> Number:
        total = negative(self.product()) if self.take("−") else self.product()
        while sign := self.take("+", "−"):
            total = combine(sign, total, self.product())
        return total

    def product(self) -> Number:
        total = self.power()
        while sign := self.take("×", "/"):
            total = combine(sign, total, self.power())
        return total

    def power(self) -> Number:
        base = self.atom()
        if self.take("^"):
            return power(base, self.atom())
        return square(base) if self.take("²") else base

    def atom(self) -> Number:
        number, word, _ = self.tokens[self.place] if self.place < len(self.tokens) else ("", "", "")
        if number:
            self.place += 1
            return literal(number)
        if self.take("e"):
            return Number(iv.e, None)
        if word in FUNCTIONS:
            self.place += 1
            return call(word, self.arguments())
        if self.take("√"):
            return Number(iv.sqrt(self.arguments()[0].interval), None)
        if self.take("("):
            inside = self.sum()
            return inside if self.take(")") else self.stop()
        return self.stop()

    def arguments(self) -> list[Number]:
        if not self.take("("):
            self.stop()
        found = [self.sum()]
        while self.take(","):
            found.append(self.sum())
        return found if self.take(")") else [self.stop()]

    def stop(self) -> Number:
        raise SymbolicError


def negative(number: Number) -> Number:
    return Number(-number.interval, None if number.exact is None else -number.exact)


def combine(sign: str, left: Number, right: Number) -> Number:
    exact = None
    if left.exact is not None and right.exact is not None and not (sign == "/" and right.exact == 0):
        exact = {
            "+": lambda: left.exact + right.exact,
            "−": lambda: left.exact - right.exact,
            "×": lambda: left.exact * right.exact,
            "/": lambda: left.exact / right.exact,
        }[sign]()
    one, two = left.interval, right.interval
    both = {"+": lambda: one + two, "−": lambda: one - two, "×": lambda: one * two, "/": lambda: one / two}[sign]()
    return Number(both, exact)


def square(base: Number) -> Number:
    return Number(base.interval**2, None if base.exact is None else base.exact**2)


def power(base: Number, exponent: Number) -> Number:
    """Zero has powers too, which logarithms do not know."""
    if base.exact == 0:
        return literal("1" if exponent.exact == 0 else "0")
    whole = exponent.exact is not None and exponent.exact.denominator == 1 and base.exact is not None
    return Number(base.interval**exponent.interval, base.exact ** int(exponent.exact) if whole else None)


def call(name: str, arguments: list[Number]) -> Number:
    intervals = [argument.interval for argument in arguments]
    exacts = [argument.exact for argument in arguments]
    known = [exact for exact in exacts if exact is not None]
    if name in ("max", "min"):
        choose = max if name == "max" else min
        low, high = choose(each.a for each in intervals), choose(each.b for each in intervals)
        return Number(iv.mpf([low, high]), choose(known) if len(known) == len(exacts) else None)
    if name == "mean":
        return Number(sum(intervals[1:], intervals[0]) / len(intervals), None)
    return Number(iv.exp(intervals[0]) if name == "exp" else iv.log(intervals[0]), None)


@cache
def read_side(side: str) -> Number | None:
    """What a side is worth, if it is a number; cached, because the same ones are printed again and again."""
    try:
        return Reader(side).read()
    except SymbolicError:
        return None


@dataclass(frozen=True)
class Printed:
    """An equation as it was found: texts with the signs between them."""

    sides: tuple[str, ...]
    signs: tuple[str, ...]

    def faults(self) -> list[str]:
        """What is wrong with it: pairs of neighbouring numbers that are not the same."""
        numbers = [read_side(side) for side in self.sides]
        wrong = []
        for place, sign in enumerate(self.signs):
            left, right = numbers[place], numbers[place + 1]
            if left is not None and right is not None and not same(left, right, sign):
                wrong.append(f"{self.sides[place]} {sign} {self.sides[place + 1]}")
        return wrong

    @property
    def numeric(self) -> int:
        """How many pairs of neighbours are both numbers."""
        numbers = [read_side(side) is not None for side in self.sides]
        return sum(one and two for one, two in pairwise(numbers))


def same(left: Number, right: Number, sign: str) -> bool:
    """= asks for the same number; ≈ that both may be."""
    if sign == "=" and left.exact is not None and right.exact is not None:
        return left.exact == right.exact
    return bool(left.interval.a <= right.interval.b and right.interval.a <= left.interval.b)


def read_line(line: str) -> Printed | None:
    """The equation in a line of text, if there is one."""
    pieces = RELATION.split(NOTE.sub("", line.strip()))
    return Printed(tuple(pieces[::2]), tuple(pieces[1::2])) if len(pieces) > 1 else None


def in_markdown(text: str) -> list[Printed]:
    """All equations in the fenced blocks of a Markdown text."""
    blocks = re.findall(r"^```text\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    lines = (read_line(line) for block in blocks for line in block.splitlines())
    return [line for line in lines if line is not None]


def in_html(page: str) -> list[Printed]:
    """All equations of a page: rows of formulas in MathML, each a side or a term of one with the sign before it."""
    found = []
    for row in re.findall(r'<div class="equation">(.*?)</div>', page):
        sides, signs = [""], []
        for math in re.findall(r"<math.*?</math>", row):
            text = flat(ElementTree.fromstring(math))
            if text[0] in "=≈←":
                signs.append(text[0])
                sides.append(text[1:])
            else:
                sides[-1] += text
        found.append(Printed(tuple(sides), tuple(signs)))
    return [line for line in found if line.signs]


def flat(element: ElementTree.Element) -> str:
    """MathML as a line of text; every fraction and every power gets brackets."""
    children = [flat(child) for child in element]
    if element.tag == "mfrac":
        return f"(({children[0]})/({children[1]}))"
    if element.tag == "msup":
        return f"({children[0]})²" if children[1] == "2" else f"({children[0]})^({children[1]})"
    if element.tag == "msqrt":
        return f"√({''.join(children)})"
    return (element.text or "") + "".join(children)
