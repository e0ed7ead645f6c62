"""Equilibria in fractions, with a proof.

Floats only ever suggest: what is returned has passed ``evaluate_exactly``, whose gap of 0 proves an equilibrium.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from regretlab.errors import UserError
from regretlab.evaluation.matrix import integer_matrices, payoff_scale
from regretlab.evaluation.tableau import eliminate, side, simplex
from regretlab.evaluation.value import Evaluation, evaluate_exactly
from regretlab.forms import SequenceForm, Treeplex, passes
from regretlab.forms.kernel import Floats

ExactPlan: TypeAlias = Sequence[Fraction]
"""A realisation plan in fractions."""

DENOMINATORS = (100, 10_000, 10_000_000)
"""Rounding tries these bounds in turn. Beyond the last, fractions lie closer than the error of a float solution."""

ZERO = 1e-9
"""An entry of a plan, or a slack in units of the largest payoff, below this is taken for 0. Only a guess: a wrong one
fails the proof, and the next stage is tried."""

MOST_SEQUENCES = 2_500
"""The sequences of both players together. At this size rounding and elimination take about ten seconds: Leduc poker has
2,186 of them, Kuhn poker with 300 cards 2,402."""

MOST_FOR_SIMPLEX = 500
"""The same for the rational simplex, which takes four seconds for Kuhn poker with 60 cards (482 sequences)."""

Guess: TypeAlias = tuple[Floats, Floats] | None
"""The float plans of both players, if there are any."""

Candidates: TypeAlias = Iterator[dict[str, dict[str, Fraction]]]
"""Exact strategies that are yet to be proven."""


@dataclass(frozen=True)
class Proven:
    """An equilibrium whose exact gap is 0."""

    strategy: dict[str, dict[str, Fraction]]
    evaluation: Evaluation[Fraction]
    method: str


def prove(form: SequenceForm, stages: Sequence[str] | None = None) -> Proven:
    """An exact equilibrium by the first stage whose candidate passes the proof; all of STAGES unless some are named."""
    integer_matrices(form)  # refuses games whose payoffs are floats
    _check_size(form, MOST_SEQUENCES, "an exact solution")
    guess = _float_plans(form)
    for name in STAGES if stages is None else stages:
        for strategy in STAGES[name](form, guess):
            evaluation = evaluate_exactly(form, strategy)
            if evaluation.nash_conv == 0:
                return Proven(strategy, evaluation, name)
    raise ArithmeticError(f"no exact equilibrium of {form.name} was found")


def _check_size(form: SequenceForm, most: int, work: str) -> None:
    size = form.treeplexes[0].sequences + form.treeplexes[1].sequences
    if size > most:
        raise UserError(f"{form.name} is too large for {work}: {size:,} sequences, and the limit is {most:,}")


def _float_plans(form: SequenceForm) -> Guess:
    """What the float solver suggests, if it does."""
    from regretlab.evaluation.programme import NoSolution, optimal_plan

    try:
        return optimal_plan(form, 0), optimal_plan(form, 1)
    except NoSolution:
        return None


def rounding(form: SequenceForm, guess: Guess) -> Candidates:
    """The float plans with the probabilities rounded to small denominators: enough in ordinary cases."""
    if guess is not None:
        for bound in DENOMINATORS:
            plans = _rounded(form.treeplexes[0], guess[0], bound), _rounded(form.treeplexes[1], guess[1], bound)
            yield _behaviour(form, plans)


def _rounded(treeplex: Treeplex, plan: Floats, bound: int) -> ExactPlan:
    """A plan of probabilities with denominators up to ``bound``; the largest of an information set takes the rest."""
    exact = [Fraction(1)] + [Fraction(0)] * (treeplex.sequences - 1)
    for i in range(treeplex.infosets):
        here = range(treeplex.first[i], treeplex.first[i + 1])
        reach, total = exact[treeplex.parent[i]], sum(plan[s] for s in here)
        if not reach or total <= ZERO:
            continue
        for s in here:
            exact[s] = reach * Fraction(plan[s] / total).limit_denominator(bound)
        largest = max(here, key=lambda s: plan[s])
        exact[largest] = reach - sum(exact[s] for s in here if s != largest)
    return exact


def elimination(form: SequenceForm, guess: Guess) -> Candidates:
    """The plans that have the support and the tight sequences of the float ones, by elimination in integers."""
    if guess is not None:
        mine, theirs = (_vertex(form, player, guess[player]) for player in (0, 1))
        if mine is not None and theirs is not None:
            yield _behaviour(form, (mine, theirs))


def _vertex(form: SequenceForm, player: int, plan: Floats) -> ExactPlan | None:
    return eliminate(side(form, player), (plan > ZERO).tolist(), _best_responses(form, player, plan))


def _best_responses(form: SequenceForm, player: int, plan: Floats) -> list[bool]:
    """Which sequences of the other player are best at their information sets, of several all.

    HiGHS's own slacks would not do: where the other player does not want to go, they need not come from a best
    response.
    """
    other = form.treeplexes[1 - player]
    values = np.empty(other.sequences)
    form.payoff.gradient(1 - player, plan, values)
    choice = np.empty(other.infosets, dtype=np.uint32)
    passes.best_response(other.parent, other.first, values, choice)
    best = np.repeat(values[choice], other.first[1:] - other.first[:-1])
    return [True, *(values[1:] >= best - ZERO * payoff_scale(form)).tolist()]


def rational_simplex(form: SequenceForm, guess: Guess) -> Candidates:
    """The simplex method in integers, from a pure strategy: always right, and the slowest."""
    _check_size(form, MOST_FOR_SIMPLEX, "the rational simplex, the last resort for an exact solution")
    yield _behaviour(form, simplex(side(form, 0)))


def _behaviour(form: SequenceForm, plans: tuple[ExactPlan, ExactPlan]) -> dict[str, dict[str, Fraction]]:
    """The probabilities of two plans by label and action; uniform at information sets that a plan does not reach."""
    strategy = {}
    for treeplex, plan in zip(form.treeplexes, plans, strict=True):
        for i, (label, actions) in enumerate(zip(treeplex.labels, treeplex.actions, strict=True)):
            here = plan[treeplex.first[i] : treeplex.first[i + 1]]
            reach = plan[treeplex.parent[i]]
            chances = [entry / reach for entry in here] if reach else [Fraction(1, len(actions))] * len(actions)
            strategy[label] = dict(zip(actions, chances, strict=True))
    return strategy


STAGES: dict[str, Callable[[SequenceForm, Guess], Candidates]] = {
    "rounding": rounding,
    "elimination": elimination,
    "rational simplex": rational_simplex,
}
"""How candidates are found, the quickest first."""
