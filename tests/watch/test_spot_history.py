"""Back in time: what is kept of a run is what another run says that is stopped there."""

from __future__ import annotations

import numpy as np
import pytest

from regretlab.endgames import holdem
from regretlab.errors import UserError
from regretlab.solving import solve
from regretlab.watch.spots.history import History
from regretlab.watch.spots.spot_run import SpotRun

RIVER = holdem(
    board="Td9d6hQc2s", pot=100, stack=200, oop="QQ,AQs,JTs,87s:0.5,A5s", ip="KK,AQs,T9s,A5s,KJo:0.25", bets="50%, a"
)  # fmt: skip
TURN = holdem(board="Qs7h2d8c", pot=100, stack=60, oop="AA,KQs,T9s", ip="QQ,AJs,99", bets="50%", raises="")
CLOSE = 2e-6
"""Single precision of numbers of a few hundred, and what is rounded for the page."""


def ran(spot, recipe="dcfr", looks=8, precision="f64") -> SpotRun:
    run = SpotRun(spot, recipe, precision, until=1e-9)
    while len(run.looks) < looks:
        run.advance()
    return run


@pytest.mark.parametrize("recipe", ["dcfr", "pcfr+", "hedge"])
def test_what_a_hand_did_is_what_a_run_stopped_there_does(recipe: str) -> None:
    """Averages and next strategies, of recipes whose strategies follow from regrets and of others."""
    past = ran(RIVER, recipe).past(("check",), "KsKh")
    assert [moment["iteration"] for moment in past["moments"]] == [1, 2, 3, 5, 7, 10, 15, 20]
    for moment in past["moments"][::3]:
        solution = solve(RIVER, recipe, iterations=moment["iteration"])
        assert moment["average"] == pytest.approx(list(solution.strategy["KsKh check"].values()), abs=CLOSE)
        assert moment["current"] == pytest.approx(list(solution.current["KsKh check"].values()), abs=CLOSE)
        assert moment["of_pot"] == pytest.approx(solution.exploitability / 100)


def test_the_first_regrets_are_what_actions_earn_more_than_the_hand() -> None:
    """Player 0 learns first, against a uniform player: regrets are differences of values, in chips."""
    run = ran(RIVER, "cfr", looks=1)
    node = run.node(())
    for hand in ("QsQh", "8h7h", "Ah5h"):
        k = node["sides"][0]["hands"].index(hand)
        values = np.array(node["action_evs"][k])
        assert run.past((), hand)["moments"][0]["regrets"] == pytest.approx(list(values - values.mean()), abs=1e-4)


@pytest.mark.parametrize("precision", ["f64", "16bit"])
def test_a_place_as_it_stood_is_that_of_a_run_stopped_there(precision: str) -> None:
    run = ran(RIVER, precision=precision)
    assert run.node(("check",))["moments"] == [1, 2, 3, 5, 7, 10, 15, 20]
    then, there = run.node(("check",), at=7), ran(RIVER, looks=5, precision=precision).node(("check",))
    assert then["iteration"] == there["iteration"] == 7
    for key in ("strategy", "action_evs"):
        np.testing.assert_allclose(
            np.array(then[key], float), np.array(there[key], float), atol=0.02 if precision == "16bit" else 1e-4
        )
    assert run.node(("check",))["iteration"] == 20
    assert run.why(("check",), "KsKh", at=7)["html"] != run.why(("check",), "KsKh")["html"]
    assert run.table(("check",), at=7) != run.table(("check",))


def test_suits_are_called_as_in_the_line() -> None:
    """Where suits are merged the hand is found under the name that it has on the board that was asked for."""
    run = ran(TURN)
    for card in ("9h", "9s", "Ac"):
        solution = solve(
            holdem(board="Qs7h2d8c", pot=100, stack=60, oop="AA,KQs,T9s", ip="QQ,AJs,99", bets="50%", raises=""),
            "dcfr",
            iterations=20,
        )
        node = solution.at("check", "check", card)
        for k in (0, len(node.cards) - 1):
            past = run.past(("check", "check", card), str(node.cards[k]))
            assert past["moments"][-1]["average"] == pytest.approx(list(node.strategy[k]), abs=CLOSE)


def test_of_a_large_spot_only_the_first_decisions_are_kept() -> None:
    run = ran(TURN, looks=1)
    small = History(run.solver, most_bytes=20_000)
    assert not small.whole
    small.take(0.5)
    assert len(small.hand(("check",), "AsJs")["moments"]) == 1
    assert small.hand(("check", "check", "9h"), "AsAh")["moments"] == []
    with pytest.raises(UserError, match="too large to keep all of it"):
        small.reading(1)


def test_of_a_large_river_all_is_kept_of_fewer_moments() -> None:
    solver = ran(RIVER, looks=1).solver
    each = History(solver)._bytes(History(solver).part)
    kept = History(solver, most_bytes=3 * each)
    assert (kept.whole, kept.most) == (True, 3)


def test_what_is_kept_is_bounded_and_the_ends_stay() -> None:
    run = ran(RIVER, looks=1)
    kept = History(run.solver)
    kept.most = 5
    for _ in range(40):
        run.solver.advance(1)
        kept.take(0.1)
    assert len(kept.moments) == 5
    assert (kept.iterations[0], kept.iterations[-1]) == (2, 41)
    gaps = [after / before for before, after in zip(kept.iterations, kept.iterations[1:], strict=False)]
    assert max(gaps) < 8


def test_a_locked_hand_says_so_and_bad_asks_are_refused() -> None:
    run = ran(RIVER.locked_at({"check": "KK: check"}), looks=3)
    assert run.past(("check",), "KsKh")["locked"]
    assert not run.past(("check",), "AsQs")["locked"]
    for ask, said in [
        ((("check",), "KsKx"), "hand"),
        ((("check",), "2c2d"), "unknown hand here"),
        ((("chek",), "KsKh"), "did you mean"),
    ]:
        with pytest.raises(UserError, match=said):
            run.past(*ask)
    with pytest.raises(UserError, match="unknown iteration that is kept '4'"):
        run.past(("check",), "KsKh", at=4)
