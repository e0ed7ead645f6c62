"""What the study said about equilibria and what it learned of them."""

from __future__ import annotations

from collections.abc import Sequence

from regretlab.documents import written
from regretlab.experiments.kuhn_report.judging import Claim, Judged, holds, mean
from regretlab.experiments.kuhn_report.original import (
    ALGORITHMS,
    CONFIGURATIONS,
    LONG,
    STANDARD,
    STRATEGIES,
    Configuration,
)
from regretlab.experiments.kuhn_report.study import BEYOND_LUCK, Sample, Study

NEVER = 0.01
"""What is done so seldom counts as never."""

CLOSE = 0.05
"""A profile that is no further than this from an equilibrium in any entry of its plans is approximately one."""


def probabilities(study: Study, name: str, action: str, configuration: Configuration = STANDARD) -> Sample:
    """How often the average strategies of one of the four do something after the longest runs."""
    return study.sample(f"average({action})", configuration.game, ALGORITHMS[name], LONG)


def of_all(study: Study, action: str) -> Sample:
    """The same of all four together."""
    return Sample(tuple(amount for name in ALGORITHMS for amount in probabilities(study, name, action).amounts))


def jack(study: Study) -> Judged:
    """1/3 is only the end of the family."""
    found = [probabilities(study, name, "J: bet") for name in ALGORITHMS]
    at_a_third = all(abs(each.mean - 1 / 3) <= BEYOND_LUCK * each.error for each in found)
    low, high = min(each.mean for each in found), max(each.mean for each in found)
    return Judged(
        "In equilibrium the Jack bets with probability 1/3",
        "0.333",
        f"{written(low)} to {written(high)}",
        holds(at_a_third),
        "means of the four; any α between 0 and 1/3 is as good, if the rest goes with it",
    )


def king(study: Study) -> Judged:
    """It is 3α."""
    pairs = list(zip(of_all(study, "J: bet").amounts, of_all(study, "K: bet").amounts, strict=True))
    from_rest = Sample(tuple(abs(k - (1 - j)) for j, k in pairs))
    from_threefold = Sample(tuple(abs(k - 3 * j) for j, k in pairs))
    printed = [k / j for j, k in zip(STRATEGIES["J: bet"], STRATEGIES["K: bet"], strict=True)]
    return Judged(
        "In equilibrium the King bets with probability 1 − α where the Jack bets with α",
        "1 − α",
        "3α",
        holds(from_rest.mean < from_threefold.mean),
        f"the runs end {mean(from_rest)} away from 1 − α and {mean(from_threefold)} from 3α; in the study's own table "
        f"the King bets {min(printed):.2f} to {max(printed):.2f} times as often as the Jack",
    )


def sure(says: str, printed: str, always: Sequence[str], never: Sequence[str]) -> Claim:
    """Some things are always done, some never."""

    def judge(study: Study) -> Judged:
        missed = [1 - of_all(study, action).mean for action in always] + [of_all(study, each).mean for each in never]
        return Judged(
            says,
            printed,
            f"but for {written(100 * max(missed), digits=2)} %",
            holds(max(missed) <= NEVER),
            f"the mean of all four after {LONG:,} iterations; an average keeps a little of its beginning",
        )

    return judge


def approximately_right(study: Study) -> Judged:
    """How far all of them are from the nearest equilibrium."""
    found = {
        (name, each): study.sample("distance", each.game, recipe, LONG).mean
        for name, recipe in ALGORITHMS.items()
        for each in CONFIGURATIONS
    }
    (name, where), furthest = max(found.items(), key=lambda item: item[1])
    return Judged(
        f"All four come close to an equilibrium in {LONG:,} iterations",
        "–",
        f"within {written(furthest)} of one",
        holds(furthest <= CLOSE),
        f"the furthest in the mean is {name} on {where}: so much does the most different entry of its plans differ",
    )
