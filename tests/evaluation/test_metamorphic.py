"""What must not matter: the unit and the origin of payoffs, who is called player 0, the order of actions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import RandomGame, random_form, random_games

from regretlab.evaluation import distance_to_equilibria, evaluate, evaluate_exactly, nash
from regretlab.evaluation.value import Evaluation
from regretlab.forms import SequenceForm, SparsePayoff, Strategy, as_form
from regretlab.games import Game

RandomStrategy = Callable[[SequenceForm, int], Strategy]


@dataclass(frozen=True)
class Changed:
    """A game with payoffs ``scale · payoff + shift``, with the players swapped, or with actions in reverse order."""

    game: Game
    scale: Fraction = Fraction(1)
    shift: Fraction = Fraction(0)
    swapped: bool = False
    reversed: bool = False

    @property
    def name(self) -> str:
        return f"changed {self.game.name}"

    def root(self) -> Any:
        return self.game.root()

    def player(self, state: Any) -> int:
        player = self.game.player(state)
        return 1 - player if self.swapped and player in (0, 1) else player

    def actions(self, state: Any) -> Sequence[str]:
        return self.game.actions(state)[:: -1 if self.reversed else 1]

    def chance(self, state: Any) -> Sequence[Any]:
        return self.game.chance(state)[:: -1 if self.reversed else 1]

    def child(self, state: Any, action: int) -> Any:
        return self.game.child(state, len(self.game.actions(state)) - 1 - action if self.reversed else action)

    def label(self, state: Any) -> str:
        return self.game.label(state)

    def payoff(self, state: Any) -> Any:
        payoff = self.scale * self.game.payoff(state) + self.shift
        return -payoff if self.swapped else payoff


def exact(strategy: Strategy) -> dict[str, dict[str, Fraction]]:
    """Fractions near a strategy, in the same proportions up to a thousandth."""
    weights = {
        label: {action: Fraction(1 + round(1000 * chance)) for action, chance in chances.items()}
        for label, chances in strategy.items()
    }
    return {label: {action: w / sum(row.values()) for action, w in row.items()} for label, row in weights.items()}


@given(random_games(), st.integers(0, 1000), st.fractions(Fraction(1, 100), 100), st.fractions(-100, 100))
@settings(max_examples=40)
def test_scale_and_shift(
    random_strategy: RandomStrategy, game: RandomGame, seed: int, scale: Fraction, shift: Fraction
) -> None:
    form, changed = as_form(game), as_form(Changed(game, scale, shift))
    profile = exact(random_strategy(form, seed))
    plain, judged = evaluate_exactly(form, profile), evaluate_exactly(changed, profile)
    assert judged.value == scale * plain.value + shift
    assert judged.gains == (scale * plain.gains[0], scale * plain.gains[1])
    assert nash(changed, exact=True).value == scale * nash(form, exact=True).value + shift
    assert nash(changed).value == pytest.approx(float(scale) * nash(form).value + float(shift), abs=1e-9)


@given(random_games(), st.integers(0, 1000))
@settings(max_examples=40)
def test_swapping_players(random_strategy: RandomStrategy, game: RandomGame, seed: int) -> None:
    form, changed = as_form(game), as_form(Changed(game, swapped=True))
    profile = exact(random_strategy(form, seed))
    plain, judged = evaluate_exactly(form, profile), evaluate_exactly(changed, profile)
    assert judged == Evaluation(-plain.value, plain.best_response_values[::-1])
    assert nash(changed, exact=True).value == -nash(form, exact=True).value


@given(random_games(), st.integers(0, 1000))
@settings(max_examples=40)
def test_permuting_actions(random_strategy: RandomStrategy, game: RandomGame, seed: int) -> None:
    form, changed = as_form(game), as_form(Changed(game, reversed=True))
    profile = exact(random_strategy(form, seed))
    assert evaluate_exactly(form, profile) == evaluate_exactly(changed, profile)
    assert nash(changed, exact=True).value == nash(form, exact=True).value


@pytest.mark.parametrize("seed", range(20))
def test_transposing_a_form(seed: int, random_strategy: RandomStrategy) -> None:
    form = random_form(np.random.default_rng(seed))
    assert isinstance(form.payoff, SparsePayoff)
    transposed = SequenceForm("transposed", form.treeplexes[::-1], SparsePayoff(form.payoff.matrices[::-1], None))
    strategy = random_strategy(form, seed)
    plain, judged = evaluate(form, strategy), evaluate(transposed, dict(strategy))
    assert judged.value == pytest.approx(-plain.value, abs=1e-12)
    assert judged.best_response_values == pytest.approx(plain.best_response_values[::-1], abs=1e-12)
    assert nash(transposed).value == pytest.approx(-nash(form).value, abs=1e-12)
    distances = distance_to_equilibria(form, strategy), distance_to_equilibria(transposed, dict(strategy))
    assert distances[1].by_player == pytest.approx(distances[0].by_player[::-1], abs=1e-8)
