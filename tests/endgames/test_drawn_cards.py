"""Cards that are drawn instead of walked: what they teach is on average what all cards teach."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from regretlab.endgames import Spot, holdem
from regretlab.errors import UserError
from regretlab.feedback.draws import uniform
from regretlab.forms.kernel import Floats
from regretlab.solving import Solver, solve

NEAR = 1e-12
"""Relative to the largest regret: what another order of additions changes."""

SIZES = {"pot": 20, "stack": 45, "bets": "75%", "raises": "a"}

SPOTS = {
    "turn": holdem(board="QsJh2h8d", oop="AsKs,9h9d:0.5,AhQh", ip="TT,7h6h,AcKc", **SIZES),
    # Clubs and diamonds are alike: 35 boards stand for 48.
    "turn, suits merged": holdem(board="QsJh2h8s", oop="AsKs,99,AhQh", ip="TT,7h6h,AcKc,AdKd", **SIZES),
    "turn, rake": holdem(board="QsJh2h8s", oop="AsKs,99,AhQh", ip="TT,7h6h,AcKc,AdKd", rake="5%", rake_cap=2, **SIZES),
    "turn, locked": holdem(
        board="QsJh2h8s", oop="AsKs,99", ip="TT,7h6h", lock={"check, check": "99: bet 15; AsKs: check"}, **SIZES
    ),
    # Three suits are alike on the flop, and two or three of them on the turn.
    "flop, suits merged": holdem(
        board="Qs8s2s", oop="AsKs", ip="TsTh,TsTd,TsTc", pot=20, stack=15, bets="a", raises=""
    ),
}


def every_draw(spot: Spot) -> Iterator[tuple[int, int]]:
    """Iterations that among them draw all cards that may come, in all orders, once each."""
    cards = [52 - len(spot.board) - level for level in range(5 - len(spot.board))]
    missing = {tuple(place) for place in np.ndindex(*cards)}
    t = 0
    while missing:
        t += 1
        drawn = tuple(int(uniform(0, t, level) * count) for level, count in enumerate(cards))
        if drawn in missing:
            missing.remove(drawn)
            yield t, int(np.prod(cards))


def learned(solver: Solver, start: list[Floats], iteration: int) -> list[Floats]:
    """What one iteration adds to regrets that are as they were at the start."""
    for side, regret in zip(solver.sides, start, strict=True):
        side.regret[:] = regret
    solver.iteration = iteration - 1
    solver.advance(1)
    return [side.regret - regret for side, regret in zip(solver.sides, start, strict=True)]


@pytest.mark.parametrize("spot", SPOTS.values(), ids=SPOTS)
def test_all_draws_together_teach_what_all_cards_teach(spot: Spot) -> None:
    """Exactly, not within an error: there are only so many draws. From strategies that are not uniform any more."""
    whole, drawing = (Solver(spot, f"cfr(feedback={feedback})") for feedback in ("full", "chance"))
    whole.advance(3)
    start = [side.regret.copy() for side in whole.sides]
    total: list[Floats] = [np.zeros_like(regret) for regret in start]
    for iteration, draws in every_draw(spot):
        for sum_, found in zip(total, learned(drawing, start, iteration), strict=True):
            sum_ += found / draws
    for mean, exact in zip(total, learned(whole, start, iteration=4), strict=True):
        assert abs(exact).max() > 0.01
        np.testing.assert_allclose(mean, exact, rtol=0, atol=NEAR * abs(exact).max())


@pytest.mark.parametrize("street", ["turn, suits merged", "flop, suits merged"])
def test_an_iteration_learns_on_one_board_of_each_street(street: str) -> None:
    solver = Solver(SPOTS[street], "cfr(feedback=chance)")
    solver.advance(1)
    layout = solver.form.layout
    levels = [
        board.level
        for player in (0, 1)
        for board in {
            id(board): board
            for shape, board, stored, _ in solver.form.treeplexes[player].blocks()
            if solver.sides[player].regret[stored : stored + 64 * (shape.slots(player) - shape.entries)].any()
        }.values()
    ]
    assert levels.count(0) == 2
    assert all(levels.count(level) <= 2 for level in range(1, len(layout.levels)))


@pytest.mark.parametrize(("recipe", "part"), [("cfr", 0.02), ("cfr+", 0.01), ("pcfr+", 0.01), ("normalhedge+", 0.02)])
def test_drawing_cards_leads_to_the_same_value(recipe: str, part: float) -> None:
    spot = SPOTS["turn, suits merged"]
    low, high = solve(spot, "dcfr", until=1e-4 * spot.pot).bracket or (0.0, 0.0)
    found = solve(spot, f"{recipe}(feedback=chance)", iterations=20_000)
    assert found.exploitability < part * spot.pot
    # What a player gains against a strategy that can be exploited is at most what both best responders gain.
    off = 2 * found.exploitability
    assert low - off < found.evs[0] < high + off


def test_one_seed_one_run() -> None:
    spot = SPOTS["turn"]
    first, again, other = (solve(spot, "cfr+(feedback=chance)", iterations=50, seed=seed) for seed in (1, 1, 2))
    assert first.value == again.value != other.value


def test_two_cores_draw_the_same_cards() -> None:
    spot = SPOTS["turn"]
    one, two = (solve(spot, "cfr+(feedback=chance)", iterations=50, cores=cores) for cores in (1, 2))
    assert one.value == two.value
    assert one.exploitability == two.exploitability


def test_discounts_are_refused() -> None:
    with pytest.raises(UserError, match="discounts fade all regrets in every iteration"):
        solve(SPOTS["turn"], "dcfr(feedback=chance)", iterations=1)
