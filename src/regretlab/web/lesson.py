"""What the page about exploitability shows: one strategy of Kuhn poker, judged in every way."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile
from typing import Any

from regretlab.documents import Unit
from regretlab.evaluation import evaluate, kuhn_equilibria
from regretlab.games import Kuhn, load
from regretlab.solving import Solver
from regretlab.solving.checkpoints import checkpoints
from regretlab.spec import whole
from regretlab.web import bots
from regretlab.web.enumeration import (
    Deal,
    Response,
    Step,
    cheating_exploitability,
    compare_deals,
    one_pass,
    pure_responses,
    value_of,
)
from regretlab.web.slugs import recipe_of

STEPS = (0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000)
"""The iterations that the page offers; any other can be written into its address."""

LAST_POINT = 10_000
"""Where the curves end."""

BILLION, SECONDS_A_YEAR = 10**9, 365 * 24 * 3600


@dataclass(frozen=True)
class Side:
    """One player as the responder."""

    player: int
    responses: list[Response]  # all of them, the best first
    deals: list[Deal]
    cheating: float
    steps: list[Step]

    @property
    def best(self) -> Response:
        """The honest best response."""
        return self.responses[0]

    @property
    def different(self) -> int:
        """How many of the responses are different strategies: some differ only where their own actions never lead."""
        return len({tuple(sorted(_played(response.plan).items())) for response in self.responses})


def _played(plan: dict[str, str]) -> dict[str, str]:
    """A plan without what it would do after a bet that it makes itself never to face."""
    return {label: action for label, action in plan.items() if label[1:] != "cb" or plan[label[0]] == "check"}


@dataclass(frozen=True)
class Lesson:
    """Everything on the page."""

    rules: Kuhn
    recipe: str
    iterations: int
    value: float
    exploitability: float
    sides: tuple[Side, Side]
    floor: Fraction  # what the cheat would report at an equilibrium
    curve: list[tuple[int, float, float]]  # iteration, exploitability, what the cheat would report, in thousandths

    @property
    def recipe_name(self) -> str:
        """The recipe as people write it."""
        return recipe_of(self.recipe).name

    @property
    def cheating(self) -> float:
        """What exploitability would seem to be if the responders cheated."""
        return (self.sides[0].cheating + self.sides[1].cheating) / 2

    @property
    def milli(self) -> float:
        """Chips in a thousandth of the ante."""
        return Unit.of(self.rules).chips

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for machines."""
        return {
            "game": self.rules.name,
            "recipe": self.recipe,
            "iterations": self.iterations,
            "value": self.value,
            "exploitability": self.exploitability,
            "best_response_values": [side.best.value for side in self.sides],
            "best_responses": [side.best.plan for side in self.sides],
            "cheating_values": [side.cheating for side in self.sides],
            "cheating_exploitability": self.cheating,
            "floor": str(self.floor),
        }


def lesson(recipe: str, iterations: Any, ante: str, bet: str) -> Lesson:
    """The page's numbers for an address."""
    game = bots.game_name("kuhn", ante, bet)
    count = whole("iterations", iterations, least=0, most=bots.offer("kuhn").most_iterations)
    strategy = bots.learned("kuhn", game, recipe, count)
    return _lesson(game, recipe, count, strategy)


def _lesson(game: str, recipe: str, iterations: int, strategy: Any) -> Lesson:
    rules: Any = load(game)
    judged = evaluate(strategy.form, strategy)
    table = dict(strategy)
    return Lesson(
        rules=rules,
        recipe=recipe,
        iterations=iterations,
        value=judged.value,
        exploitability=judged.exploitability,
        sides=(_side(rules, table, 0), _side(rules, table, 1)),
        floor=cheating_exploitability(rules, kuhn_equilibria(rules.ante, rules.bet).profile()),
        curve=curve(game, recipe_of(recipe).name),
    )


def _side(rules: Kuhn, strategy: dict[str, dict[str, float]], player: int) -> Side:
    responses = pure_responses(rules, strategy, player)
    return Side(
        player=player,
        responses=responses,
        deals=compare_deals(rules, strategy, player, responses[0].plan),
        cheating=value_of(rules, strategy, player, None),
        steps=one_pass(rules, strategy, player),
    )


@lru_cache(maxsize=64)
def curve(game: str, recipe: str) -> list[tuple[int, float, float]]:
    """Iteration, exploitability, and what a cheat would report, along a run; in thousandths of the ante."""
    rules: Any = load(game)
    solver, milli = Solver(bots.form_of(game), recipe), Unit.of(rules).chips
    points = []
    for target in takewhile(lambda iteration: iteration <= LAST_POINT, checkpoints(after=0)):
        solver.advance(target - solver.iteration)
        honest, cheating = solver.evaluate().exploitability, cheating_exploitability(rules, dict(solver.average))
        points.append((target, honest / milli, cheating / milli))
    return points


@dataclass(frozen=True)
class Size:
    """How large a player's part of a game is."""

    infosets: int
    sequences: int
    by_actions: dict[int, int]  # how many information sets have so many actions

    @property
    def pure(self) -> int:
        """How many pure strategies there are: one choice an information set."""
        return math.prod(actions**count for actions, count in self.by_actions.items())

    @property
    def years(self) -> int:
        """How long it takes to try them all, a billion a second."""
        return self.pure // BILLION // SECONDS_A_YEAR


@lru_cache(maxsize=4)
def leduc_size() -> Size:
    """Leduc poker with suits merged, one player of two that are alike in this."""
    treeplex = bots.form_of(bots.game_name("leduc")).treeplexes[0]
    by_actions = Counter(len(actions) for actions in treeplex.actions)
    return Size(treeplex.infosets, treeplex.sequences - 1, dict(sorted(by_actions.items())))
