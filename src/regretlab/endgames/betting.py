"""The betting of an endgame as a tree, without any cards: who can do what after which actions.

Player 0 is out of position and begins every street. Lines are the actions so far, on all streets; the same actions are
possible whatever cards are turned up, so a ``Deal`` has one subtree for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol, TypeAlias

from regretlab.endgames.cards import DECK
from regretlab.endgames.sizes import BetSize, Facing, Menu, Thresholds, amounts
from regretlab.errors import UserError

STREETS = ("flop", "turn", "river")

LONGEST_LINE = 120
"""Actions in a row after which sizes count as too small: a raise by a chip goes on until the stacks are in."""

MOST_DECISIONS = 100_000
"""Decisions, cards left out, from which on no tree is made. Three sizes and deep stacks from the flop on are 6,500, and
13 million with all cards that may come."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A player chooses one of the actions; ``after`` has what follows each."""

    player: int
    line: tuple[str, ...]
    actions: tuple[str, ...]
    after: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """One card is turned up for all to see."""

    line: tuple[str, ...]
    after: Node


@dataclass(frozen=True, slots=True)
class Fold:
    """One player has given up."""

    winner: int
    matched: int  # chips that each player has put in besides half of the first pot, uncalled ones left out
    rake: int | Fraction  # what the house takes


@dataclass(frozen=True, slots=True)
class Showdown:
    """The better hand wins."""

    matched: int
    rake: int | Fraction


Node: TypeAlias = Decision | Deal | Fold | Showdown


class Rake(NamedTuple):
    """What the house takes: a part of every pot, folds included, up to a cap."""

    rate: Fraction = Fraction(0)
    cap: Fraction | None = None

    def of(self, pot: int) -> int | Fraction:
        """What it takes of a pot."""
        taken = self.rate * pot if self.cap is None else min(self.rate * pot, self.cap)
        return int(taken) if taken.denominator == 1 else taken


NO_RAKE = Rake()


class BettingRules(Protocol):
    """What the tree of a spot depends on."""

    @property
    def board(self) -> tuple[int, ...]:
        """Three to five cards: the street follows."""

    @property
    def pot(self) -> int:
        """What is in the middle when betting begins."""

    @property
    def stack(self) -> int:
        """What both players have behind."""

    @property
    def menus(self) -> tuple[tuple[Menu, ...], tuple[Menu, ...]]:
        """Each player's sizes on flop, turn and river."""

    @property
    def rake(self) -> Rake:
        """What the house takes."""

    @property
    def thresholds(self) -> Thresholds:
        """When sizes are added, rounded up or left out."""

    @property
    def raise_cap(self) -> int | None:
        """The most raises on a street, the first bet not counted."""


def betting_tree(spot: BettingRules) -> Node:
    """The tree from the first action on the spot's street to all endings."""
    return _Builder(spot).decision(_Place(street=len(spot.board) - 3, player=0, line=()))


class _Place(NamedTuple):
    """Where the betting is."""

    street: int
    player: int
    line: tuple[str, ...]
    matched: int = 0  # on streets before, by each player
    bets: tuple[int, int] = (0, 0)  # on this street, by player
    raises: int = 0  # on this street
    donk: bool = False  # whether player 0 begins a street after having called on the one before


class _Builder:
    """Makes the tree, and counts decisions on the way."""

    def __init__(self, spot: BettingRules) -> None:
        self.spot = spot
        self.decisions = 0

    def decision(self, place: _Place) -> Decision:
        """What the player can do: fold or check, call, then sizes from small to large."""
        self._check_size(place)
        street, player, line, matched, bets, *_ = place
        own, last = bets[player], bets[1 - player]
        options: list[tuple[str, Node]] = []
        if last > own:
            rake = self.spot.rake.of(self.spot.pot + 2 * (matched + own))
            options.append(("fold", Fold(1 - player, matched + own, rake)))
            called = place._replace(line=(*line, "call"), matched=matched + last)
            options.append(("call", self._next_street(called, donk=player == 0)))
        elif player == 0:
            options.append(("check", self.decision(_Place(street, 1, (*line, "check"), matched))))
        else:
            options.append(("check", self._next_street(place._replace(line=(*line, "check")), donk=False)))
        word = "raise" if last else "bet"
        for to in self._sizes(place):
            action = f"{word} {to}"
            after = (to, last) if player == 0 else (last, to)
            raises = place.raises + (last > 0)
            options.append((action, self.decision(_Place(street, 1 - player, (*line, action), matched, after, raises))))
        actions, nodes = zip(*options, strict=True)
        return Decision(player, line, actions, nodes)

    def _sizes(self, place: _Place) -> tuple[int, ...]:
        """To how many chips the player can bet or raise."""
        spot, last, stack = self.spot, place.bets[1 - place.player], self.spot.stack - place.matched
        menu = spot.menus[place.player][place.street]
        if last == stack or (last and spot.raise_cap is not None and place.raises >= spot.raise_cap):
            return ()
        sizes: tuple[BetSize, ...] = menu.raises
        if not last:
            sizes = menu.donk if place.donk and menu.donk is not None else menu.bets
        pot = spot.pot + 2 * (place.matched + last)
        facing = Facing(pot, last, place.bets[place.player], stack, len(STREETS) - place.street)
        return amounts(sizes, facing, spot.thresholds)

    def _next_street(self, place: _Place, donk: bool) -> Node:
        """A card and the next street's betting, or only cards where all is in, and the showdown."""
        showdown = Showdown(place.matched, self.spot.rake.of(self.spot.pot + 2 * place.matched))
        left = len(STREETS) - 1 - place.street
        if left and place.matched < self.spot.stack:
            return Deal(place.line, self.decision(_Place(place.street + 1, 0, place.line, place.matched, donk=donk)))
        node: Node = showdown
        for _ in range(left):
            node = Deal(place.line, node)
        return node

    def _check_size(self, place: _Place) -> None:
        """Refuse what has no end in sight, before memory or Python's stack runs out."""
        self.decisions += 1
        if len(place.line) > LONGEST_LINE:
            few = ", ".join(place.line[-2:])
            raise UserError(
                f"bets and raises are too small: after {LONGEST_LINE} actions ({few}) stacks of {self.spot.stack} are "
                "not in; give larger sizes or a raise_cap"
            )
        if self.decisions > MOST_DECISIONS:
            much = f"more than {MOST_DECISIONS:,} decisions before any card is dealt"
            raise UserError(f"bets and raises make {much}; give fewer sizes or a raise_cap")


class Counts(NamedTuple):
    """How many nodes a tree has once the cards are dealt, suits not merged."""

    decisions: int
    deals: int
    endings: int
    actions: int


def count(node: Node, board: int) -> Counts:
    """Count the nodes below a node where so many cards lie on the board: each card that may come has its own."""
    if isinstance(node, Fold | Showdown):
        return Counts(0, 0, 1, 0)
    if isinstance(node, Deal):
        decisions, deals, endings, actions = count(node.after, board + 1)
        cards = DECK - board
        return Counts(cards * decisions, 1 + cards * deals, cards * endings, cards * actions)
    below = [count(child, board) for child in node.after]
    decisions, deals, endings, actions = map(sum, zip(*below, strict=True))
    return Counts(1 + decisions, deals, endings, len(node.actions) + actions)
