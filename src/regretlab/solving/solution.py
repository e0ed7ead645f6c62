"""What a run has found, with its provenance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from regretlab.evaluation import Evaluation, evaluate
from regretlab.feedback import Learned
from regretlab.forms import AnyForm, BlockForm, GameLike, Labelled, Strategy, form_name
from regretlab.forms.kernel import Floats
from regretlab.forms.packed import unpacked
from regretlab.solving.averaging import Averaging
from regretlab.solving.checkpoints import Checkpoint
from regretlab.solving.recipe import Recipe

if TYPE_CHECKING:
    from regretlab.documents.rows import Rows
    from regretlab.endgames.node_view import NodeView
    from regretlab.endgames.reader import Reading

MOST_LISTED = 20_000
"""Information sets of a game in blocks whose strategies are listed: a river with usual ranges has fewer, and a turn has
millions."""


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """The average and the last strategy of a run, how good the average is, and everything that led there."""

    form: AnyForm
    recipe: Recipe
    seed: int
    deals: tuple[str, ...]  # the deals that were given in place of random ones
    precision: str  # of the numbers that the run keeps
    iterations: int
    value: float  # player 0's expected payoff under the average profile, in chips
    exploitability: float  # NashConv / 2 of the average profile, in chips a game
    current_exploitability: float  # the same for the last iterate
    strategy: Strategy  # the average
    current: Strategy  # the last iterate
    regrets: Labelled  # the cumulative regrets
    totals: Labelled  # the average before it is normalised
    memory: tuple[Floats, Floats]  # what the way to weigh keeps for each information set
    history: tuple[Checkpoint, ...]
    seconds: float  # solving time, compilation and evaluation excluded
    evaluation_seconds: float
    stopped: str  # why the run ended: iterations, until, cap or callback
    since: int = 0  # the iteration after which the run last began anew
    reached: float = math.inf  # what the average was worth there, where the recipe has restarts
    learned: Learned = field(default_factory=dict)  # networks and their memories, where there are any
    complete: bool = True  # whether regrets and the last strategy are there; else only the average was kept
    earned: tuple[float, float] | None = None  # what the play has earned, summed as the average is, where it is kept

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.form.name

    @property
    def values(self) -> tuple[float, float]:
        """What each player expects under the average profile, in chips."""
        return (self.value, -self.value) if self.form.zero_sum else self._judged.values

    @property
    def nash_conv(self) -> float:
        """What both players together could gain by a best response: twice the exploitability."""
        return 2 * self.exploitability

    @property
    def cce_gap(self) -> float | None:
        """How far the play is from a coarse correlated equilibrium, in a game that is not zero-sum; in chips.

        The play of iteration t is the pair of strategies with which t began, and the mixture of these pairs, each drawn
        as the average weighs it, is the play of the run. The gap is the most that a player could gain by one strategy
        throughout, chosen before the draw: the larger of both players' weighted average regrets. Where it is 0 or less,
        the mixture is a coarse correlated equilibrium. A restart has the average as its first pair.

        None in zero-sum games, where ``nash_conv`` says as much; by feedbacks that sample, which do not know what was
        earned; where players take turns by the iteration, so that no pair is counted in both averages; and before the
        average has begun.
        """
        counted = self.totals.arrays[0][0]
        if self.earned is None or self.recipe.schedule == "one-player" or not counted:
            return None
        best = self._judged.best_response_values
        return float(max(best[player] - self.earned[player] / counted for player in (0, 1)))

    @property
    def no_promise(self) -> str:
        """What no theorem says of this run, in a sentence; empty for zero-sum games."""
        return no_promise(self.form)

    @property
    def evs(self) -> tuple[float, float]:
        """What each player of a Hold'em endgame expects, in chips: of the pot and of all that is still put in.

        They sum to the pot, less rake.
        """
        from regretlab.endgames.reader import evs

        return evs(self.reading.spot, self.values)

    @property
    def equities(self) -> tuple[float, float]:
        """The part of the pot that each player of a Hold'em endgame would win if nobody ever bet."""
        return self.reading.equities

    @property
    def exploitability_of_pot(self) -> float:
        """The exploitability of a Hold'em endgame in parts of the pot: 0.01 is 1 %."""
        return self.exploitability / self.reading.spot.pot

    @property
    def bracket(self) -> tuple[float, float] | None:
        """Two numbers between which player 0's EV in equilibrium lies, in chips; of a Hold'em endgame.

        They follow from the two best responses, so that they hold however the strategies were found. With rake the game
        is not zero-sum, equilibria may have several values, and there is None.
        """
        from regretlab.endgames.reader import bracket

        return bracket(self.reading.spot, self._judged)

    def at(self, *line: str) -> NodeView:
        """What players of a Hold'em endgame hold, do and expect after a line of actions and cards.

        >>> from regretlab.solving import solve
        >>> node = solve("holdem:river-polar", "dcfr", iterations=500).at("check")
        >>> node.player, node.actions, node.pot
        (1, ('check', 'bet 100'), 100)
        >>> f"{sum(node.evs):.4f}"
        '100.0000'

        Expected values count from there on: chips put in before are spent, so that folding is worth 0 and both players'
        values sum to the pot on the table, less rake. Any card that may come can be named: ``at("check, check, 8c")``.
        """
        return self.reading.at(*line)

    def cards(self, *line: str) -> Rows:
        """A row for each card that may be turned up after a line of a Hold'em endgame: how probable it is, what both
        players expect then, and what who acts first does."""
        return self.reading.cards(*line)

    @cached_property
    def reading(self) -> Reading:
        """The average strategies of a Hold'em endgame, to be asked about any node."""
        from regretlab.endgames.reader import read

        return read(self.form, self.strategy)

    @cached_property
    def _judged(self) -> Evaluation[float]:
        return evaluate(self.form, self.strategy)

    @property
    def regret_bound(self) -> float | None:
        """An upper bound of ``nash_conv`` from the regrets alone, Σ max R⁺ / T, without any best response.

        It holds for simultaneous, full, uniformly averaged runs without discounts (Zinkevich et al. 2007, theorems 2
        and 3) on zero-sum games; otherwise None.
        """
        parts = (self.recipe.schedule, self.recipe.averaging, self.recipe.alpha, self.recipe.beta, self.recipe.restart)
        proven = parts == ("simultaneous", Averaging(), None, None, None) and not self.recipe.feedback_kind.samples
        if not proven or not self.iterations or not self.form.zero_sum:
            return None
        total = 0.0
        for player, regret in enumerate(self.regrets.arrays):
            treeplex = self.form.treeplexes[player]
            if treeplex.infosets:
                actions = unpacked(regret, treeplex.places)
                sizes = [len(names) for names in treeplex.actions]
                total += np.maximum(np.maximum.reduceat(actions, np.cumsum([0, *sizes[:-1]])), 0.0).sum()
        return float(total) / self.iterations

    @property
    def zero_regrets(self) -> float:
        """The share of actions without a positive regret: those that regret matching would not play next."""
        return _share(self.regrets, lambda regret: regret <= 0)

    @property
    def never_played(self) -> float:
        """The share of actions that count nothing in the average: not once were they played, or could they be."""
        return _share(self.totals, lambda total: total == 0)

    def as_dict(self) -> dict[str, Any]:
        """Everything that a machine may want to read, as plain values.

        Of games in blocks with more than MOST_LISTED information sets the strategy is left out, None.
        """
        listed = not isinstance(self.form, BlockForm) or self.form.infosets <= MOST_LISTED
        return {
            "game": self.game,
            "lock": {label: self.strategy[label] for label in self.form.locked},
            "recipe": self.recipe.name,
            "parts": self.recipe.parts,
            "seed": self.seed,
            "deals": list(self.deals),
            "form": form_name(self.form),
            "precision": self.precision,
            "iterations": self.iterations,
            "stopped": self.stopped,
            "value": self.value,
            "values": list(self.values),
            "zero_sum": self.form.zero_sum,
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "cce_gap": self.cce_gap,
            "current_exploitability": self.current_exploitability,
            "zero_regrets": self.zero_regrets if listed else None,
            "never_played": self.never_played if listed else None,
            "seconds": self.seconds,
            "evaluation_seconds": self.evaluation_seconds,
            "history": [checkpoint._asdict() for checkpoint in self.history],
            "strategy": {label: self.strategy[label] for label in self.strategy} if listed else None,
            "version": version("regretlab"),
        }

    def save(self, path: str | Path) -> None:
        """Write arrays and provenance into one file; see ``load``."""
        from regretlab.solving.storage import save

        save(self, path)

    @staticmethod
    def load(path: str | Path, game: GameLike | None = None, recipe: Recipe | None = None) -> Solution:
        """Read what ``save`` wrote.

        A game or a rule in a file of one's own, or without a name to load it by, is given again.
        """
        from regretlab.solving.storage import load

        return load(path, game, recipe)

    def __repr__(self) -> str:
        return (
            f"<solution of {self.game} by {self.recipe.name}: {self.iterations:,} iterations, "
            f"value {self.value:.6g}, exploitability {self.exploitability:.3g}>"
        )

    def _repr_html_(self) -> str:
        from regretlab.documents.blocks import Chart, Series
        from regretlab.documents.notebook import as_html, facts, headline
        from regretlab.documents.numbers import count, duration, loss, percent, value
        from regretlab.endgames import Spot

        in_pot = isinstance(self.form, BlockForm) and isinstance(self.form.rules, Spot)
        seen = tuple((float(point.iteration), point.exploitability) for point in self.history)
        line = Series(self.recipe.name, seen)
        falls = Chart("Exploitability of the average", "iterations", "chips a game", "log", "log", (line,))
        return as_html(
            headline(self.game, f" by {self.recipe.name}: {count(self.iterations, 'iteration')}"),
            facts(
                ("value", f"{value(self.value)} chips"),
                ("exploitability", f"{loss(self.exploitability)} chips a game"),
                ("EVs", " and ".join(f"{value(ev)} chips" for ev in self.evs)) if in_pot else None,
                ("equities", " and ".join(map(percent, self.equities))) if in_pot else None,
                ("solving time", duration(self.seconds)),
                ("no promise", self.no_promise) if self.no_promise else None,
            ),
            falls if len(seen) > 1 else None,
            *(self.at().pieces() if in_pot else [self.strategy.first_rows()]),
        )


def no_promise(form: AnyForm) -> str:
    """What nobody can promise of a run, in a sentence; empty for zero-sum games, whose averages approach equilibria."""
    if form.zero_sum:
        return ""
    return (
        f"{form.name} is not zero-sum: no theorem promises that averages approach an equilibrium. Where both players "
        "learn at once, the play as a whole approaches a coarse correlated one (CCE), because regrets vanish."
    )


def _share(numbers: Labelled, holds: Callable[[Floats], NDArray[np.bool_]]) -> float:
    """For which share of all actions something holds; 0 where nobody ever acts."""
    places = [treeplex.places for treeplex in numbers.form.treeplexes]
    arrays = (unpacked(array, each) for array, each in zip(numbers.arrays, places, strict=True))
    held = np.concatenate([holds(array) for array in arrays])
    return float(held.mean()) if len(held) else 0.0
