"""How exploitability is computed: enumeration, one pass, the cheat, and the page that shows them."""

import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from expectation import random_strategy
from hypothesis import given
from hypothesis import strategies as st

import regretlab as rl
from regretlab.documents.expressions import Call, Operation, Square, Symbol, Value
from regretlab.games import Kuhn
from regretlab.web.enumeration import (
    cheating_exploitability,
    compare_deals,
    one_pass,
    pure_responses,
    value_of,
)
from regretlab.web.lesson import STEPS, leduc_size, lesson
from regretlab.web.lesson_html import _lines, fragment
from regretlab.web.responses import exported, rendered

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
    roots = [step.value for step in one_pass(rules, strategy, player) if step.label[1:] != "cb"]
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
    steps = {step.label: step for step in one_pass(rules, strategy, player)}
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
    best = pure_responses(rules, strategy, player)[0]
    deals = compare_deals(rules, strategy, player, best.plan)
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


def test_some_of_the_first_players_responses_are_the_same():
    first, second = lesson("cfr", "3", "1", "1").sides
    # Each card is bet, checked and folded, or checked and called: 3³; the second player's situations are all different.
    assert (first.different, second.different) == (27, 64)


def test_the_lessons_numbers_are_the_engines():
    found = lesson("normalhedge-plus", "50", "2", "1").as_dict()
    solution = rl.solve("kuhn(ante=2)", "normalhedge+", iterations=50)
    judged = rl.evaluate("kuhn(ante=2)", solution.strategy)
    assert found["exploitability"] == judged.exploitability == solution.exploitability
    assert found["best_response_values"] == pytest.approx(judged.best_response_values)
    assert found["cheating_exploitability"] > found["exploitability"]
    assert lesson("cfr-plus", "100", "1", "1").floor == Fraction(5, 18)


def test_the_curve_of_the_honest_goes_down_and_that_of_the_cheat_does_not():
    curve = lesson("cfr-plus", "10", "1", "1").curve
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
    steps = one_pass(Kuhn(), random_strategy(rl.compile("kuhn"), 8), player)
    known = {step.label: step.value for step in steps}
    for step in steps:
        for line, (action, value) in zip(_lines(step), step.values.items(), strict=True):
            assert line.sides[0] == Symbol("q", of=action)
            assert [worked_out(side, known) for side in line.sides[1:]] == [pytest.approx(value)] * len(line.sides[1:])


# ── The page ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Balanced(HTMLParser):
    """Complains where tags do not close each other."""

    VOID = frozenset({"meta", "link", "input", "img", "br"})

    def __init__(self):
        super().__init__()
        self.open = []
        self.ids = []

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        assert not any(name == "style" or name.startswith("on") for name, _ in attributes)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check_html(text):
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    assert len(parser.ids) == len(set(parser.ids))


def test_the_page_is_whole_without_a_script():
    text = rendered({"recipe": "dcfr", "iterations": "7", "bet": "1/2"})
    check_html(text)
    assert '<option value="dcfr" selected>' in text
    assert '<option value="7" selected>' in text
    assert text.count("<rect") == 128
    assert text.count('class="best"') == 2
    assert "<math" in text
    assert "player 0" not in text.lower()


def test_the_page_over_the_wire(client):
    for query in ("", "?recipe=cfr&iterations=0", "?iterations=33&ante=2"):
        answer = client.get(f"/exploitability{query}")
        assert answer.status_code == 200
        assert "After" in answer.text
    numbers = client.get("/api/exploitability?recipe=cfr-plus&iterations=100").json()
    assert numbers["exploitability"] == rl.solve("kuhn", "cfr+", iterations=100).exploitability
    assert numbers["html"] == fragment(lesson("cfr-plus", "100", "1", "1"))


@pytest.mark.parametrize("query", ["recipe=x", "iterations=-1", "ante=<script>", "bet=0", "iterations=1e99"])
def test_bad_addresses_are_told_on_the_page(client, query):
    page = client.get(f"/exploitability?{query}")
    assert page.status_code == 200
    assert 'class="wrong"' in page.text
    assert "<script>" not in page.text
    answer = client.get(f"/api/exploitability?{query}")
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


def test_the_export_holds_every_step():
    files = exported()
    assert files.keys() == {"exploitability.html", *(f"data/exploitability/cfr-plus-{step}.json" for step in STEPS)}
    assert re.search(r'"iterations":1000\b', files["data/exploitability/cfr-plus-1000.json"])
