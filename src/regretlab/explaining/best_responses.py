"""How exploitability is computed, with every number on the way: one strategy of Kuhn poker, judged in every way.

The best response itself and what its actions earn come from ``evaluation``. Beside it stand the values of all 64 pure
responses, each played through every deal as the rules have it, and what a responder would earn who looks at the
other's card. Numbers are floats, or Fractions where the strategy has Fractions.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product, takewhile
from typing import Any, NamedTuple, TypeAlias

from regretlab.documents.numbers import Unit
from regretlab.evaluation import BestResponse, best_response, evaluate, kuhn_equilibria
from regretlab.forms import Strategy, as_form
from regretlab.games import TERMINAL, Kuhn, Number, load
from regretlab.solving import Recipe, Solver
from regretlab.solving.checkpoints import checkpoints

Profile: TypeAlias = Mapping[str, Mapping[str, Any]]
Plan: TypeAlias = dict[str, str]
"""An action for each information set, by its label: all of the responder's, or those that one deal leads to."""

LAST_POINT = 10_000
"""The iteration where the curves end."""

BILLION, SECONDS_PER_YEAR = 10**9, 365 * 24 * 3600


@dataclass(frozen=True)
class PureResponse:
    """A plan and what it earns, in chips per game."""

    plan: Plan
    value: Any


@dataclass(frozen=True)
class ComparedDeal:
    """What the responder gets from one deal: honestly, and with both cards on the table."""

    name: str
    probability: Number
    honest: PureResponse
    cheating: PureResponse


@dataclass(frozen=True)
class WayToEnd:
    """A way in which the game ends after an action, before the responder decides again."""

    probability: Number  # of the deal
    allowed: Any  # the probability of what the other player does on the way
    payoff: Number  # to the responder


@dataclass(frozen=True)
class DecidedSet:
    """One information set in the pass from the leaves: what each action earns, and which one is the best."""

    label: str
    endings: dict[str, list[WayToEnd]]  # by action
    later: dict[str, list[str]]  # the responder's next information sets, by action
    values: dict[str, float]
    best: str

    @property
    def value(self) -> float:
        """What the best action earns."""
        return self.values[self.best]


@dataclass(frozen=True)
class Responder:
    """A player who answers the strategy of the other one."""

    player: int
    best: BestResponse
    responses: list[PureResponse]  # all of them, the best first
    deals: list[ComparedDeal]
    cheating: Any
    decided: list[DecidedSet]  # in the order in which the pass from the leaves decides them

    @property
    def different(self) -> int:
        """How many of the responses are different strategies.

        Some differ only in how they answer a bet that they never face, because they bet themselves.
        """
        plans = [each.plan for each in self.responses]
        return len({tuple((k, v) for k, v in p.items() if k[1:] != "cb" or p[k[0]] == "check") for p in plans})


@dataclass(frozen=True)
class ExploitabilityLesson:
    """A strategy of Kuhn poker, and everything about its exploitability."""

    rules: Kuhn
    recipe: str
    iterations: int
    value: float
    exploitability: float
    responders: tuple[Responder, Responder]
    floor: Fraction  # what two cheats would report at an equilibrium
    curve: list[tuple[int, float, float]]  # iteration, exploitability, what the cheats would report, in mbb/g

    @property
    def cheating(self) -> float:
        """What exploitability would seem to be if the responders cheated."""
        return float((self.responders[0].cheating + self.responders[1].cheating) / 2)

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        return {
            "game": self.rules.name,
            "recipe": self.recipe,
            "iterations": self.iterations,
            "value": self.value,
            "exploitability": self.exploitability,
            "best_response_values": [each.best.value for each in self.responders],
            "best_responses": [each.responses[0].plan for each in self.responders],
            "cheating_values": [each.cheating for each in self.responders],
            "cheating_exploitability": self.cheating,
            "floor": str(self.floor),
        }


def explain_exploitability(recipe: Recipe, iterations: int, strategy: Strategy) -> ExploitabilityLesson:
    """How exploitable a strategy is that a recipe has learned of Kuhn poker in so many iterations, and why."""
    rules: Any = load(strategy.form.name)
    judged = evaluate(strategy.form, strategy)
    return ExploitabilityLesson(
        rules=rules,
        recipe=recipe.name,
        iterations=iterations,
        value=judged.value,
        exploitability=judged.exploitability,
        responders=(responder(rules, strategy, 0), responder(rules, strategy, 1)),
        floor=cheating_exploitability(rules, kuhn_equilibria(rules.ante, rules.bet).profile()),
        curve=exploitability_curve(rules.name, recipe.name),
    )


def responder(rules: Kuhn, strategy: Strategy, player: int) -> Responder:
    """Everything about how ``player`` can answer a strategy."""
    best, profile = best_response(strategy.form, strategy, player), dict(strategy)
    responses = pure_responses(rules, profile, player)
    # Several plans may be equally good but for rounding; the one that the judges name comes first.
    responses.sort(key=lambda response: response.plan != best.actions)
    compared = [
        ComparedDeal(name, chance, *(play_out(rules, profile, player, state, plan) for plan in (best.actions, None)))
        for name, chance, state in deals(rules)
    ]
    cheating = sum(deal.probability * deal.cheating.value for deal in compared)
    return Responder(player, best, responses, compared, cheating, decided_sets(rules, profile, player, best))


@lru_cache(maxsize=64)
def exploitability_curve(game: str, recipe: str) -> list[tuple[int, float, float]]:
    """Iteration, exploitability, and what two cheats would report, along a run; in thousandths of the ante."""
    rules: Any = load(game)
    solver, chips = Solver(as_form(game), recipe), Unit.of(rules).chips
    points = []
    for target in takewhile(lambda iteration: iteration <= LAST_POINT, checkpoints(after=0)):
        solver.advance(target - solver.iteration)
        honest, cheating = solver.evaluate().exploitability, cheating_exploitability(rules, dict(solver.average))
        points.append((target, honest / chips, cheating / chips))
    return points


# ---- following the rules


def labels_of(rules: Kuhn, player: int) -> list[str]:
    """The information sets of a player: by situation, then by card."""
    cards = [rules.card(rank) for rank in range(rules.cards)]
    return [card + moves for moves in (("", "cb"), ("c", "b"))[player] for card in cards]


def actions_at(label: str) -> tuple[str, str]:
    """What can be done at an information set."""
    return ("fold", "call") if label.endswith("b") else ("check", "bet")


def deals(rules: Kuhn) -> list[tuple[str, Number, Any]]:
    """Every deal with its probability and the state after it."""
    root = rules.root()
    rows = zip(rules.actions(root), rules.chance(root), strict=True)
    return [(name, chance, rules.child(root, k)) for k, (name, chance) in enumerate(rows)]


def play_out(rules: Kuhn, strategy: Profile, player: int, state: Any, plan: Plan | None) -> PureResponse:
    """What the responder gets from ``state`` on with a plan; with none, by the best action for this very deal."""
    mover = rules.player(state)
    if mover == TERMINAL:
        return PureResponse({}, rules.payoff(state) * (1 - 2 * player))
    names, label = list(rules.actions(state)), rules.label(state)
    after = [play_out(rules, strategy, player, rules.child(state, k), plan) for k in range(len(names))]
    if mover != player:
        value = sum(strategy[label][name] * each.value for name, each in zip(names, after, strict=True))
        return PureResponse(after[0].plan | after[1].plan, value)
    k = max(range(len(names)), key=lambda k: after[k].value) if plan is None else names.index(plan[label])
    return PureResponse({label: names[k]} | after[k].plan, after[k].value)


def value_of(rules: Kuhn, strategy: Profile, player: int, plan: Plan | None) -> Any:
    """What a plan earns over all deals; with none, what looking at the other's card earns."""
    return sum(chance * play_out(rules, strategy, player, state, plan).value for _, chance, state in deals(rules))


def cheating_exploitability(rules: Kuhn, strategy: Profile) -> Any:
    """What exploitability would be if a responder could see the other's card: it does not go to 0."""
    return sum(value_of(rules, strategy, player, None) for player in (0, 1)) / 2


def pure_responses(rules: Kuhn, strategy: Profile, player: int) -> list[PureResponse]:
    """All 64 pure responses of ``player``, the best first; equally good ones stay in the order of their actions."""
    labels = labels_of(rules, player)
    # A deal only asks for what is done with one card, in four ways; each is followed once and used by 16 responses.
    earned: list[tuple[list[str], dict[tuple[str, ...], Any]]] = []
    for name, chance, state in deals(rules):
        asked = [label for label in labels if label[0] == name[player]]
        values = {}
        for way in product(*map(actions_at, asked)):
            plan = dict(zip(asked, way, strict=True))
            values[way] = chance * play_out(rules, strategy, player, state, plan).value
        earned.append((asked, values))
    responses = []
    for chosen in product(*map(actions_at, labels)):
        plan = dict(zip(labels, chosen, strict=True))
        value = sum(values[tuple(plan[label] for label in asked)] for asked, values in earned)
        responses.append(PureResponse(plan, value))
    return sorted(responses, key=lambda response: -response.value)


def decided_sets(rules: Kuhn, strategy: Profile, player: int, best: BestResponse) -> list[DecidedSet]:
    """The pass from the leaves to the root: the information sets in the order in which they are decided.

    What the actions earn is the judges'; the ways to end that it is the sum of are collected here.
    """
    endings: dict[tuple[str, str], list[WayToEnd]] = defaultdict(list)
    later: dict[tuple[str, str], list[str]] = defaultdict(list)

    def follow(chance: Number, state: Any, allowed: Any, last: tuple[str, str]) -> None:
        """Collect what lies at and below ``state``; ``last`` is where the responder decided last, and what."""
        mover = rules.player(state)
        if mover == TERMINAL:
            endings[last].append(WayToEnd(chance, allowed, rules.payoff(state) * (1 - 2 * player)))
            return
        label = rules.label(state)
        if mover == player and label not in later[last]:
            later[last].append(label)
        for k, name in enumerate(rules.actions(state)):
            child = rules.child(state, k)
            if mover == player:
                follow(chance, child, allowed, (label, name))
            else:
                follow(chance, child, allowed * strategy[label][name], last)

    for _, chance, state in deals(rules):
        follow(chance, state, 1, ("", ""))
    return [
        DecidedSet(
            label,
            {action: endings[label, action] for action in actions_at(label)},
            {action: later[label, action] for action in actions_at(label)},
            best.action_values[label],
            best.actions[label],
        )
        for label in sorted(labels_of(rules, player), key=lambda label: -len(label))
    ]


# ---- why nobody tries everything elsewhere


class SizeOfLeduc(NamedTuple):
    """How large one player's part of Leduc poker is; the two players are alike in this."""

    infosets: int
    sequences: int
    by_actions: dict[int, int]  # how many information sets have so many actions
    pure: int  # pure strategies: one choice per information set
    years: int  # how long it takes to try them all, a billion per second


@lru_cache(maxsize=1)
def leduc_size() -> SizeOfLeduc:
    """The size of Leduc poker with suits merged."""
    treeplex = as_form("leduc(merge_suits=true)").treeplexes[0]
    by_actions = dict(sorted(Counter(len(actions) for actions in treeplex.actions).items()))
    pure = math.prod(actions**count for actions, count in by_actions.items())
    years = pure // BILLION // SECONDS_PER_YEAR
    return SizeOfLeduc(treeplex.infosets, treeplex.sequences - 1, by_actions, pure, years)
