"""Recipes by name, and every part replaced."""

import pytest

from regretlab.errors import UserError
from regretlab.rules import Step
from regretlab.rules.citations import Citation
from regretlab.solving import RECIPES, recipe
from regretlab.solving.averaging import Averaging
from regretlab.solving.schedule import SCHEDULES, passes
from regretlab.solving.steps import steps


def test_bare_names_mean_what_the_design_says() -> None:
    keys = ("accumulate", "weigh", "averaging", "schedule", "feedback", "predict", "alpha", "beta")
    table = {name: " ".join(str(row.parts[key]) for key in keys) for name, row in RECIPES.items()}
    assert {name: parts for name, parts in table.items() if "sampling" not in name} == {
        "cfr": "sum regret-matching uniform simultaneous full no none none",
        "cfr+": "truncate regret-matching linear alternating full no none none",
        "normalhedge": "sum normalhedge uniform simultaneous full no none none",
        "normalhedge+": "truncate normalhedge uniform simultaneous full no none none",
        "dcfr": "sum regret-matching quadratic alternating full no 3/2 0",
        "lcfr": "sum regret-matching linear alternating full no 1 1",
        "pcfr+": "truncate regret-matching quadratic alternating full yes none none",
        "sapcfr+": "truncate regret-matching quadratic alternating full 1/3 none none",
        "dcfr+": "truncate regret-matching t^4 alternating full no 3/2 none",
        "pdcfr+": "truncate regret-matching t^5 alternating full yes 23/10 none",
        "sapdcfr+": "truncate regret-matching t^5 alternating full 1/2 23/10 none",
        "smooth-pcfr+": "smooth regret-matching quadratic alternating full yes none none",
        "stable-pcfr+": "stable regret-matching quadratic alternating full yes none none",
        "hs-dcfr": "sum regret-matching t^30-5t/n alternating full no 1+3t/n -1-2t/n",
        "hs-pcfr+": "truncate regret-matching t^30-5t/n alternating full yes none none",
        "restarted-cfr+": "truncate regret-matching linear alternating full no none none",
        "hedge": "sum hedge uniform simultaneous full no none none",
        "discounted-normalhedge": "sum normalhedge quadratic alternating full no 3/2 0",
        "linear-normalhedge": "sum normalhedge linear alternating full no 1 1",
        "predictive-normalhedge": "sum normalhedge quadratic alternating full yes none none",
        "predictive-normalhedge+": "truncate normalhedge quadratic alternating full yes none none",
        "pd-normalhedge+": "truncate normalhedge t^5 alternating full 1/2 23/10 none",
        "deep-cfr": "sum regret-matching linear alternating network no 1 1",
        "sd-cfr": "sum regret-matching linear alternating network no 1 1",
    }


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("cfr", "cfr"),
        (" cfr ", "cfr"),
        ("cfr()", "cfr"),
        ("cfr(schedule=alternating)", "cfr(schedule=alternating)"),
        ("cfr+(delay=100)", "cfr+(delay=100)"),
        ("cfr+(delay=0, schedule=alternating)", "cfr+"),
        ("normalhedge+(schedule=alternating,averaging=linear)", "normalhedge+(averaging=linear, schedule=alternating)"),
        ("cfr(averaging=t^2)", "cfr(averaging=quadratic)"),
        ("cfr(gamma=1.5)", "cfr(averaging=t^3/2)"),
        ("cfr(weigh=normalhedge, accumulate=truncate)", "normalhedge+"),
        ("cfr(weigh=normalhedge, delay=1)", "cfr(weigh=normalhedge, delay=1)"),
        ("dcfr(alpha=2)", "dcfr(alpha=2)"),
        ("dcfr(alpha=1.50, beta=0)", "dcfr"),
        ("dcfr(beta=none)", "dcfr(beta=none)"),
        ("dcfr(alpha=1, beta=1, gamma=1)", "lcfr"),
        ("cfr+(predict=yes, gamma=2)", "pcfr+"),
        ("pcfr+(predict=1.0)", "pcfr+"),
        ("pcfr+(predict=true)", "pcfr+"),
        ("pcfr+(predict=0, gamma=1)", "cfr+"),
        ("pcfr+(predict=FALSE, gamma=1)", "cfr+"),
        ("pcfr+(predict=1/3)", "sapcfr+"),
        ("sapcfr+(predict=0.25)", "sapcfr+(predict=1/4)"),
        ("sapcfr+(predict=no)", "sapcfr+(predict=no)"),
        ("cfr(accumulate=clip)", "cfr(accumulate=clip, level=1)"),
        ("cfr(level=0.5, accumulate=clip)", "cfr(accumulate=clip, level=1/2)"),
        ("hs-dcfr(horizon=1000)", "hs-dcfr"),
        ("hs-dcfr(horizon=100, gamma=15 - 5 t/n)", "hs-dcfr(averaging=t^15-5t/n, horizon=100)"),
        ("hs-pcfr+(gamma=2)", "pcfr+"),
        ("cfr(gamma=1+t/n)", "cfr(averaging=t^1+1t/n, horizon=1000)"),
        ("cfr(schedule=alternating, feedback=external)", "external-sampling"),
        ("external-sampling(feedback=outcome, epsilon=0.6)", "outcome-sampling"),
        ("outcome-sampling(epsilon=0.25)", "outcome-sampling(epsilon=1/4)"),
        ("outcome-sampling(feedback=chance)", "outcome-sampling(feedback=chance)"),
        ("cfr(epsilon=1, feedback=outcome)", "cfr(feedback=outcome, epsilon=1)"),
    ],
)
def test_names_are_read_and_shortened(name: str, short: str) -> None:
    assert recipe(name).name == short
    assert recipe(recipe(name).name) == recipe(name)


def test_the_sampling_rows() -> None:
    for name, feedback in (("external-sampling", "external"), ("outcome-sampling", "outcome")):
        parts = recipe(name).parts
        assert recipe("cfr(schedule=alternating)").parts | {"feedback": feedback} == {
            key: parts[key] for key in parts if key != "epsilon"
        }
        assert parts.get("epsilon") == ("3/5" if feedback == "outcome" else None)


def test_a_variation_is_at_most_tested_and_a_row_keeps_its_status() -> None:
    assert recipe("cfr(delay=0)").status == "proven"
    assert recipe("cfr+(delay=5)").status == "tested"
    assert recipe("predictive-normalhedge+(delay=5)").status == "experimental"
    assert recipe("normalhedge+").status == "proven"
    assert recipe("normalhedge+(schedule=alternating)").status == "tested"
    assert {row.status for row in RECIPES.values()} <= {"proven", "tested", "experimental"}


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("cfrplus", "unknown recipe 'cfrplus'; did you mean 'cfr+'?"),
        ("cfr(shedule=alternating)", "unknown part of cfr 'shedule'; did you mean 'schedule'?"),
        ("cfr(schedule=alternate)", "unknown schedule 'alternate'; did you mean 'alternating'?"),
        ("cfr(averaging=linea)", "unknown averaging 'linea'; did you mean 'linear'?"),
        ("cfr(averaging=t^x)", "gamma=x is not a finite number"),
        ("cfr(gamma=-1)", "gamma=-1 must be between 0 and 20"),
        ("cfr(averaging=t^100)", "gamma=100 must be between 0 and 20"),
        ("cfr(delay=-1)", "delay=-1 must be a whole number, at least 0"),
        ("cfr(delay=1.5)", "delay=1.5 must be a whole number"),
        ("cfr(gamma=1, averaging=linear)", "say the same thing"),
        ("cfr(feedback=partial)", "unknown feedback 'partial'"),
        ("dcfr(alpha=100)", "alpha=100 must be between -40 and 40"),
        ("dcfr(alpha=39+2t/n)", "alpha=39+2t/n must be between -40 and 40"),
        ("dcfr(beta=x)", "beta=x is not a finite number"),
        ("cfr(predict=maybe)", "predict=maybe is not a finite number"),
        ("cfr(predict=1.1)", "predict=1.1 must be between 0 and 1"),
        ("cfr(predict=-1/3)", "predict=-1/3 must be between 0 and 1"),
        ("cfr(level=2)", "level belongs to accumulate=clip or accumulate=smooth or accumulate=stable"),
        ("cfr(accumulate=clip, level=0)", "level=0 must be above 0"),
        ("hs-dcfr(horizon=0)", "horizon=0 must be a whole number, at least 1"),
        ("external-sampling(epsilon=0.5)", "epsilon belongs to feedback=outcome"),
        ("outcome-sampling(epsilon=0)", "epsilon=0 must be above 0"),
        ("outcome-sampling(epsilon=1.5)", "epsilon=1.5 must be above 0 and at most 1"),
        ("outcome-sampling(epsilon=some)", "epsilon=some is not a finite number"),
    ],
)
def test_a_wrong_name_or_part_is_named(name: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        recipe(name)
    assert complaint in str(caught.value)


def column(name: str, field: str, iteration: int, count: int) -> list[float]:
    return steps(recipe(name), iteration, count)[:, Step._fields.index(field)].tolist()


def test_weights_of_the_average() -> None:
    assert column("cfr", "weight", 0, 4) == [1, 1, 1, 1]
    assert column("cfr(delay=2)", "weight", 0, 4) == [0, 0, 1, 1]
    assert column("cfr+", "weight", 2, 3) == [3, 4, 5]
    assert column("cfr+(delay=3)", "weight", 0, 5) == [0, 0, 0, 1, 2]
    assert column("cfr+(averaging=quadratic)", "weight", 0, 3) == [1, 4, 9]
    assert column("cfr+(gamma=1/2, delay=1)", "weight", 0, 5) == pytest.approx([0, 1, 2**0.5, 3**0.5, 2])
    assert Averaging() == recipe("cfr").averaging
    for name in RECIPES:
        assert name.startswith("hs-") or column(name, "fade", 0, 5) == [1] * 5


def test_discounts() -> None:
    assert column("cfr+", "positive", 0, 3) == column("cfr+", "negative", 0, 3) == [1, 1, 1]
    assert column("dcfr", "positive", 0, 3) == pytest.approx([0, 1 / 2, 2**1.5 / (2**1.5 + 1)])
    assert column("dcfr", "negative", 0, 3) == [0.5, 0.5, 0.5]
    assert column("dcfr", "next_positive", 0, 2) == column("dcfr", "positive", 1, 2)
    assert column("lcfr", "positive", 0, 4) == column("lcfr", "negative", 0, 4) == [0, 1 / 2, 2 / 3, 3 / 4]
    assert column("dcfr(beta=-1)", "negative", 0, 3) == pytest.approx([1, 1 / 2, 1 / 3])
    assert column("cfr", "level", 0, 1) == [float("inf")]
    assert column("cfr+", "level", 0, 1) == [0]
    assert column("cfr(accumulate=clip, level=3)", "level", 0, 1) == [3]


def test_exponents_that_change_with_t() -> None:
    """In iteration t the exponents are those of the t − 1 iterations before it, and stay as they are after n."""
    half = column("hs-dcfr(horizon=100)", "positive", 50, 1)[0]
    assert half == pytest.approx(50**2.5 / (50**2.5 + 1))  # α = 1 + 3 · 50/100
    assert column("hs-dcfr(horizon=100)", "negative", 50, 1)[0] == pytest.approx(50**-2 / (50**-2 + 1))
    assert column("hs-dcfr(horizon=100)", "fade", 50, 1)[0] == pytest.approx((50 / 51) ** 27.5)
    assert column("hs-dcfr(horizon=100)", "fade", 499, 1)[0] == pytest.approx((499 / 500) ** 25)
    assert column("hs-dcfr", "fade", 0, 1) == [0]
    assert column("hs-dcfr(delay=2)", "fade", 0, 3) == [1, 1, 0]
    assert column("hs-dcfr(delay=2)", "weight", 0, 4) == [0, 0, 1, 1]


def test_a_fading_average_is_the_weighted_one() -> None:
    """Multiplying what was counted by ((t − 1)/t)^γ or counting iteration t with t^γ: the same average."""
    weights, total = column("cfr(gamma=3)", "weight", 0, 20), 0.0
    for t in range(1, 21):
        total = total * ((t - 1) / t) ** 3 + 1
    assert total == pytest.approx(sum(weights) / weights[-1])


def test_schedules_cover_both_players() -> None:
    for code in SCHEDULES.values():
        assert {player for t in (1, 2) for players in passes(code, t) for player in players} == {0, 1}


def test_every_row_is_cited() -> None:
    for row in RECIPES.values():
        assert row.citations
        for citation in row.citations:
            assert isinstance(citation, Citation)
            assert citation.bibtex.startswith(f"@{citation.kind}{{{citation.key},")
            assert str(citation.year) in citation.short
    assert recipe("cfr").citations[0].short == "Zinkevich et al. (2007)"
    assert recipe("normalhedge").citations[0].short == "Chaudhuri, Freund and Hsu (2009)"
