"""Outcome sampling: a walk follows one history from the root to an end of the game.

Lanctot, Waugh, Zinkevich, Bowling (2009), "Monte Carlo Sampling for Regret Minimization in Extensive Games".

The walking player i draws own actions with q(a) = ε/N + (1 − ε) σ(a), N being their number, so that every action is
tried; chance and the other player draw from their own probabilities. Let qᵢ(h) be the product of the q of i's actions
before h. A walk then comes by h with probability π₋ᵢ(h) qᵢ(h).

**Values.** The end z that the walk comes to makes u(z) / qᵢ(z) the value of i's last sequence. On average that is
Σ_z π₋ᵢ(z) u(z), the gradient of full feedback: the reach of everybody else cancels against the probability of the draw.
The pass from the leaves makes π₋ᵢ(h) u(z) π(ha, z) / q(z) of it for each own action a on the way, and 0 for the actions
that were not taken: the sampled counterfactual values of the paper.

**Average.** The other player j is counted at each of j's histories h on the way with weight w(t) / qᵢ(h). The walk
comes by with probability π_c(h) π_j(h) qᵢ(h), so an information set I is counted w(t) · π_j(I) · Σ_h π_c(h) times on
average: own reach × a constant, as in external sampling. Counting the walking player instead, with own reach /
probability of the walk, is right only while the other player leaves no history of I out, and its weights have no bound.
"""

from __future__ import annotations

from typing import NamedTuple

from regretlab.feedback.draws import uniform_at
from regretlab.feedback.protocol import Feedback, Kernels, Wishes, at_once, histories_of
from regretlab.feedback.side import Side
from regretlab.feedback.walker import (
    Ground,
    Walker,
    WalkFeedback,
    arrive,
    chance_move,
    earned,
    learn_by_walk,
    new_ground,
    new_walkers,
    pass_by,
    record,
    see_kernel,
    set_out,
    their_move,
)
from regretlab.forms import SequenceForm
from regretlab.forms.kernel import inlined_kernel, specialised
from regretlab.games import CHANCE, TERMINAL


@inlined_kernel
def explored(mine: Walker, infoset: int, action: int, epsilon: float) -> float:
    """q, the probability with which the walking player draws an own action."""
    first, actions = mine.first[infoset], mine.first[infoset + 1] - mine.first[infoset]
    return epsilon / actions + (1.0 - epsilon) * mine.strategy[first + action]  # type: ignore[no-any-return]


@inlined_kernel
def own_move(mine: Walker, infoset: int, epsilon: float, chosen: float) -> int:
    """Draw an own action for a number in [0, 1)."""
    action, passed = 0, 0.0
    for a in range(mine.first[infoset + 1] - mine.first[infoset] - 1):
        passed += explored(mine, infoset, a, epsilon)
        action += passed <= chosen
    return action


def walk_text(ground: Ground, mine: Walker, theirs: Walker, epsilon: float, weight: float, stream: int) -> None:
    """Walk for ``mine``; ``theirs`` is counted in the average with ``weight`` / qᵢ at each visit."""
    set_out(mine)
    history, own, sampled = 0, 0, 1.0
    pass_by(ground, history)
    while ground.player[history] != TERMINAL:
        player = ground.player[history]
        if player == mine.player:
            infoset = ground.infoset[history]
            arrive(mine, infoset)
            action = own_move(mine, infoset, epsilon, uniform_at(stream, 2 * history))
            sampled *= explored(mine, infoset, action, epsilon)
            history, own = ground.children[history] + action, mine.first[infoset] + action
        elif player == CHANCE:
            history = chance_move(ground, history, stream)
        else:
            history = their_move(ground, theirs, history, weight / sampled, stream)
        pass_by(ground, history)
    mine.values[own] = earned(ground, mine, history) / sampled


walk_outcome = inlined_kernel(walk_text)


class OutcomeState(NamedTuple):
    """Both players as learners and as walkers, the ground that they walk over, and how much they explore."""

    zero: Side
    one: Side
    walker_zero: Walker
    walker_one: Walker
    ground: Ground
    seed: int
    epsilon: float


def one_walk(state: OutcomeState, mine: Walker, theirs: Walker, weight: float, stream: int) -> None:
    """A walk over the ground of a run."""
    walk_outcome(state.ground, mine, theirs, state.epsilon, weight, stream)


OUTCOME = Kernels("outcome", see_kernel("outcome", one_walk, walk_outcome=walk_outcome), learn_by_walk, at_once)
RECORDING = see_kernel(
    "outcome_recording",
    one_walk,
    walk_outcome=inlined_kernel(specialised(walk_text, "recording", pass_by=record)),
)


def make(form: SequenceForm, sides: tuple[Side, Side], wishes: Wishes) -> Feedback:
    """Walks with draws from the seed."""
    zero, one = sides
    walkers, ground = new_walkers(sides), new_ground(histories_of(form))
    return WalkFeedback(OUTCOME, RECORDING, OutcomeState(zero, one, *walkers, ground, wishes.seed, wishes.epsilon))
