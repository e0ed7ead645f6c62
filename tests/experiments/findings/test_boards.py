"""What batches of spots show, against solutions of each board, sums by hand, and trees that are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from experiments.fakes import in_process

import regretlab as rl
from regretlab.endgames.cards import RANKS, read_cards
from regretlab.endgames.flops import flop_subset
from regretlab.endgames.ranges import class_of, grid_class, read_range
from regretlab.endgames.textures import texture
from regretlab.errors import UserError
from regretlab.experiments import Store, read_suite, solved
from regretlab.experiments.findings.boards import Batch, batches_of
from regretlab.experiments.findings.boards_report import BatchFound, boards_data
from regretlab.experiments.findings.explaining_boards import Leaf, Split, explained, foretell, questions
from regretlab.experiments.jobs import plan
from regretlab.experiments.running import PLACES, run_jobs

BOARDS = ["Kd9s4h3c2c", "Kd9s4h3cKh", "Ts9s8s2h2d"]
SPOT = {
    "pot": 40,
    "stack": 60,
    "bets": "50%, a",
    "raises": "a",
    "oop": {"range": "AA,KQs:0.5,98s,A5s"},
    "ip": {"range": "KK,QQ,T9s,AQo"},
}
SUITE = {"spots": [{"spot": SPOT, "name": "three", "boards": BOARDS, "iterations": 40, "keep": "street"}]}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Three rivers, of which the whole street is kept."""
    with (
        pytest.MonkeyPatch.context() as patch,
        Store.to_write(tmp_path_factory.mktemp("boards") / "r.sqlite") as opened,
    ):
        patch.setitem(PLACES, "local", in_process)
        run_jobs(plan(read_suite(SUITE)), opened)
        yield opened


def batch(store: Store, *line: str) -> Batch:
    (found,) = batches_of(solved(SUITE, store.path), line)
    return found


def solution_on(board: str) -> rl.Solution:
    ranges = {who: SPOT[who]["range"] for who in ("oop", "ip")}  # type: ignore[index]
    return rl.solve(
        rl.holdem(board=board, pot=40, stack=60, bets="50%, a", raises="a", **ranges), "dcfr", iterations=40
    )


@pytest.mark.parametrize("line", [(), ("check",), ("bet 20", "raise 60")], ids=", ".join)
def test_numbers_of_boards_are_those_of_their_solutions(store: Store, line: tuple[str, ...]) -> None:
    rows = rl.board_rows(solved(SUITE, store.path), *line)
    assert [row["board"] for row in rows] == BOARDS
    for row in rows:
        node = solution_on(row["board"]).at(*line)
        assert [row[f"ev of {who}"] for who in ("oop", "ip")] == pytest.approx(node.evs, rel=1e-5)
        assert [row[f"equity of {who}"] for who in ("oop", "ip")] == pytest.approx(node.equities, rel=1e-5)
        often = {key.removeprefix("frequency of "): row[key] for key in row if key.startswith("frequency")}
        assert often == pytest.approx(node.frequencies, abs=1e-6)
        assert (row["pot"], row["player"], row["line"]) == (node.pot, ("oop", "ip")[node.player], ", ".join(line))


def test_boards_count_by_the_pairs_of_hands_that_they_leave(store: Store) -> None:
    oop, ip = (read_range(str(SPOT[who]["range"])).weights for who in ("oop", "ip"))  # type: ignore[index]
    for board in batch(store).boards:
        taken = set(board.board)
        pairs = sum(
            float(mine * theirs)
            for one, mine in oop.items()
            for other, theirs in ip.items()
            if not (taken & {*one, *other}) and not set(one) & set(other)
        )
        assert board.mass == pytest.approx(pairs, rel=1e-6)
        assert replace(board, weight=12).mass == pytest.approx(12 * pairs, rel=1e-6)


def test_fields_of_a_grid_are_means_over_their_hands(store: Store) -> None:
    found = batch(store, "check", "bet 20")
    board = found.boards[0]
    left, done = board.grids(found.spot)
    rows = solution_on(board.name).at("check", "bet 20").hands()
    for row in range(13):
        for column in range(13):
            field = grid_class(row, column)
            mine = [each for each in rows if class_of(tuple(read_cards(each["hand"]))) == field]  # type: ignore[arg-type]
            weight = sum(each["weight"] for each in mine)
            possible = sum(not set(hand) & set(board.board) for hand in field.hands())
            weights = read_range(str(SPOT["oop"]["range"])).weights  # type: ignore[index]
            held = sum(float(weights[tuple(read_cards(each["hand"]))]) * each["reach"] for each in mine)  # type: ignore[index]
            assert left[row, column] == pytest.approx(held / possible if possible else 0, nan_ok=True) or not possible
            if weight:
                expected = sum(each["weight"] * each["call"] for each in mine) / weight
                assert done[row, column, 1] == pytest.approx(expected, abs=1e-5)
            else:
                assert np.isnan(done[row, column]).all()


def test_grids_are_letters_in_whole_percent(store: Store) -> None:
    found = batch(store)
    (data,) = boards_data([found], {})
    board = data["boards"][0]
    left, check, *bets = ([ord(letter) - 256 for letter in letters] for letters in board["grid"])
    assert len(left) == 169
    at = RANKS[::-1].index("A") * 13 + RANKS[::-1].index("5")  # A5s stands right of the diagonal
    hands = [row for row in solution_on(BOARDS[0]).at().hands() if row["hand"][::2] == "A5"]
    weight = sum(row["weight"] for row in hands)
    assert check[at] == round(100 * sum(row["weight"] * row["check"] for row in hands) / weight)
    assert check[0 + 1] == 255, "nobody has AKs"
    assert left[at] == 100
    assert len(bets) == 2


def test_what_is_not_kept_or_not_there_is_said(store: Store) -> None:
    with pytest.raises(UserError, match="only the first street was kept, and 'check, fold' is not there"):
        batch(store, "check, fold")


FLOPS = [flop.board for flop in flop_subset("95")]
WEIGHTS = np.array([float(flop.weight) for flop in flop_subset("95")])


def test_a_tree_finds_what_made_the_numbers() -> None:
    paired = np.array([texture(board).pairing != "unpaired" for board in FLOPS])
    ace = np.array([max(board) // 4 == 12 for board in FLOPS])
    made = np.where(paired, 0.9, np.where(ace, 0.6, 0.1))
    found = explained(FLOPS, made, WEIGHTS)
    assert (found.fit, found.foretold) == (pytest.approx(1), pytest.approx(1))
    assert isinstance(found.tree, Split)
    assert [foretell(found.tree, board) for board in FLOPS] == pytest.approx(made.tolist())
    assert {found.tree.question.yes, found.tree.yes.boards} == {"paired", int(paired.sum())}
    assert found.tree.share == pytest.approx(1)
    assert found.tree.yes.share == pytest.approx(WEIGHTS[paired].sum() / WEIGHTS.sum())


def test_noise_is_fitted_but_not_foretold() -> None:
    draw = np.random.default_rng(5)
    found = [explained(FLOPS, draw.uniform(size=len(FLOPS)), WEIGHTS) for _ in range(10)]
    told, fits = ([each.foretold for each in found], [each.fit for each in found])
    assert np.mean(told) < 0.05  # type: ignore[arg-type]
    assert np.mean(fits) > 0.05


def test_of_trees_it_is_the_one_that_foretells_best() -> None:
    draw = np.random.default_rng(8)
    paired = np.array([texture(board).pairing != "unpaired" for board in FLOPS])
    found = explained(FLOPS, 0.5 * paired + 0.2 * draw.uniform(size=len(FLOPS)), WEIGHTS)
    assert isinstance(found.tree, Split)
    assert not isinstance(found.tree.yes, Split), "beyond the pair there is only noise"
    assert found.foretold is not None
    assert 0.8 < found.foretold < found.fit
    few = explained(FLOPS[:12], np.arange(12.0), WEIGHTS[:12])
    assert few.foretold is None


def test_a_fit_is_the_part_of_the_variance_that_leaves_have_not() -> None:
    numbers = np.random.default_rng(6).uniform(size=len(FLOPS)) + np.array([max(board) for board in FLOPS]) / 52
    found = explained(FLOPS, numbers, WEIGHTS)
    told = np.array([foretell(found.tree, board) for board in FLOPS])
    whole = np.average((numbers - np.average(numbers, weights=WEIGHTS)) ** 2, weights=WEIGHTS)
    assert found.fit == pytest.approx(1 - np.average((numbers - told) ** 2, weights=WEIGHTS) / whole)
    for value in set(told.tolist()):  # a leaf has the mean of its boards
        assert np.average(numbers[told == value], weights=WEIGHTS[told == value]) == pytest.approx(value)
    (pairs,) = (part for part in found.parts if part.name == "pairs")
    groups = {word: np.array([texture(board).pairing == word for board in FLOPS]) for word, _ in pairs.means}
    for word, leaf in pairs.means:
        assert leaf.mean == pytest.approx(np.average(numbers[groups[word]], weights=WEIGHTS[groups[word]]))
        assert leaf.boards == groups[word].sum()


def test_trees_ask_little_and_leave_no_few() -> None:
    found = explained(FLOPS, np.random.default_rng(7).uniform(size=len(FLOPS)), WEIGHTS)

    def depth(leaf: Leaf) -> int:
        assert leaf.share >= 0.08
        return 1 + max(depth(leaf.yes), depth(leaf.no)) if isinstance(leaf, Split) else 0

    assert depth(found.tree) <= 3


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_a_question_has_two_answers(cards: int) -> None:
    asked = questions(cards)
    assert len({question.yes for question in asked}) == len({question.no for question in asked}) == len(asked)


def test_extremes_are_the_most_and_the_least(store: Store) -> None:
    found = BatchFound(batch(store, "check"))
    often = {board: 1 - solution_on(board).at("check").frequencies["check"] for board in BOARDS}
    assert found.extremes[0].board.name == max(often, key=often.__getitem__)
    assert found.extremes[1].board.name == min(often, key=often.__getitem__)
    assert found.explained is None, "of three boards nothing is said"
