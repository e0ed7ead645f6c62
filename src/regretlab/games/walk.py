"""The one walk over a game: every history once, level by level, checked on the way.

Breadth-first order is what the arrays of ``forms`` rely on: a history comes after its parent, and the children of one
history stand next to each other. Information sets are numbered as they are met, so a player's information set comes
after the one that holds its own last action. The walk does not recurse.

Games have millions of histories, so nothing here is an object for each of them: a walk fills columns of small numbers,
and a state is let go as soon as its children are known. A history that ends the game gives its payoff when it is met
and never waits, because more than half of all histories do end it.

``check_game``, the public check of a game, is this walk and a few one-sided playouts before it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, repeat
from reprlib import repr as shortened
from typing import Any, NamedTuple

from regretlab.errors import GameError
from regretlab.games.protocol import CHANCE, TERMINAL, Game, HasSize, Number, is_finite, pays_each
from regretlab.games.public import PublicGame, check_hands, sound_ending, sound_outcomes
from regretlab.games.registry import as_rules
from regretlab.games.size import MOST_HISTORIES, Size
from regretlab.spec import LARGEST

CHANCE_TOLERANCE = 1e-9
"""How far probabilities given as floats may be from summing to 1; exact ones must sum to 1 exactly."""

MOST_EQUAL = 10_000
"""So many objects are kept beside those that they are equal to; some games make a new one for each history."""

LONGEST_PATH_SHOWN = 12
"""Moves of an offending history that its error spells out; a longer one is shortened in the middle."""


@dataclass(frozen=True, slots=True)
class Infoset:
    """All histories that look alike to the player who acts there."""

    player: int
    index: int  # among the player's information sets
    label: str
    actions: tuple[str, ...]


class Visit(NamedTuple):
    """One history, for those who look at histories one by one."""

    name: str  # of the action or outcome that led here
    probability: Number  # of that outcome where chance moved, else 1
    player: int  # whose turn it is here: 0, 1, CHANCE or TERMINAL
    infoset: Infoset | None  # where a player acts
    children: int
    payoff: Number  # player 0's, 0 where the game goes on
    theirs: Number  # player 1's


def walk(game: Game, limit: int = MOST_HISTORIES) -> Iterator[Visit]:
    """Yield every history of ``game``, parents before children and siblings together.

    Raises GameError, naming the history, where the game breaks a promise of the protocol.
    """
    columns = Walk(game, limit)
    infosets: list[Infoset] = []
    outcomes, endings, decisions = iter(columns.probability), iter(columns.payoff), iter(columns.infoset)
    numbers, by_chance = columns.numbers.values, deque([False])  # whether chance led to each history that waits
    for here in columns:
        player, children = columns.player[here], columns.children[here]
        by_chance.extend(repeat(player == CHANCE, children))
        if len(infosets) < len(columns.labels):
            label, number = next(reversed(columns.labels.items()))
            infosets.append(Infoset(player, columns.place[number], label, columns.actions[number]))
        paid = columns.paid(next(endings)) if player == TERMINAL else (0, 0)
        yield Visit(
            columns.names[here],
            numbers[next(outcomes)] if by_chance.popleft() else 1,
            player,
            infosets[next(decisions)] if player >= 0 else None,
            children,
            *paid,
        )


class Numbers:
    """Every number of a game once: most of many are equal, and to hash or to multiply fractions is slow."""

    def __init__(self) -> None:
        self.values: list[Number] = []
        # Most games return the same objects again and again. One that is found here by its address is kept alive, so
        # no other one can have it.
        self.by_address: dict[int, int] = {}
        self._equal: list[Number] = []
        self._by_value: dict[object, int] = {}
        self._products: dict[tuple[int, int], int] = {}

    def place(self, value: Number) -> int:
        """Where a number stands in ``values``."""
        known = self.by_address.get(id(value))
        if known is not None:
            return known
        # Floats are looked up by their digits: 1.0 is not the exact 1, and -0.0 is not 0.0.
        key = value.hex() if isinstance(value, float) else (type(value), value)
        known = self._by_value.get(key)
        if known is None:
            known = self._by_value[key] = self.by_address[id(value)] = len(self.values)
            self.values.append(value)
        elif len(self._equal) < MOST_EQUAL:
            self._equal.append(value)
            self.by_address[id(value)] = known
        return known

    def product(self, one: int, other: int) -> int:
        """The place of the product of the numbers at two places."""
        known = self._products.get((one, other))
        if known is None:
            known = self._products[one, other] = self.place(self.values[one] * self.values[other])
        return known


class Pairs:
    """Every pair of payoffs once, as the places of both in ``numbers``; for games that pay each player apart."""

    def __init__(self, numbers: Numbers) -> None:
        self.values: list[tuple[int, int]] = []
        self.by_address: dict[int, int] = {}  # as in ``Numbers``
        self._numbers = numbers
        self._kept: list[object] = []
        self._by_value: dict[tuple[int, int], int] = {}

    def place(self, pair: tuple[Number, Number]) -> int:
        """Where a pair stands in ``values``."""
        both = self._numbers.place(pair[0]), self._numbers.place(pair[1])
        known = self._by_value.get(both)
        if known is None:
            known = self._by_value[both] = len(self.values)
            self.values.append(both)
        if len(self._kept) < MOST_EQUAL:
            self._kept.append(pair)
            self.by_address[id(pair)] = known
        return known


class Walk:
    """A walk over a game, and what it has met so far, in columns.

    A history is met together with its siblings, when their parent is visited, and visited later, in the same order.
    Iterating visits one history after the other and gives its number.
    """

    def __init__(self, game: Game, limit: int = MOST_HISTORIES) -> None:
        self.game = game
        self.limit = limit
        self.numbers = Numbers()
        self.pairs = Pairs(self.numbers) if pays_each(game) else None
        # One entry for each history that was met.
        self.names: list[str] = [""]  # of the action or outcome that led there
        self.reach = array("I", [self.numbers.place(1)])  # the product of the chance probabilities on the way
        self.own = array("I", [0]), array("I", [0])  # each player's last sequence; 0 is the empty one
        self.player = array("b")  # whose turn it is there: 0, 1, CHANCE or TERMINAL
        # One entry for each history that was visited.
        self.children = array("I")  # how many it has
        # One entry for each history of one kind: that chance led to, that ends the game, where a player acts. What is
        # no index is a place in ``numbers``, like reach.
        self.probability = array("I")  # of the outcome
        self.payoff = array("I")  # player 0's; where the game has ``payoffs``, a place in ``pairs``
        self.infoset = array("I")  # the number of the information set
        # One entry for each information set.
        self.labels: dict[str, int] = {}  # and its number
        self.actions: list[tuple[str, ...]] = []
        self.owner = array("b")  # the player who acts there
        self.place = array("I")  # its number among the player's own
        self.parent = array("I")  # the player's last sequence before it
        self.first = array("I")  # its actions are the player's sequences first, first + 1, …
        self._infosets, self._sequences = [0, 0], [1, 1]
        self._waiting: deque[Any] = deque()  # the states that were met and not yet visited, but for those at the end
        self._names_seen: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._chances_seen: set[tuple[int, ...]] = set()

    def __iter__(self) -> Iterator[int]:
        """Visit all histories.

        Raises GameError, naming the history, where the game breaks a promise of the protocol.
        """
        self._meet([self.game.root()])
        here = 0
        while here < len(self.player):
            player = self.player[here]
            if player == TERMINAL:
                self.children.append(0)
            elif player == CHANCE:
                self._visit_chance(here, self._waiting.popleft())
            else:
                self._visit_decision(here, player, self._waiting.popleft())
            yield here
            here += 1

    def _meet(self, states: Iterable[Any]) -> None:
        """Ask siblings whose turn it is there, and what is won where the game ends; let the others wait."""
        turn, known = self.game.player, (self.pairs or self.numbers).by_address
        won: Any = self.game.payoffs if pays_each(self.game) else self.game.payoff
        wait, ends, turns = self._waiting.append, self.payoff.append, self.player
        for state in states:
            player = turn(state)
            if player == TERMINAL:
                payoff = won(state)
                place = known.get(id(payoff))
                ends(self._checked_payoff(payoff) if place is None else place)
            elif player in (0, 1, CHANCE) and isinstance(player, int):
                wait(state)
            else:
                raise self._offence(len(turns), f"player is {player!r}, not 0, 1, CHANCE or TERMINAL")
            turns.append(player)
        if len(turns) > self.limit:
            raise self._offence(self.limit, f"more than {self.limit:,} histories and no end in sight")

    def _checked_payoff(self, payoff: Any) -> int:
        """The place of what the history that is met now pays."""
        paid = (payoff,) if self.pairs is None else payoff
        if self.pairs is not None and not (isinstance(payoff, tuple) and len(payoff) == 2):
            raise self._offence(len(self.player), f"payoffs gives {shortened(payoff)}, not a tuple of two numbers")
        for amount in paid:
            if not is_finite(amount):
                kinds = f"an int, float or Fraction that is finite and at most {LARGEST:.0e}"
                raise self._offence(len(self.player), f"the payoff {shortened(amount)} is not {kinds}")
        return self.numbers.place(payoff) if self.pairs is None else self.pairs.place(payoff)

    def paid(self, place: int) -> tuple[Number, Number]:
        """What both players win where ``payoff`` has this entry."""
        numbers = self.numbers.values
        if self.pairs is None:
            return numbers[place], -numbers[place]
        mine, theirs = self.pairs.values[place]
        return numbers[mine], numbers[theirs]

    @property
    def zero_sum(self) -> bool:
        """Whether wherever the game has ended so far one player has won what the other has lost."""
        return self.pairs is None or all(sum(self.paid(place)) == 0 for place in range(len(self.pairs.values)))

    def _visit_chance(self, here: int, state: Any) -> None:
        """Meet all outcomes, after checking that their probabilities sum to 1."""
        names = self._checked_names(here, self.game.actions(state))
        probabilities = self.game.chance(state)
        if len(probabilities) != len(names):
            raise self._offence(here, f"{len(names)} outcomes but {len(probabilities)} probabilities")
        known = self.numbers.by_address
        places = tuple(known.get(id(probability), -1) for probability in probabilities)
        if places not in self._chances_seen:
            counts = Counter(probabilities)  # most of many are equal, and sums of fractions are slow
            for probability in counts:
                if not (is_finite(probability) and probability >= 0):
                    raise self._offence(here, f"the chance probability {probability!r} is not a number from 0 on")
            total: Any = sum(probability * count for probability, count in counts.items())
            if abs(total - 1) > (CHANCE_TOLERANCE if isinstance(total, float) else 0):
                raise self._offence(here, f"the chance probabilities sum to {total}, not 1")
            places = tuple(map(self.numbers.place, probabilities))
            self._chances_seen.add(places)
        reach = self.reach[here]
        self.reach.extend([self.numbers.product(reach, place) for place in places])
        self.probability.extend(places)
        for own in self.own:
            own.extend(repeat(own[here], len(names)))
        self.names.extend(names)
        self.children.append(len(names))
        self._meet(map(self.game.child, repeat(state), range(len(names))))

    def _visit_decision(self, here: int, player: int, state: Any) -> None:
        """Find the information set, a new one or one met before that must agree with it; meet what follows."""
        label, names, own = self.game.label(state), self.game.actions(state), self.own[player][here]
        if not isinstance(label, str) or not label:
            raise self._offence(here, f"the label {shortened(label)} is not a text")
        number = self.labels.get(label)
        if number is None:
            names = self._checked_names(here, names)
            number = self.labels[label] = len(self.actions)
            self.actions.append(names)
            self.owner.append(player)
            self.place.append(self._infosets[player])
            self.parent.append(own)
            self.first.append(self._sequences[player])
            self._infosets[player] += 1
            self._sequences[player] += len(names)
        elif self.owner[number] != player:
            elsewhere = self.owner[number]
            raise self._offence(here, f"label '{label}' is player {player}'s here and player {elsewhere}'s elsewhere")
        elif names is not self.actions[number] and tuple(names) != self.actions[number]:
            listed = ", ".join(names), ", ".join(self.actions[number])
            raise self._offence(here, f"'{label}' offers {listed[0]} here and {listed[1]} elsewhere")
        elif self.parent[number] != own:
            raise self._offence(here, f"{self._forgotten(player, number, label, own)} (no perfect recall)")
        count, first = len(names), self.first[number]
        mine, theirs = self.own[player], self.own[1 - player]
        mine.extend(range(first, first + count))
        theirs.extend(repeat(theirs[here], count))
        self.reach.extend(repeat(self.reach[here], count))
        self.names.extend(self.actions[number])
        self.infoset.append(number)
        self.children.append(count)
        self._meet(map(self.game.child, repeat(state), range(count)))

    def _forgotten(self, player: int, number: int, label: str, own: int) -> str:
        """What a player does not remember where an information set follows one own sequence here, another elsewhere."""
        here, there = self._past(player, own), self._past(player, self.parent[number])
        if [action for _, action in here] != [action for _, action in there]:
            return f"player {player} has forgotten an own action: '{label}' also follows another one"
        seen = next(
            (
                f"'{one}' here and '{other}' elsewhere"
                for (one, _), (other, _) in zip(here, there, strict=True)
                if one != other
            )
        )
        return (
            f"player {player} has forgotten an earlier observation: '{label}' follows {seen}, by the same own actions"
        )

    def _past(self, player: int, sequence: int) -> list[tuple[str, str]]:
        """The player's own labels and actions along a sequence."""
        labels, mine = list(self.labels), [n for n, owner in enumerate(self.owner) if owner == player]
        past: list[tuple[str, str]] = []
        while sequence:
            number = mine[bisect_right([self.first[n] for n in mine], sequence) - 1]
            past.append((labels[number], self.actions[number][sequence - self.first[number]]))
            sequence = self.parent[number]
        return past[::-1]

    def _checked_names(self, here: int, names: Iterable[str]) -> tuple[str, ...]:
        """The names of what can happen next, all different; the same tuple for the same names."""
        names = tuple(names)
        try:
            return self._names_seen[names]
        except (KeyError, TypeError):  # lists can't be looked up, and are no names
            pass
        if not names:
            raise self._offence(here, "nothing can be done, yet the game has not ended")
        if not all(isinstance(name, str) for name in names):
            raise self._offence(here, f"the names of actions {shortened(names)} are not texts")
        if len(set(names)) != len(names):
            raise self._offence(here, f"two actions share a name: {', '.join(names)}")
        return self._names_seen.setdefault(names, names)

    def _offence(self, history: int, problem: str) -> GameError:
        """The error for this history."""
        first_child = list(accumulate(self.children, initial=1))
        moves = []
        while history > 0:
            moves.append(self.names[history])
            history = bisect_right(first_child, history) - 1
        moves.reverse()
        if len(moves) > LONGEST_PATH_SHOWN:
            half = LONGEST_PATH_SHOWN // 2
            moves = [*moves[:half], "…", *moves[-half:]]
        place = f"history '{' '.join(moves)}'" if moves else "the root"
        return GameError(f"{self.game.name}, at {place}: {problem}")


LONGEST_GAME = 100_000
"""Moves after which a history counts as endless."""

PLAYOUTS = 8
"""How many one-sided playouts look for an endless history before the walk."""


def check_game(game: str | Game, limit: int = MOST_HISTORIES) -> None:
    """Raise GameError, naming the offending history, unless ``game`` keeps every promise of the protocol.

    Probabilities sum to 1, players remember what they did, an information set offers the same actions throughout,
    labels are unique across players, payoffs are finite, every history ends, and what ``counted`` says is right. In a
    game with hands all that is said of them belongs to these hands, and no two information sets share a label.

    >>> check_game("kuhn")
    """
    rules = as_rules(game)
    if isinstance(rules, PublicGame):
        check_hands(rules)
    for action in range(PLAYOUTS):
        _playout(rules, action)
    if isinstance(rules, PublicGame):
        _check_public(rules, limit)
    met = Walk(rules, limit)
    deque(met, maxlen=0)
    if isinstance(rules, HasSize):
        counts, said = (len(met.player), len(met.labels)), rules.counted()
        if counts != (said.histories, counts[1] if said.infosets is None else said.infosets):
            size = Size(*counts)
            raise GameError(f"{rules.name}: counted() says {said}, but there are {size}")


def _check_public(game: PublicGame, limit: int) -> None:
    """Check the public states of a game with hands, and that each of them has a label of its own for each hand.

    The walk over histories would not notice: where two histories share a label, it takes them to look alike.
    """
    labels: dict[str, Any] = {}
    waiting, met = [game.start()], 0
    while waiting:
        public, met = waiting.pop(), met + 1
        if met > limit:
            raise GameError(f"{game.name}: more than {limit:,} public states and no end in sight")
        player = game.turn(public)
        if player == TERMINAL:
            sound_ending(game, public)
            continue
        moves = tuple(game.moves(public))
        if player == CHANCE:
            sound_outcomes(game, public, moves)
        for hand in range(len(game.hands(player)) if player in (0, 1) else 0):
            label = game.knows(player, hand, public)
            if label in labels:
                places = f"at {shortened(labels[label])} and at {shortened((player, hand, public))}"
                raise GameError(
                    f"{game.name}: two information sets share the label '{label}' (player, hand, public "
                    f"state): {places}"
                )
            labels[label] = player, hand, public
        waiting += [game.after(public, move) for move in range(len(moves))]


def _playout(game: Game, action: int) -> None:
    """Always take the same action: where a history has no end, one of these usually follows it.

    The walk alone would find that out too, but only after it has met ``limit`` histories.
    """
    state = game.root()
    for _ in range(LONGEST_GAME):
        if game.player(state) == TERMINAL:
            return
        count = len(game.actions(state))
        if count == 0:
            return  # the walk names this history
        state = game.child(state, min(action, count - 1))
    raise GameError(f"{game.name}: always taking action {action}, a history goes on after {LONGEST_GAME:,} moves")
