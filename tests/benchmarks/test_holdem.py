"""The part about Hold'em: on small spots, with processes of its own only where nothing else would do."""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from benchmark_fakes import TINY, full_findings

from benchmarks.__main__ import bench
from benchmarks.benchmark import Benchmark, new_clock
from benchmarks.parts import cores, holdem, spot_runs
from benchmarks.parts.holdem import DICE, QUANTITY, SAMPLED, START, Holdem
from benchmarks.parts.spot_runs import reach
from benchmarks.peers import texassolver
from benchmarks.report import as_dict
from benchmarks.results import Cores, Findings, Look
from benchmarks.settings import FLOP, FULL, QUICK
from benchmarks.spots import RIVER, SMALL_RIVER, SMALL_TURN, SPOTS, TURN, load_spot
from benchmarks.tables import print_findings
from regretlab.documents.numbers import plain
from regretlab.machine import usable_cores
from regretlab.solving import solve


@pytest.fixture
def part() -> Holdem:
    return Holdem(new_clock(patience=0.0), TINY, Findings(), [0, 1], lambda text: None)


@pytest.mark.parametrize("name", SPOTS)
def test_every_spot_can_be_solved_in_blocks(name: str) -> None:
    spot = load_spot(name)
    assert spot.block_size().numbers > 0
    assert spot.street in name


def test_the_spots_that_count_have_all_hands() -> None:
    assert [len(load_spot(RIVER).hands(player)) for player in (0, 1)] == [47 * 46 // 2] * 2
    assert [len(load_spot(TURN).hands(player)) for player in (0, 1)] == [48 * 47 // 2] * 2
    assert (FULL.holdem.river, FULL.holdem.turn) == (RIVER, TURN)


def test_a_spot_is_looked_at_until_it_is_solved() -> None:
    found = reach(SMALL_RIVER, "dcfr", 0.01)
    assert [look.iteration for look in found.looks] == [10 * (k + 1) for k in range(len(found.looks))]
    assert all(look.part > 0.01 for look in found.looks[:-1])
    assert found.reached
    assert found.iterations is not None
    usual = solve(load_spot(SMALL_RIVER), "dcfr", iterations=found.iterations)
    assert found.looks[-1].part == pytest.approx(usual.exploitability_of_pot, rel=1e-9)
    assert found.looks[-1].part <= 0.01
    assert found.rounds == (found.looks[-1].seconds,)


def test_a_spot_is_given_up() -> None:
    told: list[Look] = []
    found = reach(SMALL_RIVER, "cfr+", 1e-9, longest=0.0, tell=told.append)
    assert (found.reached, found.iterations, len(found.looks)) == (False, None, 1)
    assert told == list(found.looks)


def test_iterations_are_timed_in_turn_with_liars_dice(part: Holdem) -> None:
    part.iterate(SMALL_RIVER, ("f64", "f32"))
    (found,) = part.findings.measurements
    assert (found.game, found.quantity) == (SMALL_RIVER, QUANTITY)
    assert [series.name for series in found.series] == [DICE, "f64", "f32"]
    assert {len(series.batches) for series in found.series} == {TINY.pace.rounds}


def test_each_precision_is_its_own(part: Holdem, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, str]] = []

    class Recorder(holdem.Solver):
        def __init__(self, form: object, recipe: str, *, cores: int, precision: str = "f64") -> None:
            assert cores == 1
            super().__init__(form, recipe, cores=cores, precision=precision)
            made.append((type(form).__name__, precision))

    monkeypatch.setattr(holdem, "Solver", Recorder)
    part.iterate(SMALL_TURN, ("f32", "16bit"))
    assert made == [("SequenceForm", "f64"), ("BlockForm", "f32"), ("BlockForm", "16bit")]


def test_drawing_cards_is_held_against_walking_all(part: Holdem) -> None:
    part.sample()
    assert [one.name for one in part.found.sampled] == list(SAMPLED)
    assert {one.spot for one in part.found.sampled} == {SMALL_TURN}
    assert all(one.reached for one in part.found.sampled)


def test_recipes_are_compared_round_by_round(part: Holdem) -> None:
    part.compare()
    assert [(one.name, len(one.rounds)) for one in part.found.compared] == [("dcfr", 3), ("cfr+", 3)]


def test_a_recipe_that_gives_up_has_one_round(part: Holdem) -> None:
    part.spots = replace(TINY.holdem, compared_target=1e-9, longest=0.0)
    part.compare()
    assert [(one.reached, len(one.rounds)) for one in part.found.compared] == [(False, 1), (False, 1)]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What processes were asked for; each answers at once."""
    questions: list[tuple[str, ...]] = []

    def answer(*arguments: str) -> str:
        questions.append(arguments)
        return "0.25" if arguments[0] == "start" else "[150, 160]"

    monkeypatch.setattr(holdem, "_run", answer)
    return questions


def test_a_start_is_measured_when_everything_is_compiled(part: Holdem, asked: list[tuple[str, ...]]) -> None:
    part.start()
    assert asked == [("start", SMALL_RIVER)] * (1 + TINY.process_rounds)
    (found,) = part.findings.measurements
    assert (found.game, found.quantity, found.series[0].seconds) == (SMALL_RIVER, START, [0.25])


def test_memory_is_that_of_the_turn_in_both_small_precisions(part: Holdem, asked: list[tuple[str, ...]]) -> None:
    part.memory()
    assert part.found.memory == [(SMALL_TURN, precision, 150, 160) for precision in ("f32", "16bit")]


def test_memory_that_nobody_tells_is_left_out(part: Holdem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holdem.processes, "can_measure", lambda: False)
    part.memory()
    assert [one.what for one in part.findings.left_out] == ["Hold'em, memory"]


@pytest.mark.parametrize(("found", "left_out"), [(Cores((1,), (2,), ()), []), (None, ["Hold'em, two cores"])])
def test_a_second_core_on_the_turn(
    part: Holdem, monkeypatch: pytest.MonkeyPatch, found: Cores | None, left_out: list[str]
) -> None:
    works: list[tuple[str, ...]] = []

    def measure(all_cores: list[int], rounds: int, names: tuple[str, ...]) -> Cores | None:
        works.append(names)
        return found

    monkeypatch.setattr(cores, "measure_cores", measure)
    part.second_core()
    assert works == [(SMALL_TURN,)]
    assert part.found.cores is found
    assert [one.what for one in part.findings.left_out] == left_out


def test_one_core_alone_has_no_second(part: Holdem) -> None:
    part.cores = [0]
    part.second_core()
    assert [one.why for one in part.findings.left_out] == ["there is only one"]


def test_the_processes_do_what_they_are_asked_for() -> None:
    assert float(holdem._run("start", SMALL_RIVER)) > 0
    promised, grown = json.loads(holdem._run("memory", TURN, "16bit"))
    assert promised == spot_runs.promised(load_spot(TURN), "16bit")
    assert 0.8 * promised < grown < 1.5 * promised


def test_a_flop_is_a_curve_from_a_process_of_its_own(part: Holdem) -> None:
    part.cores = usable_cores()[-2:]
    said: list[str] = []
    part.say = said.append
    part.flop()
    flop = part.found.flop
    assert flop is not None
    assert flop.cores == len(part.cores)
    assert flop.solved.reached
    assert len(flop.solved.looks) > 1
    assert flop.solved.looks[-1].part < flop.solved.looks[0].part
    assert flop.memory is not None
    assert flop.memory.promised > 0
    assert len(said) == 1 + len(flop.solved.looks)


def test_what_a_flop_has_found_is_kept_when_it_is_stopped(part: Holdem, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*arguments: str) -> Iterator[list[float]]:
        yield [10, 1.5, 0.2]
        raise KeyboardInterrupt

    monkeypatch.setattr(holdem, "_told", stopped)
    with pytest.raises(KeyboardInterrupt):
        part.flop()
    assert part.found.flop is not None
    assert part.found.flop.solved.looks == (Look(10, 1.5, 0.2),)
    assert part.found.flop.memory is None


def test_a_flop_is_only_solved_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert FLOP not in FULL.parts
    assert FLOP not in QUICK.parts
    assert "holdem" in QUICK.parts
    done: list[str] = []
    monkeypatch.setattr(Holdem, "flop", lambda self: done.append("flop"))
    monkeypatch.setattr(Holdem, "run", lambda self: done.append("holdem"))
    assert bench(only="flop") == 0
    assert done == ["flop"]
    assert bench(only="holdem") == 0
    assert done == ["flop", "holdem"]


def test_the_whole_part_fits_into_the_report(asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "measure_cores", lambda *arguments: None)
    monkeypatch.setattr(texassolver, "find_program", lambda: None)
    run = Benchmark(replace(TINY, peers=(), parts=("holdem",)))
    run.cores = [0, 1]
    run.run()
    report = json.loads(json.dumps(plain(as_dict(run.findings)), allow_nan=False))
    found = report["holdem"]
    assert [(one["spot"], one["precision"], one["reached"]) for one in found["solved"]] == [
        (SMALL_RIVER, "f64", True),
        (SMALL_TURN, "f32", True),
    ]
    assert found["solved"][0]["looks"][0].keys() == {"iteration", "seconds", "part"}
    assert found["memory"][0] == {"spot": SMALL_TURN, "precision": "f32", "promised": 150, "grown": 160}
    assert (found["cores"], found["flop"]) == (None, None)
    assert {one["game"] for one in report["measurements"]} == {SMALL_RIVER, SMALL_TURN}
    assert {one["what"] for one in report["left_out"]} == {"Hold'em, TexasSolver", "Hold'em, two cores"}


def test_the_tables_have_what_was_found(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    print_findings(full_findings(), None, None)
    out = capsys.readouterr().out
    for words in ("0.1 %", "not within", "157.0 MB", "1.7×", "3,567.9 MB", "0.123 %", "441 ms"):
        assert words in out


SCRIPT = """#!/bin/sh
# Says what it was told on the way, then what the real one would say.
while read line; do echo "told $line" >> "$(dirname "$0")/told.txt"; done < "$2"
echo "<<<START SOLVING>>>"
for step in "0 50" "10 2.5" "20 0.9" "30 0.001"; do
  set -- $step
  echo "Iter: $1"
  echo "player 0 exploitability 1.0"
  echo "Total exploitability $2 precent"
done
exec sleep 60
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program on the PATH that says what TexasSolver would, and then waits for more."""
    path = tmp_path / texassolver.PROGRAM
    path.write_text(SCRIPT)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return path


def test_a_peer_on_the_path_solves_the_same_spots(part: Holdem, program: Path) -> None:
    part.reach(SMALL_RIVER, 0.01, "f64")
    part.peer()
    ours, theirs = part.found.solved
    assert (theirs.spot, theirs.name, theirs.target) == (SMALL_RIVER, texassolver.TITLE, ours.target)
    assert [(look.iteration, look.part) for look in theirs.looks] == [
        (0, 0.5),
        (10, pytest.approx(0.025)),
        (20, pytest.approx(0.009)),
    ]
    assert theirs.iterations == 20
    told = (program.parent / "told.txt").read_text()
    assert "told set_accuracy 1\n" in told
    assert part.findings.left_out == []


def test_a_peer_that_says_nothing_is_left_out(part: Holdem, program: Path) -> None:
    program.write_text("#!/bin/sh\n")
    part.reach(SMALL_RIVER, 0.01, "f64")
    part.peer()
    assert len(part.found.solved) == 1
    assert [one.why for one in part.findings.left_out] == [f"it said nothing about {SMALL_RIVER}"]


def test_a_peer_that_is_not_there_is_left_out(part: Holdem, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    part.peer()
    assert [one.why for one in part.findings.left_out] == ["there is no console_solver on the PATH"]


def test_the_peer_is_told_the_spot() -> None:
    lines = texassolver.commands(load_spot(SMALL_TURN), 0.005, every=10)
    assert lines == [
        "set_pot 200",
        "set_effective_stack 300",
        "set_board Qs,Jh,2h,8d",
        "set_range_oop AA,AKs,KK,QQ",
        "set_range_ip AQs,JJ,TT,99,88",
        "set_bet_sizes oop,turn,bet,50",
        "set_bet_sizes oop,turn,allin",
        "set_bet_sizes oop,river,bet,50",
        "set_bet_sizes oop,river,allin",
        "set_bet_sizes ip,turn,bet,50",
        "set_bet_sizes ip,turn,allin",
        "set_bet_sizes ip,river,bet,50",
        "set_bet_sizes ip,river,allin",
        "set_allin_threshold 1.0",
        "build_tree",
        "set_thread_num 1",
        "set_accuracy 0.5",
        "set_max_iteration 10000",
        "set_print_interval 10",
        "set_use_isomorphism 1",
        "start_solve",
    ]


def test_the_peer_is_told_weights_and_all_hands() -> None:
    lines = texassolver.commands(load_spot("holdem:turn-3bet"), 0.005, every=10)
    (oop,) = [line for line in lines if line.startswith("set_range_oop")]
    assert "99:0.5" in oop.split(" ")[1].split(",")
    assert "set_bet_sizes oop,turn,bet,33,75" in lines
    (every,) = [line for line in texassolver.commands(load_spot(RIVER), 0.001, 10) if line.startswith("set_range_ip")]
    assert len(every.split(",")) == 169
