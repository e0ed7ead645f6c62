"""The loop: what regret minimisation does, in the form to read first.

Each iteration has one or two passes. In a pass the players who learn first see what their actions would have earned
against the other player's strategy; then their regrets take that in, and a new strategy follows. ``fused`` does the
same for many iterations in one kernel.
"""

from __future__ import annotations

from regretlab.forms.kernel import Floats
from regretlab.rules import Step
from regretlab.solving.algorithm import Algorithm
from regretlab.solving.feedback import Feedback
from regretlab.solving.schedule import passes


def advance(feedback: Feedback, algorithm: Algorithm, steps: Floats) -> None:
    """Go on by one iteration for each row of ``steps``."""
    for step in (Step(*row) for row in steps.tolist()):
        for players in passes(algorithm.schedule, int(step.number)):
            feedback.see(players, step)
            for player in players:
                feedback.learn(player, algorithm, step)
