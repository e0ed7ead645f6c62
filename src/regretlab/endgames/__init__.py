"""Texas Hold'em endgames: two ranges, a pot, stacks and a menu of bet sizes, from flop, turn or river to the end."""

from regretlab.endgames.betting import Deal, Decision, Fold, Showdown, betting_tree
from regretlab.endgames.hand_kinds import KINDS, kinds_of
from regretlab.endgames.libratus import read_libratus
from regretlab.endgames.locks import Lock
from regretlab.endgames.node_view import NodeView, Side
from regretlab.endgames.ranges import Range, read_range
from regretlab.endgames.reader import Reading, read
from regretlab.endgames.reading import holdem, ready_spots, ready_text, spot_fields, template
from regretlab.endgames.spot import Spot, usual_iterations
from regretlab.endgames.strengths import strengths
from regretlab.endgames.writing import written

__all__ = [
    "KINDS",
    "Deal",
    "Decision",
    "Fold",
    "Lock",
    "NodeView",
    "Range",
    "Reading",
    "Showdown",
    "Side",
    "Spot",
    "betting_tree",
    "holdem",
    "kinds_of",
    "read",
    "read_libratus",
    "read_range",
    "ready_spots",
    "ready_text",
    "spot_fields",
    "strengths",
    "template",
    "usual_iterations",
    "written",
]
