"""What is read at nodes: against a reference, against dense matrices on tiny spots, and sums that have to come out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from regretlab.endgames import Deal, Decision, Fold, NodeView, Showdown, Spot, holdem, read
from regretlab.endgames.cards import DECK, card_name, hand_name
from regretlab.endgames.lines import find
from regretlab.endgames.locks import CARD_OF
from regretlab.endgames.strengths import strengths
from regretlab.errors import UserError
from regretlab.evaluation import evaluate
from regretlab.forms import form_to_solve
from regretlab.solving import Solution, solve

DATA = Path(__file__).parents[1] / "data/endgames"
RIVER = json.loads((DATA / "river.json").read_text())
NODES = json.loads((DATA / "river_nodes.json").read_text())["nodes"]

Floats = NDArray[np.float64]
Behaviour = Mapping[str, Mapping[str, float]]


# Against a reference.


@cache
def deep_river() -> Solution:
    fields = {key: RIVER[key] for key in ("board", "pot", "stack", "oop", "ip")}
    return solve(holdem(**fields, bets=RIVER["sizes"], raises=RIVER["sizes"]), "dcfr", iterations=6_000)


def test_the_whole_river_is_worth_what_the_reference_says() -> None:
    solution = deep_river()
    low, high = solution.bracket or (np.nan, np.nan)
    assert solution.evs == pytest.approx(NODES[0]["evs"], abs=1e-3)
    assert low <= NODES[0]["evs"][0] <= high
    assert low <= solution.evs[0] <= high
    assert high - low == pytest.approx(2 * solution.exploitability)
    assert solution.equities == pytest.approx(NODES[0]["equities"], abs=1e-6)
    assert solution.exploitability_of_pot == solution.exploitability / 200


@pytest.mark.parametrize("known", NODES, ids=lambda node: ", ".join(node["line"]) or "root")
def test_a_node_is_read_as_in_the_reference(known: dict[str, Any]) -> None:
    # Equilibria are not unique: both profiles are within 0.001 chips of one, but not of the same.
    node = deep_river().at(*known["line"])
    assert node.evs == pytest.approx(known["evs"], abs=0.02)
    assert node.equities == pytest.approx(known["equities"], abs=2e-4)
    assert node.frequencies == pytest.approx(known["frequencies"], abs=1e-3)
    for player, hands in enumerate(known["hands"]):
        rows = {row["hand"]: row for row in node.hands(player)}
        for hand, numbers in hands.items():
            assert rows[hand]["ev"] == pytest.approx(numbers["ev"], abs=1.0)
            assert rows[hand]["equity"] == pytest.approx(numbers["equity"], abs=1e-3)


# Against dense matrices. A pair of hands is a row and a column, and every card and action is walked.


class Dense(NamedTuple):
    """What pairs of hands expect from a node on: both players' payoffs, and the part of the pot at showdown."""

    zero: Floats
    one: Floats
    equity: Floats


class Brute:
    """Walks the betting tree with a number for each pair of hands."""

    def __init__(self, spot: Spot, behaviour: Behaviour) -> None:
        self.spot, self.behaviour = spot, behaviour
        self.hands = spot.cards(0), spot.cards(1)
        self.weights = [spot.hand_weights(player) for player in (0, 1)]

    def probabilities(self, player: int, line: tuple[str, ...], actions: tuple[str, ...]) -> Floats:
        """(hands, actions); 0 for hands that the board excludes."""
        dead = set(self.spot.board_after(line))
        rows = []
        for hand in self.hands[player]:
            said = {} if dead & set(hand) else self.behaviour[f"{hand_name(hand)} {', '.join(line)}".rstrip()]
            rows.append([said.get(action, 0.0) for action in actions])
        return np.array(rows)

    def value(self, node: object, line: tuple[str, ...]) -> Dense:
        board = self.spot.board_after(line)
        shown = np.zeros((len(self.hands[0]), len(self.hands[1])))
        match node:
            case Fold(winner, matched, rake):
                lost, won = -self.spot.pot / 2 - matched, self.spot.pot / 2 + matched - float(rake)
                zero, one = (lost, won) if winner else (won, lost)
                return Dense(shown + zero, shown + one, shown)
            case Showdown(matched, rake):
                part = self.part(board)
                pot = self.spot.pot + 2 * matched - float(rake)
                paid = self.spot.pot / 2 + matched
                return Dense(part * pot - paid, (1 - part) * pot - paid, shown)
            case Deal():
                return self.mean(line, lambda card: self.value(node.after, (*line, card)))
            case Decision(player, _, actions, after):
                plays = self.probabilities(player, line, actions)
                total = [shown, shown]
                for a, child in enumerate(after):
                    below = self.value(child, (*line, actions[a]))
                    chance = plays[:, a, None] if player == 0 else plays[None, :, a]
                    total = [total[0] + chance * below.zero, total[1] + chance * below.one]
                return Dense(total[0], total[1], shown)
        raise AssertionError(node)

    def mean(self, line: tuple[str, ...], of: Any) -> Dense:
        """Over the cards that a pair of hands leaves in the deck."""
        board = self.spot.board_after(line)
        total = np.zeros((3, len(self.hands[0]), len(self.hands[1])))
        for card in range(DECK):
            if card not in board:
                zero, one = (np.array([card not in hand for hand in hands]) for hands in self.hands)
                total += np.array(of(card_name(card))) * np.outer(zero, one)
        return Dense(*(total / (DECK - len(board) - 4)))

    def part(self, board: tuple[int, ...]) -> Floats:
        zero, one = (strengths(board, hands)[:, None] for hands in self.hands)
        part: Floats = (np.sign(zero - one.T) + 1) / 2
        return part

    def equity(self, line: tuple[str, ...]) -> Floats:
        if len(self.spot.board_after(line)) == 5:
            return self.part(self.spot.board_after(line))
        return self.mean(line, lambda card: Dense(*[self.equity((*line, card))] * 3)).equity

    def check(self, node: NodeView, tolerance: float = 1e-9) -> None:
        """Compare all that is read at a node."""
        spot, line = self.spot, node.line
        reach, paid = self.down(line)
        dead = set(spot.board_after(line))
        possible = np.array(
            [[not (set(a) & set(b) or dead & (set(a) | set(b))) for b in self.hands[1]] for a in self.hands[0]]
        )
        pairs = possible * np.outer(self.weights[0] * reach[0], self.weights[1] * reach[1])
        values, equity = self.value(spot.node(line), line), self.equity(line)
        betting = spot.node(line)
        assert isinstance(betting, Decision)
        assert (node.player, node.actions) == (betting.player, betting.actions)
        assert node.pot == spot.pot + sum(paid)
        whole = possible * np.outer(*self.weights)
        assert node.probability == pytest.approx(pairs.sum() / whole.sum(), abs=tolerance)
        for player, hands in enumerate(self.hands):
            mine = (values.zero, values.one)[player] + spot.pot / 2 + paid[player]
            part = (equity, 1 - equity)[player]
            # What a hand meets does not depend on how it got here itself.
            meets = possible * (self.weights[1] * reach[1] if player == 0 else (self.weights[0] * reach[0])[:, None])
            axis, side = 1 - player, node.sides[player]
            free = [k for k, hand in enumerate(hands) if not dead & set(hand)]
            assert side.cards.tolist() == [hand_name(hands[k]) for k in free]
            assert side.reach == pytest.approx(reach[player][free], abs=tolerance)
            assert side.weights == pytest.approx(pairs.sum(axis=axis)[free], abs=tolerance)
            with np.errstate(invalid="ignore"):
                total = meets.sum(axis=axis)
                assert side.ev == pytest.approx(((meets * mine).sum(axis) / total)[free], abs=tolerance, nan_ok=True)
                assert side.equity == pytest.approx(
                    ((meets * part).sum(axis) / total)[free], abs=tolerance, nan_ok=True
                )
            assert node.evs[player] == pytest.approx((pairs * mine).sum() / pairs.sum(), abs=tolerance)
            assert node.equities[player] == pytest.approx((pairs * part).sum() / pairs.sum(), abs=tolerance)
            mass = self.weights[player][free]
            assert node.reach[player] == pytest.approx((mass * reach[player][free]).sum() / mass.sum(), abs=tolerance)

    def down(self, line: tuple[str, ...]) -> tuple[list[Floats], list[int]]:
        """Both players' reach after a line, and what they have put in."""
        reach = [np.ones(len(hands)) for hands in self.hands]
        paid, before = [0, 0], [0, 0]
        for k, word in enumerate(line):
            node = self.spot.node(line[:k])
            if isinstance(node, Decision):
                plays = self.probabilities(node.player, line[:k], node.actions)
                reach[node.player] = reach[node.player] * plays[:, node.actions.index(word)]
                if word == "call":
                    paid[node.player] = paid[1 - node.player]
                elif word[-1].isdigit():
                    paid[node.player] = before[node.player] + int(word.split()[-1])
            else:
                before = list(paid)
                for player, hands in enumerate(self.hands):
                    reach[player] = reach[player] * [CARD_OF[word] not in hand for hand in hands]
        return reach, paid


def random_behaviour(spot: Spot, seed: int) -> dict[str, dict[str, float]]:
    form, rng = form_to_solve(spot), np.random.default_rng(seed)
    told = {}
    for treeplex in form.treeplexes:
        for label, actions in zip(treeplex.labels, treeplex.actions, strict=True):
            chances = rng.random(len(actions)) * (rng.random(len(actions)) < 0.8) + 1e-3
            told[label] = dict(zip(actions, (chances / chances.sum()).tolist(), strict=True))
    return told


HANDS = {"oop": "AsKs,9h9d:0.5,Th9h,8c7c", "ip": "QdQc,7h6h,9h9d,AsJd:0.25"}
SMALL = [
    (holdem(board="QsJh2h8d3c", pot=20, stack=50, bets="50%, a", raises="a", **HANDS), [(), ("check",), ("bet 10",)]),
    (holdem(board="QsJh2h8d3c", pot=20, stack=50, bets="50%, a", raises="a", rake="5%", rake_cap=2, **HANDS),
     [("check", "bet 10"), ("check", "bet 10", "raise 50")]),
    (holdem(board="QsJh2h8d", pot=20, stack=50, bets="50%, a", raises="a", merge_suits=False, **HANDS),
     [(), ("check", "bet 10"), ("check", "check", "9c"), ("bet 10", "call", "Ac", "check", "bet 20")]),
    (holdem(board="QsJh2h", pot=20, stack=20, bets="a", raises="", merge_suits=False, **HANDS),
     [("check", "check", "8c"), ("check", "check", "8c", "check", "check", "2d", "bet 20")]),
]  # fmt: skip


@pytest.mark.parametrize(("spot", "lines"), SMALL, ids=["river", "raked", "turn", "flop"])
def test_nodes_of_all_streets_are_as_dense_matrices_have_them(spot: Spot, lines: list[tuple[str, ...]]) -> None:
    behaviour = random_behaviour(spot, seed=1)
    reading, brute = read(spot, behaviour), Brute(spot, behaviour)
    for line in lines:
        node = reading.at(*line)
        brute.check(node)
        check_sums(node, raked=bool(spot.rake.rate))
    assert reading.evs == pytest.approx(reading.at().evs)
    assert reading.equities == pytest.approx(reading.at().equities)


def check_sums(node: NodeView, raked: bool = False) -> None:
    """EVs sum to the pot, equities and strategies to 1, and a node is worth what its actions are."""
    assert sum(node.evs) < node.pot if raked else sum(node.evs) == pytest.approx(node.pot)
    assert sum(node.equities) == pytest.approx(1)
    assert sum(node.frequencies.values()) == pytest.approx(1)
    assert node.strategy.sum(axis=1) == pytest.approx(1)
    assert (node.strategy * node.action_evs).sum(axis=1) == pytest.approx(node.ev, nan_ok=True)
    zero, one = (side.weights.sum() for side in node.sides)
    assert zero == pytest.approx(one)
    if node.actions[0] == "fold":
        assert node.action_evs[:, 0][~np.isnan(node.ev)] == pytest.approx(0, abs=1e-9)


def test_an_action_is_worth_what_the_node_after_it_is() -> None:
    node = deep_river().at("check")
    for a, action in enumerate(node.actions[1:], 1):
        after = deep_river().at("check", action)
        gained = after.sides[1].ev - int(action.split()[1])  # what was bet is spent there
        assert node.action_evs[:, a] == pytest.approx(gained)


# Suits that were merged.


@cache
def turns(merged: bool) -> Solution:
    spot = holdem(
        board="QsJs2h8s", pot=20, stack=40, oop="AA,K9s,T9s,77", ip="QQ,AJs,98s,66", bets="a", raises="",
        merge_suits=merged,
    )  # fmt: skip
    return solve(spot, "dcfr", iterations=12)


def test_every_card_can_be_named_where_suits_were_merged() -> None:
    merged, plain = turns(True), turns(False)
    assert len(merged.form.layout.boards) < len(plain.form.layout.boards)  # type: ignore[union-attr]
    cards = [card_name(card) for card in range(DECK) if card_name(card) not in ("Qs", "Js", "2h", "8s")]
    for card, done in product(cards, [("check",), ()]):
        line = ("check", "check", card, *done)
        mine, theirs = merged.at(*line), plain.at(*line)
        assert mine.board == theirs.board == "QsJs2h8s" + card
        for ours, known in zip(mine.sides, theirs.sides, strict=True):
            assert ours.cards.tolist() == known.cards.tolist()
            for numbers in ("reach", "weights", "ev", "equity"):
                assert getattr(ours, numbers) == pytest.approx(getattr(known, numbers), abs=1e-7, nan_ok=True)
        assert mine.strategy == pytest.approx(theirs.strategy, abs=1e-7)
        assert mine.probability == pytest.approx(theirs.probability)


def test_two_cards_in_a_row_may_be_of_merged_suits() -> None:
    given = {"pot": 20, "stack": 20, "oop": "A9s,33", "ip": "KK,93s", "bets": "a", "raises": ""}
    merged, plain = (
        solve(holdem(board="QsJs2s", merge_suits=each, **given), "dcfr", iterations=2) for each in (True, False)
    )
    for turn, river in [("9d", "3c"), ("9d", "3h"), ("9h", "3d"), ("9c", "9d"), ("As", "3h"), ("Kh", "3d")]:
        line = ("check", "check", turn, "check", "check", river)
        mine, theirs = merged.at(*line), plain.at(*line)
        assert mine.cards.tolist() == theirs.cards.tolist()
        assert mine.ev == pytest.approx(theirs.ev, abs=1e-9, nan_ok=True)
        assert mine.strategy == pytest.approx(theirs.strategy, abs=1e-9)


# Strategies that are given.


def test_a_given_strategy_is_judged_and_read_like_a_solution(tmp_path: Path) -> None:
    solution = turns(True)
    path = tmp_path / "run.npz"
    solution.save(path)
    loaded = Solution.load(path, solution.form.rules)  # type: ignore[union-attr]
    told = {label: solution.strategy[label] for label in solution.strategy}
    for given in (solution, loaded, told, json.loads(json.dumps(told))):
        reading = read(solution.form, given)  # type: ignore[arg-type]
        assert reading.evs == pytest.approx(solution.evs)
        assert reading.exploitability == pytest.approx(solution.exploitability)
        assert reading.exploitability_of_pot == pytest.approx(solution.exploitability / 20)
        assert reading.at("check").ev == pytest.approx(solution.at("check").ev)
        assert evaluate(solution.form, given).exploitability == pytest.approx(solution.exploitability)  # type: ignore[arg-type]


def test_a_strategy_for_all_boards_is_read_where_suits_would_be_merged() -> None:
    plain = turns(False)
    spot = turns(True).form.rules  # type: ignore[union-attr]
    told = {label: plain.strategy[label] for label in plain.strategy}
    reading = read(spot, told)
    assert reading.exploitability == pytest.approx(plain.exploitability)
    assert reading.at("check", "check", "9c").evs == pytest.approx(plain.at("check", "check", "9c").evs)


@pytest.mark.parametrize(
    ("after", "first", "second"), [("", "check", "bet 40"), (" check, bet 40", "fold", "call")], ids=["first", "second"]
)
def test_a_strategy_that_tells_merged_suits_apart_is_refused_unless_they_are_not_merged(
    after: str, first: str, second: str
) -> None:
    # On QsJs2h8s clubs and diamonds are alike: what is done with AcAs must be done with AdAs.
    merged, plain = turns(True), turns(False)
    told, all_told = ({label: each.strategy[label] for label in each.strategy} for each in (merged, plain))
    crooked = {f"AsAc{after}": {first: 1.0}, f"AsAd{after}": {second: 1.0}}
    for judge in (read, evaluate):
        with pytest.raises(UserError, match=rf"^the strategy plays 'AsAd{after}' and 'AsAc{after}' differently, .*$"):
            judge(merged.form, told | crooked)
    spot = plain.form.rules  # type: ignore[union-attr]
    behaviour = all_told | crooked
    node = read(spot, behaviour).at("check", "check", "9c")
    Brute(spot, behaviour).check(node)
    assert read(spot, behaviour).exploitability == evaluate(spot, behaviour).exploitability


# Rake, single precision, rows, mistakes.


def test_with_rake_nothing_brackets_the_value() -> None:
    spot = holdem("river-polar", rake="5%", rake_cap=3)
    solution = solve(spot, "dcfr", iterations=20)
    assert solution.bracket is None
    assert spot.pot - 3 - 1e-9 <= sum(solution.evs) < spot.pot
    assert sum(solution.at().evs) == pytest.approx(sum(solution.evs))


def test_rows_have_a_hand_each_and_actions_for_who_acts() -> None:
    node = solve("holdem:river-polar", "dcfr", iterations=20, precision="f32").at("check")
    check_sums(node)
    mine, theirs = node.hands(), node.hands(0)
    assert [row["hand"] for row in mine] == node.cards.tolist()
    assert list(theirs[0]) == ["hand", "weight", "reach", "ev", "equity"]
    assert list(mine[0]) == [*theirs[0], *node.actions, *(f"ev of {action}" for action in node.actions)]
    assert mine == node.hands(1)
    assert mine[0]["check"] == node.strategy[0, 0]
    assert [row["ev"] for row in theirs] == node.sides[0].ev.tolist()
    assert repr(node).startswith("<check on ")


def test_a_hand_that_no_other_goes_with_has_no_ev() -> None:
    # All hands that bet have the ace of spades or the queen of diamonds: what goes with both is 0 but for rounding.
    spot = holdem(
        board="TsJh2h8d3c", pot=20, stack=50, oop="AsQd,KdKc", ip="AsJd:0.1,QdTd:0.7,As9s:0.3,QdTc:0.6,AsKh:0.2,7h6h",
        bets="a", raises="",
    )  # fmt: skip
    behaviour = random_behaviour(spot, seed=1) | {"7h6h check": {"check": 1.0}}
    node = read(spot, behaviour).at("check", "bet 50")
    assert np.isnan(node.ev[node.cards == "AsQd"]).all()
    assert {row["hand"]: row["equity"] is None for row in node.hands()} == {"AsQd": True, "KdKc": False}
    assert node.weights[node.cards == "AsQd"] == 0
    check_sums(node)  # the other hand makes up the means
    Brute(spot, behaviour).check(node)


def test_a_fold_is_worth_nothing_and_not_nearly_nothing() -> None:
    node = solve("holdem:river-srp", "dcfr", iterations=100).at("check", "bet 100")
    folded = node.action_evs[:, node.actions.index("fold")]
    assert set(folded[~np.isnan(folded)].tolist()) == {0.0}


def test_a_node_to_which_nobody_comes_has_no_ev() -> None:
    spot = holdem(board="QsJh2h8d3c", pot=20, stack=50, oop="AsKs,AsKh", ip="AsQd,7h6h", bets="a", raises="")
    behaviour = random_behaviour(spot, seed=1) | {"7h6h check": {"check": 1.0}}
    node = read(spot, behaviour).at("check", "bet 50")  # only AsQd bets, and no hand goes with it
    assert np.isnan(node.ev).all()
    assert [row["equity"] for row in node.hands()] == [None, None]
    assert np.isnan(node.evs).all()
    assert node.probability == 0


def test_chips_of_all_streets_are_counted() -> None:
    spot = holdem(board="QsJh2h", pot=20, stack=90, oop="AsKs", ip="QdQc", bets="50%", raises="")
    line = ("bet 10", "call", "8c", "check", "bet 20", "call", "2d", "bet 40")
    place = find(spot, spot.blocks().layout, line)
    assert place.paid == (10 + 20 + 40, 10 + 20)
    assert place.node.player == 1


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (("chek",), "unknown action at the beginning 'chek'; did you mean 'check'? There are: check, bet 40"),
        (("check", "bet 4"), "unknown action after 'check' 'bet 4'; did you mean 'bet 40'? There are: check, bet 40"),
        (("9c",), "no card is turned up at the beginning, where 9c stands; there: check, bet 40"),
        (("check", "check"), "after 'check, check' a card is turned up; name it too, such as As"),
        (("check", "check", "8s"), "8s can't be turned up after 'check, check': it is on the board already"),
        (("bet 40", "fold"), "nobody acts after 'bet 40, fold': somebody has folded, or all that is left are cards and "
         "the showdown"),
        (("bet 40", "call", "9c"), "nobody acts after 'bet 40, call', where '9c' stands: somebody has folded, or all "
         "that is left are cards and the showdown"),
        ((3,), "3 is neither an action nor a card; write them like 'check', 'bet 100', '8c'"),
    ],
)  # fmt: skip
def test_a_line_that_does_not_exist_is_told_in_one_line(line: tuple[str, ...], error: str) -> None:
    with pytest.raises(UserError) as told:
        turns(True).at(*line)
    assert str(told.value) == error


def test_an_unknown_card_is_told_with_the_cards_that_may_come() -> None:
    with pytest.raises(UserError, match=r"^unknown card after 'check, check' 'bet 40'; .*there are: 2c, 2d, .*…$"):
        turns(True).at("check", "check", "bet 40")


def test_a_line_may_be_written_as_one_text_in_small_or_capital_letters() -> None:
    assert turns(True).at(" Check,check , 9C").line == ("check", "check", "9c")
    assert turns(True).at("check", "check, 9c").board == "QsJs2h8s9c"


def test_a_player_who_does_not_exist_is_named() -> None:
    with pytest.raises(UserError, match=r"^player 2 does not exist; the players are 0 and 1$"):
        turns(True).at().hands(2)


@pytest.mark.parametrize("ask", ["evs", "equities", "bracket", "exploitability_of_pot", "at"])
def test_other_games_have_no_lines_to_read(ask: str) -> None:
    solution = solve("kuhn", "cfr+", iterations=1)
    with pytest.raises(UserError, match=r"^kuhn has no lines to read: that is for Hold'em endgames .* in blocks$"):
        getattr(solution, ask)("check") if ask == "at" else getattr(solution, ask)


def test_cards_are_as_probable_as_pairs_of_hands_leave_them_and_together_worth_the_street() -> None:
    """Both are held to check on the flop, so that what the cards are worth on average is what the spot is worth."""
    fields = {"board": "QsJh2h", "pot": 60, "stack": 30, "oop": "AsKs,Ah4h:0.5,9c9d", "ip": "TT,7h6h,AcKc:0.25"}
    lock = {"root": "check", "check": "check", "check, check, check": "check"}
    spot = holdem(**fields, bets="a", raises="", lock=lock)
    solution = solve(spot, "dcfr", iterations=15)
    rows = solution.cards("check", "check")
    assert [row["card"] for row in rows] == [card_name(card) for card in range(DECK) if card not in spot.board]
    mean = sum(row["probability"] * row["ev of oop"] for row in rows if row["probability"])
    assert mean == pytest.approx(solution.evs[0], abs=1e-9)
    pairs = {
        (a, b): x * y
        for a, x in zip(spot.cards(0), spot.hand_weights(0).tolist(), strict=True)
        for b, y in zip(spot.cards(1), spot.hand_weights(1).tolist(), strict=True)
        if not set(a) & set(b)
    }
    for card, row in zip([card for card in range(DECK) if card not in spot.board], rows, strict=True):
        free = sum(weight for hands, weight in pairs.items() if card not in hands[0] + hands[1])
        assert row["probability"] == pytest.approx(free / sum(pairs.values()) / 45)
        node = solution.at("check", "check", card_name(card))
        assert (row["ev of ip"], row["equity of oop"], row["check"]) == (
            pytest.approx(node.evs[1]),
            pytest.approx(node.equities[0]),
            pytest.approx(node.frequencies["check"]),
        )


@pytest.mark.parametrize("line", [(), ("check",), ("check", "check", "4c")])
def test_where_no_card_is_turned_up_there_are_none(line: tuple[str, ...]) -> None:
    spot = holdem(board="QsJh2h8d", pot=60, stack=30, oop="AsKs,9c9d", ip="TT,AcKc", bets="a", raises="")
    with pytest.raises(UserError, match=f"^no card is turned up after '{', '.join(line)}'; name a line that ends"):
        solve(spot, iterations=2).cards(*line)
