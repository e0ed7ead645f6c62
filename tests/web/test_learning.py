"""The API of the learning pages: every endpoint, and its numbers against the engine's."""

import gc
import json
import time
import weakref

import httpx
import pytest

import regretlab as rl
from regretlab.solving import RECIPES
from regretlab.watch import watched_run
from regretlab.watch.offers import FEATURED, recipe_shown
from regretlab.web.server import sessions
from regretlab.web.server.sessions import TURBO, Register


def order(client, session: str, **order):
    answer = client.post(f"/api/sessions/{session}", json=order)
    assert answer.status_code == 200, answer.text
    return answer.json()["frame"]


def by_label(table) -> dict:
    return {label: list(table[label].values()) for label in table}


def check(frame: dict, solution) -> None:
    """A frame shows what the engine has at this iteration, to the last bit."""
    assert frame["iteration"] == solution.iterations
    assert frame["exploitability"] == {
        "average": solution.exploitability,
        "current": solution.current_exploitability,
    }
    assert frame["value"] == solution.value
    assert frame["zero_regrets"] == solution.zero_regrets
    assert frame["average"] == by_label(solution.strategy)
    assert frame["current"] == by_label(solution.current)
    assert frame["regrets"] == by_label(solution.regrets)


@pytest.mark.parametrize(
    ("slug", "parameters", "recipe"),
    [
        ("cfr-plus", {"delay": 10}, "cfr+(delay=10)"),
        ("dcfr", {"alpha": "2"}, "dcfr(alpha=2)"),
        ("external-sampling", {}, "external-sampling"),
        ("predictive-normalhedge-plus", {"schedule": "simultaneous"}, "predictive-normalhedge+(schedule=simultaneous)"),
    ],
)
def test_a_session_shows_the_engine_s_numbers(client, new_session, slug, parameters, recipe) -> None:
    made = new_session(recipe=slug, parameters=parameters, ante="2", bet="1/2", seed=7, at=120)
    game = "kuhn(ante=2, bet=1/2)"
    check(made["frame"], rl.solve(game, recipe, iterations=120, seed=7))
    session = made["session"]
    check(order(client, session, do="step"), rl.solve(game, recipe, iterations=121, seed=7))
    check(order(client, session, do="back"), rl.solve(game, recipe, iterations=120, seed=7))
    check(order(client, session, do="go", to=50), rl.solve(game, recipe, iterations=50, seed=7))
    frame = order(client, session, do="reset")
    assert (frame["iteration"], frame["walks"]) == (0, [])
    assert frame["sentence"] == "Nothing has been learned yet: every action is a coin flip."
    assert set(map(tuple, frame["current"].values())) == {(0.5, 0.5)}
    assert order(client, session, do="back")["iteration"] == 0
    assert client.delete(f"/api/sessions/{session}").status_code == 204
    assert client.delete(f"/api/sessions/{session}").status_code == 404


def test_a_frame_has_units_walks_and_a_history(new_session) -> None:
    frame = new_session(ante="2", at=40)["frame"]
    assert frame["mbb"]["average"] == pytest.approx(frame["exploitability"]["average"] / 0.002)
    assert frame["hands_seen"] == 480
    assert frame["walks"] == []  # all deals are walked
    walks = new_session(recipe="external-sampling", at=40)["frame"]["walks"]
    assert [each["walker"] for each in walks] == [0, 1]
    assert all(each["nodes"][:2] == ["deal", "start"] for each in walks)
    history = frame["history"]
    assert history["from"] == 0
    assert {len(history[column]) for column in ("exploitability", "current_exploitability", "key")} == {
        len(history["iterations"])
    }
    assert history["iterations"][:30] == list(range(1, 31))


def test_the_reader_says_which_points_it_has(client, new_session) -> None:
    made = new_session(at=20)
    news = order(client, made["session"], do="go", to=25, have=20)["history"]
    assert (news["from"], news["iterations"]) == (20, [21, 22, 23, 24, 25])
    back = order(client, made["session"], do="go", to=12, have=25)["history"]
    assert (back["from"], back["iterations"]) == (12, [])


def test_the_game_is_described(new_session) -> None:
    game = new_session(ante="1", bet="2")["game"]
    assert (game["name"], game["exact_value"]) == ("kuhn(bet=2)", 0.0)
    assert game["deals"] == ["JQ", "JK", "QJ", "QK", "KJ", "KQ"]
    nodes = {node["id"]: node for node in game["nodes"]}
    assert len(nodes) == 10
    assert {node["parent"] for node in game["nodes"]} == {None, "deal", "start", "check", "bet", "check-bet"}
    assert nodes["check-bet"] == {
        "id": "check-bet",
        "parent": "check",
        "action": "bet",
        "kind": "player",
        "player": 0,
        "words": "Player 1, checked, facing a bet",
    }
    assert nodes["check-bet-call"]["payoffs"] == [-3, -3, 3, -3, 3, 3]
    assert nodes["bet-fold"]["payoffs"] == [1] * 6
    assert [node["ending"] for node in game["nodes"] if node["kind"] == "end"] == [
        "showdown",
        "fold",
        "showdown",
        "fold",
        "showdown",
    ]
    assert [infoset["label"] for infoset in game["infosets"]] == (
        ["J", "Q", "K", "Jcb", "Qcb", "Kcb", "Jc", "Qc", "Kc", "Jb", "Qb", "Kb"]
    )
    assert all(nodes[infoset["node"]]["player"] == infoset["player"] for infoset in game["infosets"])
    assert game["unit"]["chips"] == 0.001


def test_the_equilibria_are_the_family_s(new_session) -> None:
    nash = new_session()["game"]["nash"]
    assert nash["J"]["bet"] == {"low": 0, "high": pytest.approx(1 / 3)}
    assert nash["J"]["check"] == {"low": pytest.approx(2 / 3), "high": 1}
    assert nash["K"]["bet"] == {"low": 0, "high": 1}
    assert nash["Qcb"]["call"] == {"low": pytest.approx(1 / 3), "high": pytest.approx(2 / 3)}
    assert nash["Qcb"]["fold"] == {"low": pytest.approx(1 / 3), "high": pytest.approx(2 / 3)}
    assert nash["Qc"]["bet"] == {"low": 0, "high": 0}


def test_recipes_are_described_in_words_and_formulas(client) -> None:
    recipes = client.get("/api/recipes").json()
    assert [entry["slug"] for entry in recipes if entry["featured"]] == list(FEATURED)
    assert [entry["slug"] for entry in recipes[: len(FEATURED)]] == list(FEATURED)
    entries = {entry["slug"]: entry for entry in recipes}
    assert {entry["recipe"] for entry in recipes} == set(RECIPES)
    assert entries["cfr-plus"]["formulas"] == {"regrets": "R ← max(R + r, 0)", "strategy": "σ ∝ R₊", "average": "w = t"}
    assert len(entries["cfr-plus"]["changes"]) == 3
    assert entries["cfr"]["changes"] == []
    assert all(entry["changes"] for entry in recipes if entry["slug"] != "cfr")
    assert all(entry["citation"] and "{" not in entry["citations"][0]["title"] for entry in recipes)
    for entry in recipes:
        written = {parameter["name"]: str(parameter["default"]) for parameter in entry["parameters"]}
        assert rl.recipe(entry["run"]) == recipe_shown(entry["slug"], written) == recipe_shown(entry["slug"])


def test_the_arithmetic_comes_in_three_steps(client, new_session) -> None:
    session = new_session(recipe="normalhedge", at=30)["session"]
    told = client.get(f"/api/sessions/{session}/explain", params={"label": "Qcb"}).json()
    assert (told["label"], told["iteration"]) == ("Qcb", 30)
    expected = rl.explain("kuhn", "normalhedge", "Qcb", 30).as_dict()
    assert {name: told[name] for name in expected} == json.loads(json.dumps(expected))
    assert told["html"].count('<section class="step"') == 3
    assert "<math" in told["html"]
    assert "layer 0" not in told["html"]


# Playing.


def test_play_goes_on_while_somebody_watches(client, new_session, watch) -> None:
    session = new_session(recipe="cfr-plus", bet="2", seed=1)["session"]
    assert order(client, session, do="play", speed="turbo")["playing"]
    seen, points = [], []
    for frame in watch(session):
        seen.append(frame)
        history = frame["history"]
        points[history["from"] :] = history["iterations"]
        if frame["iteration"] > 300:
            break
    iterations = [frame["iteration"] for frame in seen]
    assert iterations == sorted(set(iterations))
    assert points == list(range(1, 31)) + [t for t in points if t > 30]
    assert seen[-1]["speed"] == TURBO
    for frame in seen[1::3]:
        check(frame, rl.solve("kuhn(bet=2)", "cfr+", iterations=frame["iteration"]))
    paused = order(client, session, do="pause")
    assert not paused["playing"]
    assert order(client, session, do="pause")["iteration"] == paused["iteration"]


def test_who_is_not_watched_stands_still(client, new_session, watch) -> None:
    session = new_session()["session"]
    before = order(client, session, do="play", speed=1_000)
    time.sleep(0.2)
    after = next(iter(watch(session)))
    assert after["iteration"] == before["iteration"] == 0


def test_a_command_is_the_last_word(client, new_session, watch) -> None:
    """Turns that were under way when a command came do not move the run afterwards."""
    session = new_session()["session"]
    order(client, session, do="play", speed="turbo")
    frames = watch(session)
    for _ in range(5):
        next(frames)
        assert order(client, session, do="go", to=7)["iteration"] == 7
        time.sleep(0.05)
        assert order(client, session, do="pause")["iteration"] == 7
        order(client, session, do="play", speed="turbo")
    frames.close()


def test_slow_speeds_are_kept(client, new_session, watch) -> None:
    session = new_session()["session"]
    order(client, session, do="play", speed=20)
    frames = watch(session)
    iterations = [next(frames)["iteration"] for _ in range(5)]
    frames.close()
    assert iterations == [0, 1, 2, 3, 4]


def test_a_run_ends_at_its_end(client, new_session, watch, monkeypatch) -> None:
    monkeypatch.setattr("regretlab.watch.watched_run.WatchedRun.last", 60)
    session = new_session(at=50)["session"]
    order(client, session, do="play", speed="turbo")
    for frame in watch(session):
        assert frame["playing"] == (frame["iteration"] < 60)
        if frame["iteration"] >= 60:
            break
    assert order(client, session, do="step")["iteration"] == 60


def test_two_streams_see_the_same_and_a_fifth_is_refused(client, new_session, watch) -> None:
    session = new_session()["session"]
    streams = [watch(session) for _ in range(4)]
    assert len({json.dumps(next(stream)) for stream in streams}) == 1
    with client.stream("GET", f"/api/sessions/{session}/stream") as fifth:
        assert fifth.status_code == 429
    for stream in streams:
        stream.close()


# Limits.


def test_sessions_are_limited_and_forgotten_when_idle(client, new_session, monkeypatch) -> None:
    kept: Register = client.server.page.state.register
    names = [new_session()["session"] for _ in range(2)]
    monkeypatch.setattr(sessions, "SECONDS_IDLE", -1.0)
    new_session()
    assert len(kept) == 1
    assert client.post(f"/api/sessions/{names[0]}", json={"do": "step"}).status_code == 404


def test_the_longest_idle_session_makes_room(client, new_session, watch, monkeypatch) -> None:
    """Nobody is locked out by runs that nobody watches; those that are watched stay."""
    monkeypatch.setattr(sessions, "SECONDS_IDLE", -1.0)
    new_session()  # all others are forgotten
    monkeypatch.setattr(sessions, "SECONDS_IDLE", 900.0)
    monkeypatch.setattr(sessions, "MOST_SESSIONS", 3)
    client.delete(f"/api/sessions/{next(iter(client.server.page.state.register._sessions))}")
    first, second, third = (new_session()["session"] for _ in range(3))
    watched = watch(first)
    next(watched)
    order(client, second, do="step")
    fourth = new_session()["session"]
    assert client.post(f"/api/sessions/{third}", json={"do": "step"}).status_code == 404
    others = [watch(name) for name in (second, fourth)]
    for frames in others:
        next(frames)
    refused = client.post("/api/sessions", json={"recipe": "cfr"})
    assert refused.status_code == 429
    assert refused.json()["error"].startswith("3 runs are being watched already")
    for frames in (watched, *others):
        frames.close()


def test_one_client_takes_no_more_than_its_share(client, monkeypatch) -> None:
    """Here two addresses of this computer are two clients."""
    monkeypatch.setattr(sessions, "MOST_PER_CLIENT", 2)
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
    with httpx.Client(base_url=client.base_url, transport=elsewhere, timeout=30) as other:
        theirs = other.post("/api/sessions", json={"recipe": "cfr"}).json()["session"]
        ours = [client.post("/api/sessions", json={"recipe": "cfr"}).json()["session"] for _ in range(5)]
        found = [client.post(f"/api/sessions/{name}", json={"do": "step"}).status_code for name in (theirs, *ours)]
    assert found == [200, 404, 404, 404, 200, 200]


def test_what_an_address_cannot_have_is_replaced_by_the_nearest(new_session) -> None:
    asked = {"ante": "-1", "bet": "abc", "seed": "-3", "at": "99999999999"}
    parameters = {"delay": "3", "averaging": "bogus", "schedule": ""}
    made = new_session(recipe="dcfr", nearest=True, parameters=parameters, **asked)
    usual = {"averaging": "quadratic", "schedule": "alternating", "delay": "3"}
    assert made["order"] == {
        "recipe": "dcfr",
        "parameters": usual,
        "ante": "0.001",
        "bet": "1",
        "seed": "0",
        "at": "10000000",
    }
    assert len(made["said"]) == 6
    assert all("; this page takes " in words and "=" not in words for words in made["said"])
    assert "ante -1 must be between 0.001 and 1,000,000; this page takes 0.001 instead" in made["said"]
    assert "this page takes 10,000,000 instead" in made["said"][-1]
    assert (made["frame"]["iteration"], made["frame"]["playing"]) == (0, True)  # it is on its way


def test_a_far_iteration_is_reached_in_turns(client, new_session, watch, monkeypatch) -> None:
    monkeypatch.setattr(watched_run, "NEAR", 1_000)
    made = new_session(recipe="cfr-plus", at=50_000)
    seen = []
    for frame in watch(made["session"]):
        seen.append(frame["iteration"])
        if not frame["playing"]:
            break
    assert len(seen) > 2
    check(frame, rl.solve("kuhn", "cfr+", iterations=50_000))


def test_a_watched_session_is_not_idle(client, new_session, watch, monkeypatch) -> None:
    session = new_session()["session"]
    frames = watch(session)
    next(frames)
    monkeypatch.setattr(sessions, "SECONDS_IDLE", -1.0)
    new_session()
    assert client.post(f"/api/sessions/{session}", json={"do": "step"}).status_code == 200
    frames.close()


def test_memory_returns_when_sessions_end(client, new_session) -> None:
    kept: Register = client.server.page.state.register
    names = [new_session(at=100)["session"] for _ in range(20)]
    # Just these sessions are watched: those of other tests may end at any time.
    made = [weakref.ref(kept.get(name)) for name in names]
    for name in names:
        assert client.delete(f"/api/sessions/{name}").status_code == 204
    # Who works for a session lets go of it only after its turn, and a busy machine takes its time.
    deadline = time.monotonic() + 60
    while any(session() is not None for session in made):
        assert time.monotonic() < deadline, f"{sum(session() is not None for session in made)} sessions are still there"
        time.sleep(0.01)
        gc.collect()


def test_inside_tells_the_next_iteration_and_leaves_the_run_where_it_is(client, new_session) -> None:
    session = new_session(recipe="cfr-plus", at=30)["session"]
    told = client.get(f"/api/sessions/{session}/inside").json()
    expected = rl.solve("kuhn", "cfr+", iterations=31)
    assert told["iteration"] == 31
    assert [step["current"] for step in told["steps"] if step["current"]][-1] == by_label(expected.current)
    assert [step["regrets"] for step in told["steps"] if step["regrets"]][-1] == by_label(expected.regrets)
    check(order(client, session, do="pause"), rl.solve("kuhn", "cfr+", iterations=30))
    check(order(client, session, do="step"), expected)
