"""Formulas as MathML: those that are built from expressions, and those that are written in one line of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from regretlab.documents.expressions import (
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
from regretlab.documents.numbers import Notation

_LEADS = ' form="infix" lspace="0"'
"""Of a sign that begins a formula and stands between two: what separates the formulas is its room on the left."""

_OPEN, _CLOSE = ('<mo stretchy="false">' + bracket + "</mo>" for bracket in "()")
"""As high as a letter; around a fraction they grow with it."""


def equation(line: Equation, notation: Notation, by_terms: bool = False) -> Iterator[str]:
    """The sides of an equation, each a formula of its own with the sign before it, so that a page can break lines.

    ``by_terms``, every term of a sum is a formula of its own as well, and a long sum breaks into several lines.
    """
    form = _LEADS if by_terms else ""
    for relation, side in zip(["", *line.relations(notation)], line.sides, strict=True):
        for k, (plus, term) in enumerate(_terms(side) if by_terms else [("+", side)]):
            before = relation if k == 0 else plus
            sign = f"<mo{form}>{before}</mo>" if before else ""
            is_large = not by_terms or (isinstance(term, Operation) and term.sign == "/")
            large = ' displaystyle="true"' if is_large else ""
            yield f"<math{large}>{sign}{expression(term, notation, SUM if k == 0 else PRODUCT)}</math>"


def _terms(side: Expression) -> list[tuple[str, Expression]]:
    """The terms of a sum and their signs, and of a sum from which something is taken away."""
    match side:
        case Operation("+", terms):
            return [("+", term) for term in terms]
        case Operation("−", (whole, less)):
            return [*_terms(whole), ("−", less)]
    return [("+", side)]


def expression(part: Expression, notation: Notation, least: int = SUM) -> str:
    """An expression, in brackets if it holds together less than its place asks for."""
    holds = strength(part, notation)
    if isinstance(part, Value):
        # A fraction gets a bar, a minus is a sign of its own.
        text = part.written(notation).text
        size = text.removeprefix("−")
        over, slash, under = size.partition("/")
        inside = f"<mfrac><mn>{over}</mn><mn>{under}</mn></mfrac>" if slash else f"<mn>{size}</mn>"
        inside = inside if size == text else f"<mrow><mo>−</mo>{inside}</mrow>"
    elif isinstance(part, Symbol):
        inside = f"<mi>{escape(part.name)}</mi>"
        if part.index:
            kind = "mn" if part.index.isdigit() else "mo"
            inside = f"<msub>{inside}<{kind}>{escape(part.index)}</{kind}></msub>"
        if part.of:
            inside = f"<mrow>{inside}{_OPEN}<mtext>{escape(part.of)}</mtext>{_CLOSE}</mrow>"
    elif isinstance(part, Square):
        inside = f"<msup>{expression(part.base, notation, ATOM)}<mn>2</mn></msup>"
    elif isinstance(part, Power):
        inside = f"<msup>{expression(part.base, notation, ATOM)}{expression(part.exponent, notation)}</msup>"
    elif isinstance(part, Call) and part.function == ROOT:
        inside = f"<msqrt>{expression(part.arguments[0], notation)}</msqrt>"
    elif isinstance(part, Call):
        arguments = "<mo>,</mo>".join(expression(argument, notation) for argument in part.arguments)
        inside = f"<mrow><mi>{part.function}</mi>{_OPEN}{arguments}{_CLOSE}</mrow>"
    elif part.sign == "/":
        inside = f"<mfrac>{''.join(expression(term, notation) for term in part.terms)}</mfrac>"
        # A bar holds a quotient together, so that it needs no brackets but those of a sign or a power.
        holds = max(PRODUCT, holds)
    else:
        terms = [expression(term, notation, need) for term, need in zip(part.terms, needs(part), strict=True)]
        sign = f"<mo>{part.sign}</mo>"
        inside = f"<mrow>{sign}{terms[0]}</mrow>" if len(terms) == 1 else f"<mrow>{sign.join(terms)}</mrow>"
    if holds >= least:
        return inside
    opened, closed = ("<mo>(</mo>", "<mo>)</mo>") if "<mfrac>" in inside else (_OPEN, _CLOSE)
    return f"<mrow>{opened}{inside}{closed}</mrow>"


# ---- formulas that are written in one line of text

_FUNCTIONS = ("max", "min", "mean", "exp", "ln")
_WORD = rf"(?!(?:{'|'.join(_FUNCTIONS)})\b)[A-Za-z]{{2,}}(?:/g)?|'s|a(?=\s[A-Za-z]{{2}})"
_TOKEN = re.compile(
    rf"(?P<word>\s*(?:{_WORD})(?:\s+(?:{_WORD}))*\s*)"
    rf"|(?P<function>{'|'.join(_FUNCTIONS)})"
    r"|(?P<space>\s+)"
    r"|(?P<half>½)"
    r"|(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\^(?:\([^()]*\)|[\w.]+))"
    r"|(?P<index>[₀₁₂₃₄₅₆₇₈₉₊₋ᵢ]+)"
    r"|(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)"
    r"|(?P<letter>[^\W\d_]′?)"
    r"|(?P<sign>.)"
)
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ᵢ", "0123456789+−i")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_NAMES = frozenset({"BR", "average", "pot", "ante", "bet", "stake"})
"""Words that stand for a number."""

_RELATIONS, _ENDS = "=∝←→≈+:", ",;"
_LINKS = ("and ", "of ", "if ", "such ", "where ")


def in_pieces(text: str) -> str:
    """A formula as several, one after the other, so that a narrow page can break it before a relation.

    It is cut before relations and conjunctions and after commas, but not within brackets.

    >>> in_pieces("u = v").count("<math>")
    2
    """
    pieces, depth = [""], 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        linked = text[place - 1 : place].isspace() and text.startswith(_LINKS, place)
        if depth == 0 and (letter in _RELATIONS or linked) and pieces[-1].strip():
            pieces.append("")
        pieces[-1] += letter
        if depth == 0 and letter in _ENDS and text[place + 1 :]:
            pieces.append("")
    return " ".join(as_mathml(piece.strip()).replace("<math><mo>", f"<math><mo{_LEADS}>") for piece in pieces)


def as_mathml(text: str) -> str:
    """A formula in one line, such as those of recipes and of the glossary.

    Indices and powers are set as such, words between them stay words, and everything else is a letter, a number or a
    sign. What was written is what is read: nothing is reordered, so the text of the result is the formula again.

    >>> as_mathml("σ ∝ R₊²")
    '<math><mi>σ</mi><mo>∝</mo><msubsup><mi>R</mi><mo>+</mo><mn>2</mn></msubsup></math>'
    """
    atoms: list[tuple[str, str, str]] = []  # what stands on the line, its index, its power
    for found in _TOKEN.finditer(text):
        kind = str(found.lastgroup)
        if kind == "index" and atoms:
            atoms[-1] = (atoms[-1][0], found[0].translate(_LOWERED), atoms[-1][2])
        elif kind == "power" and atoms:
            atoms[-1] = (*atoms[-1][:2], found[0].translate(_RAISED).removeprefix("^"))
        elif kind != "space":
            atoms.append((_atom(kind, found[0]), "", ""))
    shown = ""
    for base, index, power in atoms:
        tag = "m" + "sub" * bool(index) + "sup" * bool(power)
        scripts = "".join(_script(text) for text in (index, power) if text)
        shown += f"<{tag}>{base}{scripts}</{tag}>" if scripts else base
    return f"<math>{shown}</math>"


def _atom(kind: str, text: str) -> str:
    """One token of a formula, by the name of the group that found it."""
    if kind == "half":
        return "<mfrac><mn>1</mn><mn>2</mn></mfrac>"
    if kind == "number":
        return f"<mn>{text}</mn>"
    if kind in ("letter", "function") or text.strip() in _NAMES:
        return f"<mi>{text.strip()}</mi>"
    if kind == "sign":
        return f'<mo stretchy="false">{text}</mo>' if text in "()" else f"<mo>{escape(text)}</mo>"
    # Spaces at the ends of a text are dropped in MathML unless they do not break.
    before, after = ("&nbsp;" if edge.isspace() else "" for edge in (text[0], text[-1]))
    return f"<mtext>{before}{escape(text.strip())}{after}</mtext>"


def _script(text: str) -> str:
    """An index or a power: one sign or a row of them."""
    inner = text[1:-1] if text.startswith("(") else text
    parts = [_atom(str(found.lastgroup), found[0]) for found in _TOKEN.finditer(inner) if found.lastgroup != "space"]
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"
