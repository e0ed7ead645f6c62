"""Runs that can be taken to any iteration, forwards and backwards, with the engine's own numbers.

Going back starts again from a kept solution before the place, so whatever way a run has taken, at iteration t it holds
what ``regretlab.solve`` holds there, to the last bit.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from typing import Any, cast

from regretlab.deep.feedback import NetworkFeedback
from regretlab.documents.html import fragment
from regretlab.errors import UserError
from regretlab.explaining import Arithmetic
from regretlab.explaining.advantages import Advantages, advantages_at, memory_of
from regretlab.explaining.arithmetic import explain_next
from regretlab.solving import Recipe, Solution, Solver
from regretlab.solving.checkpoints import chart_points
from regretlab.watch.found import Found, Reached, opening, past, tell, told_at
from regretlab.watch.frames import (
    ChartPoint,
    EncodedFrame,
    Fit,
    Moment,
    NetworkFits,
    Walk,
    drawn_walks,
    finite_json,
    frame_numbers,
)
from regretlab.watch.one_iteration import Inside, inside
from regretlab.watch.training import LostRunError, Training
from regretlab.watch.watched_game import WatchedGame, players_from_one

MOST_ITERATIONS = 10_000_000
"""Where a run ends: there is nothing left to see."""

CHARTED = (*takewhile(lambda look: look < MOST_ITERATIONS, chart_points(per_decade=30, each_until=30)), MOST_ITERATIONS)
"""The 195 iterations that the charts have a point at: no run has other ones, whatever way it takes."""

TOLD = told_at(CHARTED)
"""Those of them at which there is a new sentence about what has been found."""

POINTS_PER_SOLUTION = 3
"""Every so many points the whole solution is kept, to go back to: 65 of them, a few kilobytes each."""

ITERATIONS_BACK = 1_000
"""After a long way the solution so many iterations before the end is kept, too: people go back step by step."""

NEAR = 1_000_000
"""So many iterations are done at once: most recipes take less than a second for them. A longer way is gone in turns."""

LARGEST_BATCH = 10_000
"""Iterations in one call of the kernel: a few milliseconds, and less than a megabyte."""

LEAST_BATCH = 100
"""Iterations that are done however little time there is: the call alone takes as long."""


TITLES = ("What each action is worth", "What is regretted", "What is played next")
"""Of the three sections in which the regrets of a table are explained."""


def in_sections(told: Arithmetic | Advantages) -> str:
    """Arithmetic as sections in HTML, with formulas in MathML; players are 1 and 2."""
    titles = told.TITLES if isinstance(told, Advantages) else TITLES
    return "".join(
        f'<section class="step" data-step="{number}"><h4>{title}</h4>{players_from_one(fragment(document))}</section>'
        for number, (title, document) in enumerate(zip(titles, told.steps, strict=True), start=1)
    )


class WatchedRun:
    """One recipe on one game, at some iteration."""

    last = MOST_ITERATIONS
    """The iteration at which the run ends."""

    points_per_solution = POINTS_PER_SOLUTION
    lost = False  # only a run in another process can be lost

    def __init__(self, game: WatchedGame, recipe: Recipe, seed: int) -> None:
        self.game = game
        self.recipe = recipe
        self.points: list[ChartPoint] = []
        self._solver = Solver(game.form, recipe, seed=seed, cores=1)
        self._start = self._near = self._latest = self._solver.solution()
        self._kept: list[Solution] = []
        self._played = self._start.current
        self._reached = Reached(game)
        self._unsaid: tuple[str, ...] = ()  # milestones since the last sentence
        self._found = [Found(0, opening(), self._start.current, self._start.strategy)]
        self._pace = LEAST_BATCH / 1e-4  # iterations per second, as measured last; a guess at first

    @property
    def iteration(self) -> int:
        """How many iterations the run has."""
        return self._solver.iteration

    def is_near(self, target: int) -> bool:
        """Whether going there at once takes only a moment."""
        return target - self._known_before(target).iterations <= NEAR

    def frame(self, target: int, seconds: float, goal: int, speed: float) -> EncodedFrame:
        """Go to an iteration, or as near to it as there is time; the frame says whether ``goal`` is still ahead."""
        moment = self.go(target, seconds)
        numbers = frame_numbers(self.game, moment, playing=self.iteration < goal, speed=speed)
        return EncodedFrame(self.iteration, finite_json(numbers)[:-1], self.points, moment.points)

    def explained(self, label: str) -> dict[str, Any]:
        """The arithmetic of an information set, also in HTML."""
        told = self.explain(label)
        return told.as_dict() | {"html": in_sections(told)}

    def close(self) -> None:
        """Let go of everything; here there is nothing to do."""

    def go(self, target: int, seconds: float = math.inf) -> Moment:
        """Take the run to an iteration, or as near to it as there is time, and look at it."""
        if not 0 <= target <= self.last:
            raise UserError(f"iteration {target:,} must be between 0 and {self.last:,}")
        if target < self.iteration:
            self._solver = Solver.resume(self._known_before(target))
        end = time.perf_counter() + seconds
        # A long way is interrupted near its end, to keep what is there.
        halt = target - ITERATIONS_BACK if target - self.iteration > 10 * ITERATIONS_BACK else 0
        while self.iteration < target:
            start, before = time.perf_counter(), self.iteration
            stop = min(stop for stop in (self._next_stop(end), halt, target) if stop > before)
            if self.recipe.feedback_kind.draws_actions or stop in TOLD:
                # The last iteration is a call of its own: to explain it one has to know what was played in it.
                if stop - 1 > before:
                    self._solver.advance(stop - 1 - before)
                self._played = self._solver.current
            self._solver.advance(stop - self.iteration)
            if stop - before >= LEAST_BATCH:
                self._pace = (stop - before) / (time.perf_counter() - start)
            number = bisect_left(CHARTED, stop)
            if CHARTED[number] == stop and number >= len(self.points):
                solution = self._solver.solution()
                key = tuple(each + 0.0 for each in self._key(solution))
                losses = solution.exploitability + 0.0, solution.current_exploitability + 0.0  # −0.0 is 0
                self.points.append(ChartPoint(stop, *losses, key, self._look_for(solution)))
                if number % self.points_per_solution == 0:
                    self._kept.append(solution)
            if stop == halt:
                self._near = self._solver.solution()
            if time.perf_counter() > end:
                break
        return self._look()

    def _next_stop(self, end: float) -> int:
        """Where the next call of the kernel ends: as far as there seems to be time, but not beyond the next point."""
        fitting = min(self._pace * (end - time.perf_counter()), LARGEST_BATCH)
        return min(CHARTED[bisect_right(CHARTED, self.iteration)], self.iteration + max(int(fitting), LEAST_BATCH))

    def explain(self, label: str) -> Arithmetic | Advantages:
        """The arithmetic of the latest iteration, or of the first one before there is any."""
        return explain_next(self.game.rules, self._just_before(max(self.iteration, 1)), label)

    def inside(self) -> Inside:
        """The next iteration in steps; the run stays where it is."""
        if self.iteration >= self.last:
            raise UserError(f"the run ends at iteration {self.last:,}; go back to look inside")
        return inside(self.game, self._just_before(self.iteration + 1))

    def _just_before(self, iteration: int) -> Solver:
        """Another run, which does this iteration next."""
        solver = Solver.resume(self._known_before(iteration))
        while solver.iteration < iteration - 1:
            solver.advance(min(LARGEST_BATCH, iteration - 1 - solver.iteration))
        return solver

    def _known_before(self, target: int) -> Solution:
        """The latest kept solution before ``target``; the start of the run where there is none."""
        known = [self._start, self._near, self._latest, *self._kept]
        return max((each for each in known if each.iterations < max(target, 1)), key=lambda each: each.iterations)

    def _look(self) -> Moment:
        """The run where it is now, which is kept to go back to."""
        solution = self._solver.solution()
        if self._near.iterations < self._latest.iterations < self.iteration:
            self._near = self._latest
        self._latest = solution
        points = bisect_right(CHARTED, self.iteration)
        point = self.points[points - 1] if 0 < points <= len(self.points) else None
        milestones = point.milestones if point is not None and point.iteration == self.iteration else ()
        return Moment(solution, self._walks(solution), points, self.found_at(self.iteration).words, milestones)

    def _walks(self, solution: Solution) -> tuple[Walk, ...]:
        """Those of the latest iteration that are drawn."""
        feedback = self._solver.feedback
        return drawn_walks(self.game, self.recipe, feedback, self.iteration, self._played, solution.current)

    def _key(self, solution: Solution) -> Iterable[float]:
        """What the charts keep of the strategies: probabilities of the average."""
        return (solution.strategy[label][action] for label, action, _ in self.game.key)

    def _look_for(self, solution: Solution) -> tuple[str, ...]:
        """The milestones at an iteration of the charts; what is found is told from time to time."""
        milestones = self._reached.at(solution)
        told = solution.iterations in TOLD
        self._unsaid += milestones if told else tuple(past(solution.iterations, words) for words in milestones)
        if told:
            age, last = solution.iterations - self._solver.since, self._found[-1]
            self._found.append(tell(self.game, last, self._played, solution, age, self._unsaid))
            self._unsaid = ()
        return milestones

    def found_at(self, iteration: int) -> Found:
        """What was found last at or before an iteration that the run has been to."""
        return self._found[bisect_right(self._found, iteration, key=lambda each: each.iteration) - 1]


MOST_TRAINED = 100
"""Where a run with networks ends: after half a minute of training."""


class NetworkRun(WatchedRun):
    """One recipe with networks on one game, at some iteration.

    An iteration takes a moment, and a look at the average, for which another network is trained, takes even longer. So
    whatever can be used again is kept.
    """

    last = MOST_TRAINED
    points_per_solution = 1  # each has the memories in it, and there are 46 of them at most

    def go(self, target: int, seconds: float = math.inf) -> Moment:
        """Take the run to an iteration; where there is no limit in time, from the nearest kept solution before it."""
        if self.iteration < self._known_before(target).iterations and math.isinf(seconds):
            self._solver = Solver.resume(self._known_before(target))
        return super().go(target, seconds)

    def _next_stop(self, end: float) -> int:
        return self.iteration + 1

    def explain(self, label: str) -> Advantages:
        """How the strategy at this iteration follows from what is in the memory."""
        return advantages_at(self.game.form, self._latest, label)

    def _look(self) -> Moment:
        moment, capacity = super()._look(), self.recipe.settings.capacity
        assert isinstance(self._solver.feedback, NetworkFeedback)
        fits: dict[str, list[Fit]] = {}
        for kind, losses in self._solver.feedback.losses.items():
            seen = [int(memory_of(moment.solution, kind, player).seen[0]) for player in (0, 1)]
            fits[kind] = [
                {"loss": loss if count else None, "held": min(count, capacity), "seen": count}
                for loss, count in zip(losses, seen, strict=True)
            ]
        return replace(moment, networks=cast(NetworkFits, {"capacity": capacity} | fits))


def new_run(game: WatchedGame, recipe: Recipe, seed: int) -> WatchedRun:
    """A run of any recipe in this process."""
    return (NetworkRun if recipe.feedback_kind.trains else WatchedRun)(game, recipe, seed)


class DistantRun:
    """A run with networks that the trainer's process has; here is what was last heard of it."""

    last = MOST_TRAINED

    def __init__(self, game: WatchedGame, recipe: Recipe, seed: int, training: Training) -> None:
        self.game = game
        self.recipe = recipe
        self.iteration = 0
        self.lost = False
        self._training = training
        self._farthest = 0
        self._run = training.open(game, recipe, seed)

    def is_near(self, target: int) -> bool:
        """Whether the run has been there or beyond: then it keeps something to begin at."""
        return target <= self._farthest

    def frame(self, target: int, seconds: float, goal: int, speed: float) -> EncodedFrame:
        """Go to an iteration, or as near to it as there is time; the frame says whether ``goal`` is still ahead."""
        said = self._ask("frame", target=target, seconds=seconds, goal=goal, speed=speed)
        self.iteration = said["iteration"]
        self._farthest = max(self._farthest, self.iteration)
        points = [
            ChartPoint(t, average, current, tuple(key), tuple(words))
            for t, average, current, key, words in said["points"]
        ]
        return EncodedFrame(self.iteration, said["body"].encode(), points, said["shown"])

    def explained(self, label: str) -> dict[str, Any]:
        """The arithmetic of an information set."""
        return self._ask("explain", label=label)

    def inside(self) -> Inside:
        """Nobody asks for it: an iteration has hundreds of walks."""
        raise NotImplementedError

    def _ask(self, do: str, **details: Any) -> dict[str, Any]:
        try:
            return self._training.ask(do, self._run, **details)
        except LostRunError:
            self.lost = True
            raise

    def close(self) -> None:
        """Let the trainer's process forget the run."""
        self._training.forget(self._run)
