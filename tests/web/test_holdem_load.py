"""The benchmark of people who explore beside a solve, against the tests' server and for a moment."""

import os
from argparse import Namespace

from event_loop import in_a_loop

from benchmarks.holdem_load import Report, measure


def test_every_explorer_clicks_and_the_clicks_are_counted(client) -> None:
    options = Namespace(
        spot="river-polar", until="0.5%", explorers=3, seconds=0.5, pause=0.02, solve_beside=False, browser=False
    )
    report = in_a_loop(measure(client.base_url.port, os.getpid(), options))
    assert len(report.clicks["decision"]) >= options.explorers  # everybody begins at one
    assert report.lines[0].startswith("river-polar: promised ")
    assert "3 explorers for 0 s, no solve beside" in str(report)


def test_the_longest_click_is_told() -> None:
    report = Report()
    for milliseconds in [*range(1, 100), 400]:
        report.add("decision", milliseconds / 1000)
    row = str(report).splitlines()[-1].split()
    assert row == ["decision", "100", "50", "ms", "91", "ms", "397", "ms", "400", "ms"]
