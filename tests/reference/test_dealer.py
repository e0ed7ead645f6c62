"""Which deals the textbook walks."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from random_games import RandomGame, random_games

from regretlab.errors import UserError
from regretlab.games import CHANCE, TERMINAL, Kuhn
from regretlab.reference import (
    SCHEDULES,
    CFRPlusTrainer,
    CFRTrainer,
    Decision,
    GameConfig,
    InformationSet,
    Trainer,
)

KUHN = GameConfig()


def roots(**options: Any) -> tuple[Trainer, list[tuple[int, str]]]:
    """A trainer, and the list in which it will note the deal of every pass."""
    seen: list[tuple[int, str]] = []

    def note(event: Decision) -> None:
        if len(event.history) == 1:
            seen.append((event.iteration, event.history[0]))

    return CFRTrainer(KUHN, observer=note, **options), seen


def test_listed_deals_are_dealt_in_order() -> None:
    trainer, seen = roots(deals=["JQ", "QK", "JQ", "KJ"])
    trainer.train(2)
    trainer.train(2)
    assert seen == [(1, "JQ"), (2, "QK"), (3, "JQ"), (4, "KJ")]


def test_both_passes_of_an_alternating_iteration_see_the_same_deal() -> None:
    trainer, seen = roots(seed=1, schedule="alternating")
    trainer.train(40)
    assert [iteration for iteration, _ in seen] == [t for t in range(1, 41) for _ in (0, 1)]
    assert seen[::2] == seen[1::2]
    assert len({deal for _, deal in seen}) == 6


def test_seed_decides() -> None:
    first, again, other = (CFRTrainer(KUHN, seed=seed).train(50) for seed in (1, 1, 2))
    assert first == again
    assert first != other


class Lopsided(Kuhn):
    """Kuhn in which the deal JQ comes half of the time."""

    def chance(self, state: Any) -> list[Fraction]:
        return [Fraction(1, 2)] + [Fraction(1, 10)] * 5


def test_deals_are_drawn_with_their_probability() -> None:
    seen: Counter[str] = Counter()

    def note(event: Decision) -> None:
        seen.update(event.history[:1] if len(event.history) == 1 else ())

    CFRTrainer(Lopsided(), seed=4, observer=note).train(2_000)
    # One standard deviation is 22 for JQ and 13 for the others.
    assert abs(seen.pop("JQ") - 1_000) < 100
    assert all(abs(count - 200) < 65 for count in seen.values())
    assert len(seen) == 5


def test_regrets_of_a_drawn_deal_carry_no_probability() -> None:
    trainer = CFRTrainer(Lopsided(), deals=["QK"], exact=True)
    trainer.train(1)
    assert trainer.infosets["Q"].regret_sum == [Fraction(-3, 8), Fraction(3, 8)]
    everything = CFRTrainer(Lopsided(), deals="all", exact=True)
    everything.train(1)
    # The Jack against the Queen with 1/2 and against the King with 1/10, each ±3/8.
    assert everything.infosets["J"].regret_sum == [Fraction(-9, 40), Fraction(9, 40)]


@pytest.mark.parametrize("schedule", SCHEDULES)
@settings(max_examples=20)
@given(game=random_games())
def test_function_is_asked_once_an_iteration_and_history(schedule: str, game: RandomGame) -> None:
    asked: list[tuple[int, tuple[str, ...]]] = []

    def choose(iteration: int, history: tuple[str, ...]) -> int:
        asked.append((iteration, history))
        state = reached(game, history)
        assert game.player(state) == CHANCE
        return iteration % len(game.actions(state))

    trainer = Trainer(game, InformationSet, schedule=schedule, deals=choose, exact=True)
    values = trainer.train(3)
    assert len(set(asked)) == len(asked)
    again = Trainer(game, InformationSet, schedule=schedule, deals=choose, exact=True)
    assert again.train(3) == values


def reached(game: RandomGame, history: tuple[str, ...]) -> Any:
    state = game.root()
    for name in history:
        state = game.child(state, list(game.actions(state)).index(name))
    return state


def test_function_and_list_mean_the_same() -> None:
    names = ["KJ", "JQ", "QK"]
    numbers = [list(Kuhn().actions(Kuhn().root())).index(name) for name in names]
    listed = CFRPlusTrainer(KUHN, deals=names, exact=True)
    chosen = CFRPlusTrainer(KUHN, deals=lambda iteration, history: numbers[iteration - 1], exact=True)
    assert listed.train(3) == chosen.train(3)
    assert listed.get_strategy_profile() == chosen.get_strategy_profile()


@dataclass(frozen=True)
class InTurn:
    """A game in which everybody sees everything, and the movers, chance among them, have two options each."""

    movers: tuple[int, ...]
    name: str = "in turn"

    def root(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return self.movers[len(state)] if len(state) < len(self.movers) else TERMINAL

    def actions(self, state: tuple[int, ...]) -> list[str]:
        return ["heads", "tails"]

    def chance(self, state: tuple[int, ...]) -> list[float]:
        return [0.5, 0.5]

    def child(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def label(self, state: tuple[int, ...]) -> str:
        return f"at {state}"

    def payoff(self, state: tuple[int, ...]) -> int:
        return (-1) ** sum(state)


def test_list_decides_the_root_only() -> None:
    seen: list[Decision] = []
    game = InTurn((CHANCE, 0, CHANCE, 1))
    Trainer(game, InformationSet, deals=["tails"] * 60, seed=2, observer=seen.append).train(60)
    assert {event.history[0] for event in seen} == {"tails"}
    assert {event.history[2] for event in seen if event.player == 1} == {"heads", "tails"}


def test_chance_is_drawn_anew_at_every_history() -> None:
    # After heads and after tails of player 0 chance moves independently: all four combinations come up.
    seen: list[Decision] = []
    Trainer(InTurn((0, CHANCE, 1)), InformationSet, seed=3, observer=seen.append).train(60)
    drawn = {(event.iteration, event.history[0]): event.history[1] for event in seen if event.player == 1}
    assert len(drawn) == 120
    assert len({(drawn[t, "heads"], drawn[t, "tails"]) for t in range(1, 61)}) == 4


@pytest.mark.parametrize(
    ("game", "deals", "words"),
    [
        (KUHN, ["JQ", "QQ"], ["'QQ'", "did you mean", "JQ, JK, QJ, QK, KJ, KQ"]),
        (KUHN, ["JQ", 3], ["'3'", "JQ, JK"]),
        (KUHN, "JQ", ["deals='JQ'", "'all'", "list"]),
        (KUHN, ["JQ", "QK"], ["ends after iteration 2", "3 iterations need 3"]),
        (KUHN, [], ["ends after iteration 0"]),
        (KUHN, lambda iteration, history: 6, ["outcome 6 of 6", "iteration 1"]),
        (KUHN, lambda iteration, history: -1, ["outcome -1 of 6"]),
        (InTurn((0, CHANCE, 1)), ["heads"], ["in turn does not begin with a deal"]),
    ],
)
def test_bad_deals_are_told_in_one_line(game: Any, deals: Any, words: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        CFRTrainer(game, deals=deals).train(3)
    line = str(caught.value)
    assert "\n" not in line
    assert all(word in line for word in words)


def test_too_short_a_list_is_found_before_anything_is_learnt() -> None:
    trainer = CFRTrainer(KUHN, deals=["JQ", "QK"])
    with pytest.raises(UserError):
        trainer.train(3)
    assert trainer.iteration == 0
    trainer.train(2)
    with pytest.raises(UserError):
        trainer.train(1)
