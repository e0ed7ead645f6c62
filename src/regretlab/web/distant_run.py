"""A run that is computed in another process."""

from __future__ import annotations

from typing import Any

from regretlab.solving import Recipe
from regretlab.web.frames import Frame
from regretlab.web.network_run import NetworkRun
from regretlab.web.run import Point
from regretlab.web.scene import Scene
from regretlab.web.training import LostRunError, Training


class DistantRun:
    """A run that the process has; here is what was last heard of it."""

    def __init__(self, scene: Scene, recipe: Recipe, seed: int, training: Training) -> None:
        self.scene = scene
        self.recipe = recipe
        self.iteration = 0
        self.last = NetworkRun.last
        self.lost = False
        self._training = training
        self._farthest = 0
        self._run = training.open(scene, recipe, seed)

    def is_near(self, target: int) -> bool:
        """Whether the run has been there or beyond: then it keeps something to begin at."""
        return target <= self._farthest

    def frame(self, target: int, seconds: float, goal: int, speed: float) -> Frame:
        """Go to an iteration, or as near to it as there is time, on the way to ``goal``; 0 is none."""
        said = self._ask("frame", target=target, seconds=seconds, goal=goal, speed=speed)
        self.iteration = said["iteration"]
        self._farthest = max(self._farthest, self.iteration)
        points = [Point(t, average, current, tuple(key)) for t, average, current, key in said["points"]]
        return Frame(self.iteration, said["body"].encode(), points, said["shown"])

    def explained(self, label: str) -> dict[str, Any]:
        """The arithmetic of an information set, for the page."""
        return self._ask("explain", label=label)

    def _ask(self, do: str, **details: Any) -> dict[str, Any]:
        try:
            return self._training.ask(do, self._run, **details)
        except LostRunError:
            self.lost = True
            raise

    def close(self) -> None:
        """Nobody needs it any more."""
        self._training.forget(self._run)
