"""Names with arguments, such as ``kuhn(ante=1, bet=1/2)`` or ``cfr+(delay=100)``, and the numbers in them."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from regretlab.errors import UserError

Number: TypeAlias = int | float | Fraction
"""Payoffs and probabilities. What is given as int or Fraction is kept exactly, for the exact solution."""

Readable = Number | str

LARGEST = 1e100
"""What a number may be at most: regrets are sums over many iterations and histories, and some rules square them."""

MOST_ITERATIONS = 10**12
"""More than anybody can do; kernels count in 64 bits."""

_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_CALL = re.compile(r"\s*(?P<name>[^\s()=,]+)\s*(?:\((?P<arguments>.*)\))?\s*", re.DOTALL)


def split_list(text: str) -> list[str]:
    """Split at commas outside parentheses; empty parts are dropped.

    >>> split_list("cfr, cfr+(delay=5, schedule=simultaneous)")
    ['cfr', 'cfr+(delay=5, schedule=simultaneous)']
    """
    parts, depth, start = [], 0, 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def parse_call(text: str) -> tuple[str, dict[str, str]]:
    """Take ``name(key=value, …)`` apart; values stay text, for whoever owns the key to read.

    >>> parse_call("kuhn(ante=1, bet=1/2)")
    ('kuhn', {'ante': '1', 'bet': '1/2'})
    """
    match = _CALL.fullmatch(text)
    if match is None:
        raise UserError(f"can't read '{text}'; write name or name(key=value, key=value)")
    arguments: dict[str, str] = {}
    for part in split_list(match["arguments"] or ""):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and key and value):
            raise UserError(f"can't read '{part}' in '{text}'; arguments are written key=value")
        if key in arguments:
            raise UserError(f"'{key}' is given twice in '{text}'")
        arguments[key] = value
    return match["name"], arguments


def format_call(name: str, arguments: Mapping[str, object]) -> str:
    """Put a name and its arguments together again.

    >>> format_call("kuhn", {"ante": Fraction(1), "bet": Fraction(1, 2)})
    'kuhn(ante=1, bet=1/2)'
    """
    if not arguments:
        return name
    return f"{name}({', '.join(f'{key}={value}' for key, value in arguments.items())})"


def format_changed(name: str, made: Any) -> str:
    """A name with those fields of the dataclass ``made`` as arguments that are not the default.

    >>> from regretlab.games import Kuhn
    >>> format_changed("kuhn", Kuhn(bet=Fraction(2)))
    'kuhn(bet=2)'
    """
    given = ((field, getattr(made, field.name)) for field in dataclasses.fields(made))
    return format_call(name, {field.name: value for field, value in given if value != field.default})


def number(key: str, value: Readable) -> Fraction:
    """Read a finite number exactly: ``1/3`` is a third, and ``0.1`` a tenth whether written as text or as a float.

    >>> number("bet", "1/3"), number("bet", 0.1)
    (Fraction(1, 3), Fraction(1, 10))
    """
    return _read(key, value, "a finite number; write it like 2, 0.5 or 1/3")


def _read(key: str, value: Readable, what: str) -> Fraction:
    """Read a finite number; ``what`` says what would have been right where it is none."""
    # A float is read as the decimal that it prints as, so that 0.1 means the same here and in a name.
    text = str(value)
    try:
        # Floats first: as a fraction, 1e999999999 would fill the memory.
        size = abs(float(value)) if "/" not in text else abs(float(Fraction(text)))
        result = Fraction(text) if math.isfinite(size) else None
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        result = None
    if result is None:
        raise UserError(f"{key}={text:.40} is not {what}")
    if size > LARGEST:
        raise UserError(f"{key}={text:.40} is too large; write a number up to {LARGEST:.0e}")
    if size == 0 != result:
        raise UserError(f"{key}={text:.40} is too close to 0 for a float")
    return result


def positive(key: str, value: Readable) -> Fraction:
    """Read a number above zero."""
    result = number(key, value)
    if result <= 0:
        raise UserError(f"{key}={value} must be above 0")
    return result


def whole(key: str, value: Readable, least: int, most: int | None = None) -> int:
    """Read a whole number between two bounds, both included."""
    example = max(least, 10) if most is None else min(max(least, 10), most)
    result = _read(key, value, f"a whole number; write it like {example}")
    high = "" if most is None else f" and at most {most:,}"
    if result.denominator != 1 or result < least or (most is not None and result > most):
        raise UserError(f"{key}={value} must be a whole number, at least {least:,}{high}")
    return int(result)


_SIZES = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": 2**30}


def read_bytes(key: str, text: str) -> int:
    """Read an amount of memory.

    >>> read_bytes("memory", "8GB"), read_bytes("memory", "1.5 GiB")
    (8000000000, 1610612736)
    """
    match = re.fullmatch(r"\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*([a-zA-Z]*)\s*", text)
    unit = None if match is None else _SIZES.get(match[2].lower())
    if match is None or unit is None or not (amount := float(match[1]) * unit) >= 1:
        raise UserError(f"{key}={text:.40} is no amount of memory; write it like 8GB or 500MB")
    return int(amount)


def whole_iterations(key: str, value: Readable) -> int:
    """Read how many iterations a run shall have.

    >>> whole_iterations("iterations", "1e3")
    1000
    """
    return whole(key, value, least=1, most=MOST_ITERATIONS)


def truth(key: str, value: bool | str) -> bool:
    """Read yes or no.

    >>> truth("merge_suits", "yes"), truth("merge_suits", False)
    (True, False)
    """
    text = str(value).lower()
    if text not in _TRUTHS:
        raise UserError(f"{key}={value!s:.40} must be true or false")
    return _TRUTHS[text]


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names as they are; with a number in front of each where one is missing or two are the same.

    >>> distinct_names(["fold", "call"]), distinct_names(["2", "2"])
    (('fold', 'call'), ('0 2', '1 2'))
    """
    if all(names) and len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{k} {name}".rstrip() for k, name in enumerate(names))
