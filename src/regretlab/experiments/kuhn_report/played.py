"""What was learned: strategies beside the family of equilibria."""

from __future__ import annotations

from regretlab.documents import Section, Table
from regretlab.evaluation import KuhnEquilibria, kuhn_equilibria
from regretlab.experiments.kuhn_report.original import (
    ALGORITHMS,
    CONFIGURATIONS,
    LONG,
    STANDARD,
    STRATEGIES,
    Configuration,
)
from regretlab.experiments.kuhn_report.strategies import probabilities
from regretlab.experiments.kuhn_report.study import Study

ACTIONS = ("J: bet", "Q: bet", "K: bet", "Qcb: call", "Jc: bet", "Jb: call", "Qb: call", "Kb: call")
"""The actions that tell strategies apart."""

DECIMALS = 4

FAMILY = {"J": "α, 0 to 1/3", "K": "3α", "Qcb": "α + 1/3"}
"""What goes together where the bet is as large as the ante."""


def strategies(study: Study) -> Section:
    """What the four had learned at the end."""
    return Section(
        "What they learned",
        (
            f"Average strategies after {LONG:,} iterations with sampled deals. `Qcb: call` is player 0's Queen after a "
            "check and a bet, `Jc: bet` player 1's Jack after a check, `Qb: call` player 1's Queen after a bet.",
            "Where bet and ante are equal, player 0 has a family of equilibria: the Jack bets with any α up to 1/3, "
            "and then the King bets with 3α and the Queen calls with α + 1/3. So runs may end at different α and all "
            "be right; what has to shrink is the distance to the nearest equilibrium, the largest difference of any "
            "entry of a plan.",
        ),
        (_printed_table(study), *(_table(study, each) for each in CONFIGURATIONS)),
    )


def _printed_table(study: Study) -> Table:
    rows = tuple(
        (name, f"`{action}`", f"{printed:.4f}", probabilities(study, name, action).rounded(DECIMALS))
        for number, name in enumerate(ALGORITHMS)
        for action, printed in ((action, figures[number]) for action, figures in STRATEGIES.items())
    )
    return Table(
        f"The strategies that the study printed for {STANDARD}, and ours",
        ("algorithm", "action", "printed", "ours"),
        rows,
        "The mean ± the standard deviation of one run.",
    )


def _table(study: Study, configuration: Configuration) -> Table:
    family = kuhn_equilibria(configuration.ante, configuration.bet)
    rows = [
        (
            f"`{action}`",
            target(family, action),
            *(probabilities(study, n, action, configuration).rounded(DECIMALS) for n in ALGORITHMS),
        )
        for action in ACTIONS
    ]
    samples = (study.sample("distance", configuration.game, recipe, LONG) for recipe in ALGORITHMS.values())
    return Table(
        f"Strategies on {configuration}",
        ("action", "equilibria", *ALGORITHMS),
        (*rows, ("distance to them", "0", *(each.rounded(DECIMALS) for each in samples))),
        "The mean ± the standard deviation of one run.",
    )


def target(family: KuhnEquilibria, action: str) -> str:
    """How often an action is chosen in equilibrium."""
    label = action.partition(":")[0]
    if family.regime == "bet = ante" and label in FAMILY:
        return FAMILY[label]
    low, high = family.ranges[label]
    return str(low) if low == high else f"{low} to {high}"
