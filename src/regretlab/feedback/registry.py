"""The feedbacks there are: one row each, which says what a feedback is and needs.

Whoever treats feedbacks differently asks the row for a property and never compares names, so that a new feedback is
one file and one row here.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regretlab.feedback.lanes import AnySide
    from regretlab.feedback.protocol import Feedback, Wishes
    from regretlab.forms import AnyForm


_ALL_OWN_ACTIONS = "A walk takes all actions of the player who learns and one draw of everything else."


@dataclass(frozen=True)
class FeedbackKind:
    """Which regrets a rule sees."""

    name: str
    home: str  # the module whose function ``make`` makes it
    words: str  # what an iteration looks at
    on_lanes: bool = False  # games with hands need no histories for it
    in_blocks: bool = False  # it also works in blocks, where cards are turned up one board after the other
    samples: bool = False  # it draws from a seed, so that runs with other seeds differ
    takes_deals: bool = False  # the deals of its iterations can be given instead of drawn
    draws_actions: bool = False  # it walks once per player who learns, and draws moves of players, not of chance alone
    trains: bool = False  # networks stand in place of tables
    changes: tuple[str, ...] = ()  # what is different from seeing all deals, in sentences
    own_moves: str = ""  # where actions are drawn: what a walk does at the decisions of the player who learns
    parts: tuple[str, ...] = ()  # the parts of a recipe that mean something with this feedback only

    def make(self, form: AnyForm, sides: tuple[AnySide, AnySide], wishes: Wishes) -> Feedback:
        """A feedback of this kind for a run. Its module is loaded only now: networks need PyTorch."""
        feedback: Feedback = import_module(self.home).make(form, sides, wishes)
        return feedback


FEEDBACKS = {
    kind.name: kind
    for kind in (
        FeedbackKind(
            "full", "regretlab.feedback.full", "all deals, weighted with their chance probability", on_lanes=True
        ),
        FeedbackKind(
            "chance",
            "regretlab.feedback.chance",
            "one deal, drawn with its probability",
            in_blocks=True,
            samples=True,
            takes_deals=True,
            changes=("An iteration walks one drawn deal instead of all of them.",),
        ),
        FeedbackKind(
            "external",
            "regretlab.feedback.external",
            "for each player who learns all own actions against one draw of everything else",
            samples=True,
            draws_actions=True,
            changes=(_ALL_OWN_ACTIONS,),
            own_moves="tried all own actions",
        ),
        FeedbackKind(
            "outcome",
            "regretlab.feedback.outcome",
            "one history for each player who learns",
            samples=True,
            draws_actions=True,
            changes=("A walk follows a single drawn history.",),
            own_moves="followed one history",
            parts=("epsilon",),
        ),
        FeedbackKind(
            "network",
            "regretlab.deep.feedback",
            "regrets that a network has learned from many walks of external sampling",
            samples=True,
            draws_actions=True,
            trains=True,
            changes=(
                "No table of regrets: walks collect samples into memories of fixed size, and a network, trained on in "
                "each iteration, says from them what every action would have brought.",
                _ALL_OWN_ACTIONS,
            ),
            own_moves="tried all own actions",
            parts=(
                "traversals",
                "capacity",
                "width",
                "layers",
                "training",
                "batch",
                "rate",
                "from_scratch",
                "strategy_network",
            ),
        ),
    )
}
"""By the name that recipes know them by."""
