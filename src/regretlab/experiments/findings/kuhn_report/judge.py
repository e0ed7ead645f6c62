"""Judges the claims of the founding study by the runs: what each says, what they show, and whether luck explains it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from string import Template
from typing import Any

from regretlab.documents.numbers import written
from regretlab.evaluation import kuhn_equilibria
from regretlab.experiments.findings.kuhn_report.study import (
    ALGORITHMS,
    BEYOND_LUCK,
    CONFIGURATIONS,
    ERRORS,
    HORIZONS,
    LONG,
    ORIGINAL,
    SCALED_UP,
    SHORT,
    STANDARD,
    Phrasing,
    Ratio,
    Study,
)
from regretlab.forms import as_form
from regretlab.games import TERMINAL
from regretlab.solving import learner

SAME_SIZE = 2.0
"""A figure within this factor of ours is as large as was said."""

HALF_A_UNIT = 0.00005
"""Of the values that the study printed, which have four decimals."""


class Verdict(StrEnum):
    """What the runs say about a claim."""

    RIGHT = "right"
    WRONG = "wrong"
    NOISE = "noise"


@dataclass(frozen=True)
class Judged:
    """A claim, its figure, ours, and why."""

    claim: str
    printed: str
    ours: str
    verdict: Verdict
    reason: str


def judge_claims(study: Study) -> dict[str, list[Judged]]:
    """Every claim that can be judged, by what it is about. Sentences are always the same; figures follow the runs."""
    words = Phrasing(study, _values(study) | _rows(study) | _strategies(study) | _arithmetic())
    return {group["title"]: [_judge(words, claim) for claim in group["claims"]] for group in ORIGINAL["groups"]}


def _judge(words: Phrasing, claim: Mapping[str, Any]) -> Judged:
    def own(value: Any) -> Any:
        """With the claim's own words for those after a $."""
        if isinstance(value, list):
            return [own(each) for each in value]
        return Template(value).substitute(claim) if isinstance(value, str) else value

    whole = {key: own(value) for key, value in (ORIGINAL["kinds"].get(claim.get("like"), {}) | claim).items()}
    rule, *levels = whole["verdict"]
    known = [words.value(each) if isinstance(each, str) and " " in each else each for each in levels]
    verdict = RULES[rule](words.value(whole["measure"]), *known)
    said, printed, ours, why = (words.format(whole[key]) for key in ("claim", "printed", "ours", "why"))
    return Judged(said, printed, ours, verdict, why)


# ---- rules: from what was measured, and what it is held against, to a verdict


def _holds(true: bool) -> Verdict:
    """Right or wrong, where luck plays no part."""
    return Verdict.RIGHT if true else Verdict.WRONG


def _same_size(ours: Ratio, printed: float) -> Verdict:
    """Right if the runs show the same direction and size, wrong if they show the opposite; else it is noise."""
    if ours.direction * (1 if printed > 1 else -1) < 0:
        return Verdict.WRONG
    same_size = 1 / SAME_SIZE <= ours.amount / printed <= SAME_SIZE
    return Verdict.RIGHT if ours.direction and same_size else Verdict.NOISE


def _larger(found: Ratio | int) -> Verdict:
    """Whether more speaks for the first than for the second, beyond luck."""
    direction = found.direction if isinstance(found, Ratio) else found
    return _holds(direction > 0) if direction else Verdict.NOISE


RULES: dict[str, Callable[..., Verdict]] = {
    "holds": _holds,
    "is": lambda found, wanted: _holds(found == wanted),
    "more than": lambda found, level: _holds(found > level),
    "at most": lambda found, level: _holds(found <= level),
    "at least, else noise": lambda found, level: Verdict.RIGHT if found >= level else Verdict.NOISE,
    "between": lambda found, low, high: _holds(low <= found <= high),
    "near": lambda found, middle, width: _holds(abs(found - middle) <= width),
    "within a factor": lambda found, factor, said: _holds(1 / factor <= found / said <= factor),
    "times at least": lambda found, level: _holds(found.amount >= level),
    "same size": _same_size,
    "larger": _larger,
}


# ---- facts: what claims are about that is no measure by itself


def _values(study: Study) -> dict[str, Any]:
    """The value of each game. The average of a run proves an interval: its value ± what both best responders gain."""
    facts: dict[str, Any] = {}
    for each in CONFIGURATIONS:
        values, losses = (study.sample(column, "cfr+", LONG, each).amounts for column in ("value", "exploitability"))
        low = max(value - 2 * loss for value, loss in zip(values, losses, strict=True))
        high = min(value + 2 * loss for value, loss in zip(values, losses, strict=True))
        facts |= {
            f"target of {each}": f"{each.value:.4f}".replace("-", "−"),
            f"value of {each}": str(kuhn_equilibria(each.ante, each.bet).value).replace("-", "−"),
            f"low of {each}": low,
            f"high of {each}": high,
            f"target of {each} is proven": low - HALF_A_UNIT <= each.value <= high + HALF_A_UNIT,
        }
    return facts


def _rows(study: Study) -> dict[str, Any]:
    """What the rows of its table of errors, one for each configuration and horizon, say together, and the rates."""
    stakes = [
        pair
        for name in ALGORITHMS
        for each in HORIZONS
        for pair in zip(study.loss(name, each).amounts, study.loss(name, each, SCALED_UP).amounts, strict=True)
    ]
    # All four are scale-free, so with the same deals twice the stakes can only double the loss.
    doubled = sum(double == 2 * single for single, double in stakes)
    winners = [study.least(ALGORITHMS, iterations, each) for each, iterations in ERRORS]
    printed = [min(row, key=row.__getitem__) for row in ERRORS.values()]
    others = [name for name in ALGORITHMS if name != "CFR"]
    against_cfr = {
        cell: [(study.loss(name, cell[1], cell[0]) / study.loss("CFR", cell[1], cell[0])).direction for name in others]
        for cell in ERRORS
    }
    short = [directions[0] for (_, iterations), directions in against_cfr.items() if iterations == SHORT]
    unbeaten = sum(min(directions) >= 0 for directions in against_cfr.values())
    # Where errors fall like 1/√T, a ratio of errors is the square root of a ratio of iterations.
    losses = study.loss("NormalHedge", SHORT) / study.loss("CFR+", SHORT)
    return {
        "printed_ratio": ERRORS[SCALED_UP, SHORT]["CFR+"] / ERRORS[STANDARD, SHORT]["CFR+"],
        "doubled": doubled,
        "not doubled": len(stakes) - doubled,
        "pairs": len(stakes),
        "rows": len(ERRORS),
        "same winners": sum(ours == theirs for ours, theirs in zip(winners, printed, strict=True)),
        "winners": ", ".join(f"{name} in {winners.count(name)}" for name in ALGORITHMS if name in winners),
        "short winners": ", ".join(dict.fromkeys(study.least(ALGORITHMS, SHORT, each) for each in CONFIGURATIONS)),
        "configurations": len(short),
        "ahead": short.count(-1),
        "behind": short.count(1),
        "lead": short.count(-1) - short.count(1),
        "unbeaten": unbeaten,
        "mostly unbeaten": 2 * unbeaten > len(ERRORS),
        "needed iterations": Ratio(losses.amount**2, 2 * losses.amount * losses.error),
        "slower rate": max(study.slope("CFR+"), study.slope("cfr+")),
    }


def _strategies(study: Study) -> dict[str, Any]:
    """What was learned on the standard configuration, where the Jack bets with any α up to 1/3 and the King with 3α."""
    jack = [study.sample("average(J: bet)", name, LONG) for name in ALGORITHMS]
    means = [each.mean for each in jack]
    pairs = list(zip(study.of_all("J: bet").amounts, study.of_all("K: bet").amounts, strict=True))
    rest, threefold = fmean(abs(k - (1 - j)) for j, k in pairs), fmean(abs(k - 3 * j) for j, k in pairs)
    learned = ORIGINAL["printed"]["strategies"]
    printed = [k / j for j, k in zip(learned["J: bet"], learned["K: bet"], strict=True)]
    places = [(name, each) for name in ALGORITHMS for each in CONFIGURATIONS]
    distances = {f"{name} on {each}": study.sample("distance", name, LONG, each).mean for name, each in places}
    furthest = max(distances, key=distances.__getitem__)
    return {
        "lowest Jack": min(means),
        "highest Jack": max(means),
        "Jack at a third": all(abs(each.mean - 1 / 3) <= BEYOND_LUCK * each.error for each in jack),
        "from the rest": rest,
        "from threefold": threefold,
        "nearer to the rest": rest < threefold,
        "lowest King": min(printed),
        "highest King": max(printed),
        "furthest": furthest,
        "distance": distances[furthest],
    }


def _arithmetic() -> dict[str, Any]:
    """What needs no runs."""
    form = as_form("kuhn")
    assert form.tree is not None
    # Losses of 0, 1 and 2 leave the regrets 1, 0 and −1; those of 0, 1 and 5: 2, 1 and −3; of 0, 1 and 8: 3, 2 and −5.
    strategy = learner("cfr", actions=3).observe([0.0, 1.0, 2.0]).tolist()
    two, three = (learner("normalhedge", actions=3).observe([0.0, 1.0, last]).tolist() for last in (5.0, 8.0))
    return {
        "histories": form.tree.histories,
        "endings": int((form.tree.player == TERMINAL).sum()),
        "infosets": form.infosets,
        "strategy": ", ".join(map(written, strategy)),
        "share": strategy[1],
        "share of 2": two[0],
        "share of 3": three[0],
    }
