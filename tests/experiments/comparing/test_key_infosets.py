"""What is known without learning: the equilibrium beside a comparison, and the information sets where it is shown."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import pytest

import regretlab as rl
from regretlab.experiments.comparing import strategies
from regretlab.experiments.comparing.strategies import equilibrium, key_infosets, kuhn_family
from regretlab.forms import Strategy, read_strategy, uniform
from regretlab.games import CHANCE, TERMINAL, Kuhn


def visits(game: Any, strategy: Strategy) -> dict[str, float]:
    """How probable it is that play comes by each information set, by plain recursion over the rules."""
    found: dict[str, float] = defaultdict(float)

    def walk(state: Any, reach: float) -> None:
        player = game.player(state)
        if player == TERMINAL:
            return
        if player == CHANCE:
            chances = list(game.chance(state))
        else:
            found[game.label(state)] += reach
            chances = list(strategy[game.label(state)].values())
        for k, chance in enumerate(chances):
            walk(game.child(state, k), reach * float(chance))

    walk(game.root(), 1.0)
    return found


@pytest.mark.parametrize(
    "name", ["kuhn(cards=6)", "leduc(merge_suits=true)", "liars_dice(sides=3)", "goofspiel(cards=3)"]
)
@pytest.mark.parametrize("at_equilibrium", [True, False])
def test_key_information_sets_are_those_where_play_comes_by_and_mixes(name: str, at_equilibrium: bool) -> None:
    game, form = rl.load(name), rl.compile(name)
    played = rl.nash(form).strategy if at_equilibrium else uniform(form)
    reach = visits(game, played)
    weights = {label: reach[label] * (1 - max(played[label].values()) + strategies.SETTLED) for label in form.labels}
    key = key_infosets(form, played)
    assert 0 < len(key) <= strategies.MOST_KEY_INFOSETS
    assert sum(len(played[label]) for label in key) <= strategies.MOST_KEY_ACTIONS
    left_out = max(weights[label] for label in form.labels if label not in key)
    assert min(weights[label] for label in key) > 0
    assert min(weights[label] for label in key) >= left_out * (1 - 1e-9)
    assert [label for label in form.labels if label in key] == list(key)


def test_where_nothing_is_mixed_what_is_played_counts_and_not_what_is_never_reached() -> None:
    form = rl.compile("kuhn(cards=5)")
    passive = {label: {"fold" if label.endswith("b") else "check": 1.0} for label in form.labels}
    key = key_infosets(form, read_strategy(form, passive))
    assert set(key) == {f"{card}{moves}" for card in range(1, 6) for moves in ("", "c")}


def test_few_information_sets_are_all_shown() -> None:
    form = rl.compile("kuhn")
    assert key_infosets(form, uniform(form)) == form.labels


def test_without_histories_only_the_own_reach_counts() -> None:
    form = rl.compile(rl.load("kuhn(cards=13)"), tree=False)
    key = key_infosets(form, uniform(form))
    assert len(key) == strategies.MOST_KEY_INFOSETS
    assert not any(label.endswith("cb") for label in key), "who has to check first comes by half as often"


def test_one_information_set_with_very_many_actions_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies, "MOST_KEY_INFOSETS", 1)
    monkeypatch.setattr(strategies, "MOST_KEY_ACTIONS", 1)
    form = rl.compile("kuhn")
    assert len(key_infosets(form, uniform(form))) == 1


@pytest.mark.parametrize(("actions", "shown"), [(5, 2), (6, 3), (7, 3)])
def test_as_many_are_shown_as_have_so_many_actions_together(monkeypatch, actions: int, shown: int) -> None:
    monkeypatch.setattr(strategies, "MOST_KEY_ACTIONS", actions)
    form = rl.compile("kuhn(cards=5)")
    assert len(key_infosets(form, uniform(form))) == shown


def test_the_equilibrium_is_proven_or_computed_or_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    form = rl.compile("kuhn")
    proven = equilibrium(form)
    assert proven is not None
    assert proven.gap == 0
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_PROOF", 25)
    computed = equilibrium(form)
    assert computed is not None
    assert computed.gap is None
    assert computed.exploitability < 1e-9
    monkeypatch.setattr(strategies, "MOST_SEQUENCES_FOR_VALUE", 25)
    assert equilibrium(form) is None


def test_payoffs_that_are_not_rational_are_left_to_the_linear_programme() -> None:
    @dataclass(frozen=True)
    class Irrational(Kuhn):
        name = "irrational"

        def payoff(self, state) -> float:
            return float(super().payoff(state)) * 2**0.5

    found = equilibrium(rl.compile(Irrational()))
    assert found is not None
    assert found.gap is None
    assert found.value == pytest.approx(-(2**0.5) / 18)


def test_the_family_belongs_to_kuhn_poker_with_three_cards_alone() -> None:
    class Other(Kuhn):
        """It might have other rules."""

    family = kuhn_family(rl.load("kuhn(ante=2, bet=1/3)"))
    assert family is not None
    assert (family.ante, family.bet) == (2, pytest.approx(1 / 3))
    assert kuhn_family(rl.load("kuhn(cards=4)")) is None
    assert kuhn_family(rl.load("leduc")) is None
    assert kuhn_family(Other()) is None
