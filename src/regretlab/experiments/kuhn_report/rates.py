"""What the study and its notes on NormalHedge said about time, rates and iterations."""

from __future__ import annotations

from itertools import product

from regretlab.documents import written
from regretlab.experiments.kuhn_report.judging import (
    Claim,
    Judged,
    holds,
    is_larger,
    judge_ratio,
    loss_ratio,
    times,
)
from regretlab.experiments.kuhn_report.original import ALGORITHMS, HORIZONS, LONG, SCALED_UP, SHORT, STANDARD, TIMES
from regretlab.experiments.kuhn_report.study import Ratio, Study

SAME_TIME = 1.5
"""Times within this factor are the same: they depend on the machine."""

ALMOST = 0.1
"""So far may a slope on logarithmic axes be from the one that was said."""


def microseconds(study: Study, recipe: str) -> float:
    """The least time of an iteration where bet and ante are equal; ``recipe`` may be one of the four's names.

    Twice the stakes are the same work. Where strategies become pure, NormalHedge has less to do.
    """
    name, places = ALGORITHMS.get(recipe, recipe), product((STANDARD, SCALED_UP), HORIZONS)
    return min(study.microseconds(each.game, name, iterations) for each, iterations in places)


def takes(name: str) -> Claim:
    """An iteration takes so many times as long as one of CFR+."""

    def judge(study: Study) -> Judged:
        ours, theirs = microseconds(study, name), microseconds(study, "CFR+")
        return Judged(
            f"An iteration of {name} takes longer than one of CFR+",
            times(TIMES[name]),
            times(ours / theirs),
            holds(1 / SAME_TIME <= ours / theirs / TIMES[name] <= SAME_TIME),
            f"{written(ours)} µs against {written(theirs)} µs, compiled; this CFR+ updates one player an iteration",
        )

    return judge


def three_to_five_times_slower(study: Study) -> Judged:
    """NormalHedge has to find its scale."""
    sampled, full = (
        microseconds(study, ours) / microseconds(study, theirs)
        for ours, theirs in (("NormalHedge", "CFR"), ("normalhedge", "cfr"))
    )
    return Judged(
        "An iteration of NormalHedge takes longer than one of CFR",
        "3 to 5 times",
        times(sampled),
        holds(3 <= sampled <= 5),
        f"and {times(full)} with all deals; the study bisected sixty times for a scale that takes one to four steps",
    )


def slope(study: Study, recipe: str) -> float:
    """How the exploitability falls on the standard configuration from 10,000 to 100,000 iterations: −1 is 1/T."""
    return study.slope("exploitability", STANDARD.game, ALGORITHMS.get(recipe, recipe), HORIZONS)


def power(exponent: float) -> str:
    """A rate in words of T."""
    return f"T^{written(exponent, digits=2)}"


def square_root(study: Study) -> Judged:
    """The rate of CFR."""
    return Judged(
        "The error of CFR falls like 1/√T",
        power(-0.5),
        power(slope(study, "CFR")),
        holds(abs(slope(study, "CFR") + 0.5) <= ALMOST),
        f"the exploitability from {SHORT:,} to {LONG:,} iterations; with all deals it is {power(slope(study, 'cfr'))}",
    )


def proven_rate(study: Study) -> Judged:
    """The rate of CFR+."""
    sampled, full = slope(study, "CFR+"), slope(study, "cfr+")
    return Judged(
        "The error of CFR+ is proven to fall like 1/T",
        "T^−1",
        power(sampled),
        holds(max(sampled, full) <= -1 + ALMOST),
        f"with all deals, in turns, it is {power(full)}; what is proven is 1/√T",
    )


def twice_the_iterations(study: Study) -> Judged:
    """Where errors fall like 1/√T, a ratio of errors is the square root of a ratio of iterations."""
    sampled, full = (
        loss_ratio(study, ours, theirs, SHORT) for ours, theirs in (("NormalHedge", "CFR+"), ("normalhedge", "cfr+"))
    )
    iterations = Ratio(sampled.amount**2, 2 * sampled.amount * sampled.error)
    return Judged(
        "NormalHedge needs more iterations than CFR+ for the same accuracy",
        "2 times",
        str(iterations),
        judge_ratio(2.0, iterations),
        f"it has {sampled} the exploitability of CFR+ as they were run, {full} with all deals and CFR+ in turns",
    )


def sparser(study: Study) -> Judged:
    """Both rules give nothing to an action without positive regret."""
    ours, theirs = (
        study.sample("zero_regrets", STANDARD.game, ALGORITHMS[name], LONG) for name in ("NormalHedge", "CFR")
    )
    return Judged(
        "NormalHedge gives no weight at all to many more actions than CFR",
        "–",
        f"{ours.mean:.0%} against {theirs.mean:.0%}",
        is_larger(Ratio.of(ours, theirs)),
        "the share of all actions in the last strategies; both rules give nothing to an action without positive regret",
    )
