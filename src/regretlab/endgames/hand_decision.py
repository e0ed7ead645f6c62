"""Why a hand does what it does: what each action earns, as a sum over what the other player answers with which part of
the range."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regretlab.endgames.betting import Decision, Fold, Node, Showdown
from regretlab.endgames.cards import hand_name, hand_of, read_cards
from regretlab.endgames.hand_kinds import kinds_of
from regretlab.endgames.node_view import NodeView
from regretlab.endgames.ranges import class_of
from regretlab.endgames.reader import Reading
from regretlab.endgames.strengths import strengths
from regretlab.errors import UserError, unknown
from regretlab.forms.kernel import Floats


@dataclass(frozen=True)
class Shown:
    """Hands are shown: how often one is ahead of what the other player has then, level with it and behind."""

    ahead: float
    level: float
    behind: float
    pot: float
    """What who wins gets, in chips: the pot less rake."""

    @property
    def ev(self) -> float:
        """What that is worth."""
        return (self.ahead + self.level / 2) * self.pot


@dataclass(frozen=True)
class Blocked:
    """Hands of the other player that share a card with the own one: a field of the usual grid."""

    field: str
    gone: float
    """The part of the field, as it gets here, that can't be there."""
    share: float
    """How much of all that gets here that part is."""


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
    kinds: tuple[tuple[str, float], ...] = ()
    """With which kinds of hands the other player does so, the most frequent first, and their parts of the answer."""
    shown: Shown | None = None
    """Where hands are shown then."""


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
    shown: Shown | None = None
    """Where hands are shown then."""


@dataclass(frozen=True)
class HandDecision:
    """A hand at a decision."""

    hand: str
    node: NodeView
    options: tuple[Option, ...]
    equity: float | None
    ev: float | None
    locked: bool = False
    """Whether it does what a lock says, whatever that earns."""
    blocked: tuple[Blocked, ...] = ()
    """Which of the other player's hands it blocks, those first that would be there most."""

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
    others = _Others(reading, node, 1 - node.player, name)
    lock = reading.spot.lock_at(node.line)
    held = lock is not None and lock.probabilities[reading.spot.hands(node.player).index(name)] is not None
    worth = _number(node.equity[place]), _number(node.ev[place])
    return HandDecision(name, node, options, *worth, held, others.blocked())


def _option(reading: Reading, node: NodeView, place: int, a: int) -> Option:
    """An action of the hand at a place, with all that may follow."""
    action, probability = node.actions[a], float(node.strategy[place, a])
    ev = _number(node.action_evs[place, a])
    if action == "fold" and ev is not None:
        ev = 0.0  # without what rounding has left of it
    here = reading.spot.node(node.line)
    assert isinstance(here, Decision)
    follows = here.after[a]
    if not isinstance(follows, Decision):
        called = 0 if action in ("fold", "check") else _to_call(reading, node)
        others = _Others(reading, node, 1 - node.player, str(node.cards[place]))
        return Option(action, probability, ev, called, (), others.shown(follows) if ev is not None else None)
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
    others = _Others(reading, after, after.player, name)
    masses, goes = others.masses, others.goes
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
        often = after.strategy[:, b]
        more = (others.kinds(often), others.shown(decision.after[b], often)) if chance > 0 else ()
        yield Answer(action, chance, after.frequencies[action], gone / all_ if all_ > 0 else 0.0, ev, *more)


class _Others:
    """The other player's hands at a node, against a hand."""

    def __init__(self, reading: Reading, node: NodeView, player: int, hand: str) -> None:
        self.spot, self.node, self.hand = reading.spot, node, hand
        side = node.sides[player]
        self.cards: list[str] = side.cards.tolist()
        weights = dict(zip(self.spot.hands(player), self.spot.hand_weights(player).tolist(), strict=True))
        self.masses: Floats = np.array([weights[name] for name in self.cards]) * side.reach
        """How much each weighs here: its weight in the range times its reach."""
        self.goes = np.array([not _shares_card(hand, other) for other in self.cards])
        """Which can be there."""

    def kinds(self, often: Floats) -> tuple[tuple[str, float], ...]:
        """Which kinds of hands do something that each does so often, the most frequent first."""
        found: defaultdict[str, float] = defaultdict(float)
        board = read_cards(self.node.board)
        masses = self.masses * often * self.goes
        for name, mass in zip(self.cards, masses.tolist(), strict=True):
            if mass > 0:
                found[kinds_of(hand_of(*read_cards(name)), board)[0]] += mass
        most = sorted(found.items(), key=lambda each: -each[1])
        return tuple((kind, mass / float(masses.sum())) for kind, mass in most)

    def shown(self, follows: Node, often: Floats | float = 1.0) -> Shown | None:
        """What showing hands comes to against those that do something so often; None where none are shown yet."""
        masses = self.masses * often * self.goes
        total = float(masses.sum())
        if not isinstance(follows, Showdown) or total <= 0:
            return None
        board = read_cards(self.node.board)
        mine, *theirs = strengths(board, [hand_of(*read_cards(name)) for name in (self.hand, *self.cards)]).tolist()
        ahead, level = (float(masses[by].sum()) / total for by in (np.less(theirs, mine), np.equal(theirs, mine)))
        pot = self.spot.pot + 2 * follows.matched - float(follows.rake)
        return Shown(ahead, level, max(0.0, 1 - ahead - level), pot)

    def blocked(self) -> tuple[Blocked, ...]:
        """Which fields of the grid the hand blocks."""
        whole: defaultdict[str, float] = defaultdict(float)
        gone: defaultdict[str, float] = defaultdict(float)
        for name, mass, goes in zip(self.cards, self.masses.tolist(), self.goes.tolist(), strict=True):
            field = str(class_of(hand_of(*read_cards(name))))
            whole[field] += mass
            gone[field] += 0.0 if goes else mass
        total = sum(whole.values())
        most = sorted(gone.items(), key=lambda each: -each[1])
        return tuple(Blocked(field, mass / whole[field], mass / total) for field, mass in most if mass > 0)


def _shares_card(one: str, other: str) -> bool:
    return bool({one[:2], one[2:]} & {other[:2], other[2:]})


def _number(number: float) -> float | None:
    return float(number) if np.isfinite(number) else None
