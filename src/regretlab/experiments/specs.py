"""What runs: frozen specifications, and what the numbers of a run depend on."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from regretlab.experiments.measures import USUAL_MEASURES
from regretlab.forms import AnyForm, form_to_solve
from regretlab.identity import number_identity
from regretlab.solving import Recipe, recipe
from regretlab.solving.storage import fingerprint


@dataclass(frozen=True)
class RunSpec:
    """One recipe on one game from one start, looked at after some iterations."""

    game: str  # what ``load`` finds it by
    recipe: str  # what ``recipe`` finds it by
    checkpoints: tuple[int, ...]  # the iterations after which it is measured, ascending; the run ends with the last
    seed: int = 0  # of recipes that sample
    start: int = 0  # 0 begins with uniform strategies, k > 0 with random ones: ``Solver.perturb(k)``
    measures: tuple[str, ...] = USUAL_MEASURES
    keep: str = ""  # of a spot in a batch one of ``KEEP``, how much of its strategy is kept; "" of all other runs
    precision: str = "f64"  # of a spot in a batch
    until: float | None = None  # the exploitability in chips at which a spot in a batch ends; None runs to the end

    @property
    def is_spot(self) -> bool:
        """Whether it is a spot of a batch, which is measured in its own way."""
        return bool(self.keep)


KEEP = ("root", "street", "all")
"""How much of a spot's strategy is kept: at its first decision, on its first street, or all of it."""


def board_in(game: str) -> str | None:
    """The board in the name of a spot that is its whole text; None in all other names.

    >>> board_in('holdem:board = "QsJh2h"\\npot = 200'), board_in("holdem:river-polar")
    ('QsJh2h', None)
    """
    found = re.match(r'holdem:board = "(\w+)"', game)
    return None if found is None else found[1]


def short_name(game: str) -> str:
    """What people call a game whose name may be a whole text."""
    board = board_in(game)
    return game if board is None else f"holdem({board})"


class BoardOf(NamedTuple):
    """What a spot of a batch is called in its suite."""

    spot: str  # the name of the spot that stands on several boards
    board: str
    weight: int  # how many boards this one stands for


@dataclass(frozen=True)
class Suite:
    """Several runs under one name."""

    name: str
    title: str
    runs: tuple[RunSpec, ...]  # each once
    boards: tuple[tuple[str, BoardOf], ...] = ()  # by the games of spots in batches


GAMES_KEPT = 4
"""How many compiled games a process keeps. Runs come sorted by game, so even one would nearly do."""


@lru_cache(GAMES_KEPT)
def form_of(game: str) -> AnyForm:
    """The compiled game of a run, kept for the next one."""
    return form_to_solve(game)


@lru_cache(GAMES_KEPT)
def fingerprint_of(game: str) -> str:
    """The fingerprint of the compiled game of a run."""
    return fingerprint(form_of(game))


def text_fingerprint(game: str) -> str:
    """The fingerprint of a spot in a batch, whose name says all there is to it: nothing need be compiled for that."""
    return hashlib.sha256(game.encode()).hexdigest()[:32]


@cache
def recipe_of(name: str) -> Recipe:
    """The recipe of a run. A rule in a user's file is compiled in every process, so it is made once."""
    return recipe(name)


def identity(run: RunSpec, fingerprint: str) -> dict[str, Any]:
    """Everything that the numbers of a run depend on; ``fingerprint`` is that of the compiled game."""
    made = recipe_of(run.recipe)
    return {
        "game": run.game,
        "fingerprint": fingerprint,
        "recipe": made.parts | ({} if made.rule is None else {"source": _source(made.rule.file)}),
        "checkpoints": list(run.checkpoints),
        "seed": run.seed,
        "start": run.start,
        "measures": list(run.measures),
        "numerics": number_identity(),
    } | ({"precision": run.precision, "until": run.until} if run.is_spot else {})


def digest(known: dict[str, Any]) -> str:
    """The hash that a run is known by: what has the same identity has the same numbers."""
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:32]


@cache
def _source(path: str) -> str:
    """A hash of the file that a rule is in that is not ours: the rule may use whatever else is there."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:32]
