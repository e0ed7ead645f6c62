"""Pages of recipes that train networks: their sessions, the process that trains them, and doing without."""

import subprocess
import sys
import threading
import time

import httpx
import pytest

import regretlab as rl
from regretlab.watch import offers, training
from regretlab.watch.offers import NETWORKS, recipe_shown
from regretlab.web import export
from regretlab.web.api.recipe_pages import can_run, home, learn
from regretlab.web.api.recipe_words import described
from regretlab.web.server import sessions as server_sessions

SMALL = {"traversals": 20, "capacity": 30, "width": 8, "layers": 1, "training": 5}
"""What a page takes, and what learns nothing well, but quickly."""


@pytest.fixture
def torch():
    """For tests that train."""
    return pytest.importorskip("torch")


@pytest.fixture
def no_torch(monkeypatch):
    """Where PyTorch is not installed."""
    monkeypatch.setitem(sys.modules, "torch", None)
    described.cache_clear()
    yield
    described.cache_clear()


def by_label(table) -> dict:
    return {label: list(table[label].values()) for label in table}


# What may be asked for.


def test_what_the_page_does_not_offer_is_refused(client) -> None:
    for wrong in ({"rate": "1"}, {"schedule": "one-player"}, {"feedback": "full"}, {"training": "51"}):
        answer = client.post("/api/sessions", json={"recipe": "deep-cfr", "parameters": wrong})
        assert answer.status_code == 400
        assert next(iter(wrong)) in answer.json()["error"]
        assert "\n" not in answer.json()["error"]


def test_they_neither_race_nor_play(client) -> None:
    assert client.post("/api/play", json={"recipe": "deep-cfr"}).status_code == 400


# Sessions.


@pytest.fixture
def sessions(client, new_session):
    """Creates sessions with networks, small ones unless told, and deletes them."""
    made = []

    def create(**order) -> dict:
        answer = new_session(**{"recipe": "deep-cfr", "parameters": SMALL} | order)
        made.append(answer["session"])
        return answer

    yield create
    for name in made:
        client.delete(f"/api/sessions/{name}")


def order(client, session: str, **order) -> dict:
    answer = client.post(f"/api/sessions/{session}", json=order)
    assert answer.status_code == 200, answer.text
    return answer.json()["frame"]


def check(frame: dict, game: str, recipe: str, seed: int = 0) -> None:
    """A frame shows what the engine has at this iteration, to the last bit."""
    solution = rl.solve(game, recipe, iterations=frame["iteration"], seed=seed)
    exploitabilities = {"average": solution.exploitability, "current": solution.current_exploitability}
    assert frame["exploitability"] == exploitabilities
    assert (frame["value"], frame["zero_regrets"]) == (solution.value, solution.zero_regrets)
    for table, shown in (("average", "strategy"), ("current", "current"), ("regrets", "regrets")):
        assert frame[table] == by_label(getattr(solution, shown))
    seen = [int(solution.learned[f"memory.advantages{player}.seen"][0]) for player in (0, 1)]
    assert [fit["seen"] for fit in frame["networks"]["advantages"]] == seen


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize(("slug", "parameters"), [("deep-cfr", {}), ("sd-cfr", SMALL)])
def test_a_session_shows_the_engine_s_numbers(client, sessions, slug, parameters) -> None:
    made = sessions(recipe=slug, parameters=parameters, ante="2", bet="1/2", seed=7)
    recipe, session, game = made["game"]["recipe"], made["session"], "kuhn(ante=2, bet=1/2)"
    assert recipe == recipe_shown(slug, parameters).name
    assert made["frame"]["sentence"] == "Nothing has been learned yet: every action is a coin flip."
    first = order(client, session, do="step")
    frame = order(client, session, do="step")
    assert (first["iteration"], frame["iteration"]) == (1, 2)
    check(frame, game, recipe, 7)
    assert frame["hands_seen"] == 4 * rl.recipe(recipe).settings.traversals
    assert ("strategies" in frame["networks"]) == (slug == "deep-cfr")
    told = client.get(f"/api/sessions/{session}/explain", params={"label": "Qcb"}).json()
    assert (told["iteration"], told["predicted"]) == (2, frame["regrets"]["Qcb"])
    assert told["html"].count('<section class="step"') == 3
    assert order(client, session, do="back") == first
    assert order(client, session, do="reset")["iteration"] == 0


@pytest.mark.usefixtures("torch")
def test_a_long_way_is_gone_step_by_step_while_somebody_watches(client, sessions, watch) -> None:
    made = sessions(at=4)
    assert (made["frame"]["iteration"], made["frame"]["playing"]) == (0, True)
    frames = list(until_rest(watch(made["session"])))
    seen = [frame["iteration"] for frame in frames]
    assert seen == sorted(set(seen))
    assert seen[-1] == 4
    check(frames[-1], "kuhn", made["game"]["recipe"])
    assert frames[-1]["history"]["iterations"][-1] == 4
    far = order(client, made["session"], do="go", to=7)
    assert (far["iteration"], far["playing"]) == (4, True)
    assert order(client, made["session"], do="pause")["playing"] is False
    near = order(client, made["session"], do="go", to=3)
    assert (near["iteration"], near["playing"]) == (3, False)
    answer = client.post(f"/api/sessions/{made['session']}", json={"do": "go", "to": 101})
    assert answer.json() == {"error": "iteration=101 must be a whole number, at least 0 and at most 100"}


def until_rest(frames):
    for frame in frames:
        yield frame
        if not frame["playing"]:
            return


# The process that trains, and one in its place that learns nothing, but at once.


STAND_IN = """
import json, sys
for line in sys.stdin:
    order = json.loads(line)
    goal, now = order.get("goal", 0), int(order.get("target", 0))
    body = json.dumps({"iteration": now, "playing": now < goal})[:-1]
    print(json.dumps({"iteration": now, "body": body, "shown": 0, "points": []}), flush=True)
"""


@pytest.fixture
def stand_in(run_server, monkeypatch):
    """A server whose networks are trained by nobody."""
    monkeypatch.setattr(training, "COMMAND", (sys.executable, "-c", STAND_IN))
    monkeypatch.setattr("regretlab.deep.check_installed", lambda _: None)
    with run_server() as client:
        yield client


def created(client, recipe: str = "deep-cfr") -> str:
    answer = client.post("/api/sessions", json={"recipe": recipe})
    assert answer.status_code == 201, answer.text
    return answer.json()["session"]


def test_there_are_few_and_who_rests_makes_room(stand_in, monkeypatch) -> None:
    first, _ = created(stand_in), created(stand_in, "sd-cfr")
    refused = stand_in.post("/api/sessions", json={"recipe": "deep-cfr"})
    assert refused.status_code == 429
    assert refused.json()["error"].startswith("2 pages train networks already")
    created(stand_in, "cfr")
    stand_in.delete(f"/api/sessions/{first}")
    second = created(stand_in)
    monkeypatch.setattr(server_sessions, "SECONDS_WITH_NETWORKS", -1.0)
    created(stand_in)
    assert stand_in.post(f"/api/sessions/{second}", json={"do": "step"}).status_code == 404


def test_a_run_whose_process_has_died_is_lost_and_the_next_one_gets_another(stand_in) -> None:
    session, other = created(stand_in), created(stand_in)
    stand_in.post(f"/api/sessions/{session}", json={"do": "play", "speed": 1})
    process = stand_in.server.page.state.training._process
    with stand_in.stream("GET", f"/api/sessions/{session}/stream") as stream:
        lines = stream.iter_lines()
        next(lines)
        process.kill()
        assert not [line for line in lines if line.startswith("data") and '"iteration":99' in line]  # and it ends
    for name in (session, other):
        gone = stand_in.post(f"/api/sessions/{name}", json={"do": "step"})
        assert gone.status_code == 404
    again = created(stand_in)
    assert order(stand_in, again, do="step")["iteration"] == 1
    assert process.poll() is not None


def test_the_process_ends_when_nobody_needs_it_and_with_the_server(run_server, stand_in, monkeypatch) -> None:
    monkeypatch.setattr(training, "SECONDS_TO_REST", 0.01)
    trained = stand_in.server.page.state.training
    session = created(stand_in)
    process = trained._process
    stand_in.delete(f"/api/sessions/{session}")
    assert process.wait(timeout=20) is not None
    with run_server() as client:
        created(client)
        process = client.server.page.state.training._process
        assert process.poll() is None
    assert process.poll() is not None


def test_a_session_that_somebody_left_before_it_was_there_is_closed(stand_in) -> None:
    state, done = stand_in.server.page.state, threading.Event()
    created(stand_in)  # the process is there
    state.training._thread.submit(done.wait)
    with pytest.raises(httpx.ReadTimeout):
        stand_in.post("/api/sessions", json={"recipe": "deep-cfr"}, timeout=0.2)
    while stand_in.server.server_state.connections:  # until the server has noticed
        time.sleep(0.01)
    done.set()
    while state.training._opened < 2 or len(state.training._runs) > 1:
        time.sleep(0.01)
    assert len(state.register) == 1


def give_up(client) -> None:
    """Ask for a session, and get none."""
    with pytest.raises(httpx.HTTPError):
        created(client)


def test_the_server_can_end_in_the_middle_of_a_training(run_server, stand_in, monkeypatch) -> None:
    monkeypatch.setattr(training, "COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))
    with run_server() as client:
        waits = threading.Thread(target=give_up, args=(client,))
        waits.start()
        trained = client.server.page.state.training
        while trained._process is None:
            time.sleep(0.01)
    assert trained._process is None
    waits.join()


def test_who_trains_holds_up_nobody_else(stand_in) -> None:
    """While a training goes on, those who wait for one wait, and tables answer."""
    trained, done = created(stand_in), threading.Event()
    stand_in.server.page.state.training._thread.submit(done.wait)
    waits = threading.Thread(target=order, args=(stand_in, trained), kwargs={"do": "step"})
    waits.start()
    try:
        session = created(stand_in, "cfr-plus")
        assert order(stand_in, session, do="step")["iteration"] == 1
        assert waits.is_alive()
    finally:
        done.set()
        waits.join()


# Without PyTorch.


@pytest.mark.usefixtures("no_torch")
def test_without_pytorch_the_page_explains_and_says_how_to_install_it(client) -> None:
    page = client.get("/learn/deep-cfr").text
    assert "<code>pip install &#x27;regretlab[deep]&#x27;</code>" in page
    assert "Brown et al. (2019)" in page
    assert page.count("<math>") >= 6
    assert "learn/main.js" not in page
    assert "{{" not in page
    assert "Nothing has been learned" not in page
    refused = client.post("/api/sessions", json={"recipe": "deep-cfr"})
    assert refused.status_code == 400
    assert refused.json()["error"].startswith("deep-cfr needs PyTorch")
    assert refused.json()["error"].endswith("; install it with: pip install 'regretlab[deep]'")
    for other in ("/", "/learn/cfr-plus"):
        assert "learn/deep-cfr" in client.get(other).text.replace("../", "")


@pytest.mark.usefixtures("no_torch")
def test_without_pytorch_nothing_of_it_is_exported() -> None:
    exported = [entry for entry in described() if can_run(entry)]
    assert not {entry["slug"] for entry in exported} & set(NETWORKS)
    for page in (home(exported), learn(exported[0], exported)):
        assert "deep-cfr" not in page


def test_nobody_else_loads_pytorch() -> None:
    script = """
import sys
from regretlab.web import export
from regretlab.web.api.recipe_pages import home, learn
from regretlab.web.api.recipe_words import described
from regretlab.web.server import application
from regretlab.web.server.sessions import new_session
new_session({"recipe": "cfr-plus", "at": 3})
for entry in described():
    learn(entry, described())
assert "torch" not in sys.modules
"""
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)


# Recorded.


@pytest.mark.usefixtures("torch")
def test_a_recording_is_short_and_the_engine_s(monkeypatch: pytest.MonkeyPatch) -> None:
    assert export.LAST_TRAINED in export.FRAMES
    monkeypatch.setattr(export, "LAST_TRAINED", 2)
    monkeypatch.setattr(offers, "SETTINGS", {name: (value, 1, value) for name, value in SMALL.items()})
    recorded = export.recording("deep-cfr")
    assert [frame["iteration"] for frame in recorded["frames"]] == [0, 1, 2]
    check(recorded["frames"][-1], "kuhn", recorded["game"]["recipe"])
    assert list(recorded["explains"]["Qcb"]) == [1, 2]
