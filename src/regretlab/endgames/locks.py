"""Locks: a strategy that is fixed at a decision, for all of its owner's hands or for some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from regretlab.endgames.betting import Deal, Decision, Node
from regretlab.endgames.cards import DECK, Hand, card_name
from regretlab.endgames.ranges import read_range
from regretlab.errors import UserError, unknown
from regretlab.games.locking import without_file
from regretlab.spec import number

CARD_OF = {card_name(card): card for card in range(DECK)}
"""Cards by how they are written: where a line has one, it was turned up there."""

HAND_LETTERS = 4
"""Letters of a hand, as labels begin with it."""

ROOT = "root"
"""How the line without any action is written in a lock."""


@dataclass(frozen=True)
class Lock:
    """What a player does at a decision, whatever the regrets say.

    The line has the actions before it and, where only one board is meant, the cards turned up between them; where a
    card is left out, the lock holds on all boards.
    """

    line: tuple[str, ...]
    player: int
    actions: tuple[str, ...]
    probabilities: tuple[tuple[Fraction, ...] | None, ...]  # by the owner's hands, then actions; None: the hand is free

    @property
    def moves(self) -> tuple[str, ...]:
        """The line without cards, as decisions of the betting tree have it."""
        return tuple(word for word in self.line if word not in CARD_OF)

    def holds(self, line: Sequence[str]) -> bool:
        """Whether the decision after this line, which has all cards that were turned up, is locked."""
        words = iter(self.line)
        wanted = next(words, None)
        for word in line:
            if word == wanted:
                wanted = next(words, None)
            elif word not in CARD_OF:  # a card that the lock leaves out
                return False
        return wanted is None


def read_lock(line: str, strategy: str, root: Node, board: Sequence[int], hands: Sequence[Sequence[Hand]]) -> Lock:
    """Read a lock and check it against the betting tree and both players' hands."""
    key = f"lock.'{line:.100}'"
    words, decision = decision_of(line, root, board, key)
    if not isinstance(strategy, str) or not strategy.strip("; "):
        raise UserError(f"{key}: {strategy!r:.40} is no strategy; write it like check or bet 100 0.3, check 0.7")
    mine = hands[decision.player]
    found: dict[Hand, tuple[Fraction, ...]] = {}
    for clause in filter(str.strip, strategy.rstrip("; ").split(";")):
        who, colon, what = clause.rpartition(":")
        probabilities = _frequencies(what, decision.actions, key)
        for hand in mine if not colon or who.strip() == "*" else _hands(who, mine, key):
            # What stands first counts, so that * means all others.
            found.setdefault(hand, probabilities)
    return Lock(words, decision.player, decision.actions, tuple(found.get(hand) for hand in mine))


def line_words(line: str) -> list[str]:
    """The actions and cards of a line."""
    words = [" ".join(word.split()) for word in line.split(",") if word.strip()]
    return [] if words == [ROOT] else words


def lock_texts(lock: Any) -> dict[str, str]:
    """The strategy at each line, from a dictionary, a TOML file with a section ``[lock]``, or a text.

    In a text a line stands before the first colon. Labels of information sets are lines of one hand.

    >>> lock_texts("check: QQ: bet 100; *: check")
    {'check': 'QQ: bet 100; *: check'}
    >>> lock_texts({"AhKd check": "check", "QsQd check": {"check": 0.5, "bet 100": 0.5}})
    {'check': 'AhKd: check; QsQd: check 0.5, bet 100 0.5'}
    """
    given = without_file(lock)
    if isinstance(given, str):
        line, colon, strategy = given.partition(":")
        if not colon:
            raise UserError(f"can't read '{given.strip():.60}' as a lock; write LINE: STRATEGY, such as check: bet 100")
        given = {line.strip(): strategy.strip()}
    if not isinstance(given, Mapping) or not all(isinstance(label, str) for label in given):
        raise UserError(f"{lock!r:.40} is no lock; give {{line: strategy}}, such as {{'check': 'bet 100'}}")
    found: dict[str, str] = {}
    for label, what in given.items():
        strategy = _strategy_text(label, what)
        hand, _, rest = label.strip().partition(" ")
        if len(hand) == HAND_LETTERS and {hand[:2], hand[2:]} <= CARD_OF.keys():
            line, strategy = rest or ROOT, f"{hand}: {strategy}"
        else:
            line = label
        found[line] = "; ".join(filter(None, (found.get(line), strategy)))
    return found


def _strategy_text(label: str, what: object) -> str:
    """A strategy as it is written in a spot; it may be given as a table of actions, too."""
    if isinstance(what, Mapping):
        if list(what) == ["strategy"]:  # as in a spot's file
            return str(what["strategy"])
        return ", ".join(f"{action} {probability}" for action, probability in what.items())
    if not isinstance(what, str):
        raise UserError(f"the lock at '{label}' is {what!r:.40}; give an action, or {{action: probability}}")
    return what


def _hands(text: str, mine: Sequence[Hand], key: str) -> list[Hand]:
    """Those of the owner's hands that are in a range."""
    listed = read_range(text, key).weights
    if set(listed.values()) != {1}:
        raise UserError(
            f"{key}: '{text.strip():.40}' has weights; a lock says what hands do: AA: bet 100 0.3, check 0.7"
        )
    meant = [hand for hand in mine if hand in listed]
    if not meant:
        raise UserError(f"{key}: '{text.strip():.40}' has no hand that can be held here")
    return meant


def decision_of(line: str, root: Node, board: Sequence[int], key: str) -> tuple[tuple[str, ...], Decision]:
    """The decision after a line, and the line's words."""
    words = line_words(line)
    node, seen = root, set(board)
    for place, word in enumerate(words):
        if word in CARD_OF:
            if not isinstance(node, Deal):
                raise UserError(
                    f"{key}: no card is turned up after '{', '.join(words[:place])}', where '{word}' stands"
                )
            if CARD_OF[word] in seen:
                raise UserError(f"{key}: {word} is on the board already")
            seen.add(CARD_OF[word])
            node = node.after
            continue
        node = _dealt(node)
        if not isinstance(node, Decision):
            raise UserError(f"{key}: nobody acts after '{', '.join(words[:place])}', where '{word}' stands")
        if word not in node.actions:
            raise unknown(f"action in {key}", word, node.actions)
        node = node.after[node.actions.index(word)]
    node = _dealt(node)
    if not isinstance(node, Decision):
        raise UserError(f"{key}: nobody acts after '{', '.join(words)}'; a lock names a line after which somebody does")
    return tuple(words), node


def _dealt(node: Node) -> Node:
    """What comes after cards that a line leaves out."""
    while isinstance(node, Deal):
        node = node.after
    return node


def _frequencies(text: str, actions: Sequence[str], key: str) -> tuple[Fraction, ...]:
    """How often each action is taken: one alone always, several with their frequencies."""
    parts = [" ".join(part.split()) for part in text.split(",") if part.strip()]
    if not parts:
        raise UserError(f"{key}: no action is given; there are {', '.join(actions)}")
    if len(parts) == 1 and parts[0] in actions:
        return tuple(Fraction(action == parts[0]) for action in actions)
    given: dict[str, Fraction] = {}
    for part in parts:
        action, _, frequency = part.rpartition(" ")
        if part in actions:
            raise UserError(f"{key}: '{part}' has no frequency; write several actions like bet 100 0.3, check 0.7")
        if action not in actions:
            raise unknown(f"action in {key}", part, actions)
        if action in given:
            raise UserError(f"{key}: '{action}' is there twice")
        given[action] = number(f"{key}, frequency of {action}", frequency)
        if not 0 <= given[action] <= 1:
            raise UserError(f"{key}: the frequency {frequency} of '{action}' must be between 0 and 1")
    total = sum(given.values())
    if total != 1:
        raise UserError(f"{key}: the frequencies in '{text.strip():.60}' sum to {float(total):g}, not 1")
    return tuple(given.get(action, Fraction(0)) for action in actions)
