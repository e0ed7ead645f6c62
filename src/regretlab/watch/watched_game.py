"""Kuhn poker as it is drawn once for whoever watches: the public betting tree, the information sets, the equilibria."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from regretlab.documents.numbers import Unit, plain
from regretlab.evaluation import KuhnEquilibria, kuhn_equilibria
from regretlab.evaluation.value import Profile
from regretlab.forms import SequenceForm, Strategy, compile
from regretlab.forms.form import Tree
from regretlab.games import CHANCE, TERMINAL, Kuhn
from regretlab.watch.offers import read_stake

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
class WatchedGame:
    """Kuhn poker with one ante and one bet, and all that people see of it."""

    rules: Kuhn
    form: SequenceForm
    tree: Tree
    equilibria: KuhnEquilibria
    deals: tuple[str, ...]
    places: tuple[str, ...]  # (histories,) which node of the public tree each history belongs to
    members: Mapping[str, Sequence[int]]  # of each node of the public tree, parents before children, its histories
    labels: tuple[str, ...]  # in the order in which people expect them

    key = KEY

    def described(self) -> dict[str, Any]:
        """All that is drawn once per run, for JSON."""
        infosets, nash = [], {}
        for label in self.labels:
            player = self.form.owner(label)
            assert player is not None
            treeplex = self.form.treeplexes[player]
            index = treeplex.index[label]
            first, second = treeplex.actions[index]
            own = (self.tree.player == player) & (self.tree.infoset == index)
            infosets.append(
                {
                    "label": label,
                    "player": player,
                    "words": self.rules.meaning(label),
                    "actions": [first, second],
                    "node": self.places[int(own.argmax())],
                }
            )
            low, high = self.equilibria.ranges[label]  # of the second action's probability over all equilibria
            nash[label] = {
                first: {"low": float(1 - high), "high": float(1 - low)},
                second: {"low": float(low), "high": float(high)},
            }
        return {
            "name": self.rules.name,
            "players": ["Player 1", "Player 2"],
            "exact_value": float(self.equilibria.value),
            "exact_value_words": str(self.equilibria.value),
            "deals": list(self.deals),
            "nodes": [self._node(place, members) for place, members in self.members.items()],
            "infosets": infosets,
            "nash": nash,
            "key": [{"label": label, "action": action, "words": words} for label, action, words in KEY],
            "unit": plain(Unit.of(self.rules)) | {"help": UNIT_HELP},
        }

    def _node(self, place: str, members: Sequence[int]) -> dict[str, Any]:
        """A node of the public tree, to which these histories belong, one for each deal."""
        first = members[0]
        player, action = int(self.tree.player[first]), self.tree.names[first]
        kind, words = "player", ""
        if player == CHANCE:
            kind, words = "chance", "A card for each player"
        elif player == TERMINAL:
            kind, words = "end", "Fold" if action == "fold" else "Showdown"
        else:
            label = self.form.treeplexes[player].labels[int(self.tree.infoset[first])]
            words = f"Player {player + 1}, {self.rules.meaning(label).partition(', ')[2]}"
        above = {"deal": None, "start": "deal"}
        node: dict[str, Any] = {
            "id": place,
            "parent": above[place] if place in above else place.rpartition("-")[0] or "start",
            "action": None if place in above else action,
            "kind": kind,
            "player": player if player >= 0 else None,
            "words": words,
        }
        if player == TERMINAL:
            node["ending"] = "fold" if action == "fold" else "showdown"
            node["payoffs"] = [float(self.tree.payoff[history]) for history in members]
        return node

    def reach(self, played: Strategy) -> dict[str, list[float]]:
        """For each deal, the probability with which the players' choices lead to each node of the public tree.

        In the order of the nodes, with four decimals: it says how thick a line is drawn, and nothing else.
        """
        strategies = [array.tolist() for array in played.arrays]
        reach = [1.0]
        for history, player, sequence in self._moves:
            reach.append(reach[history] * strategies[player][sequence] if player >= 0 else reach[history])
        found = {}
        for number, deal in enumerate(self.deals):
            histories = (each[number] if len(each) > 1 else each[0] for each in self.members.values())
            found[deal] = [round(reach[history], 4) for history in histories]
        return found

    @cached_property
    def _moves(self) -> list[tuple[int, int, int]]:
        """For each history but the first, the one before it, who moved there, and the sequence that was played."""
        tree, found = self.tree, []
        for history in range(tree.histories):
            player, first = int(tree.player[history]), int(tree.children[history])
            own = self.form.treeplexes[player].own(int(tree.infoset[history])).start if player >= 0 else 0
            found += [(history, player, own + action) for action in range(int(tree.children[history + 1]) - first)]
        return found

    def targets(self, average: Profile) -> dict[str, dict[str, float]]:
        """What the charted probabilities should become: their values in the equilibrium with the nearest α."""
        nearest = self.equilibria.targets(self.equilibria.alpha_of(average))
        return {label: {action: nearest[label]} for label, action, _ in KEY}


@lru_cache(maxsize=64)
def watched_game(ante: str, bet: str) -> WatchedGame:
    """Kuhn poker with an ante and a bet as people write them; equal stakes give the same object."""
    rules = Kuhn(read_stake("ante", ante), read_stake("bet", bet))
    form = compile(rules)
    tree = form.tree
    assert tree is not None
    # The public node of each history: the deal, the start, then the actions so far.
    places = ["deal"] + [""] * (tree.histories - 1)
    for history in range(tree.histories):
        for child in range(int(tree.children[history]), int(tree.children[history + 1])):
            before = places[history]
            joined = tree.names[child] if before == "start" else f"{before}-{tree.names[child]}"
            places[child] = "start" if before == "deal" else joined
    members: dict[str, list[int]] = {}
    for history, place in enumerate(places):
        members.setdefault(place, []).append(history)
    return WatchedGame(
        rules=rules,
        form=form,
        tree=tree,
        members=members,
        equilibria=kuhn_equilibria(rules.ante, rules.bet),
        deals=tree.names[int(tree.children[0]) : int(tree.children[1])],
        places=tuple(places),
        labels=tuple(sorted(form.labels, key=lambda label: (form.owner(label), rules.order(label)))),
    )


_PLAYER = re.compile(r"\b([Pp]layers?) ([01])\b")
_NEXT_INDEX = str.maketrans("₀₁", "₁₂")


def players_from_one(text: str) -> str:
    """A text of the engine, which counts players from 0, for people, who count from 1: in words and in indices.

    >>> players_from_one("Player 0 bets, player 1 folds: u₁ = −u₀")
    'Player 1 bets, player 2 folds: u₂ = −u₁'
    """
    return _PLAYER.sub(lambda found: f"{found[1]} {int(found[2]) + 1}", text).translate(_NEXT_INDEX)
