"""A card table: a person against a bot, hand by hand, and what each decision was worth.

Everything is judged by what the person knew. Against a fixed bot the person's game is a decision problem of one: with
Q(I, a) the expected result of action a at information set I and of best play after it, over the hands that the bot may
hold there, and V(I) = max Q(I, ·),

- a decision *loses* V(I) − Q(I, a) ≥ 0;
- *luck* is what happens between decisions, V(next) − Q(I, a): its expectation is 0, whatever the person does;
- the result of a hand is V(before the deal) − all losses + all luck, exactly.

So the losses alone tell how well somebody plays, and the sum of the squares of luck how far luck goes astray.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from regretlab.errors import UserError, unknown
from regretlab.evaluation import best_response
from regretlab.forms import Strategy
from regretlab.games import CHANCE, TERMINAL, Kuhn, Leduc
from regretlab.games.kuhn import spoken_chips
from regretlab.games.public import UNDEALT, Deal

MOST_HANDS = 2_000
"""How many hands can be played at one table."""

ROUNDING = 1e-12
"""Two actions whose worth differs by less are equally good."""

SEATS = ("1", "2", "alternate")

NEXT = "n"
"""In place of an action in the record of a table: the next hand."""

_SPOKEN = {"check": "checks", "bet": "bets", "fold": "folds", "call": "calls", "raise": "raises"}
_RANKS = {"J": "Jack", "Q": "Queen", "K": "King"}
_DONE = {"c": "checked", "b": "bet", "r": "raised"}
_FACED = {"": "first to act", "c": "after a check", "b": "facing a bet", "r": "facing a raise"}


@dataclass(frozen=True)
class JudgedDecision:
    """What a person did at one information set, and what else could have been done: all that is shown of it later."""

    words: str
    action: str
    best: str
    worth: dict[str, float]  # Q(I, a): the expected result of each action in chips, played well afterwards
    loss: float  # what a best response would have won more, in chips
    hands: dict[str, float]  # the cards that the bot may have held, as probable as its play had made them


class Judge:
    """Tells what each decision of the person in one seat is worth against the bot's strategy."""

    def __init__(self, rules: Kuhn | Leduc, strategy: Strategy, seat: int) -> None:
        self.rules, self.strategy, self.seat = rules, strategy, seat
        self.best = best_response(strategy.form, strategy, seat)
        self.reach: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._walk(rules.root(), 1.0)

    def _walk(self, state: Deal, reach: float) -> None:
        """Add up how probable chance and the bot make it that the person decides at each label, by the bot's card."""
        player = self.rules.player(state)
        if player == TERMINAL or not reach:
            return
        chances = [1.0] * len(self.rules.actions(state))
        if player == CHANCE:
            chances = [float(chance) for chance in self.rules.chance(state)]
        elif player == self.seat:
            self.reach[self.rules.label(state)][self.rules.card(state[1 - self.seat])] += reach
        else:
            chances = list(self.strategy[self.rules.label(state)].values())
        for action, chance in enumerate(chances):
            self._walk(self.rules.child(state, action), reach * chance)

    def decision(self, label: str, action: str, words: str = "") -> JudgedDecision:
        """Judge ``action`` at ``label``; ``words`` say for people where that is."""
        total = sum(self.reach[label].values())
        worth = {name: value / total for name, value in self.best.action_values[label].items()}
        best = max(worth, key=worth.__getitem__)
        if math.isclose(worth[action], worth[best], rel_tol=ROUNDING, abs_tol=ROUNDING):
            best = action  # only rounding speaks for another one
        hands = {card: reach / total for card, reach in self.reach[label].items()}
        return JudgedDecision(words, action, best, worth, worth[best] - worth[action], hands)


@dataclass
class DealtHand:
    """One hand, as far as it has gone."""

    number: int
    seat: int
    state: Deal
    moves: list[dict[str, Any]] = field(default_factory=list)
    decisions: list[JudgedDecision] = field(default_factory=list)
    habits: list[dict[str, Any]] = field(default_factory=list)  # what the bot does there with each card


@dataclass
class Account:
    """What the hands brought, in chips."""

    results: list[float] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)  # of a best response, before the deal
    losses: list[float] = field(default_factory=list)

    @property
    def luck(self) -> list[float]:
        """Of each hand, the part of the result that neither the seat nor the decisions brought."""
        rows = zip(self.results, self.expected, self.losses, strict=True)
        return [result - expected + loss for result, expected, loss in rows]

    def as_dict(self) -> dict[str, Any]:
        """Sums in chips; ``error`` of luck is its typical size, that of a mean its standard error."""
        earned = [expected - loss for expected, loss in zip(self.expected, self.losses, strict=True)]
        return {
            "hands": len(self.results),
            "result": math.fsum(self.results),
            "expected": math.fsum(self.expected),
            "lost": -math.fsum(self.losses),
            "earned": math.fsum(earned),
            "luck": math.fsum(self.luck),
            "luck_error": math.hypot(*self.luck),
            "mean_result": _mean_and_error(self.results),
            "mean_earned": _mean_and_error(earned),
            "mean_loss": _mean_and_error(self.losses),
            "history": [_running(self.results), _running(earned)],
        }


def _mean_and_error(numbers: list[float]) -> dict[str, float | None]:
    """The mean and its standard error; None where there are too few numbers."""
    count = len(numbers)
    mean = math.fsum(numbers) / count if count else None
    error = float(np.std(numbers, ddof=1)) / math.sqrt(count) if count > 1 else None
    return {"mean": mean, "error": error}


def _running(numbers: list[float]) -> list[list[float]]:
    """Sums so far as points for a chart, at most about 400 of them."""
    sums = np.cumsum([0.0, *numbers])
    stride = max(1, len(sums) // 400)
    shown = sorted({*range(0, len(sums), stride), len(sums) - 1})
    return [[float(n), float(sums[n])] for n in shown]


class CardTable:
    """A person and a bot, the hand that is being played, and the account.

    The seed and ``record``, what the person has done, are all that it takes to have the same table again.
    """

    def __init__(self, rules: Kuhn | Leduc, strategy: Strategy, seats: str, seed: int) -> None:
        if seats not in SEATS:
            raise unknown("seat", seats, SEATS)
        self.rules, self.strategy, self.seats, self.seed = rules, strategy, seats, seed
        self.judges: dict[int, Judge] = {}
        self.account = Account()
        self.record = ""  # the first letter of each action, and n for each next hand
        self._deal()

    def replay(self, record: str) -> bool:
        """Do once more what the person did at a table like this; False where that ends too early.

        It does if the bot has learned something else meanwhile, and so plays another way.
        """
        for letter in record:
            names = [] if self.over else [name for name in self.rules.actions(self.hand.state) if name[0] == letter]
            if self.over != (letter == NEXT) or not (self.over or names):
                return False
            if self.over:
                self.deal()
            else:
                self.act(names[0])
        return True

    def deal(self) -> None:
        """Deal the next hand, after the last one is over."""
        if not self.over:
            raise UserError("this hand is not over yet; play it to its end")
        if len(self.account.results) >= MOST_HANDS:
            raise UserError(f"this table has seen {MOST_HANDS:,} hands; begin a new one")
        self.record += NEXT
        self._deal()

    def _deal(self) -> None:
        """Deal a hand whose cards, and the bot's coin flips in it, depend on the seed and on its number alone."""
        number = len(self.account.results) + 1
        seat = (number - 1) % 2 if self.seats == "alternate" else int(self.seats) - 1
        self.random = np.random.default_rng([self.seed, number])
        self.hand = DealtHand(number, seat, self.rules.root())
        self.judge = self.judges.setdefault(seat, Judge(self.rules, self.strategy, seat))
        self._go_on()

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.rules.player(self.hand.state) == TERMINAL

    @property
    def result(self) -> Fraction:
        """What the person won in this hand."""
        return Fraction(self.rules.payoff(self.hand.state)) * (1 - 2 * self.hand.seat)

    def act(self, action: str) -> None:
        """Make the person's move, and everything that follows until it is the person's turn again."""
        if self.over:
            raise UserError("this hand is over; ask for the next one")
        names = self.rules.actions(self.hand.state)
        if action not in names:
            raise unknown("action", action, names)
        label, words = self.rules.label(self.hand.state), situation(self.rules, self.hand.state)
        self.hand.decisions.append(self.judge.decision(label, action, words))
        self.record += action[0]
        self._move("you", list(names).index(action))
        self._go_on()

    def _go_on(self) -> None:
        """Let chance and the bot move until it is the person's turn or the hand is over, and note what it brought."""
        rules, hand, bot = self.rules, self.hand, 1 - self.hand.seat
        while (player := rules.player(hand.state)) not in (hand.seat, TERMINAL):
            if player == CHANCE:
                who, chances = "table", [float(chance) for chance in rules.chance(hand.state)]
            else:
                who, chances = "bot", list(self.strategy[rules.label(hand.state)].values())
                habits = {}  # what the bot does here with each card that it might hold
                for rank in range(3):
                    label = rules.knows(bot, rank, hand.state.public)
                    if label in self.strategy:
                        habits[rules.card(rank)] = self.strategy[label]
                words, card = situation(rules, hand.state), rules.card(hand.state[bot])
                hand.habits.append({"words": words, "held": card, "strategy": habits})
            self._move(who, int(self.random.choice(len(chances), p=chances)))
        if self.over:
            self.account.results.append(float(self.result))
            self.account.expected.append(self.judge.best.value)
            self.account.losses.append(math.fsum(decision.loss for decision in self.hand.decisions))

    def _move(self, who: str, action: int) -> None:
        name = self.rules.actions(self.hand.state)[action]
        before, self.hand.state = self.hand.state, self.rules.child(self.hand.state, action)
        if who == "table":
            if _public_card(self.rules, before) != _public_card(self.rules, self.hand.state):
                self.hand.moves.append({"who": who, "words": f"The {_RANKS.get(name, name)} is turned up"})
            return
        seat = self.hand.seat if who == "you" else 1 - self.hand.seat
        paid = stakes(self.rules, self.hand.state)[seat] - stakes(self.rules, before)[seat]
        words = f"You {name}" if who == "you" else f"The bot {_SPOKEN[name]}"
        self.hand.moves.append({"who": who, "action": name, "words": f"{words} {paid}" if paid else words})
        if who == "bot":
            self.hand.habits[-1]["action"] = name

    def view(self) -> dict[str, Any]:
        """What the person may see; the bot's card and habits only when the hand is over."""
        hand, rules, paid = self.hand, self.rules, stakes(self.rules, self.hand.state)
        choices = []  # what the person can do, with the chips that it takes
        for k, name in enumerate([] if self.over else rules.actions(hand.state)):
            cost = stakes(rules, rules.child(hand.state, k))[hand.seat] - paid[hand.seat]
            choices.append({"action": name, "words": f"{name.capitalize()} {cost}" if cost else name.capitalize()})
        shown: dict[str, Any] = {
            "number": hand.number,
            "seat": hand.seat + 1,
            "card": rules.card(hand.state[hand.seat]),
            "public": _public_card(rules, hand.state),
            "paid": [str(paid[hand.seat]), str(paid[1 - hand.seat])],
            "pot": str(sum(paid)),
            "moves": hand.moves,
            "over": self.over,
            "words": "" if self.over else situation(rules, hand.state),
            "actions": choices,
        }
        if self.over:
            shown |= {
                "bot_card": rules.card(hand.state[1 - hand.seat]),
                "result": float(self.result),
                "told": tell_end(rules, hand.state, hand.seat),
                "expected": self.judge.best.value,
                "loss": self.account.losses[-1],
                "luck": self.account.luck[-1],
                "decisions": [asdict(decision) for decision in hand.decisions],
                "bot": hand.habits,
            }
        return {"seats": self.seats, "hand": shown, "account": self.account.as_dict()}


def stakes(rules: Kuhn | Leduc, state: Deal) -> list[Fraction]:
    """What each player has put in so far."""
    rounds = (
        [(state.public, rules.bet)]
        if isinstance(rules, Kuhn)
        else [(state.public.first, rules.first_bet), (state.public.second, rules.second_bet)]
    )
    paid = [rules.ante, rules.ante]
    for moves, size in rounds:
        for k, letter in enumerate(moves):
            if letter != "f":
                paid[k % 2] = max(paid) + (size if letter in "br" else 0)
    return paid


def situation(rules: Kuhn | Leduc, state: Deal) -> str:
    """What the player whose turn it is holds and faces, in words: 'King, checked, facing a bet'."""
    if isinstance(rules, Kuhn):
        return rules.meaning(rules.label(state))
    held, public = _held(rules, state, rules.player(state)), _public_card(rules, state)
    shown = [f"{_RANKS.get(public, public)} on the table"] if public and not held.startswith("pair") else []
    done = [_DONE[own] for own in state.public.moves[-2:-1]]
    return ", ".join([held[0].upper() + held[1:], *shown, *done, _FACED[state.public.moves[-1:]]])


def tell_end(rules: Kuhn | Leduc, state: Deal, seat: int) -> str:
    """How a hand ended, in words, to the person in ``seat``."""
    won = Fraction(rules.payoff(state)) * (1 - 2 * seat)
    chips = spoken_chips(abs(won))
    moves = state.public if isinstance(rules, Kuhn) else state.public.moves
    if moves[-1] == "f":
        return f"The bot folds: you win its {chips}." if won > 0 else f"You fold and lose your {chips}."
    if not won:
        return "Both have the same rank: the pot is split."
    mine, theirs = (_held(rules, state, player) for player in (seat, 1 - seat))
    if won > 0:
        return f"Your {mine} beats the bot’s {theirs}: you win {chips}."
    return f"The bot’s {theirs} beats your {mine}: you lose {chips}."


def _held(rules: Kuhn | Leduc, state: Deal, player: int) -> str:
    """A player's card in words; in Leduc poker it may pair with the one on the table."""
    card = rules.card(state[player])
    return f"pair of {_RANKS.get(card, card)}s" if card == _public_card(rules, state) else _RANKS.get(card, card)


def _public_card(rules: Kuhn | Leduc, state: Deal) -> str | None:
    """The card on the table, where there is one."""
    public = UNDEALT if isinstance(rules, Kuhn) else state.public.card
    return None if public == UNDEALT else rules.card(public)
