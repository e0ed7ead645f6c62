"""Playing against the bot over the wire: tables, moves, and what is refused."""

from itertools import pairwise

import pytest

import regretlab as rl
from regretlab.web.api import playing


def sit(client, **choice):
    answer = client.post("/api/play", json=choice)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_a_hand_over_the_wire(client, game):
    view = sit(client, game=game, recipe="cfr-plus", iterations=10, seat="1", seed=3)
    place = f"/api/play/{view['table']}"
    while not view["hand"]["over"]:
        action = view["hand"]["actions"][0]["action"]
        view = client.post(place, json={"do": "act", "action": action}).json()
    assert client.get(place).json() == view
    form = rl.compile(view["name"])
    bot = rl.Solver(form, "cfr+")
    bot.advance(10)
    assert view["bot"]["exploitability"] == rl.exploitability(form, bot.average)
    assert view["hand"]["expected"] == pytest.approx(rl.best_response(form, bot.average, 0).value)
    chips = view["unit"]["chips"]
    assert view["milli"]["mean_loss"]["mean"] == pytest.approx(view["hand"]["loss"] / chips)
    after = client.post(place, json={"do": "deal"}).json()
    assert after["hand"]["number"] == 2
    assert client.delete(place).status_code == 204
    assert client.get(place).status_code == 404


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": "liars-dice"}, "unknown game"),
        ({"recipe": "cfrx"}, "unknown recipe"),
        ({"recipe": ["cfr"]}, "unknown recipe"),
        ({"iterations": -1}, "iterations=-1"),
        ({"iterations": 10**9}, "at most 1,000,000"),
        ({"iterations": "many"}, "is not a whole number"),
        ({"ante": "0"}, "ante=0 must be between 0.001 and 1,000,000"),
        ({"bet": "1/0"}, "is not a finite number"),
        ({"bet": "1e-300"}, "must be between"),
        ({"bet": "9" * 400}, "too long"),
        ({"seat": 3}, "unknown seat"),
        ({"seed": -1}, "seed=-1"),
    ],
)
def test_bad_wishes_are_told_in_one_line(client, choice, words):
    answer = client.post("/api/play", json=choice)
    assert answer.status_code == 400
    assert words in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_bad_moves_over_the_wire(client):
    place = f"/api/play/{sit(client, seed=1)['table']}"
    for body in ({}, {"do": "cheat"}, {"do": "act"}, {"do": "act", "action": 7}):
        answer = client.post(place, json=body)
        assert answer.status_code == 400
        assert "error" in answer.json()
    assert client.post("/api/play/nowhere", json={"do": "deal"}).status_code == 404


def test_the_oldest_table_makes_room(monkeypatch):
    monkeypatch.setattr(playing, "MOST_TABLES", 3)
    tables = playing.Tables()
    names = [tables.add(playing.Seated(None, {})) for _ in range(3)]
    tables.get(names[0])
    names.append(tables.add(playing.Seated(None, {})))
    assert list(tables.seated) == [names[2], names[0], names[3]]
    monkeypatch.setattr(playing, "IDLE_SECONDS", -1.0)
    assert list(tables.seated) != [tables.add(playing.Seated(None, {}))] == list(tables.seated)


def test_moves_of_two_requests_do_not_mix(client):
    """Two people at two tables with the same seed see the same cards, however their moves interleave."""
    first, second = (sit(client, seed=9, seat="1") for _ in range(2))
    assert first["table"] != second["table"]
    views = {name: [] for name in (first["table"], second["table"])}
    for _ in range(3):
        for name, seen in views.items():
            view = client.get(f"/api/play/{name}").json()
            action = (
                {"do": "deal"}
                if view["hand"]["over"]
                else {"do": "act", "action": view["hand"]["actions"][0]["action"]}
            )
            seen.append(client.post(f"/api/play/{name}", json=action).json()["hand"])
    assert all(one == other for one, other in pairwise(views.values()))


def test_a_table_is_had_again_from_its_record(client):
    """As after a new start of the server: the same hands, the same account, and the hand that was being played."""
    order = {"game": "leduc", "recipe": "cfr-plus", "iterations": 10, "seat": "alternate"}
    view = sit(client, **order)
    for _ in range(40):
        step = (
            {"do": "deal"} if view["hand"]["over"] else {"do": "act", "action": view["hand"]["actions"][-1]["action"]}
        )
        view = client.post(f"/api/play/{view['table']}", json=step).json()
    again = sit(client, **order, seed=view["seed"], record=view["record"])
    assert {**again, "table": 0, "said": 0} == {**view, "table": 0, "said": 0}
    assert again["account"]["hands"] > 3
    broken = sit(client, **order, seed=view["seed"], record=view["record"][:6] + "x")
    assert "the account ends at hand" in broken["said"][0]


def test_a_move_that_was_made_is_not_made_twice(client):
    """Its answer was lost, and so it comes once more."""
    view = sit(client, seed=1, seat="1")
    order = {"do": "act", "action": "check", "after": 0}
    views = [client.post(f"/api/play/{view['table']}", json=order).json() for _ in range(2)]
    assert views[0] == views[1]
    assert views[0]["record"] == "c"


def test_what_an_address_cannot_have_is_replaced_by_the_nearest(client):
    asked = {"game": "chess", "recipe": "cfr-pluss", "ante": "0", "iterations": "999999999", "seat": "9", "seed": "-4"}
    view = sit(client, nearest=True, **asked)
    assert view["order"] == {
        "game": "kuhn",
        "recipe": "cfr-plus",
        "ante": "0.001",
        "bet": "1",
        "seat": "alternate",
        "iterations": "1000000",
    }
    assert len(view["said"]) == 6
    assert not view["hand"]["over"] or view["hand"]["number"] == 1
