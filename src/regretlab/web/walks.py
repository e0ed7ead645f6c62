"""The latest walk of a run: which deal it was on, and by which nodes of the tree it came.

Draws have no state: the same seed, iteration and place give the same number again. So a sampled walk can be followed
once more, with the engine's own draws, from the strategies that were played in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from regretlab.feedback import Ground, Walker, new_ground, new_stream, new_walker, uniform, uniform_at
from regretlab.feedback.chance import draw, new_histories
from regretlab.feedback.outcome import own_move
from regretlab.feedback.walker import chance_move, their_move
from regretlab.forms import Strategy
from regretlab.games import CHANCE, TERMINAL
from regretlab.solving import Recipe
from regretlab.solving.schedule import SCHEDULES, passes
from regretlab.web.scene import Scene

WALKED = ("external", "outcome", "network")
"""Feedbacks whose walks depend on the strategies that were played, and each belong to one player."""


@dataclass(frozen=True)
class Walk:
    """A deal, and the histories below it that a pass came by."""

    deal: str
    histories: tuple[int, ...]
    walker: int | None = None
    """Whose walk it was, where each player has walks of one's own."""


def walks(recipe: Recipe) -> int:
    """How many walks a player has in an iteration."""
    return recipe.settings.traversals if recipe.feedback == "network" else 1


def latest_walk(
    scene: Scene, recipe: Recipe, seed: int, iteration: int, played: Strategy, learned: Strategy
) -> Walk | None:
    """The last walk of an iteration, before which the strategies were ``played`` and after which they are ``learned``.

    Where all deals are walked, another one is shown in each iteration.
    """
    if iteration == 0:
        return None
    if recipe.feedback == "full":
        return _whole_deal(scene, 1 + (iteration - 1) % len(scene.deals))
    if recipe.feedback == "chance":
        histories = new_histories(scene.tree)
        return _whole_deal(scene, int(draw(histories, 0, uniform(seed, iteration, 0))))
    walker = [player for players in passes(SCHEDULES[recipe.schedule], iteration) for player in players][-1]
    # Taking turns, the second one walks against what the first one has just learned.
    theirs = learned if recipe.schedule == "alternating" else played
    # As a 64-bit word, which it is to the kernels: Python's number would be taken for a signed one.
    ground, stream = new_ground(scene.tree), np.uint64(new_stream(seed, iteration * walks(recipe), walker))
    sides = _walker(scene, played, walker), _walker(scene, theirs, 1 - walker)
    epsilon = float(recipe.epsilon) if recipe.feedback == "outcome" else None
    met = _follow(ground, *sides, stream, epsilon)
    return Walk(scene.tree.names[met[1]], tuple(met), walker)


def _whole_deal(scene: Scene, root: int) -> Walk:
    tree, met = scene.tree, [root]
    for history in met:
        met += range(int(tree.children[history]), int(tree.children[history + 1]))
    return Walk(tree.names[root], (0, *met))


def _walker(scene: Scene, strategy: Strategy, player: int) -> Walker:
    """A player who draws from a strategy and leaves no trace."""
    treeplex, behaviour = scene.form.treeplexes[player], strategy.arrays[player].copy()
    return new_walker(player, treeplex.first, behaviour, behaviour, behaviour)


def _follow(ground: Ground, mine: Walker, theirs: Walker, stream: Any, epsilon: float | None) -> list[int]:
    """The histories of one walk: all own actions or, where ``epsilon`` says how they are explored, a drawn one."""
    met = [0]
    for history in met:
        player, children = ground.player[history], ground.children[history : history + 2].tolist()
        if player == CHANCE:
            met.append(int(chance_move(ground, history, stream)))
        elif player == mine.player and epsilon is not None:
            chosen = uniform_at(stream, 2 * history)
            met.append(children[0] + int(own_move(mine, int(ground.infoset[history]), epsilon, chosen)))
        elif player == mine.player:
            met += range(*children)
        elif player != TERMINAL:
            met.append(int(their_move(ground, theirs, history, 0.0, stream)))
    return met
