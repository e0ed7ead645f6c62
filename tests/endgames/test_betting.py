"""The betting tree: node by node as a reference has it, by published counts, and by a referee who counts chips."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretlab.endgames import Deal, Decision, Fold, Showdown, Spot, betting, holdem
from regretlab.endgames.betting import Counts, Node
from regretlab.errors import UserError

RIVER = json.loads((Path(__file__).parents[1] / "data/endgames/river.json").read_text())
BOARDS = {"flop": "QsJh2h", "turn": "QsJh2h8d", "river": "QsJh2h8d3c"}


def spot(
    street: str = "river", pot: int = 200, stack: int = 900, sizes: str = "50%, 100%, a", **fields: object
) -> Spot:
    hands = {"oop": "AA", "ip": "KK"}
    return holdem(board=BOARDS[street], pot=pot, stack=stack, **(hands | {"bets": sizes, "raises": sizes} | fields))


def nodes(node: Node, line: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Node]]:
    """All nodes with the actions before them; a deal is written ``*``."""
    yield line, node
    if isinstance(node, Deal):
        yield from nodes(node.after, (*line, "*"))
    elif isinstance(node, Decision):
        for action, child in zip(node.actions, node.after, strict=True):
            yield from nodes(child, (*line, action))


def at(root: Node, *line: str) -> Node:
    (found,) = (node for its, node in nodes(root) if its == line)
    return found


def decision(root: Node, *line: str) -> Decision:
    found = at(root, *line)
    assert isinstance(found, Decision)
    return found


def translated(name: str, facing: bool) -> str:
    """The reference's name of an action in ours; all-in is a bet where nobody has bet, else a raise."""
    word, _, chips = name.rstrip(")").partition("(")
    return f"{('raise' if facing else 'bet') if word == 'AllIn' else word.lower()} {chips}".strip()


def test_the_reference_river_has_the_same_nodes() -> None:
    fields = {key: RIVER[key] for key in ("board", "pot", "stack", "oop", "ip")}
    game = holdem(**fields, bets=RIVER["sizes"], raises=RIVER["sizes"])
    ours = {line: node for line, node in nodes(game.betting) if isinstance(node, Decision)}
    theirs = {}
    for history, player, actions in RIVER["nodes"]:
        line: list[str] = []
        for name in filter(None, history.split(", ")):
            line.append(translated(name, facing=any("bet" in word for word in line)))
        names = tuple(translated(name, facing="(" in history) for name in actions.split(", "))
        theirs[tuple(line)] = ("OOP", "IP").index(player), tuple(line), names
    assert {line: (node.player, node.line, node.actions) for line, node in ours.items()} == theirs


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        # Counted by postflop-solver.
        (spot("river"), Counts(32, 0, 61, 92)),
        (spot("turn"), Counts(6_560, 31, 11_694, 16_796)),
        # Counted in papers: the third and fourth endgame of Libratus.
        (spot("river", 500, 19_750, bets="50%,100%,a", raises="100%,a"), Counts(32, 0, 61, 92)),
        (spot("river", 3_750, 18_125, bets="50%,100%,a", raises="100%,a"), Counts(20, 0, 37, 56)),
        # By hand: check, check; check, bet, fold or call; bet, fold or call.
        (spot("river", sizes="a"), Counts(4, 0, 5, 8)),
        # After 3 of these 5 endings a card of 48 comes: a river as above after two checks, a showdown after calls.
        (spot("turn", sizes="a"), Counts(4 + 48 * 4, 3, 2 + 48 * (5 + 2), 8 + 48 * 8)),
        (
            spot("flop", sizes="a"),
            Counts(4 + 49 * (4 + 48 * 4), 3 + 49 * (3 + 2), 2 + 49 * (2 + 48 * 7) + 49 * 2 * 48, 8 + 49 * (8 + 48 * 8)),
        ),
    ],
)
def test_counts_of_nodes(game: Spot, counts: Counts) -> None:
    assert game.counts == counts
    assert game.public_states() == sum(counts[:3])


def test_fold_or_check_comes_first_then_call_then_sizes() -> None:
    root = spot().betting
    assert decision(root).actions == ("check", "bet 100", "bet 200", "bet 900")
    assert decision(root, "bet 100").actions == ("fold", "call", "raise 300", "raise 500", "raise 900")
    assert decision(root, "check", "bet 900").actions == ("fold", "call")
    assert decision(root, "bet 200", "raise 800").actions == ("fold", "call", "raise 900")


def test_player_0_begins_every_street_and_lines_have_no_cards() -> None:
    root = spot("turn").betting
    river = decision(root, "check", "bet 100", "call", "*")
    assert (river.player, river.line) == (0, ("check", "bet 100", "call"))
    assert river.actions == ("check", "bet 200", "bet 400", "bet 800")


@pytest.mark.parametrize(("street", "deals"), [("flop", 2), ("turn", 1), ("river", 0)])
def test_after_a_call_all_in_only_cards_come(street: str, deals: int) -> None:
    root = spot(street).betting
    node = at(root, "bet 900", "call")
    for _ in range(deals):
        assert isinstance(node, Deal)
        assert node.line == ("bet 900", "call")
        node = node.after
    assert node == Showdown(900, 0)


def test_donk_bets_are_for_who_has_called_and_acts_first() -> None:
    root = spot("flop", sizes="50%", turn_donk="25%", river_donk="").betting
    assert decision(root).actions == ("check", "bet 100")
    called = ("check", "bet 100", "call", "*")
    assert decision(root, *called).actions == ("check", "bet 100")  # a quarter of 400
    # Who has bet and was called, or has seen checks, bets as usual; so does who acts behind.
    assert decision(root, "bet 100", "call", "*").actions == ("check", "bet 200")
    assert decision(root, "check", "check", "*").actions == ("check", "bet 100")
    assert decision(root, *called, "check").actions == ("check", "bet 200")
    assert decision(root, *called, "check", "bet 200", "call", "*").actions == ("check",)
    assert decision(root, *called, "bet 100", "call", "*").actions == ("check", "bet 300")


def test_donk_bets_that_are_not_given_are_bets() -> None:
    root = spot("turn", sizes="50%").betting
    assert decision(root, "check", "bet 100", "call", "*").actions == ("check", "bet 200")


@pytest.mark.parametrize(("cap", "most"), [(0, 0), (1, 1), (2, 2)])
def test_a_raise_cap_counts_raises_on_a_street(cap: int, most: int) -> None:
    root = spot("turn", stack=100_000, raise_cap=cap).betting
    streets = (" ".join(line).split("*") for line, _ in nodes(root))
    assert max(street.count("raise") for line in streets for street in line) == most


def test_each_street_and_player_has_sizes_of_their_own() -> None:
    fields = {"oop_bets": "10%", "ip_bets": "20%", "river_bets": "30%", "oop_river_bets": "40%", "ip_raises": "3x"}
    root = spot("turn", bets="100%", raises="", **fields).betting
    assert decision(root).actions == ("check", "bet 20")
    assert decision(root, "check").actions == ("check", "bet 40")
    assert decision(root, "bet 20").actions == ("fold", "call", "raise 60")
    assert decision(root, "check", "bet 40").actions == ("fold", "call")
    assert decision(root, "check", "check", "*").actions == ("check", "bet 80")
    assert decision(root, "check", "check", "*", "check").actions == ("check", "bet 60")


def test_rake_is_taken_of_matched_chips_up_to_the_cap() -> None:
    root = spot(sizes="50%, a", rake="5%", rake_cap=30).betting
    assert at(root, "check", "check") == Showdown(0, 10)
    assert at(root, "bet 100", "fold") == Fold(0, 0, 10)  # the bet was not called
    assert at(root, "bet 100", "call") == Showdown(100, 20)
    assert at(root, "bet 100", "raise 300", "fold") == Fold(1, 100, 20)
    assert at(root, "bet 900", "call") == Showdown(900, 30)
    assert at(spot(rake="2.75%").betting, "check", "check") == Showdown(0, Fraction(11, 2))


SIZES = st.lists(st.sampled_from(["10%", "33%", "75%", "150%", "3x", "40c", "a", "e", "2e80%"]), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(
    street=st.sampled_from(["turn", "river"]),
    pot=st.integers(1, 500),
    stack=st.integers(1, 2_000),
    bets=SIZES,
    raises=SIZES,
    thresholds=st.tuples(*(st.sampled_from([0, 0, 0.1, 1.5]) for _ in range(3))),
)
def test_a_referee_who_counts_chips_agrees(
    street: str, pot: int, stack: int, bets: list[str], raises: list[str], thresholds: tuple[float, float, float]
) -> None:
    bets = [size for size in bets if "x" not in size] or ["a"]
    keys = dict(zip(("add_all_in", "force_all_in", "merge"), thresholds, strict=True))
    game = spot(street, pot, stack, bets=", ".join(bets), raises=", ".join(raises), raise_cap=3, **keys)
    for line, node in nodes(game.betting):
        _referee(game, line, node)


def _referee(game: Spot, line: tuple[str, ...], node: Node) -> None:
    """Play a line with two piles of chips, and look at who may do what in the end."""
    paid, before, turn, last_raise, folded = [0, 0], 0, 0, 1, None
    for word in line:
        if word == "*":
            before, turn, last_raise = paid[0], 0, 1
            assert paid[0] == paid[1]
            continue
        if word == "call":
            paid[turn] = paid[1 - turn]
        elif word == "fold":
            folded = turn
        elif word != "check":
            to = before + int(re.fullmatch(r"(?:bet|raise) (\d+)", word)[1])  # type: ignore[index]
            assert paid[turn] <= paid[1 - turn] < to <= game.stack
            assert to == game.stack or to - paid[1 - turn] >= last_raise  # a short all-in is the only small raise
            last_raise = to - paid[1 - turn]
            paid[turn] = to
        turn = 1 - turn
    if isinstance(node, Fold):
        assert (node.winner, node.matched) == (1 - folded, min(paid))  # type: ignore[operator]
    elif isinstance(node, Showdown):
        assert paid[0] == paid[1] == node.matched
        assert len(game.board) + line.count("*") == 5
    elif isinstance(node, Decision):
        assert (node.player, node.line) == (turn, tuple(word for word in line if word != "*"))
        assert len(set(node.actions)) == len(node.actions)
        assert min(paid) < game.stack
        facing = paid[1 - turn] > paid[turn]
        assert node.actions[: 1 + facing] == (("fold", "call") if facing else ("check",))
        chips = [int(action.split()[1]) for action in node.actions[1 + facing :]]
        assert chips == sorted(chips)
        assert all(action.startswith("raise" if facing else "bet") for action in node.actions[1 + facing :])


@pytest.mark.parametrize(("sizes", "stack", "word"), [("1c", 100_000, "too small"), ("1c,2c,3c", 60, "more than 500 ")])
def test_a_tree_without_an_end_in_sight_is_refused(
    sizes: str, stack: int, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(betting, "MOST_DECISIONS", 500)
    with pytest.raises(UserError, match=word):
        spot("river", 20, stack, sizes=sizes)
