"""Equilibria of any game: by linear programming in floats, exactly with a proof, and how far a profile is from them.

Floats only ever suggest an exact equilibrium: what is returned has passed ``evaluate_exactly``, whose gap of 0 proves
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from regretlab.documents.numbers import loss, value
from regretlab.errors import UserError
from regretlab.evaluation.tableau import eliminate, integer_programme, simplex
from regretlab.evaluation.value import (
    Evaluation,
    Profile,
    check_zero_sum,
    evaluate,
    evaluate_exactly,
    integer_matrices,
    payoff_scale,
    read,
)
from regretlab.forms import GameLike, SequenceForm, Strategy, Treeplex, as_form, from_weights, known_infosets, passes
from regretlab.forms.kernel import Floats


@dataclass(frozen=True, repr=False)
class Equilibrium:
    """An equilibrium and how good it is."""

    value: float | Fraction
    """Player 0's payoff in chips per game; the game's value differs from it by at most twice the exploitability."""
    strategy: Strategy
    """Both players' probabilities in floats; uniform at information sets that a player's own actions never reach."""
    exploitability: float
    """Of ``strategy``, measured by ``evaluate``: what floats leave of 0."""
    method: str
    """How it was found."""
    exact_strategy: dict[str, dict[str, Fraction]] | None = None
    """The probabilities as fractions, if exact."""
    gap: Fraction | None = None
    """The exact sum of what two best responders get, if exact: 0, which proves the equilibrium."""

    def __repr__(self) -> str:
        return f"<equilibrium of {self.strategy.form.name}, value {self.value}: {self.method}>"

    def _repr_html_(self) -> str:
        from regretlab.documents.blocks import Share
        from regretlab.documents.notebook import as_html, facts, headline, listed

        exact = self.exact_strategy
        shown = self.strategy.first_rows()
        if exact is not None:
            rows = (
                ("" if k else f"`{label}`", action, str(chance), Share(float(chance)))
                for label, actions in exact.items()
                for k, (action, chance) in enumerate(actions.items())
            )
            count = sum(map(len, exact.values()))
            head = ("information set", "action", "exactly", "strategy")
            shown = listed(head, rows, count, "`exact_strategy` has all of them")
        return as_html(
            headline("equilibrium", f" of {self.strategy.form.name}, {self.method}"),
            facts(
                (
                    "value",
                    f"{value(float(self.value))} chips"
                    if exact is None
                    else f"{self.value} = {value(float(self.value))} chips",
                ),
                ("exploitability", f"{loss(self.exploitability)} chips, what floats leave of 0"),
                None if self.gap is None else ("exact gap of two best responders", str(self.gap)),
            ),
            shown,
        )


def nash(game: GameLike, exact: bool = False) -> Equilibrium:
    """An equilibrium of a zero-sum ``game``: by HiGHS on the sequence form, or ``exact``, in fractions with a proof.

    Exactness needs payoffs and probabilities that are int or Fraction and a game that is not too large; else UserError.

    >>> nash("kuhn(ante=2, bet=1)", exact=True).value
    Fraction(-1, 30)
    """
    if exact:
        check_can_be_exact(game)
    form = as_form(game)
    check_zero_sum(form, "an equilibrium by linear programming")
    if not exact:
        from regretlab.evaluation.programme import optimal_plan

        strategy = from_weights(form, (optimal_plan(form, 0), optimal_plan(form, 1)))
        judged = evaluate(form, strategy)
        return Equilibrium(judged.value, strategy, judged.exploitability, "linear programming (HiGHS)")
    proven = prove(form)
    _, strategy = read(form, proven.strategy)
    exact_lock = {
        label: {action: Fraction(probability) for action, probability in decision.behaviour.items()}
        for label, decision in form.locked.items()
    }
    return Equilibrium(
        value=proven.evaluation.value,
        strategy=strategy,
        exploitability=evaluate(form, strategy).exploitability,
        method=f"in fractions, found by {proven.method} and proven",
        exact_strategy=proven.strategy | exact_lock,
        gap=proven.evaluation.nash_conv,
    )


def check_can_be_exact(game: GameLike) -> None:
    """Raise UserError where a game is known to be too large for an exact solution, before it is compiled."""
    least = known_infosets(game)
    if least is not None:
        name = game if isinstance(game, str) else game.name
        _check_size(name, f"{least:,} information sets", least, MOST_SEQUENCES, "an exact solution")


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

    form = as_form(game)
    check_zero_sum(form, "the distance to equilibria")
    profile = read(form, strategy)[1]
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
"""The most sequences for the rational simplex, which takes four seconds for Kuhn poker with 60 cards (482 of them)."""

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
    sequences = _sequences(form)
    _check_size(form.name, f"{sequences:,} sequences", sequences, MOST_SEQUENCES, "an exact solution")
    from regretlab.evaluation.programme import NoSolution, optimal_plan

    guess: Guess
    try:
        guess = optimal_plan(form, 0), optimal_plan(form, 1)
    except NoSolution:
        guess = None
    for name in STAGES if stages is None else stages:
        for strategy in STAGES[name](form, guess):
            evaluation = evaluate_exactly(form, strategy)
            if evaluation.nash_conv == 0:
                return Proven(strategy, evaluation, name)
    raise ArithmeticError(f"no exact equilibrium of {form.name} was found")


def _sequences(form: SequenceForm) -> int:
    return form.treeplexes[0].sequences + form.treeplexes[1].sequences


def _check_size(name: str, size: str, sequences: int, most: int, work: str) -> None:
    if sequences > most:
        raise UserError(f"{name} is too large for {work}: {size}, and the limit is {most:,} sequences")


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
        mine, theirs = (
            eliminate(integer_programme(form, player), (plan > ZERO).tolist(), _best_responses(form, player, plan))
            for player, plan in enumerate(guess)
        )
        if mine is not None and theirs is not None:
            yield _behaviour(form, (mine, theirs))


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
    work = "the rational simplex, the last resort for an exact solution"
    _check_size(form.name, f"{_sequences(form):,} sequences", _sequences(form), MOST_FOR_SIMPLEX, work)
    yield _behaviour(form, simplex(integer_programme(form, 0)))


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
