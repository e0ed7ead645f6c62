"""Frames: a run at one iteration and its latest walks through the tree, as they are sent to whoever draws them.

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
from regretlab.forms import Labelled, SequenceForm, Strategy
from regretlab.solving import Recipe, Solution
from regretlab.solving.schedule import SCHEDULES, in_force, passes
from regretlab.watch.watched_game import WatchedGame


class Losses(TypedDict):
    """How much the strategies of a moment lose to best responses."""

    average: float
    current: float


class Path(TypedDict):
    """A drawn walk, as the public tree shows it."""

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
        "milestones": list[list[str]],
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
    walks: list[Path]  # those of the latest iteration, where they are drawn
    reach: dict[str, list[float]]  # for each deal, how often play comes by each node of the public tree
    sentence: str
    found: str  # what has changed in the strategy, and why
    milestones: list[str]  # of this very iteration, if the charts have a point there
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
    milestones: tuple[str, ...] = ()  # what is so here for the first time, in words


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
    walks: tuple[Walk, ...]
    points: int  # how many points of the charts it has
    found: str
    milestones: tuple[str, ...]
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


def drawn_walks(
    game: WatchedGame, recipe: Recipe, feedback: Feedback, iteration: int, played: Strategy, learned: Strategy
) -> tuple[Walk, ...]:
    """The walks of an iteration, before which the strategies were ``played`` and after which they are ``learned``.

    There are none where all deals are walked. Where only chance is drawn, there is one for both players.
    """
    kind, schedule = recipe.feedback_kind, SCHEDULES[recipe.schedule]
    if iteration == 0 or not kind.samples:
        return ()
    walkers = [player for players in passes(schedule, iteration) for player in players]
    found = []
    for walker in walkers if kind.draws_actions else walkers[-1:]:
        zero, one = in_force(schedule, iteration, walker, played, learned)
        met = feedback.look(walker, iteration, (zero.arrays[0], one.arrays[1])).histories.tolist()
        found.append(Walk(game.tree.names[met[1]], tuple(met), walker if kind.draws_actions else None))
    return tuple(found)


def charts(points: Sequence[ChartPoint], start: int) -> History:
    """Points of the charts in columns; the first of them has the number ``start``."""
    return {
        "from": start,
        "iterations": [point.iteration for point in points],
        "exploitability": [point.exploitability for point in points],
        "current_exploitability": [point.current_exploitability for point in points],
        "key": [list(point.key) for point in points],
        "milestones": [list(point.milestones) for point in points],
    }


def finite_json(data: Mapping[str, Any]) -> bytes:
    """Compact JSON of data without −0.0 and infinities, which are not looked for: that would double the time."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).encode()


def frame_numbers(game: WatchedGame, moment: Moment, playing: bool, speed: float) -> FrameNumbers:
    """The numbers of a run at one moment; ``playing`` and ``speed`` (iterations per second) say how it goes on."""
    solution, walks = moment.solution, moment.walks
    average, current = solution.exploitability + 0.0, solution.current_exploitability + 0.0  # −0.0 is 0
    chips = Unit.of(game.rules).chips
    numbers: FrameNumbers = {
        "playing": playing,
        "speed": speed,
        "iteration": solution.iterations,
        "hands_seen": hands_seen(game, solution.recipe, solution.iterations),
        "exploitability": {"average": average, "current": current},
        "mbb": {"average": average / chips, "current": current / chips},
        "value": solution.value + 0.0,
        "zero_regrets": solution.zero_regrets,
        "regrets": by_label(game.form, solution.regrets),
        "current": by_label(game.form, solution.current),
        "average": by_label(game.form, solution.strategy),
        "walks": [as_path(game, walk) for walk in walks],
        "reach": game.reach(solution.current),
        "sentence": sentence(game, solution.recipe, solution.iterations, walks),
        "found": moment.found,
        "milestones": list(moment.milestones),
        "targets": game.targets(solution.strategy),
    }
    if moment.networks is not None:
        numbers["networks"] = moment.networks
    return numbers


def as_path(game: WatchedGame, walk: Walk) -> Path:
    """A walk by the nodes of the public tree."""
    return {"deal": walk.deal, "nodes": [game.places[history] for history in walk.histories], "walker": walk.walker}


def by_label(form: SequenceForm, numbers: Labelled) -> dict[str, list[float]]:
    """The numbers of each information set, in the order of its actions."""
    found = {}
    for treeplex, array in zip(form.treeplexes, numbers.arrays, strict=True):
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


def sentence(game: WatchedGame, recipe: Recipe, iteration: int, walks: Sequence[Walk]) -> str:
    """Who has learned from what in the iteration that has just ended; ``walks`` are those that were drawn in it."""
    if iteration == 0:
        return "Nothing has been learned yet: every action is a coin flip."
    kind, said = recipe.feedback_kind, f"Iteration {iteration:,}: "
    deals = [f"{walk.deal[0]} against {walk.deal[1]}" for walk in walks]
    if kind.trains:
        steps = recipe.settings.training
        return said + (
            f"player 1, then player 2, collected samples in {recipe.settings.traversals:,} walks and trained the "
            f"network on the memory in {steps:,} steps. The last walks were on {deals[0]} and {deals[1]}."
        )
    if kind.draws_actions:
        told = [
            f"player {learner} {kind.own_moves} on {deal}, with player {3 - learner}'s moves drawn"
            for learner, deal in zip((1 + (walk.walker or 0) for walk in walks), deals, strict=True)
        ]
        return said + "; then ".join(told) + "."
    seen = f"the deal {deals[0]}" if kind.samples else f"all {len(game.deals)} deals"
    turns = passes(SCHEDULES[recipe.schedule], iteration)
    if len(turns[0]) == 2:
        return said + f"both players learned from {seen}, each against the other's old strategy."
    if len(turns) == 2:
        return said + f"player 1 learned from {seen}, then player 2 against player 1's new strategy."
    ((player,),) = turns
    return said + f"player {player + 1} learned from {seen}; player {2 - player} takes the next turn."
