"""Several cores on lanes: the same bits as one, by tiles and by groups of nodes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from both_forms import both_forms, kernels
from hypothesis import given, settings
from hypothesis import strategies as st
from random_public_games import RandomPublicGame, random_public_games

from regretlab.feedback import cores
from regretlab.feedback.cores import Pace
from regretlab.feedback.lanes import LaneFeedback, lane_shares
from regretlab.forms import AnyForm, LaneForm, form_to_solve
from regretlab.solving import Solver
from regretlab.solving.schedule import SCHEDULES


class AllCores(Pace):
    """Never leaves work to one core, however long the others take."""

    def work(self, do: Callable[[bool, int, int], float], iterations: int) -> None:
        do(True, 0, iterations)


@pytest.fixture(autouse=True)
def however_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut small games, too, for more cores than there may be, and use all of them."""
    monkeypatch.setattr(cores, "FINENESS", 2)
    monkeypatch.setattr(cores, "usable_cores", lambda: list(range(7)))
    monkeypatch.setattr(cores, "Pace", AllCores)


def on_lanes(game: str, kind: str) -> LaneForm:
    with kernels(kind):
        form = form_to_solve(game, "lanes")
    assert isinstance(form, LaneForm)
    return form


def all_bytes(form: AnyForm, recipe: str, number: int, precision: str = "f64") -> bytes:
    """Everything that a run on so many cores has after a few iterations."""
    solver = Solver(form, recipe, cores=number, precision=precision)
    assert isinstance(solver.feedback, LaneFeedback)
    assert (solver.feedback._crew is None) == (number == 1)
    solver.advance(12)
    names = ("regret", "total", "strategy", "plan", "memory")
    return b"".join(getattr(side, name).tobytes() for side in solver.sides for name in names)


GAMES = [
    ("kuhn", "dense"),
    ("kuhn", "sorted"),
    ("kuhn(cards=20)", "sorted"),
    ("kuhn(cards=200)", "sorted"),
    ("leduc", "dense"),
    ("leduc", "sorted"),
    ("leduc(ranks=12)", "dense"),
    ("leduc(ranks=12)", "sorted"),
    ("liars_dice(sides=4)", "dense"),
]


@pytest.mark.parametrize(("game", "kind"), GAMES)
def test_two_and_three_cores_change_no_bit(game: str, kind: str) -> None:
    form = on_lanes(game, kind)
    for schedule in SCHEDULES:
        recipe = f"cfr+(schedule={schedule})"
        assert len({all_bytes(form, recipe, number) for number in (1, 2, 3)}) == 1, recipe
    for recipe in ("normalhedge", "hedge", "pdcfr+"):
        assert len({all_bytes(form, recipe, number) for number in (1, 3)}) == 1, recipe
    assert len({all_bytes(form, "cfr+", number, "f32") for number in (1, 2)}) == 1


@pytest.mark.parametrize("kind", ["dense", "sorted"])
@settings(max_examples=25)
@given(random_public_games(), st.sampled_from([2, 3, 7]))
def test_several_cores_change_no_bit_on_random_games(kind: str, game: RandomPublicGame, number: int) -> None:
    form = both_forms(game, kind)[1]
    assert all_bytes(form, "cfr+", 1) == all_bytes(form, "cfr+", number)


@pytest.mark.parametrize("number", [2, 3, 7])
@pytest.mark.parametrize(("game", "kind"), GAMES)
def test_everything_is_done_once(game: str, kind: str, number: int) -> None:
    form = on_lanes(game, kind)
    for player, treeplex in enumerate(form.treeplexes):
        dense, swept = form.payoff.endings(player, "f64")
        shares = lane_shares(treeplex, dense, swept, number)
        for name, end in (("slots", treeplex.slots), ("sights", len(swept.seen)), ("numbers", treeplex.size)):
            stretches = [getattr(share, name) for share in shares]
            assert stretches[0][0] == 0
            assert stretches[-1][1] == end
            assert all(one[1] == other[0] for one, other in pairwise(stretches))
        done = np.zeros((treeplex.tiles, treeplex.nodes), dtype=int)
        for share in shares:
            for nodes in (share.group, share.crown):
                done[share.tiles[0] : share.tiles[1], nodes] += 1
        assert (done == 1).all()


def test_both_ways_to_share_are_tried() -> None:
    tiles = [on_lanes(game, kind).treeplexes[0].tiles for game, kind in GAMES]
    assert min(tiles) == 1
    assert max(tiles) >= 3
