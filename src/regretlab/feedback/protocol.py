"""What every feedback can do, whichever regrets it shows to the rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import UserError
from regretlab.feedback.side import Side
from regretlab.forms import SequenceForm, Tree
from regretlab.forms.kernel import Floats, Indices, inlined_kernel
from regretlab.rules import Step, Update

Learned: TypeAlias = dict[str, NDArray[Any]]
"""What networks and their memories hold, by name."""

Behaviours: TypeAlias = tuple[Floats, Floats]
"""What both players play: for each player the probability of every action, by sequence."""


class Wishes(NamedTuple):
    """What a run wants of its feedback; each feedback takes what it knows."""

    seed: int
    deals: Sequence[str] = ()  # those of the iterations in place of random ones
    cores: int | None = None  # as many as pay if not given
    epsilon: float = 0.0  # how often an own action is drawn from all alike
    settings: Any = None  # of networks
    precision: str = "f64"  # of the numbers of games with hands
    linear: bool = False  # whether samples count t, in place of 1


class Kernels(NamedTuple):
    """The parts that make one loop of the loop's text: they work on a feedback's state, a named tuple of its own type.

    A new type for each feedback tells the compiled loops apart.
    """

    name: str
    see: Callable[[Any, int, Step], None]  # (state, who, step): fill in the values from which ``who`` learns
    learn: Callable[[Any, int, Update, Step], None]  # (state, player, update, step): let one player learn
    begin: Callable[[Any], bool]  # (state): whether to begin at all; cores wait for each other here


@inlined_kernel
def at_once(state: Any) -> bool:
    """Begin without waiting for anybody."""
    return True


Loop: TypeAlias = Callable[[Any, int, Update, Floats], None]
"""The compiled loop: (state, schedule, update, steps)."""


class Sight(NamedTuple):
    """What a player's pass of an iteration looked at."""

    histories: Indices  # by which it came, parents before children; empty if the form has no histories
    values: Floats  # (sequences of the player,) what actions earned, NaN at information sets by which it did not come


class Feedback(Protocol):
    """How a pass looks at the game, and who learns from it how."""

    size: float = 0.0
    """How large the values can be that it shows, up to a small factor: rounding is relative to it.

    With 0 nothing counts as a tie, as where networks predict values, whose errors are far larger than rounding.
    """

    earned: Floats | None = None
    """(2,) What the play has earned each player, summed as the average is; None where that is not kept: in zero-sum
    games, and by all that samples."""

    def see(self, who: int, step: Step) -> None:
        """Fill in the values that players learn from; bit p of ``who`` is set if player p learns in this pass."""

    def learn(self, player: int, update: Update, step: Step) -> None:
        """Let one player learn from what was seen.

        The strategy that was played counts in the average here or, where walks count what they come by, in ``see``.
        """

    def advance(self, loop_of: Callable[[Kernels], Loop], schedule: int, update: Update, steps: Floats) -> bool:
        """Do all iterations in a compiled loop; False if there is none, and nothing was done."""
        return False

    def prepare(self, update: Update) -> None:
        """Compile or load the kernels that ``see`` and ``learn`` use outside a compiled loop."""
        return

    def look(self, player: int, iteration: int, behaviours: Behaviours) -> Sight:
        """What a player's pass of an iteration looks at where both play ``behaviours``; nothing of the run changes."""

    def settle(self, iteration: int) -> None:
        """Bring the average up to date before it is looked at; most keep it so."""
        return

    def progress(self) -> str:
        """What there is to tell about a run beside its exploitability."""
        return ""

    def learned(self) -> Learned:
        """What a run needs beside the sides to go on later."""
        return {}

    def restore(self, learned: Learned) -> None:
        """Go on with what ``learned`` gave."""
        return


class CompiledFeedback(Feedback, Protocol):
    """A feedback that is made of kernels on a state."""

    state: Any
    kernels: Kernels

    def see(self, who: int, step: Step) -> None:
        """Look at the game by the kernel."""
        self.kernels.see(self.state, who, step)

    def learn(self, player: int, update: Update, step: Step) -> None:
        """Learn by the kernel."""
        self.kernels.learn(self.state, player, update, step)

    def advance(self, loop_of: Callable[[Kernels], Loop], schedule: int, update: Update, steps: Floats) -> bool:
        """All iterations in one kernel."""
        loop_of(self.kernels)(self.state, schedule, update, steps)
        return True


Maker: TypeAlias = Callable[[SequenceForm, tuple[Side, Side], Wishes], Feedback]
"""What makes a feedback for a run; the function ``make`` in a feedback's file."""


def histories_of(form: SequenceForm) -> Tree:
    """The histories of a game, if they were kept."""
    if form.tree is None:
        raise UserError(f"{form.name} was compiled without its histories, which sampling needs")
    return form.tree


def only_where(infosets: Indices, first: Indices, values: Floats) -> Floats:
    """The values of some information sets, and NaN at all others."""
    shown = np.full_like(values, np.nan)
    for i in infosets.tolist():
        shown[first[i] : first[i + 1]] = values[first[i] : first[i + 1]]
    return shown
