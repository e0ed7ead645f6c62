"""Batches: one Hold'em endgame on many boards, as blocks ``[[spots]]`` of a suite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

from regretlab.endgames import Spot, holdem
from regretlab.endgames.cards import hand_name, read_cards
from regretlab.endgames.flops import SUBSETS, WeightedBoard, all_flops, flop_subset, next_boards
from regretlab.endgames.reading import spot_of_table
from regretlab.errors import UserError, unknown
from regretlab.experiments.measures import SPOT_MEASURES
from regretlab.experiments.specs import KEEP, BoardOf, RunSpec, recipe_of
from regretlab.experiments.suite_file import FilePart
from regretlab.forms.packed import KEPT
from regretlab.games import load

KEYS = ("spot", "name", "boards", "recipes", "precision", "until", "iterations", "keep")

MOST_ITERATIONS = 10_000
"""Where a spot ends that has not reached its target, unless the suite says otherwise."""

FOLLOWING = {"all turns": "turn", "all rivers": "river"}
"""Names of the boards that may follow the spot's own."""

FLOPS = {"all flops": all_flops} | {f"{size} flops": partial(flop_subset, size) for size in SUBSETS}
"""Names of flops, whatever the spot's own board is."""


def spot_runs(block: Mapping[str, Any], place: FilePart) -> Iterator[tuple[RunSpec, BoardOf]]:
    """The runs of a block: all combinations of boards, recipes, precisions and targets."""
    place.check_block("spots", block, KEYS, ("spot",))
    keep = place.read("keep", block.get("keep", KEEP[0]), lambda given: _one_of("keep", given, KEEP))
    precisions = [
        place.read("precision", each, lambda given: _one_of("precision", given, [*KEPT]))
        for each in place.texts({"precision": "f64"} | dict(block), "precision")
    ]
    spots = list(_on_boards(block, place))
    recipes = place.recipes(block) if "recipes" in block else [spots[0][0].recommended()]
    looks = place.iterations(block) if "iterations" in block else (MOST_ITERATIONS,)
    for name in recipes:
        place.read("recipes", name, _check_recipe)
        place.check_iterations(name, looks)
    label = _label(block, place)
    for spot, weight in spots:
        game, board = str(spot.loaded_from or spot.name), BoardOf(label, hand_name(spot.board), weight)
        for name, precision, until in product(recipes, precisions, _targets(block, place, spot)):
            yield RunSpec(game, name, looks, 0, 0, SPOT_MEASURES, keep, precision, until), board


def _label(block: Mapping[str, Any], place: FilePart) -> str:
    """What the spot is called in tables."""
    source = block["spot"]
    label = block.get("name", source if isinstance(source, str) else "spot")
    if not isinstance(label, str) or not label.strip() or not label.isprintable():
        raise place.wrong("name", "name must be text on one line: what the spot is called in tables")
    return label


def _on_boards(block: Mapping[str, Any], place: FilePart) -> Iterator[tuple[Spot, int]]:
    """The spot on each board, and how many boards that stands for.

    Of boards that have a name together, those that can't come with the ranges are left out; one that is listed by
    itself is a mistake then.
    """
    texts = place.texts(block, "boards") if "boards" in block else []
    known = {text: place.read("boards", text, _known_boards) for text in texts}
    first = next((boards[0].board for boards in known.values() if boards), None)
    spot = place.read("spot", block["spot"], lambda given: _spot(given, first))
    if not texts:
        yield spot, 1
    for text in texts:
        named = text in FOLLOWING or text in FLOPS
        boards = known[text] if text not in FOLLOWING else place.read("boards", text, partial(_following, spot))
        for board, weight in boards:
            if not named or _can_come(spot, board):
                yield place.read("boards", hand_name(board), lambda _, board=board: on_board(spot, board)), weight  # type: ignore[misc]


def _following(spot: Spot, name: str) -> Sequence[WeightedBoard]:
    """The boards of a name that follow the spot's own."""
    return next_boards(spot, FOLLOWING[name])


def _known_boards(text: str) -> Sequence[WeightedBoard]:
    """The boards of a name; none of those that follow the spot's own, which has to be known for that."""
    if text in FOLLOWING:
        return ()
    if text in FLOPS:
        return FLOPS[text]()
    if text.startswith("all") or text.endswith(("flops", "flop")):
        raise unknown("set of boards", text, [*FOLLOWING, *FLOPS])
    return [WeightedBoard(read_cards(text, "boards"), 1)]


def on_board(spot: Spot, board: tuple[int, ...]) -> Spot:
    """The same ranges, pot, stacks and sizes on another board."""
    return spot if board == spot.board else replace(spot, board=board, title="")


def _can_come(spot: Spot, board: Sequence[int]) -> bool:
    """Whether there are two hands in the ranges that leave the board, and each other, their cards."""
    taken = set(board)
    zero, one = ([set(hand) for hand, _ in each.entries if not taken & set(hand)] for each in spot.ranges)
    return any(not mine & theirs for mine in zero for theirs in one)


def _spot(given: Any, board: tuple[int, ...] | None) -> Spot:
    """The spot of a name, a file, or a table. One that has no board of its own has one that is given."""
    try:
        return _read_spot(given)
    except UserError:
        if board is None or not isinstance(given, str | Mapping):
            raise
    return _read_spot(given, board=hand_name(board))


def _read_spot(given: Any, **changed: str) -> Spot:
    if isinstance(given, Spot):
        return given
    if isinstance(given, Mapping):
        return spot_of_table({**given, **changed})
    if isinstance(given, str) and ":" in given and "=" not in given:
        spot = load(given)
        if not isinstance(spot, Spot):
            raise UserError(f"{given} is no Hold'em endgame; such games stand in blocks [[runs]]")
        return spot
    return holdem(given, **changed)


def _check_recipe(name: str) -> None:
    """Raise UserError where a recipe can't solve a spot."""
    made = recipe_of(name)
    if not made.feedback_kind.on_lanes or made.restart is not None:
        raise UserError(f"{name} can't solve Hold'em endgames: that takes full feedback and no restarts")


def _targets(block: Mapping[str, Any], place: FilePart, spot: Spot) -> list[float | None]:
    """The exploitabilities in chips at which runs of a spot end."""
    if "until" not in block:
        return [spot.target() if "iterations" not in block else None]
    given = block["until"]
    listed = given if isinstance(given, list | tuple) else [given]
    if not listed:
        raise place.wrong("until", 'until must be a target such as "0.5%" of the pot or 1 (chips), or a list of such')
    return [place.read("until", each, spot.target) for each in listed]


def _one_of(key: str, given: Any, known: Sequence[str]) -> str:
    if given not in known:
        raise unknown(key, given, known)
    return str(given)
