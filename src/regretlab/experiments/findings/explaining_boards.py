"""What best explains a number that differs from board to board: a small regression tree, and textures one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regretlab.endgames.cards import RANKS, SUITS
from regretlab.endgames.textures import CONNECTIONS, PAIRINGS, SUITINGS, Texture, near_straight, texture
from regretlab.forms.kernel import Floats

DEEPEST = 3
"""How many questions a tree asks at most, one after the other: more would not be remembered."""

USUAL_DEPTH = 2
"""How many it asks of so few boards that none can be left out."""

LEAST_SHARE = 0.08
"""The least part of all boards, by how much they count, that an answer may leave."""

LEAST_GAIN = 0.01
"""The least part of all variance that a question has to explain."""

FOLDS = 10
"""Into so many parts boards are divided, each foretold by a tree that was grown on the others."""

LEAST_LEFT_OUT = 2 * FOLDS
"""With fewer boards none are left out."""

NAMES = ("highest", "second", "third", "fourth", "fifth")


class Question(NamedTuple):
    """What can be asked of a board and answered by yes or no."""

    yes: str
    no: str
    holds: Callable[[tuple[int, ...]], bool]


def questions(cards: int) -> list[Question]:
    """All that are asked of boards of so many cards."""
    asked = [_rank_question(place, rank) for place in range(cards) for rank in range(1, len(RANKS))]
    paired = list(PAIRINGS)
    asked.append(Question("paired", "unpaired", lambda board: texture(board).pairing != paired[0]))
    asked.append(Question("trips or better", "no trips", lambda board: paired.index(texture(board).pairing) > 2))
    for most, (yes, no) in _OF_A_SUIT.items():
        asked.append(Question(yes, no, lambda board, most=most: _most_of_a_suit(board) >= most))  # type: ignore[misc]
    for near, (yes, no) in _NEAR.items():
        asked.append(Question(yes, no, lambda board, near=near: _near(board) >= near))  # type: ignore[misc]
    return asked


_OF_A_SUIT = {
    2: ("two of a suit or more", "rainbow"),
    3: ("three of a suit or more", "at most two of a suit"),
    4: ("four of a suit or more", "at most three of a suit"),
}
_NEAR = {
    2: ("a straight draw is possible", "no straight draw is possible"),
    3: ("a straight is possible", "no straight is possible"),
    4: ("four to a straight", "not four to a straight"),
}


def _rank_question(place: int, rank: int) -> Question:
    """Whether the highest card, the second … is at least of a rank."""
    name, low, high = NAMES[place], RANKS[rank - 1], RANKS[rank]
    top = "" if rank == len(RANKS) - 1 else " or higher"
    bottom = "" if rank == 1 else " or lower"
    return Question(
        f"{name} card {high}{top}", f"{name} card {low}{bottom}", lambda board: _ranks(board)[place] >= rank
    )


def _ranks(board: tuple[int, ...]) -> list[int]:
    return sorted((card // len(SUITS) for card in board), reverse=True)


def _most_of_a_suit(board: tuple[int, ...]) -> int:
    suits = [card % len(SUITS) for card in board]
    return max(map(suits.count, suits))


def _near(board: tuple[int, ...]) -> int:
    return near_straight(_ranks(board))


@dataclass(frozen=True)
class Leaf:
    """Boards that get the same answer to all questions."""

    mean: float
    share: float  # of all, by how much boards count
    boards: int


@dataclass(frozen=True)
class Split(Leaf):
    """Boards that a question divides."""

    question: Question
    yes: Leaf
    no: Leaf


@dataclass(frozen=True)
class Explained:
    """A tree, and how well it foretells the number."""

    tree: Leaf
    fit: float  # R² on the boards that it was grown on
    foretold: float | None  # R² on boards that were left out; None of few boards
    parts: tuple[Part, ...]


class Part(NamedTuple):
    """What one part of a texture explains alone."""

    name: str
    fit: float  # R²
    means: tuple[tuple[str, Leaf], ...]  # by word


def explained(boards: Sequence[tuple[int, ...]], numbers: Floats, weights: Floats) -> Explained:
    """What explains a number of each board; boards count by their weights. Of deeper and shallower trees it is the one
    that foretells best what it has not seen."""
    asked = questions(len(boards[0]))
    answers = np.array([[question.holds(board) for question in asked] for board in boards])
    foretold: dict[int, float] = {}
    if len(boards) >= LEAST_LEFT_OUT:
        depths = range(1, DEEPEST + 1)
        foretold = {depth: _left_out(boards, asked, answers, numbers, weights, depth) for depth in depths}
    deep = max(foretold, key=foretold.__getitem__, default=USUAL_DEPTH)
    shares = weights / weights.sum()
    tree = _grown(asked, answers, numbers, shares, _variance(numbers, shares), deep)
    fit = _fit(numbers, np.array([foretell(tree, board) for board in boards]), weights)
    return Explained(tree, fit, foretold.get(deep), _parts(boards, numbers, weights))


def _variance(numbers: Floats, shares: Floats) -> float:
    """The sum of squares around the mean, each by its share."""
    total = float(shares.sum())
    mean = float(shares @ numbers) / total if total > 0 else 0.0
    return float(shares @ (numbers - mean) ** 2)


def _grown(
    asked: list[Question], answers: NDArray[np.bool_], numbers: Floats, shares: Floats, whole: float, deep: int
) -> Leaf:
    """The tree of the boards that have a share, so many questions deep: at each place the one that leaves the least
    variance."""
    share = float(shares.sum())
    leaf = Leaf(float(shares @ numbers) / share, share, int((shares > 0).sum()))
    here = _variance(numbers, shares)
    best, least = None, here - LEAST_GAIN * whole
    for k in range(len(asked) if deep and whole > 0 else 0):
        yes, no = shares * answers[:, k], shares * ~answers[:, k]
        if min(yes.sum(), no.sum()) >= LEAST_SHARE:
            left = _variance(numbers, yes) + _variance(numbers, no)
            if left < least:
                best, least = k, left
    if best is None:
        return leaf
    below = [
        _grown(asked, answers, numbers, shares * side, whole, deep - 1)
        for side in (answers[:, best], ~answers[:, best])
    ]
    return Split(leaf.mean, leaf.share, leaf.boards, asked[best], *below)


def foretell(tree: Leaf, board: tuple[int, ...]) -> float:
    """The mean of the boards that answer like this one."""
    while isinstance(tree, Split):
        tree = tree.yes if tree.question.holds(board) else tree.no
    return tree.mean


def _fit(numbers: Floats, told: Floats, weights: Floats) -> float:
    """R²: which part of the variance is foretold."""
    shares = weights / weights.sum()
    whole = _variance(numbers, shares)
    return 1 - float(shares @ (numbers - told) ** 2) / whole if whole > 0 else 1.0


def _left_out(
    boards: Sequence[tuple[int, ...]],
    asked: list[Question],
    answers: NDArray[np.bool_],
    numbers: Floats,
    weights: Floats,
    deep: int,
) -> float:
    """R² where each board is foretold by a tree that has not seen it."""
    told = np.empty(len(boards))
    for fold in range(FOLDS):
        out = np.arange(len(boards)) % FOLDS == fold
        seen = np.where(out, 0.0, weights)
        shares = seen / seen.sum()
        tree = _grown(asked, answers, numbers, shares, _variance(numbers, shares), deep)
        told[out] = [foretell(tree, board) for board, left in zip(boards, out.tolist(), strict=True) if left]
    return _fit(numbers, told, weights)


_WORDS = (PAIRINGS, SUITINGS, CONNECTIONS, tuple(reversed(RANKS)))
_PART_NAMES = ("pairs", "suits", "straights", "high card")


def _parts(boards: Sequence[tuple[int, ...]], numbers: Floats, weights: Floats) -> tuple[Part, ...]:
    """Each part of the textures alone: the mean of each word, and how much the words explain."""
    textures: list[Texture] = [texture(board) for board in boards]
    shares = weights / weights.sum()
    found = []
    for name, words, said in zip(_PART_NAMES, _WORDS, zip(*textures, strict=True), strict=True):
        means = []
        for word in words:
            mine = np.array([each == word for each in said])
            if mine.any():
                share = float(shares[mine].sum())
                means.append((word, Leaf(float(shares[mine] @ numbers[mine]) / share, share, int(mine.sum()))))
        known = {word: leaf.mean for word, leaf in means}
        found.append(Part(name, _fit(numbers, np.array([known[word] for word in said]), weights), tuple(means)))
    return tuple(found)
