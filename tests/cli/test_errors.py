"""The user's mistakes: one plain line on stderr that says what would be right, status 2, nothing on stdout."""

import shlex
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import regretlab as rl

NAMES = [
    (["solve", "kuhn", "--with", "cfrplus"], "unknown recipe 'cfrplus'; did you mean 'cfr+'?"),
    (["solve", "khun"], "unknown game 'khun'; did you mean 'kuhn'?"),
    (["solve", "[deep]"], "unknown game '[deep]'"),
    (["solve", "kuhn(ante=-1)"], "ante=-1 must be above 0"),
    (["solve", "kuhn(bet=nan)"], "bet=nan is not a finite number"),
    (["solve", "kuhn(cards=2)"], "cards=2 must be a whole number, at least 3"),
    (["solve", "kuhn(blind=2)"], "unknown argument of kuhn 'blind'"),
    (["solve", "kuhn("], "can't read 'kuhn('"),
    (["solve", "kuhn\n\nover\nlines"], "can't read 'kuhn over lines'"),
    (["solve", "kuhn", "--with", "cfr(schedule=alternate)"], "did you mean 'alternating'?"),
    (["nash", "khun", "--exact"], "did you mean 'kuhn'?"),
    (["games", "khun"], "did you mean 'kuhn'?"),
    (["solve", "holdem"], "did you mean 'holdem:river-polar'?"),
    (["solve", "libratus:"], "libratus: names no file"),
    (["solve", "kuhn", "--lock", " "], "--lock is empty; write it like 'Jb: fold', or leave it out"),
    (["nash", "efg:"], "efg: names no file; write it like efg:game.efg"),
    (["judge", "kuhn", "notes.txt"], "'notes.txt' is no strategy: a saved run's name ends in .npz"),
    (["recipes", "cfr++"], "did you mean 'cfr+'?"),
]
NUMBERS = [
    (["solve", "kuhn", "--iterations", "0"], "--iterations=0 must be a whole number, at least 1"),
    (["solve", "kuhn", "--iterations", "-5"], "--iterations=-5 must be a whole number"),
    (["solve", "kuhn", "--iterations", "1.5"], "--iterations=1.5 must be a whole number"),
    (["solve", "kuhn", "--iterations", "many"], "--iterations=many is not a whole number"),
    (["solve", "kuhn", "--until", "0"], "--until=0 must be above 0"),
    (["solve", "kuhn", "--until", "-1"], "--until=-1 must be above 0"),
    (["solve", "kuhn", "--until", "nan"], "--until=nan is not a finite number"),
    (["solve", "kuhn", "--until", "1e400"], "--until=1e400 is not a finite number"),
    (["solve", "kuhn", "--seed", "x"], "--seed=x is not a whole number"),
    (["compare", "kuhn", "--seeds", "0"], "--seeds=0 must be a whole number, at least 1"),
    (["compare", "kuhn", "--iterations", "0"], "--iterations=0 must be a whole number, at least 1"),
    (["compare", "kuhn", "--targets", "0"], "--targets=0 must be above 0"),
    (["compare", "kuhn", "--targets", "0.1,small"], "--targets=small is not a finite number"),
    (
        ["solve", "kuhn", "--with", "cfr+(delay=100)", "--iterations", "100"],
        "100 iterations with delay=100 leave nothing to average",
    ),
    (
        ["compare", "kuhn", "--with", "cfr,cfr+(delay=100)", "--iterations", "100"],
        "100 iterations with delay=100 leave nothing to average",
    ),
]
LISTS = [
    (["compare", "kuhn", "--with", "cfr,cfr"], "recipe 'cfr' is given twice"),
    (["compare", "kuhn", "--with", "cfr+,cfr+(delay=0)"], "recipe 'cfr+' is given twice"),
    (["compare", "kuhn", "--with", ","], "no recipe was given"),
    (
        ["compare", "kuhn", "--quick", "--iterations", "5"],
        "--quick means 2,000 iterations, and --iterations=5 was given",
    ),
    (["compare", "kuhn", "--json", "--csv"], "--json and --csv both want standard output"),
    (["compare", "kuhn", "--csv", "a.csv", "b.csv"], "--csv accepts at most 1 element"),
    (["compare", "kuhn", "--regret-of", "J"], "'J' names no action; write LABEL:ACTION, such as J:bet"),
    (["compare", "kuhn", "--regret-of", "J:call"], "unknown action at 'J' 'call'; there are: check, bet"),
    (["compare", "kuhn", "--regret-of", "A:bet"], "unknown information set 'A'"),
]
ARGUMENTS = [
    (
        ["bench", "--quick"],
        "the benchmark is not part of the installed package; in a clone of the repository: make bench",
    ),
    (["slove", "kuhn"], 'unknown command "slove". Did you mean "solve"?'),
    (["solve", "kuhn", "--iteration", "5"], "unknown option: --iteration. Did you mean --iterations?"),
    (["solve", "kuhn", "--no-json"], "unknown option: --no-json"),
    (["solve", "kuhn", "--recipe", "cfr"], "unknown option: --recipe. Did you mean --with?"),
    (["solve", "kuhn", "-w", "cfr"], "unknown option: -w. Did you mean --with?"),
    (["solve", "kuhn", "--with", "cfr,cfr+"], "solve takes one recipe, not 'cfr,cfr+'"),
    (["serve", "--host", ""], "--host names no address"),
    (["solve"], "GAME requires an argument"),
    (["solve", "kuhn", "--with"], "--with requires an argument"),
    (["solve", "kuhn", "leduc"], "regretlab solve has no place for 'leduc'"),
    (["compare", "kuhn", "--with", "cfr", "--with", "cfr+"], "--with specified multiple times"),
]
TARGETS = [
    (["compare", "kuhn", "--plot", "kuhn.gif"], "ends in .html, .png, .svg or .pdf"),
    (["compare", "kuhn", "--csv", "kuhn.txt"], "'kuhn.txt': its name should end in .csv"),
    (["compare", "kuhn", "--csv", "nowhere/kuhn.csv"], "there is no folder 'nowhere'"),
    (["compare", "kuhn", "--plot", "nowhere/kuhn.png"], "there is no folder 'nowhere'"),
    (["compare", "kuhn", "--plot", "folder.png"], "it is a folder"),
    (["solve", "kuhn", "--save", "run.json"], "ends in .npz"),
    (["solve", "kuhn", "--save", "nowhere/run.npz"], "there is no folder 'nowhere'"),
]


@pytest.mark.parametrize(
    ("arguments", "says"), [pytest.param(*case, id=" ".join(case[0])) for case in NAMES + NUMBERS + LISTS + ARGUMENTS]
)
def test_a_mistake_is_told_in_one_line(regretlab, arguments, says) -> None:
    done = regretlab(*arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("regretlab: ")
    assert done.err.endswith("\n")
    assert done.err.count("\n") == 1
    assert says in done.err


@pytest.mark.parametrize(("arguments", "says"), [pytest.param(*case, id=" ".join(case[0])) for case in TARGETS])
def test_a_file_that_cannot_be_written_is_found_before_the_run(
    regretlab, arguments, says, tmp_path: Path, monkeypatch
) -> None:
    def too_late(*_: object, **__: object) -> None:
        raise AssertionError("the run has begun")

    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    monkeypatch.setattr("regretlab.solving.solver.Solver.__init__", too_late)
    done = regretlab(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err


def saved_files(folder: Path) -> None:
    """A good run and everything that could be given in its place."""
    rl.solve("kuhn", "cfr+", iterations=10).save(folder / "good.npz")
    good = (folder / "good.npz").read_bytes()
    (folder / "half.npz").write_bytes(good[: len(good) // 2])
    (folder / "short.npz").write_bytes(good[:-10])
    (folder / "empty.npz").touch()
    (folder / "text.npz").write_text("not a run")
    (folder / "folder.npz").mkdir()
    np.savez(folder / "foreign.npz", numbers=np.ones(3))


@pytest.mark.parametrize("name", ["half", "short", "empty", "text", "folder", "foreign", "missing"])
def test_a_file_that_is_not_a_saved_run_is_told_in_one_line(regretlab, name: str, tmp_path: Path) -> None:
    saved_files(tmp_path)
    done = regretlab("solve", "kuhn", "--resume", str(tmp_path / f"{name}.npz"), "--iterations", "20")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert f"{name}.npz" in done.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["kuhn(bet=2)"], "not the same game as kuhn(bet=2)"),
        (["kuhn", "--with", "cfr"], "the saved run is kuhn by cfr+, not kuhn by cfr"),
        (["kuhn", "--seed", "3"], "has seed 0"),
        (["kuhn", "--iterations", "5"], "the run has 10"),
    ],
)
def test_a_saved_run_that_does_not_fit_is_told_in_one_line(regretlab, arguments, says, tmp_path: Path) -> None:
    saved_files(tmp_path)
    done = regretlab("solve", *arguments, "--resume", str(tmp_path / "good.npz"))
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert says in done.err


def test_a_process_leaves_with_status_2_and_without_a_traceback() -> None:
    command = [sys.executable, "-m", "regretlab", "solve", "kuhn", "--with", "cfrplus"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("regretlab: unknown recipe 'cfrplus'; did you mean 'cfr+'? There are: cfr, cfr+, ")
    assert done.stderr.count("\n") == 1


def test_a_bug_is_not_dressed_up_as_a_mistake(regretlab, monkeypatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr("regretlab.games.load", broken)
    with pytest.raises(ValueError, match="a bug"):
        regretlab("solve", "kuhn")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full disk to try")
@pytest.mark.parametrize("command", [["games"], ["solve", "kuhn", "--iterations", "10"], ["recipes", "--json"]])
def test_a_full_disk_behind_standard_output_is_told_in_one_line(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "regretlab", *command], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "can't write to standard output" in done.stderr


def test_a_closed_standard_output_is_told_in_one_line() -> None:
    shell = f"{shlex.quote(sys.executable)} -m regretlab games >&-"
    done = subprocess.run(["/bin/sh", "-c", shell], stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "regretlab: can't write to standard output: it is closed\n")


def test_an_export_that_can_not_be_written_is_told_in_one_line(regretlab, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = regretlab("serve", "--export", str(tmp_path / "file" / "site"))
    assert (done.status, done.err.count("\n")) == (2, 1), done.err
    assert "can't" in done.err


def test_a_delay_beyond_all_iterations_is_told_in_one_line(regretlab) -> None:
    done = regretlab("solve", "kuhn", "--with", "cfr(delay=1e30)")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "delay=1e30" in done.err


@pytest.mark.parametrize("command", [["solve", "kuhn"], ["compare", "kuhn"], ["chaos", "kuhn"]])
def test_more_iterations_than_anybody_can_do_are_refused(regretlab, command: list[str]) -> None:
    done = regretlab(*command, "--iterations", "1e30")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "--iterations=1e30 must be a whole number, at least 1 and at most 1,000,000,000,000" in done.err


@pytest.mark.parametrize("end", [">&-", "2>&-", "2>/dev/full"])
def test_a_mistake_that_nobody_can_be_told_has_the_same_status_and_is_not_printed_elsewhere(end: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{shlex.quote(sys.executable)} -m regretlab slove {end}"], capture_output=True
    )
    assert (done.returncode, done.stdout) == (2, b"")


def test_ctrl_c_that_is_lost_in_the_compiler_still_ends_the_command(regretlab, monkeypatch) -> None:
    """Where Ctrl-C comes in a callback of the compiler, the compiler complains of something else."""

    def compiled(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet") from None

    monkeypatch.setattr("regretlab.solving.solver.warm_up", compiled)
    done = regretlab("warmup")
    assert (done.status, done.err) == (130, "regretlab: interrupted\n")
