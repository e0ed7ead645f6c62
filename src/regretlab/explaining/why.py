"""Why each recipe differs: short texts, each with a picture of numbers that the engine has just worked out.

A reason belongs to a part of a recipe, such as truncation or alternation, so that every recipe with that part has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from regretlab.documents.numbers import Unit, written
from regretlab.explaining.textbook import fade
from regretlab.games import Kuhn, load
from regretlab.reference import InformationSet, InformationSetNH
from regretlab.solving import Recipe, Solver
from regretlab.solving.checkpoints import chart_points
from regretlab.solving.formula import formulas

KUHN = Kuhn()
UNIT = Unit.of(KUHN)
DEBT_WITHIN = 300
"""How many iterations are searched for the longest regret debt that is paid back."""

POINTS_PER_DECADE = 12
LAST = 1_000
LONG = 100_000
"""How long the current strategy is watched: it settles slowly."""

SEEDS = range(5)
LEDUC = "leduc(merge_suits=true)"
SPARSE_LAST = 300

Line = dict[str, Any]


@dataclass(frozen=True)
class Reason:
    """One thing that makes a difference: what it is in words, and a chart as the chart module takes it."""

    title: str
    words: str
    chart: dict[str, Any]


def reasons(recipe: Recipe) -> list[dict[str, Any]]:
    """Why a recipe does what it does, for JSON; nothing where no part of it has been explained."""
    return [asdict(reason) for reason in _reasons(recipe)]


def _reasons(recipe: Recipe) -> Iterator[Reason]:
    if recipe.feedback_kind.trains:
        return
    if recipe.accumulate == "truncate":
        yield _debt()
    if recipe.schedule == "alternating" and not recipe.feedback_kind.samples:
        yield _turns()
    if recipe.alpha is not None:
        yield _fading(recipe)
    if recipe.averaging.name != "uniform" and not recipe.feedback_kind.samples and recipe.restart is None:
        yield _weights(recipe)
    if recipe.weigh == "normalhedge":
        yield _shares()
    if recipe.predict:
        yield _prediction(recipe)
    if recipe.row == "cfr+" and recipe.restart is None:
        yield _last_iterate()
        yield _sparse()
    if recipe.feedback_kind.samples:
        yield _noise(recipe)
    if recipe.name == "cfr":
        yield _average_settles()


def _chart(
    title: str, across: str, up: str, lines: list[Line], scales: tuple[str, str] = ("log", "log"), **y: Any
) -> dict[str, Any]:
    return {
        "title": title,
        "x": {"label": across, "scale": scales[0]},
        "y": {"label": up, "scale": scales[1], **y},
        "series": [{"colour": number, **line} for number, line in enumerate(lines, start=1)],
    }


@cache
def _losses(recipe: str, last: int = LAST, current: bool = False, seed: int = 0) -> tuple[tuple[int, float], ...]:
    """The exploitability of a run on Kuhn poker, in thousandths of the ante, while its iterations grow."""
    solver = Solver(KUHN, recipe, seed=seed, cores=1)
    points: list[tuple[int, float]] = []
    for look in chart_points(POINTS_PER_DECADE):
        if look > last:
            return tuple(points)
        solver.advance(look - solver.iteration)
        found = solver.solution()
        chips = found.current_exploitability if current else found.exploitability
        points.append((look, chips / UNIT.chips))
    raise AssertionError("chart points never end")


def _end(points: tuple[tuple[int, float], ...]) -> str:
    return written(points[-1][1])


@cache
def _debt() -> Reason:
    """The longest regret debt of Kuhn poker: how deep a sum of regrets falls, and what truncation forgives."""
    sums, kept = _regrets("cfr"), _regrets("cfr(accumulate=truncate)")
    spans = [(label, action, *span) for label, action in sums for span in _spans(sums[label, action])]
    label, action, start, depth, paid = max(spans, key=lambda found: found[4] - found[2])
    rest = max(end - begin for begin, _, end in _spans([number or -1.0 for number in kept[label, action]]))
    first, last = max(0, start - 20), min(DEBT_WITHIN, paid + 20)
    lines: list[Line] = [
        {"name": name, "short": short, "points": [[t, numbers[label, action][t]] for t in range(first, last + 1)]}
        for name, short, numbers in (("a sum that may fall", "sum", sums), ("kept at 0 or above", "truncated", kept))
    ]
    words = (
        "A sum of regrets can fall far below 0, and whatever is below 0 is not played at all. Take the "
        f"{action} in the situation '{KUHN.meaning(label)}' in vanilla CFR. From iteration {start} on its sum is in "
        "debt, at worst by "
        f"{written(-depth)} chips, and until iteration {paid} all that a {action} could earn only pays the debt back. "
        "Truncation "
        f"alone, nothing else changed, forgives it: there the same regret is at 0 for at most {rest} iterations in a "
        "row."
    )
    chart = _chart(f"The regret for a {action} at {label}", "iterations", "chips", lines, ("linear", "linear"))
    return Reason("Regret debt, and what truncation forgives", words, chart)


@cache
def _regrets(recipe: str) -> dict[tuple[str, str], list[float]]:
    """The regret of every action after each iteration, from the start."""
    solver = Solver(KUHN, recipe, cores=1)
    found: dict[tuple[str, str], list[float]] = {}
    for iteration in range(DEBT_WITHIN + 1):
        if iteration:
            solver.advance(1)
        for label, actions in solver.solution().regrets.items():
            for action, regret in actions.items():
                found.setdefault((label, action), []).append(float(regret) + 0.0)
    return found


def _spans(numbers: list[float]) -> Iterator[tuple[int, float, int]]:
    """Where numbers are below 0 and come back: the first such place, the lowest number, the first place after it."""
    start = None
    for place, number in enumerate(numbers):
        if number < 0 and start is None:
            start = place
        elif number > 0 and start is not None:
            yield start, min(numbers[start:place]), place
            start = None


@cache
def _turns() -> Reason:
    together, turns = _losses("cfr+(schedule=simultaneous)"), _losses("cfr+")
    words = (
        "When both players learn at once, each answers a strategy that the other has just given up, and they chase "
        "each other. "
        "When they take turns, player 2 answers what player 1 plays from now on. After "
        f"{LAST:,} iterations CFR+ loses {_end(together)} {UNIT.name} with both at once and {_end(turns)} with turns."
    )
    lines: list[Line] = [
        {"name": "both at once", "points": together},
        {"name": "in turns", "points": turns},
    ]
    return Reason(
        "Why the players take turns", words, _chart("CFR+ with and without turns", "iterations", UNIT.name, lines)
    )


def _weights(recipe: Recipe) -> Reason:
    uniform = recipe_named(recipe, averaging="uniform")
    own, even = _losses(recipe.name), _losses(uniform)
    words = (
        "The first iterations play badly, and an average that counts all alike never quite forgets them. Here the "
        "weight of "
        f"iteration t is {formulas(recipe)['average']}. After {LAST:,} iterations that loses {_end(own)} {UNIT.name}, "
        "and "
        f"{_end(even)} if all count alike."
    )
    lines: list[Line] = [
        {"name": "later ones count more", "short": "weighted", "points": own},
        {"name": "all count alike", "short": "uniform", "points": even},
    ]
    return Reason(
        "Why later iterations count more", words, _chart("Two averages of the same run", "iterations", UNIT.name, lines)
    )


def _fading(recipe: Recipe) -> Reason:
    """By what regrets are multiplied before new ones are added."""
    lines: list[Line] = []
    for name, sign in (("positive", 1.0), ("negative", -1.0)):
        points = []
        for iteration in range(1, 51):
            factors = fade(recipe, iteration)
            points.append([iteration, 1.0 if factors is None else float(factors.factor(sign))])
        lines.append({"name": f"{name} regrets", "short": name, "points": points})
    if recipe.accumulate == "truncate":
        del lines[1]  # there are no negative regrets
    shares = [written(line["points"][9][1]) for line in lines]
    told = (
        f"regrets are multiplied by {shares[0]}"
        if len({*shares}) == 1
        else (
            f"positive regrets are multiplied by {shares[0]} and negative ones by {shares[1]}, so that debts melt "
            "faster than gains"
        )
    )
    words = (
        "What was regretted in the first iterations was regretted against a player who no longer plays so. Before new "
        "regrets are "
        f"added, the old ones fade: after iteration 10, {told}."
    )
    chart = _chart("What is left of the old regrets", "iterations", "factor", lines, ("linear", "linear"), range=[0, 1])
    return Reason("Why old regrets fade", words, chart)


def recipe_named(recipe: Recipe, **parts: Any) -> str:
    """The name of a recipe with some parts replaced."""
    name = recipe.name
    changed = ", ".join(f"{key}={value}" for key, value in parts.items())
    return f"{name[:-1]}, {changed})" if name.endswith(")") else f"{name}({changed})"


def _prediction(recipe: Recipe) -> Reason:
    own, without = _losses(recipe.name), _losses(recipe_named(recipe, predict="no"))
    words = (
        "What was regretted just now is likely to be regretted again: the other player has hardly moved. So the next "
        "strategy is "
        f"chosen as if it came once more. After {LAST:,} iterations that loses {_end(own)} {UNIT.name}, and "
        f"{_end(without)} without it."
    )
    lines: list[Line] = [
        {"name": "with prediction", "short": "predicts", "points": own},
        {"name": "without", "points": without},
    ]
    return Reason("Why it guesses ahead", words, _chart("With and without prediction", "iterations", UNIT.name, lines))


@cache
def _shares() -> Reason:
    matching: list[list[float]] = []
    hedge: list[list[float]] = []
    for step in range(61):
        regret = step / 20
        for infoset, points in ((InformationSet(2), matching), (InformationSetNH(2), hedge)):
            infoset.regret_sum = [1.0, regret]
            points.append([regret, float(infoset.get_strategy()[1])])
    words = (
        "Two actions, the first with regret 1. How often is the second played? Regret matching follows the regrets in "
        "proportion. "
        f"NormalHedge leans towards the larger one: at regret 2 it plays it {100 * hedge[40][1]:.0f} % of the time, "
        "where regret "
        f"matching plays it {100 * matching[40][1]:.0f} %."
    )
    lines: list[Line] = [
        {"name": "regret matching", "short": "matching", "points": matching},
        {"name": "NormalHedge", "points": hedge},
    ]
    return Reason(
        "What NormalHedge makes of regrets",
        words,
        _chart(
            "How often the second action is played",
            "its regret",
            "probability",
            lines,
            ("linear", "linear"),
            range=[0, 1],
        ),
    )


@cache
def _last_iterate() -> Reason:
    average, current = _losses("cfr+", LONG), _losses("cfr+", LONG, current=True)
    at = dict(current)
    words = (
        "Only the average is proven to converge. The strategy of the latest iteration comes nearer, too, but slowly "
        "and not "
        f"steadily: we measured {written(at[100])} {UNIT.name} after 100 iterations, {written(at[1_000])} after 1,000, "
        f"{written(at[10_000])} after 10,000 and {_end(current)} after {LONG:,}. The average then loses "
        f"{_end(average)}."
    )
    lines: list[Line] = [
        {"name": "average strategy", "short": "average", "points": average},
        {"name": "current strategy", "short": "current", "points": current},
    ]
    return Reason(
        "The current strategy converges too, slowly",
        words,
        _chart("CFR+ for a long time", "iterations", UNIT.name, lines),
    )


@cache
def _average_settles() -> Reason:
    average, current = _losses("cfr", LONG), _losses("cfr", LONG, current=True)
    words = (
        "In vanilla CFR the strategy of the latest iteration runs in circles around an equilibrium and does not come "
        "to rest: after "
        f"{LONG:,} iterations it loses {_end(current)} {UNIT.name}. The average over all iterations settles: it loses "
        f"{_end(average)}."
    )
    lines: list[Line] = [
        {"name": "average strategy", "short": "average", "points": average},
        {"name": "current strategy", "short": "current", "points": current},
    ]
    return Reason(
        "Why the average counts", words, _chart("Vanilla CFR for a long time", "iterations", UNIT.name, lines)
    )


@cache
def _sparse() -> Reason:
    """How many regrets are exactly 0 on Leduc poker, where there are enough of them to matter."""
    lines: list[Line] = []
    for recipe in ("cfr", "cfr+"):
        solver, points = Solver(load(LEDUC), recipe, cores=1), []
        for look in chart_points(POINTS_PER_DECADE):
            if look > SPARSE_LAST:
                break
            solver.advance(look - solver.iteration)
            kept = [regret for actions in solver.solution().regrets.values() for regret in actions.values()]
            points.append([look, sum(regret == 0 for regret in kept) / len(kept)])
        lines.append({"name": recipe, "points": points})
    plain, floored = (line["points"][-1][1] for line in lines)
    words = (
        f"What is kept at 0 or above is often 0. On Leduc poker after {SPARSE_LAST} iterations {100 * floored:.0f} % "
        "of all "
        f"regrets of CFR+ are exactly 0, and {100 * plain:.0f} % of those of vanilla CFR. A table with so many zeros "
        "packs well, and "
        "actions that are not played need not be looked at."
    )
    return Reason(
        "Tables that get sparse",
        words,
        _chart("Regrets that are 0, on Leduc poker", "iterations", "share", lines, ("log", "linear"), range=[0, 1]),
    )


def _noise(recipe: Recipe) -> Reason:
    runs = [_losses(recipe.name, seed=seed) for seed in SEEDS]
    full = _losses("cfr")
    ends = sorted(run[-1][1] for run in runs)
    words = (
        "A walk that looks at a part of the tree sees a sample of the regrets, which is right on average and wrong "
        "each time. That "
        f"costs accuracy and saves work. After {LAST:,} iterations {len(SEEDS)} runs with different seeds lose between "
        f"{written(ends[0])} and {written(ends[-1])} {UNIT.name}; vanilla CFR, which walks everything, loses "
        f"{_end(full)}."
    )
    middle = [[run[0], sorted(each[k][1] for each in runs)[len(runs) // 2]] for k, run in enumerate(runs[0])]
    band = [
        [look, min(each[k][1] for each in runs), max(each[k][1] for each in runs)]
        for k, (look, _) in enumerate(runs[0])
    ]
    lines: list[Line] = [
        {"name": f"median of {len(SEEDS)} seeds, and all of them", "short": "sampled", "points": middle, "band": band},
        {"name": "vanilla CFR", "points": full},
    ]
    return Reason(
        "What sampling costs", words, _chart("Five seeds, and everything walked", "iterations", UNIT.name, lines)
    )
