"""A person who plays a solved spot against its solution, hand by hand, and what each decision was worth.

Everything is judged by what the person knew, as at a card table. Against a fixed strategy the person's game is a
decision problem of one: with Q(I, a) what the own hand expects after action a and best play from there on, over the
hands that the other player may hold there, and V(I) = max Q(I, ·),

- a decision *loses* V(I) − Q(I, a) ≥ 0;
- *luck* is what happens between decisions: the cards that are dealt and turned up, what the other player chooses, what
  is shown in the end. Each changes the value of the own hand, by 0 on average, whatever the person does;
- the result of a hand is V(before the deal) − all losses + all luck, exactly.

Chips are counted as everywhere in endgames: from the beginning of the spot on, the pot for who wins it.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from regretlab.endgames import Deal, Decision, Fold, NodeView, Reading, kinds_of
from regretlab.endgames.cards import DECK, Hand, card_name, hand_name, read_cards
from regretlab.endgames.lines import paid
from regretlab.endgames.spot import PLAYERS
from regretlab.endgames.strengths import strengths
from regretlab.errors import UserError, unknown
from regretlab.forms.kernel import Floats
from regretlab.spec import positive, whole
from regretlab.watch.card_table import Account
from regretlab.watch.spots.shown import actions_shown

MOST_HANDS = 1_000
"""How many hands can be played at one table."""

MOST_TABLES = 8
"""How many tables are kept for a spot; any can be played again from its record."""

MOST_PLACES = 400
"""How many places are kept after they were judged: what begins a hand comes again and again."""

MOST_SEED = 2**32

MOST_MISTAKES = 50
"""How many mistakes are listed, the dearest first."""

OFTEN = 0.1
"""Who does what the solution does so often makes no mistake, even where that solution could do better itself."""

SEATS = (*PLAYERS, "alternate")

NEXT = "."
"""In place of an action in the record of a table: the next hand."""

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""In the record of a table, an action by its place among those of the decision."""

_SPOKEN = {"check": "checks", "bet": "bets", "fold": "folds", "call": "calls", "raise": "raises to"}

PARTS = ("deal", "cards", "choices", "showdown")
"""Kinds of luck: the own hand, cards that are turned up, what the other player chooses, the other hand in the end."""


@dataclass(frozen=True)
class Option:
    """One action that a person had."""

    action: str
    key: str
    kind: str
    chance: float  # how often the solution takes it with this hand
    worth: float | None  # what it is worth, in chips from here on; None where the solution never lets it come to this
    cost: float | None  # how much less than the best


@dataclass(frozen=True)
class JudgedMove:
    """What a person did, what the solution does there, and what it cost."""

    line: tuple[str, ...]
    hand: str
    pot: int
    action: str
    best: str
    options: tuple[Option, ...]
    loss: float
    loss_of_pot: float  # of the pot with which the spot begins
    mistake: bool  # whether it cost more than the solution is inexact, and the solution does it seldom


class Judged:
    """The solution, and every place with what a player is worth there who plays best; kept for a while."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.spot = reading, reading.spot
        self._places: OrderedDict[tuple[str, ...], NodeView] = OrderedDict()
        weights = [zip(self.spot.hands(p), self.spot.hand_weights(p).tolist(), strict=True) for p in (0, 1)]
        self._held: list[dict[str, float]] = [dict(each) for each in weights]

    def at(self, line: tuple[str, ...]) -> NodeView:
        """A decision."""
        node = self._places.pop(line, None) or self.reading.best_at(*line)
        self._places[line] = node
        if len(self._places) > MOST_PLACES:
            self._places.popitem(last=False)
        return node

    def value(self, line: tuple[str, ...], player: int, hand: str) -> float:
        """What a hand is worth at a decision of either player, in chips since the spot began."""
        side = self.at(line).sides[player]
        return float(side.ev[_place(side.cards, hand)]) - paid(line)[player]

    def before(self, player: int) -> float:
        """What a player is worth before any hand is dealt."""
        side = self.at(()).sides[player]
        return side.mean(side.ev)

    def answered(self, line: tuple[str, ...], action: str, player: int, hand: str) -> float:
        """What a hand is worth after the other player has acted at a line, and betting on the street is over.

        No other action of that decision does this, so it is what is left of the value before the action.
        """
        node = self.at(line)
        left = self.value(line, player, hand)
        chances = self._chances(node, hand)
        mine = chances[node.actions.index(action)]
        for other, chance in zip(node.actions, chances.tolist(), strict=True):
            after = (*line, other)
            if other != action and chance > 0:
                there = self.spot.node(after)
                known = self.folded(after, there, player) if isinstance(there, Fold) else None
                left -= chance * (self.value(after, player, hand) if known is None else known)
        return float(left / mine)

    def _chances(self, node: NodeView, hand: str) -> Floats:
        """How probable each action of the player who acts is to the other one, who holds a hand."""
        cards = node.cards.tolist()
        held = np.array([self._held[node.player][name] for name in cards]) * node.sides[node.player].reach
        held[[_shares_card(hand, name) for name in cards]] = 0.0
        chances: Floats = held @ node.strategy / held.sum()
        return chances

    def folded(self, line: tuple[str, ...], end: Fold, player: int) -> float:
        """What a player has in the end where somebody has folded."""
        own = paid(line)[player]
        return self.spot.pot + sum(paid(line)) - float(end.rake) - own if end.winner == player else -float(own)


def _place(cards: Any, hand: str) -> int:
    """The place of a hand among others."""
    return int(np.flatnonzero(cards == hand)[0])


def _shares_card(one: str, other: str) -> bool:
    return bool({one[:2], one[2:]} & {other[:2], other[2:]})


@dataclass
class SpotHand:
    """One hand, as far as it has gone."""

    number: int
    seat: int
    cards: tuple[Hand, Hand]
    line: tuple[str, ...] = ()
    runout: tuple[str, ...] = ()  # cards that came after betting was over
    worth: float = 0.0  # what the own hand is worth now
    moves: list[dict[str, Any]] = field(default_factory=list)
    decisions: list[JudgedMove] = field(default_factory=list)
    habits: list[dict[str, Any]] = field(default_factory=list)  # what the solution does with the other hand
    luck: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))


class SpotTable:
    """A person at a solved spot, the hand that is being played, and the account.

    The seed and ``record``, what the person has done, are all that it takes to have the same table again.
    """

    def __init__(self, judged: Judged, exact: float, seats: str, seed: int) -> None:
        if seats not in SEATS:
            raise unknown("seats", seats, SEATS)
        self.judged, self.spot, self.exact, self.seats, self.seed = judged, judged.spot, exact, seats, seed
        self.account = Account()
        self.luck = dict.fromkeys(PARTS, 0.0)
        self.mistakes: list[tuple[int, JudgedMove]] = []
        self.record = ""
        self._deal()

    def go_on(self, record: str) -> bool:
        """Do what is in a record; False where it does not fit, because the solution has changed since."""
        for letter in record:
            acts = () if self.over else self.judged.at(self.hand.line).actions
            if (letter == NEXT) != self.over or (acts and _LETTERS.find(letter) not in range(len(acts))):
                return False
            if self.over:
                self.deal()
            else:
                self.act(_LETTERS.index(letter))
        return True

    def deal(self) -> None:
        """Deal the next hand."""
        if len(self.account.results) >= MOST_HANDS:
            raise UserError(f"this table has seen {MOST_HANDS:,} hands; begin a new one")
        self.record += NEXT
        self._deal()

    def _deal(self) -> None:
        """Deal a hand; its cards and the choices of the solution in it depend on the seed and on its number alone."""
        number = len(self.account.results) + 1
        seat = (number - 1) % 2 if self.seats == "alternate" else PLAYERS.index(self.seats)
        self.random = np.random.default_rng([self.seed, number])
        root, hands = self.judged.at(()), self.spot.cards(1)
        likely = root.sides[0].weights  # how much each hand weighs with all hands of the other player that go with it
        name = str(root.sides[0].cards[self._drawn(likely)])
        zero: Hand = read_cards(name)  # type: ignore[assignment]
        free = np.array([not set(zero) & set(hand) for hand in hands])
        one = hands[self._drawn(self.spot.hand_weights(1) * free)]
        self.hand = SpotHand(number, seat, (zero, one))
        self.hand.worth = self.judged.before(seat)
        self._becomes("deal", self.judged.value((), seat, self.own))
        self._go_on()

    def _drawn(self, weights: Floats) -> int:
        return int(self.random.choice(len(weights), p=weights / weights.sum()))

    @property
    def own(self) -> str:
        """The person's hand."""
        return hand_name(self.hand.cards[self.hand.seat])

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return not isinstance(self.spot.node(self.hand.line), Decision)

    def act(self, choice: int) -> None:
        """Make the person's move, and everything that follows until it is the person's turn again."""
        hand = self.hand
        move = self.judge(hand.line, self.own, choice)
        hand.decisions.append(move)
        if move.mistake:
            self.mistakes.append((hand.number, move))
        self.record += _LETTERS[choice]
        hand.worth -= move.loss
        self._move("you", move.action)
        self._go_on()

    def judge(self, line: tuple[str, ...], hand: str, choice: int) -> JudgedMove:
        """What an action of a hand costs."""
        node = self.judged.at(line)
        place = _place(node.cards, hand)
        known = [float(worth) if math.isfinite(worth) else None for worth in node.action_evs[place]]
        best = max((each for each in known if each is not None), default=math.nan)
        costs = [None if worth is None else best - worth for worth in known]
        options = tuple(
            Option(action["name"], action["key"], action["kind"], float(node.strategy[place, a]), known[a], costs[a])
            for a, action in enumerate(actions_shown(self.spot, node))
        )
        loss = costs[choice] or 0.0
        name = options[choice if loss == 0 else known.index(best)].action
        chosen = options[choice]
        mistake = loss > self.exact and chosen.chance < OFTEN
        return JudgedMove(line, hand, node.pot, chosen.action, name, options, loss, loss / self.spot.pot, mistake)

    def _becomes(self, part: str, worth: float) -> None:
        """Something that the person has not chosen has made the own hand worth so much."""
        if math.isfinite(worth):
            self.hand.luck[part] += worth - self.hand.worth
            self.hand.worth = worth

    def _go_on(self) -> None:
        """Let cards come and the solution act until it is the person's turn or the hand is over."""
        hand, spot = self.hand, self.spot
        while True:
            node = spot.node(hand.line)
            if isinstance(node, Decision) and node.player == hand.seat:
                return
            if isinstance(node, Decision):
                self._answer(node)
            elif isinstance(node, Deal) and isinstance(node.after, Decision):
                self._move("table", self._turn_up())
                self._becomes("cards", self.judged.value(hand.line, hand.seat, self.own))
            else:
                self._end()
                return

    def _answer(self, decision: Decision) -> None:
        """The solution acts."""
        hand, before, other = self.hand, self.hand.line, 1 - self.hand.seat
        node = self.judged.at(before)
        chances = node.strategy[_place(node.cards, hand_name(hand.cards[other]))]
        action = decision.actions[self._drawn(chances)]
        rows = zip(actions_shown(self.spot, node), chances.tolist(), strict=True)
        mix = [{**{key: each[key] for key in ("name", "key", "kind")}, "chance": chance} for each, chance in rows]
        hand.habits.append({"line": list(before), "action": action, "mix": mix})
        self._move("other", action)
        after = self.spot.node(hand.line)
        if isinstance(after, Decision):
            worth = self.judged.value(hand.line, hand.seat, self.own)
        elif isinstance(after, Fold):
            worth = self.judged.folded(hand.line, after, hand.seat)
        else:
            worth = self.judged.answered(before, action, hand.seat, self.own)
        self._becomes("choices", worth)

    def _turn_up(self) -> str:
        """A card that is neither on the board nor in a hand."""
        hand = self.hand
        gone = {*self._board(), *hand.cards[0], *hand.cards[1]}
        left = [card for card in range(DECK) if card not in gone]
        return card_name(left[int(self.random.integers(len(left)))])

    def _board(self) -> tuple[int, ...]:
        return (*self.spot.board_after(self.hand.line), *map(_card, self.hand.runout))

    def _end(self) -> None:
        """Turn up what is left, show the hands, and write down what this hand has brought."""
        hand, end = self.hand, self.spot.node(self.hand.line)
        while isinstance(end, Deal):
            card = self._turn_up()
            hand.runout = (*hand.runout, card)
            hand.moves.append({"who": "table", "action": card, "words": ""})
            end = end.after
        if isinstance(end, Fold):
            result = self.judged.folded(hand.line, end, hand.seat)
        else:
            assert not isinstance(end, Decision)
            own = paid(hand.line)[hand.seat]
            result = self._share() * (self.spot.pot + 2 * own - float(end.rake)) - own
        self._becomes("showdown", result)
        self.account.results.append(result)
        self.account.expected.append(self.judged.before(hand.seat))
        self.account.losses.append(math.fsum(move.loss for move in hand.decisions))
        for part, luck in hand.luck.items():
            self.luck[part] += luck

    def _share(self) -> float:
        """The person's part of the pot when both show their hands."""
        mine, theirs = (self.hand.cards[player] for player in (self.hand.seat, 1 - self.hand.seat))
        one, other = strengths(self._board(), [mine, theirs]).tolist()
        return 0.5 if one == other else float(one > other)

    def _move(self, who: str, action: str) -> None:
        hand = self.hand
        hand.line = (*hand.line, action)
        hand.moves.append({"who": who, "action": action, "words": "" if who == "table" else self._said(who, action)})

    def _said(self, who: str, action: str) -> str:
        """A move in words."""
        if who == "you":
            return f"You {action.replace('raise', 'raise to')}"
        kind, *chips = action.split()
        return " ".join([PLAYERS[1 - self.hand.seat].upper(), _SPOKEN[kind], *chips])

    # What is shown.

    def view(self, big_blind: float) -> dict[str, Any]:
        """What the person may see; the other hand only when this one is over."""
        account = self.account.as_dict()
        mistakes = sorted(self.mistakes, key=lambda each: -each[1].loss)[:MOST_MISTAKES]
        return {
            "seats": self.seats,
            "seed": self.seed,
            "record": self.record,
            "big_blind": big_blind,
            "exact": self.exact,
            "exact_of_pot": self.exact / self.spot.pot,
            "pot": self.spot.pot,
            "hand": self._hand_shown() | {"pot_in_blinds": self._pot / big_blind},
            "account": account
            | {
                "result_in_blinds": account["result"] / big_blind,
                "luck_parts": dict(self.luck),
                "of_pot": _scaled(account["mean_loss"], 1 / self.spot.pot),
                "per_100": _scaled(account["mean_loss"], 100 / big_blind),
                "decisions": len(self.record.replace(NEXT, "")),
                "mistakes": len(self.mistakes),
            },
            "mistakes": [asdict(move) | {"number": number} for number, move in mistakes],
        }

    @property
    def _pot(self) -> int:
        """The chips on the table."""
        return self.spot.pot + sum(paid(self.hand.line))

    def _hand_shown(self) -> dict[str, Any]:
        hand, spot, board = self.hand, self.spot, self._board()
        node = spot.node(hand.line)
        put_in = paid(hand.line)
        shown: dict[str, Any] = {
            "number": hand.number,
            "seat": hand.seat,
            "cards": self.own,
            "kinds": list(kinds_of(hand.cards[hand.seat], board)),
            "board": hand_name(board),
            "started_with": len(spot.board),
            "line": list(hand.line),
            "pot": self._pot,
            "behind": [spot.stack - put_in[hand.seat], spot.stack - put_in[1 - hand.seat]],
            "moves": hand.moves,
            "over": self.over,
            "actions": [],
            "decisions": [asdict(move) for move in hand.decisions],
        }
        if isinstance(node, Decision):
            choices = actions_shown(spot, self.judged.at(hand.line))
            shown["actions"] = [{key: each[key] for key in ("name", "key", "kind")} for each in choices]
            return shown
        other = hand.cards[1 - hand.seat]
        return shown | {
            "other": hand_name(other),
            "other_kinds": list(kinds_of(other, board)),
            "told": self._told(node),
            "result": self.account.results[-1],
            "expected": self.account.expected[-1],
            "loss": self.account.losses[-1],
            "luck": self.account.luck[-1],
            "luck_parts": dict(hand.luck),
            "habits": hand.habits,
        }

    def _told(self, end: Any) -> str:
        """How the hand has ended, in words."""
        other = PLAYERS[1 - self.hand.seat].upper()
        if isinstance(end, Fold):
            return f"{other} folds: the pot is yours." if end.winner == self.hand.seat else "You fold."
        return {0.5: "Both hands are equal: the pot is shared.", 1.0: "Your hand wins."}.get(
            self._share(), f"{other}’s hand wins."
        )


def _card(name: str) -> int:
    return read_cards(name)[0]


def _scaled(mean: dict[str, float | None], factor: float) -> dict[str, float | None]:
    return {key: None if number is None else number * factor for key, number in mean.items()}


def usual_big_blind(pot: int, stack: int) -> float:
    """The big blind with which both began with a hundred of them, in two digits: what most people play.

    >>> usual_big_blind(55, 975), usual_big_blind(200, 900), usual_big_blind(100, 100)
    (10.0, 10.0, 1.5)
    """
    return float(f"{(pot / 2 + stack) / 100:.2g}")


class Training:
    """The tables at one solved spot; each is found again by its seed, or played again from its record."""

    def __init__(self, reading: Reading, exact: float) -> None:
        self.reading, self.exact = reading, exact
        self._judged = Judged(reading)
        self._tables: OrderedDict[tuple[str, int], SpotTable] = OrderedDict()

    def shown(self, order: dict[str, Any]) -> dict[str, Any]:
        """The table that an order speaks of, after what its record says; a table that is not known yet is new."""
        seats, record = str(order.get("seats", "alternate")), str(order.get("record", ""))
        seed = whole("seed", order.get("seed", 0), least=0, most=MOST_SEED)
        spot = self.reading.spot
        given = order.get("big_blind")
        big_blind = float(
            positive("big_blind", usual_big_blind(spot.pot, spot.stack) if given in (None, "") else given)
        )
        table = self._tables.pop((seats, seed), None)
        if table is None or not record.startswith(table.record):
            table = SpotTable(self._judged, self.exact, seats, seed)
        self._tables[seats, seed] = table
        if len(self._tables) > MOST_TABLES:
            self._tables.popitem(last=False)
        fits = table.go_on(record[len(table.record) :])
        said = (
            ""
            if fits
            else f"the solution has changed and plays another way: the account ends at hand {table.hand.number:,}"
        )
        return table.view(big_blind) | {"said": said}
