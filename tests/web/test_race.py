"""The race: its numbers are the engine's, its order follows from them, and a reader who leaves stops it."""

import json
import time
from itertools import islice

import pytest

import regretlab as rl
from regretlab.web import race as stadium
from regretlab.web.contest import MOST_RUNNERS, Point, Race, looks


def run(query, slugs):
    race = Race(query, slugs)
    news = []
    while not race.over:
        race.burst()
        news.append(race.news())
    return race, news


def test_looks_are_dense_and_ascending():
    first = list(islice(looks(), 80))
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
        solver = rl.Solver(name, recipe, seed=3)
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
    race = Race({"by": by, "target": "5"}, ["cfr", "cfr-plus", "dcfr"])
    lasts = [Point(50, 0.1, 0.003), Point(900, 0.1, 0.0051), Point(40, 0.2, 0.004)]
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
    monkeypatch.setattr("regretlab.web.contest.MOST_WALL_SECONDS", 0)
    _, news = run({"iterations": "1000000"}, ["cfr"])
    assert news[-1]["over"]
    assert "stopped after" in news[-1]["stopped"]


@pytest.mark.parametrize(
    ("query", "slugs", "words"),
    [
        ({"game": "go"}, ["cfr"], "unknown game 'go'"),
        ({}, [], "choose at least one"),
        ({}, ["cfr", "cfr"], "'cfr' runs twice"),
        ({}, ["cfr", "x"], "unknown recipe 'x'"),
        ({}, [f"r{k}" for k in range(MOST_RUNNERS + 1)], "too many"),
        ({"iterations": "0"}, ["cfr"], "iterations=0"),
        ({"iterations": "1e9"}, ["cfr"], "at most 1,000,000"),
        ({"game": "liars-dice", "iterations": "5000"}, ["cfr"], "at most 2,000"),
        ({"by": "luck"}, ["cfr"], "unknown measure"),
        ({"by": "time", "seconds": "1000"}, ["cfr"], "too long"),
        ({"by": "time", "seconds": "-1"}, ["cfr"], "must be above 0"),
        ({"target": "-5"}, ["cfr"], "must be above 0"),
        ({"target": "x"}, ["cfr"], "is not a finite number"),
        ({"ante": "x"}, ["cfr"], "is not a finite number"),
        ({"seed": "x"}, ["cfr"], "is not a finite number"),
    ],
)
def test_bad_races_are_told_in_one_line(client, query, slugs, words):
    answer = client.get("/api/race", params={**query, "with": slugs})
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert stadium.STADIUM.races == 0


# ── Over the wire ────────────────────────────────────────────────────────────────────────────────────────────────


def messages(answer):
    for line in answer.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def empty_again():
    """Whether no race is run any more: a reader who is gone is noticed soon, but not at once."""
    for _ in range(2_000):
        if not stadium.STADIUM.races:
            return True
        time.sleep(0.01)
    return False


def test_a_race_over_the_wire(client):
    params = {"iterations": 200, "with": ["cfr", "cfr-plus"], "target": "100"}
    with client.stream("GET", "/api/race", params=params) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        start, *news = messages(answer)
    assert [runner["name"] for runner in start["runners"]] == ["cfr", "cfr+"]
    assert start["course"]["target_milli"] == pytest.approx(100)
    assert news[-1]["over"]
    assert sorted(news[-1]["order"]) == [0, 1]
    assert empty_again()


def test_who_goes_away_stops_the_race(client):
    with client.stream("GET", "/api/race", params={"by": "time", "seconds": 10, "with": ["cfr"]}) as answer:
        told = messages(answer)
        assert "course" in next(told)
        assert stadium.STADIUM.races == 1
    assert empty_again()


def test_no_more_races_than_there_is_room_for(client, monkeypatch):
    monkeypatch.setattr(stadium, "MOST_RACES", 0)
    answer = client.get("/api/race", params={"with": ["cfr"]})
    assert answer.status_code == 429
    assert "wait until one is over" in answer.json()["error"]


def test_offers(client):
    offers = client.get("/api/offers").json()
    assert [game["slug"] for game in offers["games"]] == ["kuhn", "leduc", "liars-dice-4", "liars-dice"]
    names = {recipe["slug"]: recipe["name"] for recipe in offers["recipes"]}
    assert names["cfr-plus"] == "cfr+"
    assert all(rl.recipe(name).feedback != "network" for name in names.values())
