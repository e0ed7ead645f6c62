"""``regretlab show``: any decision of a solved Hold'em endgame, in full or by hand."""

import csv
import io
from pathlib import Path

import pytest

import regretlab as rl
from regretlab.documents import numbers

RANKS = "AKQJT98765432"


@pytest.fixture(scope="module")
def solution() -> rl.Solution:
    return rl.solve("holdem:river-polar", iterations=200)


@pytest.fixture
def run(solution: rl.Solution, tmp_path: Path) -> str:
    path = tmp_path / "run.npz"
    solution.save(path)
    return str(path)


def fields(lines: list[str]) -> dict[tuple[str, str], str]:
    """The letters of the grid by the rank at the left and that at the top."""
    top = next(place for place, line in enumerate(lines) if line.split() == list(RANKS))
    rows = lines[top + 1 : top + 14]
    assert [row[0] for row in rows] == list(RANKS)
    return {(row[0], RANKS[at]): row[2 + 4 * at : 6 + 4 * at].strip() for row in rows for at in range(13)}


@pytest.mark.parametrize("columns", [60, 100])
def test_the_root_is_a_grid_in_letters_where_there_is_no_colour(regretlab, run, columns) -> None:
    done = regretlab("show", run, columns=columns)
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.lines)) <= columns
    found = fields(done.lines)
    assert {place: letters for place, letters in found.items() if letters != "·"} == {
        ("A", "A"): "1",
        ("Q", "J"): "x1",
        ("9", "8"): "x1",
    }
    assert "oop at the start, pot 100" in done.lines


def test_frequencies_and_values_are_those_of_the_solution(regretlab, run, solution) -> None:
    lines, node = regretlab("show", run, "check").lines, solution.at("check")
    for action, often in node.frequencies.items():
        (line,) = [line for line in lines if f"  {action} " in line]
        assert line.endswith(numbers.percent(often))
    (line,) = [line for line in lines if line.startswith("EV of ip")]
    assert line.split()[3] == numbers.value(node.evs[1])
    assert line.endswith(f"equity {numbers.percent(node.equities[1])}")


def test_one_hand_has_a_line_for_each_action(regretlab, run, solution) -> None:
    done, node = regretlab("show", run, "--hand", "JdQd"), solution.at()
    assert "QdJd at the start" in done.lines
    place = node.cards.tolist().index("QdJd")
    for action, (name, chance) in enumerate(zip(node.actions, node.strategy[place], strict=True)):
        (line,) = [line for line in done.lines if line.startswith(name)]
        assert numbers.percent(chance) in line
        assert line.endswith(numbers.value(node.action_evs[place, action]))


def test_json_and_csv_hold_all_hands(regretlab, run, solution) -> None:
    node = solution.at("check", "bet 100")
    found = regretlab("show", run, "check, bet 100", "--json").json
    assert (found["line"], found["player"], found["pot"]) == (["check", "bet 100"], 0, 200)
    assert found["hands"] == list(node.hands())
    assert found["frequencies"] == node.frequencies
    rows = list(csv.DictReader(io.StringIO(regretlab("show", run, "check, bet 100", "--csv").out)))
    assert [row["hand"] for row in rows] == node.cards.tolist()
    assert [float(row["fold"]) for row in rows] == node.strategy[:, node.actions.index("fold")].tolist()
    (one,) = regretlab("show", run, "--hand", "9s8s", "--json").json["hands"]
    assert one["hand"] == "9s8s"


def test_a_card_between_the_actions_leads_on(regretlab, tmp_path) -> None:
    spot = rl.holdem(board="QsJh2h8d", pot=100, stack=100, oop="AA,KQs", ip="QQ,JTs", bets="a", raises="")
    path = tmp_path / "turn.npz"
    rl.solve(spot, iterations=20).save(path)
    found = regretlab("show", str(path), "check, check, 3c", "--json").json
    assert (found["board"], found["player"]) == ("QsJh2h8d3c", 0)
    done = regretlab("show", str(path), "check, check, Qs")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert "Qs" in done.err


def test_where_a_card_is_turned_up_all_cards_are_shown(regretlab, tmp_path) -> None:
    spot = rl.holdem(board="QsJh2h8d", pot=100, stack=100, oop="AA,KQs", ip="QQ,JTs", bets="a", raises="")
    path = tmp_path / "turn.npz"
    solution = rl.solve(spot, iterations=20)
    solution.save(path)
    rows = solution.cards("check", "check")
    assert [row["card"] for row in rows] == [
        row["card"] for row in regretlab("show", str(path), "check, check", "--json").json["cards"]
    ]
    done = regretlab("show", str(path), "check, check", columns=60)
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.lines)) <= 60
    top = next(place for place, line in enumerate(done.lines) if line.split() == list(RANKS))
    drawn = {line[0]: line[2:] for line in done.lines[top + 1 : top + 5]}
    for suit, line in drawn.items():
        for at, rank in enumerate(RANKS):
            ev = next((row["ev of oop"] for row in rows if row["card"] == rank + suit), None)
            assert line[4 * at : 4 * at + 4].strip() == ("·" if ev is None else f"{ev:.0f}")  # the pot is 100
    mean = sum(row["probability"] * row["ev of oop"] for row in rows)
    assert any(line.startswith("mean") and numbers.value(mean) in line for line in done.lines)
    listed = list(csv.DictReader(io.StringIO(regretlab("show", str(path), "check, check", "--csv").out)))
    assert [float(row["ev of ip"]) for row in listed] == [row["ev of ip"] for row in rows]
    done = regretlab("show", str(path), "check, check", "--hand", "AhAd")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "--hand=AhAd wants a decision" in done.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["check, bet 101"], "did you mean 'bet 100'?"),
        (["call"], "there are: check, bet 100"),
        (["check, check"], "check"),
        (["--hand", "Ah"], "--hand=Ah is no hand; write two cards, such as AhKd"),
        (["--hand", "AhKd"], "unknown hand of oop here 'AhKd'; did you mean 'AhAd'?"),
        (["--hand", "AhXx"], "'X' at character 3 is no rank"),
        (["--hand", "AhAh"], "at character 3, Ah is there already"),
        (["--json", "--csv"], "leave one out"),
    ],
    ids=" ".join,
)
def test_mistakes_are_one_line(regretlab, run, arguments, expected) -> None:
    done = regretlab("show", run, *arguments)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert expected in done.err


def test_what_is_no_solved_spot_is_named(regretlab, tmp_path) -> None:
    path = tmp_path / "run.npz"
    assert regretlab("show", str(path)).err == f"regretlab: there is no file '{path}'\n"
    path.write_text("no run", encoding="utf-8")
    assert regretlab("show", str(path)).err == f"regretlab: '{path}' is not a saved run, or it is damaged\n"
    rl.solve("kuhn", iterations=3).save(path)
    done = regretlab("show", str(path))
    assert (done.status, done.out) == (2, "")
    assert done.err == f"regretlab: '{path}' holds a run of kuhn, which is no Hold'em endgame in blocks\n"


def test_colours_divide_a_field_to_half_a_column(run, monkeypatch, capsys) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("COLUMNS", "60")
    from regretlab.cli import run as command

    assert command(["show", run]) == 0
    out = capsys.readouterr().out
    aces = next(line for line in out.splitlines() if line.startswith("A "))
    assert aces.count("▌") == 3  # all of it bets: one colour, and a gap
    assert aces.count("\x1b[38;2;") == aces.count("48;2;")
    assert "█" in out


def test_why_a_hand_does_what_it_does(regretlab, tmp_path) -> None:
    run = str(tmp_path / "run.npz")
    assert regretlab("solve", "holdem:river-polar", "--iterations", "50", "--save", run).status == 0
    done = regretlab("show", run, "--hand", "AsAh", "--why")
    assert (done.status, done.err) == (0, "")
    assert "What bet 100 earns is a sum over what ip answers" in " ".join(done.out.split())
    for arguments in (["--why"], ["--why", "--hand", "AsAh", "--csv"]):
        refused = regretlab("show", run, *arguments)
        assert (refused.status, refused.err.count("\n")) == (2, 1)
