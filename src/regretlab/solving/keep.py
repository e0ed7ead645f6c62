"""A long run is kept on disk while it goes on, so that a crash, a power cut or a kill costs little of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from regretlab.solving.solution import Solution

Seen = TypeVar("Seen")

SECONDS_BETWEEN_SAVES = 60.0
"""How much work may be lost."""

MOST_TIME_SAVING = 0.05
"""The share of the time that saving may take; beyond it, more work may be lost."""


def keeping(
    path: str | Path, look: Callable[[], Solution], callback: Callable[[Seen], object] | None
) -> Callable[[Seen], object]:
    """``callback``, which now and then also saves what ``look`` finds."""
    due = time.monotonic() + SECONDS_BETWEEN_SAVES

    def told(progress: Seen) -> object:
        nonlocal due
        start = time.monotonic()
        if start >= due:
            look().save(path)
            end = time.monotonic()
            due = end + max(SECONDS_BETWEEN_SAVES, (end - start) / MOST_TIME_SAVING)
        return None if callback is None else callback(progress)

    return told
