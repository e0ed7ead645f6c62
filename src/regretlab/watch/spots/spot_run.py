"""A spot that is being solved while people look: in short stretches, so that whoever asks has an answer soon."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from regretlab.documents.html import fragment
from regretlab.endgames import Reading, Spot
from regretlab.endgames.hand_decision import why
from regretlab.explaining.hands import hand_document
from regretlab.forms import BlockForm
from regretlab.solving import Solution, Solver
from regretlab.solving.checkpoints import Checkpoint, checkpoints
from regretlab.watch.spots.history import History
from regretlab.watch.spots.shown import node_csv, place_shown, read_filter
from regretlab.watch.spots.train import Training

STRETCH = 0.05
"""Seconds of work after which somebody else may ask; an iteration on a flop takes longer."""

MOST_ITERATIONS = 1_000_000
"""Where a run ends whatever it has reached."""


class SpotRun:
    """One spot, solved by one recipe until a target is reached."""

    def __init__(
        self, spot: Spot, recipe: str, precision: str = "f64", until: float | None = None, cores: int | None = None
    ) -> None:
        solver = Solver(spot, recipe, precision=precision, cores=cores)
        self._begin(spot, solver, spot.target() if until is None else until, [])

    @classmethod
    def saved(cls, solution: Solution, cores: int | None = None) -> SpotRun:
        """A run that was solved before, which rests until somebody wants another target."""
        assert isinstance(solution.form, BlockForm)
        assert isinstance(solution.form.rules, Spot)
        run, spot = cls.__new__(cls), solution.form.rules
        each = solution.seconds / solution.iterations  # when points of the history were looked at is not kept
        looks = [(point.iteration, each * point.iteration, point.exploitability) for point in solution.history]
        run._begin(spot, Solver.resume(solution, cores), max(spot.target(), looks[-1][2]), looks)
        run.history.take(looks[-1][2] / spot.pot)
        return run

    def _begin(self, spot: Spot, solver: Solver, target: float, looks: list[tuple[int, float, float]]) -> None:
        self.spot, self.solver, self.target = spot, solver, target
        self.looks = looks  # iteration, seconds, exploitability in chips
        self.history = History(solver)
        self._next = next(checkpoints(after=solver.iteration))
        self._reading: tuple[int, Reading] | None = None
        self._training: Training | None = None

    @property
    def done(self) -> bool:
        """Whether the target is reached, or the end."""
        return bool(self.looks) and (self.looks[-1][2] <= self.target or self.solver.iteration >= MOST_ITERATIONS)

    def advance(self) -> None:
        """A stretch of work; where a look is due, the average is judged."""
        solver = self.solver
        each = solver.seconds / solver.iteration if solver.iteration else math.inf
        solver.advance(min(max(1, int(STRETCH / each)), self._next - solver.iteration))
        if solver.iteration == self._next:
            begun = time.perf_counter()
            if solver.iteration > solver.recipe.averaging.delay:
                self.look()
            # On a large spot a judgement takes as long as an iteration: the next one comes when it is a small part, but
            # not much later, as the first judgement also loads kernels.
            waited = (time.perf_counter() - begun) / solver.seconds
            least = int(solver.iteration * (1 + min(waited, 0.5)))
            self._next = next(member for member in checkpoints(after=solver.iteration) if member >= least)

    def look(self) -> None:
        """Judge the average as it stands, unless it has been."""
        if not self.looks or self.looks[-1][0] != self.solver.iteration:
            found: Checkpoint = self.solver.evaluate()
            self.solver.history.append(found)
            self.looks.append((found.iteration, self.solver.seconds, found.exploitability))
            self.history.take(found.exploitability / self.spot.pot)

    def settle(self) -> None:
        """Take what is there for good enough."""
        self.look()
        self.target = max(self.target, self.looks[-1][2])

    def progress(self) -> dict[str, Any]:
        """How far the run is, and how good."""
        solver, pot = self.solver, self.spot.pot
        loss = self.looks[-1][2] if self.looks else None
        return {
            "iteration": solver.iteration,
            "seconds": solver.seconds,
            "rate": solver.iteration / solver.seconds if solver.seconds else None,
            "exploitability": loss,
            "of_pot": None if loss is None else loss / pot,
            "target": self.target,
            "target_of_pot": self.target / pot,
            "left": self._left(),
            "looks": [(t, seconds, loss / pot, loss) for t, seconds, loss in self.looks],
            "reached": next((look[:2] for look in self.looks if look[2] <= self.target), None),
            "done": self.done,
            "recipe": solver.recipe.name,
            "precision": solver.precision,
        }

    def _left(self) -> float | None:
        """About how many seconds the target is away, if the exploitability goes on to fall as a power of time."""
        if self.done or len(self.looks) < 3:
            return None
        (_, before, high), (_, now, low) = self.looks[len(self.looks) // 2 - 1], self.looks[-1]
        if not 0 < low < high or not 0 < before < now:
            return None
        power = math.log(high / low) / math.log(now / before)
        return float(max(0.0, now * ((low / self.target) ** (1 / power) - 1) - (self.solver.seconds - now)))

    @property
    def reading(self) -> Reading:
        """The average as it stands, to be read; good until the run goes on, and made once until then."""
        if self._reading is None or self._reading[0] != self.solver.iteration:
            assert isinstance(self.solver.form, BlockForm)
            self._reading = self.solver.iteration, Reading(self.solver.form, self.solver.average_as_it_stands)
        return self._reading[1]

    def node(
        self, line: tuple[str, ...], kinds: Sequence[str] = (), suits: str = "", at: int | None = None
    ) -> dict[str, Any]:
        """A decision, a card to come or the end of the hand, as it stands or as it stood ``at`` an iteration that is
        kept; with a filter for hands."""
        kept = self.history.iterations if self.history.whole else []
        said = {"iteration": self.solver.iteration if at is None else at, "moments": kept}
        return place_shown(self._reading_at(at), line, read_filter(kinds, suits)) | said

    def _reading_at(self, at: int | None) -> Reading:
        return self.reading if at is None else self.history.reading(at)

    def table(self, line: tuple[str, ...], at: int | None = None) -> str:
        """All hands at a decision, as CSV."""
        return node_csv(self._reading_at(at), line)

    def why(self, line: tuple[str, ...], hand: str, at: int | None = None) -> dict[str, Any]:
        """Why a hand does what it does, in HTML."""
        return {
            "html": fragment(hand_document(why(self._reading_at(at), line, hand))),
            "hand": hand,
            "line": list(line),
            "iteration": self.solver.iteration if at is None else at,
        }

    def past(self, line: tuple[str, ...], hand: str, at: int | None = None) -> dict[str, Any]:
        """How a hand's strategy came about."""
        return self.history.hand(line, hand, at)

    def train(self, order: dict[str, Any]) -> dict[str, Any]:
        """A table at which somebody plays against what has been found, after what its record says."""
        if self._training is None or self._training.reading is not self.reading:
            self.look()
            self._training = Training(self.reading, self.looks[-1][2])
        return self._training.shown(order) | {"iteration": self.solver.iteration}

    def save(self, path: Path) -> None:
        """Keep the run in a file, as ``solve --save`` does."""
        self.look()  # what is opened again says how good it is
        self.solver.solution("callback" if not self.done else "until").save(path)
