"""What a place of a solved spot looks like: the grid, all hands of both players, and the way there, in plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.endgames import KINDS, Deal, Decision, Fold, NodeView, Reading, Spot, kinds_of
from regretlab.endgames.betting import Node
from regretlab.endgames.cards import ALL_HANDS, SUITS, Hand, hand_name, read_cards
from regretlab.endgames.lines import free_cards, line_as_said, paid
from regretlab.endgames.ranges import class_of, grid_class
from regretlab.endgames.spot import PLAYERS
from regretlab.errors import unknown
from regretlab.experiments.rows import as_csv
from regretlab.forms.kernel import Floats

FIELDS = [grid_class(row, column) for row in range(13) for column in range(13)]
"""The fields of the grid, row by row."""

_FIELD_OF = {hand: FIELDS.index(class_of(hand)) for hand in ALL_HANDS}

DECIMALS = 6
"""Decimals of what is drawn or listed: more would not be seen, and all of them have to be sent."""

PERCENTILES = np.linspace(0, 1, 101)
"""Where the distribution of equities is looked at."""

_KEYS = {"fold": "f", "check": "x", "call": "c"}


class Filter(NamedTuple):
    """Which hands are looked at: those of some kinds, or of all, that hold a card of some suits, or of any."""

    kinds: frozenset[str] = frozenset()
    suits: frozenset[str] = frozenset()

    def keeps(self, hand: Hand, board: tuple[int, ...]) -> bool:
        """Whether a hand is one of them."""
        if self.suits and not any(SUITS[card % 4] in self.suits for card in hand):
            return False
        return not self.kinds or not self.kinds.isdisjoint(kinds_of(hand, board))


ALL = Filter()


def read_filter(kinds: Iterable[str] = (), suits: str = "") -> Filter:
    """The filter of an address: names of kinds, and letters of suits."""
    for kind in kinds:
        if kind not in KINDS:
            raise unknown("kind of hand", kind, KINDS)
    for suit in suits:
        if suit not in SUITS:
            raise unknown("suit", suit, SUITS)
    return Filter(frozenset(kinds), frozenset(suits))


def place_shown(reading: Reading, given: Sequence[str], chosen: Filter = ALL) -> dict[str, Any]:
    """What there is after a line: a decision, a card to come, or the end of the hand."""
    spot, line = reading.spot, tuple(line_as_said(given))
    after = _after(spot, line)
    if after is None or isinstance(after, Decision):
        found = node_shown(reading, line, chosen)  # which says what is wrong with a line that does not exist
    elif what_follows(after) == "card":
        found = cards_shown(reading, line)
    else:
        found = {"kind": "end", "how": _how(after), "winner": after.winner if isinstance(after, Fold) else None}
    pot = spot.pot + sum(paid(line))
    return found | {
        "line": list(line),
        "board": hand_name(spot.board_after(line)),
        "pot": pot,
        "steps": steps_to(spot, line),
    }


def _after(spot: Spot, line: tuple[str, ...]) -> Node | None:
    """What there is after a line, None where it does not exist."""
    for length, word in enumerate(line):
        before = spot.node(line[:length])
        if not isinstance(before, Decision | Deal) or word not in spot.moves(line[:length]):
            return None
    return spot.node(line)


def _how(node: Node) -> str:
    """How a hand ends: with a fold, at once with a showdown, or after cards without betting."""
    return "fold" if isinstance(node, Fold) else "cards" if isinstance(node, Deal) else "showdown"


def node_shown(reading: Reading, line: tuple[str, ...], chosen: Filter = ALL) -> dict[str, Any]:
    """A decision: what both players hold, do and expect there; hands that the filter leaves out do not count in what is
    said of fields, nor in ``kept``."""
    node = reading.at(*line)
    spot = reading.spot
    return {
        "kind": "decision",
        "player": node.player,
        "actions": actions_shown(spot, node),
        "evs": [_number(ev) for ev in node.evs],
        "evs_of_pot": [_number(ev / node.pot) for ev in node.evs],
        "equities": [_number(equity) for equity in node.equities],
        "probability": _number(node.probability),
        "reach": [_number(part) for part in node.reach],
        "sides": [_side(spot, node, player, chosen) for player in (0, 1)],
        "strategy": _rows(node.strategy),
        "action_evs": _rows(node.action_evs),
        "filtered": bool(chosen.kinds or chosen.suits),
    }


def actions_shown(spot: Spot, node: NodeView) -> list[dict[str, Any]]:
    """The actions of a decision: their sorts and keys, how often each is taken, and what follows."""
    frequencies = node.frequencies
    return [
        action | {"frequency": _number(frequencies[action["name"]]), "leads": leads}
        for action, leads in zip(_named(node.actions), _leads(spot, node.line), strict=True)
    ]


def _named(actions: Sequence[str]) -> list[dict[str, str]]:
    """Each action with its sort and its key: f, x, c, and 1, 2, 3 … for the sizes."""
    sizes = [action for action in actions if kind_of(action) not in _KEYS]
    return [
        {"name": action, "kind": kind_of(action), "key": _KEYS.get(action) or str(1 + sizes.index(action))}
        for action in actions
    ]


def kind_of(action: str) -> str:
    """What sort of action it is: fold, check, call, bet or raise."""
    return action.split()[0]


def _leads(spot: Spot, line: tuple[str, ...]) -> list[str]:
    """What follows each action: another decision, a card, or the end."""
    node = spot.node(line)
    assert isinstance(node, Decision)
    return [what_follows(after) for after in node.after]


def what_follows(node: Node) -> str:
    """Another decision, a card after which somebody decides, or the end."""
    if isinstance(node, Decision):
        return "decision"
    return "card" if isinstance(node, Deal) and isinstance(node.after, Decision) else "end"


def steps_to(spot: Spot, line: tuple[str, ...]) -> list[dict[str, Any]]:
    """Each decision and card on the way, with what could have been done there instead."""
    steps: list[dict[str, Any]] = []
    for length, word in enumerate(line):
        before = spot.node(line[:length])
        if isinstance(before, Decision):
            steps.append({"player": before.player, "chosen": word, "actions": _named(before.actions)})
        else:
            steps.append({"player": None, "chosen": word, "actions": []})
    return steps


@lru_cache(maxsize=4096)
def _hand(name: str) -> Hand:
    high, low = read_cards(name)
    return high, low


def _side(spot: Spot, node: NodeView, player: int, chosen: Filter) -> dict[str, Any]:
    """A player's hands, the grid of them, what those expect that the filter keeps, and how equity is spread."""
    side, board = node.sides[player], read_cards(node.board)
    hands = [_hand(name) for name in side.cards.tolist()]
    total = float(side.weights.sum())
    kept = np.array([chosen.keeps(hand, board) for hand in hands])
    range_weights = spot.ranges[player].weights
    held = np.array([float(range_weights[hand]) for hand in hands]) * side.reach
    weights = side.weights / total if total > 0 else side.weights
    return {
        "hands": side.cards.tolist(),
        "kinds": [list(kinds_of(hand, board)) for hand in hands],
        "reach": _list(held),
        "weight": _list(weights),
        "ev": _list(side.ev),
        "equity": _list(side.equity),
        "combos": _number(float(held.sum())),
        "grid": _grid(node, player, hands, held, kept),
        "graph": equity_graph(side.equity, side.weights),
        "kept": _kept(node, player, kept) | {"hands": kept.tolist(), "combos": _number(float(held[kept].sum()))},
    }


def _kept(node: NodeView, player: int, kept: NDArray[np.bool_]) -> dict[str, Any]:
    """What the hands that a filter keeps do and expect on average, and which part of the range here they are."""
    side = node.sides[player]
    counted = kept & (side.weights > 0)
    weights = side.weights[counted]
    here, total = float(weights.sum()), float(side.weights.sum())

    def mean(numbers: Floats) -> float | None:
        return _number(float(numbers[counted] @ weights) / here) if here > 0 else None

    ev = mean(side.ev)
    frequencies = [mean(column) for column in node.strategy.T] if player == node.player else None
    return {
        "share": _number(here / total) if total > 0 else 0.0,
        "ev": ev,
        "ev_of_pot": None if ev is None else _number(ev / node.pot),
        "equity": mean(side.equity),
        "frequencies": frequencies,
    }


def _grid(
    node: NodeView, player: int, hands: list[Hand], held: Floats, kept: NDArray[np.bool_]
) -> list[dict[str, Any] | None]:
    """Of each field of the grid its hands, how many of its combinations are left here, and the means of those that are
    kept; None where the range has none of it."""
    side = node.sides[player]
    at = np.array([_FIELD_OF[hand] for hand in hands])
    weights = np.where(kept, side.weights, 0.0)

    def sums(numbers: Floats) -> Floats:
        return np.bincount(at, numbers, minlength=len(FIELDS)).astype(np.float64, copy=False)

    here, combos, total = sums(weights), sums(np.where(kept, held, 0.0)), float(side.weights.sum())
    possible = _possible(node.board)
    columns = {"ev": side.ev, "equity": side.equity}
    if player == node.player:
        columns |= {f"{a}": column for a, column in enumerate(node.strategy.T)}
    with np.errstate(divide="ignore", invalid="ignore"):
        means = {
            name: _list(sums(np.where(weights > 0, weights * numbers, 0.0)) / here) for name, numbers in columns.items()
        }
        left, shares = _list(combos / possible), _list(here / total)
    numbers, counts = _list(combos), np.bincount(at, kept, minlength=len(FIELDS))
    places: list[list[int]] = [[] for _ in FIELDS]
    for place, field in enumerate(at.tolist()):
        places[field].append(place)
    mixes = (
        list(zip(*(means[f"{a}"] for a in range(len(node.actions))), strict=True)) if player == node.player else None
    )
    return [
        {
            "hands": places[k],
            "left": left[k],
            "combos": numbers[k],
            "weight": shares[k],
            "ev": means["ev"][k],
            "equity": means["equity"][k],
            "kept": bool(counts[k]),
            "mix": None if mixes is None or means["ev"][k] is None else list(mixes[k]),
        }
        if places[k]
        else None
        for k in range(len(FIELDS))
    ]


@lru_cache(maxsize=256)
def _possible(board: str) -> Floats:
    """How many combinations of each field a board leaves."""
    taken = set(read_cards(board))
    return np.array([float(sum(taken.isdisjoint(hand) for hand in field.hands())) for field in FIELDS])


def equity_graph(equity: Floats, weights: Floats) -> list[float | None]:
    """The equities of a player's hands from the weakest to the strongest, at each percentile of the range here."""
    counted = weights > 0
    if not counted.any():
        return []
    by = np.argsort(equity[counted], kind="stable")
    ordered, up_to = equity[counted][by], np.cumsum(weights[counted][by])
    places = np.searchsorted(up_to, PERCENTILES * up_to[-1])
    return _list(ordered[np.minimum(places, len(ordered) - 1)])


def _number(number: float) -> float | None:
    """As many digits as are seen; None where there is no number."""
    return round(number, DECIMALS) if np.isfinite(number) else None


def _list(numbers: Floats) -> list[float | None]:
    rounded: list[float] = np.round(numbers, DECIMALS).tolist()
    return [number if number - number == 0 else None for number in rounded]


def _rows(numbers: Floats) -> list[list[float | None]]:
    flat = _list(numbers.ravel())
    return [flat[at : at + numbers.shape[1]] for at in range(0, len(flat), numbers.shape[1])]


def cards_shown(reading: Reading, line: tuple[str, ...]) -> dict[str, Any]:
    """Each card that may be turned up after a line, and what player 0 does then and both expect."""
    cards = []
    for card in free_cards(reading.spot, line):
        node = reading.at(*line, card)
        cards.append(
            {
                "card": card,
                "evs": [_number(ev) for ev in node.evs],
                "evs_of_pot": [_number(ev / node.pot) for ev in node.evs],
                "equities": [_number(equity) for equity in node.equities],
                "actions": _named(node.actions),
                "frequencies": [_number(each) for each in node.frequencies.values()],
            }
        )
    return {"kind": "card", "cards": cards}


def node_csv(reading: Reading, line: tuple[str, ...]) -> str:
    """A decision as a table: a row for each hand of both players, with strategy and values of actions for who acts."""
    node = reading.at(*line)
    board = read_cards(node.board)
    rows = [
        {"player": PLAYERS[player], "kind": " + ".join(kinds_of(_hand(row["hand"]), board))} | row
        for player in (node.player, 1 - node.player)
        for row in node.hands(player if player != node.player else None)
    ]
    return as_csv(rows)
