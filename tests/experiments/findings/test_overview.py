"""What a report says about made-up rows, by hand."""

from __future__ import annotations

from typing import Any

import pytest

from regretlab.documents.blocks import Section, Table
from regretlab.experiments.findings.overview import overview_sections
from regretlab.experiments.findings.ranking import common_checkpoint, rank_game

Amounts = dict[int, list[float]]


def rows(game: str, recipe: str, found: Amounts, **more: float) -> list[dict[str, Any]]:
    """One run for each position in the lists."""
    return [
        {
            "game": game,
            "recipe": recipe,
            "run": f"{game}/{recipe}/{k}",
            "iteration": t,
            "exploitability": amount,
            "seconds": 2e-6 * t,
            **more,
        }
        for t, amounts in found.items()
        for k, amount in enumerate(amounts)
    ]


CLEAR = [
    *rows("one", "slow", {10: [0.1, 0.1], 100: [0.02, 0.08]}, value=0.25),
    *rows("one", "fast", {10: [0.1, 0.1], 100: [0.001, 0.001]}, value=0.5),
]
OVERLAPPING = [
    *rows("two", "slow", {10: [0.1, 0.1], 100: [0.0125, 0.018]}),
    *rows("two", "fast", {10: [0.1, 0.1], 100: [0.005, 0.02]}),
]
SOLVED = [
    *rows("three", "slow", {10: [0.1, 0.1], 100: [1e-12, 1e-12]}),
    *rows("three", "fast", {10: [1e-11, 1e-11], 100: [1e-11, 1e-11]}),
    *rows("three", "third", {10: [0.1, 0.1], 100: [0.1, 0.1]}),
]


def by_title(sections: tuple[Section, ...]) -> dict[str, Section]:
    return {section.title: section for section in sections}


def column(table: Table, name: str) -> list[Any]:
    return [row[table.head.index(name)] for row in table.rows]


def test_sections_come_in_the_order_in_which_they_are_read() -> None:
    titles = [section.title for section in overview_sections(CLEAR + OVERLAPPING + SOLVED)]
    assert titles == ["All runs in short", "All games together", "one", "two", "three", "How to read this"]
    assert [section.title for section in overview_sections(CLEAR)] == ["All runs in short", "one", "How to read this"]


def test_one_game_in_words() -> None:
    (said,) = by_title(overview_sections(CLEAR))["one"].paragraphs
    assert said == (
        "After 100 iterations `fast` is best with 0.00100 chips a game (0.00100 to 0.00100 over 2 runs). Next comes "
        "`slow` with 40.0 times as much (0.0200 to 0.0800 over 2 runs). "
        "Their spreads do not overlap."
    )
    (said,) = by_title(overview_sections(OVERLAPPING))["two"].paragraphs
    assert said.endswith(
        "with 1.50 times as much (0.0125 to 0.0180 over 2 runs). "
        "Their spreads overlap, so the order of the two may be chance."
    )


def test_one_run_has_no_spread() -> None:
    single = rows("one", "slow", {10: [0.5]}) + rows("one", "fast", {10: [0.25]})
    section = by_title(overview_sections(single))["one"]
    assert section.paragraphs == (
        "After 10 iterations `fast` is best with 0.250 chips a game. Next comes `slow` with 2 times as much.",
    )
    assert [series.band for series in section.charts[0].series] == [(), ()]
    alone = by_title(overview_sections(single[:1]))["one"]
    assert alone.paragraphs == ("After 10 iterations `slow` is best with 0.500 chips a game.",)


def test_a_solved_game_is_a_question_of_when() -> None:
    section = by_title(overview_sections(SOLVED))["three"]
    assert section.paragraphs == (
        "After 100 iterations 2 of 3 recipes have solved it: they lose less than a billionth of a chip a game. "
        "Soonest, by iteration 10: `fast`.",
    )
    (table,) = section.tables
    assert column(table, "recipe") == ["fast", "slow", "third"]
    assert {(row, table.head[cell]) for row, cell in table.best} == {
        (0, "exploitability"),
        (1, "exploitability"),
        (0, "µs an iteration"),
    }
    assert column(table, "rate")[:2] == [None, None]  # nothing but rounding
    assert column(table, "rate")[2] == pytest.approx(0)


def test_the_summary_counts_what_is_certain() -> None:
    said = by_title(overview_sections(CLEAR + OVERLAPPING + SOLVED))["All runs in short"].paragraphs
    assert said[0] == "14 runs of 3 recipes on 3 games, up to 100 iterations."
    assert said[1].startswith(
        "After 100 iterations `fast` is the best on all 3 games. Next comes `slow`: within a factor"
    )
    assert said[2].startswith("1 of 3 games was solved by several recipes")
    assert said[3] == (
        "On 1 of 2 other games even the worst run of the best recipe beats every run of the second. Elsewhere their "
        "spreads overlap, and the order may be chance."
    )
    assert (
        by_title(overview_sections(OVERLAPPING))["All runs in short"]
        .paragraphs[-1]
        .startswith("On 1 game the spreads of the first two")
    )
    assert (
        by_title(overview_sections(CLEAR))["All runs in short"]
        .paragraphs[-1]
        .endswith("beats every run of the second.")
    )


def test_who_is_close_everywhere_comes_before_who_is_best_somewhere() -> None:
    made = [
        *rows("one", "steady", {100: [0.015]}),
        *rows("one", "wild", {100: [0.01]}),
        *rows("two", "steady", {100: [0.01]}),
        *rows("two", "wild", {100: [0.4]}),
    ]
    assert by_title(overview_sections(made))["All runs in short"].paragraphs[1] == (
        "After 100 iterations `steady` is closest to the best over all games: within a factor of 2 on 2 of 2 games, "
        "and on average 1.22 times the exploitability of the best (at worst 1.50 times). Next comes `wild`: within a "
        "factor of 2 on 1 of 2 games, on average 6.32 times."
    )


def test_the_table_of_a_game() -> None:
    (table,) = by_title(overview_sections(CLEAR))["one"].tables
    assert table.title == "After 100 iterations"
    assert table.head[:6] == ("recipe", "runs", "exploitability", "best run", "worst run", "×\u00a0best")
    assert table.head[6:] == ("rate", "value", "µs an iteration")
    fast, slow = table.rows
    assert fast == ("fast", 2, pytest.approx(0.001), 0.001, 0.001, 1, pytest.approx(-2), 0.5, pytest.approx(2))
    assert slow[:5] == ("slow", 2, pytest.approx(0.04), 0.02, 0.08)  # the geometric mean


def test_the_best_on_each_game_beside_the_first_of_the_suite() -> None:
    (table,) = by_title(overview_sections(CLEAR + SOLVED))["All runs in short"].tables
    assert column(table, "game") == ["one", "three"]
    assert column(table, "best") == ["fast", "fast"]
    assert column(table, "second") == ["slow", "slow"]
    assert column(table, "the suite's first") == [pytest.approx(0.04), pytest.approx(1e-12)]


def test_a_chart_has_the_means_and_the_spread() -> None:
    (chart,) = by_title(overview_sections(CLEAR))["one"].charts
    assert (chart.x_scale, chart.y_scale, chart.note) == ("log", "log", "")
    slow, fast = chart.series
    assert (slow.name, slow.colour, fast.name, fast.colour) == ("slow", 1, "fast", 2)
    assert slow.points == ((10, pytest.approx(0.1)), (100, pytest.approx(0.04)))
    assert slow.band == ((10, 0.1, 0.1), (100, 0.02, 0.08))


def test_of_many_recipes_the_best_are_drawn_and_the_first_and_whoever_wins_here() -> None:
    many = [row for k in range(12) for row in rows("one", f"r{k}", {10: [0.5], 100: [1 / (k + 2)]})]
    other = [row for k in range(11) for row in rows("two", f"r{k}", {10: [0.5], 100: [1e-3 / (k + 2)]})]
    odd = (
        rows("two", "r11", {10: [0.5], 100: [0.5]})
        + rows("three", "r2", {100: [1e-3]})
        + rows("three", "r9", {100: [1.0]})
    )
    sections = by_title(overview_sections(many + other + odd))
    names = [series.name for series in sections["one"].charts[0].series]
    assert names[0] == "r0"  # the suite's first
    assert "r11" in names  # the best here, far behind elsewhere
    assert sections["one"].charts[0].note == f"{len(names)} of 12 recipes are drawn; the table has them all."
    assert len(sections["one"].tables[0].rows) == 12
    looks = {
        (series.name, series.colour)
        for section in sections.values()
        for chart in section.charts
        for series in chart.series
        if series.colour != 8
    }
    assert len(looks) == len({name for name, _ in looks}) == 7  # a recipe has the same colour everywhere


def test_shares_of_games() -> None:
    section = by_title(overview_sections(CLEAR + OVERLAPPING + SOLVED))["All games together"]
    (chart,) = section.charts
    slow = next(series for series in chart.series if series.name == "slow")
    assert dict(slow.points)[1] == pytest.approx(1 / 3)  # solved, too
    assert dict(slow.points)[2] == pytest.approx(2 / 3)
    assert dict(slow.points)[20] == pytest.approx(2 / 3)
    assert dict(slow.points)[50] == 1
    assert by_title(overview_sections(CLEAR + OVERLAPPING))["All games together"].charts == ()
    (table,) = section.tables
    assert column(table, "recipe") == ["fast", "slow", "third"]
    assert column(table, "games") == [3, 3, 1]


def test_without_exploitability_nothing_is_ranked() -> None:
    unjudged = [row | {"exploitability": None} for row in CLEAR]
    first, game = overview_sections(unjudged)
    assert first.paragraphs[-1] == "No exploitability was measured, so recipes are not ranked."
    assert game.title == "one"
    (chart,) = game.charts
    assert (chart.title, chart.y_scale) == ("Value on one", "linear")
    assert chart.series[0].points == ((10, 0.25), (100, 0.25))
    mixed = by_title(overview_sections(unjudged + OVERLAPPING))
    assert mixed["one"].tables == ()
    assert len(mixed["two"].tables[0].rows) == 2


def test_recipes_are_compared_where_most_were_looked_at() -> None:
    longer = rows("one", "sampled", {10: [0.1], 100: [0.1], 10_000: [0.001]})
    assert common_checkpoint(CLEAR + longer) == 100
    assert rank_game(CLEAR + longer).iteration == 100
    chart = by_title(overview_sections(CLEAR + longer))["one"].charts[0]
    assert chart.series[2].points[-1] == (10_000, pytest.approx(0.001))
