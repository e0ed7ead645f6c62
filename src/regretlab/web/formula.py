"""Formulas that are written in one line of text, as MathML."""

from __future__ import annotations

import re
from html import escape

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


_RELATIONS, _ENDS, _DEEPER, _HIGHER = "=∝←→≈+:", ",;", "(", ")"
_LINKS = ("and ", "of ", "if ", "such ", "where ")


def in_pieces(text: str) -> str:
    """A formula as several, one after the other, so that a narrow page can break it before a relation.

    >>> in_pieces("u = v").count("<math>")
    2
    """
    return " ".join(as_mathml(piece).replace("<math><mo>", '<math><mo form="infix">') for piece in _pieces(text))


def _pieces(text: str) -> list[str]:
    """Cut before relations and conjunctions and after commas, but not within brackets."""
    pieces, depth = [""], 0
    for place, letter in enumerate(text):
        depth += (letter in _DEEPER) - (letter in _HIGHER)
        linked = text[place - 1 : place].isspace() and text.startswith(_LINKS, place)
        if depth == 0 and (letter in _RELATIONS or linked) and pieces[-1].strip():
            pieces.append("")
        pieces[-1] += letter
        if depth == 0 and letter in _ENDS and text[place + 1 :]:
            pieces.append("")
    return [piece.strip() for piece in pieces]


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
    return f"<math>{''.join(_scripts(*atom) for atom in atoms)}</math>"


def _atom(kind: str, text: str) -> str:
    if kind == "half":
        return "<mfrac><mn>1</mn><mn>2</mn></mfrac>"
    if kind == "number":
        return f"<mn>{text}</mn>"
    if kind in ("letter", "function") or text.strip() in _NAMES:
        return f"<mi>{text.strip()}</mi>"
    if kind == "sign":
        return f'<mo stretchy="false">{text}</mo>' if text in "()" else f"<mo>{escape(text)}</mo>"
    # Spaces at the ends of a text are dropped in MathML unless they do not break.
    words = text.strip()
    before, after = ("&nbsp;" if edge.isspace() else "" for edge in (text[0], text[-1]))
    return f"<mtext>{before}{escape(words)}{after}</mtext>"


def _scripts(base: str, index: str, power: str) -> str:
    if index and power:
        return f"<msubsup>{base}{_script(index)}{_script(power)}</msubsup>"
    if index:
        return f"<msub>{base}{_script(index)}</msub>"
    return f"<msup>{base}{_script(power)}</msup>" if power else base


def _script(text: str) -> str:
    """What stands small: one sign or a row of them."""
    inner = text[1:-1] if text.startswith("(") else text
    parts = [_atom(str(found.lastgroup), found[0]) for found in _TOKEN.finditer(inner) if found.lastgroup != "space"]
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"
