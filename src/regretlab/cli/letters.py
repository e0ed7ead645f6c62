"""Letters for terminals that have few: what a code page lacks is written with the letters that every terminal has."""

from __future__ import annotations

import codecs
import unicodedata
from itertools import groupby

SPELLED = {
    "−": "-",
    "–": "-",
    "×": "x",
    "·": "*",
    "÷": "/",
    "±": "+-",
    "←": "<-",
    "→": "->",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "∝": "~",
    "√": "sqrt",
    "∞": "inf",
    "Σ": "sum",
    "′": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "›": ">",
    "µ": "u",
    "★": "*",
    "•": "*",
    "◀": "<",
    "½": "1/2",
    "▌": "|",
    "│": "|",
    "├": "|",
    "└": "`",
    "₋": "-",
    "⁻": "-",
}
"""What the letters that we use are written as; Greek ones by name, digits that stand high or low behind a sign."""

ASCII = "regretlab-ascii"
"""The name under which Python knows ``spell`` as a way to treat letters that can't be written."""


def spell(error: UnicodeError) -> tuple[str, int]:
    """What stands for letters in a row that an encoding lacks, and where it goes on.

    >>> codecs.register_error(ASCII, spell)
    >>> "Σ σ(a) ≤ 10⁻⁵, x₁² − ½ é ███".encode("ascii", ASCII).decode()
    'sum sigma(a) <= 10^-5, x_1^2 - 1/2 e ###'
    """
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    parts = (mark + "".join(map(_spelled, letters)) for mark, letters in groupby(text, _mark))
    return "".join(parts), error.end


def _mark(letter: str) -> str:
    """The sign before what stands high or low."""
    kind = unicodedata.decomposition(letter).partition(" ")[0]
    return {"<super>": "^", "<sub>": "_"}.get(kind, "")


def _spelled(letter: str) -> str:
    name = unicodedata.name(letter, "")
    if letter in SPELLED:
        return SPELLED[letter]
    if name.startswith("GREEK"):
        return name.rpartition(" ")[2].lower().replace("lamda", "lambda")
    if "BLOCK" in name:
        return "#"
    if name.startswith("BOX DRAWINGS"):
        return "-"
    # é becomes e; marks above a letter go.
    plain = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(letter) else "?")


codecs.register_error(ASCII, spell)
