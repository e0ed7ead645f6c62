"""Spots in the queue of a server. Their processes are stand-ins, which solve nothing but obey as the real one does."""

import sys
import time

import pytest

from regretlab.web.server import spot_sessions

STAND_IN = """
import json, sys
def say(**words):
    print(json.dumps(words), flush=True)
state = {"iteration": 1, "done": False, "playing": True, "looks": []}
if json.loads(sys.stdin.readline())["fields"]["pot"] == "13":
    say(error="pot=13 is unlucky")
    sys.exit()
say(progress=state)
for line in sys.stdin:
    order = json.loads(line)
    state |= {"playing": order["do"] in ("resume", "until"), "done": order["do"] == "stop"}
    say(progress=state)
    say(answer=order["number"], found=state)
"""

FIELDS = {"board": "KsTd7h4c2s", "pot": "100", "stack": "100", "oop": "AA,QJs", "ip": "KQs,KJs", "bets": "a"}
PATIENCE = 300
"""Seconds after which a test gives up waiting, on a machine that may be busy."""


@pytest.fixture
def server(run_server, patient, monkeypatch):
    """A server of its own, whose processes are stand-ins."""
    monkeypatch.setattr(spot_sessions, "COMMAND", (sys.executable, "-c", STAND_IN))
    with run_server() as client:
        yield client


def solve(client, **fields):
    answer = client.post("/api/holdem/solves", json={"fields": FIELDS | fields})
    assert answer.status_code == 201, answer.text
    return answer.json()["solve"]


def order(client, solve, **words):
    return client.post(f"/api/holdem/solves/{solve}", json=words)


def stands(client, solve):
    """How things stand: the state, and how many are before it."""
    told = client.get(f"/api/holdem/solves/{solve}").json()
    return told["state"], told["ahead"] if told["state"] == "waiting" else 0


def wait_until(client, expected):
    """Waits until spots stand as expected."""
    begun = time.monotonic()
    while (found := {name: stands(client, name) for name in expected}) != expected:
        assert time.monotonic() - begun < PATIENCE, (found, expected)
        time.sleep(0.02)


def wait_for_process(server, name):
    """The process of a spot that is being solved, once it has begun: until then there is nobody to be ordered."""
    begun, session = time.monotonic(), server.server.page.state.spots.get(name)
    while session.process is None:
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.02)
    return session.process


def test_two_are_solved_and_the_rest_see_their_place(server):
    """Whoever pauses makes room, and goes to the end of the queue to go on."""
    one, two, three, four = (solve(server) for _ in range(4))
    solving, first, second = ("solving", 0), ("waiting", 1), ("waiting", 2)
    wait_until(server, {one: solving, two: solving, three: first, four: second})
    refused = order(server, three, do="pause")
    assert (refused.status_code, refused.json()["error"]) == (409, "this spot waits for its turn; 1 are before it")
    wait_for_process(server, one)
    assert order(server, one, do="pause").json()["state"] == "paused"
    wait_until(server, {one: ("paused", 0), three: solving, four: first})
    assert order(server, one, do="resume").json()["state"] == "waiting"
    wait_until(server, {one: second, two: solving, three: solving, four: first})
    assert server.delete(f"/api/holdem/solves/{two}").status_code == 204
    wait_until(server, {one: first, three: solving, four: solving})
    wait_for_process(server, three)
    assert order(server, three, do="stop").json()["state"] == "done"
    wait_until(server, {one: solving, three: ("done", 0), four: solving})
    assert order(server, three, do="until", until="0.1%").json()["state"] == "waiting"
    server.delete(f"/api/holdem/solves/{one}")
    wait_until(server, {three: solving, four: solving})


def test_a_process_that_is_killed_is_told_and_makes_room(server):
    one, two, three = (solve(server) for _ in range(3))
    wait_until(server, {one: ("solving", 0), three: ("waiting", 1)})
    wait_for_process(server, one).kill()
    wait_until(server, {one: ("failed", 0), two: ("solving", 0), three: ("solving", 0)})
    words = "the process that solved this spot has ended, perhaps because there was no memory left"
    assert server.get(f"/api/holdem/solves/{one}").json()["error"] == words
    refused = order(server, one, do="pause")
    assert (refused.status_code, refused.json()["error"]) == (400, words)


def wait_for_spare(server, but=None):
    """The process that waits for the next spot; not one that has been seen before."""
    begun, spots = time.monotonic(), server.server.page.state.spots
    while spots.spare in (None, but):
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.02)
    return spots.spare


def wait_for_end(process):
    begun = time.monotonic()
    while process.returncode is None:
        assert time.monotonic() - begun < PATIENCE
        time.sleep(0.02)


def test_a_process_makes_itself_ready_while_people_describe_their_spot(server):
    server.get("/api/holdem/ready")
    spare = wait_for_spare(server)
    server.get("/api/holdem/ready")
    assert wait_for_spare(server) is spare
    one = solve(server)
    assert wait_for_process(server, one) is spare
    assert server.server.page.state.spots.spare is None  # others need the processor
    assert order(server, one, do="stop").json()["state"] == "done"
    another = wait_for_spare(server)
    another.kill()
    wait_for_end(another)
    two = solve(server)  # what has ended is not taken
    wait_until(server, {one: ("done", 0), two: ("solving", 0)})


def test_nobody_keeps_a_process_that_nobody_has_wanted_for_long(server, monkeypatch):
    server.get("/api/holdem/ready")
    spare = wait_for_spare(server)
    monkeypatch.setattr(spot_sessions, "SECONDS_IDLE", -1.0)
    one = solve(server)
    assert wait_for_process(server, one) is not spare
    wait_for_end(spare)
    assert server.server.page.state.spots.spare is None


def test_what_the_process_itself_finds_wrong_is_told(server):
    spot = solve(server, pot="13")
    wait_until(server, {spot: ("failed", 0)})
    assert server.get(f"/api/holdem/solves/{spot}").json()["error"] == "pot=13 is unlucky"


def test_who_has_many_spots_loses_the_one_that_rests_for_longest(server, monkeypatch):
    monkeypatch.setattr(spot_sessions, "MOST_PER_CLIENT", 2)
    one, two = solve(server), solve(server)
    refused = server.post("/api/holdem/solves", json={"fields": FIELDS})
    assert refused.status_code == 429
    assert "you have 2 spots here" in refused.json()["error"]
    wait_for_process(server, one)
    assert order(server, one, do="stop").status_code == 200
    wait_until(server, {one: ("done", 0)})
    three = solve(server)
    gone = server.get(f"/api/holdem/solves/{one}")
    assert (gone.status_code, "solve it again" in gone.json()["error"]) == (404, True)
    wait_until(server, {two: ("solving", 0), three: ("solving", 0)})


def test_what_memory_does_not_hold_is_refused(server, monkeypatch):
    monkeypatch.setattr(spot_sessions, "free_memory", lambda: 1000)
    refused = server.post("/api/holdem/solves", json={"fields": FIELDS})
    assert (refused.status_code, "no memory left" in refused.json()["error"]) == (429, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"fields": FIELDS | {"board": "Ks"}}, "board"),
        ({"fields": FIELDS | {"colour": "red"}}, "unknown key 'colour'"),
        ({"fields": FIELDS, "recipe": "magic"}, "unknown"),
        ({"fields": FIELDS, "precision": "f8"}, "unknown precision 'f8'"),
        ({"fields": FIELDS, "until": "soon"}, "until=soon"),
        ({"fields": {"name": "../../secret.toml"}}, "unknown spot"),
        ({"fields": {"toml": "/etc/passwd.toml"}}, "not the text of a spot"),
        ({"fields": "river"}, "fields must be an object"),
    ],
)
def test_a_bad_order_is_refused_in_one_line(client, words, said):
    refused = client.post("/api/holdem/solves", json=words)
    assert refused.status_code == 400
    assert said in refused.json()["error"]
    assert "\n" not in refused.json()["error"]


@pytest.mark.parametrize("words", [{"do": "explode"}, {"do": "until", "until": "soon"}, {}])
def test_a_bad_command_is_refused(server, words):
    spot = solve(server)
    assert order(server, spot, **words).status_code == 400
    wait_until(server, {spot: ("solving", 0)})


def test_ranges_may_be_long_but_not_a_megabyte(client):
    """Two ranges with a weight for each hand are more than other bodies may have."""
    long = FIELDS | {"oop": "AA:0.5," * 5_000 + "KK"}
    assert client.post("/api/holdem/describe", json=long).json()["ranges"]["oop"]["text"] == "KK,AA:0.5"
    refused = client.post("/api/holdem/describe", json=FIELDS | {"oop": "AA," * 350_000})
    assert (refused.status_code, refused.json()["error"]) == (413, "a body has at most 131,072 bytes")
    assert client.post("/api/race", json={"game": "x" * 20_000}).status_code in (405, 413)
    assert client.post("/api/holdem/describe", json=FIELDS).json()["street"] == "river"
