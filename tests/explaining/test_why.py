"""Why a recipe differs: what is said is what the engine finds."""

import re

import pytest

import regretlab as rl
from regretlab.explaining.why import reasons
from regretlab.watch.offers import FEATURED, NETWORKS, recipe_shown

TOLD = [slug for slug in FEATURED if slug not in NETWORKS]


def told(slug, title):
    return next(each for each in reasons(recipe_shown(slug)) if title in each["title"])


@pytest.mark.parametrize("slug", TOLD)
def test_every_featured_recipe_has_a_reason_with_a_picture(slug):
    found = reasons(recipe_shown(slug))
    assert found
    for each in found:
        assert all(len(line["points"]) > 5 for line in each["chart"]["series"])


@pytest.mark.parametrize(
    ("slug", "title", "changed"),
    [
        ("cfr-plus", "turns", "cfr+(schedule=simultaneous)"),
        ("cfr-plus", "later", "cfr+(averaging=uniform)"),
        ("dcfr", "later", "dcfr(averaging=uniform)"),
        ("predictive-cfr-plus", "ahead", "pcfr+(predict=no)"),
    ],
)
def test_what_a_part_brings_is_what_runs_with_and_without_it_lose(slug, title, changed):
    from regretlab.documents.numbers import written

    words = told(slug, title)["words"]
    for recipe in (recipe_shown(slug).name if slug != "cfr-plus" else "cfr+", changed):
        lost = rl.solve("kuhn", recipe, iterations=1_000).exploitability * 1_000
        assert written(lost) in words


def test_the_debt_is_one_and_is_paid_back_where_it_is_said():
    words = told("cfr-plus", "debt")["words"]
    action, situation, start, depth, end, rest = re.search(
        r"the (\w+) in the situation '([\w, ]+)' .* iteration (\d+) on .* ([\d.]+) chips, and until iteration (\d+) "
        r".* most (\d+)",
        words,
    ).groups()
    rules = rl.load("kuhn")
    label = next(each for each in ("J", "Q", "K", "Jc", "Qb", "Qcb", "Jb", "Jcb") if rules.meaning(each) == situation)
    regrets = {}
    for recipe in ("cfr", "cfr(accumulate=truncate)"):
        solver, regrets[recipe] = rl.Solver("kuhn", recipe), [0.0]
        for _ in range(300):
            solver.advance(1)
            regrets[recipe].append(solver.solution().regrets[label][action])
    sums, kept = regrets.values()
    inside = sums[int(start) : int(end)]
    assert max(inside) <= 0 < min(sums[int(start) - 1] + 1e-12, sums[int(end)])
    assert -min(inside) == pytest.approx(float(depth), abs=0.01)
    stretches = re.findall("0+", "".join("0" if number == 0 else "1" for number in kept[1:]))
    assert max(map(len, stretches)) <= int(rest) < int(end) - int(start)


def test_the_current_strategy_of_cfr_plus_is_as_far_as_measured():
    words = told("cfr-plus", "current")["words"]
    for iterations in (100, 1_000, 10_000):
        from regretlab.documents.numbers import written

        lost = rl.solve("kuhn", "cfr+", iterations=iterations).current_exploitability * 1_000
        assert written(lost) in words


def test_zeros_are_counted_exactly():
    words = told("cfr-plus", "sparse")["words"]
    regrets = rl.solve("leduc(merge_suits=true)", "cfr+", iterations=300, form="histories").regrets
    zeros = [regret == 0 for actions in regrets.values() for regret in actions.values()]
    assert f"{100 * sum(zeros) / len(zeros):.0f} % of all" in words
