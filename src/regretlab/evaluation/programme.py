"""Equilibria as linear programmes over the sequence form, solved by HiGHS (Koller, Megiddo, von Stengel, 1996).

With x the plan of one player and A what she gets, the other's best response to x is itself a linear programme, whose
dual has one number q_j for each of his information sets: what he still leaves her from there on. So she maximises

    q_root   subject to   E x = e,  x ≥ 0,  Fᵀ q ≤ Aᵀ x,

where E x = e and F y = f say that plans are plans. ``matrices[other]`` of the payoff is −Aᵀ, so row t of the last
block, one for each sequence of the other player, reads (Fᵀ q)_t + (matrices[other] x)_t ≤ 0.

This module imports scipy, so the others import it where they need it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, TypeAlias, TypeVar

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, eye_array, hstack, vstack

from regretlab.evaluation.value import payoff_scale, row_numbers, sparse
from regretlab.forms import SequenceForm, Treeplex
from regretlab.forms.kernel import Floats

Solved = TypeVar("Solved")

Sparse: TypeAlias = Any
"""A sparse matrix of scipy."""

TOLERANCE = 1e-10
"""How far HiGHS may violate a row of the scaled programme: the smallest it accepts. Its default is
as large as what decides between checking and betting where the bet is a millionth of the ante."""

USUAL_TOLERANCE = 1e-7
"""HiGHS's default, for programmes where it can't keep the smaller one."""

NOISE = 1e-12
"""A plan's entry below this is rounding of a 0."""


SECONDS_OF_A_THOUSAND, GROWTH = 0.11, 2.35
"""How long both programmes of a game with a thousand information sets take, and how that grows with their number."""


SECONDS_BETWEEN = 0.1
"""How often somebody who waits for HiGHS looks whether Ctrl-C was pressed."""


class NoSolution(ArithmeticError):  # noqa: N818 - named after what happened
    """HiGHS gave up on a programme that has a solution."""


def expected_seconds(form: SequenceForm) -> float:
    """About how long both players' programmes take; measured on Leduc poker with 3 to 7 ranks."""
    return float(SECONDS_OF_A_THOUSAND * (form.infosets / 1_000) ** GROWTH)


def optimal_plan(form: SequenceForm, player: int) -> Floats:
    """A plan of ``player`` that guarantees the value of the game."""
    rows = _guarantee(form, player, payoff_scale(form))
    flow = constraints(form.treeplexes[player])
    idle = rows.shape[1] - flow.shape[1]
    solution = _solve(
        cost=_unit(rows.shape[1], flow.shape[1], -1.0),
        upper=(rows, np.zeros(rows.shape[0])),
        equal=(_widen(flow, idle), _unit(flow.shape[0], 0)),
        free=slice(flow.shape[1], rows.shape[1]),
    )
    return _clean(solution.x[: flow.shape[1]])


def nearest_optimal_plan(form: SequenceForm, player: int, plan: Floats, guaranteed: float) -> tuple[float, Floats]:
    """The smallest sup-norm distance from ``plan`` to a plan that guarantees ``guaranteed``, and such a plan."""
    upper, equal = _nearness(form, player)
    others = upper.shape[0] - 2 * len(plan) - 1
    bounds = np.concatenate([np.zeros(others), plan, -plan, [-guaranteed / payoff_scale(form)]])
    solution = _solve(
        cost=_unit(upper.shape[1], upper.shape[1] - 1),
        upper=(upper, bounds),
        equal=(equal, _unit(equal.shape[0], 0)),
        free=slice(len(plan), upper.shape[1] - 1),
    )
    return max(float(solution.fun), 0.0), _clean(solution.x[: len(plan)])


@lru_cache(2)
def _nearness(form: SequenceForm, player: int) -> tuple[Sparse, Sparse]:
    """What the programmes of all plans of a player share; kept for the next plan, one for each player of a game.

    Columns are the plan x, the numbers q and the distance d; the first block's rows are the guarantee, |x − plan| ≤ d
    and q_root ≥ guaranteed, the second's say that x is a plan.
    """
    rows = _guarantee(form, player, payoff_scale(form))
    flow = constraints(form.treeplexes[player])
    sequences, idle = flow.shape[1], rows.shape[1] - flow.shape[1]
    same, ones = _widen(eye_array(sequences), idle), csr_array(np.ones((sequences, 1)))
    enough = csr_array(_unit(rows.shape[1] + 1, sequences, -1.0)[None, :])
    upper = vstack([_widen(rows, 1), hstack([same, -ones]), hstack([-same, -ones]), enough]).tocsr()
    return upper, _widen(flow, idle + 1)


def constraints(treeplex: Treeplex) -> Sparse:
    """The matrix E: x is a plan if E x = (1, 0, …, 0) and x ≥ 0; row i + 1 belongs to information set i."""
    sizes = treeplex.first[1:] - treeplex.first[:-1]
    infosets = np.arange(1, treeplex.infosets + 1)
    rows = np.concatenate([[0], np.repeat(infosets, sizes), infosets])
    columns = np.concatenate([np.arange(treeplex.sequences), treeplex.parent.astype(np.int64)])
    signs = np.concatenate([np.ones(treeplex.sequences), -np.ones(treeplex.infosets)])
    return coo_array((signs, (rows, columns)), shape=(treeplex.infosets + 1, treeplex.sequences)).tocsr()


def _guarantee(form: SequenceForm, player: int, scale: float) -> Sparse:
    """The rows Fᵀ q − Aᵀ x ≤ 0; columns are x, then q."""
    own, other = form.treeplexes[player], form.treeplexes[1 - player]
    matrix = sparse(form).matrices[1 - player]
    place = row_numbers(matrix.first), matrix.column.astype(np.int64)
    against = coo_array((matrix.entry / scale, place), shape=(other.sequences, own.sequences)).tocsr()
    return hstack([against, constraints(other).T]).tocsr()


def _solve(cost: Floats, upper: tuple[Any, Floats], equal: tuple[Any, Floats], free: slice) -> Any:
    """Minimise; all variables are 0 or more but the ``free`` ones. The dual simplex, because it ends in a vertex."""
    bounds = np.tile([0.0, np.inf], (len(cost), 1))
    bounds[free, 0] = -np.inf
    minimise: Any = linprog  # its types do not know sparse matrices
    for tolerance in (TOLERANCE, USUAL_TOLERANCE):
        tolerances = {"primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance}
        work = partial(minimise, cost, *upper, *equal, bounds, method="highs-ds", options=tolerances)
        solution = _interruptible(work)
        if solution.success:
            return solution
    raise NoSolution(f"HiGHS: {solution.message}")


def _interruptible(work: Callable[[], Solved]) -> Solved:
    """What ``work`` returns, done by another thread, so that Ctrl-C need not wait until HiGHS has finished.

    The thread is left alone then: HiGHS has nothing by which it could be stopped. A process that ends takes it along.
    """
    done: list[Solved] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(SECONDS_BETWEEN)  # not for ever: the system may give the signal to the other thread
    if failed:
        raise failed[0]
    return done[0]


def _widen(matrix: Sparse, columns: int) -> Sparse:
    """A matrix with so many further columns of zeros."""
    return hstack([matrix, csr_array((matrix.shape[0], columns))]).tocsr()


def _unit(size: int, place: int, value: float = 1.0) -> Floats:
    """A vector of zeros with ``value`` in one place."""
    vector = np.zeros(size)
    vector[place] = value
    return vector


def _clean(plan: Floats) -> Floats:
    """A plan without entries that are rounding of a 0."""
    return np.where(plan > NOISE, plan, 0.0)
