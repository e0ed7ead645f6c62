"""How much a run depends on its last digits: two runs side by side that begin one unit in the last place apart.

On some games such a difference stays what it was; on others it grows exponentially until the two runs have nothing in
common but the game. From then on a figure is one draw from a distribution, in every program, however exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from regretlab.documents.blocks import Chart, Series
from regretlab.forms import BlockForm, GameLike, LaneForm, SequenceForm, check_can_be_named, form_to_solve
from regretlab.forms.kernel import Floats
from regretlab.games.protocol import HasBlocks
from regretlab.games.registry import as_rules
from regretlab.solving import Recipe, Solver, form_for, recipe
from regretlab.solving.checkpoints import FINE_STEPS, checkpoints
from regretlab.solving.solver import Callback
from regretlab.spec import whole, whole_iterations

EACH_UNTIL = 1_000
"""Up to here every iteration is looked at, then those of two significant digits."""

PARTED = 1e-3
"""From this difference of a probability on two runs have parted: it is large enough to be seen in their strategies."""

GROWN = 1e-7
"""A difference that ends below this may still be rounding that adds up, and no growth rate is told."""

GROWTH_IN_HALF = 100.0
"""What grows by a smaller factor in the second half of its time grows like a power of t, not exponentially."""

FIGURES_PART = 1e-2
"""From this relative difference of two exploitabilities on, a figure with two digits is one draw of many."""

ROUNDING = 1e-12
"""Relative to the payoffs: exploitabilities that differ by less are the same."""

SMALLEST = 1e-17
"""Differences are drawn as at least this."""


class Pair(NamedTuple):
    """What the average strategies of two runs were worth after an iteration."""

    iteration: int
    plain: float  # the exploitability of the run from the usual start
    nudged: float  # and of the one that began one unit in the last place away

    def differ(self, size: float) -> bool:
        """Whether the two figures tell different things, where payoffs have this size."""
        apart = abs(self.plain - self.nudged)
        return apart > FIGURES_PART * max(self.plain, self.nudged) and apart > ROUNDING * size


class Look(NamedTuple):
    """Two runs after an iteration."""

    iteration: int
    difference: float  # the largest between their plans: how likely they want to reach and choose an action
    move: float  # how far the plan of the first has moved in this iteration: 0 where the last iterate has settled


@dataclass(frozen=True, eq=False, repr=False)
class Chaos:
    """What became of one unit in the last place."""

    game: str
    recipe: Recipe
    size: float  # of the game's payoffs
    looks: tuple[Look, ...]
    pairs: tuple[Pair, ...]

    @property
    def iterations(self) -> int:
        """How many both runs have done."""
        return self.looks[-1].iteration if self.looks else 0

    @property
    def plans_part(self) -> int | None:
        """The first iteration after which the two play visibly different strategies, if there is one."""
        return next((look.iteration for look in self.looks if look.difference >= PARTED), None)

    @property
    def figures_part(self) -> int | None:
        """The first iteration, of those with two digits, after which their exploitabilities differ by more than 1 %.

        From there on an exploitability is one draw from a distribution.
        """
        return next((pair.iteration for pair in self.pairs if pair.differ(self.size)), None)

    @property
    def growth(self) -> float | None:
        """The rate λ at which the difference grows like exp(λt); None where it does not grow exponentially.

        Fitted by least squares to its logarithm in the second half of the time until the runs part, or to the end if
        they do not. What only adds up like a power of t does not count.
        """
        end = self.plans_part or self.iterations
        late = [look for look in self.looks if end / 2 <= look.iteration <= end and look.difference > 0]
        if len(late) > 2 and self.plans_part is not None:
            late.pop()  # where a tie breaks, the last step is a jump
        if len(late) < 2 or late[-1].difference < GROWN:
            return None
        slope = float(np.polyfit([look.iteration for look in late], [math.log(look.difference) for look in late], 1)[0])
        return slope if slope * end / 2 >= math.log(GROWTH_IN_HALF) else None

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "game": self.game,
            "recipe": self.recipe.name,
            "parts": dict(self.recipe.parts),
            "iterations": self.iterations,
            "growth": self.growth,
            "plans_part": self.plans_part,
            "figures_part": self.figures_part,
            "looks": [look._asdict() for look in self.looks],
            "exploitabilities": [pair._asdict() for pair in self.pairs],
        }

    def __repr__(self) -> str:
        growth = "no growth" if self.growth is None else f"growth {self.growth:.2g}"
        part = "do not part" if self.figures_part is None else f"part at {self.figures_part:,}"
        return f"<{self.game} by {self.recipe.name}, {self.iterations:,} iterations: {growth}, figures {part}>"

    def _repr_html_(self) -> str:
        from regretlab.documents.blocks import Chart, Series, Target
        from regretlab.documents.notebook import as_html, facts, headline
        from regretlab.documents.numbers import written

        seen = Series("difference", tuple((float(look.iteration), look.difference) for look in self.looks))
        title = "Two runs that began one unit in the last place apart"
        parted = (Target("visible", PARTED),)
        drawn = Chart(title, "iterations", "difference of the plans", "linear", "log", (seen,), parted)
        part = "they do not" if self.figures_part is None else f"from iteration {self.figures_part:,} on"
        return as_html(
            headline(self.game, f" by {self.recipe.name}: {self.iterations:,} iterations, twice"),
            facts(
                ("growth of the difference", "none" if self.growth is None else f"exp({written(self.growth)} t)"),
                ("exploitabilities part", part),
            ),
            drawn if self.looks else None,
        )


def chaos(
    game: GameLike,
    recipe_name: str | Recipe,
    *,
    iterations: int = 1_000,
    start: int = 0,
    callback: Callback | None = None,
) -> Chaos:
    """Run a recipe twice, the second time one unit in the last place away, and see how the difference grows.

    Start 0 is the usual one, all actions alike; k > 0 begins with random strategies (``Solver.perturb(k)``), which says
    whether it is only the symmetry of the usual start that is unstable. A true answer of the callback ends it early;
    what was seen until then is returned.

    >>> leduc, kuhn = (chaos(game, "dcfr", iterations=300) for game in ("leduc", "kuhn"))
    >>> 100 < leduc.figures_part < 200, round(leduc.growth, 1), kuhn.figures_part, kuhn.growth
    (True, 0.1, None, None)
    """
    goal, chosen = whole_iterations("iterations", iterations), recipe(recipe_name)
    form = form_for(out_of_blocks(game), chosen)
    plain, nudged = Solver(form, chosen), Solver(form, chosen)
    if whole("start", start, least=0):
        plain.perturb(start)
        nudged.perturb(start)
    nudged.nudge()
    judged = {*takewhile(lambda t: t < goal, checkpoints(0, FINE_STEPS)), goal}
    looks: list[Look] = []
    pairs: list[Pair] = []
    for t in sorted({*range(1, min(goal, EACH_UNTIL)), *judged}):
        if plain.advance_to(t - 1, goal, callback):
            break
        before = [plan.copy() for plan in plain.plans]
        if plain.advance_to(t, goal, callback) or nudged.advance_to(t, goal, callback):
            break
        difference = _largest(plain.plans, nudged.plans)
        move = _largest(plain.plans, before)
        looks.append(Look(t, difference, move))
        if t in judged and t >= chosen.least_iterations:
            pairs.append(Pair(t, plain.evaluate().exploitability, nudged.evaluate().exploitability))
    return Chaos(form.name, chosen, form.payoff.size, tuple(looks), tuple(pairs))


def out_of_blocks(game: GameLike) -> GameLike:
    """The game on lanes if it is one for blocks, which always begin in the same way and keep no plans to compare."""
    if isinstance(game, SequenceForm | LaneForm):
        return game
    rules = game.rules if isinstance(game, BlockForm) else as_rules(game)
    if not isinstance(rules, HasBlocks):
        return game
    check_can_be_named(rules, "be run twice side by side")
    return form_to_solve(rules, "lanes")


def _largest(mine: Sequence[Floats], theirs: Sequence[Floats]) -> float:
    """The largest difference between two pairs of plans."""
    return max(float(abs(plan - other).max()) for plan, other in zip(mine, theirs, strict=True))


def chaos_charts(found: Sequence[Chaos]) -> list[Chart]:
    """A chart for each game: the difference of the two runs by iteration, a line for each recipe."""
    return [
        Chart(
            title=game,
            x_label="iterations",
            y_label="difference of two runs",
            x_scale="log",
            y_scale="log",
            series=tuple(
                Series(
                    each.recipe.name,
                    tuple((look.iteration, max(look.difference, SMALLEST)) for look in each.looks),
                )
                for each in found
                if each.game == game
            ),
        )
        for game in dict.fromkeys(each.game for each in found)
    ]
