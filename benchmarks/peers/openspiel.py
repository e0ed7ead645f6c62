"""OpenSpiel's solvers and its exploitability in C++ (Lanctot et al., 2019, arXiv:1908.09453)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.games import BenchGame
from benchmarks.peers.protocol import EXACTLY, EXTERNAL, FULL, OUTCOME, SAMPLED, Judge


@dataclass(frozen=True)
class OpenSpiel:
    """All solvers are alternating and count the strategy that was played; CFR+ averages linearly, the others uniformly.

    Sampling counts a strategy where the other player's walk comes by, the quicker one of OpenSpiel's two ways.
    """

    key: str = "openspiel"
    title: str = "OpenSpiel C++"
    convention: str = ""
    tolerance: float = EXACTLY
    algorithms: tuple[str, ...] = (*FULL, *SAMPLED)
    needs: tuple[str, ...] = ("pyspiel",)
    package: str = "open_spiel"

    def start(self, game: BenchGame, algorithm: str) -> OpenSpielRun:
        """Load the game and let the solver walk it."""
        return OpenSpielRun(load_turn_based(game.openspiel), algorithm)


class OpenSpielRun:
    """A solver in C++."""

    def __init__(self, game: Any, algorithm: str) -> None:
        self._game = game
        self._algorithm = algorithm
        self.restart()

    def restart(self, seed: int = 0) -> None:
        """A new solver: there is no way back for an old one."""
        import pyspiel

        if self._algorithm in SAMPLED:
            sampler = {EXTERNAL: pyspiel.ExternalSamplingMCCFRSolver, OUTCOME: pyspiel.OutcomeSamplingMCCFRSolver}
            self._solver = sampler[self._algorithm](self._game, seed=seed)
            self._step = self._solver.run_iteration
        else:
            solver = {"cfr+": pyspiel.CFRPlusSolver, "cfr": pyspiel.CFRSolver}
            self._solver = solver[self._algorithm](self._game)
            self._step = self._solver.evaluate_and_update_policy

    def iterate(self, count: int) -> None:
        """Each iteration is one call."""
        step = self._step
        for _ in range(count):
            step()

    def exploitability(self) -> float:
        """By OpenSpiel's own best responses."""
        import pyspiel

        return float(pyspiel.exploitability(self._game, self._solver.average_policy()))

    def judges(self) -> dict[str, Judge]:
        """Of the tabular policy, which OpenSpiel judges a little faster than the solver's own."""
        import pyspiel

        game, policy = self._game, self._solver.tabular_average_policy()
        return {OpenSpiel.title: lambda: float(pyspiel.exploitability(game, policy))}


def load_turn_based(text: str) -> Any:
    """A game of OpenSpiel; moves made at the same time are made one after the other, as ``OpenSpielGame`` does."""
    import pyspiel

    game = pyspiel.load_game(text)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return pyspiel.convert_to_turn_based(game)
    return game
