"""Claims and verdicts: what a claim says, what the runs show, and whether luck could have done it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from regretlab.documents import written
from regretlab.experiments.kuhn_report.original import ALGORITHMS, STANDARD, Configuration
from regretlab.experiments.kuhn_report.study import Ratio, Sample, Study
from regretlab.experiments.measures import FINAL_VALUE

SAME_SIZE = 2.0
"""A figure within this factor of ours is as large as was said."""

TURNS = "normalhedge+(averaging=linear, schedule=alternating)"
"""NormalHedge+ in the form of CFR+: the players take turns, and later iterations count more."""


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


Claim: TypeAlias = Callable[[Study], Judged]
"""Judges one claim by the runs. Its sentences are the same whatever they show; figures and verdict follow them."""


def holds(true: bool) -> Verdict:
    """Right or wrong, where luck plays no part."""
    return Verdict.RIGHT if true else Verdict.WRONG


def is_larger(ratio: Ratio) -> Verdict:
    """Whether the first is larger than the second."""
    return Verdict.NOISE if ratio.direction == 0 else holds(ratio.direction > 0)


def judge_ratio(printed: float, ours: Ratio) -> Verdict:
    """Right if the runs show the same direction and size, wrong if they show the opposite; else it is noise."""
    if ours.direction * (1 if printed > 1 else -1) < 0:
        return Verdict.WRONG
    same_size = 1 / SAME_SIZE <= ours.amount / printed <= SAME_SIZE
    return Verdict.RIGHT if ours.direction and same_size else Verdict.NOISE


def losses(study: Study, recipe: str, iterations: int, configuration: Configuration = STANDARD) -> Sample:
    """The exploitability of the average strategy in milli-chips a game; ``recipe`` may be one of the four's names."""
    found = study.sample("exploitability", configuration.game, ALGORITHMS.get(recipe, recipe), iterations)
    return found.map(lambda chips: 1000 * chips)


def loss_ratio(
    study: Study, first: str, second: str, iterations: int, configuration: Configuration = STANDARD
) -> Ratio:
    """The exploitability of the first ÷ that of the second."""
    return Ratio.of(*(losses(study, recipe, iterations, configuration) for recipe in (first, second)))


def printed_errors(study: Study, name: str, iterations: int, configuration: Configuration) -> Sample:
    """What the study would have printed as the error of each run: how far the final value is from its own target."""
    found = study.sample(FINAL_VALUE, configuration.game, ALGORITHMS[name], iterations)
    return found.map(lambda value: abs(value - configuration.value))


def mean(sample: Sample) -> str:
    """The mean with three digits."""
    return written(sample.mean)


def times(factor: float) -> str:
    """How many times something is."""
    return f"{written(factor)} times"
