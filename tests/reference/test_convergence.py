"""The textbook against published figures and theorems, judged by code that shares nothing with it."""

import csv
import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from regretlab.games import CHANCE, TERMINAL, Game, Kuhn, Number
from regretlab.reference import (
    CFRPlusTrainer,
    CFRTrainer,
    GameConfig,
    NormalHedgePlusTrainer,
    NormalHedgeTrainer,
    Trainer,
)

DATA = Path(__file__).parents[1] / "data"
TRAINERS = [CFRTrainer, CFRPlusTrainer, NormalHedgeTrainer, NormalHedgePlusTrainer]

Profile = Mapping[str, Mapping[str, Number]]


def expected_payoff(game: Game, profile: Profile, state: object) -> Number:
    """Player 0's, by plain enumeration of histories."""
    player = game.player(state)
    if player == TERMINAL:
        return game.payoff(state)
    names = game.actions(state)
    odds = game.chance(state) if player == CHANCE else [profile[game.label(state)][name] for name in names]
    return sum(p * expected_payoff(game, profile, game.child(state, k)) for k, p in enumerate(odds) if p)


def pure_strategies(labels: list[str], profile: Profile) -> Iterator[Profile]:
    """Every way to commit to one action at each of these information sets, everything else as in ``profile``."""
    for choice in itertools.product(*(profile[label] for label in labels)):
        chosen = dict(zip(labels, choice, strict=True))
        yield {**profile, **{label: {name: int(name == chosen[label]) for name in profile[label]} for label in labels}}


def exploitability(game: Game, profile: Profile) -> float:
    """Half of what two best responders win together, by brute force over their pure strategies."""
    mine = [label for label in profile if len(label) != 2]  # Kuhn: player 1's labels have one move in them
    theirs = [label for label in profile if len(label) == 2]
    best = [max(expected_payoff(game, pure, game.root()) for pure in pure_strategies(mine, profile))]
    best += [max(-expected_payoff(game, pure, game.root()) for pure in pure_strategies(theirs, profile))]
    return float(sum(best)) / 2


def published() -> list[tuple[str, int, float]]:
    lines = (DATA / "published_convergence.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return [
        (row["algorithm"], int(key.removeprefix("T=")), float(row[key]))
        for row in rows
        if row["game"] == "kuhn_poker" and row["algorithm"] in ("CFR", "CFR+")
        for key in ("T=10", "T=100", "T=1000")
    ]


@pytest.mark.parametrize(("algorithm", "iterations", "expected"), published())
def test_full_traversal_gives_the_published_exploitability(algorithm: str, iterations: int, expected: float) -> None:
    kind = {"CFR": CFRTrainer, "CFR+": CFRPlusTrainer}[algorithm]
    trainer = kind(GameConfig(), schedule="alternating", deals="all")
    trainer.train(iterations)
    assert exploitability(Kuhn(), trainer.get_strategy_profile()) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("kind", TRAINERS)
@pytest.mark.parametrize(("ante", "bet"), [(1, 1), (Fraction(3, 2), 1), (1, 3)])
def test_regrets_bound_exploitability(kind: type[Trainer], ante: Number, bet: Number) -> None:
    # NashConv ≤ Σ max R⁺ / T for simultaneous updates and the uniform average (Zinkevich et al., 2007). Regrets cut off
    # at zero are at least as large as the plain ones, so the bound holds for them too.
    config = GameConfig(ante=ante, bet_size=bet)
    trainer = kind(config, schedule="simultaneous", averaging="uniform", deals="all")
    for _ in range(3):
        trainer.train(40)
        bound = sum(max(0, *infoset.regret_sum) for infoset in trainer.infosets.values()) / trainer.iteration
        nash_conv = 2 * exploitability(config.game, trainer.get_strategy_profile())
        # On some of these the bound is met exactly, so rounding decides on which side the figures fall.
        assert 0 < nash_conv <= bound * (1 + 1e-12)


@pytest.mark.parametrize("kind", TRAINERS)
def test_random_deals_lead_towards_equilibrium(kind: type[Trainer]) -> None:
    trainer = kind(GameConfig(), seed=7)
    start = exploitability(Kuhn(), trainer.get_strategy_profile())
    trainer.train(2_000)
    # From 458 milli-chips to somewhere between 13 and 40, depending on the seed.
    assert exploitability(Kuhn(), trainer.get_strategy_profile()) < start / 10
