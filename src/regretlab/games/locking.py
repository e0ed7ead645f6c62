"""Locks as people write them, and the information sets that they are about.

A lock is a dictionary ``{"Jb": {"fold": 0.7, "call": 0.3}, "Jc": "check"}``, the text ``Jb: fold 0.7, call 0.3; Jc:
check``, or a TOML file with such a dictionary in its section ``[lock]``. In a text, names with a separator in them
stand in double quotes.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from regretlab.errors import GameError, UserError, unknown
from regretlab.games.locked import Locked, LockedDecision, LockedGame, LockedPublicGame
from regretlab.games.protocol import CHANCE, TERMINAL, Game, HasOwnLocks, Number
from regretlab.games.public import PublicGame, Weights
from regretlab.games.registry import as_rules
from regretlab.games.size import MOST_HISTORIES
from regretlab.games.walk import CHANCE_TOLERANCE, walk
from regretlab.spec import number

Lock: TypeAlias = Mapping[str, str | Mapping[str, Any]] | str | Path
"""What players are held to: an action or probabilities by label, as a dictionary, a text or a TOML file."""

Amounts: TypeAlias = Mapping[str, Any]
"""Probabilities by action, as they were written."""


def lock(game: str | Game, lock: Lock) -> Game:
    """The game in which players do as ``lock`` says at some information sets, and are free at all others.

    Everything takes it as it takes any game. What is left to gain in it is what the unlocked part could gain: a lock
    binds the best response of its owner, too. A game that is locked already becomes one with both locks.

    >>> honest = lock("kuhn", {"J": "check", "Jc": {"check": 1}})
    >>> honest.name
    'kuhn locked at J: check; Jc: check'
    """
    rules = as_rules(game)
    return rules.locked_at(lock) if isinstance(rules, HasOwnLocks) else lock_by_labels(rules, read_lock(lock))


def lock_by_labels(rules: Game, wanted: Mapping[str, Amounts]) -> Game:
    """The game in which chance moves at the information sets of these labels, as it is wanted there."""
    if isinstance(rules, Locked):
        before = {label: decision.behaviour for label, decision in rules.locked.items()}
        rules, wanted = rules.game, {**before, **wanted}
    if not wanted:
        return rules
    if isinstance(rules, PublicGame):
        return _locked_public(rules, wanted)
    locked, labels = {}, []
    for visit in walk(rules):
        infoset = visit.infoset
        if infoset is None or infoset.label in locked:
            continue
        labels.append(infoset.label)
        if infoset.label in wanted:
            locked[infoset.label] = _decision(infoset.player, infoset.label, infoset.actions, wanted[infoset.label])
            if len(locked) == len(wanted):
                break
    _check_found(wanted, locked, labels)
    return LockedGame(rules, locked, write_lock(locked))


def _locked_public(game: PublicGame, wanted: Mapping[str, Amounts]) -> Game:
    """A game with hands, locked; by histories where a node is locked with some of its hands only."""
    locked: dict[str, LockedDecision] = {}
    labels: list[str] = []
    nodes: dict[Any, list[LockedDecision | None]] = {}
    whole = True
    for public, path in public_decisions(game):
        player, moves = game.turn(public), tuple(game.moves(public))
        known = [game.knows(player, hand, public) for hand in range(len(game.hands(player)))]
        labels += known
        if not any(label in wanted for label in known):
            continue
        here: list[LockedDecision | None] = [None] * len(known)
        for hand, label in enumerate(known):
            if not can_be_held(game, player, hand, path):
                continue
            if label in wanted:
                locked[label] = here[hand] = _decision(player, label, moves, wanted[label])
            else:
                whole = False
        nodes[public] = here
        if len(locked) == len(wanted):
            break
    _check_found(wanted, locked, labels)
    text = write_lock(locked)
    return LockedPublicGame(game, locked, text, nodes) if whole else LockedGame(game, locked, text)


def public_decisions(game: PublicGame) -> Iterator[tuple[Any, tuple[Weights, ...]]]:
    """The public states at which a player acts, each with what chance has turned up before it."""
    waiting: list[tuple[Any, tuple[Weights, ...]]] = [(game.start(), ())]
    met = 0
    while waiting:
        public, path = waiting.pop()
        turn, met = game.turn(public), met + 1
        if met > MOST_HISTORIES:
            raise GameError(f"{game.name}: more than {MOST_HISTORIES:,} public states and no end in sight")
        if turn == TERMINAL:
            continue
        if turn != CHANCE:
            yield public, path
        turned = game.outcomes(public) if turn == CHANCE else ()
        for move in reversed(range(len(game.moves(public)))):
            waiting.append((game.after(public, move), (*path, turned[move]) if turned else path))


def can_be_held(game: PublicGame, player: int, hand: int, path: Sequence[Weights]) -> bool:
    """Whether a player can hold a hand, with any of the other player's, after what chance has turned up."""
    weights = (game.weights(), *path)
    for rival in range(len(game.hands(1 - player))):
        pair = (rival, hand) if player else (hand, rival)
        if game.possible(*pair) and all(each.at(*pair) > 0 for each in weights):
            return True
    return False


def _check_found(wanted: Mapping[str, Amounts], found: Mapping[str, object], labels: Sequence[str]) -> None:
    """Raise UserError where a lock is about an information set that the game does not have."""
    for label in wanted:
        if label not in found:
            raise unknown("information set in the lock", label, labels)


def _decision(player: int, label: str, actions: tuple[str, ...], wanted: Amounts) -> LockedDecision:
    """What a player is held to, in the order of the actions.

    Probabilities are read as decimals, so that 0.1 is a tenth and games stay exact; those that sum to 1 only nearly,
    such as what a run has found, are floats.
    """
    exact = dict.fromkeys(actions, Fraction(0))
    for action, probability in wanted.items():
        if action not in exact:
            raise unknown(f"action at '{label}' in the lock", str(action), actions)
        exact[action] = number(f"the lock at '{label}': {action}", probability)
        if exact[action] < 0:
            raise UserError(f"the lock at '{label}': {action}={probability} must be 0 or more")
    total = sum(exact.values())
    if abs(float(total) - 1) > CHANCE_TOLERANCE:
        raise UserError(f"the lock at '{label}': the probabilities sum to {float(total):.12g}, not 1")
    read: tuple[Number, ...] = tuple(exact.values())
    return LockedDecision(player, actions, read if total == 1 else tuple(map(float, read)))


# ---- reading


def read_lock(given: Lock) -> dict[str, Amounts]:
    """What is wanted at each label, from a dictionary, a text or a TOML file.

    >>> read_lock("Jb: fold 0.7, call 0.3; Jc: check")
    {'Jb': {'fold': '0.7', 'call': '0.3'}, 'Jc': {'check': 1}}
    """
    given = without_file(given)
    if isinstance(given, str):
        return _read_text(given)
    if not isinstance(given, Mapping):
        raise UserError(f"{given!r:.40} is no lock; give {{label: action}} or {{label: {{action: probability}}}}")
    wanted: dict[str, Amounts] = {}
    for label, behaviour in given.items():
        if not isinstance(behaviour, str | Mapping):
            raise UserError(f"the lock at '{label}' is {behaviour!r:.40}; give an action or {{action: probability}}")
        wanted[label] = _read_behaviour(behaviour) if isinstance(behaviour, str) else behaviour
    return wanted


def without_file(given: Lock) -> Mapping[str, Any] | str:
    """A lock as it is written; in place of a TOML file its section ``[lock]``."""
    if not isinstance(given, Path) and not (isinstance(given, str) and given.strip().endswith(".toml")):
        return given
    path = Path(str(given).strip())
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"there is no file '{path}'") from None
    except (OSError, ValueError) as error:
        raise UserError(f"can't read '{path}': {getattr(error, 'strerror', None) or error}") from None
    section = written.get("lock")
    if not isinstance(section, dict):
        raise UserError(f'\'{path}\' has no section [lock]; write lines like "Jb" = "fold" below it')
    return section


def _read_text(text: str) -> dict[str, Amounts]:
    wanted: dict[str, Amounts] = {}
    for item in filter(str.strip, _split(text, ";")):
        *label, behaviour = _split(item, ":")
        if not label or not behaviour.strip():
            raise UserError(
                f"can't read '{item.strip()}' as a lock; write LABEL: ACTION, or LABEL: ACTION 0.7, ACTION 0.3"
            )
        name = _plain(":".join(label))
        if name in wanted:
            raise UserError(f"'{name}' is locked twice in '{text.strip():.60}'")
        wanted[name] = _read_behaviour(behaviour)
    return wanted


def _read_behaviour(text: str) -> Amounts:
    """One action; or several, each with its probability behind it."""
    parts = [part for part in _split(text, ",") if part.strip()]
    if len(parts) == 1:  # names of actions may end in a number: bid 1
        return {_plain(text): 1}
    wanted: dict[str, str] = {}
    for part in parts:
        action, _, probability = part.strip().rpartition(" ")
        if not action:
            raise UserError(
                f"'{part.strip()}' in '{text.strip():.60}' has no probability; write ACTION 0.7, ACTION 0.3"
            )
        if _plain(action) in wanted:
            raise UserError(f"'{_plain(action)}' is given twice in '{text.strip():.60}'")
        wanted[_plain(action)] = probability
    return wanted


def _split(text: str, separator: str) -> list[str]:
    """The parts between separators that stand outside double quotes."""
    parts, quoted = [""], False
    for letter in text:
        quoted ^= letter == '"'
        if letter == separator and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _plain(text: str) -> str:
    """A name without the quotes around it, if there are any."""
    name = text.strip()
    if not name.startswith('"'):
        return name
    try:
        return str(json.loads(name))
    except ValueError:
        raise UserError(f"can't read {name:.60} in a lock: a double quote is missing") from None


# ---- writing


def write_lock(locked: Mapping[str, LockedDecision]) -> str:
    """The text that reads as this lock.

    >>> write_lock({"p0 2:2v1": LockedDecision(0, ("bid 1", "bid 3"), (Fraction(1, 3), Fraction(2, 3)))})
    'p0 2:2v1: bid 1 1/3, bid 3 2/3'
    """
    items = []
    for label, (_, actions, probabilities) in locked.items():
        done = [(_quoted(action, ';:,"'), p) for action, p in zip(actions, probabilities, strict=True) if p]
        parts = [name for name, _ in done] if len(done) == 1 else [f"{name} {_written(p)}" for name, p in done]
        items.append(_quoted(label, ';"') + ": " + ", ".join(parts))
    return "; ".join(items)


def _quoted(name: str, separators: str) -> str:
    """A name as it may stand in a text. Inside quotes there is no other quote, so that they can be counted."""
    if name == name.strip() and name.isprintable() and not any(letter in name for letter in separators):
        return name
    return '"' + "\\u0022".join(json.dumps(part)[1:-1] for part in name.split('"')) + '"'


def _written(probability: Number) -> str:
    """A probability as a decimal where that is exact, else as a fraction."""
    text = repr(float(probability))
    return text if isinstance(probability, float) or Fraction(text) == probability else str(probability)
