"""All rivers of a turn, one by one in a batch and as one turn: the values agree as they must.

A profile that can be exploited for ε is worth the game's value to within 2ε, because both best responses bracket it. So
whatever way the two computations go, they may differ by the sum of these and by nothing else.
"""

from pathlib import Path
from typing import Any

import pytest
from experiments.fakes import in_process

import regretlab as rl
from regretlab.cli.batch import mean
from regretlab.endgames import Spot
from regretlab.experiments.running import PLACES

ALIKE = {"board": "Kd9d4h3h", "oop": "AA,KQs,98s,A5s,76s", "ip": "KK,QQ,T9s,AQo,87s"}
APART = ALIKE | {"board": "Kd9s4h3c"}
CHIPS: dict[str, Any] = {"pot": 40, "stack": 60, "bets": "50%,a", "raises": "a"}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Suites are performed in this process."""
    monkeypatch.setitem(PLACES, "local", in_process)


@pytest.mark.parametrize("cards", [ALIKE, APART], ids=["suits alike", "suits apart"])
def test_without_betting_on_the_turn_it_is_worth_the_mean_of_its_rivers(cards: dict[str, str], tmp_path: Path) -> None:
    turn = rl.holdem(**cards, **CHIPS, turn_bets="", turn_raises="")
    rows = rl.experiment(
        {"spots": [{"spot": turn, "boards": "all rivers", "until": "0.02%"}]}, store=tmp_path / "s", workers=1
    )
    assert sum(row["weight"] for row in rows) == 48
    assert (len(rows) < 48) == (cards is ALIKE)
    whole = rl.solve(turn, until="0.02%")
    assert all(row["exploitability_of_pot"] <= 0.0002 for row in rows)
    apart = abs(mean(rows, "ev of oop") - whole.evs[0])
    assert apart <= 2 * mean(rows, "exploitability") + 2 * whole.exploitability
    assert apart < 0.001 * turn.pot
    assert mean(rows, "equity of oop") == pytest.approx(whole.equities[0], abs=1e-12)


def test_after_check_check_a_turn_is_worth_the_mean_of_its_rivers_with_the_ranges_that_reach_them(
    tmp_path: Path,
) -> None:
    turn = rl.holdem(**APART, **CHIPS)
    whole = rl.solve(turn, until="0.005%", iterations=20_000)
    cards = [row for row in whole.cards("check", "check") if row["ev of oop"] is not None]
    rivers = {row["card"]: _river(turn, whole, row["card"]) for row in cards}
    blocks = [{"spot": spot, "name": card, "until": "0.02%"} for card, spot in rivers.items()]
    rows = {row["game"]: row for row in rl.experiment({"spots": blocks}, store=tmp_path / "s", workers=1)}
    assert len(rows) == 48
    as_one = sum(row["probability"] * row["ev of oop"] for row in cards)
    one_by_one = sum(row["probability"] * rows[row["card"]]["ev of oop"] for row in cards)
    # What can be gained at the turn can be gained there, and counts as often as play comes there.
    arrives = min(whole.at("check", "check", row["card"]).probability for row in cards)
    assert arrives > 0.05
    allowed = 2 * max(row["exploitability"] for row in rows.values()) + 2 * whole.exploitability / arrives
    assert abs(one_by_one - as_one) <= allowed
    assert abs(one_by_one - as_one) < 0.002 * turn.pot


def _river(turn: Spot, whole: rl.Solution, card: str) -> Spot:
    """The river after check, check and a card, with the ranges that get there."""
    node = whole.at("check", "check", card)
    ranges = []
    for player, side in enumerate(node.sides):
        weights = dict(zip(turn.hands(player), turn.hand_weights(player), strict=True))
        reach = zip(side.cards.tolist(), side.reach.tolist(), strict=True)
        held = {hand: weights[hand] * part for hand, part in reach if weights[hand] * part > 1e-9}
        ranges.append(",".join(f"{hand}:{weight:.12f}" for hand, weight in held.items()))
    oop, ip = ranges
    return rl.holdem(**CHIPS | {"board": node.board, "oop": oop, "ip": ip})
