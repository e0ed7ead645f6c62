"""The loop: what regret minimisation does, in the form to read first.

Each iteration has one or two passes. In a pass the players who learn first see what their actions would have earned
against the other player's strategy; then their regrets take that in, and a new strategy follows.

This text is the only one. As it stands it works on any feedback. For feedbacks that are made of kernels it is compiled
with these in place of ``begin``, ``see`` and ``learn``, and many iterations run without Python between them. Both give
the same numbers to the last bit.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from regretlab.feedback import Feedback, Kernels, Loop
from regretlab.forms.kernel import Floats, kernel, specialised
from regretlab.rules import Step, Update
from regretlab.solving.schedule import PASSES


def begin(feedback: Feedback) -> bool:
    """Whether to begin at all."""
    return True


def see(feedback: Feedback, who: int, step: Step) -> None:
    """Fill in the values that players learn from: bit p of ``who`` is set if player p learns."""
    feedback.see(who, step)


def learn(feedback: Feedback, player: int, update: Update, step: Step) -> None:
    """Let one player learn from what was seen."""
    feedback.learn(player, update, step)


def advance(state: Any, schedule: int, update: Update, steps: Floats) -> None:
    """Go on by one iteration for each row of ``steps``."""
    if not begin(state):
        return
    for k in range(len(steps)):
        row = steps[k]
        step = Step(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9])
        for turn in range(2):
            who = PASSES[schedule, int(step.number) % 2, turn]
            if who:
                see(state, who, step)
            if who & 1:
                learn(state, 0, update, step)
            if who & 2:
                learn(state, 1, update, step)


@cache
def compiled(kernels: Kernels) -> Loop:
    """The loop as one kernel on the state of a feedback."""
    return kernel(specialised(advance, kernels.name, begin=kernels.begin, see=kernels.see, learn=kernels.learn))


def run(feedback: Feedback, schedule: int, update: Update, steps: Floats) -> None:
    """Go on by one iteration for each row of ``steps``, in compiled code where there is any."""
    if not feedback.advance(compiled, schedule, update, steps):
        advance(feedback, schedule, update, steps)
