"""Saved runs: arrays and provenance in one .npz file, without pickle, written beside and renamed."""

from __future__ import annotations

import hashlib
import json
import zipfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from regretlab.errors import UserError
from regretlab.evaluation import evaluate
from regretlab.files import written_beside
from regretlab.forms import Labelled, SequenceForm, SparsePayoff, Strategy, as_form, from_weights, read_strategy
from regretlab.forms.kernel import Floats
from regretlab.games import Game
from regretlab.solve.checkpoints import Checkpoint
from regretlab.solve.recipe import recipe
from regretlab.solve.solution import Solution
from regretlab.spec import whole

FORMAT = 1
"""The layout of the file; a file with another number is refused."""

_TABLES = ("regrets", "totals", "current")


def save(solution: Solution, path: str | Path) -> None:
    """Write ``solution`` to ``path``, which either holds the whole of it afterwards or is as it was."""
    about = {
        "format": FORMAT,
        "version": version("regretlab"),
        "game": solution.game,
        "fingerprint": fingerprint(solution.form),
        "recipe": solution.recipe.name,
        "parts": solution.recipe.parts,
        "seed": solution.seed,
        "deals": solution.deals,
        "iterations": solution.iterations,
        "history": solution.history,
        "seconds": solution.seconds,
        "evaluation_seconds": solution.evaluation_seconds,
        "stopped": solution.stopped,
    }
    arrays = {f"{table}{player}": getattr(solution, table).arrays[player] for table in _TABLES for player in (0, 1)}
    about_bytes = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    with written_beside(path) as file:
        np.savez(file, about=about_bytes, **arrays)


def load(path: str | Path, game: Game | SequenceForm | None = None) -> Solution:
    """Read what ``save`` wrote and check that it belongs to the game."""
    about, arrays = _read(Path(path))
    form = as_form(about["game"] if game is None else game)
    try:
        return _solution(path, form, about, arrays)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"'{path}' is damaged: what it says about the run can't be read") from None


def _solution(path: str | Path, form: SequenceForm, about: dict[str, Any], arrays: dict[str, Floats]) -> Solution:
    """Put a saved run together, after checking that its parts belong together."""
    if about["fingerprint"] != fingerprint(form):
        raise UserError(f"'{path}' holds a run of {about['game']}, which is not the same game as {form.name}")
    for name, array in arrays.items():
        if array.shape != (form.treeplexes[int(name[-1])].sequences,) or not np.isfinite(array).all():
            raise UserError(f"'{path}' is damaged: its {name[:-1]} are not finite numbers, one for each action")
    regrets, totals, current = (Labelled(form, (arrays[f"{table}0"], arrays[f"{table}1"])) for table in _TABLES)
    history = tuple(Checkpoint(*point) for point in about["history"])
    if whole("iterations", about["iterations"], least=1) != history[-1].iteration:
        raise UserError(f"'{path}' is damaged: its history does not end with its last iteration")
    behaviour = read_strategy(form, current)
    return Solution(
        form=form,
        recipe=recipe(about["recipe"]),
        seed=about["seed"],
        deals=tuple(about["deals"]),
        iterations=about["iterations"],
        value=history[-1].value,
        exploitability=history[-1].exploitability,
        current_exploitability=evaluate(form, behaviour).exploitability,
        strategy=from_weights(form, totals.arrays),
        current=Strategy(form, current.arrays),
        regrets=regrets,
        totals=totals,
        history=history,
        seconds=about["seconds"],
        evaluation_seconds=about["evaluation_seconds"],
        stopped=about["stopped"],
    )


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Floats]]:
    """The two halves of a saved file, or one line that says what is wrong with it."""
    try:
        with path.open("rb") as handle, np.load(handle, allow_pickle=False) as file:
            about = json.loads(file["about"].tobytes())
            arrays = {f"{table}{player}": file[f"{table}{player}"] for table in _TABLES for player in (0, 1)}
        if about["format"] != FORMAT:
            raise UserError(f"'{path}' has format {about['format']}; this version reads {FORMAT}")
    except FileNotFoundError:
        raise UserError(f"there is no file '{path}'") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"'{path}' is not a saved run, or it is damaged") from None
    return about, arrays


def fingerprint(form: SequenceForm) -> str:
    """A hash of all that a run depends on: two games with the same one have the same numbers."""
    digest = hashlib.sha256()
    for treeplex in form.treeplexes:
        digest.update(treeplex.parent.tobytes() + treeplex.first.tobytes())
        digest.update(json.dumps([treeplex.labels, treeplex.actions]).encode())
    if isinstance(form.payoff, SparsePayoff):
        for part in form.payoff.matrices[0]:
            digest.update(part.tobytes())
    return digest.hexdigest()[:32]
