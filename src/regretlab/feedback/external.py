"""External sampling: a walk takes all actions of one player, and draws one move of everybody else.

Lanctot, Waugh, Zinkevich, Bowling (2009), "Monte Carlo Sampling for Regret Minimization in Extensive Games".

**Values.** The other player's moves and those of chance are drawn with their probabilities, so a walk comes by an end z
of the game with probability π₋ᵢ(z), the reach of everybody but the walking player i, who takes all actions. z's payoff
becomes the value of i's last sequence. In expectation that is the gradient which full feedback computes, and the
counterfactual values that follow from it by a pass from the leaves are linear in it. No reach is multiplied anywhere.

The other player's draw is made once an information set, not once a history: the walk is one against a pure strategy. By
perfect recall a history passes an information set only once, so the draws on its way are independent all the same.

**Average.** A walk for i comes by a history h of the other player j with probability π_c(h) π_j(h), as i takes all
actions. By perfect recall all histories of an information set I have the same π_j, which is j's own reach of I, so the
expected number of visits is π_j(I) · Σ_h π_c(h): own reach × a constant of the information set. Counting w(t) σ_j once
a visit thus gives, on average, Σ_t w(t) × own reach × σ_j up to that constant, which normalising removes.
"""

from __future__ import annotations

from typing import NamedTuple

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


def walk_text(ground: Ground, mine: Walker, theirs: Walker, weight: float, stream: int) -> None:
    """Walk for ``mine``, depth first; ``theirs`` is counted in the average with ``weight`` at each visit."""
    set_out(mine)
    history, own, waiting = 0, 0, 0
    while True:
        pass_by(ground, history)
        player = ground.player[history]
        if player == mine.player:
            infoset = ground.infoset[history]
            arrive(mine, infoset)
            child, own = ground.children[history], mine.first[infoset]
            for a in range(1, ground.children[history + 1] - child):
                ground.waiting[waiting], ground.sequence[waiting] = child + a, own + a
                waiting += 1
            history = child
        elif player == CHANCE:
            history = chance_move(ground, history, stream)
        elif player != TERMINAL:
            history = their_move(ground, theirs, history, weight, stream)
        else:
            mine.values[own] = earned(ground, mine, history)
            if waiting == 0:
                break
            waiting -= 1
            history, own = ground.waiting[waiting], ground.sequence[waiting]


walk_external = inlined_kernel(walk_text)


class ExternalState(NamedTuple):
    """Both players as learners and as walkers, and the ground that they walk over."""

    zero: Side
    one: Side
    walker_zero: Walker
    walker_one: Walker
    ground: Ground
    seed: int


def one_walk(state: ExternalState, mine: Walker, theirs: Walker, weight: float, stream: int) -> None:
    """A walk over the ground of a run."""
    walk_external(state.ground, mine, theirs, weight, stream)


EXTERNAL = Kernels("external", see_kernel("external", one_walk, walk_external=walk_external), learn_by_walk, at_once)
RECORDING = see_kernel(
    "external_recording",
    one_walk,
    walk_external=inlined_kernel(specialised(walk_text, "recording", pass_by=record)),
)


def make(form: SequenceForm, sides: tuple[Side, Side], wishes: Wishes) -> Feedback:
    """Walks with draws from the seed."""
    zero, one = sides
    walkers, ground = new_walkers(sides), new_ground(histories_of(form))
    return WalkFeedback(EXTERNAL, RECORDING, ExternalState(zero, one, *walkers, ground, wishes.seed))
