"""Kuhn poker's equilibria in closed form against the exact judges."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, vstack

from regretlab.errors import UserError
from regretlab.evaluation import evaluate_exactly, kuhn_equilibria, nash, programme
from regretlab.evaluation.kuhn_closed_form import KuhnEquilibria
from regretlab.evaluation.value import payoff_scale
from regretlab.forms import SequenceForm, as_form, uniform
from regretlab.games.kuhn import Kuhn

EXACT = json.loads((Path(__file__).parents[1] / "data" / "kuhn_exact.json").read_text(encoding="utf-8"))["configs"]
ratios = st.one_of(
    st.sampled_from([Fraction(1), Fraction(2)]),
    st.fractions(min_value=Fraction(1, 100), max_value=10, max_denominator=1000),
)
antes = st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000)


def family(size: str) -> KuhnEquilibria:
    return kuhn_equilibria(*size.split(","))


def gap(found: KuhnEquilibria, profile: dict[str, dict[str, Fraction]]) -> Fraction:
    return evaluate_exactly(Kuhn(found.ante, found.bet), profile).nash_conv


def named(vertex: dict[str, str | None]) -> dict[str, dict[str, Fraction]]:
    """A vertex of the reference as a strategy; what is not reached is played uniformly."""
    strategy = {}
    for key, text in vertex.items():
        label, second = key.split(":")
        chance = Fraction(1, 2) if text is None else Fraction(text)
        strategy[label] = {"fold" if second == "call" else "check": 1 - chance, second: chance}
    return strategy


@pytest.mark.parametrize("size", EXACT)
def test_every_pair_of_reference_vertices_is_an_equilibrium(size: str) -> None:
    found, reference = family(size), EXACT[size]
    assert found.value == Fraction(reference["exact"])
    form = as_form(Kuhn(found.ante, found.bet))
    for mine, theirs in product(reference["p0_vertices"], reference["p1_vertices"]):
        judged = evaluate_exactly(form, named(mine) | named(theirs))
        assert judged.exploitability == 0
        assert judged.value == found.value


@pytest.mark.parametrize("size", EXACT)
def test_ranges_are_those_of_the_reference_vertices(size: str) -> None:
    vertices = EXACT[size]["p0_vertices"] + EXACT[size]["p1_vertices"]
    for label, (low, high) in family(size).ranges.items():
        reached = [
            Fraction(text) for vertex in vertices for key, text in vertex.items() if key.split(":")[0] == label and text
        ]
        assert (low, high) == ((min(reached), max(reached)) if reached else (0, 1)), label


@pytest.mark.parametrize("size", ["1,1", "7/3,7/3"])
def test_the_family_at_bet_equal_to_ante(size: str) -> None:
    found = family(size)
    assert found.alpha_range == (0, Fraction(1, 3))
    for alpha in [Fraction(k, 30) for k in range(11)]:
        profile = found.profile(alpha)
        assert gap(found, profile) == 0
        assert profile["K"]["bet"] == 3 * profile["J"]["bet"] == 3 * alpha
        assert profile["Qcb"]["call"] == alpha + Fraction(1, 3)
    assert gap(found, found.profile(0) | {"K": {"check": Fraction(9, 10), "bet": Fraction(1, 10)}}) > 0


@given(antes, ratios)
@settings(max_examples=60)
def test_members_are_equilibria_and_lie_in_the_ranges(ante: Fraction, ratio: Fraction) -> None:
    found = kuhn_equilibria(ante, ante * ratio)
    low, high = found.alpha_range
    for alpha in (None, low, high):
        profile = found.profile(alpha)
        judged = evaluate_exactly(Kuhn(found.ante, found.bet), profile)
        assert (judged.nash_conv, judged.value) == (0, found.value)
        for label, (least, most) in found.ranges.items():
            assert least <= list(profile[label].values())[1] <= most
    assert (low < high) == (ratio == 1)


@given(antes, ratios)
@settings(max_examples=40)
def test_an_exact_equilibrium_lies_in_the_ranges(ante: Fraction, ratio: Fraction) -> None:
    found = kuhn_equilibria(ante, ante * ratio)
    exact = nash(Kuhn(found.ante, found.bet), exact=True).exact_strategy
    assert exact is not None
    for label, (least, most) in found.ranges.items():
        if label != "Kcb" or exact["K"]["check"] > 0:
            assert least <= list(exact[label].values())[1] <= most


@given(antes, st.fractions(min_value=Fraction(1, 100), max_value=4, max_denominator=1000))
@settings(max_examples=40)
def test_beyond_a_range_there_is_no_equilibrium(ante: Fraction, ratio: Fraction) -> None:
    """Moving one probability of a member out of its range costs something, at every label that is reached."""
    found = kuhn_equilibria(ante, ante * ratio)
    profile = found.profile()
    for label, (least, most) in found.ranges.items():
        first, second = profile[label]
        for outside in (least - Fraction(1, 1000), most + Fraction(1, 1000)):
            if 0 <= outside <= 1:
                assert gap(found, profile | {label: {first: 1 - outside, second: outside}}) > 0, label


@pytest.mark.parametrize("size", ["10,9", "10,10", "10,11", "10,12", "10,13", "10,19", "10,20", "10,21", "1,5"])
@pytest.mark.parametrize("label", ["J", "Q", "K", "Jc", "Qc", "Kc", "Jb", "Qb", "Kb"])
def test_ranges_are_those_of_a_linear_programme(size: str, label: str) -> None:
    """At a player's first decision a probability is an entry of the plan: its extremes over all optimal plans."""
    found = family(size)
    form = as_form(Kuhn(found.ante, found.bet))
    player = 0 if label in ("J", "Q", "K") else 1
    value = float(found.value if player == 0 else -found.value)
    treeplex = form.treeplexes[player]
    second = int(treeplex.first[treeplex.index[label]]) + 1
    ends = [optimal_entry(form, player, value, second, sign) for sign in (1, -1)]
    assert ends == pytest.approx([float(end) for end in found.ranges[label]], abs=1e-7)


def optimal_entry(form: SequenceForm, player: int, value: float, sequence: int, sign: int) -> float:
    """The least (sign 1) or the largest (sign −1) entry that a plan can have which guarantees the value."""
    scale, own = payoff_scale(form), form.treeplexes[player].sequences
    rows, flow = programme._guarantee(form, player, scale), programme.constraints(form.treeplexes[player])
    enough = csr_array(programme._unit(rows.shape[1], own, -1.0)[None, :])
    solution = programme._solve(
        cost=programme._unit(rows.shape[1], sequence, sign),
        upper=(vstack([rows, enough]), np.append(np.zeros(rows.shape[0]), -value / scale)),
        equal=(programme._widen(flow, rows.shape[1] - own), programme._unit(flow.shape[0], 0)),
        free=slice(own, rows.shape[1]),
    )
    return float(solution.x[sequence])


REGIMES = {
    ("2", "1"): "bet < ante",
    ("1", "1"): "bet = ante",
    ("2", "3"): "ante < bet < 2 ante",
    ("0.5", "1"): "bet = 2 ante",
    ("1", "9/4"): "bet > 2 ante",
}


@pytest.mark.parametrize(("size", "regime"), REGIMES.items(), ids=str)
def test_every_regime_has_its_name(size: tuple[str, str], regime: str) -> None:
    assert kuhn_equilibria(*size).regime == regime


def test_targets_follow_the_family() -> None:
    found = kuhn_equilibria()
    targets = found.targets(0.225)
    assert (targets["J"], targets["K"], targets["Qcb"]) == pytest.approx((0.225, 0.675, 0.225 + 1 / 3))
    assert targets["Qb"] == targets["Jc"] == pytest.approx(1 / 3)
    assert found.targets(0.9) == found.targets(1 / 3 + 0.1) == pytest.approx(found.targets(1 / 3))
    assert set(targets) == set(as_form("kuhn").labels)
    # Elsewhere there is one α, whatever was played.
    assert kuhn_equilibria(2, 1).targets(0.7) == kuhn_equilibria(2, 1).targets(0.0)


def test_alpha_is_how_often_the_jack_bets() -> None:
    found = kuhn_equilibria()
    assert found.alpha_of(uniform(as_form("kuhn"))) == 0.5
    assert found.alpha_of(found.profile("1/4")) == 0.25
    with pytest.raises(UserError, match="'J'"):
        found.alpha_of({})


@pytest.mark.parametrize(
    ("size", "alpha", "message"),
    [
        ((1, 1), "1/2", r"alpha=1/2 is not an equilibrium of ante 1, bet 1; it is between 0 and 1/3"),
        ((1, 1), -0.1, "between 0 and 1/3"),
        ((2, 1), 0, "it is 1/5"),
        ((1, 1), "x", "alpha=x is not a finite number"),
    ],
)
def test_an_alpha_out_of_range_is_an_error(size: tuple[int, int], alpha: object, message: str) -> None:
    with pytest.raises(UserError, match=message):
        kuhn_equilibria(*size).profile(alpha)  # type: ignore[arg-type]


@pytest.mark.parametrize(("ante", "bet"), [(0, 1), (1, -1), ("x", 1), (1, float("nan"))])
def test_sizes_are_positive_numbers(ante: object, bet: object) -> None:
    with pytest.raises(UserError):
        kuhn_equilibria(ante, bet)  # type: ignore[arg-type]
