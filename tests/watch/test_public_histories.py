"""What everybody sees: the public tree of any game, found from its information sets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

import regretlab as rl
from regretlab.errors import UserError
from regretlab.forms import compile, uniform
from regretlab.games import CHANCE, TERMINAL
from regretlab.watch.public_histories import PublicReach, public_histories


def actions_to(public, node: int) -> list[str]:
    found: list[str] = []
    while node > 0:
        found.insert(0, "|".join(public.actions[node]))
        node = public.parent[node]
    return found


def test_kuhn_poker_has_ten_nodes() -> None:
    form = compile("kuhn")
    public = public_histories(form)
    ways = [actions_to(public, node)[1:] for node in range(public.nodes)]
    assert ways == [
        [],
        [],
        ["check"],
        ["bet"],
        ["check", "check"],
        ["check", "bet"],
        ["bet", "fold"],
        ["bet", "call"],
        ["check", "bet", "fold"],
        ["check", "bet", "call"],
    ]
    assert public.player == (CHANCE, 0, 1, 1, TERMINAL, 0, TERMINAL, TERMINAL, TERMINAL, TERMINAL)
    assert [len(each) for each in public.infosets] == [0, 3, 3, 3, 0, 3, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("game", "decisions", "hands"),
    [
        # Leduc: 6 decisions before the card and 5 ways to it, then 3 cards and 6 decisions: 6 + 5 · 3 · 6.
        ("leduc(merge_suits=true)", 96, 3),
        ("leduc", 6 + 5 * 6 * 6, 6),
        ("liars_dice(sides=3)", 64, 3),  # any set of bids made, but all of them: 2⁶ sets
        ("kuhn(cards=5)", 4, 5),
        ("rps", 2, 1),
    ],
)
def test_every_information_set_stands_at_one_node(game: str, decisions: int, hands: int) -> None:
    form = compile(game)
    public = public_histories(form)
    at = [(player, i) for player, own in zip(public.player, public.infosets, strict=True) for i in own]
    assert sorted(at) == [(p, i) for p in (0, 1) for i in range(form.treeplexes[p].infosets)]
    assert sum(player >= 0 for player in public.player) == decisions
    assert max(map(len, public.infosets)) == hands


def test_what_one_player_does_not_see_is_one_node() -> None:
    public = public_histories(compile("rps"))
    assert public.actions[1] == ("rock", "paper", "scissors")
    assert [public.parent[node] for node in range(public.nodes)] == [-1, 0, 1, 1, 1]


def test_shares_are_means_over_the_hands() -> None:
    form = compile("kuhn")
    public = public_histories(form)
    reach = PublicReach(form, public)
    solution = rl.solve("kuhn", "cfr+", iterations=100)
    shares = reach.shares(solution.strategy.arrays)
    assert shares[:2] == pytest.approx([1, 1])
    assert shares[3] == pytest.approx(sum(solution.strategy[card]["bet"] for card in "JQK") / 3)
    for node in range(public.nodes):
        below = [shares[child] for child in range(public.nodes) if public.parent[child] == node]
        assert not below or sum(below) == pytest.approx(1)
    # Nobody comes to where nobody bets.
    never = [array.copy() for array in uniform(form).arrays]
    for label in "JQK":
        never[0][form.treeplexes[0].own(form.treeplexes[0].index[label])] = (1, 0)
    found = reach.shares((never[0], never[1]))
    assert found[3] == 0
    assert found[6] is None


class Forgetful:
    """Player 1 does not know whether player 0 has moved."""

    name = "forgetful"

    def root(self) -> str:
        return ""

    def player(self, state: str) -> int:
        return {"": CHANCE, "a": 1, "b": 0, "bx": 1}.get(state, TERMINAL)

    def actions(self, state: str) -> Sequence[str]:
        return {"": ["a", "b"], "b": ["x"]}.get(state, ["y", "z"])

    def chance(self, state: str) -> Sequence[Fraction]:
        return [Fraction(1, 2)] * 2

    def child(self, state: str, action: int) -> str:
        return state + self.actions(state)[action]

    def label(self, state: str) -> str:
        return "zero" if state == "b" else "one"

    def payoff(self, state: str) -> int:
        return 1 if state.endswith("y") else -1


def test_a_game_that_has_no_public_tree_is_refused() -> None:
    with pytest.raises(UserError, match="forgetful can't be drawn by what everybody sees"):
        public_histories(compile(Forgetful()))
