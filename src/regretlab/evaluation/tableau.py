"""The sequence-form programme as a tableau in integers: pivots, elimination and the simplex method without rounding.

``programme.py`` says what the programme is. Its equations are solved by hand here: a plan follows from the coordinates
x_s of all sequences but one, the *base*, at each own information set; and the numbers q follow from the plan and from
the slack w_t of one sequence, the *response*, at each information set of the other player. Everything else is an
affine function of these coordinates, and both halves are the well-known passes: reach from the root to the leaves,
best response from the leaves to the root. With all coordinates 0 it is a pure strategy and the pure best response to
it: a feasible vertex to start from, without a first phase.

Pivots keep integers over one common denominator (Edmonds, 1967; Azulay, Pique, 2001): every entry is a minor of the
first matrix, so the division in each pivot leaves no remainder, and no greatest common divisor is ever taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretlab.evaluation.value import integer_matrices
from regretlab.forms import SequenceForm, SparseMatrix, Treeplex

Affine = NDArray[Any]
"""Rows of Python integers: the constant, then the coefficient of each coordinate."""


@dataclass(frozen=True, eq=False)
class IntegerProgramme:
    """One player's programme in integers: the own treeplex, the other's, and what the other's sequences earn."""

    own: Treeplex
    other: Treeplex
    losses: SparseMatrix  # (other's sequences × own sequences) −Aᵀ, times the denominator


def integer_programme(form: SequenceForm, player: int) -> IntegerProgramme:
    """The programme of ``player``."""
    matrices, _ = integer_matrices(form)
    return IntegerProgramme(form.treeplexes[player], form.treeplexes[1 - player], matrices[1 - player])


def affine_plan(own: Treeplex, base: Sequence[int], column: dict[int, int], width: int) -> Affine:
    """Each sequence of the plan as an affine function; sequences that are neither base nor in ``column`` are 0."""
    plan = np.zeros((own.sequences, width), dtype=object)
    plan[0, 0] = 1
    for i in range(own.infosets):
        here = range(own.first[i], own.first[i + 1])
        for s in here:
            if s in column:
                plan[s, column[s]] = 1
        others = [s for s in here if s != base[i]]
        plan[base[i]] = plan[own.parent[i]] - plan[others].sum(axis=0)
    return plan


def affine_slack(
    programme: IntegerProgramme, plan: Affine, response: Sequence[int] | None = None, column: int | None = None
) -> tuple[Affine, list[int]]:
    """Each w_t as an affine function, row 0 being q_root, and the response of each of the other's information sets.

    Without ``response`` it is the best one to the constant part of the plan. The slack of information set j's response
    is coordinate ``column + j``, or 0 without ``column``.
    """
    other = programme.other
    slack = _left(programme, plan)
    chosen = [0] * other.infosets
    for j in reversed(range(other.infosets)):
        here = range(other.first[j], other.first[j + 1])
        chosen[j] = min(here, key=lambda t: slack[t, 0]) if response is None else response[j]
        least = slack[chosen[j]].copy()
        if column is not None:
            least[column + j] -= 1
        slack[here] -= least
        slack[other.parent[j]] += least
    return slack, chosen


def _left(programme: IntegerProgramme, plan: Affine) -> Affine:
    """What the other player leaves at each of his sequences, where the game ends there: Aᵀ x."""
    matrix = programme.losses
    left = np.zeros((programme.other.sequences, plan.shape[1]), dtype=object)
    for t in range(programme.other.sequences):
        for k in range(matrix.first[t], matrix.first[t + 1]):
            left[t] -= matrix.entry[k] * plan[matrix.column[k]]
    return left


class Tableau:
    """Basic variables in terms of the others: ``basic_r + Σ_k table[r, k + 1] · other_k = table[r, 0]``.

    Both sides of each row are multiplied by ``denominator``.
    """

    def __init__(self, rows: Affine) -> None:
        self.table = rows.copy()
        self.table[:, 1:] *= -1
        self.denominator = 1

    def pivot(self, row: int, column: int) -> None:
        """Exchange the basic variable of ``row`` for the one of ``column``, whose entry there must not be 0."""
        table, old, new = self.table, self.denominator, self.table[row, column]
        rest, pivot_row = table[:, column].copy(), table[row].copy()
        self.table = (table * new - np.multiply.outer(rest, pivot_row)) // old
        self.table[:, column] = -rest
        self.table[row] = pivot_row
        self.table[row, column] = old
        self.denominator = new


def eliminate(programme: IntegerProgramme, support: Sequence[bool], tight: Sequence[bool]) -> list[Fraction] | None:
    """The plan that is 0 outside ``support`` and leaves no slack at the other player's ``tight`` sequences.

    None where there is no such plan, or where some entry is negative. Of several plans it gives one. A vertex of the
    programme is the only plan with its own support and tight sequences, so a right guess of both gives it exactly.
    """
    base, free = _split(programme.own, support)
    response, more = _split(programme.other, tight)
    plan = affine_plan(programme.own, base, {s: k + 1 for k, s in enumerate(free)}, 1 + len(free))
    slack, _ = affine_slack(programme, plan, response)
    solved = _solve_equations(slack[more])
    if solved is None:
        return None
    coordinates, denominator = solved
    entries = [Fraction(numerator, denominator) for numerator in plan @ coordinates]
    return entries if min(entries) >= 0 else None


def _split(treeplex: Treeplex, marked: Sequence[bool]) -> tuple[list[int], list[int]]:
    """One sequence of each information set, a marked one if there is any, and all other marked ones."""
    chosen, others = [], []
    for i in range(treeplex.infosets):
        here = range(treeplex.first[i], treeplex.first[i + 1])
        best, *rest = sorted(here, key=lambda s: not marked[s])
        chosen.append(best)
        others += [s for s in rest if marked[s]]
    return chosen, others


def _solve_equations(rows: Affine) -> tuple[Affine, int] | None:
    """Where every affine row is 0: the leading 1 and the coordinates, both times the second result; None if nowhere.

    Coordinates that the equations leave open are 0.
    """
    tableau = Tableau(rows)
    open_columns = list(range(1, rows.shape[1]))
    solved = {}
    for row in range(len(rows)):
        column = next((k for k in open_columns if tableau.table[row, k]), None)
        if column is not None:
            tableau.pivot(row, column)
            open_columns.remove(column)  # what takes the coordinate's place is the slack of a tight sequence: 0
            solved[column] = row
        elif tableau.table[row, 0]:
            return None
    coordinates = np.zeros(rows.shape[1], dtype=object)
    coordinates[0] = tableau.denominator
    for column, row in solved.items():
        coordinates[column] = tableau.table[row, 0]
    return coordinates, tableau.denominator


def simplex(programme: IntegerProgramme) -> tuple[list[Fraction], list[Fraction]]:
    """Optimal plans of both players by the simplex method: the own one, and the other's as its dual.

    A game's programme is feasible and bounded, so there always are.
    """
    own, other = programme.own, programme.other
    base, free = _split(own, [True] * own.sequences)
    first = 1 + len(free)
    plan = affine_plan(own, base, {s: k + 1 for k, s in enumerate(free)}, first + other.infosets)
    slack, response = affine_slack(programme, plan, column=first)
    loose = sorted(set(range(1, other.sequences)) - set(response))
    tableau = Tableau(np.concatenate([slack[:1], plan[base], slack[loose]]))
    # Variables are numbered: the own sequences, then the slacks. Place 0 is the value's row, the constants' column.
    basic = [0, *base, *(own.sequences + t for t in loose)]
    others = [0, *free, *(own.sequences + t for t in response)]
    maximise(tableau, basic, others)
    return _read_off(programme, tableau, basic, others)


def maximise(tableau: Tableau, basic: list[int], others: list[int]) -> None:
    """Pivot until row 0 is as large as it gets; the numbers of the variables move along.

    The steepest coefficient enters until a pivot does not change the value; from there on, until one does, Bland's
    rule (1977) keeps the pivots from going round in circles.
    """
    stalled = False
    while rising := [k for k in range(1, len(others)) if tableau.table[0, k] < 0]:
        table = tableau.table
        numbers = others if stalled else table[0]
        column = min(rising, key=numbers.__getitem__)
        # The variable that is the first to reach 0 leaves; of several the one with the least number.
        falling = [
            (Fraction(table[r, 0], table[r, column]), basic[r], r) for r in range(1, len(basic)) if table[r, column] > 0
        ]
        *_, row = min(falling)
        stalled = table[row, 0] == 0
        tableau.pivot(row, column)
        basic[row], others[column] = others[column], basic[row]


def _read_off(
    programme: IntegerProgramme, tableau: Tableau, basic: Sequence[int], others: Sequence[int]
) -> tuple[list[Fraction], list[Fraction]]:
    """The plan in the column of constants, and the other player's in the row of the value."""
    own = programme.own.sequences
    primal = [Fraction(1)] + [Fraction(0)] * (own - 1)
    dual = [Fraction(1)] + [Fraction(0)] * (programme.other.sequences - 1)
    for row, variable in enumerate(basic):
        if 0 < variable < own:
            primal[variable] = Fraction(tableau.table[row, 0], tableau.denominator)
    for column, variable in enumerate(others):
        if variable > own:
            dual[variable - own] = Fraction(tableau.table[0, column], tableau.denominator)
    return primal, dual
