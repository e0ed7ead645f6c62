"""The loop: what regret minimisation does, in the form to read first.

Each iteration has one or two passes. In a pass the players who learn first see what their actions would have earned
against the other player's strategy; then their regrets take that in, and a new strategy follows. ``fused`` does the
same for many iterations in one kernel.
"""

from __future__ import annotations

from regretlab.forms.kernel import Floats
from regretlab.solve.feedback import Feedback
from regretlab.solve.recipe import Recipe
from regretlab.solve.schedule import passes


def advance(feedback: Feedback, recipe: Recipe, iteration: int, weights: Floats) -> None:
    """Go on from ``iteration`` by one iteration for each weight of the average."""
    schedule, accumulate, weigh = recipe.kinds
    for number, weight in enumerate(weights, start=iteration + 1):
        for players in passes(schedule, number):
            feedback.see(players, number)
            for player in players:
                feedback.learn(player, accumulate, weigh, weight)
