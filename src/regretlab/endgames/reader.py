"""Reads a strategy for a spot: what it is worth, and what happens at any node.

Reading a node does not walk the whole game. The blocks above it are opened to bring reach down, and only the node's own
block and what is below it are judged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from regretlab.documents.rows import Rows
from regretlab.endgames.cards import DECK, hand_name
from regretlab.endgames.lines import Step, awaits_card, find, free_cards, last_slot, node_after
from regretlab.endgames.node_view import NodeView, Side, weighted_mean
from regretlab.endgames.spot import PLAYERS, Spot
from regretlab.endgames.spot_form import SUITS
from regretlab.errors import UserError
from regretlab.evaluation import Evaluation, evaluate
from regretlab.evaluation.block_value import BEST, EXPECT, BlockJudge
from regretlab.forms import BlockForm, GameLike, Strategy, form_to_solve, read_strategy
from regretlab.forms.block_passes import Room
from regretlab.forms.block_walk import OPEN, WHOLE, places_in_room
from regretlab.forms.blocks import BlockEnding, BlockLayout, Link, Order, Shape, block_form
from regretlab.forms.kernel import Floats

LEAST_REACH = 1e-9
"""The share of the other player's reach that has to go with a hand. What is less may be rounding, because the reach of
hands that share a card is subtracted from that of all hands; it is taken for nothing."""

ROUNDING = 1e-12
"""Parts of the pot: an EV that is smaller is 0 but for the order of additions, as that of a fold is."""

_NAMES = np.array([[hand_name((high, low)) for low in range(DECK)] for high in range(DECK)], dtype=np.str_)
"""How hands are written, by their cards: a place has a thousand of them, and what every next card brings 48 places."""

Pair = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Reading:
    """Both players' strategies for a spot, to be asked what they do and what they are worth."""

    form: BlockForm
    strategy: Strategy

    @property
    def spot(self) -> Spot:
        """The spot."""
        assert isinstance(self.form.rules, Spot)
        return self.form.rules

    @cached_property
    def judged(self) -> Evaluation[float]:
        """Values and best responses; these count from half of the pot."""
        return evaluate(self.form, self.strategy)

    @property
    def evs(self) -> tuple[float, float]:
        """What each player expects, in chips; they sum to the pot, less rake."""
        return evs(self.spot, self.judged.values)

    @property
    def exploitability(self) -> float:
        """Half of what two best responders gain together, in chips."""
        return self.judged.exploitability

    @property
    def exploitability_of_pot(self) -> float:
        """The same in parts of the pot."""
        return self.exploitability / self.spot.pot

    @property
    def bracket(self) -> tuple[float, float] | None:
        """Two numbers between which player 0's EV in equilibrium lies; None with rake, where there may be several."""
        return bracket(self.spot, self.judged)

    @cached_property
    def equities(self) -> tuple[float, float]:
        """Both players' equities when the spot begins."""
        layout = self.form.layout
        held = everybody(layout, 0)
        zero, one = (weighted_mean(each, held.weights(p)) for p, each in enumerate(self._equity(held, 0, 0)))
        return zero, one

    def at(self, *line: str) -> NodeView:
        """What both players hold, do and expect after a line: ``at("check", "check", "8c", "bet 50")``.

        Any card that may come can be named: where suits were merged, the answer has them as in the line.
        """
        return self._at(line, EXPECT)

    def best_at(self, *line: str) -> NodeView:
        """The same, but each hand expects what it would if its owner alone played best from there on: what actions are
        worth against this strategy, whatever it would go on to do itself. No lock binds who plays best."""
        return self._at(line, BEST)

    def _at(self, line: Sequence[str], asked: int) -> NodeView:
        """What ``at`` and ``best_at`` say."""
        place = find(self.spot, self.form.layout, line)
        layout, (shape_number, number, _, entry) = self.form.layout, place.steps[-1]
        shape, acting, level = layout.shapes[shape_number], place.node.player, len(place.steps) - 1
        room = self._judged_at(place.steps, asked)

        def row(numbers: Floats, player: int, slot: int) -> Floats:
            return numbers[places_in_room(layout, room, player, level, shape_number, number, slot)]

        node = shape.lines[acting].index(place.done)
        slots = range(*shape.firsts[acting][node : node + 2])
        strategy = np.stack([row(room.strategy, acting, slot) for slot in slots])
        earned = np.stack([row(room.values, acting, slot) for slot in slots])
        # The other player has acted just before, or not at all in this block: all that this slot earns is earned here.
        before = [last_slot(shape, player, place.done, entry) for player in (0, 1)]
        worth = [row(room.values, player, before[player]) for player in (0, 1)]
        worth[acting] = earned.max(axis=0) if asked == BEST else (strategy * earned).sum(axis=0)
        held = _Held(layout.orders[layout.boards[number].order], *(row(room.plan, p, before[p]) for p in (0, 1)))
        equity = self._equity(held, level, number)
        spent = [self.spot.pot / 2 + paid for paid in place.paid]
        pot = self.spot.pot + sum(place.paid)
        names = [named(held.order.cards[player], place.suits) for player in (0, 1)]

        def chips(evs: Floats) -> Floats:
            return np.where(np.abs(evs) < ROUNDING * pot, 0.0, evs)

        zero, one = (
            Side(
                cards,
                held.reach(p)[by],
                held.weights(p)[by],
                chips(held.each(p, worth[p]) + spent[p])[by],
                equity[p][by],
            )
            for p, (cards, by) in enumerate(names)
        )
        whole, by = everybody(layout, number), names[acting][1]
        return NodeView(
            line=place.line,
            board=hand_name(self.spot.board_after(place.line)),
            player=acting,
            actions=place.node.actions,
            pot=pot,
            probability=_part(held.weights(0), whole.weights(0)),
            reach=(_part(held.mass(0), whole.mass(0)), _part(held.mass(1), whole.mass(1))),
            sides=(zero, one),
            strategy=strategy.T[by],
            action_evs=chips(held.each(acting, earned) + spent[acting]).T[by],
        )

    def cards(self, *line: str) -> Rows:
        """What each card comes to that may be turned up after a line, ``cards("check", "check")``: how probable it is,
        what both players expect then and would win of the pot, and how often who acts first takes which action."""
        node, words = node_after(self.spot, line)
        if not awaits_card(node):
            raise UserError(f"no card is turned up after '{', '.join(words)}'; name a line that ends a street")
        nodes = {card: self.at(*words, card) for card in free_cards(self.spot, words)}
        # A card is as probable as there are pairs of hands, by their reach, that leave it in the deck.
        weights = {card: float(view.sides[0].weights.sum()) for card, view in nodes.items()}
        total = sum(weights.values()) or math.nan
        rows = Rows()
        for card, view in nodes.items():
            found = {"probability": weights[card] / total}
            found |= {f"ev of {who}": ev for who, ev in zip(PLAYERS, view.evs, strict=True)}
            found |= {f"equity of {who}": equity for who, equity in zip(PLAYERS, view.equities, strict=True)}
            found |= view.frequencies
            rows.append({"card": card} | {key: None if math.isnan(each) else each for key, each in found.items()})
        return rows

    def _judged_at(self, steps: Sequence[Step], asked: int) -> Room:
        """A room in which the last of some blocks, each below the one before, has been judged."""
        if len(steps) == 1:
            return self._first_room(asked)
        layout, judge = self.form.layout, self._judge(asked)
        room = judge.state.room
        for level, (shape, number, slots, entry) in enumerate(steps):
            if level:
                above, board = steps[level - 1], layout.boards[number]
                for p in (0, 1):
                    reach = room.plan[places_in_room(layout, room, p, level - 1, above.shape, above.board, slots[p])]
                    place = places_in_room(layout, room, p, level, shape, number, entry)
                    room.plan[place] = reach[board.images[0][p]]
            last = level == len(steps) - 1
            judge.judge(asked, level, shape, number, parts=WHOLE if last else OPEN)
        return room

    def _equity(self, held: _Held, level: int, board: int) -> Pair:
        """The equity of each hand of both players on a board, by a walk without betting."""
        layout, judge = self._runouts.layout, self._runout_judge
        room = judge.state.room
        places = [places_in_room(layout, room, player, level, level, board) for player in (0, 1)]
        for player in (0, 1):
            room.plan[places[player]] = held.reach(player)
        judge.judge(EXPECT, level, level, board)
        return held.each(0, room.values[places[0]]), held.each(1, room.values[places[1]])

    def _first_room(self, asked: int) -> Room:
        """A room in which the first block has been judged, and all below it with it: who walks about before the first
        card waits for that once."""
        if asked not in self._first_rooms:
            judge = self._new_judge(asked)
            judge.judge(asked, 0, 0, 0, parts=WHOLE)
            self._first_rooms[asked] = judge.state.room
        return self._first_rooms[asked]

    def _judge(self, asked: int) -> BlockJudge:
        """Judges blocks, one at a time in the same room: nothing is left over from the one before."""
        if asked not in self._judges:
            self._judges[asked] = self._new_judge(asked)
        return self._judges[asked]

    def _new_judge(self, asked: int) -> BlockJudge:
        """A judge of the profile, or of best responses of players whom no lock binds."""
        return BlockJudge(self._free if asked == BEST else self.form, self.strategy.arrays)

    @cached_property
    def _first_rooms(self) -> dict[int, Room]:
        """The rooms of the first block, by what was asked for."""
        return {}

    @cached_property
    def _judges(self) -> dict[int, BlockJudge]:
        """The judges of all other blocks, by what they are asked for."""
        return {}

    @cached_property
    def _free(self) -> BlockForm:
        """The same game without locks: what is locked is in the strategy itself."""
        layout = self.form.layout
        shapes = [copy(shape) for shape in layout.shapes]
        for shape in shapes:
            shape.locks = []
        return block_form(self.form.rules, shapes, layout.boards, layout.orders) if self.spot.lock else self.form

    @cached_property
    def _runout_judge(self) -> BlockJudge:
        nothing = np.zeros(0, dtype=self.strategy.arrays[0].dtype)
        return BlockJudge(self._runouts, (nothing, nothing))

    @cached_property
    def _runouts(self) -> BlockForm:
        """The same boards without betting: all hands are shown in the end, for a pot of 1 of which each has half."""
        layout = self.form.layout
        last = len(layout.levels) - 1
        shapes = [Shape(level, entries=1) for level in range(last + 1)]
        for level in range(last):
            shapes[level].links.append(Link(level + 1, ((0, 0),)))
        shapes[last].endings.append(BlockEnding((0, 0), (0.5, 0.5), (0.5, 0.5)))
        return block_form(self.form.rules, shapes, layout.boards, layout.orders)


class _Held:
    """Both players' hands on a board, in the order of their strength, and how they get to a node."""

    def __init__(self, order: Order, zero: Floats, one: Floats) -> None:
        self.order = order
        self._reach = zero, one
        self._rivals = self._compatible(0), self._compatible(1)

    def reach(self, player: int) -> Floats:
        """How probable it is that a player plays to the node with each hand."""
        return self._reach[player]

    def mass(self, player: int) -> Floats:
        """The same times the weights in the range."""
        return self.order.weight[player] * self._reach[player]

    def weights(self, player: int) -> Floats:
        """How much each hand counts at the node."""
        return self.mass(player) * self.rivals(player)

    def rivals(self, player: int) -> Floats:
        """How much the other player's hands weigh here that go with each hand."""
        return self._rivals[player]

    def each(self, player: int, values: Floats) -> Floats:
        """What each hand gets, from counterfactual values, which are weighted with all that a pair of hands needs but
        the own reach; nan where no hand of the other player goes with it."""
        weights = self.order.likely[player] * self.rivals(player)
        found = np.full(values.shape, np.nan)
        np.divide(values, weights, out=found, where=weights > 0)
        return found

    def _compatible(self, player: int) -> Floats:
        """For each hand of a player how much the other player's hands weigh that share no card with it."""
        mine, theirs, mass = self.order.cards[player], self.order.cards[1 - player], self.mass(1 - player)
        by_card = np.bincount(theirs.ravel(), np.repeat(mass, 2), minlength=DECK)
        same = np.zeros((DECK, DECK))
        same[theirs[:, 0], theirs[:, 1]] = mass
        total = float(mass.sum())
        left = total - by_card[mine].sum(axis=1) + same[mine[:, 0], mine[:, 1]]
        return np.where(left > LEAST_REACH * total, left, 0.0)


def everybody(layout: BlockLayout, board: int) -> _Held:
    """All hands of a board, as if nobody had done anything."""
    order = layout.orders[layout.boards[board].order]
    return _Held(order, np.ones(len(order.cards[0])), np.ones(len(order.cards[1])))


def named(cards: NDArray[np.int16], suits: tuple[int, ...]) -> tuple[NDArray[np.str_], NDArray[np.int64]]:
    """How hands are written when suits are called so, and their places, the highest cards first."""
    called = np.sort(cards - cards % SUITS + np.array(suits)[cards % SUITS], axis=1)[:, ::-1]
    by = np.lexsort((-called[:, 1], -called[:, 0]))
    return _NAMES[called[by, 0], called[by, 1]], by


def _part(numbers: Floats, whole: Floats) -> float:
    """How much of a whole there is; 0 where that is nothing."""
    return float(numbers.sum() / whole.sum()) if whole.sum() > 0 else 0.0


def evs(spot: Spot, values: tuple[float, float]) -> tuple[float, float]:
    """What both expect of the pot, from payoffs that count from half of it."""
    return values[0] + spot.pot / 2, values[1] + spot.pot / 2


def bracket(spot: Spot, judged: Evaluation[float]) -> tuple[float, float] | None:
    """Two numbers between which player 0's EV in equilibrium lies, by the two best responses; None with rake."""
    if judged.other_value is not None:
        return None
    mine, theirs = judged.best_response_values
    return spot.pot / 2 - theirs, spot.pot / 2 + mine


def read(game: GameLike, strategy: Mapping[str, Mapping[str, float]]) -> Reading:
    """Read a strategy for a spot: what ``solve`` or ``Solution.load`` returned, or ``{label: {action: probability}}``.

    A dictionary may speak of all boards, or only of those that are left after suits have been merged.

    >>> from regretlab.endgames import holdem
    >>> spot = holdem(board="QsJh2h8d3c", pot=100, stack=100, oop="AA,55", ip="KK", bets="a", raises="")
    >>> honest = {f"{hand}": {"bet 100": 1} if hand[0] == "A" else {"check": 1} for hand in spot.hands(0)}
    >>> honest |= {f"{hand} check": {"check": 1} for hand in spot.hands(1)}
    >>> honest |= {f"{hand} check, bet 100": {"fold": 1} for hand in spot.hands(0)}
    >>> honest |= {f"{hand} bet 100": {"call": 1} for hand in spot.hands(1)}
    >>> reading = read(spot, honest)
    >>> reading.evs, reading.at("bet 100").equities
    ((100.0, 0.0), (1.0, 0.0))
    """
    form = form_to_solve(game)
    if not isinstance(form, BlockForm) or not isinstance(form.rules, Spot):
        raise UserError(f"{form.name} has no lines to read: that is for Hold'em endgames that are solved in blocks")
    given = getattr(strategy, "strategy", strategy)
    if isinstance(given, Strategy) and isinstance(given.form, BlockForm) and given.form.rules == form.rules:
        return Reading(given.form, given)
    if isinstance(given, Mapping) and form.rules.merge_suits and len(given) > form.infosets:
        form = replace(form.rules, merge_suits=False).blocks()
    return Reading(form, read_strategy(form, given))
