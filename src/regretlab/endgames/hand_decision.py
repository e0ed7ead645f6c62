"""Why a hand does what it does: what each action earns, as a sum over what the other player answers with which part of
the range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regretlab.endgames.betting import Decision, Fold
from regretlab.endgames.cards import hand_name, hand_of, read_cards
from regretlab.endgames.node_view import NodeView
from regretlab.endgames.reader import Reading
from regretlab.errors import UserError, unknown
from regretlab.forms.kernel import Floats


@dataclass(frozen=True)
class Answer:
    """One thing that the other player may do next."""

    action: str
    probability: float
    """How often it comes, if one holds the hand."""
    usual: float
    """How often it comes on average over all own hands that act so: what differs is due to the own two cards."""
    blocked: float
    """How much of the part of the range that answers so can't be there, because it has one of the own cards."""
    ev: float | None
    """What the hand expects after it, in chips from there on; None where it never comes."""


@dataclass(frozen=True)
class Option:
    """One action of the hand: what it costs, and what it leads to.

    Where there are answers, ``ev`` is Σ probability · ev over them, less the cost.
    """

    action: str
    probability: float
    ev: float | None
    cost: int
    """The chips that it puts in."""
    answers: tuple[Answer, ...]
    """What the other player may do next; none where it is not the other player's turn: after a fold, before a card, or
    where hands are shown."""


@dataclass(frozen=True)
class HandDecision:
    """A hand at a decision."""

    hand: str
    node: NodeView
    options: tuple[Option, ...]
    equity: float | None
    ev: float | None

    @property
    def best(self) -> float | None:
        """What the best action earns."""
        return max((each.ev for each in self.options if each.ev is not None), default=None)


def why(reading: Reading, line: tuple[str, ...], hand: str) -> HandDecision:
    """Take a hand's decision apart.

    >>> from regretlab.endgames import holdem, read
    >>> from regretlab.solving import solve
    >>> spot = holdem("river-polar")
    >>> found = why(solve(spot, until="0.1%").reading, ("bet 100",), "KhQh")
    >>> [(each.action, each.cost, f"{each.ev:.2f}") for each in found.options]
    [('fold', 0, '0.00'), ('call', 100, '-0.28')]
    """
    node = reading.at(*line)
    cards = read_cards(hand, "hand")
    if len(cards) != 2:
        raise UserError(f"hand={hand} is no hand; write two cards, such as AhKd")
    name = hand_name(hand_of(*cards))
    found = np.flatnonzero(node.cards == name)
    if not len(found):
        raise unknown("hand here", name, node.cards.tolist())
    place = int(found[0])
    options = tuple(_option(reading, node, place, a) for a in range(len(node.actions)))
    return HandDecision(name, node, options, _number(node.equity[place]), _number(node.ev[place]))


def _option(reading: Reading, node: NodeView, place: int, a: int) -> Option:
    """An action of the hand at a place, with all that may follow."""
    action, probability = node.actions[a], float(node.strategy[place, a])
    ev = _number(node.action_evs[place, a])
    here = reading.spot.node(node.line)
    assert isinstance(here, Decision)
    if not isinstance(here.after[a], Decision):
        called = 0 if action in ("fold", "check") else _to_call(reading, node)
        return Option(action, probability, ev, called, ())
    after = reading.at(*node.line, action)
    cost = after.pot - node.pot
    answers = () if ev is None else tuple(_answers(reading, node, after, place, ev + cost))
    return Option(action, probability, ev, cost, answers)


def _to_call(reading: Reading, node: NodeView) -> int:
    """The chips that a call puts in."""
    from regretlab.endgames.lines import find

    paid = find(reading.spot, reading.form.layout, node.line).paid
    return paid[1 - node.player] - paid[node.player]


def _answers(reading: Reading, node: NodeView, after: NodeView, place: int, worth: float) -> Iterator[Answer]:
    """What the other player does after an action, of which the hand expects ``worth`` from there on.

    At most one answer leads to no decision and is no fold: a call or a check, after which a card comes or hands are
    shown. What that is worth is what is left of the sum.
    """
    player, name = node.player, str(node.cards[place])
    decision = reading.spot.node(after.line)
    assert isinstance(decision, Decision)
    masses = _masses(reading, after)
    goes = np.array([not _shares_card(name, other) for other in after.cards.tolist()])
    chances = (masses[goes, None] * after.strategy[goes]).sum(axis=0) / masses[goes].sum()
    known: dict[int, float] = {}
    for b, follows in enumerate(decision.after):
        if isinstance(follows, Fold):
            known[b] = after.pot - float(follows.rake)
        elif isinstance(follows, Decision) and chances[b] > 0:
            side = reading.at(*after.line, after.actions[b]).sides[player]
            known[b] = float(side.ev[side.cards == name][0])
    left = worth - sum(float(chances[b]) * value for b, value in known.items())
    for b, action in enumerate(after.actions):
        chance, all_ = float(chances[b]), float((masses * after.strategy[:, b]).sum())
        gone = float((masses[~goes] * after.strategy[~goes, b]).sum())
        ev = known.get(b, left / chance if chance > 0 else None) if chance > 0 else None
        yield Answer(action, chance, after.frequencies[action], gone / all_ if all_ > 0 else 0.0, ev)


def _masses(reading: Reading, node: NodeView) -> Floats:
    """How much each hand of the player who acts weighs here: its weight in the range times its reach."""
    spot, player = reading.spot, node.player
    weights = dict(zip(spot.hands(player), spot.hand_weights(player).tolist(), strict=True))
    held: NDArray[np.float64] = np.array([weights[name] for name in node.cards.tolist()])
    return held * node.sides[player].reach


def _shares_card(one: str, other: str) -> bool:
    return bool({one[:2], one[2:]} & {other[:2], other[2:]})


def _number(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
