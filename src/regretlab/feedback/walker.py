"""What the walks of external and of outcome sampling share: the ground that they go over, and how moves are drawn.

A walk belongs to one player, who learns from it: it notes what this player earned where the game ended, and the pass
that follows makes counterfactual values of that. The *other* player's moves are drawn from the strategy that is played
now, so the walk comes by each of that player's decisions as often as the player does. There it counts the strategy in
the average. A walk is a lesson for one player and a sample of the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.feedback.draws import new_stream, uniform_at
from regretlab.feedback.protocol import Behaviours, CompiledFeedback, Kernels, Sight, only_where
from regretlab.feedback.side import Side, Touched, fade, learn_where_touched, new_touched, note, turn_round
from regretlab.forms import Tree
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel, specialised
from regretlab.forms.passes import expected_value
from regretlab.games import CHANCE
from regretlab.rules import PLAIN_STEP, Step, Update


class Ground(NamedTuple):
    """The tree's columns, see ``forms.tree``, and room for the branches that a walk has to come back to."""

    children: Indices
    player: NDArray[np.int8]
    infoset: Indices
    before: Floats  # (histories,) the probability that chance takes an outcome that stands before this one
    payoff: Floats  # player 0's
    theirs: Floats  # player 1's, up to the sign: in zero-sum games the same array, which need not be kept twice
    sign: float
    waiting: Indices  # (depth × actions,) the histories to come back to
    sequence: Indices  # (depth × actions,) the walking player's own last sequence at each of them
    met: Indices  # (histories,) the histories of the last walk: the first ``size[0]`` of it
    size: Indices  # (1,)


class Walker(NamedTuple):
    """One player: what own walks see, and what the other player's walks count."""

    player: int
    first: Indices  # (infosets + 1,) of the treeplex
    strategy: Floats  # (sequences,) read
    values: Floats  # (sequences,) what own walks earned where the game ended, written where the last one came by
    total: Floats  # (sequences,) the average, which grows where the other player's walks come by
    touched: Touched  # where the last own walk came by


def new_ground(tree: Tree) -> Ground:
    """The tree's columns with room for a walk."""
    before = np.zeros(tree.histories)
    sum_before(tree.children, tree.player, tree.probability, before)
    room = np.zeros(depth(tree) * int(np.diff(tree.children).max()), dtype=np.uint32)
    met, size = np.zeros(tree.histories, dtype=np.uint32), np.zeros(1, dtype=np.uint32)
    theirs, sign = (tree.payoff, -1.0) if tree.theirs is None else (tree.theirs, 1.0)
    columns = tree.children, tree.player, tree.infoset, before, tree.payoff, theirs, sign
    return Ground(*columns, room, room.copy(), met, size)


def depth(tree: Tree) -> int:
    """How many moves the longest history has; level by level, because the tree is breadth-first."""
    low, high, moves = 0, 1, -1
    while low < high:
        low, high, moves = int(tree.children[low]), int(tree.children[high]), moves + 1
    return moves


@kernel
def sum_before(children: Indices, player: NDArray[np.int8], probability: Floats, before: Floats) -> None:
    """For each outcome of chance the sum of the probabilities of those that stand before it."""
    for history in range(len(player)):
        if player[history] == CHANCE:
            for outcome in range(children[history] + 1, children[history + 1]):
                before[outcome] = before[outcome - 1] + probability[outcome - 1]


def new_walker(player: int, first: Indices, strategy: Floats, values: Floats, total: Floats) -> Walker:
    """A player that shares arrays with whoever learns."""
    return Walker(player, first, strategy, values, total, new_touched(len(first) - 1))


def new_walkers(sides: tuple[Side, Side]) -> tuple[Walker, Walker]:
    """Both players of a run as walkers."""
    zero, one = (
        new_walker(player, side.first, side.strategy, side.values, side.total) for player, side in enumerate(sides)
    )
    return zero, one


@inlined_kernel
def set_out(mine: Walker) -> None:
    """Begin a walk; the empty sequence has no information set that would clear its value."""
    mine.touched.size[0] = 0
    mine.values[0] = 0.0


@inlined_kernel
def arrive(mine: Walker, infoset: int) -> None:
    """Come by an own information set, where nothing has been earned yet.

    That happens once in a walk: perfect recall fixes the own actions before it, and the draws everything else.
    """
    note(mine.touched, infoset)
    for s in range(mine.first[infoset], mine.first[infoset + 1]):
        mine.values[s] = 0.0


@inlined_kernel
def earned(ground: Ground, mine: Walker, history: int) -> float:
    """What the walking player wins at the end of the game."""
    return ground.payoff[history] if mine.player == 0 else ground.sign * ground.theirs[history]  # type: ignore[no-any-return]


@inlined_kernel
def chance_move(ground: Ground, history: int, stream: int) -> int:
    """Draw the history after a chance history. Where all outcomes are equally likely, the first guess is right."""
    chosen = uniform_at(stream, 2 * history)
    first, last = ground.children[history], ground.children[history + 1] - 1
    child = first + int(chosen * (last + 1 - first))
    while ground.before[child] > chosen:
        child -= 1
    while child < last and ground.before[child + 1] <= chosen:
        child += 1
    return child  # type: ignore[no-any-return]


@inlined_kernel
def their_move(ground: Ground, theirs: Walker, history: int, weight: float, stream: int) -> int:
    """Draw the history after one of the other player's, and count the strategy in that player's average.

    The draw belongs to the information set: in one walk the other player does the same at all of its histories.
    """
    infoset = ground.infoset[history]
    chosen = uniform_at(stream, 2 * infoset + 1)
    child, passed = ground.children[history], 0.0
    for s in range(theirs.first[infoset], theirs.first[infoset + 1]):
        theirs.total[s] += weight * theirs.strategy[s]
        passed += theirs.strategy[s]
        child += passed <= chosen
    return min(child, ground.children[history + 1] - 1)  # type: ignore[no-any-return]


@inlined_kernel
def pass_by(ground: Ground, history: int) -> None:
    """Leave no trace of a history: what runs of many walks do."""


@inlined_kernel
def record(ground: Ground, history: int) -> None:
    """Note a history that the walk comes by, in place of ``pass_by``, for those who want to see the walk."""
    ground.met[ground.size[0]] = history
    ground.size[0] += 1


walk: Any = None
"""(state, mine, theirs, weight, stream): how a walk goes. External and outcome sampling put theirs in place of this."""


def see_by_walk(state: Any, who: int, step: Step) -> None:
    """The text of a look: a walk for each player who learns, in which the other one's average fades and grows.

    Each walk has draws of its own.
    """
    if who & 1:
        fade(state.walker_one.total, step.fade, step.fade)
        walk(state, state.walker_zero, state.walker_one, step.weight, new_stream(state.seed, int(step.number), 0))
    if who & 2:
        fade(state.walker_zero.total, step.fade, step.fade)
        walk(state, state.walker_one, state.walker_zero, step.weight, new_stream(state.seed, int(step.number), 1))


def see_kernel(name: str, one_walk: Callable[..., None], **walk: Any) -> Any:
    """The kernel ``see`` made of the text of one walk over the ground of a run, with this way to walk."""
    return inlined_kernel(specialised(see_by_walk, name, walk=inlined_kernel(specialised(one_walk, name, **walk))))


@inlined_kernel
def learn_by_walk(state: Any, player: int, update: Update, step: Step) -> None:
    """Let a player learn where the own walk came by."""
    if player == 0:
        learn_from_walk(state.zero, state.walker_zero.touched, update, step)
    else:
        learn_from_walk(state.one, state.walker_one.touched, update, step)


@inlined_kernel
def learn_from_walk(mine: Side, touched: Touched, update: Update, step: Step) -> None:
    """Learn after a player's own walk, which has noted in ``mine.values`` what was earned where the game ended.

    That becomes counterfactual values on the way up, so children stand before their parents. The average has been
    counted by the other player's walk.
    """
    turn_round(touched)
    learn_where_touched(mine, touched, update, step)


class WalkFeedback(CompiledFeedback):
    """A walk for each player who learns. The kernels say how it goes; the state has walkers and their ground."""

    def __init__(self, kernels: Kernels, recording: Any, state: Any) -> None:
        self.kernels, self.state = kernels, state
        self.size = float(max(abs(state.ground.payoff).max(), abs(state.ground.theirs).max()))
        self._recording = recording  # the kernel ``see`` with walks that record by which histories they come

    def look(self, player: int, iteration: int, behaviours: Behaviours) -> Sight:
        """The histories by which the player's walk comes, and what the player's actions earn in it."""
        return look_at_walk(self._recording, self.state, player, iteration, behaviours)


def look_at_walk(recording: Any, state: Any, player: int, iteration: int, behaviours: Behaviours) -> Sight:
    """What a walk of one player looks at, walked by the kernels on arrays of its own, so that the run does not change.

    Draws have no state: the same seed, iteration and place give the same number again.
    """
    sides = state.zero, state.one
    zero, one = (
        new_walker(
            p, sides[p].first, behaviours[p].copy(), np.zeros_like(sides[p].values), np.zeros_like(sides[p].total)
        )
        for p in (0, 1)
    )
    state.ground.size[0] = 0
    recording(
        state._replace(walker_zero=zero, walker_one=one), 1 << player, PLAIN_STEP._replace(number=float(iteration))
    )
    side, mine, ground = sides[player], (zero, one)[player], state.ground
    expected_value(side.parent, side.first, mine.strategy, mine.values)
    touched = mine.touched.order[: mine.touched.size[0]]
    return Sight(np.sort(ground.met[: ground.size[0]]), only_where(touched, side.first, mine.values))
