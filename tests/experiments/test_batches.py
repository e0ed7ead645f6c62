"""Batches of spots in suites: what a block stands for, what is said about mistakes, and what a solved spot leaves."""

from pathlib import Path

import numpy as np
import pytest
from experiments.fakes import in_process

import regretlab as rl
from regretlab.endgames import holdem
from regretlab.endgames.cards import hand_name
from regretlab.errors import UserError
from regretlab.experiments import Store, read_suite
from regretlab.experiments.jobs import BYTES_A_PROCESS, plan
from regretlab.experiments.kept import strategies_folder, unpacked
from regretlab.experiments.running import PLACES, run_jobs
from regretlab.games.size import written_bytes

SPOT = """
board = "Kd9s4h3c"
pot = 40
stack = 60
until = "2%"
bets = "50%, a"
raises = "a"
oop.range = "AA,KQs,98s,A5s"
ip.range = "KK,QQ,T9s,AQo"
"""
GOOD = """title = "a batch"

[[runs]]
games = "kuhn"
recipes = "cfr"
iterations = 10

[[spots]]
spot = "turn.toml"
boards = ["Kd9s4h3c2c", "all rivers"]
recipes = ["dcfr", "cfr+"]
precision = ["f32", "16bit"]
until = "1%"

[[spots]]
spot = "river-polar"
iterations = [10, 100]
keep = "street"
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the file of a spot, in which suites are performed in this process."""
    monkeypatch.setitem(PLACES, "local", in_process)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "turn.toml").write_text(SPOT)
    return tmp_path


def complaint(text: str) -> str:
    Path("my.toml").write_text(text)
    with pytest.raises(UserError) as error:
        read_suite("my.toml")
    return str(error.value).removeprefix("'my.toml'")


@pytest.mark.usefixtures("here")
def test_a_block_is_all_combinations_of_boards_recipes_and_precisions() -> None:
    Path("my.toml").write_text(GOOD)
    suite = read_suite("my.toml")
    boards = dict(suite.boards)
    turn = [run for run in suite.runs if run.is_spot and boards[run.game].spot == "turn.toml"]
    assert len(turn) == 48 * 2 * 2, "the one that is listed is one of all rivers"
    assert {(run.recipe, run.precision) for run in turn} == {
        (recipe, precision) for recipe in ("dcfr", "cfr+") for precision in ("f32", "16bit")
    }
    assert {run.until for run in turn} == {0.4}
    assert {len(holdem("turn.toml", board=boards[run.game].board).board) for run in turn} == {5}
    kuhn, *_, polar = suite.runs
    assert (kuhn.game, kuhn.keep, polar.game, polar.keep) == ("kuhn", "", "holdem:river-polar", "street")
    assert (polar.checkpoints, polar.until) == ((10, 100), None)


@pytest.mark.usefixtures("here")
def test_a_spot_without_target_has_its_own() -> None:
    (run,) = read_suite({"spots": [{"spot": "turn.toml"}]}).runs
    assert run.until == 0.02 * 40


def test_boards_that_suits_do_not_tell_apart_are_solved_once_and_weigh_more() -> None:
    suite = read_suite({"spots": [{"spot": holdem("turn-srp", board="Qs7s2d8d"), "boards": "all rivers"}]})
    weights = [board.weight for _, board in suite.boards]
    assert sum(weights) == 48
    assert set(weights) == {1, 2}


def test_boards_that_can_not_come_with_the_ranges_are_left_out_of_sets_and_a_mistake_where_they_are_listed() -> None:
    spot = {"board": "Kd9s4h3c", "pot": 40, "stack": 60, "oop": {"range": "AdAc"}, "ip": {"range": "QQ"}}
    suite = read_suite({"spots": [{"spot": spot, "boards": "all rivers"}]})
    assert not any(board.board.endswith(("Ad", "Ac")) for _, board in suite.boards)
    assert sum(board.weight for _, board in suite.boards) == 46
    with pytest.raises(UserError, match=r"^the suite: oop: all hands of the range have a card of the board Kd9s4h3cAd"):
        read_suite({"spots": [{"spot": spot, "boards": "Kd9s4h3cAd"}]})


TYPOS = [
    ('spot = "turn.toml"', 'spott = "turn.toml"', ", line 9: unknown key 'spott'; did you mean 'spot'?"),
    ('spot = "turn.toml"', "", ", line 8: this block of spots has no spot"),
    ('"turn.toml"', '"tern.toml"', ", line 9: tern.toml: there is no such file"),
    ('"river-polar"', '"river-solar"', ", line 16: unknown spot 'river-solar'; did you mean 'river-polar'?"),
    ('"river-polar"', '"openspiel:kuhn_poker"', ", line 16: openspiel:kuhn_poker is no Hold'em endgame"),
    ("Kd9s4h3c2c", "Kd9s4h3cKd", ", line 10: boards='Kd9s4h3cKd': at character 9, Kd is there already"),
    ("all rivers", "all turns", ", line 10: street='turn' does not follow the turn; what follows is river"),
    ("all rivers", "all river", ", line 10: unknown set of boards 'all river'; did you mean 'all rivers'?"),
    ('"cfr+"', '"cfr(feedback=chance)"', ", line 11: cfr(feedback=chance) can't solve Hold'em endgames"),
    ('"cfr+"', '"restarted-cfr+"', ", line 11: restarted-cfr+ can't solve Hold'em endgames"),
    ('"16bit"', '"16bits"', ", line 12: unknown precision '16bits'; did you mean '16bit'?"),
    ('"1%"', '"0%"', ", line 13: until=0% is no target; write 0.5% of the pot, or chips above 0"),
    ("[10, 100]", "[100, 10]", ", line 17: iterations must be a number, or a list of numbers that ascend"),
    ('"street"', '"streets"', ", line 18: unknown keep 'streets'; did you mean 'street'?"),
]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("right", "wrong", "said"), TYPOS, ids=[said for _, _, said in TYPOS])
def test_a_mistake_is_told_with_its_line(right: str, wrong: str, said: str) -> None:
    assert GOOD.count(right) == 1
    found = complaint(GOOD.replace(right, wrong))
    assert found.startswith(said), found


def test_a_solved_spot_has_the_numbers_of_solve_to_the_last_bit(here: Path) -> None:
    rows = rl.experiment({"spots": [{"spot": "turn.toml", "boards": "Kd9s4h3c2c", "until": "1%"}]}, store=here / "s")
    (row,) = rows
    solution = rl.solve(rl.holdem("turn.toml", board="Kd9s4h3c2c"), until="1%")
    assert (row["iteration"], row["exploitability"], row["value"]) == (
        solution.iterations,
        solution.exploitability,
        solution.value,
    )
    assert row["exploitability_of_pot"] == solution.exploitability_of_pot
    assert (row["ev of oop"], row["ev of ip"]) == pytest.approx(solution.evs)
    assert (row["equity of oop"], row["equity of ip"]) == pytest.approx(solution.equities)
    for action, often in solution.at().frequencies.items():
        assert row[f"frequency of {action}"] == pytest.approx(often)
    assert (row["game"], row["board"], row["weight"]) == ("turn.toml", "Kd9s4h3c2c", 1)


def test_listed_iterations_have_a_row_each_and_the_last_one_has_all(here: Path) -> None:
    rows = rl.experiment({"spots": [{"spot": "river-polar", "iterations": [5, 10, 20]}]}, store=here / "s")
    assert [row["iteration"] for row in rows] == [5, 10, 20]
    assert [row["ev of oop"] is None for row in rows] == [True, True, False]
    assert rows[1]["exploitability"] == rl.solve("holdem:river-polar", iterations=10).exploitability
    stops = rl.experiment(
        {"spots": [{"spot": "river-polar", "iterations": [5, 10, 20], "until": rows[1]["exploitability"]}]},
        store=here / "s",
    )
    assert [row["iteration"] for row in stops] == [5, 10], "it ends where the target is reached"


def test_the_first_decision_is_in_the_store_hand_by_hand(here: Path) -> None:
    (row,) = rl.experiment({"spots": [{"spot": "river-polar"}]}, store=here / "s")
    with Store.to_read(here / "s") as store:
        (root,) = unpacked(store.root(row["run"]) or b"", "it")
    view = rl.solve("holdem:river-polar").at()
    assert (root.line, root.board, root.player, root.actions, root.pot) == (
        (),
        "KsTd7h4c2s",
        0,
        ("check", "bet 100"),
        100,
    )
    assert root.cards.tolist() == view.cards.tolist()
    for mine, theirs in zip(root.sides, view.sides, strict=True):
        for key in ("reach", "weights", "ev", "equity"):
            np.testing.assert_allclose(getattr(mine, key), getattr(theirs, key), rtol=1e-6)
    np.testing.assert_allclose(root.strategy, view.strategy, rtol=1e-6)
    np.testing.assert_allclose(root.action_evs, view.action_evs, rtol=1e-6)


def test_a_street_or_all_of_a_strategy_lies_beside_the_store_and_is_made_anew_where_it_is_gone(here: Path) -> None:
    folder = strategies_folder(here / "s")
    spots = [{"spot": "turn.toml", "keep": "street"}, {"spot": "river-polar", "keep": "all"}]
    rows = rl.experiment({"spots": spots}, store=here / "s")
    street, whole = sorted(folder.iterdir(), key=lambda path: path.suffix, reverse=True)
    views = unpacked(street.read_bytes(), street.name)
    turn = rl.solve("turn.toml")
    assert {view.line for view in views} >= {(), ("check",), ("check", "bet 20")}
    for view in views:
        assert view.evs == pytest.approx(turn.at(*view.line).evs, rel=1e-5)
    saved, polar = rl.Solution.load(whole), rl.solve("holdem:river-polar")
    assert saved.exploitability == polar.exploitability
    assert dict(saved.strategy) == dict(polar.strategy)
    with pytest.raises(UserError, match="can't go on: only its average strategy was kept"):
        rl.solve("holdem:river-polar", until="0.01%", resume=saved)
    whole.unlink()
    with Store.to_write(here / "s") as store:
        outcome = run_jobs(plan(read_suite({"spots": spots})), store)
    assert (outcome.there, outcome.done) == (1, 1)
    assert dict(rl.Solution.load(whole).strategy) == dict(polar.strategy)
    assert rl.experiment({"spots": spots}, store=here / "s") == rows


def test_a_spot_that_does_not_fit_is_named_before_the_start_and_the_rest_is_solved(here: Path) -> None:
    jobs = plan(read_suite({"spots": [{"spot": "flop-srp"}, {"spot": "river-polar"}]}))
    with Store.to_write(here / "s") as store:
        outcome = run_jobs(jobs, store, memory=2**30)
        assert outcome.done == 1
        ((job, reason),) = outcome.failures
        assert job.board is not None
        assert job.board.board == hand_name(holdem("flop-srp").board)
        needed = written_bytes(rl.holdem("flop-srp").block_size().nbytes + BYTES_A_PROCESS)
        assert reason == f"it takes {needed} of memory, and there are about 1,073 MB; it was not begun"


def test_solved_spots_come_one_by_one_and_are_read_when_they_are_asked_for(here: Path) -> None:
    suite = {
        "spots": [
            {"spot": "turn.toml", "boards": ["Kd9s4h3c", "Kd9s4h3s"], "keep": "street"},
            {"spot": "turn.toml", "boards": "Kd9s4h2s", "keep": "all"},
            {"spot": "river-polar", "until": "1%"},
        ]
    }
    assert list(rl.solved(suite, here / "s")) == []
    rows = rl.experiment(suite, store=here / "s")
    found = list(rl.solved(suite, here / "s"))
    assert [spot.row for spot in found] == [
        {key: row[key] for key in spot.row} for spot, row in zip(found, rows, strict=True)
    ]
    street, _, whole, root = found
    turn = rl.solve("turn.toml")
    assert street.at("check").evs == pytest.approx(turn.at("check").evs, rel=1e-5)
    assert street.at("CHECK, bet 20").frequencies == pytest.approx(turn.at("check", "bet 20").frequencies, rel=1e-5)
    with pytest.raises(
        UserError, match=r"^of turn.toml on Kd9s4h3c only the first street was kept, and 'check, check, 2c'"
    ):
        street.at("check", "check", "2c")
    with pytest.raises(UserError, match=r"^of river-polar on KsTd7h4c2s only the first decision was kept, and 'check'"):
        root.at("check")
    with pytest.raises(
        UserError, match=r'^of river-polar on KsTd7h4c2s not all of the strategy was kept; say keep = "all"'
    ):
        _ = root.solution
    assert whole.at("check, check, 2c").board == "Kd9s4h2s2c"
    assert whole.file is not None
    whole.file.unlink()
    with pytest.raises(UserError, match="there is no file"):
        _ = found[2].__class__(whole.job, whole.run, whole.store).solution
