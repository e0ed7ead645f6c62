"""Ctrl-C: the first one is a request, the second one a command."""

import signal

import pytest

from regretlab.cli.progress import Aim, RunDisplay
from regretlab.forms import CompileProgress
from regretlab.games import Size
from regretlab.solving import Checkpoint, Progress


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


def looks(*points: tuple[int, float]) -> list[Checkpoint]:
    return [Checkpoint(iteration, loss, 0.0) for iteration, loss in points]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], None),
        ([(1, 9.0)], None),  # nobody knows yet how fast it falls
        ([(10, 0.9), (20, 0.95)], None),  # it does not
        ([(10, 10.0), (30, 10 / 3)], 100),  # like 1/t: 100, where it is looked for
        ([(10, 10.0), (30, 10 / 9)], 50),  # like 1/t²: 31.6, and the next look is at 50
        ([(1, 500.0), (10, 10.0), (30, 10 / 3)], 100),  # what was long ago does not count
        ([(10, 5.0), (30, 0.5)], None),  # it is there
    ],
)
def test_how_long_it_takes_is_read_off_what_was_found(points, expected) -> None:
    assert Aim(1.0).iterations(looks(*points)) == expected
    assert Aim().iterations(looks(*points)) is None


def test_progress_tells_the_part_of_the_pot_and_the_time_left(monkeypatch) -> None:
    for columns, told in (("120", "exploitability 1.67 % of the pot"), ("60", "1.67 % of the pot")):
        monkeypatch.setenv("COLUMNS", columns)
        with RunDisplay(Aim(1.0, pot=200)) as watch:
            (task,) = watch._bar.tasks
            watch.solving(Progress(11, 1_000_000, *looks((10, 10.0))))
            assert (task.total, task.fields["done"].split()[0]) == (None, "11")  # nothing to foretell from
            watch.solving(Progress(40, 1_000_000, *looks((30, 10 / 3))))
            assert (task.total, task.fields["done"].removesuffix(" iterations")) == (100, "40 of about 100")
            assert task.fields["latest"].startswith(told)
            assert task.speed is None or task.fields["latest"].endswith(" left")
        with RunDisplay() as watch:
            (task,) = watch._bar.tasks
            watch.solving(Progress(40, 100, *looks((30, 0.5))))
            assert (task.total, task.fields["done"].removesuffix(" iterations")) == (100, "40 of 100")
            assert task.fields["latest"].startswith("exploitability 0.5")


def test_a_goal_that_nobody_can_reach_has_no_end_in_sight() -> None:
    """The forecast for 1e-300 is beyond all floats."""
    assert Aim(1e-300).iterations(looks((1, 1.0), (10, 0.9), (30, 0.8))) is None
