"""The whole report, section by section."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from regretlab.documents import Section, Table, written
from regretlab.experiments.kuhn_report.choice import what_it_costs, which_when
from regretlab.experiments.kuhn_report.claims import CLAIMS
from regretlab.experiments.kuhn_report.exploitable import with_all_deals, with_sampled_deals
from regretlab.experiments.kuhn_report.judging import Judged, Verdict, losses, mean
from regretlab.experiments.kuhn_report.noise import its_measure
from regretlab.experiments.kuhn_report.original import ALGORITHMS, CONFIGURATIONS, HORIZONS, LONG, STANDARD
from regretlab.experiments.kuhn_report.played import strategies
from regretlab.experiments.kuhn_report.study import BEYOND_LUCK, Study
from regretlab.experiments.plan import plan
from regretlab.experiments.spec import Suite
from regretlab.experiments.store import Store
from regretlab.experiments.tidy import Row, rows_of, runs_of

VERDICTS = "What the original study said and what holds"


@dataclass(frozen=True)
class Findings:
    """Everything that runs have shown, in the order in which it is read."""

    sections: tuple[Section, ...]


def kuhn_report(store: Store, suite: Suite) -> Findings:
    """What the runs of the suite in the store say about the founding study."""
    jobs = plan(suite)
    runs = runs_of(store, jobs)
    if len(runs) < len(jobs):
        missing = f"This part needs all runs of the suite; {len(runs):,} of {len(jobs):,} are there."
        return Findings((Section(VERDICTS, (missing,)),))
    return findings(rows_of(runs))


def findings(rows: Iterable[Row]) -> Findings:
    """The same from the rows that ``experiment`` returns."""
    study = Study(rows)
    judged = {group: [claim(study) for claim in claims] for group, claims in CLAIMS.items()}
    return Findings(
        (
            _in_short(study, judged),
            _claims(judged),
            with_sampled_deals(study),
            with_all_deals(study),
            its_measure(study),
            strategies(study),
            what_it_costs(study),
            which_when(study),
        )
    )


def _in_short(study: Study, judged: Mapping[str, Sequence[Judged]]) -> Section:
    everything = [each for group in judged.values() for each in group]
    right, wrong, noise = (sum(each.verdict is verdict for each in everything) for verdict in Verdict)
    runs = len(losses(study, "CFR", LONG).amounts)
    wrong_targets = [
        f"on {each}, where it is {claim.ours} and not {claim.printed}"
        for each, claim in zip(CONFIGURATIONS, judged["Its targets"], strict=True)
        if claim.verdict is Verdict.WRONG
    ]
    ends = ", ".join(f"{name} {mean(losses(study, name, LONG))}" for name in ALGORITHMS)
    return Section(
        "The founding study in short",
        (
            f"The founding study ran four algorithms on four sizes of Kuhn poker, once each, for {HORIZONS[0]:,} and "
            f"{HORIZONS[1]:,} iterations, and drew conclusions from how far a noisy value was from a target. Here the "
            f"same algorithms run {runs} times each and are judged by their exploitability, which needs no target.",
            f"Of {len(everything)} claims and recommendations {right} hold, {wrong} are wrong and {noise} are noise.",
            f"The value of the game that it compared with is wrong {', and '.join(wrong_targets) or 'nowhere'}.",
            f"After {LONG:,} iterations on {STANDARD} the four have, in milli-chips: {ends}.",
        ),
    )


def _claims(judged: Mapping[str, Sequence[Judged]]) -> Section:
    return Section(
        VERDICTS,
        (
            "Right: the runs show the same, and about as much of it (within a factor of two). Wrong: they show the "
            "opposite, or something else that luck does not explain. Noise: they show neither; what was printed is the "
            f"luck of one run. Beyond luck is what is more than {written(BEYOND_LUCK)} standard errors away.",
        ),
        tuple(_table(group, found) for group, found in judged.items()),
    )


def _table(group: str, judged: Sequence[Judged]) -> Table:
    return Table(
        group,
        ("what it said", "its figure", "ours", "verdict", "why"),
        tuple((each.claim, each.printed, each.ours, str(each.verdict), each.reason) for each in judged),
    )
