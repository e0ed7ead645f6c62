"""A spot: an endgame of Texas Hold'em for two players, as a game with hands.

Both players have put half of the pot in. Payoffs count from there: player 0's is the expected value of the rest of the
hand less half of the pot, so that without rake the game has a sum of 0.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretlab.documents import numbers
from regretlab.endgames.betting import (
    NO_RAKE,
    STREETS,
    Counts,
    Deal,
    Decision,
    Fold,
    Node,
    Rake,
    Showdown,
    betting_tree,
    count,
)
from regretlab.endgames.cards import DECK, Hand, card_name, hand_name
from regretlab.endgames.locks import CARD_OF, Lock, line_words, lock_texts, read_lock
from regretlab.endgames.ranges import Range
from regretlab.endgames.sizes import NO_THRESHOLDS, Menu, Thresholds, part
from regretlab.endgames.strengths import strengths
from regretlab.errors import UserError
from regretlab.forms import BlockForm, BlockSize
from regretlab.games.locking import can_be_held, lock_by_labels, public_decisions
from regretlab.games.protocol import CHANCE, TERMINAL, Game
from regretlab.games.public import Always, Ending, Product, PublicGame, Stronger, Weights
from regretlab.games.size import Size
from regretlab.spec import Readable, number

PLAYERS = ("oop", "ip")
"""Player 0 is out of position and acts first on every street; player 1 is in position."""

Line = tuple[str, ...]
"""A public state: all actions so far and, where cards were turned up, these among them."""

USUAL_TARGET = "0.5%"
"""How closely a spot is solved that does not say it: what players' tools take."""

_FOLD = Always()


def usual_iterations(part: float, depth: float) -> int:
    """About how many iterations of the recommended recipe leave a part of the pot to be gained, with so many pots
    behind.

    On rivers and turns DCFR takes 70 to 80 to half a percent with 4 to 5 pots behind, 30 to 50 with one and 220 to 350
    with forty, and the exploitability falls like t^-1.5 from there on.

    >>> usual_iterations(0.005, 4.5), usual_iterations(0.005, 40), usual_iterations(0.001, 40)
    (80, 297, 868)
    """
    return max(1, round(80 * math.pow(0.005 / part, 2 / 3) * math.pow(depth / 4.5, 0.6)))


@dataclass(frozen=True, repr=False)
class Spot(PublicGame):
    """Texas Hold'em for two from the flop, the turn or the river on: two ranges, a pot, stacks, a menu of bet sizes.

    Player 0 is out of position and begins every street. Who faces no bet checks or bets; who faces one folds, calls or
    raises. Where betting is over a card is turned up, until five are on the board; the better hand of five cards out of
    seven wins the pot, equal ones share it.

    Labels are the own hand and the line, all actions and cards since the spot began: ``AhKd check, check, 8c, bet 50``.
    Payoffs count what is won of the pot less half of it. Whoever walks a spot himself
    meets every action at every decision, locked or not: ``locked_by_labels`` is the game in which locks bind.
    """

    board: tuple[int, ...]  # three to five cards: the street follows
    pot: int
    stack: int  # what both have behind: the smaller of the two
    ranges: tuple[Range, Range]
    menus: tuple[tuple[Menu, ...], tuple[Menu, ...]]  # each player's on flop, turn and river
    rake: Rake = NO_RAKE
    thresholds: Thresholds = NO_THRESHOLDS
    raise_cap: int | None = None  # the most raises on a street, the first bet not counted
    lock: tuple[tuple[str, str], ...] = ()  # lines and strategies, as they were written
    merge_suits: bool = True  # whether suits that nothing tells apart may be solved as one
    until: str | None = None  # the target, as it was given
    title: str = ""  # the name of a spot that comes with the package

    def __post_init__(self) -> None:
        if not 3 <= len(self.board) <= 5:
            count = "1 card" if len(self.board) == 1 else f"{len(self.board)} cards"
            raise UserError(f"board='{hand_name(self.board)}' has {count}; give 3 (flop), 4 (turn) or 5 (river)")
        for player, key in enumerate(PLAYERS):
            if not self._hands[player]:
                raise UserError(f"{key}: all hands of the range have a card of the board {hand_name(self.board)}")
        if not any(not set(mine) & set(theirs) for mine in self._hands[0] for theirs in self._hands[1]):
            raise UserError(
                "oop and ip: the ranges exclude each other; each hand of one has a card of each of the other"
            )
        if self.until is not None:
            self.target(self.until)
        if self.counts.actions == self.counts.decisions:
            raise UserError("bets: nobody can ever bet; give at least one size, such as 50% or a")
        lines = [lock.line for lock in self.locks]
        for line in lines:
            if lines.count(line) > 1:
                raise UserError(f"lock: the line '{', '.join(line)}' is there twice")

    @property
    def name(self) -> str:
        """The name of a spot that comes with the package, else the board."""
        return f"holdem:{self.title}" if self.title else f"holdem({hand_name(self.board)})"

    @property
    def loaded_from(self) -> str | None:
        """What ``load`` makes the same spot of, wherever that is: the name of a ready one, else the whole of it."""
        from regretlab.endgames.writing import written

        return None if self.title else f"holdem:{written(self)}"

    @property
    def in_one_line(self) -> str:
        """Board, pot, stacks, sizes of ranges."""
        hands = ", ".join(f"{who} {numbers.count(len(self._hands[p]), 'hand')}" for p, who in enumerate(PLAYERS))
        return f"{self.street} {hand_name(self.board)}, pot {self.pot:,}, {self.stack:,} behind; {hands}"

    def __repr__(self) -> str:
        return f"<spot {self.name}: {self.in_one_line}>"

    def _repr_html_(self) -> str:
        from regretlab.documents.notebook import as_html, facts, headline
        from regretlab.endgames.hand_grid import range_mosaic

        pictures = (range_mosaic(hands, f"Range of {who}") for who, hands in zip(PLAYERS, self.ranges, strict=True))
        return as_html(
            headline(self.name, f": {self.in_one_line}"),
            *pictures,
            facts(
                ("decisions", f"{self.counts.decisions:,}"),
                ("first to act", ", ".join(self.moves(()))),
                *((f"locked: {line or 'the start'}", what) for line, what in self.lock),
            ),
        )

    @property
    def street(self) -> str:
        """Where betting begins: flop, turn or river."""
        return STREETS[len(self.board) - 3]

    @cached_property
    def _hands(self) -> tuple[list[Hand], list[Hand]]:
        """The hands that each player can hold with this board, the highest cards first."""
        taken = set(self.board)
        zero, one = ([hand for hand, _ in each.entries if not taken & set(hand)] for each in self.ranges)
        return zero, one

    def cards(self, player: int) -> list[Hand]:
        """The hands that a player can hold, in the order of ``hands``."""
        return self._hands[player]

    def hand_weights(self, player: int) -> NDArray[np.float64]:
        """The weights of a player's hands in the range, in the order of ``hands``."""
        return np.array([float(self.ranges[player].weights[hand]) for hand in self._hands[player]])

    @cached_property
    def betting(self) -> Node:
        """The betting tree."""
        return betting_tree(self)

    @cached_property
    def counts(self) -> Counts:
        """How many nodes the game has with all cards that may come, suits not merged."""
        return count(self.betting, len(self.board))

    @cached_property
    def locks(self) -> tuple[Lock, ...]:
        """The locked decisions."""
        return tuple(read_lock(line, what, self.betting, self.board, self._hands) for line, what in self.lock)

    def lock_at(self, line: Line) -> Lock | None:
        """The lock that holds after a line with all its cards; of several the one that names most cards."""
        holding = [lock for lock in self.locks if lock.holds(line)]
        return max(holding, key=lambda lock: len(lock.line), default=None)

    def locked_at(self, lock: Any) -> Spot:
        """The spot with locks besides its own; of two at the same decision the new one counts for the hands it names.

        >>> from regretlab.endgames import holdem
        >>> holdem("river-polar").locked_at({"bet 100": {"fold": 0.5, "call": 0.5}}).lock
        (('bet 100', 'fold 0.5, call 0.5'),)
        """
        wanted = dict(self.lock)
        for line, strategy in lock_texts(lock).items():
            same = next((known for known in wanted if line_words(known) == line_words(line)), line)
            wanted[same] = "; ".join(filter(None, (strategy, wanted.get(same))))
        return replace(self, lock=tuple(wanted.items()), title="")

    def locked_by_labels(self) -> Game:
        """The spot with its locks as every game has them, by information sets: by histories or on lanes."""
        if not self.lock:
            return self
        free, wanted = replace(self, lock=()), {}
        for public, turned in public_decisions(free):
            lock = self.lock_at(public)
            for hand, row in enumerate(lock.probabilities if lock else ()):
                if lock and row is not None and can_be_held(free, lock.player, hand, turned):
                    wanted[self.knows(lock.player, hand, public)] = dict(zip(lock.actions, row, strict=True))
        return lock_by_labels(free, wanted)

    def recommended(self) -> str:
        """DCFR: prediction, which wins on small games, does not pay here."""
        return "dcfr"

    def target(self, text: Readable | None = None) -> float:
        """How many chips a target is: ``0.5%`` of the pot, or chips as they are; the spot's own where none is given."""
        written = str((self.until or USUAL_TARGET) if text is None else text).strip()
        try:
            chips = number("until", written) if not written.endswith("%") else part("until", written) * self.pot
        except UserError:
            chips = Fraction(0)
        if chips <= 0:
            raise UserError(f"until={written:.40} is no target; write 0.5% of the pot, or chips above 0")
        return float(chips)

    # The game with hands.

    def hands(self, player: int) -> Sequence[str]:
        """The two cards of each hand."""
        return self._names[player]

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(map(hand_name, self._hands[0])), tuple(map(hand_name, self._hands[1]))

    def weights(self) -> Weights:
        """Every pair of hands has the product of its weights in the ranges."""
        zero, one = (
            tuple(each.weights[hand] for hand in hands) for each, hands in zip(self.ranges, self._hands, strict=True)
        )
        return Product(zero, one)

    def held(self, player: int) -> Sequence[tuple[int, ...]]:
        """The cards in each hand."""
        return self._hands[player]

    def start(self) -> Line:
        """Nobody has done anything."""
        return ()

    def turn(self, public: Line) -> int:
        """Whose turn it is, CHANCE where a card is turned up."""
        node = self.node(public)
        if isinstance(node, Decision):
            return node.player
        return CHANCE if isinstance(node, Deal) else TERMINAL

    def moves(self, public: Line) -> Sequence[str]:
        """The actions, or the cards that are not on the board."""
        node = self.node(public)
        if isinstance(node, Decision):
            return node.actions
        return [card_name(card) for card in self._unseen(public)]

    def after(self, public: Line, move: int) -> Line:
        """The line with one more action or card."""
        return (*public, self.moves(public)[move])

    def node(self, public: Line) -> Node:
        """The node of the betting tree after a line."""
        known = self._nodes.get(public)
        if known is None:
            before, word = self.node(public[:-1]), public[-1]
            if isinstance(before, Decision):
                known = before.after[before.actions.index(word)]
            else:
                assert isinstance(before, Deal)
                known = before.after
            self._nodes[public] = known
        return known

    @cached_property
    def _nodes(self) -> dict[Line, Node]:
        return {(): self.betting}

    def _unseen(self, public: Line) -> Iterator[int]:
        """The cards that are neither on the board nor turned up in a line."""
        seen = self.board_after(public)
        return (card for card in range(DECK) if card not in seen)

    def board_after(self, public: Line) -> tuple[int, ...]:
        """The board with the cards that were turned up in a line."""
        return self.board + tuple(CARD_OF[word] for word in public if word in CARD_OF)

    def outcomes(self, public: Line) -> Sequence[Weights]:
        """Every card that is neither on the board nor in a hand is equally likely."""
        # Two cards are in each player's hand, whatever they are.
        left = DECK - len(self.board_after(public)) - 4
        return [self._chance(card, left) for card in self._unseen(public)]

    def _chance(self, card: int, left: int) -> Product:
        """How probable a card is with each pair of hands; made once, because whoever walks compares by address."""
        known = self._chances.get((card, left))
        if known is None:
            zero, one = (tuple(int(card not in hand) for hand in hands) for hands in self._hands)
            known = self._chances[card, left] = Product(zero, tuple(Fraction(free, left) for free in one))
        return known

    @cached_property
    def _chances(self) -> dict[tuple[int, int], Product]:
        return {}

    def ending(self, public: Line) -> Ending:
        """Who wins gets the other's half of the pot and matched chips; each loses half of the rake."""
        node = self.node(public)
        assert isinstance(node, Fold | Showdown)
        half = Fraction(self.pot - node.rake) / 2 + node.matched
        factor = int(half) if half.denominator == 1 else half
        rake: dict[str, Any] = {"rake": node.rake} if node.rake else {}
        if isinstance(node, Fold):
            return Ending(_FOLD, factor if node.winner == 0 else -factor, **rake)
        return Ending(self._showdown(frozenset(self.board_after(public))), factor, **rake)

    def _showdown(self, board: frozenset[int]) -> Stronger:
        """Who wins with five cards on the board."""
        known = self._showdowns.get(board)
        if known is None:
            zero, one = (tuple(strengths(tuple(board), hands).tolist()) for hands in self._hands)
            known = self._showdowns[board] = Stronger(zero, one)
        return known

    @cached_property
    def _showdowns(self) -> dict[frozenset[int], Stronger]:
        return {}

    def knows(self, player: int, hand: int, public: Line) -> str:
        """The own hand and the line: ``AhKd check, bet 100``, ``AhKd check, check, 8c, bet 50``."""
        return f"{self._names[player][hand]} {', '.join(public)}".rstrip()

    def blocks(self) -> BlockForm:
        """The form in which spots are solved."""
        from regretlab.endgames.spot_form import spot_form

        return spot_form(self)

    def block_size(self) -> BlockSize:
        """How large it is in that form, without making it."""
        from regretlab.endgames.spot_form import spot_size

        return spot_size(self)

    def counted(self) -> Size:
        """The deals, and for each pair of hands the tree in which their four cards are not turned up."""
        mine, theirs = self._hands
        with_card = Counter(card for hand in theirs for card in hand)
        rivals = [len(theirs) - with_card[a] - with_card[b] + theirs.count((a, b)) for a, b in mine]
        decisions, deals, endings, _ = count(self.betting, len(self.board) + 4)
        return Size(1 + sum(map(bool, rivals)) + sum(rivals) * (decisions + deals + endings))

    def public_states(self) -> int:
        """Decisions, deals and endings with all cards that may come."""
        decisions, deals, endings, _ = self.counts
        return decisions + deals + endings
