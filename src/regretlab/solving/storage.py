"""Saved runs: arrays and provenance in one file, without pickle, written beside and renamed.

The file is numpy's .npz, or, where its name ends in .safetensors, that format, which other programs read networks from.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from regretlab.errors import UserError
from regretlab.evaluation import evaluate
from regretlab.files import written_beside
from regretlab.forms import (
    AnyForm,
    BlockForm,
    GameLike,
    Labelled,
    Strategy,
    form_name,
    form_to_solve,
    from_weights,
    read_strategy,
)
from regretlab.forms.kernel import Floats
from regretlab.forms.packed import KEPT, kept_size
from regretlab.games import load as load_game
from regretlab.own_file import is_in_a_file
from regretlab.solving.checkpoints import Checkpoint
from regretlab.solving.recipe import Recipe, recipe
from regretlab.solving.solution import Solution
from regretlab.solving.steps import recalls
from regretlab.spec import whole

FORMAT = 2
"""The layout of the file; a file with another number is refused."""

_TABLES = ("regrets", "totals", "current")
_ARRAYS = [f"{table}{player}" for table in (*_TABLES, "memory") for player in (0, 1)]

TENSORS = ".safetensors"
"""The end of the name of a file in that format."""

SECONDS_BETWEEN_SAVES = 60.0
"""How much work may be lost."""

MOST_TIME_SAVING = 0.05
"""The share of the time that saving may take; beyond it, more work may be lost."""

Reported = TypeVar("Reported")


def save(solution: Solution, path: str | Path, only_average: bool = False) -> None:
    """Write ``solution`` to ``path``, which either holds the whole of it afterwards or is as it was.

    Of a game in blocks it may be the average alone, compressed: at most half of the numbers; no run goes on with it.
    """
    about = {
        "format": FORMAT,
        "version": version("regretlab"),
        "game": solution.form.load_name,
        "name": solution.form.name,
        "fingerprint": fingerprint(solution.form),
        "recipe": solution.recipe.name,
        "parts": solution.recipe.parts,
        "seed": solution.seed,
        "deals": solution.deals,
        "form": form_name(solution.form),
        "precision": solution.precision,
        "iterations": solution.iterations,
        "history": solution.history,
        "seconds": solution.seconds,
        "evaluation_seconds": solution.evaluation_seconds,
        "stopped": solution.stopped,
    }
    if solution.recipe.restart is not None:
        about |= {"since": solution.since, "reached": solution.reached}
    if solution.earned is not None:
        about["earned"] = solution.earned
    if only_average or not solution.complete:
        _save_average(solution, path, about)
        return
    tables = _TABLES if _keeps_current(solution) else _TABLES[:-1]
    arrays = {f"{table}{player}": getattr(solution, table).arrays[player] for table in tables for player in (0, 1)}
    arrays |= {f"memory{player}": solution.memory[player] for player in (0, 1)}
    arrays |= solution.learned
    if Path(path).suffix == TENSORS:
        from regretlab.deep import to_tensors

        with written_beside(path) as file:
            file.write(to_tensors(arrays, json.dumps(about)))
        return
    about_bytes = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    with written_beside(path) as file:
        np.savez(file, about=about_bytes, **arrays)


def _save_average(solution: Solution, path: str | Path, about: dict[str, Any]) -> None:
    """Write the average alone."""
    about |= {"only_average": True, "current_exploitability": solution.current_exploitability}
    about_bytes = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    zero, one = solution.totals.arrays
    with written_beside(path) as file:
        np.savez_compressed(file, about=about_bytes, totals0=zero, totals1=one)


def _keeps_current(solution: Solution) -> bool:
    """Whether the last strategy has to be kept: in blocks it may follow from the regrets."""
    return not isinstance(solution.form, BlockForm) or recalls(solution.recipe)


def load(path: str | Path, game: GameLike | None = None, given: Recipe | None = None) -> Solution:
    """Read what ``save`` wrote and check that it belongs to the game; ``given`` is a recipe that no name leads to."""
    about, arrays = _read(Path(path))
    if game is None:
        name = str(about["game"])
        try:
            if is_in_a_file(name):  # code in somebody's file does not run because a saved run says so
                raise UserError(f"{name} is in a file of its own")
            game = load_game(name)
        except UserError as error:
            raise UserError(f"can't make the game of '{path}': {error}; give the game as well") from None
    try:
        if given is None or given.name != about["recipe"]:
            if is_in_a_file(str(about["recipe"])):
                named = about["recipe"]
                raise UserError(f"the rule of '{path}' is in a file of its own: {named}; give the recipe as well")
            given = recipe(about["recipe"])
        if "ties" not in about["parts"]:  # saved before ties were ties: it goes on as it began
            given = replace(given, ties=Fraction(0))
        kind = about.get("form", "histories")  # older runs know of no other
        form = form_to_solve(game, kind, precision=_precision(about), recalls=recalls(given))
        return _solution(path, form, about, arrays, given)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"'{path}' is damaged: what it says about the run can't be read") from None


def _solution(
    path: str | Path, form: AnyForm, about: dict[str, Any], arrays: dict[str, Floats], chosen: Recipe
) -> Solution:
    """Put a saved run together, after checking that its parts belong together."""
    if about["fingerprint"] != fingerprint(form):
        name = about.get("name", about["game"])  # what a game is loaded by may be a whole file
        other = f"{form.name} as it is now" if name == form.name else form.name
        raise UserError(f"'{path}' holds a run of {name}, which is not the same game as {other}")
    in_blocks = isinstance(form, BlockForm)
    complete = not about.get("only_average", False)
    if in_blocks and not complete:
        arrays |= _without_regrets(arrays, form, chosen)
    elif in_blocks and not recalls(chosen):
        arrays |= {"current0": arrays["regrets0"], "current1": arrays["regrets1"]}
    for name, array in ((name, arrays[name]) for name in _ARRAYS):
        treeplex = form.treeplexes[int(name[-1])]
        numbers, what = (treeplex.memory_size, "information set") if "memory" in name else (treeplex.size, "action")
        size = numbers if "memory" in name else kept_size(numbers, _precision(about))
        if "memory" in name and in_blocks and not recalls(chosen):
            size = 0
        if array.shape != (size,) or not np.isfinite(array).all():
            raise UserError(f"'{path}' is damaged: its {name[:-1]} are not finite numbers, one for each {what}")
        if "totals" in name and (array[:numbers] < 0).any():
            raise UserError(f"'{path}' is damaged: its totals are not all 0 or more, as sums of probabilities are")
    regrets, totals, current = (Labelled(form, (arrays[f"{table}0"], arrays[f"{table}1"])) for table in _TABLES)
    history = tuple(Checkpoint(*point) for point in about["history"])
    if whole("iterations", about["iterations"], least=1) != history[-1].iteration:
        raise UserError(f"'{path}' is damaged: its history does not end with its last iteration")
    behaviour = from_weights(form, current.arrays) if in_blocks else read_strategy(form, current)
    return Solution(
        form=form,
        recipe=chosen,
        seed=about["seed"],
        deals=tuple(about["deals"]),
        precision=_precision(about),
        iterations=about["iterations"],
        value=history[-1].value,
        exploitability=history[-1].exploitability,
        current_exploitability=(
            evaluate(form, behaviour).exploitability if complete else float(about["current_exploitability"])
        ),
        strategy=from_weights(form, totals.arrays),
        current=behaviour if in_blocks else Strategy(form, current.arrays),
        regrets=regrets,
        totals=totals,
        memory=(arrays["memory0"], arrays["memory1"]),
        history=history,
        seconds=about["seconds"],
        evaluation_seconds=about["evaluation_seconds"],
        stopped=about["stopped"],
        since=whole("since", about.get("since", 0), least=0, most=about["iterations"]),
        reached=float(about.get("reached", math.inf)),
        earned=_earned(about),
        learned={name: array for name, array in arrays.items() if name not in _ARRAYS},
        complete=complete,
    )


def _without_regrets(arrays: dict[str, Floats], form: AnyForm, chosen: Recipe) -> dict[str, Floats]:
    """What stands for regrets, memories and the last strategy, which were not kept: zeros that take no memory."""
    found: dict[str, Floats] = {}
    for player in (0, 1):
        nothing = np.zeros(arrays[f"totals{player}"].shape, dtype=arrays[f"totals{player}"].dtype)
        size = form.treeplexes[player].memory_size if recalls(chosen) else 0
        found |= {f"regrets{player}": nothing, f"current{player}": nothing, f"memory{player}": np.zeros(size)}
    return found


def _earned(about: dict[str, Any]) -> tuple[float, float] | None:
    """What the play of a run has earned, if that was kept."""
    if "earned" not in about:
        return None
    mine, theirs = map(float, about["earned"])
    if not (math.isfinite(mine) and math.isfinite(theirs)):
        raise ValueError(about["earned"])
    return mine, theirs


def _precision(about: dict[str, Any]) -> str:
    """The precision of a run; older ones know of one only."""
    precision = about.get("precision", "f64")
    if precision not in KEPT:
        raise ValueError(precision)
    return str(precision)


def read_about(path: Path) -> dict[str, Any]:
    """What a saved file says about its run, without its arrays, which may be large."""
    return _read(path, arrays=False)[0]


def _read(path: Path, arrays: bool = True) -> tuple[dict[str, Any], dict[str, Floats]]:
    """The two halves of a saved file, or one line that says what is wrong with it."""
    try:
        if path.suffix == TENSORS:
            from regretlab.deep import from_tensors

            found, text = from_tensors(path.read_bytes())
            about = json.loads(text)
        else:
            with path.open("rb") as handle, np.load(handle, allow_pickle=False) as file:
                names = [name for name in file.files if name in _ARRAYS or "." in name]
                found = {name: file[name] for name in names} if arrays else {}
                about = json.loads(file["about"].tobytes())
        if about["format"] != FORMAT:
            raise UserError(f"'{path}' has format {about['format']}; this version reads {FORMAT}")
    except FileNotFoundError:
        raise UserError(f"there is no file '{path}'") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"'{path}' is not a saved run, or it is damaged") from None
    return about, found


def fingerprint(form: AnyForm) -> str:
    """A hash of all that a run depends on: two games with the same one have the same numbers."""
    digest = hashlib.sha256()
    for treeplex in form.treeplexes:
        digest.update(treeplex.parent.tobytes() + treeplex.first.tobytes())
        digest.update(json.dumps(treeplex.described()).encode())
    digest.update(form.payoff.fingerprint())
    return digest.hexdigest()[:32]


def keeping(
    path: str | Path, look: Callable[[], Solution], callback: Callable[[Reported], object] | None
) -> Callable[[Reported], object]:
    """``callback``, which now and then also saves what ``look`` finds."""
    due = time.monotonic() + SECONDS_BETWEEN_SAVES

    def report(progress: Reported) -> object:
        nonlocal due
        start = time.monotonic()
        if start >= due:
            look().save(path)
            end = time.monotonic()
            due = end + max(SECONDS_BETWEEN_SAVES, (end - start) / MOST_TIME_SAVING)
        return None if callback is None else callback(progress)

    return report
