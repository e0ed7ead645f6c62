"""The one walk over a game: every history once, level by level, checked on the way.

Breadth-first order is what the arrays of ``forms`` rely on: a history comes after its parent, and the children of one
history stand next to each other. Information sets are numbered as they are met, so a player's information set comes
after the one that holds its own last action. The walk holds the states that wait, about one level of them, and does
not recurse.

``check_game``, the public check of a game, is this walk and a few one-sided playouts before it.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from reprlib import repr as shortened
from typing import Any, NamedTuple

from regretlab.errors import GameError
from regretlab.games.protocol import CHANCE, TERMINAL, Game, Number
from regretlab.games.registry import as_rules

MOST_HISTORIES = 20_000_000
"""Where the walk gives up: a game without end would otherwise fill the memory."""

CHANCE_TOLERANCE = 1e-9
"""How far probabilities given as floats may be from summing to 1; exact ones must sum to 1 exactly."""

LONGEST_PATH_SHOWN = 12
"""Moves of an offending history that its error spells out; a longer one is shortened in the middle."""


@dataclass(frozen=True, slots=True)
class Infoset:
    """All histories that look alike to the player who acts there."""

    player: int
    index: int  # among the player's information sets
    label: str
    actions: tuple[str, ...]
    own: int  # the player's last sequence before it
    first: int  # its actions are the player's sequences first, first + 1, …


class Visit(NamedTuple):
    """One history, as the walk meets it."""

    name: str  # of the action or outcome that led here
    probability: Number  # of that outcome where chance moved, else 1
    own: tuple[int, int]  # each player's last sequence; 0 is the empty one
    reach: Number  # the product of the chance probabilities on the way
    player: int  # whose turn it is here: 0, 1, CHANCE or TERMINAL
    infoset: Infoset | None  # where a player acts
    children: int
    payoff: Number  # player 0's, 0 where the game goes on


class _Pending(NamedTuple):
    """A history that waits for its visit."""

    state: Any
    parent: int
    name: str
    probability: Number
    own: tuple[int, int]
    reach: Number


def walk(game: Game, limit: int = MOST_HISTORIES) -> Iterator[Visit]:
    """Yield every history of ``game``, parents before children and siblings together.

    Raises GameError, naming the history, where the game breaks a promise of the protocol.
    """
    walker = _Walker(game)
    pending = deque([_Pending(game.root(), -1, "", 1, (0, 0), 1)])
    while pending:
        here = pending.popleft()
        walker.parents.append(here.parent)
        walker.names.append(here.name)
        if len(walker.parents) > limit:
            raise walker.offence(f"more than {limit:,} histories and no end in sight")
        yield walker.visit(here, pending)


class _Walker:
    """What the walk remembers: the information sets so far, and the way to each history."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.infosets: dict[str, Infoset] = {}
        self.infoset_counts = [0, 0]
        self.sequence_counts = [1, 1]
        self.parents = array("q")
        self.names: list[str] = []

    def visit(self, here: _Pending, below: deque[_Pending]) -> Visit:
        """Look at a history, and let its children wait ``below``."""
        player = self.game.player(here.state)
        infoset, children = None, 0
        payoff: Any = 0
        if player == TERMINAL:
            payoff = self.game.payoff(here.state)
            if not _is_finite(payoff):
                kinds = "an int, float or Fraction that is finite and not too large"
                raise self.offence(f"the payoff {shortened(payoff)} is not {kinds}")
        elif player == CHANCE:
            children = self.expand_chance(here, below)
        elif player in (0, 1) and isinstance(player, int):
            infoset = self.information_set(here, player)
            children = self.expand_decision(here, infoset, below)
        else:
            raise self.offence(f"player is {player!r}, not 0, 1, CHANCE or TERMINAL")
        return Visit(here.name, here.probability, here.own, here.reach, player, infoset, children, payoff)

    def expand_chance(self, here: _Pending, below: deque[_Pending]) -> int:
        """Let all outcomes wait, after checking that their probabilities sum to 1. Returns how many there are."""
        names = self.action_names(here)
        probabilities = self.game.chance(here.state)
        if len(probabilities) != len(names):
            raise self.offence(f"{len(names)} outcomes but {len(probabilities)} probabilities")
        counts = Counter(probabilities)  # most of many are equal, and sums of fractions are slow
        for probability in counts:
            if not (_is_finite(probability) and probability > 0):
                raise self.offence(f"the chance probability {probability!r} is not a number above 0")
        total: Any = sum(probability * count for probability, count in counts.items())
        if abs(total - 1) > (CHANCE_TOLERANCE if isinstance(total, float) else 0):
            raise self.offence(f"the chance probabilities sum to {total}, not 1")
        index = len(self.parents) - 1
        for edge, (name, probability) in enumerate(zip(names, probabilities, strict=True)):
            state = self.game.child(here.state, edge)
            below.append(_Pending(state, index, name, probability, here.own, here.reach * probability))
        return len(names)

    def expand_decision(self, here: _Pending, infoset: Infoset, below: deque[_Pending]) -> int:
        """Let what follows each action wait. Returns how many there are."""
        index = len(self.parents) - 1
        for edge, name in enumerate(infoset.actions):
            sequence = infoset.first + edge
            own = (here.own[0], sequence) if infoset.player else (sequence, here.own[1])
            below.append(_Pending(self.game.child(here.state, edge), index, name, 1, own, here.reach))
        return len(infoset.actions)

    def information_set(self, here: _Pending, player: int) -> Infoset:
        """The information set of this history: a new one, or one met before that must agree with it."""
        label = self.game.label(here.state)
        if not isinstance(label, str) or not label:
            raise self.offence(f"the label {shortened(label)} is not a text")
        known = self.infosets.get(label)
        if known is None:
            actions = self.action_names(here)
            index, first = self.infoset_counts[player], self.sequence_counts[player]
            known = self.infosets[label] = Infoset(player, index, label, actions, here.own[player], first)
            self.infoset_counts[player] += 1
            self.sequence_counts[player] += len(actions)
            return known
        if known.player != player:
            raise self.offence(f"label '{label}' is player {player}'s here and player {known.player}'s elsewhere")
        if tuple(self.game.actions(here.state)) != known.actions:
            here_actions = ", ".join(self.game.actions(here.state))
            raise self.offence(f"'{label}' offers {here_actions} here and {', '.join(known.actions)} elsewhere")
        if known.own != here.own[player]:
            raise self.offence(
                f"player {player} has forgotten an own action: '{label}' also follows another one (no perfect recall)"
            )
        return known

    def action_names(self, here: _Pending) -> tuple[str, ...]:
        """The names of what can happen next, all different."""
        names = tuple(self.game.actions(here.state))
        if not names:
            raise self.offence("nothing can be done, yet the game has not ended")
        if not all(isinstance(name, str) for name in names):
            raise self.offence(f"the names of actions {shortened(names)} are not texts")
        if len(set(names)) != len(names):
            raise self.offence(f"two actions share a name: {', '.join(names)}")
        return names

    def offence(self, problem: str) -> GameError:
        """The error for the history visited last."""
        moves, index = [], len(self.parents) - 1
        while index > 0:
            moves.append(self.names[index])
            index = self.parents[index]
        moves.reverse()
        if len(moves) > LONGEST_PATH_SHOWN:
            half = LONGEST_PATH_SHOWN // 2
            moves = [*moves[:half], "…", *moves[-half:]]
        place = f"history '{' '.join(moves)}'" if moves else "the root"
        return GameError(f"{self.game.name}, at {place}: {problem}")


def _is_finite(value: object) -> bool:
    """Whether this is a number that a float can hold."""
    try:
        return isinstance(value, int | float | Fraction) and math.isfinite(value)
    except OverflowError:
        return False


LONGEST_GAME = 100_000
"""Moves after which a history counts as endless."""

PLAYOUTS = 8
"""How many one-sided playouts look for an endless history before the walk."""


def check_game(game: str | Game, limit: int = MOST_HISTORIES) -> None:
    """Raise GameError, naming the offending history, unless ``game`` keeps every promise of the protocol.

    Probabilities sum to 1, players remember what they did, an information set offers the same actions throughout,
    labels are unique across players, payoffs are finite, and every history ends.

    >>> check_game("kuhn")
    """
    rules = as_rules(game)
    for action in range(PLAYOUTS):
        _playout(rules, action)
    deque(walk(rules, limit), maxlen=0)


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
