"""The recursion: iterations worked out by hand, and what schedules, averages and deals mean."""

import dataclasses
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import RandomGame, random_games

from regretlab.errors import GameError, UserError
from regretlab.games import TERMINAL, Kuhn
from regretlab.reference import (
    SCHEDULES,
    CFRPlusTrainer,
    CFRTrainer,
    Decision,
    GameConfig,
    InformationSet,
    InformationSetNH,
    InformationSetNHPlus,
    InformationSetPlus,
    NormalHedgePlusTrainer,
    NormalHedgeTrainer,
    Trainer,
)

RULES = [InformationSet, InformationSetPlus, InformationSetNH, InformationSetNHPlus]
TRAINERS = [CFRTrainer, CFRPlusTrainer, NormalHedgeTrainer, NormalHedgePlusTrainer]
KUHN = GameConfig(ante=1, bet_size=1)


def regrets(trainer: Trainer) -> dict[str, list[Any]]:
    return {label: infoset.regret_sum for label, infoset in trainer.infosets.items()}


def sums(trainer: Trainer) -> dict[str, list[Any]]:
    return {label: infoset.strategy_sum for label, infoset in trainer.infosets.items()}


def quarters(*numbers: int) -> list[Fraction]:
    return [Fraction(number, 4) for number in numbers]


def test_iteration_with_a_large_bet_by_hand() -> None:
    # Ante 1, bet 2, King against Queen, everything still uniform.
    #   Kcb  fold −1, call +3            value 1         opponent's reach 1/2
    #        r = 1/2 (−1 − 1), 1/2 (3 − 1) = −1, +1
    #   Qc   player 1: check −1, bet −1 (minus the value of Kcb)    value −1     r = 0, 0
    #   Qb   player 1: fold −1, call −3  value −2        opponent's reach 1/2
    #        r = 1/2 (−1 + 2), 1/2 (−3 + 2) = +1/2, −1/2
    #   K    check +1, bet +2            value 3/2       r = −1/2, +1/2
    trainer = CFRTrainer(GameConfig(ante=1, bet_size=2), deals=["KQ"], exact=True)
    assert trainer.train(1) == [Fraction(3, 2)]
    found = regrets(trainer)
    assert found["Kcb"] == [-1, 1]
    assert found["Qc"] == [0, 0]
    assert found["Qb"] == quarters(2, -2)
    assert found["K"] == quarters(-2, 2)
    assert all(found[label] == [0, 0] for label in found if label not in ("Kcb", "Qc", "Qb", "K"))
    # Kcb is reached with 1/2 by player 0's own check; elsewhere nobody has chosen before.
    assert sums(trainer)["Kcb"] == quarters(1, 1)
    assert sums(trainer)["K"] == sums(trainer)["Qc"] == sums(trainer)["Qb"] == quarters(2, 2)


def test_alternating_iteration_by_hand() -> None:
    # Jack against Queen. Player 0's pass is the walkthrough's: J [−3/8, 3/8], Jcb [1/4, −1/4]. So from now on player 0
    # bets the Jack, and would fold it. Player 1's pass sees that:
    #   Qc  opponent's reach 0; check 1, bet 1 (the fold)    r = 0, 0
    #   Qb  opponent's reach 1; fold −1, call 2, value 1/2   r = −3/2, 3/2    (simultaneous: half of it)
    events: list[Decision] = []
    trainer = CFRTrainer(KUHN, schedule="alternating", deals=["JQ"], exact=True, observer=events.append)
    assert trainer.train(1) == [Fraction(-7, 8)]  # under the strategies with which the iteration began
    assert regrets(trainer)["J"] == [Fraction(-3, 8), Fraction(3, 8)]
    assert regrets(trainer)["Jcb"] == quarters(1, -1)
    assert regrets(trainer)["Qc"] == [0, 0]
    assert regrets(trainer)["Qb"] == quarters(-6, 6)
    # Each player's average counts, once, the strategy before that player's update.
    assert sums(trainer)["J"] == sums(trainer)["Qc"] == sums(trainer)["Qb"] == quarters(2, 2)
    assert sums(trainer)["Jcb"] == quarters(1, 1)
    assert [(event.updating, event.label, event.updated) for event in events] == [
        ((0,), "Jcb", True),
        ((0,), "Qc", False),
        ((0,), "Qb", False),
        ((0,), "J", True),
        ((1,), "Jcb", False),
        ((1,), "Qc", True),
        ((1,), "Qb", True),
        ((1,), "J", False),
    ]
    assert [event.strategy for event in events[4:]] == [(1, 0), tuple(quarters(2, 2)), tuple(quarters(2, 2)), (0, 1)]


def test_one_player_iterations_by_hand() -> None:
    # Jack against Queen three times. t = 1 updates player 0: J [0, 3/8], Jcb [1/4, 0]; S(J) = 1 · [1/2, 1/2].
    # t = 2 updates player 1, who sees that the Jack always bets: Qc keeps [0, 0], Qb becomes [0, 3/2]; both get
    # S = 2 · [1/2, 1/2].
    # t = 3 updates player 0, weight 3. Player 1 now calls: bet −2; check −1, as Qc is uniform and Jcb folds.
    #   J    value −2            r = 1, 0                  R = [1, 3/8]     S = [1/2, 1/2] + 3 · [0, 1]
    #   Jcb  opponent's reach 1/2, fold −1, call −2        R = [1/4, 0]     own reach 0, so S stays [1/4, 1/4]
    trainer = CFRPlusTrainer(KUHN, deals=["JQ"] * 3, exact=True)
    assert trainer.train(3) == [Fraction(-7, 8), Fraction(-1, 2), -2]
    found = regrets(trainer)
    assert found["J"] == [1, Fraction(3, 8)]
    assert found["Jcb"] == quarters(1, 0)
    assert found["Qc"] == [0, 0]
    assert found["Qb"] == quarters(0, 6)
    assert sums(trainer)["J"] == quarters(2, 14)
    assert sums(trainer)["Jcb"] == quarters(1, 1)
    assert sums(trainer)["Qb"] == sums(trainer)["Qc"] == [1, 1]
    assert trainer.get_strategy_profile()["J"] == {"check": Fraction(1, 8), "bet": Fraction(7, 8)}


def test_regrets_are_cut_off_once_a_pass_and_not_deal_by_deal() -> None:
    # All deals, each with 1/6. Queen, checked, facing a bet; the opponent's reach is 1/2 · 1/6 = 1/12.
    #   against the Jack  fold −1, call +2, value 1/2     r = −1/8, +1/8
    #   against the King  fold −1, call −2, value −3/2    r = +1/24, −1/24
    # Together −1/12, +1/12. Cut off after the Jack, folding would keep +1/24.
    trainer = CFRPlusTrainer(KUHN, deals="all", exact=True)
    trainer.train(1)
    assert regrets(trainer)["Qcb"] == [0, Fraction(1, 12)]
    # The average counts the information set once too, not once a deal.
    assert sums(trainer)["Qcb"] == quarters(1, 1)


def test_all_deals_are_the_mean_of_the_deals() -> None:
    names = Kuhn().actions(Kuhn().root())
    total: dict[str, list[Any]] = defaultdict(lambda: [0, 0])
    values = []
    for name in names:
        trainer = CFRTrainer(KUHN, deals=[name], exact=True)
        values += trainer.train(1)
        for label, found in regrets(trainer).items():
            total[label] = [old + new / 6 for old, new in zip(total[label], found, strict=True)]
    everything = CFRTrainer(KUHN, deals="all", exact=True)
    assert everything.train(1) == [sum(values) / 6]
    assert regrets(everything) == total


@pytest.mark.parametrize(
    ("averaging", "delay", "weights"),
    [
        ("uniform", 0, [1, 1, 1, 1]),
        ("uniform", 2, [0, 0, 1, 1]),
        ("linear", 0, [1, 2, 3, 4]),
        ("linear", 1, [0, 1, 2, 3]),
        (2, 0, [1, 4, 9, 16]),
        (2.0, 2, [0, 0, 1, 4]),
        (0, 3, [0, 0, 0, 1]),
        (Fraction(1, 2), 0, [1, 2**0.5, 3**0.5, 2]),
        ("linear", 9, [0, 0, 0, 0]),
    ],
)
def test_weights_of_the_average(averaging: Any, delay: int, weights: list[float]) -> None:
    events: list[Decision] = []
    trainer = CFRTrainer(KUHN, averaging=averaging, delay=delay, deals=["JQ"] * 4, exact=True, observer=events.append)
    trainer.train(4)
    at_jack = [event for event in events if event.label == "J"]
    assert [event.weight for event in at_jack] == weights
    expected = [sum(event.weight * event.strategy[action] for event in at_jack) for action in (0, 1)]
    assert sums(trainer)["J"] == expected
    total = sum(expected)
    average = [part / total for part in expected] if total else [Fraction(1, 2)] * 2
    assert list(trainer.get_strategy_profile()["J"].values()) == average


@pytest.mark.parametrize(
    ("kind", "schedule", "averaging"),
    [
        (CFRTrainer, "simultaneous", "uniform"),
        (CFRPlusTrainer, "one-player", "linear"),
        (NormalHedgeTrainer, "simultaneous", "uniform"),
        (NormalHedgePlusTrainer, "simultaneous", "uniform"),
    ],
)
def test_usual_form_is_the_documents(kind: type[Trainer], schedule: str, averaging: str) -> None:
    usual, spelt_out = (
        kind(KUHN, seed=3),
        kind(KUHN, seed=3, schedule=schedule, averaging=averaging, delay=0, deals=None),
    )
    assert usual.train(30) == spelt_out.train(30)
    assert usual.get_strategy_profile() == spelt_out.get_strategy_profile()


@pytest.mark.parametrize("kind", TRAINERS)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_going_on_is_the_same_as_going_through(kind: type[Trainer], schedule: str) -> None:
    in_one, in_two = (kind(KUHN, schedule=schedule, seed=11) for _ in range(2))
    assert in_one.train(12) == in_two.train(5) + in_two.train(7)
    assert in_one.get_strategy_profile() == in_two.get_strategy_profile()
    assert in_two.iteration == 12


def test_profile_names_every_information_set() -> None:
    trainer = CFRTrainer(KUHN, deals=["JQ"], exact=True)
    trainer.train(1)
    profile = trainer.get_strategy_profile()
    assert set(profile) == {card + moves for card in "JQK" for moves in ("", "c", "b", "cb")}
    assert profile["Kcb"] == {"fold": Fraction(1, 2), "call": Fraction(1, 2)}


@pytest.mark.parametrize("kind", [CFRTrainer, CFRPlusTrainer])
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("deals", [None, "all"])
def test_exact_arithmetic_stays_exact(kind: type[Trainer], schedule: str, deals: Any) -> None:
    events: list[Decision] = []
    trainer = kind(GameConfig(ante=0.1, bet_size="1/3"), schedule=schedule, deals=deals, seed=5, exact=True)
    trainer.observer = events.append
    values = trainer.train(4)
    profile = [p for probabilities in trainer.get_strategy_profile().values() for p in probabilities.values()]
    assert all(isinstance(number, Fraction) for number in values + profile)
    for event in events:
        fields = dataclasses.asdict(event)
        numbers = [fields[key] for key in ("own_reach", "opponent_reach", "chance_reach", "value")]
        for key in ("strategy", "action_values", "regret_increments", "regrets_before", "regrets_after"):
            numbers += fields[key]
        numbers += [*event.strategy_sum, *event.next_strategy]
        assert all(isinstance(number, Fraction) for number in numbers)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_floats_follow_the_fractions(rule: type[InformationSet], schedule: str) -> None:
    rounded, exact = (
        Trainer(KUHN, rule, schedule=schedule, averaging="linear", deals="all", exact=exact) for exact in (False, True)
    )
    assert rounded.train(6) == pytest.approx(exact.train(6), abs=1e-13)
    for label, probabilities in exact.get_strategy_profile().items():
        assert rounded.get_strategy_profile()[label] == pytest.approx(probabilities, abs=1e-13)
    assert all(isinstance(p, float) for found in rounded.get_strategy_profile().values() for p in found.values())


def test_events_of_all_deals() -> None:
    events: list[Decision] = []
    trainer = CFRTrainer(KUHN, deals="all", exact=True, observer=events.append)
    trainer.train(1)
    assert len(events) == 6 * 4
    position = {event.history: index for index, event in enumerate(events)}
    for event in events:
        assert all(position[event.history] < position[event.history[:cut]] for cut in range(1, len(event.history)))
        assert event.chance_reach == Fraction(1, 6)
    last = events[3]
    assert (last.history, last.label, last.actions) == (("JQ",), "J", ("check", "bet"))
    assert events[0].history == ("JQ", "check", "bet")
    # J against Q: −3/8, 3/8; J against K the same; each with 1/6. The event has the deal's part, and the sum after it.
    assert last.regret_increments == (Fraction(-1, 16), Fraction(1, 16))
    assert last.regrets_after == (Fraction(-1, 8), Fraction(1, 8))
    assert last.opponent_reach == Fraction(1, 6)
    assert events[0].opponent_reach == Fraction(1, 12)


def test_events_are_frozen() -> None:
    events: list[Decision] = []
    CFRTrainer(KUHN, deals=["JQ"], observer=events.append).train(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        events[0].value = 0  # type: ignore[misc]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("schedule", SCHEDULES)
@settings(max_examples=20)
@given(game=random_games(), walks_all=st.booleans(), seed=st.integers(0, 5))
def test_random_games(rule: type[InformationSet], schedule: str, game: RandomGame, walks_all: bool, seed: int) -> None:
    events: list[Decision] = []
    trainer = Trainer(
        game,
        rule,
        schedule=schedule,
        averaging="linear",
        deals="all" if walks_all else None,
        seed=seed,
        observer=events.append,
    )
    values = trainer.train(5)
    assert all(abs(value) <= 5 + 1e-12 for value in values)
    for probabilities in trainer.get_strategy_profile().values():
        assert min(probabilities.values()) >= 0
        assert sum(probabilities.values()) == pytest.approx(1, abs=1e-12)
    for event in events:
        check_event(event, cuts_off=rule in (InformationSetPlus, InformationSetNHPlus))
    check_regrets_add_up(events, cuts_off=rule in (InformationSetPlus, InformationSetNHPlus))


def check_event(event: Decision, cuts_off: bool) -> None:
    assert sum(event.strategy) == pytest.approx(1, abs=1e-12)
    mean = sum(p * v for p, v in zip(event.strategy, event.action_values, strict=True))
    assert event.value == pytest.approx(mean, abs=1e-12)
    expected = [event.opponent_reach * (v - event.value) for v in event.action_values]
    assert event.regret_increments == pytest.approx(expected, abs=1e-12)
    assert event.updated == (event.player in event.updating)
    assert event.updated or event.regrets_before == event.regrets_after
    assert not cuts_off or min(event.regrets_after) >= 0


def check_regrets_add_up(events: list[Decision], cuts_off: bool) -> None:
    """The increments of all histories of an information set in a pass lead from the old regrets to the new ones."""
    groups: dict[Any, list[Decision]] = defaultdict(list)
    for event in events:
        groups[event.iteration, event.updating, event.label].append(event)
    for group in groups.values():
        first = group[0]
        assert all(event.own_reach == first.own_reach for event in group)
        if first.updated:
            moved = [sum(increments) for increments in zip(*(event.regret_increments for event in group), strict=True)]
            expected = [old + more for old, more in zip(first.regrets_before, moved, strict=True)]
            expected = [max(regret, 0.0) for regret in expected] if cuts_off else expected
            assert first.regrets_after == pytest.approx(expected, abs=1e-12)


@given(random_games())
def test_first_value_of_a_random_game_is_that_of_uniform_play(game: RandomGame) -> None:
    def uniform(state: Any) -> Fraction:
        if game.player(state) == TERMINAL:
            return Fraction(game.payoff(state))
        children = range(len(game.actions(state)))
        odds = game.chance(state) if game.player(state) < 0 else [Fraction(1, len(children))] * len(children)
        return sum((odds[k] * uniform(game.child(state, k)) for k in children), Fraction(0))

    assert Trainer(game, InformationSet, deals="all", exact=True).train(1) == [uniform(game.root())]


def test_game_and_configuration_are_the_same() -> None:
    game = Kuhn(ante=2, bet=3)
    assert GameConfig(ante=2, bet_size=3).game == game
    assert CFRTrainer(game, seed=1).train(20) == CFRTrainer(GameConfig(ante=2, bet_size=3), seed=1).train(20)


class CardsOnly(Kuhn):
    """Kuhn with labels that leave out the moves, so that both players share them."""

    def label(self, state: Any) -> str:
        return super().label(state)[0]


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: CFRTrainer(KUHN, schedule="alternate"), "unknown schedule 'alternate'; did you mean 'alternating'?"),
        (lambda: CFRTrainer(KUHN, averaging="lineer"), "unknown averaging 'lineer'; did you mean 'linear'?"),
        (lambda: CFRTrainer(KUHN, averaging=-1), "averaging=-1 must be at least 0"),
        (lambda: CFRTrainer(KUHN, averaging=float("nan")), "averaging=nan is not a finite number"),
        (lambda: CFRPlusTrainer(KUHN, delay=-1), "delay=-1 must be a whole number, at least 0"),
        (lambda: CFRTrainer(KUHN).train(0), "num_iterations=0 must be a whole number, at least 1"),
        (lambda: GameConfig(ante=0), "ante=0 must be above 0"),
        (lambda: GameConfig(bet_size=-2), "bet_size=-2 must be above 0"),
    ],
)
def test_mistakes_are_told_in_one_line(make: Any, line: str) -> None:
    with pytest.raises(UserError) as caught:
        make()
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_broken_game_is_refused() -> None:
    with pytest.raises(GameError, match="label 'Q'"):
        CFRTrainer(CardsOnly())
