"""Why programs part on goofspiel with 5 cards: ties, which exact fractions keep and rounding breaks."""

from __future__ import annotations

import pytest

from benchmarks.games import GAMES
from regretlab.evaluation import exploitability
from regretlab.games import Number
from regretlab.reference import CFRPlusTrainer
from regretlab.solving import Solver

GAME = GAMES["goofspiel-5"]
ROUNDING = 1e-15
"""What floats make of a 0 here."""


def textbook(exact: bool) -> CFRPlusTrainer:
    return CFRPlusTrainer(GAME.rules(), schedule="alternating", deals="all", exact=exact, ties=0)


def largest_regrets(trainer: CFRPlusTrainer) -> dict[str, Number]:
    return {label: max(infoset.regret_sum) for label, infoset in trainer.infosets.items()}


def difference(solver: Solver, trainer: CFRPlusTrainer) -> float:
    """How far apart the exploitabilities of two programs are."""
    return abs(solver.evaluate().exploitability - exploitability(solver.form, trainer.get_strategy_profile()))


def test_rounding_decides_on_goofspiel_with_5_cards() -> None:
    """Without a positive regret all actions are played alike; where rounding makes one positive, that one.

    That is what programs do that have no tolerance for ties, and regretlab with ``ties=0``.
    """
    exact, floats, solver = textbook(exact=True), textbook(exact=False), Solver(GAME.ours, "cfr+(ties=0)")
    for go_on in (exact.train, floats.train, solver.advance):
        go_on(1)
    tied = [label for label, regret in largest_regrets(exact).items() if regret == 0]
    assert (len(tied), len(exact.infosets)) == (1_698, 2_124)

    regrets, broken = solver.solution().regrets, []
    for largest in (largest_regrets(floats), {label: max(regrets[label].values()) for label in regrets}):
        assert all(largest[label] < ROUNDING for label in tied)
        broken.append({label for label in tied if largest[label] > 0})
        assert 0 < len(broken[-1]) < len(tied)
    assert broken[0] != broken[1], "each program breaks other ties"
    uneven = {label for label in tied if len(set(solver.current[label].values())) > 1}
    assert set() < uneven <= broken[1]

    apart = [difference(solver, floats)]
    for _ in range(2):
        floats.train(1)
        solver.advance(1)
        apart.append(difference(solver, floats))
    assert GAME.alike_for == 2, "programs without a tolerance for ties are compared before they part"
    assert apart[:2] == pytest.approx([0, 0], abs=1e-12)
    assert apart[2] > 1e-3


def test_with_ties_as_ties_textbook_and_engine_stay_together() -> None:
    floats = CFRPlusTrainer(GAME.rules(), schedule="alternating", deals="all")
    solver = Solver(GAME.ours, "cfr+")
    for go_on in (floats.train, solver.advance):
        go_on(5)
    assert difference(solver, floats) < 1e-12
