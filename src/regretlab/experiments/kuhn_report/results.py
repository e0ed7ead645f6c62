"""What the study said about values and errors."""

from __future__ import annotations

from regretlab.documents import written
from regretlab.evaluation import kuhn_equilibria
from regretlab.experiments.kuhn_report.judging import (
    Claim,
    Judged,
    Verdict,
    holds,
    judge_ratio,
    loss_ratio,
    losses,
    mean,
    printed_errors,
    times,
)
from regretlab.experiments.kuhn_report.original import (
    ALGORITHMS,
    EARLY,
    ERRORS,
    HORIZONS,
    LONG,
    SCALED_UP,
    SHORT,
    STANDARD,
    Configuration,
)
from regretlab.experiments.kuhn_report.study import Ratio, Study

HALF_A_UNIT = 0.00005
"""Of the values that it printed, which have four decimals."""

ORDER_OF_MAGNITUDE = 10.0

MOST_WINNERS = 6
"""Of eight winners drawn by lot among four, six or more are right once in two hundred times."""


def value(configuration: Configuration) -> Claim:
    """The average of a run proves an interval: its own value ± what the two best responders gain."""

    def judge(study: Study) -> Judged:
        low, high = proven_interval(study, configuration)
        exact = kuhn_equilibria(configuration.ante, configuration.bet).value
        return Judged(
            f"The value of {configuration} is {configuration.printed_value}",
            configuration.printed_value,
            str(exact).replace("-", "−"),
            holds(low - HALF_A_UNIT <= configuration.value <= high + HALF_A_UNIT),
            f"CFR+ over all deals proves that it is between {written(low, digits=5)} and {written(high, digits=5)}",
        )

    return judge


def proven_interval(study: Study, configuration: Configuration) -> tuple[float, float]:
    """Between which numbers the value of the game lies, by the longest runs of CFR+ over all deals."""
    place = configuration.game, "cfr+", LONG
    found = list(
        zip(study.sample("value", *place).amounts, study.sample("exploitability", *place).amounts, strict=True)
    )
    return max(v - 2 * loss for v, loss in found), min(v + 2 * loss for v, loss in found)


def against(first: str, second: str, configuration: Configuration, iterations: int, says: str) -> Claim:
    """One of the four has so many times the error of another."""

    def judge(study: Study) -> Judged:
        printed = ERRORS[configuration, iterations][first] / ERRORS[configuration, iterations][second]
        ours, theirs = (losses(study, name, iterations, configuration) for name in (first, second))
        ratio = Ratio.of(ours, theirs)
        ahead = _ahead(study, first, second, configuration, iterations)
        return Judged(
            f"{says} on {configuration} after {iterations:,} iterations",
            f"{times(printed)} the error of {second}",
            f"{ratio} its exploitability",
            judge_ratio(printed, ratio),
            f"{first} has {mean(ours)} and {second} {mean(theirs)} milli-chips, the means of {len(ours.amounts)} runs; "
            f"by the study's own measure {first} comes out ahead in {ahead:.0%} of them",
        )

    return judge


def _ahead(study: Study, first: str, second: str, configuration: Configuration, iterations: int) -> float:
    """The share of seeds in which the study's measure would prefer the first."""
    ours, theirs = (printed_errors(study, name, iterations, configuration) for name in (first, second))
    return sum(a < b for a, b in zip(ours.amounts, theirs.amounts, strict=True)) / len(ours.amounts)


def order_of_magnitude(first: str, second: str, says: str) -> Claim:
    """The second needs a tenth of the iterations, or leaves a tenth of the loss."""

    def judge(study: Study) -> Judged:
        ratio = loss_ratio(study, first, second, SHORT)
        before, after = (mean(losses(study, recipe, SHORT)) for recipe in (first, second))
        return Judged(
            says,
            "10 times",
            str(ratio),
            holds(ratio.amount >= ORDER_OF_MAGNITUDE),
            f"after {SHORT:,} iterations on {STANDARD} it is {after} milli-chips in place of {before}",
        )

    return judge


def normalhedge_needs_time(study: Study) -> Judged:
    """It gains on CFR with more iterations."""
    short, long = (ERRORS[STANDARD, each]["NormalHedge"] / ERRORS[STANDARD, each]["CFR"] for each in HORIZONS)
    first, second, third = (loss_ratio(study, "NormalHedge", "CFR", each) for each in (EARLY, *HORIZONS))
    return Judged(
        "NormalHedge is poor at first and catches up with CFR after 10,000 iterations",
        f"from {times(short)} CFR's error to {times(long)}",
        f"from {second} to {third}",
        judge_ratio(short / long, second / third),
        f"between {SHORT:,} and {LONG:,} iterations it gains {second / third} on CFR; after {EARLY:,} it has {first} "
        "the exploitability of CFR",
    )


def more_iterations(study: Study) -> Judged:
    """The printed error of CFR grows with the number of iterations."""
    printed = ERRORS[STANDARD, LONG]["CFR"] / ERRORS[STANDARD, SHORT]["CFR"]
    short, long = (losses(study, "CFR", each) for each in HORIZONS)
    errors = (mean(printed_errors(study, "CFR", each, STANDARD)) for each in HORIZONS)
    return Judged(
        f"The error of CFR on {STANDARD} grows with ten times the iterations",
        times(printed),
        str(Ratio.of(long, short)),
        judge_ratio(printed, Ratio.of(long, short)),
        f"its exploitability goes from {mean(short)} to {mean(long)} milli-chips, and the study's own measure from "
        f"{' to '.join(errors)} chips in the mean",
    )


def configurations_differ(study: Study) -> Judged:
    """All four are scale-free, so with the same deals twice the stakes can only double the loss."""
    printed = ERRORS[SCALED_UP, SHORT]["CFR+"] / ERRORS[STANDARD, SHORT]["CFR+"]
    pairs = [pair for name in ALGORITHMS for each in HORIZONS for pair in _at_both_stakes(study, name, each)]
    twice = sum(double == 2 * single for single, double in pairs)
    return Judged(
        f"{SCALED_UP} is another matter than {STANDARD}: CFR+ does far worse there after 10,000 iterations",
        times(printed),
        f"exactly 2 times in {twice:,} of {len(pairs):,} runs",
        Verdict.NOISE if twice == len(pairs) else Verdict.RIGHT,
        "all four are scale-free: from the same deals twice the stakes give the same strategies and twice the loss",
    )


def _at_both_stakes(study: Study, name: str, iterations: int) -> list[tuple[float, float]]:
    single, double = (losses(study, name, iterations, each).amounts for each in (STANDARD, SCALED_UP))
    return list(zip(single, double, strict=True))


def winners(study: Study) -> Judged:
    """The best of each row of its table."""
    ours = [winner(study, iterations, configuration) for configuration, iterations in ERRORS]
    same = sum(min(row, key=row.__getitem__) == name for row, name in zip(ERRORS.values(), ours, strict=True))
    counts = ", ".join(f"{name} in {ours.count(name)}" for name in ALGORITHMS if name in ours)
    return Judged(
        "A best algorithm stands out for each configuration and number of iterations",
        "8 winners",
        f"{same} of {len(ours)}",
        Verdict.RIGHT if same >= MOST_WINNERS else Verdict.NOISE,
        f"drawn by lot, two of eight would; the least mean exploitability has {counts}",
    )


def winner(study: Study, iterations: int, configuration: Configuration) -> str:
    """Which of the four has the least mean exploitability."""
    return min(ALGORITHMS, key=lambda name: losses(study, name, iterations, configuration).mean)
