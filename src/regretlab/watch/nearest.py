"""What an address asks for or, where that cannot be had, the nearest that can, and a sentence that says so.

Whoever presses a button or writes a program is told what is wrong and can mend it. Whoever follows a link cannot, and
should still come to a page that lives.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from regretlab.errors import UserError, unknown
from regretlab.spec import number, whole
from regretlab.watch.offers import LEAST_STAKE, MOST_STAKE, read_stake

MOST_TEXT = 40
"""The most letters of a value that a page sends, and of one that a sentence repeats."""


class Nearest:
    """Takes the values of an address one after the other; ``said`` tells what was replaced.

    A strict one replaces nothing, and raises UserError.
    """

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self.said: list[str] = []

    def value(
        self,
        given: Any,
        read: Callable[[Any], Any],
        usual: object,
        least: Fraction | int | None = None,
        most: int | None = None,
    ) -> str:
        """The value as it was given if ``read`` takes it, else the nearest of the two bounds, else the usual one."""
        try:
            read(given)
        except UserError as error:
            if self.strict:
                raise
            taken = str(usual)
            if least is not None and most is not None:
                taken = _between(str(given), least, most) or taken
            wrong = re.sub(r"^(\w+)=", r"\1 ", str(error))  # as people say it
            self.said.append(f"{wrong}; this page takes {_spoken(taken) or 'none'} instead")
            return taken
        return str(given)

    def whole(self, name: str, given: Any, usual: int, least: int, most: int) -> str:
        """A whole number between two bounds, in digits."""
        taken = self.value(given, lambda text: whole(name, text, least, most), usual, least, most)
        return str(whole(name, taken, least, most))

    def stake(self, name: str, given: Any) -> str:
        """An ante or a bet."""
        return self.value(given, lambda text: read_stake(name, str(text)), 1, LEAST_STAKE, MOST_STAKE)

    def choice(self, kind: str, given: Any, options: Iterable[str], usual: str) -> str:
        """One of the options: the one that was given, else the one with the nearest name, else the usual one."""
        known = list(options)
        if given in known:
            return str(given)
        if self.strict:
            raise unknown(kind, str(given), known)
        written = {same_name(each): each for each in known}
        if (name := same_name(str(given))) in written:
            return written[name]
        taken = nearest_name(str(given), known) or usual
        self.said.append(f"there is no {kind} '{given!s:.{MOST_TEXT}}'; this page takes {taken} instead")
        return taken


def same_name(name: str) -> str:
    """What all ways to write a name have in common: in an address ``cfr+`` may arrive as ``CFR%2B`` or ``cfr ``.

    >>> same_name("CFR+"), same_name("cfr "), same_name("cfr-plus")
    ('cfr-plus', 'cfr-plus', 'cfr-plus')
    """
    return name.lower().replace("_", "-").replace("+", "-plus").replace(" ", "-plus")


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant; people write ``CFR+`` and ``cfr plus`` for ``cfr-plus``.

    >>> nearest_name("CFR+", ["cfr", "cfr-plus"]), nearest_name("zzz", ["cfr"])
    ('cfr-plus', None)
    """
    letters = {_letters(each): each for each in known}
    found = difflib.get_close_matches(_letters(name), letters, n=1, cutoff=0.6)
    return letters[found[0]] if found else None


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower().replace("+", "plus") if letter.isalnum())


def _between(text: str, least: Fraction | int, most: int) -> str | None:
    """The bound that is nearest to a number; between two whole bounds the nearest whole number."""
    try:
        wanted = number("", text.replace(",", "").strip())
    except UserError:
        return None
    inside = min(max(wanted, Fraction(least)), Fraction(most))
    if isinstance(least, int):
        return str(round(inside))
    return str(float(inside)) if inside != int(inside) else str(int(inside))


def _spoken(value: str) -> str:
    return f"{int(value):,}" if value.isdecimal() else value
