"""The founding study beside many runs: an independent replication's figures, and verdicts that follow the data."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from regretlab.documents.blocks import Section
from regretlab.errors import UserError
from regretlab.evaluation import kuhn_equilibria
from regretlab.experiments import Store, Suite, experiment, read_suite
from regretlab.experiments.findings.kuhn_report import founding_study, sections
from regretlab.experiments.findings.kuhn_report.judge import Judged, Verdict, judge_claims
from regretlab.experiments.findings.kuhn_report.sections import VERDICTS, study_sections
from regretlab.experiments.findings.kuhn_report.study import (
    ALGORITHMS,
    ALL_DEALS,
    CONFIGURATIONS,
    ERRORS,
    HORIZONS,
    ORIGINAL,
    STANDARD,
    Sample,
    Study,
    spread,
)
from regretlab.experiments.jobs import plan
from regretlab.experiments.rows import runs_of
from regretlab.experiments.store import StoredRun
from regretlab.experiments.worker import now, perform, provenance

Row = dict[str, Any]

TURNS = ALL_DEALS["turns"]

ITERATIONS = (100, 1_000, *HORIZONS)


# What the study printed, checked against itself.


def test_the_figures_of_the_study_agree_with_each_other() -> None:
    """It printed the errors of (1, 1) also as percentages of CFR's, and marked the best of each row."""
    gains = [
        100 * (1 - ERRORS[STANDARD, iterations][name] / ERRORS[STANDARD, iterations]["CFR"])
        for iterations in HORIZONS
        for name in ("CFR+", "NormalHedge", "NormalHedge+")
    ]
    assert gains == pytest.approx([94.6, -670.0, -1119.4, 34.3, 39.5, 33.6], abs=0.11)
    marked = [min(row, key=row.__getitem__) for row in ERRORS.values()]
    assert marked == ["CFR+", "NormalHedge", "NormalHedge+", "CFR", "CFR+", "CFR+", "NormalHedge", "NormalHedge"]
    printed = [figure for row in ERRORS.values() for figure in row.values()]
    assert math.fsum(printed) == pytest.approx(1.727652, abs=1e-9)
    strategies = ORIGINAL["printed"]["strategies"]
    assert [sum(figures) for figures in strategies.values()] == pytest.approx([0.9113, 0.0153, 2.7123])


# Made-up data, in which everything is as the runs have shown, but for what a test changes.

LOSSES = {
    ("CFR", 1): (7.2, 2.4, 4.8, 1.2, 8.2, 2.6),
    ("CFR+", 1): (9.6, 3.0, 16.1, 5.5, 9.5, 3.2),
    ("NormalHedge", 1): (7.3, 2.41, 4.9, 1.21, 8.3, 2.59),
    ("NormalHedge+", 1): (9.1, 3.1, 11.2, 3.6, 10.0, 3.2),
}
FULL_LOSSES = {
    "cfr": (2.3, 0.7),
    "cfr+": (0.01, 0.002),
    "normalhedge": (2.2, 0.7),
    "normalhedge+": (2.7, 0.9),
    TURNS: (0.045, 0.008),
    "pdcfr+": (1e-11, 1e-13),
}
MICROSECONDS = {"CFR": 0.4, "CFR+": 0.3, "NormalHedge": 0.5, "NormalHedge+": 0.6}
PLAYED = {"J: bet": 0.2, "Q: bet": 0.002, "K: bet": 0.6, "Qcb: call": 0.53, "Jc: bet": 0.33}
FACING = {"Jb: call": 0.0, "Qb: call": 0.33, "Kb: call": 1.0}


def made_up() -> list[Row]:
    """Rows such as the suite gives, with twenty seeds and three starts."""
    rows = [
        sampled_row(where, name, iterations, seed)
        for where, name, iterations, seed in product(range(4), ALGORITHMS, ITERATIONS, range(20))
    ]
    return rows + [
        full_row(where, recipe, iterations, start)
        for where, recipe, iterations, start in product(range(4), ALL_DEALS.values(), ITERATIONS, range(3))
    ]


def sampled_row(where: int, name: str, iterations: int, seed: int) -> Row:
    short, long = LOSSES[name, 1][2 * where : 2 * where + 2] if where < 3 else LOSSES[name, 1][:2]
    loss = {10_000: short, 100_000: long}.get(iterations, short * math.sqrt(10_000 / iterations))
    configuration = CONFIGURATIONS[where]
    noise = (seed % 5 - 2) / 2 + seed / 1_000
    return {
        "game": configuration.game,
        "recipe": ALGORITHMS[name],
        "iteration": iterations,
        "seed": seed,
        "start": 0,
        "seconds": 1e-6 * MICROSECONDS[name] * iterations,
        "exploitability": (2 if where == 3 else 1) * loss / 1_000 * (1 + noise / 10),
        "value": float(kuhn_equilibria(configuration.ante, configuration.bet).value),
        "final_value": configuration.value + 3 * noise / math.sqrt(iterations),
        "distance": 0.01,
        "zero_regrets": 0.4 + noise / 100,
    } | {f"average({action})": chance for action, chance in (PLAYED | FACING).items()}


def full_row(where: int, recipe: str, iterations: int, start: int) -> Row:
    short, long = FULL_LOSSES[recipe]
    loss = {10_000: short, 100_000: long}.get(iterations, short * 10_000 / iterations)
    configuration = CONFIGURATIONS[where]
    return {
        "game": configuration.game,
        "recipe": recipe,
        "iteration": iterations,
        "seed": 0,
        "start": start,
        "seconds": 1e-6 * (0.6 if "normalhedge" in recipe else 0.4) * iterations,
        "exploitability": loss / 1_000 * (1 + start / 50),
        "value": float(kuhn_equilibria(configuration.ante, configuration.bet).value),
        "distance": 0.001,
    }


def judged(rows: list[Row]) -> dict[str, Judged]:
    """Every claim by its words."""
    return {found.claim: found for claims in judge_claims(Study(rows)).values() for found in claims}


def changed(rows: list[Row], recipe: str, measure: str, change: Callable[[float], float], **where: object) -> list[Row]:
    """The same rows with another number in some of them."""
    name = ALGORITHMS.get(recipe, recipe)
    return [
        row | {measure: change(row[measure])}
        if row["recipe"] == name and all(row[key] == value for key, value in where.items())
        else row
        for row in rows
    ]


def verdict(rows: list[Row], begin: str) -> Verdict:
    """The verdict on the claim with these words, or the one that begins with them."""
    found = judged(rows)
    chosen = [begin] if begin in found else [claim for claim in found if claim.startswith(begin)]
    assert len(chosen) == 1
    return found[chosen[0]].verdict


ROWS = made_up()
USUAL = judged(ROWS)


def test_every_claim_is_said_once() -> None:
    assert len(USUAL) == sum(len(group["claims"]) for group in ORIGINAL["groups"]) == 40
    assert all(each.reason and each.ours and each.printed for each in USUAL.values())


Change = Callable[[float], float]


def to(number: float) -> Change:
    return lambda _: number


def by(factor: float) -> Change:
    return lambda number: factor * number


LOSS, ALL = "exploitability", "all four"

FLIPS: list[tuple[str, str, str, Change, str]] = [
    ("The value of (1, 2) is −0.0556", "cfr+", "value", to(-0.0556), "wrong → right"),
    ("The value of (2, 2) is −0.1111", "cfr+", "value", to(-0.2), "right → wrong"),
    ("CFR+ beats CFR on (1, 1)", "CFR+", LOSS, by(1 / 20), "wrong → right"),
    ("CFR+ beats CFR on (1, 1)", "CFR+", LOSS, by(3 / 4), "wrong → noise"),
    ("CFR+ is an order of magnitude better than CFR (with sampled", "CFR+", LOSS, by(1 / 20), "wrong → right"),
    ("CFR+ is an order of magnitude better than CFR (with all", "cfr+", LOSS, by(100), "right → wrong"),
    ("NormalHedge matches CFR+ or is better on (1, 1)", "NormalHedge", LOSS, by(2), "right → wrong"),
    ("NormalHedge beats CFR on (1, 2)", "NormalHedge", LOSS, by(0.8), "noise → right"),
    ("NormalHedge+ beats CFR on (1, 2)", "NormalHedge+", LOSS, by(0.2), "wrong → right"),
    ("NormalHedge+ is worse than NormalHedge", "NormalHedge+", LOSS, by(0.5), "right → wrong"),
    ("NormalHedge is the best on (2, 2)", "NormalHedge", LOSS, by(0.2), "noise → right"),
    ("NormalHedge is the best on (2, 2)", "NormalHedge", LOSS, by(0.6), "noise → noise"),  # the size is another
    ("NormalHedge is the best on (2, 2)", "NormalHedge", LOSS, by(5), "noise → wrong"),
    ("(2, 2) is another matter than (1, 1)", "CFR", LOSS, lambda loss: loss + 1e-9, "noise → right"),
    ("In equilibrium the Jack bets", ALL, "average(J: bet)", to(1 / 3), "wrong → right"),
    ("In equilibrium the King bets", ALL, "average(K: bet)", to(0.8), "wrong → right"),
    ("The Queen never bets first", "CFR+", "average(Q: bet)", to(0.5), "right → wrong"),
    ("Facing a bet the King always calls", "CFR", "average(Kb: call)", to(0.5), "right → wrong"),
    ("Facing a bet the Jack always folds", "CFR", "average(Jb: call)", to(0.5), "right → wrong"),
    ("All four come close to an equilibrium", "CFR", "distance", to(0.3), "right → wrong"),
    ("An iteration of CFR takes longer", "CFR", "seconds", by(3), "right → wrong"),
    ("An iteration of NormalHedge takes longer than one of CFR+", "NormalHedge", "seconds", by(3), "wrong → right"),
    ("An iteration of NormalHedge+ takes longer", "NormalHedge+", "seconds", by(3), "wrong → right"),
    ("An iteration of NormalHedge takes longer than one of CFR", "NormalHedge", "seconds", by(3), "wrong → right"),
    ("NormalHedge needs more iterations than CFR+", "NormalHedge", LOSS, by(2), "wrong → right"),
    ("NormalHedge gives no weight at all", "NormalHedge", "zero_regrets", by(1.5), "noise → right"),
    ("NormalHedge gives no weight at all", "NormalHedge", "zero_regrets", by(0.5), "noise → wrong"),
    ("Truncation makes NormalHedge ten times better", "NormalHedge+", LOSS, by(1 / 20), "wrong → right"),
    ("The same with all deals, in turns", TURNS, LOSS, by(40), "right → wrong"),
    ("For quick results: CFR+ (with sampled deals)", "CFR+", LOSS, by(1 / 20), "wrong → right"),
    ("For quick results: CFR+ (with all deals", "cfr+", LOSS, by(1_000), "right → wrong"),
    ("For the greatest accuracy", "normalhedge", LOSS, by(1 / 1_000), "wrong → right"),
    ("For simplicity", "CFR", LOSS, by(2), "right → wrong"),
    ("For research", TURNS, LOSS, by(100), "right → wrong"),
]


@pytest.mark.parametrize(("begin", "recipe", "measure", "change", "flip"), FLIPS)
def test_other_data_give_another_verdict(begin: str, recipe: str, measure: str, change: Change, flip: str) -> None:
    rows = ROWS
    for name in ALGORITHMS if recipe == ALL else [recipe]:
        rows = changed(rows, name, measure, change)
    assert f"{verdict(ROWS, begin)} → {verdict(rows, begin)}" == flip


@pytest.mark.parametrize(
    ("begin", "recipe", "iteration", "factor", "flip"),
    [
        ("The error of CFR on (1, 1) grows", "CFR", 100_000, 10, "wrong → right"),
        ("The error of CFR falls like 1/√T", "CFR", 100_000, 0.3, "right → wrong"),
        ("NormalHedge is poor at first", "NormalHedge", 10_000, 10, "noise → right"),
        ("NormalHedge is poor at first", "NormalHedge", 100_000, 10, "noise → wrong"),
    ],
)
def test_rates_follow_the_data(begin: str, recipe: str, iteration: int, factor: float, flip: str) -> None:
    rows = changed(ROWS, recipe, LOSS, by(factor), iteration=iteration)
    assert f"{verdict(ROWS, begin)} → {verdict(rows, begin)}" == flip


def test_a_rate_of_one_over_t_takes_both_forms_of_cfr_plus() -> None:
    sampled = changed(ROWS, "CFR+", LOSS, by(0.3), iteration=100_000)
    both = changed(sampled, "cfr+", LOSS, by(0.4), iteration=100_000)
    verdicts = [verdict(rows, "The error of CFR+ is proven") for rows in (ROWS, sampled, both)]
    assert verdicts == ["wrong", "wrong", "right"]


def test_the_winners_of_its_table_are_counted() -> None:
    claim = "A best algorithm stands out for each configuration and number of iterations"
    rows = ROWS
    for (configuration, iterations), row in ERRORS.items():
        best = min(row, key=row.__getitem__)
        rows = changed(rows, best, LOSS, by(1 / 100), game=configuration.game, iteration=iterations)
    assert (USUAL[claim].verdict, judged(rows)[claim].verdict) == ("noise", "right")
    assert judged(rows)[claim].ours == "8 of 8"


def test_what_arithmetic_settles() -> None:
    assert USUAL["Kuhn poker has 12 states"].ours == "55"
    assert USUAL["In CFR an action without regret gets a uniform share"].ours == "0"
    assert {USUAL[claim].verdict for claim in USUAL if claim.startswith(("Kuhn", "In CFR", "To Normal"))} == {"wrong"}


def test_the_wrong_values_are_shown_as_wrong() -> None:
    shown = [
        (each.printed, each.ours, each.verdict) for claim, each in USUAL.items() if claim.startswith("The value of")
    ]
    assert shown == [
        ("−0.0556", "−1/18", "right"),
        ("−0.0556", "0", "wrong"),
        ("−0.1111", "−1/30", "wrong"),
        ("−0.1111", "−1/9", "right"),
    ]


# Statistics.


@pytest.mark.parametrize(
    ("first", "second", "direction"), [((1, 2, 3), (1, 2, 3), 0), ((10, 11), (1, 2), 1), ((1, 2), (30, 31), -1)]
)
def test_a_difference_is_beyond_luck_or_not(
    first: tuple[float, ...], second: tuple[float, ...], direction: int
) -> None:
    assert (Sample(first) / Sample(second)).direction == direction


def test_the_error_of_a_ratio_is_that_of_many_repetitions() -> None:
    random = np.random.default_rng(5)
    first, second = (tuple(random.normal(mean, 1, 50).tolist()) for mean in (10, 20))
    means = random.normal(10, 1, (20_000, 50)).mean(axis=1) / random.normal(20, 1, (20_000, 50)).mean(axis=1)
    assert (Sample(first) / Sample(second)).error == pytest.approx(means.std(), rel=0.15)


def test_numbers_are_written_with_the_digits_that_they_have() -> None:
    assert spread(0.6812, 0.0123) == "0.681 ± 0.012"
    assert spread(123.4, 45.6) == "123 ± 46"
    assert spread(-0.5, 0.0) == "−0.500"


# The report as a whole.


def test_the_report_has_a_section_for_each_question() -> None:
    found = {section.title: section for section in study_sections(ROWS)}
    assert list(found)[1] == VERDICTS
    assert list(found)[-1] == "Which algorithm when"
    assert sum(len(table.rows) for table in found[VERDICTS].tables) == 40
    for section in found.values():
        for table in section.tables:
            assert all(len(row) == len(table.head) for row in table.rows)
            assert all(r < len(table.rows) and c < len(table.head) for r, c in table.best)
        for chart in section.charts:
            assert all([x for x, _ in series.points] == list(ITERATIONS) for series in chart.series)


def test_what_stands_in_words_is_counted_from_the_data() -> None:
    (short, *_) = study_sections(ROWS)
    counts = {verdict: sum(each.verdict is verdict for each in USUAL.values()) for verdict in Verdict}
    words = " ".join(short.paragraphs)
    assert (
        f"{counts[Verdict.RIGHT]} hold, {counts[Verdict.WRONG]} are wrong and {counts[Verdict.NOISE]} are noise"
        in words
    )
    assert "on (1, 2), where it is 0 and not −0.0556, and on (2, 1), where it is −1/30 and not −0.1111" in words


def test_the_advice_follows_the_data() -> None:
    rows = changed(ROWS, "NormalHedge+", LOSS, by(1 / 10))
    rows = changed(rows, "normalhedge", LOSS, by(1e-15))
    before, after = (study_sections(each)[-1] for each in (ROWS, rows))
    assert [row[1] for row in before.tables[0].rows] == ["`pdcfr+`", "`pdcfr+`", "CFR", "CFR"]
    assert [row[1] for row in after.tables[0].rows] == [
        "`normalhedge`",
        "`normalhedge`",
        "NormalHedge+",
        "NormalHedge+",
    ]
    assert "NormalHedge can't be told from it" in before.paragraphs[1]
    assert "told" not in after.paragraphs[1]
    assert "Truncation costs with sampled deals" in before.paragraphs[2]


def test_the_noisy_measure_stands_beside_what_was_printed() -> None:
    (table,) = study_sections(ROWS)[4].tables
    assert len(table.rows) == 32
    where, iterations, name, figure, ours, below = table.rows[1]
    errors = [
        abs(row["final_value"] + 0.0556)
        for row in ROWS
        if row["recipe"] == ALGORITHMS["CFR+"] and (row["game"], row["iteration"]) == ("kuhn", 10_000)
    ]
    assert (where, iterations, name, figure) == ("(1, 1)", "10,000", "CFR+", "0.000273")
    assert ours == spread(float(np.mean(errors)), float(np.std(errors, ddof=1)))
    assert below == f"{np.mean(np.array(errors) <= 0.000273):.0%}"


def test_what_cannot_be_told_from_the_best_is_marked_with_it() -> None:
    sampled, full = (study_sections(ROWS)[number].tables[0] for number in (2, 3))
    assert sampled.rows[0][:3] == ("(1, 1)", "10,000", "7.21 ± 0.52")
    assert {column for row, column in sampled.best if row == 0} == {2, 4}  # CFR and NormalHedge
    assert full.rows[0][3] == "0.0100 (0.0100 to 0.0104)"
    assert full.best == {(row, 7) for row in range(8)}  # pdcfr+


def test_strategies_stand_beside_the_family_of_equilibria() -> None:
    beside, *by_stakes = study_sections(ROWS)[5].tables
    assert beside.rows[5] == ("CFR+", "`K: bet`", "0.7197", "0.6000 ± 0.0000")
    equilibria = [{row[0]: row[1] for row in table.rows} for table in by_stakes]
    assert [each["`J: bet`"] for each in equilibria] == ["α, 0 to 1/3", "0", "1/5", "α, 0 to 1/3"]
    assert [each["`K: bet`"] for each in equilibria] == ["3α", "0", "1", "3α"]
    assert [each["`Qcb: call`"] for each in equilibria] == ["α + 1/3", "0", "4/5", "α + 1/3"]
    assert by_stakes[0].rows[-1] == ("distance to them", "0", *4 * ["0.0100 ± 0.0000"])


def test_times_are_multiples_of_those_of_cfr_plus_as_it_was_run() -> None:
    (table,) = study_sections(ROWS)[6].tables
    name, microseconds, ratio, figure = table.rows[2]
    assert (name, figure) == ("NormalHedge", 5.5)
    assert (microseconds, ratio) == (pytest.approx(0.5), pytest.approx(5 / 3))


def test_runs_that_are_not_there_are_named() -> None:
    with pytest.raises(UserError, match=r"^no run of cfr\+ on kuhn has been looked at after 100,000 iterations$"):
        study_sections([row for row in ROWS if row["recipe"] != "cfr+"])


def test_the_report_of_a_suite_that_is_not_finished(tmp_path: Path) -> None:
    """One of two runs is stored; as many seeds as happen to be there would not do."""
    whole = read_suite("kuhn-report")
    suite = Suite(whole.name, whole.title, (whole.runs[0], whole.runs[-1]))
    with Store.to_write(tmp_path / "results.sqlite") as store:
        _, job = plan(suite)
        measured = perform(job.run)
        known = (job.hash, job.run.game, job.run.recipe, job.identity)
        store.add([StoredRun(*known, provenance(), now(), measured.seconds, measured.measurements)])
        (only,) = founding_study(runs_of(store, plan(suite)), 2)
    assert only == Section(VERDICTS, ("This part needs all runs of the suite; 1 of 2 are there.",))


def test_the_report_reads_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a store with all runs of a small suite to the same findings as from its rows."""
    monkeypatch.setattr(sections, "study_sections", lambda rows: (Section(str(len(list(rows)))),))
    block = {"games": "kuhn", "recipes": ["cfr", "cfr+"], "iterations": [10, 20]}
    suite = read_suite({"runs": [block]})
    experiment(suite, store=tmp_path / "results.sqlite", workers=1)
    with Store.to_read(tmp_path / "results.sqlite") as store:
        assert founding_study(runs_of(store, plan(suite)), 2) == (Section("4"),)


# The notation of the file.


def test_a_quantity_is_read_as_the_file_explains_it() -> None:
    study = Study(ROWS)
    loss = study.quantity("loss CFR+ 10,000 on (1, 2)")
    assert loss == study.loss("CFR+", 10_000, CONFIGURATIONS[1])
    assert study.quantity("loss CFR+/CFR 10,000") == study.loss("CFR+", 10_000) / study.loss("CFR", 10_000)
    assert study.quantity("printed CFR 100,000/10,000") == 0.018536 / 0.005045
    assert study.quantity("least CFR/CFR+/NormalHedge 10,000") == "CFR"
    with pytest.raises(KeyError, match="'win CFR 10' is no quantity"):
        study.quantity("win CFR 10")
