"""Recipes by name, and every part replaced."""

import pytest

from regretlab.errors import UserError
from regretlab.solve import RECIPES, recipe
from regretlab.solve.averaging import Averaging
from regretlab.solve.citations import Citation
from regretlab.solve.schedule import SCHEDULES, passes


def test_bare_names_mean_what_the_design_says() -> None:
    keys = ("accumulate", "weigh", "averaging", "delay", "schedule", "feedback")
    assert {name: tuple(row.parts[key] for key in keys) for name, row in RECIPES.items()} == {
        "cfr": ("sum", "regret-matching", "uniform", 0, "simultaneous", "full"),
        "cfr+": ("truncate", "regret-matching", "linear", 0, "alternating", "full"),
        "normalhedge": ("sum", "normalhedge", "uniform", 0, "simultaneous", "full"),
        "normalhedge+": ("truncate", "normalhedge", "uniform", 0, "simultaneous", "full"),
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
    ],
)
def test_names_are_read_and_shortened(name: str, short: str) -> None:
    assert recipe(name).name == short
    assert recipe(recipe(name).name) == recipe(name)


def test_a_variation_is_at_most_tested_and_a_row_keeps_its_status() -> None:
    assert recipe("cfr(delay=0)").status == "proven"
    assert recipe("cfr+(delay=5)").status == "tested"
    assert recipe("normalhedge+(delay=5)").status == "experimental"
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
    ],
)
def test_a_wrong_name_or_part_is_named(name: str, complaint: str) -> None:
    with pytest.raises(UserError) as caught:
        recipe(name)
    assert complaint in str(caught.value)


def test_weights_of_the_average() -> None:
    assert recipe("cfr").averaging.weights(0, 4).tolist() == [1, 1, 1, 1]
    assert recipe("cfr(delay=2)").averaging.weights(0, 4).tolist() == [0, 0, 1, 1]
    assert recipe("cfr+").averaging.weights(2, 3).tolist() == [3, 4, 5]
    assert recipe("cfr+(delay=3)").averaging.weights(0, 5).tolist() == [0, 0, 0, 1, 2]
    assert recipe("cfr+(averaging=quadratic)").averaging.weights(0, 3).tolist() == [1, 4, 9]
    assert recipe("cfr+(gamma=1/2, delay=1)").averaging.weights(0, 5).tolist() == pytest.approx(
        [0, 1, 2**0.5, 3**0.5, 2]
    )
    assert Averaging() == recipe("cfr").averaging


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
