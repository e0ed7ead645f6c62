"""Frames: a run at one iteration and its latest walk through the tree, as they are sent to whoever draws them.

``Frame`` describes the shape of a frame once. The page's scripts repeat it as types in ``web/page/js/learn/source.js``,
and a test compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from regretlab.documents.numbers import Unit
from regretlab.feedback import Feedback
from regretlab.forms import Labelled, Strategy
from regretlab.solving import Recipe, Solution
from regretlab.solving.schedule import SCHEDULES, in_force, passes
from regretlab.watch.watched_game import WatchedGame


class Losses(TypedDict):
    """How much the strategies of a moment lose to best responses."""

    average: float
    current: float


class Path(TypedDict):
    """The latest walk, as the public tree shows it."""

    deal: str
    nodes: list[str]  # of the public tree, in the order in which they were met
    walker: int | None  # as in ``Walk``


class Fit(TypedDict):
    """How well a network has learned what its memory holds."""

    loss: float | None  # none before the first training
    held: int
    seen: int  # samples, those included that the memory has forgotten


class NetworkFits(TypedDict):
    """The networks of a run and their memories, for each player."""

    capacity: int
    advantages: list[Fit]
    strategies: NotRequired[list[Fit]]  # where the average is a network, too


History = TypedDict(
    "History",
    {
        "from": int,
        "iterations": list[int],
        "exploitability": list[float],
        "current_exploitability": list[float],
        "key": list[list[float]],
    },
)
"""Points of the charts in columns; ``from`` is the number of the first one, which the reader has not seen yet."""


class FrameNumbers(TypedDict):
    """All that a frame shows except its history."""

    playing: bool
    speed: float
    iteration: int
    hands_seen: int
    exploitability: Losses
    mbb: Losses
    value: float
    zero_regrets: float
    regrets: dict[str, list[float]]
    current: dict[str, list[float]]
    average: dict[str, list[float]]
    path: Path | None
    sentence: str
    targets: dict[str, dict[str, float]]
    networks: NotRequired[NetworkFits]


class Frame(FrameNumbers):
    """What is sent for each step of a run: losses and regrets in chips, ``mbb`` in thousandths of the ante."""

    history: History


@dataclass(frozen=True)
class ChartPoint:
    """One point of the charts."""

    iteration: int
    exploitability: float
    current_exploitability: float
    key: tuple[float, ...]  # the average's probabilities of ``watched_game.KEY``


@dataclass(frozen=True)
class Walk:
    """A deal, and the histories below it that a pass came by."""

    deal: str
    histories: tuple[int, ...]
    walker: int | None = None  # whose walk it was, where actions are drawn: then players do not walk together


@dataclass(frozen=True, eq=False)
class Moment:
    """A run at one iteration."""

    solution: Solution
    walk: Walk | None
    points: int  # how many points of the charts it has
    networks: NetworkFits | None = None


@dataclass(frozen=True, eq=False)
class EncodedFrame:
    """A frame in JSON without its history; of that, each reader gets what is new to it."""

    iteration: int
    body: bytes  # the numbers without the closing brace
    history: Sequence[ChartPoint]  # may grow meanwhile: the first ``points`` belong to this frame
    points: int

    def encoded(self, have: int = 0) -> bytes:
        """The whole frame for a reader that has the first ``have`` points of the charts."""
        start = max(0, min(have, self.points))
        return b'%b,"history":%b}' % (self.body, finite_json(charts(self.history[start : self.points], start)))


def latest_walk(
    game: WatchedGame, recipe: Recipe, feedback: Feedback, iteration: int, played: Strategy, learned: Strategy
) -> Walk | None:
    """The last walk of an iteration, before which the strategies were ``played`` and after which they are ``learned``.

    Where all deals are walked, another one is shown in each iteration.
    """
    if iteration == 0:
        return None
    tree, kind, schedule = game.tree, recipe.feedback_kind, SCHEDULES[recipe.schedule]
    if not kind.samples:
        met = [1 + (iteration - 1) % len(game.deals)]
        for history in met:
            met += range(int(tree.children[history]), int(tree.children[history + 1]))
        return Walk(tree.names[met[0]], (0, *met))
    walker = passes(schedule, iteration)[-1][-1]
    zero, one = in_force(schedule, iteration, walker, played, learned)
    met = feedback.look(walker, iteration, (zero.arrays[0], one.arrays[1])).histories.tolist()
    return Walk(tree.names[met[1]], tuple(met), walker if kind.draws_actions else None)


def charts(points: Sequence[ChartPoint], start: int) -> History:
    """Points of the charts in columns; the first of them has the number ``start``."""
    return {
        "from": start,
        "iterations": [point.iteration for point in points],
        "exploitability": [point.exploitability for point in points],
        "current_exploitability": [point.current_exploitability for point in points],
        "key": [list(point.key) for point in points],
    }


def finite_json(data: Mapping[str, Any]) -> bytes:
    """Compact JSON of data without −0.0 and infinities, which are not looked for: that would double the time."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).encode()


def frame_numbers(game: WatchedGame, moment: Moment, playing: bool, speed: float) -> FrameNumbers:
    """The numbers of a run at one moment; ``playing`` and ``speed`` (iterations per second) say how it goes on."""
    solution, walk = moment.solution, moment.walk
    average, current = solution.exploitability + 0.0, solution.current_exploitability + 0.0  # −0.0 is 0
    chips = Unit.of(game.rules).chips
    path: Path | None = None
    if walk is not None:
        nodes = [game.places[history] for history in walk.histories]
        path = {"deal": walk.deal, "nodes": nodes, "walker": walk.walker}
    numbers: FrameNumbers = {
        "playing": playing,
        "speed": speed,
        "iteration": solution.iterations,
        "hands_seen": hands_seen(game, solution.recipe, solution.iterations),
        "exploitability": {"average": average, "current": current},
        "mbb": {"average": average / chips, "current": current / chips},
        "value": solution.value + 0.0,
        "zero_regrets": solution.zero_regrets,
        "regrets": _by_label(game, solution.regrets),
        "current": _by_label(game, solution.current),
        "average": _by_label(game, solution.strategy),
        "path": path,
        "sentence": sentence(game, solution.recipe, solution.iterations, walk),
        "targets": game.targets(solution.strategy),
    }
    if moment.networks is not None:
        numbers["networks"] = moment.networks
    return numbers


def _by_label(game: WatchedGame, numbers: Labelled) -> dict[str, list[float]]:
    """The numbers of each information set, in the order of its actions."""
    found = {}
    for treeplex, array in zip(game.form.treeplexes, numbers.arrays, strict=True):
        flat, first = (array + 0.0).tolist(), treeplex.first.tolist()  # −0.0 is 0
        for i, label in enumerate(treeplex.labels):
            found[label] = flat[first[i] : first[i + 1]]
    return found


def hands_seen(game: WatchedGame, recipe: Recipe, iterations: int) -> int:
    """Deals walked so far: all of them in each pass, or one per pass where chance is drawn, or one per walk."""
    rounds, kind = passes(SCHEDULES[recipe.schedule], 1), recipe.feedback_kind
    if kind.draws_actions:
        walks = recipe.settings.traversals if kind.trains else 1  # of each player who learns, per iteration
        return iterations * sum(len(players) for players in rounds) * walks
    return iterations * len(rounds) * (1 if kind.samples else len(game.deals))


def sentence(game: WatchedGame, recipe: Recipe, iteration: int, walk: Walk | None) -> str:
    """Who has learned from what in the iteration that has just ended, of which ``walk`` was the last walk."""
    if walk is None:
        return "Nothing has been learned yet: every action is a coin flip."
    kind, deal = recipe.feedback_kind, f"{walk.deal[0]} against {walk.deal[1]}"
    said = f"Iteration {iteration:,}: "
    if kind.trains:
        assert walk.walker is not None
        walks, steps = recipe.settings.traversals, recipe.settings.training
        return said + (
            f"player 1, then player 2, collected samples in {walks:,} walks and trained the network on the memory in "
            f"{steps:,} steps. The last walk, player {walk.walker + 1}'s, was on the deal {deal}."
        )
    if walk.walker is not None:
        learner, other = walk.walker + 1, 2 - walk.walker
        return said + (
            f"player {learner} {kind.own_moves} on the deal {deal}, with player {other}'s moves drawn, and learned."
        )
    deals = f"the deal {deal}" if kind.samples else f"all {len(game.deals)} deals"
    turns = passes(SCHEDULES[recipe.schedule], iteration)
    if len(turns[0]) == 2:
        return said + f"both players learned from {deals}, each against the other's old strategy."
    if len(turns) == 2:
        return said + f"player 1 learned from {deals}, then player 2 against player 1's new strategy."
    ((player,),) = turns
    return said + f"player {player + 1} learned from {deals}; player {2 - player} takes the next turn."
