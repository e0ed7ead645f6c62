"""Explaining: every number of an algorithm, as events, as text, as a page.

Names are loaded when they are first used: the glossary needs no engine as long as no example is computed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regretlab.explaining.arithmetic import Arithmetic, explain
    from regretlab.explaining.glossary import TERMS, Term
    from regretlab.explaining.walkthroughs import Walkthrough, walkthrough

_HOME = {
    "Arithmetic": "arithmetic",
    "TERMS": "glossary",
    "Term": "glossary",
    "Walkthrough": "walkthroughs",
    "explain": "arithmetic",
    "walkthrough": "walkthroughs",
}

__all__ = ["TERMS", "Arithmetic", "Term", "Walkthrough", "explain", "walkthrough"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
