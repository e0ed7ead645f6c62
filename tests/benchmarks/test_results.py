"""Ratios come from raw timings, and disagreement is told."""

import math

import pytest

from benchmarks.clock import Batch, Series
from benchmarks.results import OURS, Agreement, Cores, Findings, Measurement, Speedup


def series(name: str, *seconds: float, calls: int = 1) -> Series:
    return Series(name, tuple(Batch(calls * one, calls, 0.001) for one in seconds))


def test_rounds_are_compared_one_by_one() -> None:
    # In the second round a neighbour slows both three times; the ratio of that round is the same as before.
    found = Measurement("kuhn", "iteration", (series(OURS, 1, 3, 1), series("peer", 10, 30, 12)))
    assert found.ratio("peer") == pytest.approx((10, 10, 11))


def test_calls_do_not_matter() -> None:
    found = Measurement("kuhn", "iteration", (series(OURS, 0.1, 0.1, calls=1_000), series("peer", 2, 2)))
    assert found.ratio("peer") == pytest.approx((20, 20, 20))


def test_a_series_with_fewer_batches_is_compared_with_the_median() -> None:
    found = Measurement("kuhn", "iteration", (series(OURS, 1, 2, 4), series("peer", 10)))
    assert found.ratio("peer") == pytest.approx((5, 5, 5))


def test_what_was_not_measured_has_no_ratio() -> None:
    found = Measurement("kuhn", "iteration", (series(OURS, 1),))
    assert found.ratio("peer") is None
    assert Findings().ratio("kuhn", "iteration", "peer") is None
    assert Findings(measurements=[found]).ratio("leduc", "iteration", "peer") is None


def agreement(theirs: float, tolerance: float = 1e-6) -> Agreement:
    return Agreement("kuhn", "cfr+", "peer", 20, 0.01, theirs, tolerance, "")


@pytest.mark.parametrize("theirs", [0.01, 0.01 * (1 + 9e-7), 0.01 * (1 - 9e-7)])
def test_rounding_is_no_disagreement(theirs: float) -> None:
    assert agreement(theirs).agrees


@pytest.mark.parametrize("theirs", [0.01 * (1 + 2e-6), 0.02, 0.0, -0.01, math.nan, math.inf])
def test_all_else_is(theirs: float) -> None:
    found = Findings(agreements=[agreement(0.01), agreement(theirs)])
    assert not found.agreements[1].agrees
    (line,) = found.complaints
    assert line.startswith("DISAGREEMENT: after 20 iterations of cfr+ on kuhn")
    assert repr(theirs) in line
    assert "peer" in line


def test_two_zeros_agree() -> None:
    assert Agreement("kuhn", "cfr+", "peer", 1, 0.0, 0.0, 1e-6, "").agrees


def test_a_disagreement_of_medians_says_so() -> None:
    found = Agreement("kuhn", "external sampling", "peer", 1_000, 0.01, 0.02, 1 / 3, "", seeds=51)
    assert not found.agrees
    assert "median over 51 seeds, relative difference 5.0e-01" in found.complaint


def second_core(together: tuple[float, ...], one: tuple[float, ...], two: tuple[float, ...]) -> tuple[Cores, Speedup]:
    solving = Speedup("kuhn", 30, one, two)
    return Cores(alone=(10, 20, 9)[: len(together)], together=together, speedups=(solving,)), solving


def test_the_share_of_a_second_core() -> None:
    """Round by round: the machine was fast in the second one and slow in the third."""
    cores, solving = second_core(together=(18, 38, 15), one=(0.86, 0.4, 1.5), two=(0.5, 0.2, 1.0))
    assert (cores.streaming, solving.factor) == pytest.approx((1.8, 1.72))
    assert cores.share(solving) == pytest.approx(0.9)


def test_a_solver_that_leaves_the_second_core_idle_has_no_share() -> None:
    cores, solving = second_core(together=(19,), one=(1,), two=(1,))
    assert cores.share(solving) == 0


@pytest.mark.parametrize("together", [9.9, 11.0])
def test_a_second_core_that_a_neighbour_uses_says_nothing(together: float) -> None:
    cores, solving = second_core(together=(together,), one=(1.14,), two=(1,))
    assert cores.share(solving) is None
