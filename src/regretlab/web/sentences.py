"""What the bot is doing now, in a sentence."""

from __future__ import annotations

from regretlab.solving import Recipe
from regretlab.solving.schedule import SCHEDULES, passes
from regretlab.web.scene import Scene
from regretlab.web.walks import Walk

BEFORE = "Nothing has been learned yet: every action is a coin flip."


def sentence(scene: Scene, recipe: Recipe, iteration: int, walk: Walk | None) -> str:
    """Who has learned from what in the iteration that has just ended."""
    if walk is None:
        return BEFORE
    return f"Iteration {iteration:,}: {_happened(scene, recipe, iteration, walk)}"


def _happened(scene: Scene, recipe: Recipe, iteration: int, walk: Walk) -> str:
    if walk.walker is not None:
        return _walked(recipe, walk)
    deals = f"all {len(scene.deals)} deals" if recipe.feedback == "full" else f"the deal {_spoken(walk.deal)}"
    learning = passes(SCHEDULES[recipe.schedule], iteration)
    if recipe.schedule == "simultaneous":
        return f"both players learned from {deals}, each against the other's old strategy."
    if recipe.schedule == "alternating":
        return f"player 1 learned from {deals}, then player 2 against player 1's new strategy."
    (learner,) = learning[0]
    return f"player {learner + 1} learned from {deals}; player {2 - learner} takes the next turn."


def _walked(recipe: Recipe, walk: Walk) -> str:
    assert walk.walker is not None
    if recipe.feedback == "network":
        return _trained(recipe, walk)
    learner, other = walk.walker + 1, 2 - walk.walker
    own = "tried all own actions" if recipe.feedback == "external" else "followed one history"
    return f"player {learner} {own} on the deal {_spoken(walk.deal)}, with player {other}'s moves drawn, and learned."


def _trained(recipe: Recipe, walk: Walk) -> str:
    assert walk.walker is not None
    walks, steps = recipe.settings.traversals, recipe.settings.training
    return (
        f"player 1, then player 2, collected samples in {walks:,} walks and trained the network on the memory in "
        f"{steps:,} steps. The last walk, player {walk.walker + 1}'s, was on the deal {_spoken(walk.deal)}."
    )


def _spoken(deal: str) -> str:
    return f"{deal[0]} against {deal[1]}"
