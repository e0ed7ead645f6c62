"""A run that can be taken to any iteration, forwards and backwards, with the engine's own numbers.

Going back starts again from a kept solution before the place, so whatever way a run has taken, at iteration t it holds
what ``regretlab.solve`` holds there, to the last bit.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

from regretlab.errors import UserError
from regretlab.explaining import Arithmetic
from regretlab.explaining.advantages import Advantages
from regretlab.explaining.arithmetic import explain_next
from regretlab.solving import Recipe, Solution, Solver
from regretlab.web.frames import Frame, new_frame
from regretlab.web.scene import KEY, Scene
from regretlab.web.steps import in_steps
from regretlab.web.walks import WALKED, Walk, latest_walk

MOST_ITERATIONS = 10_000_000
"""Where a run ends: there is nothing left to see."""

EVERY_ITERATION_UNTIL = 30
POINTS_A_DECADE = 30
"""The charts' points: each iteration at first, then evenly on a logarithmic axis, 195 in all."""

POINTS_A_SOLUTION = 3
"""Every so many points the whole solution is kept, to go back to: 65 of them, a few kilobytes each."""

ITERATIONS_BACK = 1_000
"""After a long way the solution so many iterations before the end is kept, too: people go back step by step."""

LARGEST_BATCH = 10_000
"""Iterations in one call of the kernel: a few milliseconds, and less than a megabyte."""

LEAST_BATCH = 100
"""Iterations that are done however little time there is: the call alone takes as long."""


def _charted() -> tuple[int, ...]:
    first, number, later = EVERY_ITERATION_UNTIL, 0, set[int]()
    while (iteration := round(first * 10 ** (number / POINTS_A_DECADE))) < MOST_ITERATIONS:
        later.add(iteration)
        number += 1
    return tuple(sorted({*range(1, first), *later, MOST_ITERATIONS}))


CHARTED = _charted()
"""The iterations that the charts have a point at: the same in every run, whatever way it takes."""


@dataclass(frozen=True)
class Point:
    """One point of the charts."""

    iteration: int
    exploitability: float
    current_exploitability: float
    key: tuple[float, ...]  # the average's probabilities of ``KEY``


@dataclass(frozen=True, eq=False)
class Moment:
    """A run at one iteration."""

    solution: Solution
    walk: Walk | None
    points: int  # how many points of the charts it has
    networks: dict[str, Any] | None = None  # how well they fit, and what is in the memories, where there are any


class Run:
    """One recipe on one game, at some iteration."""

    last = MOST_ITERATIONS
    """Where it ends."""

    points_a_solution = POINTS_A_SOLUTION
    lost = False  # whether it is gone for ever

    def __init__(self, scene: Scene, recipe: Recipe, seed: int) -> None:
        self.scene = scene
        self.recipe = recipe
        self.points: list[Point] = []
        self._solver = Solver(scene.form, recipe, seed=seed, cores=1)
        self._start = self._near = self._latest = self._solver.solution()
        self._kept: list[Solution] = []
        self._played = self._start.current
        self._pace = LEAST_BATCH / 1e-4  # iterations a second, as measured last; a guess at first

    @property
    def iteration(self) -> int:
        """How many iterations the run has."""
        return self._solver.iteration

    def is_near(self, target: int) -> bool:
        """Whether going there at once takes but a moment."""
        return True

    def frame(self, target: int, seconds: float, goal: int, speed: float) -> Frame:
        """Go to an iteration, or as near to it as there is time, on the way to ``goal``; 0 is none."""
        moment = self.go(target, seconds)
        return new_frame(self.scene, moment, self.points, {"playing": self.iteration < goal, "speed": speed})

    def explained(self, label: str) -> dict[str, Any]:
        """The arithmetic of an information set, for the page."""
        told = self.explain(label)
        return told.as_dict() | {"html": in_steps(told)}

    def close(self) -> None:
        """Nobody needs it any more."""

    def go(self, target: int, seconds: float = math.inf) -> Moment:
        """Take the run to an iteration, or as near to it as there is time, and look at it."""
        if not 0 <= target <= self.last:
            raise UserError(f"iteration {target:,} must be between 0 and {self.last:,}")
        if target < self.iteration:
            self._solver = self._solver_before(target)
        end, halt = time.perf_counter() + seconds, self._halt_before(target)
        while self.iteration < target:
            stops = (self._following(end), halt, target)
            self._advance(min(stop for stop in stops if stop > self.iteration))
            if CHARTED[bisect_left(CHARTED, self.iteration)] == self.iteration:
                self._chart()
            if self.iteration == halt:
                self._near = self._solver.solution()
            if time.perf_counter() > end:
                break
        return self._look()

    def _halt_before(self, target: int) -> int:
        """Where a long way is interrupted to keep what is there; 0 on a short one."""
        return target - ITERATIONS_BACK if target - self.iteration > 10 * ITERATIONS_BACK else 0

    def _following(self, end: float) -> int:
        """How far one call of the kernel goes: as far as there seems to be time, and not beyond the next point."""
        fitting = min(self._pace * (end - time.perf_counter()), LARGEST_BATCH)
        return min(CHARTED[bisect_right(CHARTED, self.iteration)], self.iteration + max(int(fitting), LEAST_BATCH))

    def explain(self, label: str) -> Arithmetic | Advantages:
        """The arithmetic of the latest iteration, or of the first one before there is any."""
        iteration = max(self.iteration, 1)
        solver = self._solver_before(iteration)
        while solver.iteration < iteration - 1:
            solver.advance(min(LARGEST_BATCH, iteration - 1 - solver.iteration))
        return explain_next(self.scene.rules, solver, label)

    def _known_before(self, target: int) -> Solution:
        """What is kept of the run one iteration or more before ``target``, or of its start."""
        known = [self._start, self._near, self._latest, *self._kept]
        return max((each for each in known if each.iterations < max(target, 1)), key=lambda each: each.iterations)

    def _solver_before(self, target: int) -> Solver:
        """A solver of its own there."""
        return Solver.resume(self._known_before(target))

    def _advance(self, target: int) -> None:
        """Go on by one call of the kernel, or by two where one has to know what was played in the last iteration."""
        start, before = time.perf_counter(), self.iteration
        if self.recipe.feedback in WALKED:
            if target - 1 > self.iteration:
                self._solver.advance(target - 1 - self.iteration)
            self._played = self._solver.current
        self._solver.advance(target - self.iteration)
        if target - before >= LEAST_BATCH:
            self._pace = (target - before) / (time.perf_counter() - start)

    def _chart(self) -> None:
        """Add a point to the charts, where going on has brought a new one."""
        number = bisect_left(CHARTED, self.iteration)
        if number < len(self.points):
            return
        solution = self._solver.solution()
        key = tuple(solution.strategy[label][action] + 0.0 for label, action, _ in KEY)
        losses = solution.exploitability + 0.0, solution.current_exploitability + 0.0  # −0.0 is 0
        self.points.append(Point(self.iteration, *losses, key))
        if number % self.points_a_solution == 0:
            self._kept.append(solution)

    def _look(self) -> Moment:
        solution, seed = self._solver.solution(), self._solver.seed
        if self._near.iterations < self._latest.iterations < self.iteration:
            self._near = self._latest
        self._latest = solution
        walk = latest_walk(self.scene, self.recipe, seed, self.iteration, self._played, solution.current)
        return Moment(solution, walk, bisect_right(CHARTED, self.iteration))
