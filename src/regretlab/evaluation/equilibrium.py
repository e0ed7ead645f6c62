"""Equilibria of any game: by linear programming in floats, and exactly with a proof."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from regretlab.evaluation.exact import prove
from regretlab.evaluation.value import evaluate, read
from regretlab.forms import GameLike, SequenceForm, Strategy, as_form, from_weights


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium and how good it is."""

    value: float | Fraction
    """Player 0's payoff in chips a game; the game's value differs from it by at most twice the exploitability."""
    strategy: Strategy
    """Both players' probabilities in floats; uniform at information sets that a player's own actions never reach."""
    exploitability: float
    """Of ``strategy``, measured by ``evaluate``: what floats leave of 0."""
    method: str
    """How it was found."""
    exact_strategy: dict[str, dict[str, Fraction]] | None = None
    """The same probabilities as fractions, if exact."""
    gap: Fraction | None = None
    """The exact sum of what two best responders get, if exact: 0, which proves the equilibrium."""


def nash(game: GameLike, exact: bool = False) -> Equilibrium:
    """An equilibrium of ``game``: by HiGHS on the sequence form, or, if ``exact``, in fractions with a proof.

    Exactness needs payoffs and probabilities that are int or Fraction and a game that is not too large; else UserError.

    >>> nash("kuhn(ante=2, bet=1)", exact=True).value
    Fraction(-1, 30)
    """
    form = as_form(game)
    return _exact(form) if exact else _in_floats(form)


def _in_floats(form: SequenceForm) -> Equilibrium:
    from regretlab.evaluation.programme import optimal_plan

    strategy = from_weights(form, (optimal_plan(form, 0), optimal_plan(form, 1)))
    judged = evaluate(form, strategy)
    return Equilibrium(judged.value, strategy, judged.exploitability, "linear programming (HiGHS)")


def _exact(form: SequenceForm) -> Equilibrium:
    proven = prove(form)
    _, strategy = read(form, proven.strategy)
    return Equilibrium(
        value=proven.evaluation.value,
        strategy=strategy,
        exploitability=evaluate(form, strategy).exploitability,
        method=f"in fractions, found by {proven.method} and proven",
        exact_strategy=proven.strategy,
        gap=proven.evaluation.nash_conv,
    )
