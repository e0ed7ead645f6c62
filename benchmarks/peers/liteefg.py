"""LiteEFG: an update rule in Python, run in C++ at every information set (Liu et al., 2024, arXiv:2407.20351)."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from benchmarks.games import BenchGame
from benchmarks.peers.openspiel import load_turn_based
from benchmarks.peers.protocol import EXACTLY, EXTERNAL, FULL, Judge

_CFR = "LiteEFG.baselines.CFR"
_BASELINES = {"cfr+": "LiteEFG.baselines.CFRplus", "cfr": _CFR, EXTERNAL: _CFR}
_WALKS = {"cfr+": "Enumerate", "cfr": "Enumerate", EXTERNAL: "External"}
_AVERAGES = {"cfr+": "linear-avg-iterate", "cfr": "avg-iterate", EXTERNAL: "avg-iterate"}


@dataclass(frozen=True)
class LiteEFG:
    """Its own rules for CFR and CFR+, called so that players alternate and the average counts what was played.

    LiteEFG's scripts count the strategy after an update, and update both players at once in CFR. Both are a matter of
    the order and the arguments of the same calls, and cost the same. Its average takes a pass over the whole game,
    which is a part of an iteration there, in external sampling, too. Its outcome sampling explores in another way.
    """

    key: str = "liteefg"
    title: str = "LiteEFG"
    convention: str = ""
    tolerance: float = EXACTLY
    algorithms: tuple[str, ...] = (*FULL, EXTERNAL)
    needs: tuple[str, ...] = ("LiteEFG", "pyspiel")
    package: str = "LiteEFG"

    def start(self, game: BenchGame, algorithm: str) -> LiteEFGRun:
        """Write OpenSpiel's game into LiteEFG's file format, read it, and spread the rule over it."""
        return LiteEFGRun(load_turn_based(game.openspiel), algorithm)


class LiteEFGRun:
    """An environment and a graph of operations."""

    def __init__(self, game: Any, algorithm: str) -> None:
        self._game = game
        self._algorithm = algorithm
        self.restart()

    def restart(self, seed: int = 0) -> None:
        """A new environment: a new graph alone would keep the old average."""
        library, baseline = import_module("LiteEFG"), import_module(_BASELINES[self._algorithm])
        with _silence(), _home_elsewhere():
            self._environment = library.OpenSpielEnv(self._game, traverse_type=_WALKS[self._algorithm], regenerate=True)
            graph = baseline.graph()
            self._environment.set_graph(graph)
        library.set_seed(seed)
        self._graph = graph  # the environment does not keep it alive
        self._strategy = graph.current_strategy()

    def iterate(self, count: int) -> None:
        """Count the strategy, then update one player after the other."""
        environment, strategy = self._environment, self._strategy
        for _ in range(count):
            environment.update_strategy(strategy)
            environment.update(strategy, upd_player=1)
            environment.update(strategy, upd_player=2)

    def exploitability(self) -> float:
        """LiteEFG gives what each player could gain."""
        return float(sum(self._environment.exploitability(self._strategy, _AVERAGES[self._algorithm]))) / 2

    def judges(self) -> dict[str, Judge]:
        """Its average is a sequence form already."""
        return {LiteEFG.title: self.exploitability}


@contextmanager
def _silence() -> Iterator[None]:
    """LiteEFG prints banners."""
    with redirect_stdout(io.StringIO()):
        yield


@contextmanager
def _home_elsewhere() -> Iterator[None]:
    """LiteEFG writes games into a folder of the user's home; here it is given another one, which is then removed."""
    names = ("HOME", "USERPROFILE")
    before = {name: os.environ[name] for name in names if name in os.environ}
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(dict.fromkeys(names, folder))
        try:
            yield
        finally:
            for name in names:
                del os.environ[name]
            os.environ.update(before)
