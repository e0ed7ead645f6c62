"""Representative flops: how they are chosen, and how well they represent.

``python -m studies.flops equities`` computes, for all 1,755 flops up to suits and several pairs of usual ranges, how
equities are distributed over both players' hands, all turns and rivers counted; some minutes. ``python -m studies.flops
choose`` chooses the sets from these and from textures, and writes the file that comes with the package. ``python -m
studies.flops errors`` measures how far what the file's sets say is from what all flops say, as Markdown.

A set is chosen by kernel quadrature: each flop is a list of features, and a kernel says how alike two flops are. Flops
are chosen, one after the other and then by swaps, and weighted, so that the mean of whatever varies slowly with the
features differs least, in the worst case, between the set and all flops. Weights then become whole numbers that sum to
22,100.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import nnls

from regretlab.cli.main import new_app
from regretlab.cli.main import run as run_command
from regretlab.endgames import strengths
from regretlab.endgames.cards import DECK, SUITS, hand_name
from regretlab.endgames.flops import SUBSETS, SUBSETS_FILE, all_flops, flop_subset
from regretlab.endgames.ranges import read_range
from regretlab.endgames.suits import ALL_PERMUTATIONS, distinct_boards, moved, moved_hand, suits_alike
from regretlab.endgames.textures import Texture, near_straight, texture
from regretlab.errors import UserError
from regretlab.files import written_beside

Floats = NDArray[np.float64]

CHOSEN_BY = {
    "raised, big blind against button": (
        "JJ-22:0.75,AJs-A2s,AJo-A9o,K5s+,KTo+,Q7s+,Q9o+,J8s+,JTo,T7s+,97s+,86s+,75s+,64s+,54s",
        "22+,A2s+,A8o+,K5s+,KTo+,Q8s+,QTo+,J8s+,JTo,T8s+,97s+,87s,76s,65s,54s",
    ),
    "raised, big blind against first seat": (
        "TT-22,AQs-ATs,A5s-A2s,AQo,KTs+,KQo:0.5,QTs+,JTs,T9s,98s,87s,76s,65s",
        "55+,A9s+,A5s-A4s,AJo+,KTs+,KQo,QTs+,JTs,T9s",
    ),
    "raised twice, big blind against button": (
        "TT+,99-77:0.5,AJs+,A5s-A4s,AKo,AQo:0.5,KTs+,KQo,QJs,JTs,T9s:0.5",
        "JJ-55,AQs-ATs,A5s:0.5,AQo,AJo:0.5,K9s+,KQo,QTs+,JTs,T9s,98s,87s,76s",
    ),
}
"""Pairs of ranges, out of position first, whose equities have a part in the choice."""

HELD_OUT = {
    "raised, small blind against cut-off": (
        "TT-66,AQs-A9s,AQo,AJo:0.5,KTs+,KQo,QTs+,JTs,T9s,98s,87s",
        "22+,A2s+,ATo+,K8s+,KTo+,Q9s+,QJo,J9s+,T8s+,98s,87s,76s,65s",
    ),
    "raised, big blind against cut-off": (
        "TT-22,AJs-A2s,AQo-ATo,K9s+,KJo+,Q9s+,QJo,J8s+,T8s+,97s+,86s+,75s+,65s,54s",
        "22+,A2s+,ATo+,K8s+,KTo+,Q9s+,QJo,J9s+,T8s+,98s,87s,76s,65s",
    ),
    "raised thrice, button against cut-off": (
        "QQ-TT,AQs-AJs,AKo,KQs,JTs:0.5",
        "KK+,QQ:0.5,AKs,AKo:0.5,A5s-A4s,KJs:0.5",
    ),
}
"""Pairs that have none: what is said of them tests the choice."""

HANDS = sorted({hand for both in (CHOSEN_BY | HELD_OUT).values() for text in both for hand in read_range(text).weights})
"""Hands that are in any of the ranges."""

RUNOUTS = comb(DECK - 3 - 4, 2)
"""The turns and rivers that a flop and two hands leave."""

BINS = 10
"""Into how many steps of equity the hands of a range are counted."""

FLOPS = sum(weight for _, weight in all_flops())
SHARES = np.array([weight / FLOPS for _, weight in all_flops()])
"""How often each flop comes, of all."""

ONE_WHOLE = 100.0
"""How much it counts in the choice that weights sum to 1; shares of textures and what varies slowly count 1 each."""

NUGGET = 1e-6
"""Added to how alike a flop is to itself, so that two flops which nothing tells apart make no system singular."""

MOST_SWEEPS = 30
"""Rounds of swaps; so far 15 were enough."""

RANDOM_SETS = 1000
"""How many sets of flops drawn at random are looked at, for comparison."""

EQUITIES_FILE = Path("results/flop-equities.npz")


class Equities(NamedTuple):
    """What pairs of ranges come to on all flops."""

    pairs: Floats  # (flops, pairs of ranges) the sum of the weights of pairs of hands that leave the flop in the deck
    mean: Floats  # (flops, pairs of ranges) the equity of the player out of position
    spread: Floats  # (flops, pairs of ranges, 2 × BINS) which part of each player's hands has how much equity


def equities(*, to: Path = EQUITIES_FILE) -> None:
    """Compute the equities of all pairs of ranges on all flops, and write them into the file TO."""
    every = CHOSEN_BY | HELD_OUT
    weights = np.array([[weights_in(text) for text in both] for both in every.values()])
    strong = rivers(sorted(distinct_boards((), 5, ALL_PERMUTATIONS), key=code))
    flops = all_flops()
    found = []
    for number, (flop, _) in enumerate(flops, start=1):
        found.append(equities_on(flop, weights, strong))
        print(f"\r{number:,} of {len(flops):,} flops", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    pairs, mean, spread = (np.stack(column) for column in zip(*found, strict=True))
    to.parent.mkdir(parents=True, exist_ok=True)
    with written_beside(to) as file:
        np.savez(file, names=list(every), pairs=pairs, mean=mean, spread=spread)


def weights_in(text: str) -> list[float]:
    """The weight of each of the hands in a range."""
    known = read_range(text).weights
    return [float(known.get(hand, 0)) for hand in HANDS]


class Rivers(NamedTuple):
    """All boards of five cards up to suits, by their codes, and the hands in the order of their strength on each."""

    codes: NDArray[np.int64]  # (boards,) ascending
    order: NDArray[np.int16]  # (boards, hands) numbers of hands, the weakest first
    strength: NDArray[np.int16]  # (boards, hands) their strengths, in the same order


def rivers(boards: Sequence[tuple[int, ...]]) -> Rivers:
    """Evaluate all hands on boards of five cards, which ascend by their codes."""
    found = Rivers(*(np.empty((len(boards), *shape), dtype) for shape, dtype in _RIVER_ARRAYS))
    for row, board in enumerate(boards):
        strong = strengths(board, HANDS)
        found.codes[row] = code(board)
        found.order[row] = np.argsort(strong, kind="stable")
        found.strength[row] = strong[found.order[row]]
        if row % REPORT_EVERY == 0:
            print(f"\r{row:,} of {len(boards):,} rivers", end="", file=sys.stderr, flush=True)
    return found


REPORT_EVERY = 1000

_RIVER_ARRAYS = (((), np.int64), ((len(HANDS),), np.int16), ((len(HANDS),), np.int16))


def code(board: Sequence[int]) -> int:
    """A number for a set of cards; of a kind, the board that stands for it has the greatest."""
    number = 0
    for card in sorted(board, reverse=True):
        number = number * DECK + card
    return number


def representative(board: Sequence[int]) -> tuple[int, ...]:
    """The board that stands for all that permutations of suits make of this one."""
    return max((tuple(moved(card, suits) for card in board) for suits in ALL_PERMUTATIONS), key=code)


def equities_on(flop: tuple[int, ...], weights: Floats, rivers: Rivers) -> tuple[Floats, Floats, Floats]:
    """For each pair of ranges on a flop: the weight of all pairs of hands, the equity of the first, the spread."""
    alike = suits_alike(flop, ())
    runouts = distinct_boards(flop, 5, alike)
    boards, counts = np.array(list(runouts)), np.array(list(runouts.values()), dtype=np.float64)
    won, rivals = np.zeros(weights.shape), np.zeros(weights.shape)
    _show_down(boards, counts, weights, rivers, _MOVED, _HAND_MOVED, won, rivals)
    # One runout stood for all that suits do not tell apart; a hand's share of these is the mean over its images.
    images = [_HAND_MOVED[ALL_PERMUTATIONS.index(suits)] for suits in alike]
    won, rivals = (np.mean([each[:, :, image] for image in images], axis=0) for each in (won, rivals))
    each = weights * rivals
    total = each.sum(axis=2, keepdims=True)
    equity = np.divide(won, rivals, out=np.zeros_like(won), where=rivals > 0)
    spread = [[_spread(equity[r, p], each[r, p] / total[r, p]) for p in (0, 1)] for r in range(len(weights))]
    return (
        total[:, 0, 0] / RUNOUTS,
        (each * equity / total).sum(axis=2)[:, 0],
        np.array(spread).reshape(-1, 2 * BINS),
    )


def _spread(equity: Floats, weight: Floats) -> Floats:
    """Which part of the hands has how much equity; a hand between the middles of two steps counts partly for both."""
    at = np.clip(equity * BINS - 0.5, 0, BINS - 1)
    low = np.minimum(at.astype(np.int64), BINS - 2)
    upper = at - low
    counted = np.bincount(low, weight * (1 - upper), BINS) + np.bincount(low + 1, weight * upper, BINS)
    return np.asarray(counted, dtype=np.float64)


_MOVED = np.array([[moved(card, suits) for card in range(DECK)] for suits in ALL_PERMUTATIONS])
_NUMBER = {hand: number for number, hand in enumerate(HANDS)}
_HAND_MOVED = np.array([[_NUMBER[moved_hand(hand, suits)] for hand in HANDS] for suits in ALL_PERMUTATIONS])
_CARDS = np.array(HANDS)


@njit
def _show_down(
    boards: Any, counts: Any, weights: Any, strong: Any, moved: Any, hands: Any, won: Any, rivals: Any
) -> None:
    """Add up what each hand wins against the other range on some boards, and how many rivals it has.

    won, rivals: (pairs of ranges, players, hands), modified in place.
    """
    images = np.empty(hands.shape[1], np.int64)
    for number in range(len(boards)):
        row, suits = _stands_for(boards[number], strong.codes, moved)
        for hand in range(len(images)):
            images[hands[suits, hand]] = hand  # a hand there is this one here
        strength = strong.strength[row]
        first = np.searchsorted(strength, 1)  # hands that are on the board come first
        here = images[strong.order[row, first:]]
        for pair in range(len(weights)):
            _sweep(here, strength[first:], weights[pair], counts[number], won[pair], rivals[pair])


@njit
def _stands_for(board: Any, codes: Any, moved: Any) -> tuple[int, int]:
    """The row of the board that stands for this one, and the permutation of suits that makes it."""
    best, suits = -1, 0
    for permutation in range(len(moved)):
        cards = np.sort(moved[permutation][board])
        number = 0
        for k in range(len(cards) - 1, -1, -1):
            number = number * DECK + cards[k]
        if number > best:
            best, suits = number, permutation
    return int(np.searchsorted(codes, best)), suits


@njit
def _sweep(hands: Any, strength: Any, weights: Any, times: float, won: Any, rivals: Any) -> None:
    """One pair of ranges on one board: half of the weaker, and half of those that are not stronger, is won."""
    below, with_card = np.zeros(2), np.zeros((2, DECK))
    low = 0
    while low < len(hands):
        high = np.searchsorted(strength, strength[low], side="right")
        for not_stronger in range(2):
            for hand in hands[low:high]:
                for player in range(2):
                    free = _compatible(hand, 1 - player, below, with_card)
                    same = weights[1 - player, hand] if not_stronger else 0.0  # was taken off with both its cards
                    won[player, hand] += times * (free + same) / 2
            if not_stronger:
                break
            for hand in hands[low:high]:
                for player in range(2):
                    below[player] += weights[player, hand]
                    for card in _CARDS[hand]:
                        with_card[player, card] += weights[player, hand]
        low = high
    for hand in hands:
        for player in range(2):
            free = _compatible(hand, 1 - player, below, with_card) + weights[1 - player, hand]
            rivals[player, hand] += times * free


@njit
def _compatible(hand: int, player: int, below: Any, with_card: Any) -> float:
    """How much of a player's hands so far has neither of a hand's cards."""
    one, two = _CARDS[hand]
    return below[player] - with_card[player, one] - with_card[player, two]  # type: ignore[no-any-return]


def features(known: Equities) -> tuple[Floats, Floats]:
    """What is known of each flop, standardised: shares that sets shall meet, and numbers by which flops are alike."""
    boards = np.array([board for board, _ in all_flops()])
    ranks = boards // len(SUITS)
    near = [[near_straight(row)] for row in ranks.tolist()]
    counts = [[[len(set(row))] for row in each.tolist()] for each in (ranks, boards % len(SUITS))]
    groups = [ranks, *map(np.array, (near, *counts))]
    for pair in range(len(CHOSEN_BY)):
        groups += [known.mean[:, [pair]], known.spread[:, pair]]
    # Each group counts alike, however many numbers it has.
    return _standard(_texture_words()), np.hstack([_standard(group) / np.sqrt(group.shape[1]) for group in groups])


def _standard(numbers: NDArray[Any]) -> Floats:
    """Columns with mean 0 and variance 1 over all 22,100 flops; what is the same on all of them stays 0."""
    centred = numbers - SHARES @ numbers
    deviation = np.sqrt(SHARES @ centred**2)
    return np.asarray(centred / np.where(deviation > NUGGET, deviation, np.inf), dtype=np.float64)


def kernel_of(shares: Floats, numbers: Floats) -> Floats:
    """How alike flops are: that weights sum to 1 counts most, then the shares, then what varies slowly."""
    squares = (numbers**2).sum(axis=1)
    distance = np.maximum(squares[:, None] + squares - 2 * numbers @ numbers.T, 0)
    slowly = np.exp(-distance / (2 * np.median(distance)))
    return np.asarray(ONE_WHOLE + shares @ shares.T / shares.shape[1] + slowly + NUGGET * np.eye(len(shares)))


def chosen(kernel: Floats, size: int) -> list[int]:
    """The numbers of the flops of a set: each where the error falls most, then by swaps as long as it falls."""
    target = kernel @ SHARES
    places: list[int] = []
    for _ in range(size):
        places.append(_best(kernel, target, places))
    for _ in range(MOST_SWEEPS):
        before = list(places)
        for k in range(size):
            others = places[:k] + places[k + 1 :]
            places[k] = _best(kernel, target, others)
        if places == before:
            break
    return sorted(places)


def _best(kernel: Floats, target: Floats, places: list[int]) -> int:
    """The flop that brings a set's error down most, with the best weights for it."""
    inner, rows = kernel[np.ix_(places, places)], kernel[places]
    solved = (
        np.linalg.solve(inner, np.column_stack([target[places], rows])) if places else np.empty((0, len(kernel) + 1))
    )
    rest = target - rows.T @ solved[:, 0]
    room = np.diag(kernel) - (rows * solved[:, 1:]).sum(axis=0)
    room[places] = np.inf
    return int(np.argmax(rest**2 / room))


def weights_of(kernel: Floats, places: list[int]) -> list[int]:
    """The best weights of a set without any below 0, as whole numbers that sum to 22,100."""
    root = np.linalg.cholesky(kernel[np.ix_(places, places)])
    free, _ = nnls(root.T, np.linalg.solve(root, (kernel @ SHARES)[places]))
    exact = free / free.sum() * FLOPS
    whole = np.floor(exact).astype(int)
    whole[np.argsort(whole - exact, kind="stable")[: FLOPS - whole.sum()]] += 1
    return [int(weight) for weight in whole]


def choose(*, equities: Path = EQUITIES_FILE, to: Path = SUBSETS_FILE) -> None:
    """Choose the sets by what is in the file EQUITIES, and write them into the file TO."""
    known = _read(equities)
    kernel = kernel_of(*features(known))
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(("set", "flop", "weight"))
    for size in map(int, SUBSETS):
        places = chosen(kernel, size)
        for place, weight in zip(places, weights_of(kernel, places), strict=True):
            lines.writerow((size, hand_name(all_flops()[place].board), weight))
    with written_beside(to) as file:
        file.write(text.getvalue().encode())


def _read(file: Path) -> Equities:
    """What ``equities`` has written."""
    if not file.exists():
        raise UserError(f"there is no {file}; first: python -m studies.flops equities")
    with np.load(file) as data:
        return Equities(data["pairs"], data["mean"], data["spread"])


def errors(*, equities: Path = EQUITIES_FILE) -> None:
    """Print how far the sets in the package are from all flops, beside flops drawn at random, as Markdown."""
    known = _read(equities)
    print("\n".join(_table(known)))


def _table(known: Equities) -> Iterator[str]:
    place = {flop.board: number for number, flop in enumerate(all_flops())}
    pairs = [*CHOSEN_BY, *(f"{name} *" for name in HELD_OUT)]
    yield f"| flops | textures | spread | spread * | {' | '.join(pairs)} |"
    yield "|---|---|---|---|" + "---|" * len(pairs)
    draw = np.random.default_rng(0)
    for size in map(int, SUBSETS):
        weights = np.zeros(len(place))
        for board, weight in flop_subset(str(size)):
            weights[place[board]] = weight
        drawn = [differences(draw.multinomial(size, SHARES), known) for _ in range(RANDOM_SETS)]
        at_random = np.sqrt(np.mean(np.square(drawn), axis=0))
        for name, found in ((f"{size}", differences(weights, known)), (f"{size} at random", at_random)):
            yield f"| {name} | {' | '.join(f'{100 * each:.2f}' for each in found)} |"


def differences(weights: NDArray[Any], known: Equities) -> Floats:
    """How far weighted flops are from all flops.

    The largest difference of a texture's share; that of a step of equity's share, over the pairs that were chosen by
    and over the others; each pair's difference in mean equity, for which a flop counts by the pairs of hands it leaves.
    """
    shares = np.abs((weights / weights.sum() - SHARES) @ _texture_words()).max()
    ours, all_of_them = (each[:, None] * known.pairs for each in (weights, SHARES))
    means = [(each * known.mean).sum(axis=0) / each.sum(axis=0) for each in (ours, all_of_them)]
    spreads = [np.einsum("fr,frk->rk", each / each.sum(axis=0), known.spread) for each in (ours, all_of_them)]
    steps = np.abs(spreads[0] - spreads[1]).max(axis=1)
    by_both = (steps[: len(CHOSEN_BY)].max(), steps[len(CHOSEN_BY) :].max())
    return np.array([shares, *by_both, *np.abs(means[0] - means[1])])


@cache
def _texture_words() -> Floats:
    """(flops, words) which words are said of each flop."""
    textures = [texture(board) for board, _ in all_flops()]
    words = [sorted({each[part] for each in textures}) for part in range(len(Texture._fields))]
    said = [[each[part] == word for part, known in enumerate(words) for word in known] for each in textures]
    return np.array(said, dtype=np.float64)


def main(arguments: Sequence[str]) -> int:
    """The equities, the choice or its errors."""
    commands = new_app(
        "python -m studies.flops", "", "Representative flops: choose them, and measure how well they represent."
    )
    for command in (equities, choose, errors):
        commands.command(command)
    return run_command(arguments, commands)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
