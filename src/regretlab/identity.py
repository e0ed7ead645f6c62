"""Which code this is: two hashes over whole folders of the package.

One names the folder in which compiled kernels are kept, the other says whether stored numbers are those of this code.
They cover folders and not single files, because what ends up in a number can't be seen from a file: a constant or a
learning rate may stand far away from the kernel that uses it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent

COMPILED = ("deep", "evaluation", "feedback", "forms", "games", "rules", "solving")
"""Folders with kernels, or with constants that kernels take up when they are compiled."""

COMPUTING = (*COMPILED, "experiments", "endgames", "interop", "reference")
"""Folders that can change a number; the files at the top of the package belong to them, too."""

GAMES_IN_DATA = "endgames"
"""Where games are data files; those of experiments say what runs, and every run is kept with what it was."""


@cache
def kernel_identity() -> str:
    """A hash of all that may be part of a compiled kernel."""
    return _hash(path for folder in COMPILED for path in (PACKAGE / folder).rglob("*.py"))


@cache
def number_identity() -> str:
    """A hash of all that can change a number: results with the same one were computed by the same code."""
    folders = (path for folder in COMPUTING for path in (PACKAGE / folder).rglob("*.py"))
    return _hash([*PACKAGE.glob("*.py"), *folders, *(PACKAGE / GAMES_IN_DATA).rglob("*.toml")])


def _hash(paths: Iterable[Path]) -> str:
    """A short hash of the files' places in the package and what is in them."""
    digest = hashlib.sha256()
    for place, path in sorted((path.relative_to(PACKAGE).as_posix(), path) for path in paths):
        digest.update(place.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
