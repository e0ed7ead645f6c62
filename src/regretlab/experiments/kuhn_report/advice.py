"""What the study recommended."""

from __future__ import annotations

from regretlab.experiments.kuhn_report.judging import (
    TURNS,
    Judged,
    Verdict,
    holds,
    is_larger,
    loss_ratio,
    losses,
    mean,
)
from regretlab.experiments.kuhn_report.original import (
    ALGORITHMS,
    CONFIGURATIONS,
    EARLY,
    HORIZONS,
    LONG,
    SHORT,
    STANDARD,
    Configuration,
)
from regretlab.experiments.kuhn_report.results import winner
from regretlab.experiments.kuhn_report.study import Study

BARE = ("cfr", "cfr+", "normalhedge", "normalhedge+")
"""The four with all deals in every iteration, as these names are meant elsewhere."""


def quick_results(study: Study) -> Judged:
    """CFR+ for a short run, as the study ran it."""
    directions = [loss_ratio(study, "CFR+", "CFR", SHORT, each).direction for each in CONFIGURATIONS]
    ahead, behind = directions.count(-1), directions.count(1)
    winners = [winner(study, SHORT, each) for each in CONFIGURATIONS]
    return Judged(
        "For quick results: CFR+ (with sampled deals)",
        "CFR+",
        ", ".join(dict.fromkeys(winners)),
        Verdict.NOISE if ahead == behind else holds(ahead > behind),
        f"beyond luck CFR+ is behind CFR on {behind} of {len(directions)} configurations after {SHORT:,} iterations, "
        f"and ahead on {ahead}",
    )


def quick_results_with_all_deals(study: Study) -> Judged:
    """The same with full traversal."""
    best = min(BARE, key=lambda recipe: losses(study, recipe, EARLY).mean)
    ours, plain = (losses(study, recipe, EARLY) for recipe in ("cfr+", "cfr"))
    return Judged(
        "For quick results: CFR+ (with all deals, in turns, linear average)",
        "CFR+",
        f"`{best}`",
        holds(best == "cfr+"),
        f"of the four; after {EARLY:,} iterations on {STANDARD} it has {mean(ours)} milli-chips and CFR {mean(plain)}",
    )


def accuracy(study: Study) -> Judged:
    """NormalHedge for a long run."""
    hedge, plus = (losses(study, recipe, LONG) for recipe in ("normalhedge", "cfr+"))
    sampled = loss_ratio(study, "NormalHedge", "CFR", LONG)
    best = min(BARE, key=lambda recipe: losses(study, recipe, LONG).mean)
    return Judged(
        "For the greatest accuracy: NormalHedge and many iterations",
        "NormalHedge",
        f"`{best}`",
        holds(best == "normalhedge"),
        f"after {LONG:,} iterations over all deals NormalHedge has {mean(hedge)} milli-chips and CFR+ {mean(plus)}; "
        f"with sampled deals it has {sampled} the exploitability of CFR",
    )


def simplicity(study: Study) -> Judged:
    """CFR, because there is nothing to tune."""
    cells = [(iterations, each) for iterations in HORIZONS for each in CONFIGURATIONS]
    beaten = sum(_is_beaten(study, *cell) for cell in cells)
    return Judged(
        "For simplicity, without anything to tune: CFR",
        "CFR",
        f"unbeaten in {len(cells) - beaten} of {len(cells)}",
        holds(2 * beaten < len(cells)),
        "configurations and horizons in which none of the other three as they were run is ahead of CFR beyond luck",
    )


def _is_beaten(study: Study, iterations: int, configuration: Configuration) -> bool:
    others = (name for name in ALGORITHMS if name != "CFR")
    return any(loss_ratio(study, other, "CFR", iterations, configuration).direction < 0 for other in others)


def research(study: Study) -> Judged:
    """NormalHedge+ with the other two parts of CFR+."""
    first, better = (losses(study, recipe, SHORT) for recipe in ("normalhedge+", TURNS))
    ratio = loss_ratio(study, "normalhedge+", TURNS, SHORT)
    return Judged(
        "For research: NormalHedge+ with turns and a linear average",
        "–",
        f"{ratio} better",
        is_larger(ratio),
        f"after {SHORT:,} iterations over all deals it has {mean(better)} milli-chips in place of {mean(first)}",
    )
