"""What a comparison has found: a row for each recipe, and everything that tables and pictures of it need."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.documents.numbers import significant
from regretlab.documents.rows import Rows
from regretlab.evaluation import Equilibrium, KuhnEquilibria
from regretlab.experiments.comparing.strategies import Action, side_by_side
from regretlab.experiments.measures import actions_at
from regretlab.experiments.measuring_chaos import Pair
from regretlab.forms import AnyForm
from regretlab.solving import Recipe, Solution
from regretlab.solving.solution import no_promise


class Estimate(NamedTuple):
    """A mean over seeds or starts, with its standard error where there are several."""

    mean: float
    error: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """What the values say together."""
        return cls(fmean(values), stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None)


@dataclass(frozen=True, eq=False)
class Trace:
    """One run and what was seen on its way."""

    solution: Solution  # its history has a point for every look at which there is an average
    start: int  # 0 is the usual one, others are random
    looks: tuple[int, ...]  # the iterations after which it was looked at
    regrets: Mapping[str, NDArray[np.float64]]  # by label, (looks, actions): the cumulative regrets then
    nudged: float | None  # the exploitability of a run that began one unit in the last place away, if there was time

    @property
    def is_one_draw(self) -> bool:
        """Whether the last digit has decided what was found: then it is one draw from a distribution."""
        if self.nudged is None:
            return False
        ends = Pair(self.solution.iterations, self.solution.exploitability, self.nudged)
        return ends.differ(self.solution.form.payoff.size)


class Spread(NamedTuple):
    """What several runs range over."""

    lowest: float
    median: float
    highest: float


class TargetReached(NamedTuple):
    """When a recipe got to a target: from then on its exploitability stayed at or below it, to the end of the run."""

    target: float  # in chips per game
    runs: int  # how many of its runs did
    iterations: Estimate | None  # the first iteration looked at; None unless all runs did
    seconds: Estimate | None  # solving time: that many iterations, at the run's mean time per iteration


@dataclass(frozen=True, eq=False)
class RecipeRow:
    """One recipe: its runs, and what they say together."""

    recipe: Recipe
    traces: tuple[Trace, ...]  # one for each seed or, where nothing is drawn at random, for each start
    exploitability: Estimate  # of the average strategy, in chips per game
    value: Estimate  # player 0's expected payoff under the average strategy, in chips
    value_distance: Estimate | None  # |value − exact value|, whose errors in both directions do not cancel
    microseconds: float  # solving time per iteration
    speed_up: float | None  # the first row's time per iteration ÷ this one's
    improvement: float | None  # the first row's exploitability ÷ this one's
    arrivals: tuple[TargetReached, ...]  # one for each target

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """What each run has found."""
        return tuple(trace.solution for trace in self.traces)

    @property
    def spread(self) -> Spread | None:
        """Of the exploitability over seeds or starts; None where there is one run."""
        found = [solution.exploitability for solution in self.solutions]
        return Spread(min(found), median(found), max(found)) if len(found) > 1 else None

    def probability(self, label: str, action: str) -> Estimate:
        """How often the average strategy does something."""
        return Estimate.of([solution.strategy[label][action] for solution in self.solutions])

    def as_dict(self) -> dict[str, Any]:
        """The numbers of this row as plain values."""
        arrivals: dict[str, Any] = {}
        for arrival in self.arrivals:
            until = f"until_{arrival.target:g}"
            arrivals |= {
                f"iterations_{until}": arrival.iterations and arrival.iterations.mean,
                f"seconds_{until}": arrival.seconds and arrival.seconds.mean,
                f"runs_{until}": arrival.runs,
            }
        return {
            "recipe": self.recipe.name,
            **self.recipe.parts,
            "runs": len(self.traces),
            "exploitability": self.exploitability.mean,
            "exploitability_error": self.exploitability.error,
            **{f"exploitability_{part}": self.spread and getattr(self.spread, part) for part in Spread._fields},
            "exploitability_nudged": self.traces[0].nudged,
            "value": self.value.mean,
            "value_error": self.value.error,
            "value_distance": self.value_distance and self.value_distance.mean,
            "value_distance_error": self.value_distance and self.value_distance.error,
            "microseconds": self.microseconds,
            "speed_up": self.speed_up,
            "improvement": self.improvement,
            **arrivals,
        }


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Several recipes on one game, with the same number of iterations."""

    form: AnyForm
    iterations: int
    equilibrium: Equilibrium | None  # None where the game is too large
    family: KuhnEquilibria | None  # all equilibria, where they are known in closed form
    key: tuple[str, ...]  # the information sets at which strategies are shown side by side
    rows: tuple[RecipeRow, ...]
    regret_of: Action | None  # whose regrets are drawn
    complete: bool = True  # False where a callback stopped it; then only finished runs are here

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.form.name

    @property
    def exact_value(self) -> float | None:
        """The value of the game; None where it is too large."""
        return None if self.equilibrium is None else float(self.equilibrium.value)

    @property
    def proven(self) -> bool:
        """Whether that value was computed in fractions, with a proof; else by linear programming in floats."""
        return self.equilibrium is not None and self.equilibrium.gap is not None

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values."""
        return {
            "game": self.game,
            "iterations": self.iterations,
            "exact_value": self.exact_value,
            "proven": self.proven,
            "complete": self.complete,
            "rows": [row.as_dict() for row in self.rows],
            "strategies": self.strategies(),
            "history": self.history(),
            "regrets": self.regrets(),
        }

    def as_dicts(self) -> Rows:
        """One plain dictionary for each recipe: the rows of a tidy table."""
        shared = {"game": self.game, "iterations": self.iterations, "exact_value": self.exact_value}
        # Some recipes have parts that others lack, and a table has the same columns in every row.
        parts = dict.fromkeys(part for row in self.rows for part in row.recipe.parts)
        return Rows(shared | {"recipe": row.recipe.name} | parts | row.as_dict() for row in self.rows)

    def frame(self) -> Any:
        """The rows of ``as_dicts`` as a pandas or polars frame, if one of them is installed."""
        return self.as_dicts().frame()

    def history(self) -> Rows:
        """One plain dictionary for each run and look: what the lines of a picture are made of."""
        return Rows(
            {
                "recipe": row.recipe.name,
                "seed": trace.solution.seed,
                "start": trace.start,
                **point._asdict(),
                "value_distance": None if self.exact_value is None else abs(point.value - self.exact_value),
                "seconds": point.iteration * trace.solution.seconds / trace.solution.iterations,
            }
            for row in self.rows
            for trace in row.traces
            for point in trace.solution.history
        )

    def strategies(self) -> Rows:
        """One plain dictionary for each action at a key information set and recipe, with the equilibrium beside it."""
        return Rows(
            {
                "recipe": row.recipe.name,
                "player": each.player,
                "label": each.label,
                "action": each.action,
                "probability": played.mean,
                "probability_error": played.error,
                "equilibrium": each.equilibrium,
                "lowest": each.lowest,
                "highest": each.highest,
                "nearest": nearest,
            }
            for each in side_by_side(self)
            for row, played, nearest in zip(self.rows, each.played, each.nearest, strict=True)
        )

    def regrets(self) -> Rows:
        """One plain dictionary for each run and look: the cumulative regret of the action ``regret_of``."""
        if self.regret_of is None:
            return Rows()
        chosen = self.regret_of
        number = actions_at(self.form, chosen.label).index(chosen.action)
        return Rows(
            {
                "recipe": row.recipe.name,
                "seed": trace.solution.seed,
                "start": trace.start,
                **chosen._asdict(),
                "iteration": iteration,
                "regret": regret,
            }
            for row in self.rows
            for trace in row.traces
            for iteration, regret in zip(trace.looks, trace.regrets[chosen.label][:, number].tolist(), strict=True)
        )

    @property
    def one_draw_note(self) -> str:
        """Which figures depend on the last digit, in a sentence; empty where none is known to."""
        moved = [
            f"{row.recipe.name} {significant(row.traces[0].solution.exploitability, 3)} → "
            f"{significant(row.traces[0].nudged, 3)}"
            for row in self.rows
            if row.traces[0].nudged is not None and row.traces[0].is_one_draw
        ]
        if not moved:
            return ""
        return (
            f"one draw of many: from a start one unit in the last place away the exploitability is {', '.join(moved)}"
        )

    @property
    def why_no_equilibrium(self) -> str:
        """Why none stands beside the strategies, where none does."""
        why = "too large for" if self.form.zero_sum else "not zero-sum, as it has to be for"
        return f"the game is {why} the linear programme"

    @property
    def no_promise(self) -> str:
        """What no theorem says of these runs, in a sentence; empty for zero-sum games."""
        return no_promise(self.form)

    @property
    def heading(self) -> str:
        """The game and the number of iterations, in words."""
        return f"{self.game}: {self.iterations:,} iteration{'' if self.iterations == 1 else 's'}"

    @property
    def _summary(self) -> str:
        exact = "" if self.exact_value is None else f", exact value {self.exact_value:.6g}"
        return f"{self.heading}{exact}"

    def __repr__(self) -> str:
        width = max((len(row.recipe.name) for row in self.rows), default=0)
        lines = [
            f"{row.recipe.name:{width}}  exploitability {_spread(row.exploitability, 3)}, "
            f"value {_spread(row.value, 6)}, {row.microseconds:.3g} µs an iteration"
            for row in self.rows
        ]
        return "\n".join([f"<comparison on {self._summary}>", *lines])

    def _repr_html_(self) -> str:
        from regretlab.documents.notebook import as_html, headline
        from regretlab.experiments.comparing.presentation import comparison_charts, race_table

        exact = "" if self.exact_value is None else f", exact value {self.exact_value:.6g} chips"
        note = headline("", self.one_draw_note) if self.one_draw_note else None
        return as_html(
            headline(self.heading, exact),
            race_table(self.rows),
            note,
            *comparison_charts(self)[:1] if self.rows else (),
        )


def _spread(estimate: Estimate, digits: int) -> str:
    error = "" if estimate.error is None else f" ± {estimate.error:.2g}"
    return f"{estimate.mean + 0.0:.{digits}g}{error}"


Kind = Literal["loss", "value", "ratio", "seconds", "iterations"]


class Column(NamedTuple):
    """One quantity of all recipes."""

    name: str
    kind: Kind  # what the numbers are, for those who write them
    entries: tuple[Estimate | float | None, ...]  # one for each recipe; None where there is nothing to say
    best: frozenset[int]  # the numbers of the rows that nobody surpasses; none where all are alike


def columns(rows: Sequence[RecipeRow]) -> list[Column]:
    """How good the strategies are, and how fast they come."""
    return [
        _column("exploitability", "loss", [row.exploitability for row in rows], min),
        _column("improvement", "ratio", [row.improvement for row in rows], max),
        _column("value", "value", [row.value for row in rows]),
        _column("off by", "loss", [row.value_distance for row in rows], min),
        _column("time an iteration", "seconds", [row.microseconds / 1e6 for row in rows], min),
        _column("speed-up", "ratio", [row.speed_up for row in rows], max),
    ]


def arrivals(rows: Sequence[RecipeRow]) -> Iterator[tuple[float, Column, Column]]:
    """For each target: iterations and time until the exploitability stays at or below it."""
    for found in zip(*(row.arrivals for row in rows), strict=True):
        target = found[0].target
        yield (
            target,
            _column(f"iterations until {target:g}", "iterations", [each.iterations for each in found], min),
            _column(f"time until {target:g}", "seconds", [each.seconds for each in found], min),
        )


def _column(
    name: str,
    kind: Kind,
    entries: Sequence[Estimate | float | None],
    choose: Callable[[set[float]], float] | None = None,
) -> Column:
    """A quantity whose best entry is the one that ``choose`` takes; without it none is better than another."""
    means = [entry[0] if isinstance(entry, tuple) else entry for entry in entries]
    known = {mean for mean in means if mean is not None}
    best: frozenset[int] = frozenset()
    if choose is not None and known and len(set(means)) > 1:
        best = frozenset(k for k, mean in enumerate(means) if mean == choose(known))
    return Column(name, kind, tuple(entries), best)
