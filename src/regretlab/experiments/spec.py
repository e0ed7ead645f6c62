"""Frozen specifications: what runs, how long, from which start, and what is measured."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from regretlab.experiments.measures import USUAL_MEASURES
from regretlab.identity import number_identity
from regretlab.own_file import is_in_a_file, split_place
from regretlab.solving import Recipe, recipe


@dataclass(frozen=True)
class Run:
    """One recipe on one game from one start, looked at after some iterations."""

    game: str  # what ``load`` finds it by
    recipe: str  # what ``recipe`` finds it by
    checkpoints: tuple[int, ...]  # the iterations after which it is measured, ascending; the run ends with the last
    seed: int = 0  # of recipes that sample
    start: int = 0  # 0 begins with uniform strategies, k > 0 with random ones: ``Solver.perturb(k)``
    measures: tuple[str, ...] = USUAL_MEASURES


@dataclass(frozen=True)
class Suite:
    """Several runs under one name."""

    name: str
    title: str
    runs: tuple[Run, ...]  # each once


@cache
def recipe_of(name: str) -> Recipe:
    """The recipe of a run. A rule in a user's file is compiled in every process, so it is made once."""
    return recipe(name)


def first_average(made: Recipe) -> int:
    """The first iteration after which both players have an average."""
    # Where the players take turns by the iteration, the second one's average begins one iteration later.
    return made.averaging.delay + (2 if made.schedule == "one-player" else 1)


def identity(run: Run, fingerprint: str) -> dict[str, Any]:
    """Everything that the numbers of a run depend on; ``fingerprint`` is that of the compiled game."""
    made = recipe_of(run.recipe)
    return {
        "game": run.game,
        "fingerprint": fingerprint,
        "recipe": made.parts | ({} if made.rule is None else {"source": _source(made.row)}),
        "checkpoints": list(run.checkpoints),
        "seed": run.seed,
        "start": run.start,
        "measures": list(run.measures),
        "numerics": numerics(),
    }


def digest(known: dict[str, Any]) -> str:
    """The hash that a run is known by: what has the same identity has the same numbers."""
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()[:32]


@cache
def numerics() -> str:
    """The version of the code that computes: a hash of all sources that can change a number."""
    return number_identity()


@cache
def _source(place: str) -> str:
    """A hash of the file that a user's own rule is in: the rule may use whatever else is there."""
    assert is_in_a_file(place)
    return hashlib.sha256(Path(split_place(place, "rule")[0]).read_bytes()).hexdigest()[:32]
