"""Random locks for property tests."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from random_games import RandomGame
from random_public_games import RandomPublicGame

from regretlab.forms import compile


def random_lock(game: RandomGame | RandomPublicGame, seed: int, whole: bool = False) -> dict[str, dict[str, Fraction]]:
    """Some information sets, or of a game with hands some whole nodes, with probabilities that are often 0."""
    form, found = compile(game), {}
    rng = Random(seed)
    chosen: dict[str, bool] = {}
    for treeplex in form.treeplexes:
        for label, actions in zip(treeplex.labels, treeplex.actions, strict=True):
            node = (label[0], label[label.index(" after") :]) if whole else label
            if chosen.setdefault(str(node), rng.random() < 0.4):
                weights = [rng.choice((0, 0, 1, 2)) for _ in actions]
                weights[rng.randrange(len(actions))] += 1
                found[label] = {a: Fraction(w, sum(weights)) for a, w in zip(actions, weights, strict=True)}
    return found
