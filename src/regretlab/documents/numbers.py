"""Numbers as people read them and as JSON holds them: digits, signs and units are decided here and nowhere else.

People meet numbers in three places, which ask for different digits:

- on the terminal, where columns are copied into other programs: ``significant`` and what is built on it, in ASCII;
- in the sentences and tables of reports: ``written``, with a proper minus and powers of ten;
- in worked arithmetic: ``Notation``, which says of each number whether it had to be rounded, and can write fractions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from regretlab.spec import Number

SMALL, LARGE = 1e-4, 1e7
"""Between these a number is written out; beyond them it has an exponent."""

_LONG_TIMES = ((3600, "h"), (60, "min"), (1, "s"))
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Unit:
    """The small unit in which people compare: thousandths of the ante per game, or of a chip where there is no ante."""

    name: str
    chips: float

    @classmethod
    def of(cls, game: object) -> Unit:
        """The unit that belongs to a game."""
        ante = getattr(game, "ante", None)
        return cls("milli-chips", 1e-3) if ante is None else cls("mbb/g", float(ante) / 1000)

    @property
    def words(self) -> str:
        """What the name stands for."""
        return f"thousandths of {'the ante' if self.name == 'mbb/g' else 'a chip'} a game"

    def show(self, chips: float) -> str:
        """An amount of chips in this unit.

        >>> Unit("mbb/g", 0.002).show(-0.125)
        '-62.5'
        """
        return significant(chips / self.chips, 3, small=2)

    def show_error(self, chips: float) -> str:
        """A standard error in this unit."""
        return error(chips / self.chips)


# ---- on the terminal


def significant(number: float, digits: int, small: int | None = None) -> str:
    """A number with so many significant digits, ``small`` of them where it needs an exponent; −0.0 is 0.

    >>> significant(-1 / 18, 6), significant(0.00001234, 3), significant(-0.0, 3), significant(12345.6, 3)
    ('-0.0555556', '1.23e-05', '0', '12,346')
    """
    if number == 0:
        return "0"
    if not SMALL <= abs(number) < LARGE:
        return f"{number:.{(small or digits) - 1}e}"
    return f"{number:,.{max(0, digits - 1 - _leading(number))}f}"


def value(chips: float) -> str:
    """The value of a game or of a profile: below 1 with the same number of decimals, so that columns line up.

    >>> value(-1 / 18), value(0.00012), value(12.5), value(-1.5e-9)
    ('-0.0555556', '0.0001200', '12.5000', '-1.50e-09')
    """
    return f"{chips:.7f}" if SMALL <= abs(chips) < 1 else significant(chips, 6, small=3)


def loss(chips: float) -> str:
    """An exploitability, or a distance: a small number whose size is what matters."""
    return significant(chips, 3)


def error(chips: float) -> str:
    """A standard error: more than two digits of it would mean nothing."""
    return significant(chips, 2)


def ratio(factor: float | None) -> str:
    """A factor: ``0.25×``.

    >>> ratio(1.0), ratio(0.03175), ratio(0.0000123), ratio(None)
    ('1.0×', '0.032×', '1e-05×', '–')
    """
    return "–" if factor is None else f"{significant(factor, 2, small=1)}×"


def percent(probability: float) -> str:
    """A probability.

    >>> percent(1 / 3), percent(0.99996), percent(0.00001)
    ('33.33 %', '100.00 %', '0.00 %')
    """
    return f"{100 * probability + 0.0:.2f} %"


def count(number: int, noun: str, plural: str = "") -> str:
    """A number of things, with the noun in its plural where that is needed.

    >>> count(1, "iteration"), count(10_000, "iteration"), count(2, "history", "histories")
    ('1 iteration', '10,000 iterations', '2 histories')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def duration(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> duration(4.5e-7), duration(0.0123), duration(83.2)
    ('450 ns', '12.3 ms', '83.2 s')
    """
    size, name = next(((size, name) for size, name in _TIMES if seconds >= size), _TIMES[-1])
    return f"{significant(seconds / size, 3)} {name}"


def long_duration(seconds: float) -> str:
    """A time that people wait for.

    >>> long_duration(0.3), long_duration(83.2), long_duration(9_000), long_duration(180_000)
    ('1 s', '83 s', '150 min', '50 h')
    """
    size, name = next((size, name) for size, name in _LONG_TIMES if seconds >= 3 * size or size == 1)
    return f"{max(1, round(seconds / size)):,} {name}"


# ---- in sentences and tables


def written(number: float, digits: int = 3) -> str:
    """A number in a sentence or a table: whole numbers without decimals, a real minus, powers of ten; −0.0 is 0.

    >>> written(0.0123456), written(-12345.6), written(1.234e-5), written(-0.0), written(10_000)
    ('0.0123', '−12,346', '1.23·10⁻⁵', '0', '10,000')
    """
    if math.isnan(number):
        return "–"
    if math.isinf(number):
        return "∞" if number > 0 else "−∞"
    is_whole = number == int(number) and abs(number) < LARGE
    text = f"{int(number):,}" if is_whole else significant(number, digits)
    factor, _, exponent = text.partition("e")
    return _signed(factor) + (f"·10{str(int(exponent)).translate(_SUPERSCRIPTS)}" if exponent else "")


# ---- in worked arithmetic

DECIMALS = 4
"""Digits after the point, and significant digits of numbers that are too small for those."""

DIGITS = 12
"""Significant digits beside fractions, of what is no fraction or a very long one."""

LONGEST_FRACTION = 17
"""Letters of a fraction that is still shown as one: longer ones nobody reads."""

LEAST_DECIMAL, MOST_DECIMAL = 1e-6, 1e12
"""Between these arithmetic is shown without exponents: further than elsewhere, because the reader adds up."""


class Written(NamedTuple):
    """A number as people read it."""

    text: str
    rounded: bool


@dataclass(frozen=True)
class Notation:
    """Writes numbers with four decimals or as fractions, and says of each whether it had to be rounded.

    >>> Notation().write(Fraction(-3, 8)), Notation().write(1 / 3)
    (Written(text='−0.375', rounded=False), Written(text='0.3333', rounded=True))
    >>> Notation(exact=True).write(Fraction(-3, 8)).text, Notation(exact=True).write(math.sqrt(2)).text
    ('−3/8', '1.41421356237')
    """

    exact: bool = False

    def write(self, number: Number, decimals: int | None = None) -> Written:
        """A number as text; what needs no rounding is written without zeros at its end.

        Of a number that is known only to so many ``decimals`` no more are shown.
        """
        return _write(Fraction(number), self.exact, decimals)


@lru_cache(maxsize=10_000)
def _write(value: Fraction, exact: bool, decimals: int | None) -> Written:
    """``Notation.write``; cached, because a walkthrough shows the same numbers again and again."""
    if exact and len(str(value)) <= LONGEST_FRACTION:
        return Written(_signed(str(value)), False)
    number = float(value)
    if exact:
        known = DIGITS if decimals is None else max(1, min(DIGITS, decimals + _leading(number) + 1))
        text = f"{number:#.{known}g}"
    elif number and not LEAST_DECIMAL <= abs(number) < MOST_DECIMAL:
        text = f"{number:.{DECIMALS - 1}e}"
    else:
        text = f"{number:.{max(DECIMALS, DECIMALS - 1 - _leading(number))}f}"
    rounded = Fraction(text) != value
    return Written(_signed(text if rounded or "e" in text else text.rstrip("0").rstrip(".")), rounded)


def _leading(number: float) -> int:
    """The power of ten of the first digit."""
    return math.floor(math.log10(abs(number))) if number else 0


def _signed(text: str) -> str:
    return text.replace("-", "−", 1) if text.startswith("-") else text


# ---- in JSON


def plain(data: Any, notation: Notation | None = None) -> Any:
    """What JSON can hold: fractions as text, no −0.0, and null for what is not a finite number.

    Dataclasses and named tuples become dictionaries; a dataclass that has a ``kind`` of event begins with it. With a
    ``notation``, numbers are text where it shows them as fractions, and floats elsewhere.

    >>> plain({"value": Fraction(-1, 18), "gap": float("nan"), "zero": -0.0})
    {'value': '-1/18', 'gap': None, 'zero': 0.0}
    """
    if isinstance(data, float | Fraction):
        if isinstance(data, float) and not math.isfinite(data):
            return None
        is_fraction = isinstance(data, Fraction)
        if notation is not None:
            is_fraction = notation.exact and not notation.write(data).rounded
        return str(Fraction(data)) if is_fraction else float(data) + 0.0
    if isinstance(data, dict):
        return {str(key): plain(item, notation) for key, item in data.items()}
    if is_dataclass(data):
        kind = {"event": data.kind} if hasattr(data, "kind") else {}
        return kind | {field.name: plain(getattr(data, field.name), notation) for field in fields(data)}
    if isinstance(data, tuple) and hasattr(data, "_asdict"):
        return plain(data._asdict(), notation)
    return [plain(item, notation) for item in data] if isinstance(data, list | tuple) else data
