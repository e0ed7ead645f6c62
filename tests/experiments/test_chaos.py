"""Two runs one unit in the last place apart: what is measured of them, and what is called chaos."""

from __future__ import annotations

import math

import numpy as np
import pytest

import regretlab as rl
from regretlab.experiments import Chaos
from regretlab.experiments.measuring_chaos import PARTED, Look, Pair, chaos_charts
from regretlab.solving import Progress, Solver, recipe


def made(differences: list[float], pairs: tuple[Pair, ...] = ()) -> Chaos:
    """What was measured of two runs with these differences, iteration by iteration."""
    looks = tuple(Look(t, difference, 0.0) for t, difference in enumerate(differences, start=1))
    return Chaos("game", recipe("cfr"), 1.0, looks, pairs)


def test_one_unit_in_the_last_place_decides_on_leduc_and_not_on_kuhn() -> None:
    leduc, kuhn = (rl.chaos(game, "dcfr", iterations=300) for game in ("leduc", "kuhn"))
    assert 0.05 < leduc.growth < 0.5
    assert 60 < leduc.plans_part < 200
    assert leduc.plans_part <= leduc.figures_part < 250
    assert (kuhn.growth, kuhn.plans_part, kuhn.figures_part) == (None, None, None)
    assert 0 < kuhn.looks[-1].difference < 1e-8


def test_the_first_run_is_the_usual_one() -> None:
    found = rl.chaos("leduc", "cfr+", iterations=150)
    usual = rl.solve("leduc", "cfr+", iterations=150)
    assert found.iterations == 150
    assert found.pairs[-1].plain == usual.exploitability
    assert found.pairs[-1].nudged != usual.exploitability
    solver = Solver("leduc", "cfr+")
    solver.advance(149)
    before = [side.plan.copy() for side in solver.sides]
    solver.advance(1)
    moves = [abs(side.plan - old).max() for side, old in zip(solver.sides, before, strict=True)]
    assert found.looks[-1].move == max(moves)


def test_a_nudge_is_one_unit_in_the_last_place() -> None:
    plain, nudged = (Solver("leduc", "cfr+", form="histories") for _ in range(2))
    nudged.nudge()
    for mine, other in zip(plain.sides, nudged.sides, strict=True):
        apart = abs(mine.strategy - other.strategy)[1:]
        assert (apart > 0).all()
        assert (apart <= np.spacing(mine.strategy[1:])).all()
        assert mine.strategy[0] == other.strategy[0] == 1
        assert (mine.plan != other.plan).any()
    nudged.advance(1)
    with pytest.raises(rl.UserError, match="before the first iteration; the run has 1"):
        nudged.nudge()


def test_exponential_growth_is_found_and_a_power_of_t_is_not() -> None:
    exponential = made([min(1e-16 * math.exp(0.05 * t), 0.3) for t in range(1, 1_001)])
    assert exponential.growth == pytest.approx(0.05)
    assert exponential.plans_part == math.ceil(math.log(PARTED / 1e-16) / 0.05)
    assert made([1e-14 * t**3 for t in range(1, 1_001)]).growth is None
    assert made([1e-16 * math.exp(0.015 * t) for t in range(1, 1_001)]).growth is None, "it ends at 3e-10"
    assert made([1e-16 * math.exp(0.03 * t) for t in range(1, 1_001)]).growth == pytest.approx(0.03)
    late = [1e-16 * math.exp(0.05 * max(t - 450, 0)) for t in range(1, 901)]
    assert made(late).growth == pytest.approx(0.05), "only the second half counts"
    assert made([0.0] * 100).growth is None
    assert made([]).growth is None


def test_a_jump_where_a_tie_breaks_is_no_part_of_the_growth() -> None:
    assert made([1e-16 * 100**t for t in range(1, 7)] + [0.5, 0.4]).growth == pytest.approx(math.log(100))


@pytest.mark.parametrize(
    ("plain", "nudged", "part"),
    [(1e-3, 1.02e-3, True), (1e-3, 1.005e-3, False), (1.02e-3, 1e-3, True), (3e-16, 1e-15, False), (0.0, 0.0, False)],
)
def test_figures_part_at_one_percent_unless_it_is_rounding(plain: float, nudged: float, part: bool) -> None:
    found = made([0.1], (Pair(1, 0.1, 0.1), Pair(2, plain, nudged)))
    assert found.figures_part == (2 if part else None)


def test_a_callback_ends_it_early() -> None:
    found = rl.chaos("kuhn", "cfr", iterations=2_000, callback=lambda progress: progress.iteration >= 100)
    assert found.iterations < 2_000
    assert found.looks[-1].iteration == found.iterations
    seen: list[Progress] = []
    assert rl.chaos("kuhn", "cfr", iterations=3, callback=seen.append).iterations == 3
    assert seen[-1].goal == 3


def test_an_average_that_begins_late_is_judged_late() -> None:
    found = rl.chaos("kuhn", "cfr+(delay=20)", iterations=30)
    assert [pair.iteration for pair in found.pairs] == list(range(21, 31))


def test_a_long_run_is_looked_at_less_often_at_its_end() -> None:
    found = rl.chaos("kuhn", "cfr+", iterations=1_250)
    assert [look.iteration for look in found.looks] == [*range(1, 1_000), 1_000, 1_100, 1_200, 1_250]
    assert [pair.iteration for pair in found.pairs[-3:]] == [1_100, 1_200, 1_250]


def test_a_chart_for_each_game_and_a_line_for_each_recipe() -> None:
    found = [rl.chaos(game, name, iterations=5) for game in ("kuhn", "rps") for name in ("cfr", "cfr+")]
    charts = chaos_charts(found)
    assert [(chart.title, [line.name for line in chart.series]) for chart in charts] == [
        ("kuhn", ["cfr", "cfr+"]),
        (found[2].game, ["cfr", "cfr+"]),
    ]
    assert all(y > 0 for chart in charts for line in chart.series for _, y in line.points)


def test_a_symmetric_start_can_be_unstable_where_others_are_not() -> None:
    """Both players do the same here as long as they begin with the same; a nudge is what tells them apart."""
    game = "matrix(rows=0 -1 3; 1 0 -1; -3 1 0)"
    symmetric, random = (rl.chaos(game, "cfr", iterations=1_000, start=start) for start in (0, 1))
    assert symmetric.looks[-1].difference > 1e-4
    assert random.looks[-1].difference < 1e-10
    started = Solver(game, "cfr")
    started.perturb(1)
    started.advance(1_000)
    assert random.pairs[-1].plain == started.evaluate().exploitability
