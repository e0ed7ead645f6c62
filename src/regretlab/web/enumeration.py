"""Best responses in Kuhn poker, by trying everything and by one pass, with every number on the way.

One player responds, the other plays a given strategy. Nothing here uses the sequence form: values come from following
the rules through every deal, so that the page shows what it says. Numbers are floats, or Fractions where the strategy
has Fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from regretlab.games import TERMINAL, Kuhn, Number

Profile: TypeAlias = Mapping[str, Mapping[str, Any]]
Plan: TypeAlias = dict[str, str]
"""An action for each information set, by its label: all of the responder's, or those that one deal leads to."""


@dataclass(frozen=True)
class Response:
    """A pure response and what it earns, in chips a game."""

    plan: Plan
    value: Any


@dataclass(frozen=True)
class Deal:
    """What the responder gets from one deal: honestly, and with both cards on the table."""

    name: str
    probability: Number
    honest: Response
    cheating: Response


@dataclass(frozen=True)
class Ending:
    """A way in which the game ends after an action, before the responder decides again."""

    deal: str
    probability: Number  # of the deal
    allowed: Any  # the probability of what the other player does on the way
    payoff: Number  # to the responder


@dataclass(frozen=True)
class Step:
    """One information set of the pass from the leaves: what each action earns, and which one is the best."""

    label: str
    endings: dict[str, list[Ending]]  # by action
    later: dict[str, list[str]]  # the responder's next information sets, by action
    values: dict[str, Any]
    best: str

    @property
    def value(self) -> Any:
        """Of the best action."""
        return self.values[self.best]


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


def play_out(rules: Kuhn, strategy: Profile, player: int, state: Any, plan: Plan | None) -> Response:
    """What the responder gets from ``state`` on with a plan; with none, by the best action for this very deal."""
    mover = rules.player(state)
    if mover == TERMINAL:
        return Response({}, rules.payoff(state) * (1 - 2 * player))
    names, label = list(rules.actions(state)), rules.label(state)
    after = [play_out(rules, strategy, player, rules.child(state, k), plan) for k in range(len(names))]
    if mover != player:
        value = sum(strategy[label][name] * each.value for name, each in zip(names, after, strict=True))
        return Response(after[0].plan | after[1].plan, value)
    k = max(range(len(names)), key=lambda k: after[k].value) if plan is None else names.index(plan[label])
    return Response({label: names[k]} | after[k].plan, after[k].value)


def value_of(rules: Kuhn, strategy: Profile, player: int, plan: Plan | None) -> Any:
    """What a plan earns over all deals; with none, what looking at the other's card earns."""
    return sum(chance * play_out(rules, strategy, player, state, plan).value for _, chance, state in deals(rules))


def pure_responses(rules: Kuhn, strategy: Profile, player: int) -> list[Response]:
    """All 64 pure responses of ``player``, the best first; equally good ones stay in the order of their actions."""
    labels = labels_of(rules, player)
    # A deal only asks for what is done with one card, in four ways; each is followed once and used by 16 responses.
    earned: list[tuple[list[str], dict[tuple[str, ...], Any]]] = []
    for name, chance, state in deals(rules):
        asked = [label for label in labels if label[0] == name[player]]
        ways = product(*map(actions_at, asked))
        earned.append((asked, {way: chance * _with(rules, strategy, player, state, asked, way) for way in ways}))
    plans = (dict(zip(labels, chosen, strict=True)) for chosen in product(*map(actions_at, labels)))
    responses = [
        Response(plan, sum(values[tuple(plan[label] for label in asked)] for asked, values in earned)) for plan in plans
    ]
    return sorted(responses, key=lambda response: -response.value)


def _with(rules: Kuhn, strategy: Profile, player: int, state: Any, labels: list[str], actions: tuple[str, ...]) -> Any:
    return play_out(rules, strategy, player, state, dict(zip(labels, actions, strict=True))).value


def compare_deals(rules: Kuhn, strategy: Profile, player: int, plan: Plan) -> list[Deal]:
    """An honest plan and the cheat, deal by deal."""
    return [
        Deal(
            name,
            chance,
            play_out(rules, strategy, player, state, plan),
            play_out(rules, strategy, player, state, None),
        )
        for name, chance, state in deals(rules)
    ]


def cheating_exploitability(rules: Kuhn, strategy: Profile) -> Any:
    """What exploitability would be if a responder could see the other's card: it does not go to 0."""
    return sum(value_of(rules, strategy, player, None) for player in (0, 1)) / 2


def one_pass(rules: Kuhn, strategy: Profile, player: int) -> list[Step]:
    """The best response from the leaves to the root: the information sets in the order in which they are decided."""
    walk = _Walk(rules, strategy, player)
    for name, chance, state in deals(rules):
        walk.go(name, chance, state, 1, ("", ""))
    steps: dict[str, Step] = {}
    for label in sorted(labels_of(rules, player), key=lambda label: -len(label)):
        later = {action: walk.later[label, action] for action in actions_at(label)}
        endings = {action: walk.endings[label, action] for action in actions_at(label)}
        values = {
            action: sum(end.probability * end.allowed * end.payoff for end in endings[action])
            + sum(steps[each].value for each in later[action])
            for action in actions_at(label)
        }
        steps[label] = Step(label, endings, later, values, max(values, key=lambda action: values[action]))
    return list(steps.values())


class _Walk:
    """Every way to play, taken apart at the responder's decisions."""

    def __init__(self, rules: Kuhn, strategy: Profile, player: int) -> None:
        self.rules, self.strategy, self.player = rules, strategy, player
        self.endings: dict[tuple[str, str], list[Ending]] = defaultdict(list)
        self.later: dict[tuple[str, str], list[str]] = defaultdict(list)

    def go(self, deal: str, chance: Number, state: Any, allowed: Any, last: tuple[str, str]) -> None:
        """Follow the game from ``state``; ``last`` is where the responder decided last, and what."""
        mover = self.rules.player(state)
        if mover == TERMINAL:
            payoff = self.rules.payoff(state) * (1 - 2 * self.player)
            self.endings[last].append(Ending(deal, chance, allowed, payoff))
            return
        label = self.rules.label(state)
        if mover == self.player and label not in self.later[last]:
            self.later[last].append(label)
        for k, name in enumerate(self.rules.actions(state)):
            child = self.rules.child(state, k)
            if mover == self.player:
                self.go(deal, chance, child, allowed, (label, name))
            else:
                self.go(deal, chance, child, allowed * self.strategy[label][name], last)
