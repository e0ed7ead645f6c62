"""The feedback ``network``: walks fill memories, and networks learn from them what a table would hold.

The walks are those of external sampling.

Brown, Lerer, Gross, Sandholm (2019), "Deep Counterfactual Regret Minimization"; without a network for the average
Steinberger (2019), "Single Deep Counterfactual Regret Minimization".

Networks stay as they are while walks go on, so each is asked once per iteration, for all information sets in one batch,
and the walks run in a compiled kernel on the table of its answers. That table is also what makes the exploitability
exact: it is that of the strategy which the networks define at all information sets.

For the same reason all walks of an iteration that come by an information set leave one sample of it: their mean, which
counts as often as they came. A memory of the same size so holds many times as many walks, and nothing else changes.

All that is random is a hash of the seed and of a count. So a run that is stopped and resumed goes on as if nothing had
happened, and no generator has to be saved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from regretlab.deep import (
    Memory,
    Settings,
    Tally,
    new_memory,
    new_networks,
    new_tally,
    refill,
    remember,
    samples,
    size,
    tally,
)
from regretlab.errors import UserError
from regretlab.feedback.draws import new_stream, uniform
from regretlab.feedback.external import RECORDING, ExternalState, walk_external
from regretlab.feedback.protocol import Behaviours, Feedback, Learned, Sight, Wishes, histories_of
from regretlab.feedback.side import Side, fade, new_side, turn_round
from regretlab.feedback.walker import Ground, Walker, look_at_walk, new_ground, new_walker
from regretlab.forms import SequenceForm
from regretlab.forms.kernel import Floats, Indices, kernel
from regretlab.forms.passes import realisation_plan
from regretlab.rules import PLAIN_STEP, Step, Update

ADVANTAGES, STRATEGIES = "advantages", "strategies"
"""The two kinds of memories that a player has, and of networks that learn from them."""

STRATEGY_PLACE, TRAINING_PLACE = 2, 4
"""What sets draws apart: those of the memories of strategies, and those that trainings begin with."""


Weights = Mapping[str, NDArray[Any]]
"""What was learned, by name."""


class Trained(Protocol):
    """What comes out of a training."""

    @property
    def table(self) -> Floats:
        """(sequences,) The prediction for each action."""

    @property
    def loss(self) -> float:
        """The weighted mean of the squared errors."""

    @property
    def weights(self) -> Weights:
        """What was learned, by name."""


class MemoryLearner(Protocol):
    """Whatever learns one player's memories: networks, or in tests a table that forgets nothing."""

    def advantages(self, tally: Tally, seed: int, last: Weights | None) -> Trained:
        """Learn the advantages, beginning with what was learned last if it is given."""

    def strategy(self, tally: Tally, seed: int, iterations: int) -> Trained:
        """Learn the average strategy of so many iterations."""

    def fits(self, weights: Weights) -> bool:
        """Whether ``advantages`` could have learned this."""


NewMemoryLearner = Callable[[SequenceForm, int, Settings], MemoryLearner]


class NetworkFeedback(Feedback):
    """Many walks for each player who learns, into memories of fixed size, from which networks are trained."""

    def __init__(
        self,
        form: SequenceForm,
        sides: tuple[Side, Side],
        seed: int,
        settings: Settings,
        linear: bool,
        new_learner: NewMemoryLearner = new_networks,
    ) -> None:
        self._form, self._sides, self._seed, self._settings, self._linear = form, sides, seed, settings, linear
        self._learners = [new_learner(form, player, settings) for player in (0, 1)]
        self._ground = new_ground(histories_of(form))
        # The average of a walker counts visits here, see ``count_visits``.
        self._walkers = [
            new_walker(player, side.first, side.strategy, side.values, np.zeros_like(side.total))
            for player, side in enumerate(sides)
        ]
        kinds = (ADVANTAGES, STRATEGIES) if settings.strategy_network else (ADVANTAGES,)
        self._memories = {
            kind: [new_memory(treeplex, settings.capacity) for treeplex in form.treeplexes] for kind in kinds
        }
        self._seen = [new_tally(treeplex) for treeplex in form.treeplexes]
        self._networks: Learned = {}
        self._last: list[Weights | None] = [None, None]  # the advantage network that each player trained last
        self.losses = {kind: [0.0, 0.0] for kind in kinds}  # of the networks that were trained last, by player

    def see(self, who: int, step: Step) -> None:
        """Walk for each player who learns, and remember their advantages and the other one's strategy."""
        for player in (0, 1):
            if who >> player & 1:
                self._walk(player, self._settings.traversals, step)

    def _walk(self, player: int, count: int, step: Step) -> None:
        mine, theirs = self._walkers[player], self._walkers[1 - player]
        seen, other = self._seen[player], 1 - player
        walk_often(self._ground, mine, theirs, self._sides[player].parent, seen, count, self._seed, int(step.number))
        weight = step.number if self._linear else 1.0
        remember_means(self._memories[ADVANTAGES][player], seen, mine.first, weight, self._seed, player)
        if self._settings.strategy_network:
            strategies, met = self._memories[STRATEGIES][other], self._seen[other]
            fade(strategies.weight, step.fade, step.fade)
            count_visits(theirs, met)
            remember_means(strategies, met, theirs.first, step.weight, self._seed, STRATEGY_PLACE + other)

    def learn(self, player: int, update: Update, step: Step) -> None:
        """Train the player's network; the next strategy follows from what it predicts."""
        mine, memory = self._sides[player], self._memories[ADVANTAGES][player]
        if not self._settings.strategy_network:
            count_plan(mine, step)
        if size(memory):
            seed = self._seed_of(int(step.number), ADVANTAGES, player)
            last = None if self._settings.from_scratch else self._last[player]
            trained = self._learners[player].advantages(tally(memory, self._form.treeplexes[player]), seed, last)
            self._last[player] = trained.weights
            self.losses[ADVANTAGES][player] = trained.loss
            self._keep(ADVANTAGES, player, int(step.number), trained.weights)
            mine.values[:] = trained.table
            weigh_anew(mine, update, step)

    def prepare(self, update: Update) -> None:
        """Compile or load the kernels. Training goes through Python, so the plain loop does it all."""
        treeplex = self._form.treeplexes[0]
        aside = new_side(treeplex)
        self._walk(0, 0, PLAIN_STEP)
        tally(self._memories[ADVANTAGES][0], treeplex)
        count_plan(aside, PLAIN_STEP)
        weigh_anew(aside, update, PLAIN_STEP)

    def look(self, player: int, iteration: int, behaviours: Behaviours) -> Sight:
        """The last of the player's many walks in an iteration."""
        state = ExternalState(*self._sides, self._walkers[0], self._walkers[1], self._ground, self._seed)
        return look_at_walk(RECORDING, state, player, iteration * self._settings.traversals, behaviours)

    def settle(self, iteration: int) -> None:
        """Let a network learn each player's average from the strategies in the memory; the run itself goes on without.

        Without such a network the average is exact already: the strategies of all advantage networks, in sequence form.
        """
        for player, memory in enumerate(self._memories.get(STRATEGIES, ())):
            if size(memory):
                seed = self._seed_of(iteration, STRATEGIES, player)
                known = tally(memory, self._form.treeplexes[player])
                trained = self._learners[player].strategy(known, seed, iteration)
                self.losses[STRATEGIES][player] = trained.loss
                self._keep(STRATEGIES, player, iteration, trained.weights)
                self._sides[player].total[:] = np.maximum(trained.table, 0)  # it may say a little less than 0

    def _seed_of(self, iteration: int, kind: str, player: int) -> int:
        """What a training begins with."""
        return int(uniform(self._seed, iteration, TRAINING_PLACE + 2 * (kind == STRATEGIES) + player) * 2**53)

    def _keep(self, kind: str, player: int, iteration: int, weights: Weights) -> None:
        """Keep a network: the latest of its kind, or all of them where together they are the average."""
        network = f"network.{kind}{player}."
        if self._settings.strategy_network:
            self._networks = {name: each for name, each in self._networks.items() if not name.startswith(network)}
        self._networks |= {f"{network}{iteration}.{name}": each for name, each in weights.items()}

    def progress(self) -> str:
        """Losses and memories."""
        losses = ", ".join(f"{loss:.1e}" for loss in self.losses[ADVANTAGES])
        filled = max(size(memory) for memories in self._memories.values() for memory in memories)
        return f"losses {losses}, memory {100 * filled / self._settings.capacity:.0f} % full"

    def learned(self) -> Learned:
        """The networks, and the samples in the memories."""
        return self._networks | {
            f"{place}.{name}": array for place, memory in self._places() for name, array in samples(memory).items()
        }

    def restore(self, learned: Learned) -> None:
        """Go on with what another run has learned."""
        self._networks = {name: each for name, each in learned.items() if name.startswith("network.")}
        for place, memory in self._places():
            given = {name: learned.get(f"{place}.{name}") for name in memory._fields}
            if not refill(memory, given, len(self._sides[int(place[-1])].parent)):
                raise UserError(f"the saved run is damaged: its {place} is not a memory of this game")
        for player, memory in enumerate(self._memories[ADVANTAGES]):
            if size(memory):
                self._last[player] = last = self._latest(player)
                if not self._learners[player].fits(last):
                    raise UserError(f"the saved run is damaged: it has no network of player {player} to go on with")

    def _latest(self, player: int) -> Weights:
        """The latest of the kept networks that predict this player's advantages."""
        pattern = re.compile(rf"network\.{ADVANTAGES}{player}\.([0-9]+)\.(\w+)")
        found = [(pattern.fullmatch(name), array) for name, array in self._networks.items()]
        mine = [(int(match[1]), match[2], array) for match, array in found if match]
        latest = max((iteration for iteration, _, _ in mine), default=0)
        return {name: array for iteration, name, array in mine if iteration == latest}

    def _places(self) -> list[tuple[str, Memory]]:
        """Each memory with the name that it has in a saved run."""
        return [
            (f"memory.{kind}{player}", memory)
            for kind, memories in self._memories.items()
            for player, memory in enumerate(memories)
        ]


def make(form: SequenceForm, sides: tuple[Side, Side], wishes: Wishes) -> Feedback:
    """Networks with the settings of the recipe."""
    return NetworkFeedback(form, sides, wishes.seed, wishes.settings, wishes.linear)


@kernel
def walk_often(
    ground: Ground, mine: Walker, theirs: Walker, parent: Indices, seen: Tally, count: int, seed: int, iteration: int
) -> None:
    """Walk for ``mine`` ``count`` times with the same strategies, and sum up the advantages of each walk.

    One walk per iteration has the draws that external sampling has.
    """
    for walk in range((iteration - 1) * count + 1, iteration * count + 1):
        walk_external(ground, mine, theirs, 1.0, new_stream(seed, walk, mine.player))
        turn_round(mine.touched)
        for k in range(mine.touched.size[0]):
            i = mine.touched.order[k]
            low, high = mine.first[i], mine.first[i + 1]
            value = 0.0
            for s in range(low, high):
                value += mine.strategy[s] * mine.values[s]
            seen.weight[i] += 1.0
            for s in range(low, high):
                seen.total[s] += mine.values[s] - value
            mine.values[parent[i]] += value


@kernel
def count_visits(theirs: Walker, met: Tally) -> None:
    """Sum up the strategies of the player who was met, and forget the visits.

    A visit has added the strategy, 1 in sum, to the walker's average.
    """
    for i in range(len(theirs.first) - 1):
        visits = 0.0
        for s in range(theirs.first[i], theirs.first[i + 1]):
            visits += theirs.total[s]
            met.total[s] = theirs.total[s]
            theirs.total[s] = 0.0
        met.weight[i] = np.round(visits)


@kernel
def remember_means(memory: Memory, seen: Tally, first: Indices, weight: float, seed: int, place: int) -> None:
    """Remember the mean of what was seen at each information set, once, and forget what was seen.

    It counts ``weight`` for each visit; what counts nothing is not remembered.
    """
    for i in range(len(first) - 1):
        visits, low, high = seen.weight[i], first[i], first[i + 1]
        if visits > 0.0 and weight > 0.0:
            for s in range(low, high):
                seen.total[s] /= visits
            remember(memory, uniform(seed, memory.seen[0], place), i, weight * visits, seen.total, low, high)
        seen.weight[i] = 0.0
        for s in range(low, high):
            seen.total[s] = 0.0


@kernel
def count_plan(mine: Side, step: Step) -> None:
    """Count the plan that was played in the average."""
    for s in range(len(mine.plan)):
        mine.total[s] = mine.total[s] * step.fade + step.weight * mine.plan[s]


@kernel
def weigh_anew(mine: Side, update: Update, step: Step) -> None:
    """The strategy that follows from the regrets in ``mine.values``, by the rule's own way to weigh.

    To the rule they are one look at all that has been, where no regrets were kept and nothing was played.
    """
    for s in range(len(mine.values)):
        mine.regret[s], mine.strategy[s] = 0.0, 0.0
    update(
        step,
        mine.upwards,
        len(mine.upwards),
        mine.first,
        mine.parent,
        mine.regret,
        mine.values,
        mine.strategy,
        mine.memory,
    )
    mine.strategy[0] = 1.0
    realisation_plan(mine.parent, mine.first, mine.strategy, mine.plan)
