"""Strategies out of files: a saved run, or JSON that says for each information set how probable each action is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from regretlab.errors import UserError
from regretlab.forms import GameLike, Strategy
from regretlab.solving.storage import TENSORS, load


def load_strategy(path: str | Path, game: GameLike | None = None) -> Strategy | dict[str, dict[str, float]]:
    """The strategy in a file: the average of a saved run (``.npz``), or ``{label: {action: probability}}`` (``.json``),
    alone or as the key ``strategy``, where ``regretlab solve --json`` writes it.

    ``evaluate``, ``best_response``, ``lock`` and ``read`` take what it returns. A saved run of a game in a file of
    one's own wants the game as well.
    """
    if Path(path).suffix in (".npz", TENSORS):
        return load(path, game).strategy
    if Path(path).suffix != ".json":
        raise UserError(f"'{path}' is no strategy: a saved run's name ends in .npz or {TENSORS}, JSON's in .json")
    found = _parsed(Path(path))
    if isinstance(found, Mapping) and "strategy" in found:
        found = found["strategy"]
        if found is None:
            raise UserError(f"'{path}' has no strategy: it was too long to be listed; save the run, --save run.npz")
    if not isinstance(found, Mapping) or not all(isinstance(each, Mapping) for each in found.values()):
        raise UserError(f'\'{path}\' holds no strategy; write it like {{"Jb": {{"fold": 0.7, "call": 0.3}}, …}}')
    return {label: dict(each) for label, each in found.items()}


def _parsed(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"there is no file '{path}'") from None
    except OSError as error:
        raise UserError(f"can't read '{path}': {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"'{path}' is not JSON: {error}") from None
