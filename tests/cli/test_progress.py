"""Ctrl-C: the first one is a request, the second one a command."""

import signal

import pytest

from regretlab.cli.progress import RunDisplay
from regretlab.forms import CompileProgress
from regretlab.games import Size
from regretlab.solving import Progress


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def usual_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler, "the handler was not put back"


def test_the_first_ctrl_c_asks_the_run_to_stop() -> None:
    with RunDisplay() as watch:
        assert not watch.solving(Progress(10, 100, None))
        ctrl_c()
        assert watch.solving(Progress(20, 100, None))
    assert watch.interrupted
    assert watch.goal == 100


def test_the_second_ctrl_c_aborts() -> None:
    def twice() -> None:
        with RunDisplay() as watch:
            watch.solving(Progress(10, 100, None))
            ctrl_c()
            ctrl_c()

    with pytest.raises(KeyboardInterrupt):
        twice()


def test_ctrl_c_aborts_at_once_while_there_is_nothing_to_lose() -> None:
    with pytest.raises(KeyboardInterrupt), RunDisplay():
        ctrl_c()


def test_an_abort_stays_one_when_a_compiler_makes_something_else_of_it() -> None:
    def compiler() -> None:
        try:
            ctrl_c()
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet") from None

    with pytest.raises(KeyboardInterrupt), RunDisplay():
        compiler()


def test_a_process_that_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with RunDisplay() as watch:
        watch.solving(Progress(10, 100, None))
        ctrl_c()
        assert not watch.solving(Progress(20, 100, None))
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_an_interrupted_command_ends_with_one_line(regretlab, monkeypatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("regretlab.games.load", interrupted)
    done = regretlab("solve", "kuhn")
    assert (done.status, done.out, done.err) == (130, "", "regretlab: interrupted\n")


def test_a_walk_is_shown_with_the_histories_so_far_and_iterations_begin_anew() -> None:
    with RunDisplay() as watch:
        watch.compiling(CompileProgress("game", Size(2_000, 7), 1_000))
        (task,) = watch._bar.tasks
        assert (task.description, task.completed, task.total) == ("compiling", 1_000, 2_000)
        assert task.fields["done"] == "1,000 histories"
        watch.compiling(CompileProgress("game", Size(2_000, estimates=(1_000, 3_000)), 1_500))
        assert (task.completed, task.total) == (1_500, None)  # of an estimate nobody knows how far it is
        watch.solving(Progress(1, 10, None))
        assert (task.description, task.completed, task.total) == ("solving", 1, 10)
        assert task.speed is None
