"""Experiments on Ray: a real cluster of two nodes, one of which dies, and what is said where there is none."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from experiments.fakes import csv_of, in_process

import regretlab as rl
from regretlab.errors import UserError
from regretlab.experiments import Store, on_ray, read_suite
from regretlab.experiments.jobs import plan
from regretlab.experiments.kept import strategies_folder
from regretlab.experiments.running import PLACES, find_place, run_jobs
from regretlab.identity import number_identity

PATIENCE = 120.0
"""Seconds after which a test gives up waiting; nothing takes that long."""

# Games that are fine where they are looked at, and do something else in a worker of Ray.
GAMES = """
import os, sys, time
from pathlib import Path
from regretlab.games import Kuhn

HERE = Path(__file__).parent

class Elsewhere(Kuhn):
    def root(self):
        if sys.argv[0].endswith("default_worker.py"):
            self.deed()
        return super().root()

class Held(Elsewhere):
    name = "held"
    def deed(self):  # says which node it is on, and waits until it may go on there
        import ray
        node = ray.get_runtime_context().get_node_id()
        (HERE / f"at-{node}").write_text(f"{os.getpid()} {os.environ['NUMBA_NUM_THREADS']}")
        while not (HERE / f"go-{node}").exists():
            time.sleep(0.01)

class Raises(Elsewhere):
    name = "raises"
    def deed(self):
        raise ArithmeticError("too odd")
"""
HELD, RAISES = "./odd.py:Held", "./odd.py:Raises"
GOOD = [
    {"games": HELD, "recipes": ["cfr", "cfr+"], "iterations": [10, 2_000_000]},
    {"games": ["kuhn", "rps"], "recipes": ["cfr", "dcfr"], "iterations": [10, 1_000], "starts": 10},
    {"games": "kuhn", "recipes": "cfr(feedback=chance)", "iterations": 1_000, "seeds": 5},
]
BAD = [{"games": RAISES, "recipes": "cfr", "iterations": 10}]
LONG = [{"games": HELD, "recipes": "cfr", "iterations": 10**12}, GOOD[-1]]


def toml(blocks: list[dict[str, Any]]) -> str:
    lines = [["[[runs]]", *(f"{key} = {json.dumps(value)}" for key, value in block.items())] for block in blocks]
    return "\n".join(line for block in lines for line in block)


def wait_for(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def kept(path: Path) -> int:
    with Store.to_read(path) as store:
        return len(store.hashes())


class Cluster(NamedTuple):
    process: subprocess.Popen[str]
    environment: dict[str, str]
    head: str  # ids of nodes
    other: str

    def kill_other(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print("kill", file=self.process.stdin, flush=True)
        assert json.loads(self.process.stdout.readline()) == "killed"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with started_cluster() as started:
        yield started


@contextmanager
def started_cluster() -> Iterator[Cluster]:
    """A cluster of two nodes, which lives as long as the block."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed; pip install 'regretlab[ray]' brings it")
    # Ray's sockets lie there, whose paths must be short. The second setting makes Ray stay on 127.0.0.1.
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")
    environment = os.environ | {"RAY_TMPDIR": folder, "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
    command = [sys.executable, str(Path(__file__).with_name("ray_cluster.py"))]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as process:
        address, *nodes = json.loads(process.stdout.readline())
        yield Cluster(process, environment | {"RAY_ADDRESS": address}, *nodes)
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
    shutil.rmtree(folder)


@pytest.fixture
def command(tmp_path: Path, cluster: Cluster) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """A way to start ``regretlab experiment --on ray`` in a folder with the odd games."""
    (tmp_path / "odd.py").write_text(GAMES)
    started: list[subprocess.Popen[str]] = []

    def start(blocks: list[dict[str, Any]], *arguments: str) -> subprocess.Popen[str]:
        (tmp_path / "suite.toml").write_text(toml(blocks))
        line = [sys.executable, "-m", "regretlab", "experiment", "suite.toml", "--on", "ray", "--store", "s"]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        place: dict[str, Any] = {"cwd": tmp_path, "env": cluster.environment, "start_new_session": True}
        started.append(subprocess.Popen([*line, *arguments], **pipes, **place))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_ctrl_c_ends_what_is_running_and_keeps_what_is_finished(tmp_path: Path, cluster: Cluster, command) -> None:
    process = command(LONG)
    at = [tmp_path / f"at-{node}" for node in (cluster.head, cluster.other)]
    wait_for(lambda: any(place.exists() and place.read_text() for place in at) and kept(tmp_path / "s") == 5)
    worker, threads = next(map(int, place.read_text().split()) for place in at if place.exists())
    assert threads == 1
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == "regretlab: stopped by Ctrl-C: 5 of 6 runs are kept; the same command goes on from there\n"
    assert "5 runs done now" in out
    wait_for(lambda: not is_alive(worker))


def test_a_node_that_dies_costs_no_run(tmp_path: Path, cluster: Cluster, command, monkeypatch) -> None:
    process = command([*GOOD, *BAD], "--json")
    for node in (cluster.head, cluster.other):
        wait_for((tmp_path / f"at-{node}").exists)
    (tmp_path / f"go-{cluster.head}").touch()
    wait_for(lambda: kept(tmp_path / "s") >= 24)
    cluster.kill_other()  # while it holds a run, which nobody lets go on there
    out, err = process.communicate(timeout=PATIENCE)
    found = json.loads(out)
    assert (found["runs"], found["there"], found["done"], process.returncode) == (48, 0, 47, 1)
    assert err == f"regretlab: failed: cfr on {RAISES}: ArithmeticError: too odd\n"
    monkeypatch.setitem(PLACES, "local", in_process)
    monkeypatch.chdir(tmp_path)
    rl.experiment({"runs": GOOD}, store=tmp_path / "t")
    assert csv_of(tmp_path / "s", tmp_path) == csv_of(tmp_path / "t", tmp_path)


SPOT = {"board": "Kd9s4h3c", "pot": 40, "stack": 90, "oop": {"range": "QQ+,AK,98s"}, "ip": {"range": "JJ+,AQ,T9s"}}
BOARDS = [f"Kd9s4h{card}" for card in ("2c", "5d", "6h", "7s", "8c", "Td")]


def test_spots_of_a_node_that_dies_are_solved_by_the_other_each_once(tmp_path: Path, monkeypatch) -> None:
    """Turns that take a while, so that both nodes are at one when one of them dies."""
    suite = {"spots": [{"spot": "turn-3bet", "boards": BOARDS, "iterations": 400, "keep": "street"}]}
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    script = """
import json, sys, regretlab as rl
from regretlab.experiments import on_ray
said = on_ray._said
on_ray._said = lambda error: print("lost", file=sys.stderr) or said(error)
rl.experiment(json.load(open("suite.json")), store="s", on="ray")
"""
    with started_cluster() as cluster:
        line = [sys.executable, "-c", script]
        with subprocess.Popen(line, cwd=tmp_path, env=cluster.environment, stderr=subprocess.PIPE) as process:
            wait_for(lambda: kept(tmp_path / "s") >= 2 or process.poll() is not None)
            time.sleep(0.5)  # who has just answered has begun the next one
            cluster.kill_other()
            _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        assert err.count(b"lost") <= 2, "what was on the node, and it alone"
    monkeypatch.setitem(PLACES, "local", in_process)
    rl.experiment(suite, store=tmp_path / "t")
    assert kept(tmp_path / "t") == len(BOARDS)
    assert csv_of(tmp_path / "s", tmp_path) == csv_of(tmp_path / "t", tmp_path)
    beside, here = (
        {file.name: file.read_bytes() for file in strategies_folder(tmp_path / name).iterdir()} for name in "st"
    )
    assert beside == here


def test_a_spot_that_no_node_has_the_memory_for_is_named_and_the_rest_is_solved(tmp_path: Path, fake) -> None:
    fake(number_identity())
    jobs = plan(read_suite({"spots": [{"spot": "river-polar"}, {"spot": SPOT, "iterations": 10}]}))
    jobs[1] = jobs[1]._replace(nbytes=2 * 10**9)
    with Store.to_write(tmp_path / "s") as store:
        outcome = run_jobs(jobs, store, on="ray")
        assert outcome.done == 1
    ((job, reason),) = outcome.failures
    assert job.name == "spot on Kd9s4h3c"
    assert reason == "it takes about 2,209 MB of memory, and no node of the cluster has more than about 1,000 MB"


@pytest.mark.parametrize(
    ("on", "absent", "said"),
    [
        ("ray", "ray", "the module ray is not installed; pip install 'regretlab[ray]' brings it"),
        ("ray://head:10001", "grpc", "the module grpc is not installed; pip install 'regretlab[ray]' brings it"),
        ("rya", "", "unknown place to run 'rya'; did you mean 'ray'? There are: local, ray, ray://host:port"),
    ],
)
def test_what_is_missing_is_told_before_anything_runs(monkeypatch, on: str, absent: str, said: str) -> None:
    monkeypatch.setattr(on_ray, "find_spec", lambda name: None if name == absent else object())
    with pytest.raises(UserError) as error:
        find_place(on)
    assert str(error.value) == said


@pytest.mark.parametrize("known", ["given", "RAY_ADDRESS", "left behind"])
def test_a_cluster_that_does_not_answer_is_told_at_once(tmp_path: Path, monkeypatch, known: str) -> None:
    monkeypatch.setattr(on_ray, "find_spec", lambda _: object())
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"{'ray://' if known == 'given' else ''}127.0.0.1:{closed.getsockname()[1]}"
        monkeypatch.setenv("RAY_ADDRESS", address if known == "RAY_ADDRESS" else "")
        monkeypatch.setattr(on_ray, "_last_cluster", lambda: address if known == "left behind" else "")
        with pytest.raises(UserError, match=f"^nobody answers at Ray's address '{address}': .*refused"):
            rl.experiment({"runs": GOOD[1:]}, store=tmp_path / "s", on=address if known == "given" else "ray")


class LostError(Exception):
    """What Ray's errors look like."""


class FakeRay:
    """As much of Ray as is used, in this process: a task is performed when its result is asked for, or it is lost."""

    def __init__(self, version: str | None = None) -> None:
        self.exceptions = SimpleNamespace(RayError=LostError)
        self.version = version
        self.lost: list[int] = []  # the sizes of the batches that were lost
        self.cancelled = 0

    def is_initialized(self) -> bool:
        return True  # somebody's own connection; to open or to close one is no method here

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0}

    def remote(self, **_: object) -> Callable[..., Any]:
        def made(function: Callable[..., Any]) -> SimpleNamespace:
            task = SimpleNamespace(remote=lambda *arguments: partial(self.perform, function, *arguments))
            task.options = lambda memory: task
            return task

        return made

    def nodes(self) -> list[dict[str, Any]]:
        return [{"Alive": True, "Resources": {"memory": 1e9}}, {"Alive": False, "Resources": {"memory": 1e12}}]

    def perform(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if not arguments:
            if self.version is None:
                raise LostError("a traceback\nModuleNotFoundError: No module named 'regretlab'")
            return self.version
        if any(spec["start"] == 0 and not spec["keep"] for spec, _, _ in arguments[1]):
            self.lost.append(len(arguments[1]))
            raise type("WorkerCrashedError", (LostError,), {})("The worker died unexpectedly. " * 10)
        return function(*arguments)

    def wait(self, tasks: list[Any], num_returns: int = 1, timeout: float = 0.0) -> tuple[list[Any], list[Any]]:
        ready = min(num_returns, 2)
        return tasks[:ready], tasks[ready:]

    def get(self, task: Callable[[], Any]) -> Any:
        return task()

    def cancel(self, task: object, force: bool) -> None:
        self.cancelled += 1
        raise LostError("it is over")


@pytest.fixture
def fake(monkeypatch) -> Callable[[str | None], FakeRay]:
    def install(version: str | None) -> FakeRay:
        ray = FakeRay(version)
        monkeypatch.setattr(on_ray, "find_spec", lambda _: object())
        monkeypatch.setattr(on_ray, "_ray", lambda: ray)
        monkeypatch.setattr(on_ray, "_last_cluster", lambda: "")
        return ray

    return install


def test_a_run_that_kills_its_worker_is_found_and_costs_nothing_else(tmp_path: Path, fake) -> None:
    ray = fake(number_identity())
    jobs = plan(read_suite({"runs": [{"games": "kuhn", "recipes": "cfr", "iterations": 10, "starts": 30}]}))
    with Store.to_write(tmp_path / "s") as store:
        outcome = run_jobs(jobs, store, on="ray")
        assert [(job.run.start, reason) for job, reason in outcome.failures] == [(0, "3 times its process died")]
        assert len(store.hashes()) == outcome.done == 29
    assert ray.lost == [5, 1, 1, 1], "in a batch with others, and then alone"


def test_what_is_running_is_cancelled_where_somebody_stops_it(tmp_path: Path, fake) -> None:
    ray = fake(number_identity())
    jobs = plan(read_suite({"runs": GOOD[1:]}))
    with Store.to_write(tmp_path / "s") as store:
        outcome = run_jobs(jobs, store, on="ray", callback=lambda progress: progress.done > 0)
        assert outcome.stopped
        assert 0 < outcome.done == len(store.hashes()) < len(jobs)
    assert ray.cancelled == 2, "the question that came first, and one task of three"


def test_a_cluster_that_fails_as_a_whole_is_told_and_what_has_arrived_is_kept(
    tmp_path: Path, fake, monkeypatch
) -> None:
    fake(number_identity())
    cores = iter([{"CPU": 1.0}])
    monkeypatch.setattr(FakeRay, "cluster_resources", lambda _: next(cores, None) or fail())
    with pytest.raises(
        UserError, match=r"^Ray has failed \(no head\); the same command goes on from what has arrived$"
    ):
        rl.experiment({"runs": [GOOD[1] | {"starts": [1, 2]}]}, store=tmp_path / "s", on="ray")
    assert kept(tmp_path / "s") == 4


def fail() -> None:
    raise LostError("no head")


@pytest.mark.parametrize(
    ("version", "said"),
    [
        (None, "^a worker of Ray can't perform runs: ModuleNotFoundError: No module named 'regretlab'$"),
        ("another", "^on Ray there is another version of regretlab; install the same one everywhere$"),
    ],
)
def test_workers_that_cannot_perform_runs_are_told_once(tmp_path: Path, fake, version: str | None, said: str) -> None:
    fake(version)
    with pytest.raises(UserError, match=said):
        rl.experiment({"runs": GOOD[1:]}, store=tmp_path / "s", on="ray")


@pytest.mark.parametrize(
    ("address", "mode", "hinted"),
    [("ray://head:10001", None, True), ("ray://head:10001", "token", False), ("head:6379", None, False)],
)
def test_a_silent_refusal_is_told_with_what_it_may_mean(
    monkeypatch, address: str, mode: str | None, hinted: bool
) -> None:
    class Refusing:
        def is_initialized(self) -> bool:
            return False

        def init(self, *_: object, **__: object) -> None:
            warnings.warn("connection timed out", stacklevel=2)
            raise ConnectionError("timeout")

    monkeypatch.setattr(on_ray, "_ray", Refusing)
    monkeypatch.setattr(on_ray, "_check_address", lambda _: None)
    monkeypatch.setattr(on_ray, "_silence", nullcontext)
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    if mode is not None:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    with pytest.raises(UserError, match=r"can't connect to Ray at .*: timeout") as caught, on_ray._connected(address):
        pass
    assert ("RAY_AUTH_MODE=token" in str(caught.value)) == hinted
