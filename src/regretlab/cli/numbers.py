"""Numbers as people read them: units, signs and digits are decided here and nowhere else."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

_SMALL, _LARGE = 1e-4, 1e7
"""Between these a number is written out; beyond them it has an exponent."""

_LONG_TIMES = ((3600, "h"), (60, "min"), (1, "s"))
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


@dataclass(frozen=True)
class Unit:
    """The small unit in which people compare: thousandths of the ante a game, or of a chip where there is no ante."""

    name: str
    chips: float

    @classmethod
    def of(cls, game: object) -> Unit:
        """The unit that belongs to a game."""
        ante = getattr(game, "ante", None)
        return cls("milli-chips", 1e-3) if ante is None else cls("mbb/g", float(ante) / 1000)

    def show(self, chips: float) -> str:
        """An amount of chips in this unit.

        >>> Unit("mbb/g", 0.002).show(-0.125)
        '-62.5'
        """
        return significant(chips / self.chips, 3, small=2)

    def show_error(self, chips: float) -> str:
        """A standard error in this unit."""
        return error(chips / self.chips)


def significant(number: float, digits: int, small: int | None = None) -> str:
    """A number with so many significant digits, ``small`` of them where it needs an exponent; −0.0 is 0.

    >>> significant(-1 / 18, 6), significant(0.00001234, 3), significant(-0.0, 3), significant(12345.6, 3)
    ('-0.0555556', '1.23e-05', '0', '12,346')
    """
    if number == 0:
        return "0"
    if not _SMALL <= abs(number) < _LARGE:
        return f"{number:.{(small or digits) - 1}e}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(number))))
    return f"{number:,.{decimals}f}"


def value(chips: float) -> str:
    """The value of a game or of a profile: below 1 with the same number of decimals, so that columns line up.

    >>> value(-1 / 18), value(0.00012), value(12.5), value(-1.5e-9)
    ('-0.0555556', '0.0001200', '12.5000', '-1.50e-09')
    """
    return f"{chips:.7f}" if _SMALL <= abs(chips) < 1 else significant(chips, 6, small=3)


def loss(chips: float) -> str:
    """An exploitability, or a distance: a small number whose size is what matters."""
    return significant(chips, 3)


def error(chips: float) -> str:
    """A standard error: more than two digits of it would mean nothing."""
    return significant(chips, 2)


def ratio(factor: float | None) -> str:
    """How many times something is: ``0.25×``.

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


def count(number: int, noun: str) -> str:
    """So many of something.

    >>> count(1, "iteration"), count(10_000, "iteration")
    ('1 iteration', '10,000 iterations')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


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


def plain(data: Any) -> Any:
    """What JSON can hold: fractions as text, no −0.0, and null for what is not a finite number.

    >>> plain({"value": Fraction(-1, 18), "gap": float("nan"), "zero": -0.0})
    {'value': '-1/18', 'gap': None, 'zero': 0.0}
    """
    if isinstance(data, dict):
        return {str(key): plain(item) for key, item in data.items()}
    if isinstance(data, list | tuple):
        return [plain(item) for item in data]
    if isinstance(data, Fraction):
        return str(data)
    if isinstance(data, float):
        return data + 0.0 if math.isfinite(data) else None
    return data
