"""Names of other libraries, made fit for a game here."""

from __future__ import annotations

from collections.abc import Sequence


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names as they are; with a number in front of each where one is missing or two are the same.

    >>> distinct(["fold", "call"]), distinct(["2", "2"])
    (('fold', 'call'), ('0 2', '1 2'))
    """
    if all(names) and len(set(names)) == len(names):
        return tuple(names)
    return tuple(f"{k} {name}".rstrip() for k, name in enumerate(names))
