"""``regretlab warmup``: everything is compiled, and found again by another process."""

from __future__ import annotations

from itertools import product

from regretlab.deep import is_installed
from regretlab.feedback.registry import FEEDBACKS
from regretlab.forms.kernel import cache_folder
from regretlab.forms.packed import KEPT
from regretlab.machine import usable_cores
from regretlab.rules import ACCUMULATIONS, WEIGHINGS
from regretlab.solving.solver import recipes_to_warm, runs_to_warm

TABLES = [name for name, kind in FEEDBACKS.items() if not kind.trains]


def test_it_says_where_the_kernels_are(regretlab) -> None:
    done = regretlab("warmup")
    assert done.out.startswith("all kernels are ready after ")
    assert done.out.endswith(f" s, kept in {cache_folder()}\n")
    assert regretlab("warmup", "--json").json["folder"] == str(cache_folder())


def test_every_built_in_rule_and_every_feedback_is_among_them() -> None:
    warmed = {(each.accumulate, each.predict > 0, each.weigh) for each in recipes_to_warm()}
    bounded = [name for name, way in ACCUMULATIONS.items() if way.bounds]
    assert {(each, False, weigh) for each, weigh in product(("sum", *bounded), WEIGHINGS)} <= warmed
    assert {("sum", True, weigh) for weigh in WEIGHINGS} <= warmed
    assert {each.feedback for each in recipes_to_warm()} == {
        *TABLES,
        *(["network"] if is_installed() else []),
    }
    assert {*bounded, "sum", "truncate"} == set(ACCUMULATIONS)


def test_holdem_is_among_them_in_each_precision_on_one_core_and_on_two() -> None:
    warmed = {(each.precision, each.cores) for each in runs_to_warm() if each.game.startswith("holdem:")}
    assert warmed == set(product(KEPT, (1, 2)[: len(usable_cores())]))
