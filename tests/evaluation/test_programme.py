"""The float programmes where HiGHS is not as kind as usual."""

from typing import Any

import numpy as np
import pytest

from regretlab.evaluation import nash, programme


def test_rounding_of_the_solver_is_no_behaviour(monkeypatch: pytest.MonkeyPatch) -> None:
    # With a bet below the ante the King always bets; what is done at Kcb must not follow the noise of two zeros.
    linprog = programme.linprog

    def noisy(*arguments: Any, **options: Any) -> Any:
        solution = linprog(*arguments, **options)
        noise = 1e-14 * np.random.default_rng(0).normal(size=len(solution.x))
        solution.x = np.where(solution.x == 0, noise, solution.x)
        return solution

    monkeypatch.setattr(programme, "linprog", noisy)
    strategy = nash("kuhn(ante=2, bet=1)").strategy
    assert strategy["Kcb"] == {"fold": 0.5, "call": 0.5}
    assert strategy["Q"] == {"check": 1.0, "bet": 0.0}
    assert min(chance for chances in strategy.values() for chance in chances.values()) == 0


class Failure:
    """What scipy returns when HiGHS gives up."""

    success, message, x = False, "numerical difficulties", None


def test_the_usual_tolerance_is_tried_where_the_smallest_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    linprog, tried = programme.linprog, []

    def strict(*arguments: Any, options: dict[str, float], **rest: Any) -> Any:
        tried.append(options["dual_feasibility_tolerance"])
        return Failure() if tried[-1] < 1e-8 else linprog(*arguments, options=options, **rest)

    monkeypatch.setattr(programme, "linprog", strict)
    assert nash("kuhn").value == pytest.approx(-1 / 18)
    assert tried == [programme.TOLERANCE, programme.USUAL_TOLERANCE] * 2


def test_a_solver_that_gives_up_is_no_mistake_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programme, "linprog", lambda *arguments, **options: Failure())
    with pytest.raises(programme.NoSolution, match="HiGHS: numerical difficulties"):
        nash("kuhn")
