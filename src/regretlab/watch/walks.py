"""The latest walk of a run: which deal it was on, and by which nodes of the tree it came."""

from __future__ import annotations

from dataclasses import dataclass

from regretlab.feedback import Feedback
from regretlab.forms import Strategy
from regretlab.solving import Recipe
from regretlab.solving.schedule import SCHEDULES, in_force, passes
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
    game: WatchedGame, recipe: Recipe, feedback: Feedback, iteration: int, played: Strategy, learned: Strategy
) -> Walk | None:
    """The last walk of an iteration, before which the strategies were ``played`` and after which they are ``learned``.

    Where all deals are walked, another one is shown in each iteration.
    """
    if iteration == 0:
        return None
    tree, kind, schedule = game.tree, recipe.feedback_kind, SCHEDULES[recipe.schedule]
    if not kind.samples:
        met = [1 + (iteration - 1) % len(game.deals)]
        for history in met:
            met += range(int(tree.children[history]), int(tree.children[history + 1]))
        return Walk(tree.names[met[0]], (0, *met))
    walker = passes(schedule, iteration)[-1][-1]
    zero, one = in_force(schedule, iteration, walker, played, learned)
    met = feedback.look(walker, iteration, (zero.arrays[0], one.arrays[1])).histories.tolist()
    return Walk(tree.names[met[1]], tuple(met), walker if kind.draws_actions else None)
