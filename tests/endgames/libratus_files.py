"""Where the endgames of Libratus' match are. They belong to their authors and are no part of the repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("REGRETLAB_LIBRATUS") or Path(__file__).parents[3] / "shared/reference/libratus")


def libratus_file(number: int) -> Path:
    """One of four files; a test that asks for it is skipped where it is not."""
    path = FOLDER / f"subgame{number}.txt"
    if not path.exists():
        pytest.skip(f"not free: {path.name} of the Libratus endgames; REGRETLAB_LIBRATUS names the folder that has it")
    return path
