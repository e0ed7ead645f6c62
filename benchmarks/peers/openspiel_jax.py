"""OpenSpiel's CFR in JAX, compiled by XLA, on one core of the processor."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.games import PREFIX, BenchGame
from benchmarks.peers.openspiel import load_turn_based
from benchmarks.peers.protocol import FULL, Judge

SINGLE_PRECISION = 1e-2
"""Allowed relative difference: rounding to 24 bits adds up over iterations, and near ties it changes the strategy."""


@dataclass(frozen=True)
class OpenSpielJax:
    """Alternating, counts the strategy that was played; CFR+ averages linearly, CFR uniformly."""

    key: str = "jax"
    title: str = "OpenSpiel JAX"
    convention: str = "single precision"
    tolerance: float = SINGLE_PRECISION
    algorithms: tuple[str, ...] = FULL
    needs: tuple[str, ...] = ("jax", "chex", "pyspiel")
    package: str = "jax"

    def start(self, game: BenchGame, algorithm: str) -> JaxRun:
        """Walk the game in Python; XLA compiles later, in the first iteration, and is not counted."""
        return JaxRun(game, algorithm)


class JaxRun:
    """Arrays by depth, and a compiled step."""

    def __init__(self, game: BenchGame, algorithm: str) -> None:
        plus = algorithm == "cfr+"
        self._game = game
        self._solver = import_module("open_spiel.python.jax.cfr.jax_cfr").JaxCFR(
            load_turn_based(game.openspiel), regret_matching_plus=plus, alternating_updates=True, linear_averaging=plus
        )
        self._begin = (list(self._solver.regrets), list(self._solver.averages))

    def restart(self, seed: int = 0) -> None:
        """The old zeros; a new solver would be compiled again."""
        self._solver.regrets, self._solver.averages = (list(arrays) for arrays in self._begin)
        self._solver.timestep = 1

    def iterate(self, count: int) -> None:
        """Steps are handed over without waiting, so the last one is waited for."""
        self._solver.multiple_steps(count)
        import_module("jax").block_until_ready(self._solver.averages)

    def exploitability(self) -> float:
        """By regretlab: there is no judge in JAX. The game is OpenSpiel's, whose labels the averages have."""
        from regretlab.evaluation import evaluate
        from regretlab.forms import Strategy, compile, uniform

        form = compile(f"{PREFIX}{self._game.openspiel}", tree=False)
        strategy = uniform(form)
        arrays = tuple(array.copy() for array in strategy.arrays)
        for player, behaviour in enumerate(arrays):
            treeplex = form.treeplexes[player]
            for text, weights in self._averages(player).items():
                i = treeplex.index[f"{player}: {text}"]
                if weights.sum() > 0:
                    behaviour[treeplex.first[i] : treeplex.first[i + 1]] = weights / weights.sum()
        return evaluate(form, Strategy(form, (arrays[0], arrays[1]))).exploitability

    def _averages(self, player: int) -> dict[str, Any]:
        """The weights of the legal actions, by information-state string; the first row belongs to no decision."""
        averages = np.asarray(self._solver.averages[player], dtype=np.float64)
        legal = np.asarray(self._solver.constants.iset_action_mask[player]) > 0
        return {text: averages[i][legal[i]] for text, i in self._solver.iset_map[player].items() if text}

    def judges(self) -> dict[str, Judge]:
        """None of its own."""
        return {}
