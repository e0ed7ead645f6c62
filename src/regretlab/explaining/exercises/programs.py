"""How programs that somebody has written for an exercise are judged: by what they do, not by how they look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from regretlab.errors import UserError
from regretlab.explaining.exercises.exercise import Exercise, Verdict
from regretlab.explaining.exercises.keys import rounded
from regretlab.games import Matrix
from regretlab.own_file import guarded, load_from_file
from regretlab.reference import InformationSet

ROUNDS = 1_000
"""Of rock-paper-scissors."""

ITERATIONS = 2_000
"""Of Kuhn poker: by then a mistake is seen. Plain Python takes a second for them."""

NEAR = 1e-6
"""Two runs of the same algorithm differ by rounding only, which is far less than this."""


class _WrongError(Exception):
    """What is wrong with a program, in a sentence."""


def judge(exercise: Exercise, path: Path) -> Verdict:
    """Run the program in a file and say whether it does what the exercise asks for."""
    if path.is_file() and path.read_bytes() == exercise.start.encode():
        return Verdict(False, f"`{path}` is still as it was written. Change it, and run this command again.")
    try:
        return Verdict(True, exercise.praise(_JUDGES[exercise.place](str(path))))
    except _WrongError as failed:
        return Verdict(False, str(failed))


def _function(path: str, name: str) -> Callable[..., Any]:
    """A function of the user's file, whose own errors become one line with their place in the file."""

    def fits(module: ModuleType, thing: Any) -> bool:
        return callable(thing) and getattr(thing, "__module__", None) == module.__name__

    found = load_from_file(path, name, "function", fits)
    if not callable(found):
        raise UserError(f"'{path}': {name} is no function")
    return lambda *given: guarded(path, lambda: found(*given))


def _numbers(name: str, call: str, found: Any, count: int) -> list[float]:
    """What a function has returned, which must be so many numbers."""
    if found is None:
        raise _WrongError(f"`{name}` returns nothing. Does it end with return?")
    try:
        numbers = [float(each) for each in found]
    except (TypeError, ValueError):
        raise _WrongError(f"`{call}` is {found!r:.60}; it must be a list of {count} numbers.") from None
    if len(numbers) != count:
        raise _WrongError(f"`{call}` has {len(numbers)} numbers; it must have {count}, one for each action.")
    return numbers


def _close(found: list[float], wanted: Any) -> bool:
    return len(found) == len(wanted) and all(abs(a - float(b)) < NEAR for a, b in zip(found, wanted, strict=True))


def _shown(numbers: Any) -> str:
    return f"[{', '.join(rounded(float(each)) for each in numbers)}]"


# ---- 3: rock-paper-scissors learns


def _judge_learners(path: str) -> Mapping[str, str]:
    regrets, matching, learn = (_function(path, name) for name in ("regrets", "matching", "learn"))
    _check_regrets(regrets)
    for sums in ([3, -2, 1], [1, 1, 0], [0, 5, -5], [-1, -2, -3], [0, 0]):
        _check_matching(matching, sums)
    found = _numbers("learn", f"learn({ROUNDS})", learn(ROUNDS), 3)
    from regretlab.solving import solve

    wanted = list(
        solve(Matrix([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]), "cfr", iterations=ROUNDS).strategy["row"].values()
    )
    if not _close(found, wanted):
        raise _WrongError(
            f"`regrets` and `matching` are right, but `learn` has changed: after {ROUNDS:,} rounds it gives "
            f"{_shown(found)}, and the engine {_shown(wanted)}."
        )
    return {"found": ", ".join(map(rounded, found)), "iterations": f"{ROUNDS:,}"}


def _check_regrets(regrets: Callable[..., Any]) -> None:
    """r(a) = v(a) − Σ σ v, on a strategy that is not even."""
    values, strategy = [2, -1, 0], [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
    played = sum(p * value for p, value in zip(strategy, values, strict=True))
    wanted = [value - played for value in values]
    call = "regrets([2, -1, 0], [1/2, 1/4, 1/4])"
    found = _numbers("regrets", call, regrets(list(values), [float(p) for p in strategy]), 3)
    mean = Fraction(sum(values), 3)
    said = {
        "It compares with the plain mean of the values; what is played earns Σ σ(a) v(a).": [v - mean for v in values],
        "The sign is the other way round: the action's value minus what is played.": [-regret for regret in wanted],
        "It clamps at 0. That is for matching to do: regrets are added up as they are.": [max(r, 0) for r in wanted],
        "It compares with the best action. A regret compares with what was played.": [v - max(values) for v in values],
        "Those are the values themselves. Subtract what is played: Σ σ(a) v(a).": values,
        "It is not written yet.": [0, 0, 0],
    }
    _compare("regrets", call, found, wanted, said)


def _check_matching(matching: Callable[..., Any], sums: list[int]) -> None:
    """σ = R₊ / Σ R₊, even where no regret is positive."""
    place, given, call = InformationSet(len(sums)), list(sums), f"matching({sums})"
    place.regret_sum = [float(each) for each in sums]
    wanted, positive = place.get_strategy(), place.positive_regrets()
    try:
        answer = matching(given)
    except UserError as error:
        if isinstance(error.__cause__, ZeroDivisionError):
            raise _WrongError(
                f"`{call}` divides by 0. If no regret is positive, all actions are equally likely."
            ) from None
        raise
    found, even = _numbers("matching", call, answer, len(sums)), [1 / len(sums)] * len(sums)
    if given != sums:
        raise _WrongError(f"`matching` changes the list that it is given: {sums} became {given}. Make a new one.")
    said = {
        "It is not written yet: all actions are equally likely.": even,
        "If no regret is positive, all actions are equally likely.": [0] * len(sums),
        "The proportions are right, but probabilities sum to 1: divide each by the sum.": positive,
        "It plays the best action alone; regret matching plays in proportion to the positive regrets.": [
            each == max(sums) for each in sums
        ],
    }
    if min(found) < 0:
        said = {"A probability can't be below 0: negative regrets count as 0.": found}
    _compare("matching", call, found, wanted, said)


def _compare(name: str, call: str, found: list[float], wanted: Any, said: Mapping[str, Any]) -> None:
    if _close(found, wanted):
        return
    why = next((sentence for sentence, mistake in said.items() if _close(found, mistake)), "")
    raise _WrongError(f"`{call}` gives {_shown(found)}; it should be {_shown(wanted)}. {why}".strip())


# ---- 5: a broken CFR+


def _judge_repair(path: str) -> Mapping[str, str]:
    from regretlab.evaluation import exploitability
    from regretlab.forms import as_form
    from regretlab.solving import solve

    form = as_form("kuhn")

    def reached(recipe: str) -> float:
        return solve("kuhn", recipe, iterations=ITERATIONS).exploitability

    def lost(averages: Any) -> float:
        if not isinstance(averages, dict) or set(averages) != set(form.labels):
            raise _WrongError(
                f"`train` must return a dictionary with the {form.infosets} places of Kuhn poker, such as 'Jcb'."
            )
        actions = {
            label: names for each in form.treeplexes for label, names in zip(each.labels, each.actions, strict=True)
        }
        rows = {label: _numbers("train", f"train(…)['{label}']", averages[label], 2) for label in form.labels}
        return float(
            exploitability("kuhn", {label: dict(zip(actions[label], rows[label], strict=True)) for label in rows})
        )

    found, wanted, broken = lost(_function(path, "train")(ITERATIONS)), reached("cfr+"), _before()
    if abs(found - wanted) < NEAR:
        return {"iterations": f"{ITERATIONS:,}", "reached": rounded(found), "broken": rounded(broken)}
    unclipped = reached("cfr+(accumulate=sum)")
    said = {
        "Nothing has changed: regrets are still clipped in the middle of an iteration.": broken,
        "Nothing is clipped any more. That is CFR; CFR+ clips after the sum over all deals.": unclipped,
    }
    why = next((sentence for sentence, mistake in said.items() if abs(found - mistake) < NEAR), "")
    raise _WrongError(
        f"After {ITERATIONS:,} iterations a perfect opponent wins {rounded(found)} chips a game; with the clip in its "
        f"place it is {rounded(wanted)}. {why}".strip()
    )


def _before() -> float:
    """The exploitability of the program as it is handed out, by the textbook that makes the same mistake."""
    from regretlab.evaluation import exploitability
    from regretlab.explaining.exercises.exercise import EXERCISES

    module: dict[str, Any] = {}
    exec(EXERCISES[5].start, module)
    averages = module["train"](ITERATIONS)
    names = {True: ("fold", "call"), False: ("check", "bet")}
    return float(
        exploitability(
            "kuhn",
            {label: dict(zip(names[label.endswith("b")], row, strict=True)) for label, row in averages.items()},
        )
    )


_JUDGES: Mapping[int, Callable[[str], Mapping[str, str]]] = {3: _judge_learners, 5: _judge_repair}
