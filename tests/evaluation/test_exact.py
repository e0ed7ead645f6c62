"""Each stage of the exact solution on its own, and that nothing unproven gets out."""

from collections import Counter
from fractions import Fraction

import pytest
from random_games import RandomGame

from regretlab.errors import UserError
from regretlab.evaluation import equilibrium, kuhn_equilibria, nash, programme
from regretlab.evaluation.equilibrium import STAGES, prove
from regretlab.forms import SequenceForm, as_form
from regretlab.games.kuhn import Kuhn

GAMES = [RandomGame(seed) for seed in range(50)] + [
    Kuhn(Fraction(ante), Fraction(bet)) for ante, bet in [(1, 1), (1, 2), (2, 1), (2, 3), (1, 3), ("7/5", "11/13")]
]


def test_the_stages_go_from_quick_to_sure() -> None:
    assert list(STAGES) == ["rounding", "elimination", "rational simplex"]
    assert prove(as_form("kuhn")).method == "rounding"


@pytest.mark.parametrize("without", ["rounding", "elimination"])
def test_every_stage_alone_finds_equilibria(without: str) -> None:
    stages = {"rounding": ["elimination", "rational simplex"], "elimination": ["rational simplex"]}[without]
    methods = Counter[str]()
    for game in GAMES:
        form = as_form(game)
        found, usual = prove(form, stages), prove(form)
        assert found.evaluation.nash_conv == 0
        assert found.evaluation.value == usual.evaluation.value
        methods[found.method] += 1
    # The float solver's vertex is nearly always right, and then elimination must not need the last resort.
    assert methods[stages[0]] >= 0.9 * len(GAMES)


def test_elimination_serves_where_denominators_are_too_large_to_round() -> None:
    # Player 0 bets the Jack with 999999937 / 2999999947, a fraction that floats can't tell from its neighbours.
    ante, bet = Fraction(10**9 + 5), Fraction(999_999_937)
    form = as_form(Kuhn(ante, bet))
    found = prove(form, ["rounding", "elimination"])
    assert found.method == "elimination"
    assert found.evaluation.value == kuhn_equilibria(ante, bet).value
    assert found.strategy["J"]["bet"] == Fraction(999_999_937, 2_999_999_947)


def test_the_last_resort_serves_where_floats_see_no_difference() -> None:
    ante, bet = 10**12 + 1, 10**12
    found = nash(f"kuhn(ante={ante}, bet={bet})", exact=True)
    assert found.method == "in fractions, found by rational simplex and proven"
    assert found.value == kuhn_equilibria(ante, bet).value


def test_what_is_not_proven_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(form: SequenceForm, guess: equilibrium.Guess) -> equilibrium.Candidates:
        profile = kuhn_equilibria().profile()
        yield profile | {"Q": {"check": 1 - Fraction(1, 10**30), "bet": Fraction(1, 10**30)}}

    monkeypatch.setattr(equilibrium, "STAGES", {"wrong": wrong})
    with pytest.raises(ArithmeticError, match="no exact equilibrium of kuhn was found"):
        nash("kuhn", exact=True)


def test_a_wrong_guess_costs_only_time(monkeypatch: pytest.MonkeyPatch) -> None:
    form = as_form("kuhn(ante=3, bet=2)")
    plans = programme.optimal_plan(form, 0), programme.optimal_plan(form, 1)
    monkeypatch.setattr(programme, "optimal_plan", lambda form, player: plans[player][::-1].copy())
    found = prove(form)
    assert found.method == "rational simplex"
    assert found.evaluation.value == kuhn_equilibria(3, 2).value


def test_exactness_does_not_need_the_float_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(form: SequenceForm, player: int) -> None:
        raise programme.NoSolution("no")

    monkeypatch.setattr(programme, "optimal_plan", give_up)
    assert prove(as_form("kuhn(ante=2)")).evaluation.value == Fraction(-1, 30)


def test_the_last_resort_has_its_own_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equilibrium, "MOST_FOR_SIMPLEX", 25)
    assert prove(as_form("kuhn")).method == "rounding"
    with pytest.raises(UserError, match=r"kuhn is too large for the rational simplex.*: 26 sequences.* limit is 25"):
        prove(as_form("kuhn"), ["rational simplex"])
