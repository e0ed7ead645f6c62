"""The race over the wire: what is refused, and a reader who leaves stops it."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

import regretlab as rl
from regretlab.watch.offers import OFFERS, unit
from regretlab.watch.watched_race import MOST_RUNNERS
from regretlab.web.api import races


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
        ({"seed": "x"}, ["cfr"], "is not a whole number"),
    ],
)
def test_bad_races_are_told_in_one_line(client, query, slugs, words):
    answer = client.get("/api/race", params={**query, "with": slugs})
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert races.RaceStream.running.total() == 0


def messages(answer):
    for line in answer.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def empty_again():
    """Whether no race is run any more: a reader who is gone is noticed soon, but not at once."""
    for _ in range(2_000):
        if not races.RaceStream.running.total():
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
        assert races.RaceStream.running.total() == 1
    assert empty_again()


def test_no_more_races_than_there_is_room_for(client, monkeypatch):
    monkeypatch.setattr(races, "MOST_RACES", 0)
    monkeypatch.setattr(races, "SECONDS_TO_WAIT", 0.2)
    answer = client.get("/api/race", params={"with": ["cfr"]})
    assert answer.status_code == 429
    assert "wait until one is over" in answer.json()["error"]


def test_one_client_leaves_room_for_a_race_of_another(client, monkeypatch):
    """Here two addresses of this computer are two clients."""
    monkeypatch.setattr(races, "MOST_PER_CLIENT", 1)
    monkeypatch.setattr(races, "SECONDS_TO_WAIT", 0.2)
    params = {"by": "time", "seconds": 10, "with": ["cfr"]}
    with client.stream("GET", "/api/race", params=params) as first:
        assert first.status_code == 200
        assert client.get("/api/race", params=params).status_code == 429
        elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(base_url=client.base_url, transport=elsewhere, timeout=30) as other:
            assert other.get("/api/race", params=params | {"by": "iterations", "iterations": 10}).status_code == 200
    assert empty_again()


def test_who_starts_again_waits_for_the_race_that_was_left(client, monkeypatch):
    """A race that is left while its game is compiled notices it afterwards; nobody has to press the button again."""
    monkeypatch.setattr(races, "MOST_PER_CLIENT", 1)
    with ThreadPoolExecutor(1) as pool:
        with client.stream("GET", "/api/race", params={"by": "time", "seconds": 10, "with": ["cfr"]}) as first:
            assert first.status_code == 200
            again = pool.submit(client.get, "/api/race", params={"iterations": 10, "with": ["cfr"]})
            time.sleep(0.3)
            assert not again.done()
        assert again.result().status_code == 200
    assert empty_again()


def test_offers(client):
    offers = client.get("/api/offers").json()
    assert [game["slug"] for game in offers["games"]] == [*OFFERS]
    assert {game["slug"]: game["unit"] for game in offers["games"]} == {
        slug: unit(offer.game)["name"] for slug, offer in OFFERS.items()
    }
    assert all("=" not in game["title"] for game in offers["games"])  # leduc(merge_suits=true) is no title
    names = {recipe["slug"]: recipe["name"] for recipe in offers["recipes"]}
    assert names["cfr-plus"] == "cfr+"
    assert all(not rl.recipe(name).feedback_kind.trains for name in names.values())


def test_a_game_that_does_not_fit_is_refused(client, monkeypatch):
    monkeypatch.setattr("regretlab.games.size.free_memory", lambda: 1_000)
    answer = client.get("/api/race", params={"with": ["cfr"], "bet": "1/97"})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("kuhn(bet=1/97) is too large: 55 histories")
    assert races.RaceStream.running.total() == 0
