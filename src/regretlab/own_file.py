"""Things in a user's own Python file, such as ``./my_game.py:MyGame`` or ``./my_rules.py:rule``."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from regretlab.errors import UserError, unknown

Made = TypeVar("Made")

_PLACE = re.compile(r"\s*(?P<path>\S.*\.py)\s*(?::(?P<thing>.*))?", re.DOTALL)


def is_in_a_file(name: str) -> bool:
    """Whether the name is a place in a file: a path that ends in .py, a colon, and what is meant in it."""
    return _PLACE.fullmatch(name) is not None


def split_place(name: str, kind: str) -> tuple[str, str]:
    """The path, and what stands after the colon."""
    match = _PLACE.fullmatch(name)
    assert match is not None
    if not match["thing"]:
        raise UserError(f"'{match['path']}' is a file; name the {kind} in it as well, like {match['path']}:my_{kind}")
    return match["path"], match["thing"].strip()


def load_from_file(path: str, thing: str, kind: str, fits: Callable[[ModuleType, Any], bool]) -> Any:
    """Run a file and return the thing with this name in it; where there is none, say which would fit."""
    module = run_file(path)
    if not hasattr(module, thing):
        fitting = [name for name, value in vars(module).items() if not name.startswith("_") and fits(module, value)]
        raise unknown(f"{kind} in '{path}'", thing, fitting)
    return getattr(module, thing)


def run_file(path: str) -> ModuleType:
    """The module in a file, run afresh: a file that was edited must not be taken from a cache."""
    try:
        source = Path(path).read_bytes()
    except FileNotFoundError:
        raise UserError(f"there is no file '{path}'") from None
    except (OSError, ValueError) as error:
        raise UserError(f"can't read '{path}': {getattr(error, 'strerror', None) or error}") from None
    module = ModuleType(f"<{path}>")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses look their module up there
    guarded(path, lambda: exec(compile(source, path, "exec", dont_inherit=True), module.__dict__))
    return module


def guarded(path: str, run: Callable[[], Made]) -> Made:
    """Run what is in a user's file; what it raises is told in one line, with the place in the file."""
    try:
        return run()
    except UserError as error:
        raise UserError(f"'{path}': {error}") from None
    except (Exception, SystemExit) as error:
        raise UserError(_told(path, error)) from error


_ADOPTED: set[Path] = set()
"""Folders of installed packages, or files of single modules, whose errors are told like those of a user's own file."""


def adopt(module: ModuleType) -> None:
    """Tell the errors of an installed module, and of the package that it is in, as those of a user's own file."""
    if module.__file__ is None:
        return
    place = Path(module.__file__)
    while (place.parent / "__init__.py").exists():
        place = place.parent
    _ADOPTED.add(place)


def told_of(error: BaseException) -> str | None:
    """An error that a user's file has raised, in one line with its place; None for one from anywhere else.

    Where the file has called something of ours that broke, it is not the file's error.
    """
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if f"<{frame.filename}>" in sys.modules or any(map(Path(frame.filename).is_relative_to, _ADOPTED)):
            return _told(frame.filename, error)
        if Path(frame.filename).is_relative_to(_OURS):
            return None
    return None


_OURS = Path(__file__).parent


def _told(path: str, error: BaseException) -> str:
    """What an error in a user's file says, in one line with its place."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    said = str(error)
    if isinstance(error, SyntaxError) and error.filename == path:
        lines, said = [error.lineno], error.msg
    place = f", line {lines[-1]}" if lines else ""
    return f"'{path}'{place}: {type(error).__name__}: {' '.join(said.split())}"
