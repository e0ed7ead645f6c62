"""The game as the page draws it once: the public betting tree, the information sets, the equilibria."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from regretlab.documents import Unit
from regretlab.errors import UserError
from regretlab.evaluation import KuhnEquilibria, kuhn_equilibria
from regretlab.evaluation.value import Profile
from regretlab.forms import SequenceForm, compile
from regretlab.forms.tree import Tree
from regretlab.games import CHANCE, TERMINAL, Kuhn
from regretlab.spec import number

LEAST_CHIPS, MOST_CHIPS = 0.001, 1_000_000
"""Antes and bets that the page takes; within them no float comes near its limits."""

KEY = (
    ("K", "bet", "Player 1 bets with the King"),
    ("J", "bet", "Player 1 bluffs with the Jack"),
    ("Kc", "bet", "Player 2 bets the King after a check"),
    ("Jc", "bet", "Player 2 bluffs with the Jack after a check"),
    ("Qcb", "call", "Player 1 calls a bet with the Queen"),
)
"""The probabilities that tell the story of Kuhn poker: the lines of the convergence chart."""

UNIT_HELP = (
    "mbb/g: thousandths of the ante a game. An exploitability of 1 mbb/g means that a perfect opponent, who takes "
    "either seat equally often, wins a thousandth of an ante more in each game than the strategy should lose."
)


@dataclass(frozen=True, eq=False)
class Scene:
    """Kuhn poker with one ante and one bet, and all that the page needs to know about it."""

    rules: Kuhn
    form: SequenceForm
    tree: Tree
    equilibria: KuhnEquilibria
    deals: tuple[str, ...]
    places: tuple[str, ...]  # (histories,) which node of the public tree each history belongs to
    labels: tuple[str, ...]  # in the order in which people expect them

    @property
    def chips(self) -> float:
        """How many chips one mbb/g is."""
        return Unit.of(self.rules).chips

    def described(self) -> dict[str, Any]:
        """What the page draws once, for JSON."""
        return {
            "name": self.rules.name,
            "players": ["Player 1", "Player 2"],
            "exact_value": float(self.equilibria.value),
            "exact_value_words": str(self.equilibria.value),
            "deals": list(self.deals),
            "nodes": list(self._nodes()),
            "infosets": [self._infoset(label) for label in self.labels],
            "nash": {label: self._range(label) for label in self.labels},
            "key": [{"label": label, "action": action, "words": words} for label, action, words in KEY],
            "unit": {"name": "mbb/g", "chips": self.chips, "help": UNIT_HELP},
        }

    def targets(self, average: Profile) -> dict[str, dict[str, float]]:
        """What the charted probabilities should become: those of the equilibrium with the α that is nearest."""
        return self._only_targets or self._targets(self.equilibria.alpha_of(average))

    @cached_property
    def _only_targets(self) -> dict[str, dict[str, float]] | None:
        """The same for every average, unless the equilibria are a family."""
        low, high = self.equilibria.alpha_range
        return self._targets(float(low)) if low == high else None

    def _targets(self, alpha: float) -> dict[str, dict[str, float]]:
        nearest = self.equilibria.targets(alpha)
        return {label: {action: nearest[label]} for label, action, _ in KEY}

    def actions(self, label: str) -> tuple[str, ...]:
        """The actions of an information set."""
        treeplex = self.form.treeplexes[self.form.owner(label) or 0]
        return treeplex.actions[treeplex.index[label]]

    def _infoset(self, label: str) -> dict[str, Any]:
        player = self.form.owner(label)
        assert player is not None
        index = self.form.treeplexes[player].index[label]
        own = (self.tree.player == player) & (self.tree.infoset == index)
        return {
            "label": label,
            "player": player,
            "words": self.rules.meaning(label),
            "actions": list(self.actions(label)),
            "node": self.places[int(own.argmax())],
        }

    def _range(self, label: str) -> dict[str, dict[str, float]]:
        """The lowest and the highest probability of each action over all equilibria."""
        low, high = self.equilibria.ranges[label]
        first, second = self.actions(label)
        return {
            first: {"low": float(1 - high), "high": float(1 - low)},
            second: {"low": float(low), "high": float(high)},
        }

    def _nodes(self) -> Iterator[dict[str, Any]]:
        """The public tree, parents before children."""
        histories: dict[str, list[int]] = {}
        for history, place in enumerate(self.places):
            histories.setdefault(place, []).append(history)
        for place, members in histories.items():
            yield self._node(place, members)

    def _node(self, place: str, members: list[int]) -> dict[str, Any]:
        player, name = int(self.tree.player[members[0]]), self.tree.names[members[0]]
        kinds = {CHANCE: "chance", TERMINAL: "end"}
        node: dict[str, Any] = {
            "id": place,
            "parent": _parent(place),
            "action": name if place not in ("deal", "start") else None,
            "kind": kinds.get(player, "player"),
            "player": player if player >= 0 else None,
            "words": self._words(player, name, members[0]),
        }
        if player == TERMINAL:
            node["ending"] = "fold" if name == "fold" else "showdown"
            node["payoffs"] = [float(self.tree.payoff[history]) for history in members]
        return node

    def _words(self, player: int, name: str, history: int) -> str:
        if player == CHANCE:
            return "A card for each player"
        if player == TERMINAL:
            return "Fold" if name == "fold" else "Showdown"
        label = self.form.treeplexes[player].labels[int(self.tree.infoset[history])]
        return f"Player {player + 1}, {self.rules.meaning(label).partition(', ')[2]}"


def _parent(place: str) -> str | None:
    if place in ("deal", "start"):
        return None if place == "deal" else "deal"
    return place.rpartition("-")[0] or "start"


@lru_cache(maxsize=64)
def scene(ante: str, bet: str) -> Scene:
    """The scene for an ante and a bet as people write them; the same one for all who ask."""
    rules = Kuhn(_chips("ante", ante), _chips("bet", bet))  # type: ignore[arg-type]
    form = compile(rules)
    tree = form.tree
    assert tree is not None
    deals = tree.names[int(tree.children[0]) : int(tree.children[1])]
    labels = sorted(form.labels, key=lambda label: (form.owner(label), rules.order(label)))
    equilibria = kuhn_equilibria(rules.ante, rules.bet)
    return Scene(rules, form, tree, equilibria, deals, _places(tree), tuple(labels))


def _chips(key: str, value: str) -> str:
    amount = number(key, value)
    if not LEAST_CHIPS <= amount <= MOST_CHIPS:
        raise UserError(f"{key}={value:.40} must be between {LEAST_CHIPS} and {MOST_CHIPS:,}")
    return value


def _places(tree: Tree) -> tuple[str, ...]:
    """The public node of each history: the deal, the start, then the actions so far."""
    places = ["deal"] + [""] * (tree.histories - 1)
    for history in range(tree.histories):
        for child in range(int(tree.children[history]), int(tree.children[history + 1])):
            before = places[history]
            joined = tree.names[child] if before == "start" else f"{before}-{tree.names[child]}"
            places[child] = "start" if before == "deal" else joined
    return tuple(places)
