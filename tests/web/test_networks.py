"""Pages of recipes that train networks: their runs, their numbers, the process that trains them, and doing without."""

import re
import subprocess
import sys
import threading
import time
from collections import Counter

import httpx
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import regretlab as rl
from regretlab.deep import new_networks
from regretlab.errors import UserError
from regretlab.explaining.advantages import advantages_at
from regretlab.forms import Labelled
from regretlab.rules import PLAIN_STEP
from regretlab.solving import RECIPES, Solver
from regretlab.web import bots, export, register, slugs, trainer, training
from regretlab.web.frames import hands_seen
from regretlab.web.network_run import NetworkRun
from regretlab.web.pages import can_run, home, learn
from regretlab.web.recipes import described
from regretlab.web.scene import scene
from regretlab.web.sentences import sentence
from regretlab.web.slugs import NETWORKS, SETTINGS, recipe_shown
from regretlab.web.steps import in_steps
from regretlab.web.walks import latest_walk

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


def small(row: str = "deep-cfr") -> str:
    return recipe_shown(row, SMALL).name


def bits(table: Labelled) -> list[bytes]:
    return [array.tobytes() for array in table.arrays]


def by_label(table) -> dict:
    return {label: list(table[label].values()) for label in table}


# What may be asked for.


def test_they_are_those_of_the_recipe_table() -> None:
    assert set(NETWORKS) == {row for row, recipe in RECIPES.items() if recipe.feedback == "network"}


def test_the_page_begins_with_less_than_the_recipe_and_says_so() -> None:
    shown = recipe_shown("deep-cfr")
    for name, (usual, least, most) in SETTINGS.items():
        assert least <= usual <= most
        assert getattr(shown.settings, name) == usual
        assert usual <= getattr(RECIPES["deep-cfr"].settings, name)
    assert rl.recipe(shown.name) == shown
    assert not recipe_shown("sd-cfr").settings.strategy_network


@pytest.mark.parametrize("name", SETTINGS)
def test_bounds_are_strict(name: str) -> None:
    _, least, most = SETTINGS[name]
    for right in (least, most):
        assert getattr(recipe_shown("sd-cfr", {name: str(right)}).settings, name) == right
    for wrong in (least - 1, most + 1, "much", "1.5"):
        with pytest.raises(UserError, match=f"^{name}="):
            recipe_shown("sd-cfr", {name: str(wrong)})


def test_what_the_page_does_not_offer_is_refused(client) -> None:
    for wrong in ({"rate": "1"}, {"schedule": "one-player"}, {"feedback": "full"}, {"training": "51"}):
        answer = client.post("/api/sessions", json={"recipe": "deep-cfr", "parameters": wrong})
        assert answer.status_code == 400
        assert next(iter(wrong)) in answer.json()["error"]
        assert "\n" not in answer.json()["error"]


def test_they_neither_race_nor_play(client) -> None:
    assert not {entry["slug"] for entry in bots.recipes()} & set(NETWORKS)
    assert client.post("/api/play", json={"recipe": "deep-cfr"}).status_code == 400


# Runs.


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("row", NETWORKS)
@settings(max_examples=2, deadline=None)
@given(targets=st.lists(st.integers(0, 12), min_size=2, max_size=5), seed=st.integers(0, 5))
@example(targets=[9, 3, 8, 7, 0, 1, 9], seed=1)
def test_any_way_leads_to_what_the_engine_has_there(row: str, targets: list[int], seed: int) -> None:
    run = NetworkRun(scene("1", "3/2"), rl.recipe(small(row)), seed)
    for target in targets:
        moment = run.go(target)
    solver = Solver("kuhn(bet=3/2)", small(row), seed=seed)
    if targets[-1]:
        solver.advance(targets[-1])
    expected, found = solver.solution(), moment.solution
    for table in ("strategy", "current", "regrets", "totals"):
        assert bits(getattr(found, table)) == bits(getattr(expected, table))
    assert (found.value, found.exploitability) == (expected.value, expected.exploitability)
    assert found.current_exploitability == expected.current_exploitability
    assert found.learned.keys() == expected.learned.keys()
    assert all((found.learned[name] == array).all() for name, array in expected.learned.items())
    if targets[-1]:
        assert moment.networks is not None
        for kind, losses in solver.feedback.losses.items():
            assert [fit["loss"] for fit in moment.networks[kind]] == losses


@pytest.mark.usefixtures("torch")
def test_little_is_done_twice_and_little_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NetworkRun, "last", 50)
    run = NetworkRun(scene("1", "1"), rl.recipe(small()), 0)
    run.go(50)
    assert len(run._kept) == len(run.points) < 40
    advanced = []
    advance = Solver.advance
    monkeypatch.setattr(Solver, "advance", lambda self, n: (advanced.append(n), advance(self, n)))
    for target in (49, 48, 7, 3, 45):
        advanced.clear()
        run.go(target)
        assert sum(advanced) < 6
    with pytest.raises(UserError, match="between 0 and 50"):
        run.go(51)


@pytest.mark.usefixtures("torch")
def test_a_turn_is_one_iteration_even_where_the_run_has_been() -> None:
    run = NetworkRun(scene("1", "1"), rl.recipe(small()), 0)
    run.go(9)
    run.go(2)
    assert [run.go(9, seconds=0.0).solution.iterations for _ in range(3)] == [3, 4, 5]


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("seed", [0, 2**63 - 1])
@pytest.mark.parametrize("row", NETWORKS)
def test_the_walk_in_gold_is_the_last_one_that_the_memory_has(row: str, seed: int) -> None:
    """That it is walk 7 t of the run is asked of another memory, which has this walk alone, by the same strategies."""
    shown, name = scene("1", "1"), f"{row}(traversals=7, width=2, layers=1, training=2)"
    solver, other = Solver("kuhn", name, seed=seed), Solver("kuhn", name, seed=seed)
    deals = set()
    for iteration in range(1, 31):
        played = solver.current
        solver.advance(1)
        walk = latest_walk(shown, solver.recipe, seed, iteration, played, solver.current)
        assert walk is not None
        assert walk.walker == 1
        met = [int(shown.tree.infoset[each]) for each in walk.histories if shown.tree.player[each] == 1]
        other.sides[0].strategy[:], other.sides[1].strategy[:] = solver.current.arrays[0], played.arrays[1]
        other.feedback._walk(1, 1, PLAIN_STEP._replace(number=7 * iteration))
        remembered = other.feedback.learned()["memory.advantages1.infoset"]
        assert Counter(met) == Counter(remembered[len(remembered) - len(met) :].tolist())
        deals.add(walk.deal)
        assert f"The last walk, player 2's, was on the deal {walk.deal[0]}" in sentence(
            shown, solver.recipe, iteration, walk
        )
    assert len(deals) > 3
    assert hands_seen(shown, solver.recipe, 30) == 30 * 2 * 7


# The arithmetic.


def of_infoset(solution, label: str, kind: str = "advantages") -> tuple[int, np.ndarray, np.ndarray]:
    """The player, and weights and samples of an information set, by plain loops."""
    player = solution.form.owner(label)
    place = solution.form.treeplexes[player].index[label]
    memory = {name: solution.learned[f"memory.{kind}{player}.{name}"] for name in ("infoset", "weight", "sample")}
    rows = [row for row, infoset in enumerate(memory["infoset"]) if infoset == place]
    return player, memory["weight"][rows], memory["sample"][rows]


def says(solution, label: str, kind: str) -> tuple[float, ...]:
    """What the saved network of this kind says of the actions."""
    player = solution.form.owner(label)
    treeplex, network = solution.form.treeplexes[player], f"network.{kind}{player}.{solution.iterations}."
    saved = {name.removeprefix(network): array for name, array in solution.learned.items() if network in name}
    first = treeplex.first[treeplex.index[label]]
    return tuple(new_networks(solution.form, player, solution.recipe.settings).predictions(saved)[first : first + 2])


@pytest.mark.usefixtures("torch")
def test_the_arithmetic_goes_from_samples_to_the_strategy() -> None:
    """Means by the definition, predictions from the saved weights, regret matching by the definition."""
    shown, solution = scene("1", "1"), rl.solve("kuhn", small(), iterations=9, seed=4)
    squares, total = [0.0, 0.0], [0.0, 0.0]
    for label in shown.labels:
        player, weights, samples = of_infoset(solution, label)
        means = (weights @ samples) / weights.sum()
        squares[player] += weights.sum() * (means**2).sum()
        total[player] += 2 * weights.sum()
    for label in shown.labels:
        player, weights, samples = of_infoset(solution, label)
        told = advantages_at(shown.form, solution, label)
        assert (told.held, told.samples) == (30, len(weights))
        assert told.means == pytest.approx(weights @ samples / weights.sum())
        assert told.scale == pytest.approx((squares[player] / total[player]) ** 0.5)
        assert told.predicted == says(solution, label, "advantages")
        positive = np.maximum(told.predicted, 0)
        expected = positive / positive.sum() if positive.any() else np.array([0.5, 0.5])
        assert told.strategy == pytest.approx(expected.tolist())
        told_words = re.sub("<[^>]*>", " ", in_steps(told))
        assert f"{told.samples:,} of them of {label}" in told_words
        assert f"The memory of player {player + 1} holds 30 samples" in told_words


@pytest.mark.usefixtures("torch")
def test_losses_are_the_weighted_means_of_squared_errors() -> None:
    """From the memories by the definition; the loss is taken before the last of many steps, which changes little."""
    shown = scene("1", "1")
    moment = NetworkRun(shown, recipe_shown("deep-cfr", {"training": "50"}), 3).go(2)
    solution, errors, total = moment.solution, Counter(), Counter()
    for label in shown.labels:
        for kind, scale in (("advantages", advantages_at(shown.form, solution, label).scale), ("strategies", 1.0)):
            player, weights, samples = of_infoset(solution, label, kind)
            if len(weights):
                means = weights @ samples / weights.sum() / scale
                errors[kind, player] += weights.sum() * np.square(means - says(solution, label, kind)).sum()
                total[kind, player] += 2 * weights.sum()
    for (kind, player), error in errors.items():
        assert moment.networks is not None
        assert moment.networks[kind][player]["loss"] == pytest.approx(error / total[kind, player], rel=0.2, abs=1e-9)


@pytest.mark.usefixtures("torch")
def test_a_network_that_is_trained_long_says_what_the_memory_says() -> None:
    name = "sd-cfr(traversals=200, width=32, layers=2, training=600, rate=1/50)"
    shown, solution = scene("1", "1"), rl.solve("kuhn", name, iterations=1)
    for label in shown.labels:
        told = advantages_at(shown.form, solution, label)
        if told.samples:
            assert np.divide(told.means, told.scale) == pytest.approx(told.predicted, abs=0.02)


@pytest.mark.usefixtures("torch")
def test_the_arithmetic_before_the_first_iteration_says_that_there_is_nothing() -> None:
    run = NetworkRun(scene("1", "1"), rl.recipe(small()), 0)
    moment = run.go(0)
    told = run.explained("Qcb")
    assert (told["iteration"], told["samples"], told["means"], told["strategy"]) == (0, 0, [], [0.5, 0.5])
    assert "holds no sample yet" in told["html"]
    assert moment.networks == {
        "capacity": 30,
        "advantages": [{"loss": None, "held": 0, "seen": 0}] * 2,
        "strategies": [{"loss": None, "held": 0, "seen": 0}] * 2,
    }


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
    assert answer.json() == {"error": "to=101 must be a whole number, at least 0 and at most 100"}


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
    monkeypatch.setattr("regretlab.web.sessions.check_installed", lambda _: None)
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
    monkeypatch.setattr(register, "SECONDS_WITH_NETWORKS", -1.0)
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
    time.sleep(0.2)  # until the server has noticed
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


def test_the_trainer_leaves_when_nobody_can_ask_any_more() -> None:
    with subprocess.Popen(training.COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        said, _ = process.communicate('{"do": "frame", "run": 3, "target": 1, "seconds": 0, "goal": 0, "speed": 1}\n')
    assert process.returncode == 0
    assert said in ("", '{"lost": true}\n')


def test_orders_that_fail_are_answered(capsys) -> None:
    runs: dict = {}
    opened = {"do": "open", "run": 1, "ante": "1", "bet": "-1", "recipe": "deep-cfr", "seed": 0}
    assert trainer.answer(runs, opened) == {"error": "bet=-1 must be between 0.001 and 1,000,000"}
    assert trainer.answer(runs, {"do": "dance", "run": 1}) == {"fault": "KeyError where networks are trained"}
    assert "KeyError" in capsys.readouterr().err
    assert trainer.answer(runs, {"do": "explain", "run": 1, "label": "J"}) == {"lost": True}
    assert trainer.answer(runs, {"do": "close", "run": 1}) == {}


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
from regretlab.web import export, server
from regretlab.web.pages import home, learn
from regretlab.web.recipes import described
from regretlab.web.sessions import new_session
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
    monkeypatch.setattr(slugs, "SETTINGS", {name: (value, 1, value) for name, value in SMALL.items()})
    recorded = export.recording("deep-cfr")
    assert [frame["iteration"] for frame in recorded["frames"]] == [0, 1, 2]
    check(recorded["frames"][-1], "kuhn", recorded["game"]["recipe"])
    assert list(recorded["explains"]["Qcb"]) == [1, 2]
