"""What an iteration costs, and which algorithm to take when."""

from __future__ import annotations

from collections.abc import Sequence

from regretlab.documents import Section, Table, written
from regretlab.experiments.kuhn_report.exploitable import ROUNDING, WITH_ALL_DEALS
from regretlab.experiments.kuhn_report.judging import loss_ratio, losses, times
from regretlab.experiments.kuhn_report.original import (
    ALGORITHMS,
    CONFIGURATIONS,
    EARLY,
    HORIZONS,
    LONG,
    SHORT,
    STANDARD,
    TIMES,
)
from regretlab.experiments.kuhn_report.rates import microseconds
from regretlab.experiments.kuhn_report.study import Study
from regretlab.experiments.ranking import geometric_mean


def what_it_costs(study: Study) -> Section:
    """Time an iteration."""
    sampled, full = (
        microseconds(study, ours) / microseconds(study, theirs)
        for ours, theirs in (("NormalHedge", "CFR"), ("normalhedge", "cfr"))
    )
    rows = [(name, microseconds(study, name), _multiple(study, name), TIMES[name]) for name in ALGORITHMS]
    rows_full = [(f"`{name}`", microseconds(study, name), _multiple(study, name), None) for name in WITH_ALL_DEALS]
    return Section(
        "What an iteration costs",
        (
            f"An iteration of NormalHedge takes {times(sampled)} as long as one of CFR with sampled deals, "
            f"{times(full)} with all of them. The study bisected sixty times for the scale of NormalHedge, which takes "
            "one to four steps if it is scaled first.",
        ),
        (
            Table(
                "Time",
                ("algorithm", "µs an iteration", "times CFR+ as it was run", "the study printed"),
                (*rows, *rows_full),
                "The fastest of all runs with equal bet and ante, one core each. The first four sample one deal, of "
                "which CFR+ updates one player an iteration; the others walk all six.",
            ),
        ),
    )


def _multiple(study: Study, recipe: str) -> float:
    return microseconds(study, recipe) / microseconds(study, "CFR+")


def which_when(study: Study) -> Section:
    """What to take, from what the runs show."""
    rows = (
        _choice(study, f"all deals can be walked, {EARLY:,} iterations", WITH_ALL_DEALS, EARLY),
        _choice(study, f"all deals can be walked, {LONG:,} iterations", WITH_ALL_DEALS, LONG),
        *(_choice(study, f"deals are sampled, {each:,} iterations", list(ALGORITHMS), each) for each in HORIZONS),
    )
    return Section(
        "Which algorithm when",
        (_with_all_deals(study), _with_sampled_deals(study), _truncation(study), _weighing(study)),
        (
            Table(
                "The best over the four configurations",
                ("when", "take", f"milli-chips on {STANDARD}", "the next", f"its milli-chips on {STANDARD}"),
                rows,
                "By the geometric mean of the exploitability over the configurations; less than "
                f"{written(ROUNDING)} milli-chips is shown as 0.",
            ),
        ),
    )


def _choice(study: Study, when: str, recipes: Sequence[str], iterations: int) -> tuple[str, ...]:
    first, second = ranked(study, recipes, iterations)[:2]
    pairs = ((_shown(recipe), _amount(study, recipe, iterations)) for recipe in (first, second))
    return when, *(cell for pair in pairs for cell in pair)


def _amount(study: Study, recipe: str, iterations: int) -> str:
    found = losses(study, recipe, iterations)
    return str(found) if found.mean > ROUNDING else "0"


def ranked(study: Study, recipes: Sequence[str], iterations: int) -> list[str]:
    """The recipes, the least exploitable first."""
    return sorted(recipes, key=lambda recipe: typical_loss(study, recipe, iterations))


def typical_loss(study: Study, recipe: str, iterations: int) -> float:
    """The exploitability in milli-chips: the geometric mean over the four configurations."""
    found = (losses(study, recipe, iterations, each).mean for each in CONFIGURATIONS)
    return geometric_mean([max(each, ROUNDING) for each in found])


def _shown(recipe: str) -> str:
    return recipe if recipe in ALGORITHMS else f"`{recipe}`"


def _with_all_deals(study: Study) -> str:
    best = ranked(study, WITH_ALL_DEALS, EARLY)[0]
    sampled = ranked(study, list(ALGORITHMS), LONG)[0]
    return (
        f"With all deals take `{best}`. {EARLY:,} iterations last {_milliseconds(study, best, EARLY)} and leave "
        f"{_amount(study, best, EARLY)} milli-chips on {STANDARD}; {LONG:,} sampled ones of {sampled}, the best of the "
        f"four as they were run, last {_milliseconds(study, sampled, LONG)} and leave {_amount(study, sampled, LONG)}."
    )


def _milliseconds(study: Study, recipe: str, iterations: int) -> str:
    return f"{written(iterations * microseconds(study, recipe) / 1000)} ms"


def _with_sampled_deals(study: Study) -> str:
    best = ranked(study, list(ALGORITHMS), LONG)[0]
    level = [
        name
        for name in ALGORITHMS
        if name != best and not any(loss_ratio(study, name, best, LONG, each).direction for each in CONFIGURATIONS)
    ]
    others = f", and {' and '.join(level)} can't be told from it on any configuration" if level else ""
    return f"With sampled deals take {best}: it is the least exploitable after {LONG:,} iterations{others}."


def _truncation(study: Study) -> str:
    pairs = [("CFR+", "CFR"), ("NormalHedge+", "NormalHedge"), ("cfr+", "cfr")]
    first, second, third = (typical_loss(study, a, SHORT) / typical_loss(study, b, SHORT) for a, b in pairs)
    return (
        f"Truncation {_pays(first)} with sampled deals: after {SHORT:,} iterations CFR+ has {times(first)} the "
        f"exploitability of CFR, and NormalHedge+ {times(second)} that of NormalHedge, over the four configurations. "
        f"It {_pays(third)} with all deals, in turns and with a linear average: CFR+ has {times(third)} that of CFR."
    )


def _pays(ratio: float) -> str:
    return "pays" if ratio < 1 else "costs"


def _weighing(study: Study) -> str:
    loss = typical_loss(study, "NormalHedge", LONG) / typical_loss(study, "CFR", LONG)
    time = microseconds(study, "NormalHedge") / microseconds(study, "CFR")
    return (
        f"NormalHedge in place of regret matching: after {LONG:,} sampled iterations it has {times(loss)} the "
        f"exploitability of CFR, and an iteration takes {times(time)} as long."
    )
