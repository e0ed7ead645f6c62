"""Solutions of random small spots, against a judge of dense matrices and against linear programmes over histories."""

from __future__ import annotations

import pytest
from endgames.dense_judge import judge, label_of, ranked, read_merged_policy, read_policy
from endgames.random_spots import random_spot

from regretlab.endgames import holdem
from regretlab.endgames.cards import read_cards
from regretlab.evaluation import best_response, nash
from regretlab.solving import solve

EXACT = 1e-10
"""Of the pot: what two ways to sum the same terms in double precision may differ by."""

SPOTS = [*(("river", seed) for seed in range(14)), *(("turn", seed) for seed in range(5)), ("flop", 3)]

SOLVED_EXACTLY = [
    *(("river", seed) for seed in (0, 1, 2, 5, 6, 8, 11, 13)),
    *(("turn", seed) for seed in (5, 12, 37)),
]


# The judge's own evaluator.


@pytest.mark.parametrize(
    ("board", "hands"),
    [
        # From strong to weak; what stands in one group is equal.
        ("KsQs7h4d2c", ["KhKd", "QhQd", "7s7d", "KhQh", "Kh7s", "AsAh", "AsQh", "JsJh", "AhJh", "JhTd"]),
        (
            "9s8s7s2d2c",
            ["JsTs", "6s5s", "2s2h", "9h9d", "8h2h", "As3s", "Ks3s", "JhTh", "Th6h", "6h5h", "2sKd", "AhAd"],
        ),
        ("5h4h3d2cKs", ["7s6s", "6sAd", "Ah9s", "KhKd", "5s5c", "Kh5s", "5s4s", "QsQh", "5sQh"]),
        ("AsAhAdAcKs", [("KhKd", "QhQd", "2c3c")]),
        ("TsJsQsKsAs", [("2c3c", "AhAd", "9s8s")]),
        ("AhKd9s9c4h", ["9h9d", "AdAc", "AdKs", ("Ad2c", "Ac3d"), "Ks2c", "QsJh", ("5s3s", "5c2h")]),
    ],
)
def test_the_judge_knows_which_hands_win(board: str, hands: list[str | tuple[str, ...]]) -> None:
    groups = [group if isinstance(group, tuple) else (group,) for group in hands]
    listed = [hand for group in groups for hand in group]
    pairs = [(cards[0], cards[1]) for cards in map(read_cards, listed)]
    numbers = dict(zip(listed, ranked(read_cards(board), pairs).tolist(), strict=True))
    assert [len({numbers[hand] for hand in group}) for group in groups] == [1] * len(groups)
    order = [numbers[group[0]] for group in groups]
    assert order == sorted(set(order), reverse=True)


# Random spots.


@pytest.mark.parametrize(("street", "seed"), SPOTS)
def test_a_random_spot_is_worth_what_the_judge_says(street: str, seed: int) -> None:
    spot = random_spot(street, seed)
    solution = solve(spot, "dcfr", iterations=15)
    verdict = judge(spot, read_policy(solution.strategy))
    assert solution.exploitability > 1e-4 * spot.pot  # not solved: there is something to measure
    assert solution.exploitability == pytest.approx(verdict.exploitability, abs=EXACT * spot.pot)
    assert solution.values == pytest.approx(verdict.values, abs=EXACT * spot.pot)
    assert solution.form.zero_sum == (not spot.rake.rate)
    assert (abs(sum(verdict.values)) < EXACT * spot.pot) == (not spot.rake.rate)
    # On the flop the programme would have a hundred thousand rows.
    if solution.form.zero_sum and street != "flop":
        assert -verdict.best[1] <= nash(spot).value <= verdict.best[0]


@pytest.mark.parametrize(("street", "seed"), [("river", 2), ("river", 7), ("turn", 0), ("turn", 3), ("flop", 3)])
def test_a_best_response_is_worth_what_the_judge_says_and_its_actions_bring_that(street: str, seed: int) -> None:
    spot = random_spot(street, seed)
    strategy = solve(spot, "dcfr", iterations=3).strategy
    verdict = judge(spot, read_policy(strategy))
    given = {label: dict(chances) for label, chances in strategy.items()}  # as it comes from a file
    for player in (0, 1):
        response = best_response(spot, given, player)
        assert response.value == pytest.approx(verdict.best[player], abs=EXACT * spot.pot)
        answer = {label: {action: 1.0} for label, action in response.actions.items()}
        brought = judge(spot, lambda who, hand, line, all_=given | answer: all_[label_of(hand, line)])
        assert brought.values[player] == pytest.approx(verdict.best[player], abs=EXACT * spot.pot)


def test_random_spots_are_of_all_kinds() -> None:
    spots = [random_spot(*each) for each in SPOTS]
    assert len({spot.rake.rate > 0 for spot in spots if spot.street == "turn"}) == 2
    assert len([spot for spot in spots if spot.rake.rate]) >= 5
    assert any(spot.rake.cap is None for spot in spots if spot.rake.rate)
    assert any(set(mine) & set(theirs) for spot in spots for mine in spot.cards(0) for theirs in spot.cards(1))


@pytest.mark.parametrize(("street", "seed"), SOLVED_EXACTLY)
def test_a_solved_spot_has_the_value_of_the_linear_programme(street: str, seed: int) -> None:
    spot = random_spot(street, seed)
    solution = solve(spot, "pcfr+", iterations=200_000, until=1e-10 * spot.pot)
    assert solution.stopped == "until"
    assert solution.value == pytest.approx(nash(spot).value, abs=1e-9 * spot.pot)


# What random spots rarely are.


def test_a_card_may_leave_a_player_without_any_hand() -> None:
    """With a single hand each, a card of one of them on the river has no pair of hands that it could come with."""
    spot = holdem(board="QsJh2h8d", pot=20, stack=30, oop="AsAh", ip="KdKc", bets="a", raises="", merge_suits=False)
    solution = solve(spot, "dcfr", iterations=15)
    verdict = judge(spot, read_policy(solution.strategy))
    assert solution.value == pytest.approx(verdict.values[0], abs=EXACT * spot.pot)
    assert solution.exploitability == pytest.approx(verdict.exploitability, abs=EXACT * spot.pot)


@pytest.mark.parametrize(
    ("board", "hands", "rake", "threes"),
    [
        # Clubs and diamonds are alike, so that of four threes on the river three are left.
        ("QsJh2h8s", {"oop": "AsKs,99,AhQh", "ip": "TT,7h6h,AcKc,AdKd"}, "0%", 3),
        ("QsJh2h8s", {"oop": "AsKs,99,AhQh", "ip": "TT,7h6h,AcKc,AdKd"}, "5%", 3),
        # All suits but spades are alike on the flop; on the turn those that it leaves.
        ("Qs8s2s", {"oop": "9h9d,9h9c,9d9c", "ip": "AsKh,AsKd,AsKc"}, "5%", 2),
    ],
)
def test_boards_that_were_merged_play_as_the_judge_expects(
    board: str, hands: dict[str, str], rake: str, threes: int
) -> None:
    """Only some boards have labels; for the others the judge changes suits by itself."""
    sizes = {"bets": "a", "raises": ""}
    spot = holdem(board=board, pot=20, stack=45, **hands, **sizes, rake=rake)
    solution = solve(spot, "dcfr", iterations=15)
    first = spot.hands(0)[0]
    cards = {label.removeprefix(f"{first} check, check, ") for label in solution.strategy}
    assert len([card for card in cards if card.startswith("3") and len(card) == 2]) == threes
    verdict = judge(spot, read_merged_policy(spot, solution.strategy))
    assert solution.exploitability == pytest.approx(verdict.exploitability, abs=EXACT * spot.pot)
    assert solution.values == pytest.approx(verdict.values, abs=EXACT * spot.pot)
