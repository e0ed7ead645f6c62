"""``regretlab exercise``."""

from pathlib import Path

import pytest

from regretlab.explaining.exercises import EXERCISES


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_list(regretlab) -> None:
    done = regretlab("exercise")
    assert (done.status, done.err) == (0, "")
    assert all(each.title in done.out for each in EXERCISES.values())
    assert [each["title"] for each in regretlab("exercise", "--json").json] == [
        each.title for each in EXERCISES.values()
    ]


def test_a_task_and_its_answer(regretlab) -> None:
    assert "What is your regret of checking?" in regretlab("exercise", "1").out
    wrong, right = regretlab("exercise", "1", "--answer", "0"), regretlab("exercise", "1", "--answer", "-1/4")
    assert (wrong.status, right.status) == (2, 0)
    assert wrong.out.startswith("Not yet. 0 is the clamped regret")
    assert right.out.startswith("Right. r(check) =")
    assert regretlab("exercise", "1", "--answer", "1/4", "--json").json["right"] is False


def test_hints_grow_and_the_solution_comes_last(regretlab) -> None:
    assert "Hint 1 of 3" in (first := regretlab("exercise", "8", "--hint")).out
    assert "Hint 2" not in first.out
    both = regretlab("exercise", "8", "--hint", "--hint").out
    assert "Hint 2 of 3" in both
    assert "--hint --hint --hint" in both
    assert regretlab("exercise", "8", "--solution").out == EXERCISES[8].solution


def test_a_program_is_written_once_and_then_checked(regretlab) -> None:
    path = Path("exercise-3.py")
    assert "Written: exercise-3.py" in regretlab("exercise", "3").out
    assert path.read_text(encoding="utf-8") == EXERCISES[3].start
    again = regretlab("exercise", "3")
    assert again.status == 2
    assert "still as it was written" in again.out
    path.write_text(regretlab("exercise", "3", "--solution").out, encoding="utf-8")
    done = regretlab("exercise", "3")
    assert done.status == 0
    assert done.out.startswith("Right. Your two learners have found")
    assert path.read_text(encoding="utf-8") == EXERCISES[3].solution, "what somebody has written is never written over"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["11"], "exercise=11 must be a whole number, at least 1 and at most 10"),
        (["--hint"], "name an exercise, 1 to 10: regretlab exercise 1"),
        (["1", "--answer", "much"], "'much' is no number; write it like 3/4, -0.25 or 75%"),
        (["5", "--answer", "1"], "exercise 5 is a program; write it in exercise-5.py: regretlab exercise 5"),
    ],
)
def test_mistakes_are_one_line(regretlab, arguments: list[str], line: str) -> None:
    assert regretlab("exercise", *arguments) == (2, "", f"regretlab: {line}\n")
