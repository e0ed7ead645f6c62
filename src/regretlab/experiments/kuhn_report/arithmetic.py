"""What the study said that needs no runs to be judged."""

from __future__ import annotations

from regretlab.documents import written
from regretlab.experiments.kuhn_report.judging import Judged, holds
from regretlab.experiments.kuhn_report.study import Study
from regretlab.forms import as_form
from regretlab.games import TERMINAL
from regretlab.solving import learner


def states(study: Study) -> Judged:
    """How large the game is."""
    form = as_form("kuhn")
    assert form.tree is not None
    endings = int((form.tree.player == TERMINAL).sum())
    return Judged(
        "Kuhn poker has 12 states",
        "12",
        f"{form.tree.histories}",
        holds(form.tree.histories == 12),
        f"it has {form.tree.histories} histories, {endings} of them endings, in {form.infosets} information sets",
    )


def zero_regret(study: Study) -> Judged:
    """Three actions that lose 0, 1 and 2 have the regrets 1, 0 and −1."""
    strategy = learner("cfr", actions=3).observe([0.0, 1.0, 2.0]).tolist()
    return Judged(
        "In CFR an action without regret gets a uniform share",
        "a share",
        written(strategy[1]),
        holds(strategy[1] > 0),
        f"regrets of 1, 0 and −1 give {', '.join(map(written, strategy))}; all is uniform only where none is positive",
    )


def ordering(study: Study) -> Judged:
    """Losses of 0, 1 and 5 leave the regrets 2, 1 and −3; those of 0, 1 and 8 leave 3, 2 and −5."""
    first, second = (learner("normalhedge", actions=3).observe([0.0, 1.0, last]).tolist()[0] for last in (5.0, 8.0))
    return Judged(
        "To NormalHedge only the order of the regrets matters",
        "–",
        f"{written(first)} and {written(second)}",
        holds(first == second),
        "what regrets of 2, 1, −3 and of 3, 2, −5 give the first action; what does not matter is their scale",
    )
