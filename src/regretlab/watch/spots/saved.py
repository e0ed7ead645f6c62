"""Runs of spots that were solved and saved before: what each is, without reading its arrays, and what is none."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from regretlab.endgames.betting import STREETS
from regretlab.endgames.cards import hand_name, read_cards
from regretlab.errors import UserError
from regretlab.solving.storage import read_about
from regretlab.watch.spots.described import fields_of

SPOT = "holdem:"
"""How the name begins by which a saved run finds its spot; then comes the name of a ready one, or a whole text."""


class SavedSpot(NamedTuple):
    """A saved run of a spot."""

    fields: dict[str, Any]  # what a form holds of it
    recipe: str
    precision: str
    iterations: int
    exploitability: float


def saved_spot(path: Path) -> SavedSpot:
    """The run in a file, or one line that says why it is none of a spot.

    A file may come from anybody: the spot that it names is a ready one or stands in it, never in another file.
    """
    try:
        about = read_about(path)
        game = str(about["game"])
        if about.get("form") != "blocks" or not game.startswith(SPOT):
            raise UserError(
                f"'{path.name}' holds a run of {about.get('name', game)!s:.60}, which is no Hold'em endgame"
            )
        source = game.removeprefix(SPOT)
        fields = fields_of({"toml": source} if "=" in source else {"name": source})
        iterations, exploitability, _ = about["history"][-1]
        return SavedSpot(fields, str(about["recipe"]), str(about["precision"]), int(iterations), float(exploitability))
    except UserError as error:
        raise UserError(" ".join(str(error).replace(str(path), path.name).split())) from None
    except (KeyError, TypeError, ValueError, IndexError, json.JSONDecodeError):
        raise UserError(f"'{path.name}' is damaged: what it says about the run can't be read") from None


def listed(folder: Path, names: list[str]) -> list[dict[str, Any]]:
    """The files of a folder as a page lists them: what each is, or what is wrong with it; the newest first."""
    rows = [_row(folder / name, name) for name in names]
    return sorted(rows, key=lambda row: str(row["modified"]), reverse=True)


def _row(path: Path, name: str) -> dict[str, Any]:
    stat = path.stat()
    modified = datetime.fromtimestamp(stat.st_mtime, UTC).isoformat(timespec="seconds")
    row = {"name": name, "bytes": stat.st_size, "modified": modified}
    try:
        run = saved_spot(path)
        board, pot = read_cards(run.fields["board"]), float(run.fields["pot"])
        return row | {
            "board": hand_name(board),
            "street": STREETS[len(board) - 3],
            "pot": pot,
            "stack": float(run.fields["stack"]),
            "recipe": run.recipe,
            "iterations": run.iterations,
            "of_pot": run.exploitability / pot,
        }
    except (UserError, KeyError, IndexError, ZeroDivisionError) as error:
        said = str(error) if isinstance(error, UserError) else f"'{path.name}' names a spot that can't be read"
        return row | {"error": said}
