"""The latest walk of a run: which deal it was on, and by which nodes of the tree it came.

Draws have no state: the same seed, iteration and place give the same number again. So a sampled walk can be followed
once more, with the engine's own draws, from the strategies that were played in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from regretlab.feedback.chance import draw, new_histories
from regretlab.feedback.draws import new_stream, uniform, uniform_at
from regretlab.feedback.outcome import own_move
from regretlab.feedback.walker import Ground, Walker, chance_move, new_ground, new_walker, their_move
from regretlab.forms import Strategy
from regretlab.games import CHANCE, TERMINAL
from regretlab.solving import Recipe
from regretlab.solving.schedule import SCHEDULES, passes
from regretlab.watch.watched_game import WatchedGame


@dataclass(frozen=True)
class Walk:
    """A deal, and the histories below it that a pass came by."""

    deal: str
    histories: tuple[int, ...]
    walker: int | None = None
    """Whose walk it was, where each player has walks of one's own."""


def walks_per_player(recipe: Recipe) -> int:
    """How many walks each player who learns has in an iteration, where actions are drawn."""
    return recipe.settings.traversals if recipe.feedback_kind.trains else 1


def latest_walk(
    game: WatchedGame, recipe: Recipe, seed: int, iteration: int, played: Strategy, learned: Strategy
) -> Walk | None:
    """The last walk of an iteration, before which the strategies were ``played`` and after which they are ``learned``.

    Where all deals are walked, another one is shown in each iteration.
    """
    if iteration == 0:
        return None
    kind = recipe.feedback_kind
    if not kind.draws_actions:
        drawn = draw(new_histories(game.tree), 0, uniform(seed, iteration, 0)) if kind.samples else None
        deal = 1 + (iteration - 1) % len(game.deals) if drawn is None else int(drawn)
        return Walk(game.tree.names[deal], (0, *_below(game, deal)))
    walker = [player for players in passes(SCHEDULES[recipe.schedule], iteration) for player in players][-1]
    # Taking turns, the second one walks against what the first one has just learned.
    theirs = learned if recipe.schedule == "alternating" else played
    # As a 64-bit word, which it is to the kernels: Python's number would be taken for a signed one.
    ground, stream = new_ground(game.tree), np.uint64(new_stream(seed, iteration * walks_per_player(recipe), walker))
    sides = _walker(game, played, walker), _walker(game, theirs, 1 - walker)
    epsilon = float(recipe.epsilon) if "epsilon" in kind.parts else None
    met = _follow(ground, *sides, stream, epsilon)
    return Walk(game.tree.names[met[1]], tuple(met), walker)


def _below(game: WatchedGame, root: int) -> list[int]:
    """All histories of a deal."""
    children, met = game.tree.children, [root]
    for history in met:
        met += range(int(children[history]), int(children[history + 1]))
    return met


def _walker(game: WatchedGame, strategy: Strategy, player: int) -> Walker:
    """A player who draws from a strategy and leaves no trace."""
    treeplex, behaviour = game.form.treeplexes[player], strategy.arrays[player].copy()
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
