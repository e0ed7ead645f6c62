"""The race: its numbers are the engine's, and its order follows from them."""

from itertools import islice

import pytest

import regretlab as rl
from regretlab.solving.checkpoints import chart_points
from regretlab.watch.watched_race import POINTS_PER_DECADE, RacePoint, WatchedRace


def run(query, slugs):
    race = WatchedRace(query, slugs)
    news = []
    while not race.over:
        race.burst()
        news.append(race.news())
    return race, news


def test_looks_are_dense_and_ascending():
    first = list(islice(chart_points(POINTS_PER_DECADE), 80))
    assert first[:3] == [1, 2, 3]
    assert first == sorted(set(first))
    assert {10, 100, 1_000, 10_000} <= set(first)


@pytest.mark.parametrize(
    ("game", "name", "iterations"),
    [
        ("kuhn", "kuhn(bet=2)", 300),
        ("leduc", "leduc(merge_suits=true)", 40),
        ("liars-dice-4", "liars_dice(sides=4)", 5),
    ],
)
def test_every_number_is_the_engines(game, name, iterations):
    slugs = ["cfr", "cfr-plus", "external-sampling"]
    _, news = run({"game": game, "bet": "2", "iterations": str(iterations), "seed": "3"}, slugs)
    sent = [[point for message in news for point in message["runners"][k]["points"]] for k in range(3)]
    finals = []
    for points, recipe in zip(sent, ("cfr", "cfr+", "external-sampling"), strict=True):
        solver = rl.Solver(name, recipe, seed=3, form="histories")
        for iteration, _, chips, milli in points:
            solver.advance(iteration - solver.iteration)
            assert chips == rl.exploitability(solver.form, solver.average)
            assert milli == pytest.approx(1000 * chips)
        assert points[-1][0] == iterations
        finals.append(points[-1][2])
    assert news[-1]["over"]
    assert news[-1]["order"] == sorted(range(3), key=finals.__getitem__)


def test_the_finishing_order_is_that_of_separate_runs():
    slugs = ["normalhedge", "cfr", "cfr-plus", "dcfr"]
    _, news = run({"iterations": "500"}, slugs)
    alone = [
        rl.solve("kuhn", recipe, iterations=500).exploitability for recipe in ("normalhedge", "cfr", "cfr+", "dcfr")
    ]
    assert news[-1]["order"] == sorted(range(4), key=alone.__getitem__)


def test_who_reaches_the_target_first_wins():
    race, news = run({"iterations": "2000", "target": "5"}, ["cfr", "cfr-plus", "predictive-cfr-plus"])
    arrived = [runner.arrived for runner in race.runners]
    assert arrived == [False, True, True]
    ways = [runner.points[-1].iteration for runner in race.runners]
    assert ways[0] == 2000
    assert news[-1]["order"] == [*sorted((1, 2), key=ways.__getitem__), 0]
    for runner in race.runners[1:]:
        before, last = runner.points[-2:]
        assert last.exploitability <= 0.005 < before.exploitability


@pytest.mark.parametrize(("by", "order"), [("iterations", [2, 0, 1]), ("time", [0, 2, 1])])
def test_arriving_counts_more_than_being_near_and_the_shorter_way_more_than_the_end(by, order):
    race = WatchedRace({"by": by, "target": "5"}, ["cfr", "cfr-plus", "dcfr"])
    lasts = [RacePoint(50, 0.1, 0.003), RacePoint(900, 0.1, 0.0051), RacePoint(40, 0.2, 0.004)]
    for runner, last in zip(race.runners, lasts, strict=True):
        runner.points, runner.arrived = [last], last.exploitability < 0.005
    assert race.news()["order"] == order


def test_a_race_by_time_gives_each_the_same():
    race, news = run({"by": "time", "seconds": "0.02"}, ["cfr", "normalhedge"])
    for runner in race.runners:
        assert runner.points[-1].seconds >= 0.02
        assert runner.points[-1].iteration > 1
        assert runner.points == sorted(runner.points)
    assert [each["progress"] for each in news[-1]["runners"]] == [1.0, 1.0]


def test_a_race_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr("regretlab.watch.watched_race.MOST_WALL_SECONDS", 0)
    _, news = run({"iterations": "1000000"}, ["cfr"])
    assert news[-1]["over"]
    assert "stopped after" in news[-1]["stopped"]
