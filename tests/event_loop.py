"""An event loop for one test."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def in_a_loop(work: Coroutine[Any, Any, Any]) -> Any:
    """Run in a thread of its own: a browser test in this process may have left its event loop running here."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()
