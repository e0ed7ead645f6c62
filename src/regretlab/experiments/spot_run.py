"""One spot of a batch, performed: what is measured of it, and what is kept of its strategy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from regretlab.endgames import NodeView, Reading, Spot
from regretlab.endgames.spot import PLAYERS
from regretlab.experiments.kept import first_street, packed
from regretlab.experiments.measures import SECONDS, Measurement, advance_to, frequency_of
from regretlab.experiments.specs import RunSpec, recipe_of
from regretlab.files import written_beside
from regretlab.forms import BlockForm
from regretlab.games import load
from regretlab.solving import Checkpoint, Solver
from regretlab.solving.checkpoints import checkpoints
from regretlab.solving.storage import save


class SolvedSpot(NamedTuple):
    """What a run has found."""

    measurements: tuple[Measurement, ...]
    root: bytes  # the first decision, see ``kept``


_compiled: dict[str, BlockForm] = {}
"""The compiled game of the run before, by its name: other recipes on it come next. It counts in a run's memory."""


def forget() -> None:
    """Keep no compiled game."""
    _compiled.clear()


def perform_spot(run: RunSpec, file: Path | None) -> SolvedSpot:
    """Solve it, on one core; ``file`` is where its strategy is kept, if it is."""
    solver = Solver(_form_of(run), recipe_of(run.recipe), cores=1, precision=run.precision)
    found: list[Measurement] = []
    last = None
    for look in _looks(run):
        advance_to(solver, look)
        if look < solver.recipe.least_iterations:
            continue
        last = solver.evaluate()
        if len(run.checkpoints) > 1:
            found += _judged(last, solver)
        if run.until is not None and last.exploitability <= run.until:
            break
    assert last is not None  # a suite whose runs end before there is an average is refused
    assert isinstance(solver.form, BlockForm)
    reading = Reading(solver.form, solver.average_as_it_stands)
    root = reading.at()
    if len(run.checkpoints) == 1:
        found += _judged(last, solver)
    found += [Measurement(last.iteration, name, amount) for name, amount in _expected(reading.spot, root, last)]
    if file is not None:
        _keep(run, file, solver, reading)
    return SolvedSpot(tuple(found), packed([root]))


def _form_of(run: RunSpec) -> BlockForm:
    """The compiled game. The one before goes first, so that there are never two.

    Whoever hands out runs has counted what it takes, so that it need not be counted here.
    """
    if run.game not in _compiled:
        forget()
        spot = load(run.game)
        assert isinstance(spot, Spot)  # batches have nothing else
        _compiled[run.game] = replace(spot.blocks(), loaded_from=run.game)
    return _compiled[run.game]


def _looks(run: RunSpec) -> Iterator[int]:
    """When it is judged: where the suite lists iterations there, else, up to a target, where ``solve`` looks."""
    if run.until is None or len(run.checkpoints) > 1:
        yield from run.checkpoints
        return
    yield from takewhile(lambda look: look < run.checkpoints[-1], checkpoints(after=0))
    yield run.checkpoints[-1]


def _judged(point: Checkpoint, solver: Solver) -> list[Measurement]:
    """What is known at every look."""
    amounts = {SECONDS: solver.seconds, "exploitability": point.exploitability, "value": point.value}
    return [Measurement(point.iteration, name, amount) for name, amount in amounts.items()]


def _expected(spot: Spot, root: NodeView, last: Checkpoint) -> Iterator[tuple[str, float]]:
    """What is known at the end."""
    yield "exploitability_of_pot", last.exploitability / spot.pot
    for who, ev, equity in zip(PLAYERS, root.evs, root.equities, strict=True):
        yield f"ev of {who}", ev
        yield f"equity of {who}", equity
    yield "pairs", float(root.weights.sum())
    for action, often in root.frequencies.items():
        yield frequency_of(action), often


def _keep(run: RunSpec, file: Path, solver: Solver, reading: Reading) -> None:
    """Write as much of the strategy as is wanted, beside and renamed."""
    if run.keep == "all":
        save(solver.glimpse("iterations" if run.until is None else "until"), file, only_average=True)
        return
    views = packed([reading.at(*line) for line in first_street(reading.spot)])
    with written_beside(file) as opened:
        opened.write(views)
