"""Formulas: what is printed is built from these, so that a number is written the same way everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from regretlab.documents.numbers import Notation, Written
from regretlab.spec import Number

Expression: TypeAlias = "Value | Symbol | Operation | Call | Square | Power"

SUM, PRODUCT, POWER, ATOM = range(4)
"""How strongly the parts of an expression hold together; what holds less than its place asks for gets brackets."""

ROOT = "√"
"""The function whose arguments pages draw a bar over."""

_SUBSCRIPTS = str.maketrans("0123456789+−", "₀₁₂₃₄₅₆₇₈₉₊₋")


@dataclass(frozen=True)
class Value:
    """A number, and how many of its decimals are known where that is not all of them."""

    number: Number
    decimals: int | None = None

    def written(self, notation: Notation) -> Written:
        """The number as people read it."""
        return notation.write(self.number, self.decimals)


@dataclass(frozen=True)
class Symbol:
    """A letter with an index, and what it belongs to: R₊(bet)."""

    name: str
    index: str = ""
    of: str = ""

    @property
    def text(self) -> str:
        """The symbol in a line of text."""
        return self.name + self.index.translate(_SUBSCRIPTS) + (f"({self.of})" if self.of else "")


@dataclass(frozen=True)
class Operation:
    """Terms with one of + − × / between them; a minus with one term is a sign."""

    sign: str
    terms: tuple[Expression, ...]


@dataclass(frozen=True)
class Call:
    """A function of some arguments, such as max(…, 0)."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Square:
    """The square of something."""

    base: Expression


@dataclass(frozen=True)
class Power:
    """Something to the power of something."""

    base: Expression
    exponent: Expression


@dataclass(frozen=True)
class Equation:
    """Several sides that are all the same number, and a remark; ``becomes`` is for numbers that are overwritten."""

    sides: tuple[Expression, ...]
    note: str = ""
    becomes: bool = False

    def relations(self, notation: Notation) -> list[str]:
        """The signs between the sides: ≈ beside a side in which a number is rounded."""
        rounded = [any(value.written(notation).rounded for value in values(side)) for side in self.sides]
        signs = ["≈" if left or right else "=" for left, right in pairwise(rounded)]
        return ["←", *signs[1:]] if self.becomes else signs


def add(*terms: Expression) -> Expression:
    """The sum of some terms; one alone is itself."""
    return terms[0] if len(terms) == 1 else Operation("+", terms)


def multiply(*terms: Expression) -> Expression:
    """The product of some terms; one alone is itself."""
    return terms[0] if len(terms) == 1 else Operation("×", terms)


def subtract(left: Expression, right: Expression) -> Expression:
    """The difference."""
    return Operation("−", (left, right))


def divide(over: Expression, under: Expression) -> Expression:
    """The quotient."""
    return Operation("/", (over, under))


def negate(term: Expression) -> Expression:
    """The term with the other sign."""
    return Operation("−", (term,))


def values(expression: Expression) -> Iterator[Value]:
    """All numbers in an expression."""
    parts: tuple[Expression, ...] = ()
    if isinstance(expression, Value):
        yield expression
    elif isinstance(expression, Operation):
        parts = expression.terms
    elif isinstance(expression, Call):
        parts = expression.arguments
    elif isinstance(expression, Square):
        parts = (expression.base,)
    elif isinstance(expression, Power):
        parts = (expression.base, expression.exponent)
    for part in parts:
        yield from values(part)


def strength(expression: Expression, notation: Notation) -> int:
    """How strongly an expression holds together: a sign as a sum, a fraction as a product."""
    if isinstance(expression, Value):
        written = expression.written(notation).text
        return SUM if written.startswith("−") else PRODUCT if "/" in written else ATOM
    if isinstance(expression, Operation):
        return PRODUCT if expression.sign in "×/" else SUM
    return POWER if isinstance(expression, Square | Power) else ATOM


def needs(operation: Operation) -> list[int]:
    """How strongly each term of an operation must hold together to stand without brackets."""
    if operation.sign == "/":
        return [POWER, POWER]
    if len(operation.terms) == 1 or operation.sign == "×":
        return [PRODUCT] * len(operation.terms)
    return [SUM] + [PRODUCT] * (len(operation.terms) - 1)


def text(expression: Expression, notation: Notation, least: int = SUM) -> str:
    """An expression in a line, in brackets if it holds together less than its place asks for."""
    if isinstance(expression, Value):
        line = expression.written(notation).text
    elif isinstance(expression, Symbol):
        line = expression.text
    elif isinstance(expression, Square):
        line = f"{text(expression.base, notation, ATOM)}²"
    elif isinstance(expression, Power):
        line = f"{text(expression.base, notation, ATOM)}^{text(expression.exponent, notation, ATOM)}"
    elif isinstance(expression, Call):
        line = f"{expression.function}({', '.join(text(part, notation) for part in expression.arguments)})"
    else:
        terms = [text(term, notation, need) for term, need in zip(expression.terms, needs(expression), strict=True)]
        line = f"{expression.sign}{terms[0]}" if len(terms) == 1 else f" {expression.sign} ".join(terms)
    return f"({line})" if strength(expression, notation) < least else line


def equation_sides(equation: Equation, notation: Notation) -> list[str]:
    """The sides of an equation as texts; every side but the first has the sign before it."""
    first, *others = (text(side, notation) for side in equation.sides)
    signs = equation.relations(notation)
    return [first, *(f"{sign} {side}" for sign, side in zip(signs, others, strict=True))]
