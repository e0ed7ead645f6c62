"""Locks that people set while they explore: what sliders and a choice of hands say, in the spot's own grammar."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from regretlab.endgames import Range, Spot, read_range
from regretlab.endgames.cards import Hand
from regretlab.endgames.lines import line_as_said
from regretlab.endgames.locks import CARD_OF, ROOT, decision_of, line_words
from regretlab.endgames.ranges import class_of, written_weight
from regretlab.endgames.spot import PLAYERS
from regretlab.errors import UserError
from regretlab.watch.spots.described import read_spot
from regretlab.watch.spots.held import locks_shown
from regretlab.watch.spots.shown import read_filter

Row = tuple[Fraction, ...]
"""How often each action is taken."""


def locked(order: Mapping[str, Any]) -> dict[str, Any]:
    """The locks of a spot with one more: ``line``, ``frequencies`` of its actions in percent, and which hands: those of
    the range ``hands``, or of ``kinds`` and ``suits``, or all; with ``anywhere``, whatever cards come.

    What is locked already stays so for the other hands.
    """
    fields = order.get("fields")
    if not isinstance(fields, Mapping):
        raise UserError("fields must be an object of keys and values")
    spot, line = read_spot(fields), tuple(line_as_said(_texts(order, "line")))
    known = {tuple(line_words(each)): each for each, _ in spot.lock}
    lock_of = {lock.line: lock for lock in spot.locks}
    _, decision = decision_of(", ".join(line), spot.betting, spot.board, f"lock.'{', '.join(line):.100}'")
    hands = _chosen(spot, decision.player, spot.board_after(line), order)
    if order.get("anywhere"):
        line = tuple(word for word in line if word not in CARD_OF)
    mine = spot.cards(decision.player)
    same = lock_of.get(line)
    rows = dict(zip(mine, same.probabilities if same else [None] * len(mine), strict=True))
    rows |= dict.fromkeys(hands, _row(order.get("frequencies"), decision.actions))
    strategy = written_strategy(rows, decision.actions)
    wanted = dict(spot.lock) | {known.get(line, ", ".join(line) or ROOT): strategy}
    return {"lock": wanted, "locks": locks_shown(read_spot({**fields, "lock": wanted}))}


def _texts(order: Mapping[str, Any], key: str) -> list[str]:
    """A list of texts of an order, which may be one text or missing."""
    given = order.get(key, [])
    if isinstance(given, str):
        return [given]
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise UserError(f"{key}={given!s:.40} is no list of texts")
    return given


def _chosen(spot: Spot, player: int, board: tuple[int, ...], order: Mapping[str, Any]) -> list[Hand]:
    """The hands of a player that an order means, with these cards turned up."""
    mine = spot.cards(player)
    chosen = read_filter(_texts(order, "kinds"), str(order.get("suits", "")))
    wanted = str(order.get("hands") or "").strip()
    listed = read_range(wanted, "hands").weights if wanted and wanted != "*" else dict.fromkeys(mine)
    hands = [hand for hand in mine if hand in listed and chosen.keeps(hand, board)]
    if not hands:
        raise UserError(f"hands={wanted or '*'!s:.40} has no hand that {PLAYERS[player]} can hold here")
    return hands


def _row(given: Any, actions: Sequence[str]) -> Row:
    """Frequencies in percent as a row."""
    if not isinstance(given, list) or len(given) != len(actions):
        raise UserError(f"frequencies must be {len(actions)} numbers in percent, for {', '.join(actions)}")
    for each in given:
        if isinstance(each, bool) or not isinstance(each, int | float) or not 0 <= each <= 100:
            raise UserError(f"a frequency of {each!s:.20} is not between 0 and 100 percent")
    row = tuple(Fraction(str(each)) / 100 for each in given)
    if sum(row) != 1:
        raise UserError(f"the frequencies sum to {float(100 * sum(row)):g} percent, not 100")
    return row


def written_strategy(rows: Mapping[Hand, Row | None], actions: Sequence[str]) -> str:
    """A strategy for some hands, as a lock has it: the fewest clauses, the one of most hands last, for all others."""
    groups: dict[Row, list[Hand]] = {}
    for hand, row in rows.items():
        if row is not None:
            groups.setdefault(row, []).append(hand)
    ordered = sorted(groups.items(), key=lambda group: len(group[1]))
    texts = [f"{_range(hands, rows)}: {_frequencies(row, actions)}" for row, hands in ordered]
    if None not in rows.values():
        rest = _frequencies(ordered[-1][0], actions)
        texts[-1] = f"*: {rest}" if len(texts) > 1 else rest
    return "; ".join(texts)


def _range(hands: Sequence[Hand], held: Collection[Hand]) -> Range:
    """The range of some of the hands that can be held; with hands that can't, where that makes a class whole."""
    wanted = set(hands)
    for each in {class_of(hand) for hand in hands}:
        whole = each.hands()
        if all(hand in wanted or hand not in held for hand in whole):
            wanted.update(whole)
    return Range.of(dict.fromkeys(wanted, Fraction(1)))


def _frequencies(row: Row, actions: Sequence[str]) -> str:
    """What a row says: one action alone, or several with their frequencies."""
    if 1 in row:
        return actions[row.index(Fraction(1))]
    return ", ".join(f"{action} {written_weight(often)}" for action, often in zip(actions, row, strict=True) if often)
