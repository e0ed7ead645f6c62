"""A run that trains networks: an iteration takes a moment, so little is done twice, and not too much is kept."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from regretlab.explaining.advantages import Advantages, advantages_at, memory_of
from regretlab.solving import Recipe, Solution
from regretlab.solving.network import NetworkFeedback
from regretlab.web.run import Moment, Run
from regretlab.web.scene import Scene

MOST_TRAINED = 100
"""Where such a run ends: after half a minute of training."""


class NetworkRun(Run):
    """One recipe with networks on one game, at some iteration.

    A look at the average trains a network, too, which takes longer than the iteration itself.
    """

    last = MOST_TRAINED
    points_a_solution = 1  # each has the memories in it, and there are 46 of them at most

    def go(self, target: int, seconds: float = math.inf) -> Moment:
        """Take the run to an iteration; without a limit in time, from whatever is kept nearest before it."""
        if self.iteration < self._known_before(target).iterations and math.isinf(seconds):
            self._solver = self._solver_before(target)
        return super().go(target, seconds)

    def _following(self, end: float) -> int:
        return self.iteration + 1

    def explain(self, label: str) -> Advantages:
        """How the strategy at this iteration follows from what is in the memory."""
        return advantages_at(self.scene.form, self._latest, label)

    def _look(self) -> Moment:
        moment = super()._look()
        assert isinstance(self._solver.feedback, NetworkFeedback)
        return replace(moment, networks=fits(moment.solution, self._solver.feedback.losses))


def fits(solution: Solution, losses: dict[str, list[float]]) -> dict[str, Any]:
    """How well the latest networks of each kind fit, how many samples their memories hold, and how many there were."""
    capacity = solution.recipe.settings.capacity

    def fit(kind: str, player: int) -> dict[str, Any]:
        seen = int(memory_of(solution, kind, player).seen[0])
        return {"loss": losses[kind][player] if seen else None, "held": min(seen, capacity), "seen": seen}

    return {"capacity": capacity} | {kind: [fit(kind, player) for player in (0, 1)] for kind in losses}


def new_run(scene: Scene, recipe: Recipe, seed: int) -> Run:
    """A run of any recipe in this process."""
    return (NetworkRun if recipe.feedback == "network" else Run)(scene, recipe, seed)
