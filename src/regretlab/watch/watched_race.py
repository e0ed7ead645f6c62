"""A race of recipes on one game: every runner is a run of the engine, and the one that is furthest behind goes next."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from regretlab.errors import UserError
from regretlab.solving import Solver
from regretlab.solving.checkpoints import chart_points
from regretlab.spec import number, positive
from regretlab.watch import offers
from regretlab.watch.nearest import MOST_TEXT, Nearest, nearest_name, same_name

MOST_RUNNERS = 8
"""How many recipes can race: as many as there are colours on the chart."""

MOST_SECONDS = 10
"""The most solving time that a runner can be given."""

FEW_SECONDS = Fraction(1, 100)
"""What a link that asks for no time at all gets."""

MOST_WALL_SECONDS = 180
"""How long a race may take before it is stopped, even if somebody watches it."""

BURST_SECONDS = 0.08
"""How long runners run between two pieces of news; no result depends on it."""

POINTS_PER_DECADE = 16
"""How often a runner is judged while its iterations grow tenfold: evenly spaced on a logarithmic axis."""

MEASURES = ("iterations", "time")


class RacePoint(NamedTuple):
    """A run as it was judged once."""

    iteration: int
    seconds: float  # of solving, evaluation excluded
    exploitability: float  # in chips


class Course(NamedTuple):
    """How far a race goes."""

    measure: str
    iterations: int
    seconds: float
    target: float | None  # an exploitability in chips: who is there first has won


class Order(NamedTuple):
    """What a race is asked for, as an address has it."""

    fields: dict[str, str]
    runners: list[str]


def read_order(query: Mapping[str, Any], slugs: Sequence[str], found: Nearest) -> Order:
    """The race that is asked for; unless ``found`` is strict, what cannot be had is replaced by the nearest."""
    game = found.choice("game", query.get("game", "kuhn"), offers.OFFERS, "kuhn")
    most = offers.offer(game).most_iterations
    fields = {
        "game": game,
        "ante": found.stake("ante", query.get("ante", "1")),
        "bet": found.stake("bet", query.get("bet", "1")),
        "by": found.choice("measure", query.get("by", MEASURES[0]), MEASURES, MEASURES[0]),
        "iterations": found.whole("iterations", query.get("iterations", 1_000), 1_000, 1, most),
        "seconds": found.value(query.get("seconds", "1"), _read_seconds, 1, FEW_SECONDS, MOST_SECONDS),
        "target": found.value(query.get("target", ""), _read_target, ""),
        "seed": found.whole("seed", query.get("seed", 0), 0, 0, 2**32),
    }
    return Order(fields, _read_strictly(slugs) if found.strict else _read_kindly(slugs, found))


def _read_seconds(text: object) -> None:
    seconds = positive("seconds", str(text))
    if seconds > MOST_SECONDS:
        raise UserError(f"seconds={float(seconds):g} is too long; a runner is given at most {MOST_SECONDS}")


def _read_target(text: object) -> None:
    if text and number("target", str(text)) <= 0:
        raise UserError(f"target={text} must be above 0: nobody gets to 0")


def _read_strictly(slugs: Sequence[str]) -> list[str]:
    if not slugs:
        raise UserError("nobody runs; choose at least one recipe")
    if len(slugs) > MOST_RUNNERS:
        raise UserError(f"{len(slugs)} recipes are too many; at most {MOST_RUNNERS} run at once")
    twice = next((slug for slug in slugs if list(slugs).count(slug) > 1), None)
    if twice is not None:
        raise UserError(f"'{twice}' runs twice; choose different recipes")
    return list(slugs)


def _read_kindly(slugs: Sequence[str], found: Nearest) -> list[str]:
    """Those of the recipes that can run, or that were probably meant; there may be none."""
    runners = list[str]()
    written = {same_name(each["slug"]): each["slug"] for each in offers.recipes_with_tables()}
    for slug in slugs:
        near = written.get(same_name(slug)) or nearest_name(slug, written.values())
        if same_name(slug) not in written:
            runs = f"{near} runs instead" if near else "it does not run"
            found.said.append(f"there is no recipe '{slug:.{MOST_TEXT}}'; {runs}")
        if near and near not in runners:
            runners.append(near)
    if len(runners) > MOST_RUNNERS:
        found.said.append(f"{len(runners)} recipes are too many; the first {MOST_RUNNERS} run")
    return runners[:MOST_RUNNERS]


class Runner:
    """One recipe in a race."""

    def __init__(self, slug: str, game: str, seed: int) -> None:
        self.slug = slug
        self.solver = Solver(offers.form_to_race(game), offers.recipe_of(slug), seed=seed, cores=1)
        self.looks = chart_points(POINTS_PER_DECADE)
        self.next_look = next(self.looks)
        self.points: list[RacePoint] = []
        self.arrived = False  # whether the target was reached
        self.done = False

    def step(self, course: Course) -> None:
        """Go on to the next look, where the average is judged, or as far as a burst allows."""
        solver = self.solver
        goal = min(self.next_look, course.iterations) if course.measure == "iterations" else self.next_look
        pace = solver.seconds / solver.iteration if solver.seconds else BURST_SECONDS
        left = course.seconds - solver.seconds if course.measure == "time" else math.inf
        solver.advance(max(1, min(goal - solver.iteration, int(min(BURST_SECONDS, left) / pace))))
        ended = solver.seconds >= course.seconds if course.measure == "time" else solver.iteration >= course.iterations
        if not ended and solver.iteration < goal:
            return
        judged = solver.evaluate()
        self.points.append(RacePoint(judged.iteration, solver.seconds, judged.exploitability))
        self.arrived = course.target is not None and judged.exploitability <= course.target
        self.done = ended or self.arrived
        while self.next_look <= judged.iteration:
            self.next_look = next(self.looks)

    def progress(self, course: Course) -> float:
        """The share of the course that is behind the runner, from 0 to 1."""
        if course.measure == "time":
            return min(1.0, self.solver.seconds / course.seconds)
        return self.solver.iteration / course.iterations

    def rank(self, course: Course) -> tuple[bool, float]:
        """What runners are sorted by: first who has arrived, by the way it took; then the others, by exploitability."""
        if not self.points:
            return True, math.inf
        last = self.points[-1]
        way = last.seconds if course.measure == "time" else last.iteration
        return (False, way) if self.arrived else (True, last.exploitability)


class WatchedRace:
    """One to eight different recipes on one course."""

    def __init__(self, query: Mapping[str, Any], slugs: Sequence[str]) -> None:
        asked, runners = read_order(query, slugs, Nearest(strict=True))
        self.game = offers.game_name(asked["game"], asked["ante"], asked["bet"])
        self.title = offers.offer(asked["game"]).title
        self.unit = offers.unit(self.game)
        # In thousandths, as people write.
        target = float(number("target", asked["target"])) * self.unit["chips"] if asked["target"] else None
        self.course = Course(asked["by"], int(asked["iterations"]), float(number("seconds", asked["seconds"])), target)
        self.runners = [Runner(name, self.game, int(asked["seed"])) for name in runners]
        self.sent = [0] * len(self.runners)
        self.started = time.monotonic()
        self.stopped = ""

    @property
    def over(self) -> bool:
        """Whether nobody runs any more."""
        return bool(self.stopped) or all(runner.done for runner in self.runners)

    def burst(self) -> None:
        """Run for a short while; the runner that is furthest behind always goes next."""
        end = time.monotonic() + BURST_SECONDS
        while not self.over and time.monotonic() < end:
            running = (runner for runner in self.runners if not runner.done)
            min(running, key=lambda runner: runner.progress(self.course)).step(self.course)
            if time.monotonic() - self.started > MOST_WALL_SECONDS:
                self.stopped = f"stopped after {MOST_WALL_SECONDS} seconds"

    def start(self) -> dict[str, Any]:
        """What is known before the first step."""
        runners = [{"slug": runner.slug, "name": runner.solver.recipe.name} for runner in self.runners]
        course = self.course._asdict() | {
            "target_milli": None if self.course.target is None else self.course.target / self.unit["chips"]
        }
        return {"game": self.game, "title": self.title, "unit": self.unit, "course": course, "runners": runners}

    def news(self) -> dict[str, Any]:
        """What has happened since the last news."""
        runners = []
        for k, runner in enumerate(self.runners):
            new = runner.points[self.sent[k] :]
            self.sent[k] = len(runner.points)
            runners.append(
                {
                    "iteration": runner.solver.iteration,
                    "seconds": runner.solver.seconds,
                    "progress": 1.0 if runner.done else runner.progress(self.course),
                    "done": runner.done,
                    "arrived": runner.arrived,
                    "points": [[*point, point.exploitability / self.unit["chips"]] for point in new],
                }
            )
        order = sorted(range(len(self.runners)), key=lambda k: self.runners[k].rank(self.course))
        return {"runners": runners, "order": order, "over": self.over, "stopped": self.stopped}
