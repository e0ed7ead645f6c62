"""Explain: every number of an algorithm, as events, as text, as a page.

Names are loaded when they are first used: the glossary needs no engine as long as no example is computed.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regretlab.explain.arithmetic import Arithmetic, explain
    from regretlab.explain.glossary import TERMS, Term
    from regretlab.explain.tour import Walkthrough, walkthrough

_HOME = {
    "Arithmetic": "arithmetic",
    "TERMS": "glossary",
    "Term": "glossary",
    "Walkthrough": "tour",
    "explain": "arithmetic",
    "walkthrough": "tour",
}

__all__ = ["TERMS", "Arithmetic", "Term", "Walkthrough", "explain", "walkthrough"]


class _CallableModule(ModuleType):
    """``regretlab.explain`` is this folder and, for users, the function: importing the folder must not hide it."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.explain(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


sys.modules[__name__].__class__ = _CallableModule
