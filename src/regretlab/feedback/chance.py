"""Chance sampling: an iteration walks one deal instead of all of them.

At each chance history one outcome is drawn with its probability and all actions of both players are walked below it,
so the counterfactual values carry the opponent's reach and no chance probability; their expectation is the full
traversal's. Zinkevich, Johanson, Bowling, Piccione (2007) trained this way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError, unknown
from regretlab.feedback.blocks import BlockFeedback
from regretlab.feedback.draws import uniform
from regretlab.feedback.protocol import (
    Behaviours,
    CompiledFeedback,
    Feedback,
    Kernels,
    Sight,
    Wishes,
    at_once,
    histories_of,
    only_where,
)
from regretlab.feedback.side import Side, Touched, fade, learn_where_touched, new_touched, note
from regretlab.forms import AnyForm, BlockForm, SequenceForm, Tree
from regretlab.forms.kernel import Floats, Indices, inlined_kernel, kernel, specialised
from regretlab.games import CHANCE, TERMINAL
from regretlab.rules import PLAIN_STEP, Step, Update


class Histories(NamedTuple):
    """The tree's columns, see ``forms.tree``, and room for what one walk meets."""

    children: Indices
    player: NDArray[np.int8]
    infoset: Indices
    probability: Floats
    payoff: Floats
    theirs: Floats  # player 1's payoff, where the game is not zero-sum
    met: Indices  # (histories,) the histories of this walk, parents before children: the first ``size[0]`` of it
    size: Indices  # (1,)
    below: Indices  # (histories,) where in ``met`` the children of each begin
    reach_zero: Floats  # (histories,) player 0's reach of each
    reach_one: Floats  # (histories,) player 1's reach of each
    value: Floats  # (histories,) player 0's expected payoff from each
    walked: Floats  # (2,) how many walks there were, and player 0's expected payoff at their roots, summed


class Seen(NamedTuple):
    """What one player sees of a walk: the values of the actions where it was, and how it got there."""

    first: Indices  # (infosets + 1,) of the treeplex
    strategy: Floats  # (sequences,) read
    values: Floats  # (sequences,) counterfactual values, written where the walk came by
    reach: Floats  # (infosets,) the player's own reach, written where the walk came by
    touched: Touched  # where the walk came by
    marked: NDArray[np.bool_]  # (infosets,) whether it did


def new_histories(tree: Tree) -> Histories:
    """The tree's columns with room for a walk."""
    size = tree.histories
    return Histories(
        tree.children,
        tree.player,
        tree.infoset,
        tree.probability,
        tree.payoff,
        tree.payoff if tree.theirs is None else tree.theirs,
        met=np.zeros(size, dtype=np.uint32),
        size=np.zeros(1, dtype=np.uint32),
        below=np.zeros(size, dtype=np.uint32),
        reach_zero=np.zeros(size),
        reach_one=np.zeros(size),
        value=np.zeros(size),
        walked=np.zeros(2),
    )


def new_seen(first: Indices, strategy: Floats, values: Floats) -> Seen:
    """A player's view that shares ``strategy`` and ``values`` with whoever learns from it."""
    infosets = len(first) - 1
    marked = np.zeros(infosets, dtype=np.bool_)
    return Seen(first, strategy, values, np.zeros(infosets), new_touched(infosets), marked)


@kernel
def forget(seen: Seen) -> None:
    """Clear the marks of the walk before."""
    for k in range(seen.touched.size[0]):
        seen.marked[seen.touched.order[k]] = False
    seen.touched.size[0] = 0


@kernel
def touch(seen: Seen, infoset: int, reach: float) -> None:
    """Note that the walk came by an information set; perfect recall gives all its histories the same own reach."""
    if seen.marked[infoset]:
        return
    seen.marked[infoset] = True
    note(seen.touched, infoset)
    seen.reach[infoset] = reach
    for s in range(seen.first[infoset], seen.first[infoset + 1]):
        seen.values[s] = 0.0


@kernel
def draw(tree: Histories, history: int, chosen: float) -> int:
    """The outcome of a chance history for a number in [0, 1)."""
    last = tree.children[history + 1] - 1
    for outcome in range(tree.children[history], last):
        chosen -= tree.probability[outcome]
        if chosen < 0.0:
            return outcome
    return last  # type: ignore[no-any-return]


@kernel
def walk_down(tree: Histories, zero: Seen, one: Seen, seed: int, iteration: int, deals: Indices) -> int:
    """Collect the histories of one walk with both players' reach; return how many there are.

    ``deals``, where it is not empty, holds the outcome at the root for each iteration in place of a random one.
    """
    tree.met[0], tree.reach_zero[0], tree.reach_one[0] = 0, 1.0, 1.0
    count = 1
    k = 0
    while k < count:
        history = tree.met[k]
        player = tree.player[history]
        tree.below[k] = count
        if player == CHANCE:
            if history == 0 and len(deals) > 0:
                tree.met[count] = tree.children[0] + deals[iteration - 1]
            else:
                tree.met[count] = draw(tree, history, uniform(seed, iteration, history))
            tree.reach_zero[count], tree.reach_one[count] = tree.reach_zero[k], tree.reach_one[k]
            count += 1
        elif player != TERMINAL:
            infoset = tree.infoset[history]
            mine = zero if player == 0 else one
            touch(mine, infoset, tree.reach_zero[k] if player == 0 else tree.reach_one[k])
            for a in range(tree.children[history + 1] - tree.children[history]):
                probability = mine.strategy[mine.first[infoset] + a]
                tree.met[count] = tree.children[history] + a
                tree.reach_zero[count] = tree.reach_zero[k] * (probability if player == 0 else 1.0)
                tree.reach_one[count] = tree.reach_one[k] * (probability if player == 1 else 1.0)
                count += 1
        k += 1
    tree.size[0] = count
    return count


@kernel
def walk_up(tree: Histories, zero: Seen, one: Seen, count: int) -> None:
    """From the leaves to the root: the value of each history, and what both players' actions earned."""
    for back in range(count):
        k = count - 1 - back
        history, below = tree.met[k], tree.below[k]
        player = tree.player[history]
        if player == TERMINAL:
            tree.value[k] = tree.payoff[history]
        elif player == CHANCE:
            tree.value[k] = tree.value[below]
        else:
            mine = zero if player == 0 else one
            opponent = tree.reach_one[k] if player == 0 else -tree.reach_zero[k]
            start = mine.first[tree.infoset[history]]
            value = 0.0
            for a in range(tree.children[history + 1] - tree.children[history]):
                value += mine.strategy[start + a] * tree.value[below + a]
                mine.values[start + a] += opponent * tree.value[below + a]
            tree.value[k] = value


@kernel
def walk_up_for(tree: Histories, player: int, payoff: Floats, zero: Seen, one: Seen, count: int) -> None:
    """From the leaves to the root: what each history is worth to one player, and what that player's actions earned."""
    for back in range(count):
        k = count - 1 - back
        history, below = tree.met[k], tree.below[k]
        mover = tree.player[history]
        if mover == TERMINAL:
            tree.value[k] = payoff[history]
        elif mover == CHANCE:
            tree.value[k] = tree.value[below]
        else:
            mine = zero if mover == 0 else one
            opponent = tree.reach_one[k] if mover == 0 else tree.reach_zero[k]
            start = mine.first[tree.infoset[history]]
            value = 0.0
            for a in range(tree.children[history + 1] - tree.children[history]):
                value += mine.strategy[start + a] * tree.value[below + a]
                if mover == player:
                    mine.values[start + a] += opponent * tree.value[below + a]
            tree.value[k] = value


@kernel
def walk_up_for_each(tree: Histories, zero: Seen, one: Seen, count: int) -> None:
    """What ``walk_up`` does where the game is not zero-sum: once for each player; player 0's values are left."""
    walk_up_for(tree, 1, tree.theirs, zero, one, count)
    walk_up_for(tree, 0, tree.payoff, zero, one, count)


climb: Any = walk_up
"""(tree, zero, one, count): how values come up from the leaves. Games that are not zero-sum have their own way."""


def sample_text(tree: Histories, zero: Seen, one: Seen, seed: int, iteration: int, deals: Indices) -> float:
    """Walk one deal; both players' views are overwritten. Returns player 0's expected payoff in it."""
    forget(zero)
    forget(one)
    climb(tree, zero, one, walk_down(tree, zero, one, seed, iteration, deals))
    tree.walked[0] += 1.0
    tree.walked[1] += tree.value[0]
    return tree.value[0]  # type: ignore[no-any-return]


sample_chance = kernel(sample_text)


class ChanceState(NamedTuple):
    """Both players, what each of them sees of the deal, and where deals come from."""

    zero: Side
    one: Side
    seen_zero: Seen
    seen_one: Seen
    tree: Histories
    seed: int
    deals: Indices  # outcomes at the root in place of random ones, one for each iteration; empty if they are drawn


def see_text(state: ChanceState, who: int, step: Step) -> None:
    """Walk the deal of this iteration; both players see it, whoever learns. A second pass walks the same deal."""
    sample_chance(state.tree, state.seen_zero, state.seen_one, state.seed, int(step.number), state.deals)


see_chance = inlined_kernel(see_text)
see_for_each = inlined_kernel(
    specialised(
        see_text, "for_each", sample_chance=kernel(specialised(sample_text, "for_each", climb=walk_up_for_each))
    )
)


@inlined_kernel
def learn_chance(state: ChanceState, player: int, update: Update, step: Step) -> None:
    """Let a player learn where the walk came by."""
    if player == 0:
        learn_from_deal(state.zero, state.seen_zero, update, step)
    else:
        learn_from_deal(state.one, state.seen_one, update, step)


@kernel
def learn_from_deal(mine: Side, seen: Seen, update: Update, step: Step) -> None:
    """Only the information sets that the walk came by learn and count in the average.

    Their values are complete already. They stand parents before children in ``touched``, so what a child hands up
    comes after its parent has learned, and is cleared when a walk next comes by. What fades, fades everywhere.
    """
    fade(mine.total, step.fade, step.fade)
    for k in range(seen.touched.size[0]):
        i = seen.touched.order[k]
        for s in range(mine.first[i], mine.first[i + 1]):
            mine.total[s] += step.weight * seen.reach[i] * mine.strategy[s]
    learn_where_touched(mine, seen.touched, update, step)


CHANCE_SAMPLING = Kernels("chance", see_chance, learn_chance, at_once)
CHANCE_SAMPLING_FOR_EACH = Kernels("chance_for_each", see_for_each, learn_chance, at_once)


class ChanceFeedback(CompiledFeedback):
    """One deal per iteration, drawn with its probability, or taken from a given list."""

    def __init__(self, form: SequenceForm, sides: tuple[Side, Side], seed: int, deals: Sequence[str]) -> None:
        self._tree = histories_of(form)
        zero, one = sides
        seen_zero, seen_one = (new_seen(side.first, side.strategy, side.values) for side in sides)
        histories, outcomes = new_histories(self._tree), read_deals(self._tree, deals)
        self.size = float(max(abs(histories.payoff).max(), abs(histories.theirs).max()))
        self.kernels = CHANCE_SAMPLING if form.zero_sum else CHANCE_SAMPLING_FOR_EACH
        self.state = ChanceState(zero, one, seen_zero, seen_one, histories, seed, outcomes)

    @property
    def walked(self) -> tuple[int, float]:
        """How many deals were walked, and the sum of what player 0 expected in them when they were."""
        walks, earned = self.state.tree.walked.tolist()
        return int(walks), earned

    def look(self, player: int, iteration: int, behaviours: Behaviours) -> Sight:
        """The histories of the iteration's deal, and what actions earned in them."""
        zero, one = self.state.zero, self.state.one
        seen = [
            new_seen(side.first, behaviour.copy(), np.zeros_like(behaviour))
            for side, behaviour in zip((zero, one), behaviours, strict=True)
        ]
        tree = new_histories(self._tree)
        aside = self.state._replace(seen_zero=seen[0], seen_one=seen[1], tree=tree)
        self.kernels.see(aside, 1 << player, PLAIN_STEP._replace(number=float(iteration)))
        mine = seen[player]
        touched = mine.touched.order[: mine.touched.size[0]]
        return Sight(np.sort(tree.met[: tree.size[0]]), only_where(touched, mine.first, mine.values))


def read_deals(tree: Tree, deals: Sequence[str]) -> Indices:
    """The outcomes at the root that names such as ``JQ`` stand for."""
    if deals and tree.player[0] != CHANCE:
        raise UserError("deals were given, but the game does not begin with one")
    names = tree.names[int(tree.children[0]) : int(tree.children[1])]
    numbers = {name: number for number, name in enumerate(names)}
    for deal in deals:
        if deal not in numbers:
            raise unknown("deal", deal, names)
    return np.array([numbers[deal] for deal in deals], dtype=np.uint32)


def make(form: AnyForm, sides: tuple[Any, Any], wishes: Wishes) -> Feedback:
    """With random or given deals; in blocks all hands are dealt, and what is drawn are the cards that are turned up."""
    if isinstance(form, BlockForm):
        if wishes.linear:
            raise UserError(
                f"{form.name}: discounts fade all regrets in every iteration, and boards that were not drawn are not "
                "looked at; with feedback=chance take cfr+ or another recipe without discounts"
            )
        if wishes.deals:
            raise UserError(f"{form.name}: deals can't be given in blocks, where all hands are dealt at once")
        return BlockFeedback(form, sides, wishes, draws=True)
    assert isinstance(form, SequenceForm)
    return ChanceFeedback(form, sides, wishes.seed, wishes.deals)
