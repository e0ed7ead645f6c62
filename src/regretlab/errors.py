"""Mistakes that a user can make, told in one line each."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST_OPTIONS_SHOWN = 16
"""How many of the names that exist an error lists."""


class UserError(ValueError):
    """The user's mistake: one plain line that names the bad value and says what would be right.

    The command line prints it on stderr and leaves with status 2.
    """


class GameError(UserError):
    """A game that breaks the rules of the protocol; the line names the offending history."""


def unknown(kind: str, name: str, known: Iterable[str]) -> UserError:
    """The error for a name that does not exist, with the nearest one that does.

    >>> print(unknown("recipe", "cfrplus", ["cfr", "cfr+", "normalhedge"]))
    unknown recipe 'cfrplus'; did you mean 'cfr+'? There are: cfr, cfr+, normalhedge
    """
    options = list(known)
    spoken = {_spoken(option): option for option in reversed(options)}
    near = difflib.get_close_matches(_spoken(name), spoken, n=1, cutoff=0.5)
    hint = f"; did you mean '{spoken[near[0]]}'? There are: " if near else "; there are: "
    more = ", …" if len(options) > MOST_OPTIONS_SHOWN else ""
    return UserError(f"unknown {kind} '{name}'{hint}{', '.join(options[:MOST_OPTIONS_SHOWN]) or 'none'}{more}")


def _spoken(name: str) -> str:
    """What a name sounds like: people write cfrplus, CFR+ and cfr-plus for the same thing."""
    return str(name).lower().replace("+", "plus").replace("-", "").replace("_", "")
