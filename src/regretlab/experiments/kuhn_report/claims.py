"""Everything that the founding study claimed or recommended and that can be judged, by what it is about."""

from __future__ import annotations

from regretlab.experiments.kuhn_report import advice, arithmetic, rates, results, strategies
from regretlab.experiments.kuhn_report.judging import TURNS, Claim
from regretlab.experiments.kuhn_report.original import (
    CONFIGURATIONS,
    LARGE_BET,
    LONG,
    SCALED_UP,
    SHORT,
    STANDARD,
)

CLAIMS: dict[str, tuple[Claim, ...]] = {
    "Its targets": tuple(results.value(each) for each in CONFIGURATIONS),
    "Its results": (
        results.against("CFR+", "CFR", STANDARD, SHORT, "CFR+ beats CFR"),
        results.order_of_magnitude("CFR", "CFR+", "CFR+ is an order of magnitude better than CFR (with sampled deals)"),
        results.order_of_magnitude("cfr", "cfr+", "CFR+ is an order of magnitude better than CFR (with all deals)"),
        results.normalhedge_needs_time,
        results.against("NormalHedge", "CFR+", STANDARD, LONG, "NormalHedge matches CFR+ or is better"),
        results.against("NormalHedge", "CFR", LARGE_BET, SHORT, "NormalHedge beats CFR"),
        results.against("NormalHedge+", "CFR", LARGE_BET, SHORT, "NormalHedge+ beats CFR"),
        results.against("NormalHedge+", "NormalHedge", STANDARD, SHORT, "NormalHedge+ is worse than NormalHedge"),
        results.against("NormalHedge", "CFR", SCALED_UP, LONG, "NormalHedge is the best"),
        results.configurations_differ,
        results.more_iterations,
        results.winners,
    ),
    "Its strategies": (
        strategies.jack,
        strategies.king,
        strategies.sure("The Queen never bets first", "0", always=(), never=["Q: bet"]),
        strategies.sure("Facing a bet the King always calls", "1", always=["Kb: call"], never=()),
        strategies.sure("Facing a bet the Jack always folds", "1", always=(), never=["Jb: call"]),
        strategies.approximately_right,
    ),
    "Its times and rates": (
        rates.takes("CFR"),
        rates.takes("NormalHedge"),
        rates.takes("NormalHedge+"),
        rates.square_root,
        rates.proven_rate,
    ),
    "Its notes on NormalHedge and NormalHedge+": (
        rates.three_to_five_times_slower,
        rates.twice_the_iterations,
        rates.sparser,
        results.order_of_magnitude("NormalHedge", "NormalHedge+", "Truncation makes NormalHedge ten times better"),
        results.order_of_magnitude("normalhedge", TURNS, "The same with all deals, in turns and with a linear average"),
    ),
    "What arithmetic settles": (arithmetic.states, arithmetic.zero_regret, arithmetic.ordering),
    "Its recommendations": (
        advice.quick_results,
        advice.quick_results_with_all_deals,
        advice.accuracy,
        advice.simplicity,
        advice.research,
    ),
}
