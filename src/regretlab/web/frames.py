"""Frames: a run at one iteration, as the page draws it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from regretlab.forms import Labelled
from regretlab.solving import Recipe
from regretlab.solving.schedule import SCHEDULES, passes
from regretlab.web.scene import Scene
from regretlab.web.sentences import sentence
from regretlab.web.walks import WALKED, walks

if TYPE_CHECKING:
    from regretlab.web.run import Moment, Point


@dataclass(frozen=True, eq=False)
class Frame:
    """A frame in JSON, but for its history, of which each reader gets what is new to it."""

    iteration: int
    body: bytes  # without the closing brace
    history: Sequence[Point]  # may grow meanwhile: the first ``points`` belong to this frame
    points: int

    def encoded(self, have: int = 0) -> bytes:
        """The whole frame for a reader that has the first ``have`` points of the charts."""
        start = max(0, min(have, self.points))
        return b'%b,"history":%b}' % (self.body, finite(charts(self.history[start : self.points], start)))


def charts(points: Sequence[Point], start: int) -> dict[str, Any]:
    """Points of the charts in columns; ``from`` is the number of the first one."""
    return {
        "from": start,
        "iterations": [point.iteration for point in points],
        "exploitability": [point.exploitability for point in points],
        "current_exploitability": [point.current_exploitability for point in points],
        "key": [point.key for point in points],
    }


def new_frame(scene: Scene, moment: Moment, history: Sequence[Point], state: dict[str, Any]) -> Frame:
    """The frame of a moment; ``state`` says whether the run is playing, and how fast."""
    body = finite(state | numbers(scene, moment))[:-1]
    return Frame(moment.solution.iterations, body, history, moment.points)


def finite(data: dict[str, Any]) -> bytes:
    """Compact JSON of what has neither −0.0 nor anything infinite: going through it for them would double the time."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).encode()


def numbers(scene: Scene, moment: Moment) -> dict[str, Any]:
    """All that a frame shows but its history."""
    solution, walk = moment.solution, moment.walk
    exploitability = {"average": solution.exploitability + 0.0, "current": solution.current_exploitability + 0.0}
    return {
        "iteration": solution.iterations,
        "hands_seen": hands_seen(scene, solution.recipe, solution.iterations),
        "exploitability": exploitability,
        "mbb": {name: chips / scene.chips for name, chips in exploitability.items()},
        "value": solution.value + 0.0,
        "zero_regrets": solution.zero_regrets,
        "regrets": by_label(scene, solution.regrets),
        "current": by_label(scene, solution.current),
        "average": by_label(scene, solution.strategy),
        "path": walk
        and {
            "deal": walk.deal,
            "nodes": [scene.places[history] for history in walk.histories],
            "walker": walk.walker,
        },
        "sentence": sentence(scene, solution.recipe, solution.iterations, walk),
        "targets": scene.targets(solution.strategy),
    } | ({} if moment.networks is None else {"networks": moment.networks})


def by_label(scene: Scene, numbers: Labelled) -> dict[str, list[float]]:
    """The numbers of each information set, in the order of its actions."""
    found = {}
    for treeplex, array in zip(scene.form.treeplexes, numbers.arrays, strict=True):
        flat, first = (array + 0.0).tolist(), treeplex.first.tolist()  # −0.0 is 0
        for i, label in enumerate(treeplex.labels):
            found[label] = flat[first[i] : first[i + 1]]
    return found


def hands_seen(scene: Scene, recipe: Recipe, iterations: int) -> int:
    """Deals walked so far: deals × passes; one a pass where chance is sampled, and one a walk."""
    rounds = passes(SCHEDULES[recipe.schedule], 1)
    if recipe.feedback in WALKED:
        return iterations * sum(len(players) for players in rounds) * walks(recipe)
    return iterations * len(rounds) * (len(scene.deals) if recipe.feedback == "full" else 1)
