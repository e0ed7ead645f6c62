"""Formulas as MathML."""

from __future__ import annotations

from html import escape

from regretlab.explaining.expression import (
    ATOM,
    PRODUCT,
    ROOT,
    SUM,
    Call,
    Equation,
    Expression,
    Operation,
    Power,
    Square,
    Symbol,
    Value,
    needs,
    strength,
)
from regretlab.explaining.notation import Notation

_OPEN, _CLOSE = ('<mo stretchy="false">' + bracket + "</mo>" for bracket in "()")
"""As high as a letter; around a fraction they grow with it."""


def equation(line: Equation, notation: Notation) -> list[str]:
    """The sides of an equation, each a formula of its own with the sign before it, so that a page can break lines."""
    signs = ["", *line.relations(notation)]
    return [_math(side, sign, notation) for sign, side in zip(signs, line.sides, strict=True)]


def _math(side: Expression, sign: str, notation: Notation) -> str:
    relation = f"<mo>{sign}</mo>" if sign else ""
    return f'<math displaystyle="true">{relation}{expression(side, notation)}</math>'


def expression(part: Expression, notation: Notation, least: int = SUM) -> str:
    """An expression, in brackets if it holds together less than its place asks for."""
    written = _expression(part, notation)
    if _strength(part, notation) >= least:
        return written
    opened, closed = ("<mo>(</mo>", "<mo>)</mo>") if "<mfrac>" in written else (_OPEN, _CLOSE)
    return f"<mrow>{opened}{written}{closed}</mrow>"


def _strength(part: Expression, notation: Notation) -> int:
    """A bar holds a quotient together, so that it needs no brackets but those of a sign or a power."""
    return (
        max(PRODUCT, strength(part, notation))
        if isinstance(part, Operation) and part.sign == "/"
        else strength(part, notation)
    )


def _expression(part: Expression, notation: Notation) -> str:
    if isinstance(part, Value):
        return _number(part.written(notation).text)
    if isinstance(part, Symbol):
        return _symbol(part)
    if isinstance(part, Square):
        return f"<msup>{expression(part.base, notation, ATOM)}<mn>2</mn></msup>"
    if isinstance(part, Power):
        return f"<msup>{expression(part.base, notation, ATOM)}{expression(part.exponent, notation)}</msup>"
    if isinstance(part, Call) and part.function == ROOT:
        return f"<msqrt>{expression(part.arguments[0], notation)}</msqrt>"
    if isinstance(part, Call):
        arguments = "<mo>,</mo>".join(expression(argument, notation) for argument in part.arguments)
        return f"<mrow><mi>{part.function}</mi>{_OPEN}{arguments}{_CLOSE}</mrow>"
    return _operation(part, notation)


def _operation(part: Operation, notation: Notation) -> str:
    if part.sign == "/":
        over, under = (expression(term, notation) for term in part.terms)
        return f"<mfrac>{over}{under}</mfrac>"
    terms = [expression(term, notation, least) for term, least in zip(part.terms, needs(part), strict=True)]
    sign = f"<mo>{part.sign}</mo>"
    return f"<mrow>{sign}{terms[0]}</mrow>" if len(terms) == 1 else f"<mrow>{sign.join(terms)}</mrow>"


def _number(text: str) -> str:
    """A fraction gets a bar, a minus is a sign of its own."""
    size = text.removeprefix("−")
    over, slash, under = size.partition("/")
    written = f"<mfrac><mn>{over}</mn><mn>{under}</mn></mfrac>" if slash else f"<mn>{size}</mn>"
    return written if size == text else f"<mrow><mo>−</mo>{written}</mrow>"


def _symbol(symbol: Symbol) -> str:
    name = f"<mi>{escape(symbol.name)}</mi>"
    if symbol.index:
        kind = "mn" if symbol.index.isdigit() else "mo"
        name = f"<msub>{name}<{kind}>{escape(symbol.index)}</{kind}></msub>"
    if not symbol.of:
        return name
    return f"<mrow>{name}{_OPEN}<mtext>{escape(symbol.of)}</mtext>{_CLOSE}</mrow>"
