"""How exploitability is computed: all responses, one pass, the cheat, and what is printed of them."""

from fractions import Fraction

import pytest
from expectation import random_strategy
from hypothesis import given
from hypothesis import strategies as st

import regretlab as rl
from regretlab.documents.expressions import Call, Operation, Square, Symbol, Value
from regretlab.explaining.best_responses import (
    cheating_exploitability,
    explain_exploitability,
    leduc_size,
    pure_responses,
    responder,
    value_of,
)
from regretlab.explaining.exploitability_html import action_value_lines
from regretlab.games import Kuhn

GAMES = st.sampled_from([Kuhn(), Kuhn(bet=2), Kuhn(ante="3/2", bet="1/3")])


@given(GAMES, st.integers(0, 10**6), st.integers(0, 1))
def test_the_best_of_all_is_what_one_pass_finds_and_what_the_judges_say(rules, seed, player):
    form = rl.compile(rules)
    strategy = random_strategy(form, seed)
    responses = pure_responses(rules, strategy, player)
    values = [response.value for response in responses]
    assert len({tuple(response.plan.items()) for response in responses}) == 64
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(rl.best_response(form, strategy, player).value)
    assert values[0] == pytest.approx(rl.brute_force(form, strategy, player))
    found = responder(rules, strategy, player)
    assert found.responses[0].plan == found.best.actions
    assert found.responses[0].value == pytest.approx(values[0])
    roots = [step.value for step in responder(rules, strategy, player).decided if step.label[1:] != "cb"]
    assert sum(roots) == pytest.approx(values[0])


@given(GAMES, st.integers(0, 10**6), st.integers(0, 1), st.integers(0, 63))
def test_each_response_earns_what_the_engine_says(rules, seed, player, which):
    form = rl.compile(rules)
    strategy = random_strategy(form, seed)
    response = pure_responses(rules, strategy, player)[which]
    profile = dict(strategy) | {label: {action: 1.0} for label, action in response.plan.items()}
    value = rl.evaluate(form, profile).value * (1 - 2 * player)
    assert response.value == pytest.approx(value)
    assert value_of(rules, strategy, player, response.plan) == pytest.approx(value)


@given(GAMES, st.integers(0, 10**6), st.integers(0, 1))
def test_one_pass_takes_the_better_action_everywhere(rules, seed, player):
    strategy = random_strategy(rl.compile(rules), seed)
    steps = {step.label: step for step in responder(rules, strategy, player).decided}
    plan = {label: step.best for label, step in steps.items()}
    assert value_of(rules, strategy, player, plan) == pytest.approx(pure_responses(rules, strategy, player)[0].value)
    decided = list(steps)
    for label, step in steps.items():
        later = [each for labels in step.later.values() for each in labels]
        assert all(decided.index(each) < decided.index(label) for each in later)


@pytest.mark.parametrize("alpha", ["0", "1/7", "1/3"])
def test_the_cheat_stops_at_five_eighteenths_for_every_equilibrium(alpha):
    rules, profile = Kuhn(), rl.kuhn_equilibria().profile(alpha)
    assert [value_of(rules, profile, player, None) for player in (0, 1)] == [Fraction(1, 3), Fraction(2, 9)]
    assert cheating_exploitability(rules, profile) == Fraction(5, 18)
    honest = [pure_responses(rules, profile, player)[0].value for player in (0, 1)]
    assert honest == [Fraction(-1, 18), Fraction(1, 18)]


@given(GAMES, st.integers(0, 10**6), st.integers(0, 1))
def test_a_cheat_gets_at_least_as_much_from_every_deal(rules, seed, player):
    strategy = random_strategy(rl.compile(rules), seed)
    found = responder(rules, strategy, player)
    best, deals = found.responses[0], found.deals
    assert sum(deal.probability for deal in deals) == 1
    assert all(deal.cheating.value >= deal.honest.value - 1e-12 for deal in deals)
    assert sum(deal.probability * deal.honest.value for deal in deals) == pytest.approx(best.value)
    assert sum(d.probability * d.cheating.value for d in deals) == pytest.approx(
        value_of(rules, strategy, player, None)
    )


def test_leduc_is_too_large_to_try_everything():
    size = leduc_size()
    assert size.infosets == 144
    assert size.pure == 2**96 * 3**48
    assert size.years == 2**96 * 3**48 // 10**9 // (365 * 24 * 3600)


def learned(recipe, iterations, game="kuhn"):
    """The lesson about what a recipe has learned."""
    strategy = rl.solve(game, recipe, iterations=iterations).strategy
    return explain_exploitability(rl.recipe(recipe), iterations, strategy)


def test_some_of_the_first_players_responses_are_the_same():
    first, second = learned("cfr", 3).responders
    # Each card is bet, checked and folded, or checked and called: 3³; the second player's situations are all different.
    assert (first.different, second.different) == (27, 64)


def test_the_lessons_numbers_are_the_engines():
    found = learned("normalhedge+", 50, "kuhn(ante=2)").as_dict()
    solution = rl.solve("kuhn(ante=2)", "normalhedge+", iterations=50)
    judged = rl.evaluate("kuhn(ante=2)", solution.strategy)
    assert found["exploitability"] == judged.exploitability == solution.exploitability
    assert found["best_response_values"] == pytest.approx(judged.best_response_values)
    assert found["cheating_exploitability"] > found["exploitability"]
    assert learned("cfr+", 100).floor == Fraction(5, 18)


def test_the_curve_of_the_honest_goes_down_and_that_of_the_cheat_does_not():
    curve = learned("cfr+", 10).curve
    iterations, honest, cheating = zip(*curve, strict=True)
    assert (iterations[0], iterations[-1]) == (1, 10_000)
    assert honest[-1] == pytest.approx(1000 * rl.solve("kuhn", "cfr+", iterations=10_000).exploitability)
    assert honest[-1] < 0.02
    assert cheating[-1] == pytest.approx(1000 * 5 / 18, rel=1e-3)


def worked_out(part, known):
    """The number that an expression stands for."""
    if isinstance(part, Value):
        return float(part.number)
    if isinstance(part, Symbol):
        return known[part.of]
    assert not isinstance(part, Call | Square)
    assert isinstance(part, Operation)
    numbers = [worked_out(term, known) for term in part.terms]
    if part.sign == "/":
        return numbers[0] / numbers[1]
    total = numbers[0]
    for number in numbers[1:]:
        total = total + number if part.sign == "+" else total * number
    return total


@pytest.mark.parametrize("player", [0, 1])
def test_printed_equations_hold(player):
    steps = responder(Kuhn(), random_strategy(rl.compile("kuhn"), 8), player).decided
    known = {step.label: step.value for step in steps}
    for step in steps:
        for line, (action, value) in zip(action_value_lines(step), step.values.items(), strict=True):
            assert line.sides[0] == Symbol("q", of=action)
            assert [worked_out(side, known) for side in line.sides[1:]] == [pytest.approx(value)] * len(line.sides[1:])
