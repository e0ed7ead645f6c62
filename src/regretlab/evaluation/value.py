"""What a profile is worth, and how far it is from an equilibrium.

At the end is the payoff matrix, in floats and in integers, for judges that need its entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.evaluation.block_value import BEST, BOTH, EXPECT, ZERO, BlockJudge
from regretlab.forms import (
    AnyForm,
    BlockForm,
    BlockTreeplex,
    GameLike,
    SequenceForm,
    SparseMatrix,
    SparsePayoff,
    Strategy,
    as_form,
    form_to_solve,
    read_strategy,
)
from regretlab.forms.kernel import Floats, Indices, allocating_kernel, in_python
from regretlab.forms.passes import best_response, expected_value, realisation_plan, sparse_product

Amount = TypeVar("Amount", float, Fraction)
ExactStrategy: TypeAlias = Mapping[str, Mapping[str, Fraction]]
Profile: TypeAlias = Mapping[str, Mapping[str, float]] | ExactStrategy
"""Both players' strategies: what solve returned, or ``{label: {action: probability}}``."""


@dataclass(frozen=True)
class Evaluation(Generic[Amount]):
    """How well a profile does, in chips per game; with Fractions where it was computed exactly."""

    value: Amount
    """Player 0's expected payoff when both players follow the profile."""
    best_response_values: tuple[Amount, Amount]
    """What each player gets, from the own view, with a best response to the other's part of the profile."""
    other_value: Amount | None = None
    """Player 1's expected payoff, where that is not what player 0 loses; None in zero-sum games."""

    @property
    def values(self) -> tuple[Amount, Amount]:
        """What each player expects when both follow the profile."""
        return self.value, -self.value if self.other_value is None else self.other_value

    def _repr_html_(self) -> str:
        from regretlab.documents.blocks import Table
        from regretlab.documents.notebook import as_html
        from regretlab.documents.numbers import loss

        head = ("in chips a game", "value", "best response", "gain")
        own, best, gains = self.values, self.best_response_values, self.gains
        rows = tuple((f"player {p}", float(own[p]), float(best[p]), float(gains[p])) for p in (0, 1))
        note = f"exploitability {loss(float(self.exploitability))}: half of both gains"
        return as_html(Table("", head, rows, note))

    @property
    def gains(self) -> tuple[Amount, Amount]:
        """What each player wins by switching from the profile to a best response; 0 or more, up to rounding."""
        mine, theirs = self.best_response_values
        return mine - self.values[0], theirs - self.values[1]

    @property
    def nash_conv(self) -> Amount:
        """The sum of both gains: 0 at an equilibrium and nowhere else. In zero-sum games the values cancel."""
        if self.other_value is None:
            return self.best_response_values[0] + self.best_response_values[1]
        return self.gains[0] + self.gains[1]

    @property
    def exploitability(self) -> Amount:
        """Half of ``nash_conv``: what a best responder wins, or gains, on average over the two seats."""
        return self.nash_conv / 2


def evaluate(game: GameLike, strategy: Profile) -> Evaluation[float]:
    """Value, best responses and exploitability of a profile, by one sparse product and one or two passes per player.

    >>> from regretlab.forms import as_form, uniform
    >>> kuhn = as_form("kuhn")
    >>> judged = evaluate(kuhn, uniform(kuhn))
    >>> round(judged.value, 6), round(judged.exploitability, 6)
    (0.125, 0.458333)
    """
    form, profile = read(game, strategy)
    if isinstance(form, BlockForm):
        judged = BlockJudge(form, profile.arrays)
        value, other = judged.totals(EXPECT, ZERO if form.zero_sum else BOTH)
        return Evaluation(value, judged.totals(BEST), None if form.zero_sum else other)
    payoff = form.payoff.sparse
    if isinstance(form, SequenceForm) and payoff is not None and form.zero_sum:
        zero, one = (Decisions(treeplex.parent, treeplex.first) for treeplex in form.treeplexes)
        value, best_zero, best_one = map(float, judge(zero, one, *profile.arrays, *payoff.matrices))
        return Evaluation(value, (best_zero, best_one))
    gradients = gradient(form, profile, 0), gradient(form, profile, 1)
    best = best_value(form, 0, gradients[0]), best_value(form, 1, gradients[1])
    value = form.treeplexes[0].expectation(profile.arrays[0], gradients[0])
    return Evaluation(
        value, best, None if form.zero_sum else form.treeplexes[1].expectation(profile.arrays[1], gradients[1])
    )


class Decisions(NamedTuple):
    """The numbers of a treeplex, as kernels take them."""

    parent: Indices
    first: Indices


@allocating_kernel
def judge(
    zero: Decisions,
    one: Decisions,
    behaviour_zero: Floats,
    behaviour_one: Floats,
    matrix_zero: SparseMatrix,
    matrix_one: SparseMatrix,
) -> tuple[float, float, float]:
    """The value and both best-response values of a profile: the passes in one kernel, without Python between them."""
    plan_zero, plan_one = np.empty_like(behaviour_zero), np.empty_like(behaviour_one)
    realisation_plan(zero.parent, zero.first, behaviour_zero, plan_zero)
    realisation_plan(one.parent, one.first, behaviour_one, plan_one)
    earned_zero, earned_one = np.empty_like(behaviour_zero), np.empty_like(behaviour_one)
    sparse_product(matrix_zero.first, matrix_zero.column, matrix_zero.entry, plan_one, earned_zero)
    sparse_product(matrix_one.first, matrix_one.column, matrix_one.entry, plan_zero, earned_one)
    choice = np.empty(max(len(zero.parent), len(one.parent)), dtype=np.uint32)
    best_zero = best_response(zero.parent, zero.first, earned_zero.copy(), choice)
    best_one = best_response(one.parent, one.first, earned_one, choice)
    return expected_value(zero.parent, zero.first, behaviour_zero, earned_zero), best_zero, best_one


def exploitability(game: GameLike, strategy: Profile) -> float:
    """Half the sum of what two best responders gain, in chips per game; in a zero-sum game ½(BR₀(σ₁) + BR₁(σ₀)).

    A responder commits to one action per information set, whatever the opponent holds.
    """
    return evaluate(game, strategy).exploitability


def read(game: GameLike, strategy: Profile) -> tuple[AnyForm, Strategy]:
    """A form of the game and the strategy in floats; a bad strategy is an error that names the label."""
    form = form_to_solve(game)
    return form, read_strategy(form, cast("Mapping[str, Mapping[str, float]]", strategy))


def gradient(form: AnyForm, profile: Strategy, player: int) -> Floats:
    """What each sequence of ``player`` earns, where the game ends there, against the other player's part."""
    out = np.empty(form.treeplexes[player].size)
    form.payoff.gradient(player, profile.plan(1 - player), out)
    return out


def best_value(form: AnyForm, player: int, earned: Floats) -> float:
    """The best-response value of ``player`` for a gradient, which is left as it is."""
    treeplex = form.treeplexes[player]
    assert not isinstance(treeplex, BlockTreeplex)  # ``BlockJudge`` sees to these
    return treeplex.best_response(earned.copy())[0]


def evaluate_exactly(game: GameLike, strategy: ExactStrategy) -> Evaluation[Fraction]:
    """What ``evaluate`` computes, in fractions throughout: the numbers are exact, and a gap of 0 is a proof.

    The probabilities are to be int or Fraction and to sum to 1 exactly; the game's payoffs have to be rational.

    >>> passive = {label: {"check": 1} for label in ("J", "Q", "K", "Jc", "Qc", "Kc")}
    >>> passive |= {label: {"fold": 1} for label in ("Jb", "Qb", "Kb", "Jcb", "Qcb", "Kcb")}
    >>> evaluate_exactly("kuhn", passive).exploitability
    Fraction(1, 1)
    """
    form = as_form(game)
    matrices, denominator = integer_matrices(form)
    behaviours = exact_arrays(form, strategy)
    plans = exact_plan(form, 0, behaviours[0]), exact_plan(form, 1, behaviours[1])
    gradients, best = [], []
    for player, treeplex in enumerate(form.treeplexes):
        out = np.empty(treeplex.sequences, dtype=object)
        matrix = matrices[player]
        in_python(sparse_product)(matrix.first, matrix.column, matrix.entry, plans[1 - player], out)
        gradients.append(out / Fraction(denominator))
        choice = np.empty(treeplex.infosets, dtype=np.uint32)
        best.append(Fraction(in_python(best_response)(treeplex.parent, treeplex.first, gradients[-1].copy(), choice)))
    values = [
        Fraction(in_python(expected_value)(treeplex.parent, treeplex.first, behaviours[player], gradients[player]))
        for player, treeplex in enumerate(form.treeplexes)
    ]
    return Evaluation(values[0], (best[0], best[1]), None if form.zero_sum else values[1])


def exact_plan(form: SequenceForm, player: int, behaviour: NDArray[Any]) -> NDArray[Any]:
    """The realisation plan of a behaviour in fractions."""
    treeplex = form.treeplexes[player]
    plan = np.empty(treeplex.sequences, dtype=object)
    in_python(realisation_plan)(treeplex.parent, treeplex.first, behaviour, plan)
    return plan


def exact_arrays(form: SequenceForm, strategy: ExactStrategy) -> tuple[NDArray[Any], NDArray[Any]]:
    """The fractions of a strategy as two arrays of objects, one entry per sequence."""
    read(form, strategy)  # complains about labels, actions and signs
    arrays = []
    for treeplex in form.treeplexes:
        behaviour = [Fraction(1)]
        for label, actions in zip(treeplex.labels, treeplex.actions, strict=True):
            probabilities = [strategy[label].get(action, Fraction(0)) for action in actions]
            if any(isinstance(probability, float) for probability in probabilities) or sum(probabilities) != 1:
                raise UserError(f"the probabilities at '{label}' must be fractions that sum to 1 exactly")
            behaviour += probabilities
        arrays.append(np.array(behaviour, dtype=object))
    return arrays[0], arrays[1]


def check_zero_sum(form: AnyForm, work: str) -> None:
    """Raise UserError unless one player wins what the other loses; ``work`` is what would be wrong without."""
    if not form.zero_sum:
        raise UserError(f"{form.name} is not zero-sum, and {work} needs that one player wins what the other loses")


def sparse(form: SequenceForm) -> SparsePayoff:
    """The payoff as a matrix, or an error where the game has it in another form."""
    payoff = form.payoff.sparse
    if payoff is None:
        raise UserError(f"{form.name} has no payoff matrix; this needs one")
    return payoff


def integer_matrices(form: SequenceForm) -> tuple[tuple[SparseMatrix, SparseMatrix], int]:
    """A and −Aᵀ, or Bᵀ, as the players' gradients need them, with Python's unbounded integers as entries, and what
    both are to be divided by."""
    payoff = sparse(form)
    if payoff.exact is None:
        raise UserError(f"{form.name} has payoffs or probabilities that are floats; exactness needs int or Fraction")
    mine, theirs = payoff.matrices
    entry = payoff.exact.numerators.astype(object)
    turned = -entry[np.argsort(mine.column, kind="stable")] if payoff.zero_sum else payoff.exact.theirs
    assert turned is not None
    return (mine._replace(entry=entry), theirs._replace(entry=turned.astype(object))), payoff.exact.denominator


def row_numbers(first: Indices) -> NDArray[np.int64]:
    """The row of each entry of a sparse matrix by rows."""
    return np.repeat(np.arange(len(first) - 1), first[1:] - first[:-1])


def payoff_scale(form: SequenceForm) -> float:
    """The largest entry of the payoff matrix: divided by it, programmes do not depend on the unit of the chips."""
    return float(np.abs(sparse(form).matrices[0].entry).max(initial=0)) or 1.0
