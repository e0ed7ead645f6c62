"""The engine is loaded by one thread, before anybody asks it for anything."""

from __future__ import annotations

import asyncio
import threading
from importlib import import_module

from starlette.types import ASGIApp, Receive, Scope, Send

PARTS = (
    "regretlab.solving",
    "regretlab.watch.any_game",
    "regretlab.watch.bluffing",
    "regretlab.watch.card_table",
    "regretlab.watch.watched_race",
    "regretlab.explaining.best_responses",
    "regretlab.explaining.exercises",
    "regretlab.explaining.why",
    "regretlab.watch.spots.compared",
    "regretlab.experiments.local",
)
"""What brings all packages with it that answers import when they need them."""

_loading = threading.Lock()
_loaded = threading.Event()


def load_engine() -> None:
    """Import what answers need; whoever comes while somebody does so waits.

    A thread that imports a package and one that imports a module of it at the same moment can wait for each other.
    Python notices, and raises an error in one of them: a request right after the start would fail now and then.
    """
    with _loading:
        if not _loaded.is_set():
            for name in PARTS:
                import_module(name)
            _loaded.set()


class EngineFirst:
    """Lets requests for anything but files wait until the engine is loaded; it takes half a second, once."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _loaded.is_set() and not scope["path"].startswith("/static/"):
            await asyncio.to_thread(load_engine)
        await self.app(scope, receive, send)
