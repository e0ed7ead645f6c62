"""Random games for property tests, theorem tests and scaling: as rules, and directly as arrays."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from hypothesis import strategies as st

from regretlab.forms import SequenceForm, Treeplex, sparse_payoff
from regretlab.games import CHANCE, TERMINAL

State = tuple[tuple[int, ...], tuple[int, ...], int]
"""What player 0 has seen, what player 1 has seen, how many moves have been made."""


@cache
def _schedule(seed: int) -> tuple[tuple[int, tuple[bool, bool]], ...]:
    """For each move: who makes it and who sees it."""
    rng = random.Random(seed)
    movers = [rng.choice((CHANCE, 0, 1)) for _ in range(rng.randint(1, 4))] + [0, 1]
    rng.shuffle(movers)
    return tuple((mover, (mover == 0 or rng.random() < 0.5, mover == 1 or rng.random() < 0.5)) for mover in movers)


@dataclass(frozen=True)
class RandomGame:
    """A small game whose rules follow from a seed.

    Who moves depends on the number of moves alone, and each move is seen by one player or by both; an own move is
    always seen. A label is all that a player has seen, so recall is perfect by construction. Games are lopsided: the
    number of actions differs between information sets, and some branches end early.
    """

    seed: int

    @property
    def name(self) -> str:
        return f"random({self.seed})"

    def draw(self, below: int, *what: object) -> int:
        """A number from 0 to ``below`` − 1 that depends on the seed and on ``what`` alone."""
        return zlib.crc32(repr((self.seed, what)).encode()) * 2654435761 % 2**32 % below

    def root(self) -> State:
        return (), (), 0

    def player(self, state: State) -> int:
        schedule = _schedule(self.seed)
        common = state[0] if state[0] == state[1] else ()
        if state[2] == len(schedule) or (state[2] > 1 and common and self.draw(5, "end", common) == 0):
            return TERMINAL
        return schedule[state[2]][0]

    def actions(self, state: State) -> Sequence[str]:
        mover = _schedule(self.seed)[state[2]][0]
        least = 1 if state[2] else 2
        what = state[2] if mover == CHANCE else self.label(state)
        return ["a0", "a1", "a2"][: least + self.draw(4 - least, "actions", what)]

    def chance(self, state: State) -> Sequence[Fraction]:
        weights = [1 + self.draw(4, "chance", state, k) for k in range(len(self.actions(state)))]
        return [Fraction(weight, sum(weights)) for weight in weights]

    def child(self, state: State, action: int) -> State:
        sees = _schedule(self.seed)[state[2]][1]
        views = [(*view, action) if seen else (*view, -1) for view, seen in zip(state[:2], sees, strict=True)]
        return views[0], views[1], state[2] + 1

    def label(self, state: State) -> str:
        player = _schedule(self.seed)[state[2]][0]
        return f"{player}:{','.join(map(str, state[player]))}"

    def payoff(self, state: State) -> int | Fraction:
        return self.draw(11, "payoff", state) - 5


class GenericGame(RandomGame):
    """The same without ties: no two payoffs are equal.

    Where two actions are exactly equal, rounding decides which regret is positive, and two correct programs may part.
    """

    def payoff(self, state: State) -> Fraction:
        return Fraction(self.draw(1_000_003, "payoff", state) - 500_000, 100_000)


def random_games() -> st.SearchStrategy[RandomGame]:
    """Small random games, as rules."""
    return st.integers(0, 10_000).map(RandomGame)


def random_treeplex(rng: np.random.Generator, player: int, infosets: int, most_actions: int = 4) -> Treeplex:
    """Information sets that hang from random earlier sequences."""
    sizes = rng.integers(1, most_actions + 1, infosets)
    first = np.cumsum([1, *sizes]).astype(np.uint32)
    parent = np.array([rng.integers(0, before) for before in first[:-1]], dtype=np.uint32)
    actions = tuple(tuple(f"a{k}" for k in range(size)) for size in sizes)
    return Treeplex(parent, first, tuple(f"{player}:{i}" for i in range(infosets)), actions)


def random_form(
    rng: np.random.Generator, infosets: tuple[int, int] = (8, 5), actions: int = 4, entries: int = 60
) -> SequenceForm:
    """A lopsided sequence form with normally distributed payoffs at random pairs of sequences.

    Not every such form comes from a game, but every pass, solver and judge is defined on it.
    """
    treeplexes = (random_treeplex(rng, 0, infosets[0], actions), random_treeplex(rng, 1, infosets[1], actions))
    shape = (treeplexes[0].sequences, treeplexes[1].sequences)
    rows, columns = (rng.integers(0, size, entries).astype(np.uint32) for size in shape)
    payoff = sparse_payoff(shape, rows, columns, np.arange(entries), rng.normal(size=entries))
    return SequenceForm("random form", treeplexes, payoff)


class GeneralSumGame(GenericGame):
    """The same with payoffs of its own for each player, of which no two are equal, and without ``payoff``."""

    @property
    def name(self) -> str:
        return f"general({self.seed})"

    payoff = None  # type: ignore[assignment]

    def payoffs(self, state: State) -> tuple[Fraction, Fraction]:
        mine, theirs = (Fraction(self.draw(1_000_003, "payoff", p, state) - 500_000, 100_000) for p in (0, 1))
        return mine, theirs


def general_sum_games() -> st.SearchStrategy[GeneralSumGame]:
    """Small random games that are not zero-sum, as rules."""
    return st.integers(0, 10_000).map(GeneralSumGame)
