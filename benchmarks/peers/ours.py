"""regretlab itself, behind the same methods as its peers."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.games import BenchGame
from benchmarks.peers.protocol import EXACTLY, EXTERNAL, FULL, OUTCOME, SAMPLED, Judge
from benchmarks.results import FROM_DICTIONARY, OURS
from regretlab.evaluation import evaluate
from regretlab.forms import AnyForm
from regretlab.solving import Solver, form_for, recipe

RECIPES = {
    "cfr+": "cfr+",
    "cfr": "cfr(schedule=alternating)",
    EXTERNAL: "external-sampling",
    OUTCOME: "outcome-sampling(epsilon=3/5)",
}
"""The recipes that mean what the benchmark calls by these names."""


@dataclass(frozen=True)
class Ours:
    """The form that a game gets by itself, on one core; the list of histories is left out where nobody samples it."""

    key: str = "regretlab"
    title: str = OURS
    convention: str = ""
    tolerance: float = EXACTLY
    algorithms: tuple[str, ...] = (*FULL, *SAMPLED)
    needs: tuple[str, ...] = ()
    package: str = "regretlab"

    def start(self, game: BenchGame, algorithm: str) -> OurRun:
        """Walk the game, compile it, and make the arrays of a run."""
        return OurRun(form_for(game.rules(), recipe(RECIPES[algorithm]), tree=algorithm in SAMPLED), RECIPES[algorithm])


class OurRun:
    """A solver on a compiled game."""

    def __init__(self, form: AnyForm, recipe: str) -> None:
        self.form = form
        self._recipe = recipe
        self.restart()

    def restart(self, seed: int = 0) -> None:
        """New arrays; the game stays compiled."""
        self.solver = Solver(self.form, self._recipe, seed=seed, cores=1)

    def iterate(self, count: int) -> None:
        """All iterations in one kernel."""
        self.solver.advance(count)

    def exploitability(self) -> float:
        """Of the average."""
        return evaluate(self.form, self.solver.average).exploitability

    def judges(self) -> dict[str, Judge]:
        """From arrays, and from a plain dictionary of labels, actions and probabilities."""
        form, strategy = self.form, self.solver.average
        plain = {label: strategy[label] for label in strategy}
        return {
            OURS: lambda: evaluate(form, strategy).exploitability,
            FROM_DICTIONARY: lambda: evaluate(form, plain).exploitability,
        }
