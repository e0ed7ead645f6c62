"""How far a profile is from the set of equilibria."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from regretlab.evaluation.value import Profile, evaluate, read
from regretlab.forms import GameLike, SequenceForm, Strategy, from_weights


@dataclass(frozen=True)
class EquilibriumDistance:
    """The way from a profile to the nearest equilibrium, in realisation plans (products of own probabilities)."""

    distance: float
    """The larger of the two players' distances."""
    by_player: tuple[float, float]
    """For each player the largest difference of any entry of the plan from that of the nearest optimal plan."""
    nearest: Strategy
    """Such an equilibrium; uniform at information sets that a player's own actions never reach."""


def distance_to_equilibria(game: GameLike, strategy: Profile) -> EquilibriumDistance:
    """The smallest sup-norm distance from each player's realisation plan to an optimal plan of that player.

    In a zero-sum game the equilibria are the pairs of optimal plans, so the players can be looked at one by one; a
    plan is optimal if it guarantees the value, which makes the nearest one a linear programme. It is solved in floats:
    a plan counts as optimal if it guarantees the value up to 1e-10 of the largest payoff, so the distance is as
    exact as the game is steep around its equilibria.

    >>> from regretlab.forms import as_form, uniform
    >>> kuhn = as_form("kuhn")
    >>> round(distance_to_equilibria(kuhn, uniform(kuhn)).distance, 6)
    0.5
    """
    from regretlab.evaluation.programme import nearest_optimal_plan

    form, profile = read(game, strategy)
    guaranteed = _guaranteed(form)
    mine, theirs = (nearest_optimal_plan(form, p, profile.plan(p), guaranteed[p]) for p in (0, 1))
    by_player = mine[0], theirs[0]
    return EquilibriumDistance(max(by_player), by_player, from_weights(form, (mine[1], theirs[1])))


@lru_cache(1)
def _guaranteed(form: SequenceForm) -> tuple[float, float]:
    """What each player can be sure of; kept for the next profile of the same compiled game."""
    from regretlab.evaluation.programme import optimal_plan

    best = evaluate(form, from_weights(form, (optimal_plan(form, 0), optimal_plan(form, 1)))).best_response_values
    # What the solver's plans guarantee: the other player's best response to them, seen from here.
    return -best[1], -best[0]
