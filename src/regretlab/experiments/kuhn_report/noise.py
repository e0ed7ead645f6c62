"""The measure of the study: what it is, what it printed, and what many runs give for it."""

from __future__ import annotations

from collections.abc import Iterator

from regretlab.documents import Section, Table, written
from regretlab.evaluation import kuhn_equilibria
from regretlab.experiments.kuhn_report.judging import printed_errors
from regretlab.experiments.kuhn_report.original import CONFIGURATIONS, ERRORS, SHORT, STANDARD, Configuration
from regretlab.experiments.kuhn_report.study import Sample, Study

MIDDLE = 0.025, 0.975
"""Where 95 of 100 runs are."""

TINY = 0.001
"""What rounding to four decimals leaves of a distance to the right value, and more."""


def its_measure(study: Study) -> Section:
    """What the study called error."""
    cells = list(_cells(study))
    inside = sum(MIDDLE[0] <= found.share_below(figure) <= MIDDLE[1] for *_, figure, found in cells)
    ours, printed = printed_errors(study, "CFR+", SHORT, STANDARD), ERRORS[STANDARD, SHORT]["CFR+"]
    as_near = round(ours.share_below(printed) * len(ours.amounts))
    return Section(
        "What the study measured",
        (
            "Its error is the distance of a final value to its target. The final value is the mean over the last tenth "
            "of the iterations of what player 0 could expect in the deal that had just come: mostly the luck of the "
            f"deals. For CFR+ on {STANDARD} after {SHORT:,} iterations it is {ours} chips; the study printed "
            f"{written(printed)}, and {as_near} of {len(ours.amounts)} runs come as near.",
            f"{inside} of the {len(cells)} printed errors are where the middle 95 % of our runs are: each is one draw.",
            f"Where its target is wrong, a final value that is exactly right has an error of {_floors()}. There one "
            "that is further from the truth can come out ahead.",
        ),
        (_table(cells),),
    )


def _floors() -> str:
    found = ((each, floor(each)) for each in CONFIGURATIONS)
    return " and ".join(f"{value:.4f} on {each}" for each, value in found if value > TINY)


def floor(configuration: Configuration) -> float:
    """How far the target of the study is from the value of the game."""
    return abs(configuration.value - float(kuhn_equilibria(configuration.ante, configuration.bet).value))


def _cells(study: Study) -> Iterator[tuple[Configuration, int, str, float, Sample]]:
    for (configuration, iterations), row in ERRORS.items():
        for name, printed in row.items():
            yield configuration, iterations, name, printed, printed_errors(study, name, iterations, configuration)


def _table(cells: list[tuple[Configuration, int, str, float, Sample]]) -> Table:
    rows = tuple(
        (str(each), f"{iterations:,}", name, f"{printed:.6f}", str(found), f"{found.share_below(printed):.0%}")
        for each, iterations, name, printed, found in cells
    )
    return Table(
        "Its errors in chips, beside the same measure in our runs",
        ("ante, bet", "iterations", "algorithm", "printed", "ours", "runs below the printed"),
        rows,
        "The mean ± the standard deviation of one run, against the targets of the study, right or wrong.",
    )
