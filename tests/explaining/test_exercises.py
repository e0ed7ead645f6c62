"""The exercises: solutions that run, wrong answers that are told what they are, programs that are judged."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from regretlab.errors import UserError
from regretlab.explaining.exercises import EXERCISES, Exercise, find
from regretlab.explaining.exercises.exercise import CLOSE, read_numbers
from regretlab.explaining.exercises.programs import judge

ANSWERED = [each for each in EXERCISES.values() if each.kind != "program"]
PROGRAMS = [each for each in EXERCISES.values() if each.kind == "program"]
MISTAKES = [(each, name) for each in ANSWERED for name in each.texts["mistakes"]]
TEN = 10


def written(answer: Any) -> str:
    """An answer as somebody would write it."""
    return (
        answer
        if isinstance(answer, str)
        else ", ".join(map(str, answer if isinstance(answer, list | tuple) else [answer]))
    )


def test_there_are_ten_with_growing_hints() -> None:
    assert list(EXERCISES) == list(range(1, TEN + 1))
    for each in EXERCISES.values():
        assert 2 <= len(each.hints) <= 3
        assert not re.search(r"[{}]", each.task + "".join(each.hints)), "every number is filled in"


@pytest.mark.parametrize("exercise", ANSWERED, ids=lambda each: each.title)
def test_the_solution_runs_and_is_right(exercise: Exercise) -> None:
    namespace: dict[str, Any] = {}
    exec(exercise.solution, namespace)
    verdict = exercise.judge(written(namespace["answer"]))
    assert verdict.right
    assert not re.search(r"[{}]", verdict.said)


@pytest.mark.parametrize(("exercise", "name"), MISTAKES, ids=lambda value: getattr(value, "title", value))
def test_a_usual_mistake_is_told_what_it_is(exercise: Exercise, name: str) -> None:
    assert set(exercise.key.mistakes) == set(exercise.texts["mistakes"])
    verdict = exercise.judge(written(exercise.key.mistakes[name]))
    assert not verdict.right
    assert verdict.reason == exercise._filled(exercise.texts["mistakes"][name], exercise.key.facts)


@pytest.mark.parametrize("exercise", [each for each in ANSWERED if each.kind == "numbers"], ids=lambda each: each.title)
def test_no_mistake_looks_like_another_or_like_the_answer(exercise: Exercise) -> None:
    for mine, other in combinations([exercise.key.answer, *exercise.key.mistakes.values()], 2):
        assert any(abs(a - b) > 2 * CLOSE for a, b in zip(mine, other, strict=True))


def test_the_keys_by_hand() -> None:
    # 1: checking −3/2, betting −1, the coin −5/4; −3/2 + 5/4 = −1/4. 2: 3 and 1 of 4. 4: (3/2 − 1/2) / 6.
    # 8: two of five bets are Jacks, 4/5 − 6/5. 9: −1/18 to 1/18. 10: 60 / 220.
    by_hand = {1: "-1/4", 2: "3/4, 0, 1/4", 4: "1/6", 6: "5", 8: "-2/5", 9: "1/9", 10: "3/11"}
    assert all(find(place).judge(answer).right for place, answer in by_hand.items())
    assert all(EXERCISES[place].key.answer == read_numbers(by_hand[place]) for place in (1, 2, 4, 8, 9, 10))


@pytest.mark.parametrize(
    ("place", "answer", "said"),
    [
        (1, "0.25 ", "the regret of betting"),
        (1, "0", "clamped regret"),
        (1, "-25", "looks like percent"),
        (1, "−0.25", "Right."),
        (1, "-25 %", "Right."),
        (1, "-2", "larger than that"),
        (1, "3", "below 0"),
        (4, "-1/6", "Look at the sign"),
        (1, "1/4, 1/2", "one number; you gave 2"),
        (2, "1/2, 1/4, 1/2", "sum to 1, and yours to 1.25"),
        (2, "3/4, 1/8, 1/8", "Right so far: number 1."),
        (7, ".88", "Right."),
        (6, "Line 5", "Right."),
    ],
)
def test_any_answer_gets_a_sentence(place: int, answer: str, said: str) -> None:
    assert said in find(place).judge(answer).said


@pytest.mark.parametrize(
    ("place", "answer", "said"),
    [
        (1, "a quarter", "'a' is no number; write it like 3/4, -0.25 or 75%"),
        (1, "1/0", "'1/0' is no number"),
        (1, "", "'' is no number"),
        (6, "line 4", "unknown answer 'line 4'"),
        (3, "1", "exercise 3 is a program; write it in exercise-3.py"),
    ],
)
def test_what_is_no_answer_is_refused_in_a_line(place: int, answer: str, said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        find(place).judge(answer)


def test_numbers_as_people_write_them() -> None:
    assert read_numbers("[1/2; − 1/4  25%]") == (Fraction(1, 2), Fraction(-1, 4), Fraction(1, 4))


# ---- programs


def verdict(exercise: Exercise, folder: Path, source: str) -> Any:
    path = folder / exercise.file
    path.write_text(source, encoding="utf-8")
    return judge(exercise, path)


@pytest.mark.parametrize("exercise", PROGRAMS, ids=lambda each: each.title)
def test_a_program_begins_wrong_and_its_solution_is_right(exercise: Exercise, tmp_path: Path) -> None:
    unchanged = verdict(exercise, tmp_path, exercise.start)
    assert not unchanged.right
    assert "still as it was written" in unchanged.said
    assert not verdict(exercise, tmp_path, exercise.start + "\n# tried\n").right
    solved = verdict(exercise, tmp_path, exercise.solution)
    assert solved.right, solved.said


@pytest.mark.parametrize(
    ("place", "old", "new", "said"),
    [
        (3, "max(regret, 0)", "regret", "A probability can't be below 0"),
        (3, " if total > 0 else [1 / len(sums)] * len(sums)", "", "divides by 0"),
        (3, "each / total for", "each for", "probabilities sum to 1"),
        (3, "else [1 / len(sums)] * len(sums)", "else [0] * len(sums)", "all actions are equally likely"),
        (3, "[value - played for", "[played - value for", "The sign is the other way round"),
        (3, "[value - played for", "[max(value - played, 0) for", "It clamps at 0"),
        (3, "[value - played for", "[value - max(values) for", "compares with the best action"),
        (3, "return [value - played for value in values]", "played", "`regrets` returns nothing"),
        (3, "return [value - played for value in values]", "return 1", "must be a list of 3 numbers"),
        (3, "old + new / iterations", "old + new", "learn` has changed"),
        (5, "[max(regret, 0.0) for regret in place.regrets]", "place.regrets", "That is CFR"),
        (5, "weight * reach[player]", "reach[player]", "a perfect opponent wins"),
        (5, "return {label", "return 1 or {label", "must return a dictionary"),
    ],
)
def test_a_wrong_program_is_told_what_is_wrong(place: int, old: str, new: str, said: str, tmp_path: Path) -> None:
    solution = EXERCISES[place].solution
    assert old in solution
    found = verdict(EXERCISES[place], tmp_path, solution.replace(old, new))
    assert not found.right
    assert said in found.said


def test_moving_nothing_but_the_words_is_seen(tmp_path: Path) -> None:
    assert "Nothing has changed" in verdict(EXERCISES[5], tmp_path, f"{EXERCISES[5].start}\n").said


def test_an_error_in_a_program_is_one_line_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"exercise-3\.py', line \d+: NameError"):
        verdict(EXERCISES[3], tmp_path, EXERCISES[3].solution.replace("value - played", "value - plaid"))
    with pytest.raises(UserError, match="unknown function in"):
        verdict(EXERCISES[3], tmp_path, "x = 1\n")
