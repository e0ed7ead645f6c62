"""Ranges: which hands a player may hold, and how likely each is compared with others.

The grammar is the one that players' tools share: ``QQ+``, ``JJ-88``, ``AKs``, ``A9s-A6s``, ``KTo+``, ``AK``,
``98o-65o``, ``AhKd``, ``random``, each with a weight if need be: ``AA:0.5``. A later entry overrides an earlier one:
``22+:0.5, AA`` has all aces and half of the other pairs, and ``random, AA:0`` all hands but aces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from regretlab.documents.numbers import count
from regretlab.endgames.cards import ALL_HANDS, RANKS, Hand, at_character, card_at, hand_name, hand_of
from regretlab.errors import UserError
from regretlab.spec import number

ACE = len(RANKS) - 1
SUITED, OFFSUIT, PAIR = "s", "o", ""


class HandClass(NamedTuple):
    """Hands that differ in suits alone: ``AKs``, ``AKo``, ``AA``."""

    high: int  # rank
    low: int
    kind: str

    def __str__(self) -> str:
        return RANKS[self.high] + RANKS[self.low] + self.kind

    def hands(self) -> list[Hand]:
        """Its 4, 12 or 6 hands."""
        pairs = ((one, other) for one in range(4) for other in range(4))
        if self.kind == SUITED:
            pairs = ((suit, suit) for suit in range(4))
        elif self.kind == PAIR:
            pairs = ((one, other) for one in range(4) for other in range(one))
        else:
            pairs = ((one, other) for one, other in pairs if one != other)
        return [hand_of(4 * self.high + one, 4 * self.low + other) for one, other in pairs]


def class_of(hand: Hand) -> HandClass:
    """The class that a hand belongs to."""
    high, low = hand[0] // 4, hand[1] // 4
    return HandClass(high, low, PAIR if high == low else SUITED if hand[0] % 4 == hand[1] % 4 else OFFSUIT)


def grid_class(row: int, column: int) -> HandClass:
    """The class in a field of the usual grid: aces first, pairs on the diagonal, suited hands above it."""
    high, low = ACE - min(row, column), ACE - max(row, column)
    return HandClass(high, low, PAIR if row == column else SUITED if row < column else OFFSUIT)


@dataclass(frozen=True, repr=False)
class Range:
    """The hands of a range with their weights above 0 and up to 1, the highest cards first."""

    entries: tuple[tuple[Hand, Fraction], ...]

    @staticmethod
    def of(weights: Mapping[Hand, Fraction]) -> Range:
        """The range of these weights; hands of weight 0 are left out."""
        return Range(tuple((hand, weights[hand]) for hand in sorted(weights, reverse=True) if weights[hand]))

    @cached_property
    def weights(self) -> dict[Hand, Fraction]:
        """The weight of each hand that is in the range."""
        return dict(self.entries)

    def grid(self) -> list[list[Fraction]]:
        """The mean weight of each class in the usual grid of 13 × 13."""
        fields = range(len(RANKS))
        return [[self._mean(grid_class(row, column)) for column in fields] for row in fields]

    def _mean(self, hands: HandClass) -> Fraction:
        listed = hands.hands()
        return sum((self.weights.get(hand, Fraction(0)) for hand in listed), Fraction(0)) / len(listed)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"<range of {count(len(self), 'hand')}: {self}>"

    def _repr_html_(self) -> str:
        from regretlab.documents.notebook import as_html
        from regretlab.endgames.hand_grid import range_mosaic

        return as_html(range_mosaic(self, count(len(self), "hand")))

    def __str__(self) -> str:
        """The range in the grammar, in few words: ``read_range`` makes the same range of it.

        >>> str(read_range("AKs, AKo, AA, KK, 77, 98s, 87s, 76s"))
        'KK+,77,AK,98s-76s'
        """
        by_weight: dict[Fraction, set[Hand]] = {}
        for hand, weight in self.entries:
            by_weight.setdefault(weight, set()).add(hand)
        words = []
        for weight in sorted(by_weight, reverse=True):
            suffix = "" if weight == 1 else f":{written_weight(weight)}"
            words += [word + suffix for word in _words(by_weight[weight])]
        return ",".join(words)


def written_weight(weight: Fraction) -> str:
    """A weight as a decimal where it is one, else as a fraction.

    >>> written_weight(Fraction(1, 8)), written_weight(Fraction(1, 3))
    ('0.125', '1/3')
    """
    rest, digits = weight.denominator, 0
    while (10**digits) % rest and digits < rest.bit_length():
        digits += 1
    scale = 10**digits
    if scale % rest:
        return str(weight)
    whole, part = divmod(weight.numerator * (scale // rest), scale)
    return f"{whole}.{part:0{digits}d}" if digits else str(whole)


def _words(hands: set[Hand]) -> list[str]:
    """The words for hands of one weight: whole classes as runs, pairs first, then single hands."""
    if len(hands) == len(ALL_HANDS):
        return ["random"]
    whole = {each for each in {class_of(hand) for hand in hands} if hands.issuperset(each.hands())}
    rest = sorted((hand for hand in hands if class_of(hand) not in whole), reverse=True)
    words = [_run_word(run, ACE, PAIR) for run in _runs({(high, high) for high, _, kind in whole if kind == PAIR}, 1)]
    for kind, runs in _kicker_runs(whole).items():
        single = {run[0] for run in runs if len(run) == 1}
        connected = [run for run in _runs(single, 1) if len(run) > 2]
        in_a_run = {place for run in connected for place in run}
        mine = [run for run in runs if len(run) > 1 or run[0] not in in_a_run]
        words += [_run_word(run, run[0][0] - 1, kind) for run in mine]
        words += [f"{_place_word(run[0], kind)}-{_place_word(run[-1], kind)}" for run in connected]
    return words + [hand_name(hand) for hand in rest]


_Place = tuple[int, int]
"""The ranks of a class."""


def _kicker_runs(classes: set[HandClass]) -> dict[str, list[list[_Place]]]:
    """The runs of classes with the same high card, such as ATs to A8s, the highest first; both kinds under "".

    What both kinds have in common is said once, where that is shorter: ``AK,AQs`` and not ``AQs+,AKo``.
    """
    found: dict[str, list[list[_Place]]] = {"": [], SUITED: [], OFFSUIT: []}
    for rank in range(ACE, 0, -1):
        suited, offsuit = (
            {(high, low) for high, low, its in classes if high == rank and its == kind} for kind in (SUITED, OFFSUIT)
        )
        alike = {place for run in _runs(suited, 0) if run in _runs(offsuit, 0) for place in run}
        ways = [
            {"": _runs(common, 0), SUITED: _runs(suited - common, 0), OFFSUIT: _runs(offsuit - common, 0)}
            for common in (alike, suited & offsuit)
        ]
        for kind, runs in min(ways, key=_letters).items():
            found[kind] += runs
    return found


def _letters(runs: Mapping[str, list[list[_Place]]]) -> int:
    """How long the words of some runs are, with a comma each."""
    return sum(len(_run_word(run, run[0][0] - 1, kind)) + 1 for kind, these in runs.items() for run in these)


def _runs(places: set[_Place], step: int) -> list[list[_Place]]:
    """Split into runs in which the low card falls by one, and the high card by ``step``; the highest first."""
    runs = []
    for high, low in sorted(places, reverse=True):
        if (high + step, low + 1) in places:
            continue
        run = [(high, low)]
        while (run[-1][0] - step, run[-1][1] - 1) in places:
            run.append((run[-1][0] - step, run[-1][1] - 1))
        runs.append(run)
    return runs


def _run_word(run: list[_Place], highest: int, kind: str) -> str:
    """``A8s+`` where a run begins with the highest kicker, else ``ATs-A8s``, or the class alone."""
    if len(run) == 1:
        return _place_word(run[0], kind)
    last = _place_word(run[-1], kind)
    return f"{last}+" if run[0][1] == highest else f"{_place_word(run[0], kind)}-{last}"


def _place_word(place: _Place, kind: str) -> str:
    return str(HandClass(*place, kind))


_ENTRY = re.compile(r"[^\s,]+")
_CLASS = re.compile(r"(?P<high>\w)(?P<low>\w)(?P<kind>[so]?)", re.IGNORECASE)
_GRAMMAR = "write hands like QQ+, JJ-88, AKs, A9s-A6s, KTo+, AK, AhKd or random"


def read_range(text: str | Sequence[Sequence[object]], key: str = "range") -> Range:
    """Read a range from a text in the grammar, or from a 13 × 13 grid of weights, as rows or as a text of 13 lines.

    >>> len(read_range("QQ+, AKs, AhKd:0.5"))
    23
    """
    if not isinstance(text, str):
        return read_grid(text, key)
    rows = [line.replace(",", " ").split() for line in text.splitlines() if line.strip(" ,\t")]
    # No hand is written like the first weight of a grid: 0, 1, 0.5 or 1/3.
    if rows and re.fullmatch(r"[01](\.0*)?|\d*\.\d+|\d+/\d+", rows[0][0]):
        return read_grid(rows, key)
    weights: dict[Hand, Fraction] = {}
    for match in _ENTRY.finditer(text):
        word, colon, weight = match[0].partition(":")
        at = match.start()
        share = _read_weight(weight, text, at + len(word) + 1, key) if colon else Fraction(1)
        weights |= dict.fromkeys(_read_hands(word, text, at, key), share)
    found = Range.of(weights)
    if not found.entries:
        raise UserError(f"{key}='{text:.40}' has no hands; {_GRAMMAR}")
    return found


def read_grid(rows: Sequence[Sequence[object]], key: str = "range") -> Range:
    """Read a 13 × 13 grid of weights: aces first, pairs on the diagonal, suited hands above it."""
    side = len(RANKS)
    if not isinstance(rows, Sequence) or len(rows) != side:
        got = f"{len(rows)} rows" if isinstance(rows, Sequence) else repr(rows)[:40]
        raise UserError(f"{key}: a range is a text or a grid of {side} rows of {side} weights, aces first, not {got}")
    weights: dict[Hand, Fraction] = {}
    for row, line in enumerate(rows):
        if isinstance(line, str) or not isinstance(line, Sequence) or len(line) != side:
            count = len(line) if isinstance(line, Sequence) else repr(line)[:40]
            raise UserError(f"{key}: row {row + 1} of the grid has {side} weights, not {count}")
        for column, value in enumerate(line):
            hands = grid_class(row, column)
            weight = number(f"{key}, weight of {hands} in the grid", value)  # type: ignore[arg-type]
            if not 0 <= weight <= 1:
                raise UserError(f"{key}, weight of {hands} in the grid: {value} must be between 0 and 1")
            weights |= dict.fromkeys(hands.hands(), weight)
    found = Range.of(weights)
    if not found.entries:
        raise UserError(f"{key}: all weights of the grid are 0; a range needs a hand")
    return found


def _read_weight(digits: str, text: str, at: int, key: str) -> Fraction:
    """The weight after a colon."""
    try:
        weight = number("weight", digits)
    except UserError:
        raise at_character(key, text, at, f"'{digits}' is no weight; write AA:0.5") from None
    if not 0 <= weight <= 1:
        raise at_character(key, text, at, f"the weight {digits} must be between 0 and 1")
    return weight


def _read_hands(word: str, text: str, at: int, key: str) -> list[Hand]:
    """The hands that a word stands for."""
    if word.lower() == "random":
        return list(ALL_HANDS)
    if not word:
        raise at_character(key, text, at, f"hands are missing before the colon; {_GRAMMAR}")
    first, dash, second = word.partition("-")
    if dash:
        one = _read_class(first, text, at, key)
        other = _read_class(second, text, at + len(first) + 1, key)
        return _expanded(_between(one, other, text, at, key), one.kind)
    if len(word) == 4 and not word.endswith("+"):
        return [_read_hand(word, text, at, key)]
    hands = _read_class(word.removesuffix("+"), text, at, key)
    if not word.endswith("+"):
        return _expanded([(hands.high, hands.low)], hands.kind)
    if hands.high == hands.low:
        return _expanded([(rank, rank) for rank in range(hands.high, ACE + 1)], PAIR)
    return _expanded([(hands.high, kicker) for kicker in range(hands.low, hands.high)], hands.kind)


def _read_hand(word: str, text: str, at: int, key: str) -> Hand:
    """A hand given by its two cards."""
    one, other = card_at(text, at, key), card_at(text, at + 2, key)
    if one == other:
        raise at_character(key, text, at + 2, f"{word} has the same card twice")
    return hand_of(one, other)


def _read_class(word: str, text: str, at: int, key: str) -> HandClass:
    """A class without a run; the kind is empty where both suited and offsuit hands are meant."""
    match = _CLASS.fullmatch(word)
    for place, letter in enumerate(word[:2]):
        if letter.upper() not in RANKS:
            raise at_character(key, text, at + place, f"ranks are 2 to 9, T, J, Q, K, A; {_GRAMMAR}", "no rank")
    if match is None:
        raise at_character(key, text, at, f"'{word:.40}' is no hand; {_GRAMMAR}")
    ranks = sorted(RANKS.index(letter.upper()) for letter in word[:2])
    if ranks[0] == ranks[1] and match["kind"]:
        raise at_character(key, text, at, f"'{word}' is a pair, which is neither suited nor offsuit")
    return HandClass(ranks[1], ranks[0], match["kind"].lower())


def _between(one: HandClass, other: HandClass, text: str, at: int, key: str) -> Iterator[_Place]:
    """The ranks from one end of a run to the other: kickers of one high card, or hands with the same gap."""
    top, end = max(one, other), min(one, other)
    one_high_card = top.high == end.high != top.low
    one_gap = top.high - top.low == end.high - end.low
    if one.kind != other.kind or not (one_high_card or one_gap):
        right = "write runs like JJ-88, A9s-A6s (one high card) or 98o-65o (one gap)"
        raise at_character(key, text, at, f"'{one}-{other}' is no run; {right}")
    step = 0 if top.high == end.high else 1
    return ((top.high - step * k, top.low - k) for k in range(top.low - end.low + 1))


def _expanded(places: Iterator[_Place] | Sequence[_Place], kind: str) -> list[Hand]:
    """All hands of these ranks; of both kinds where none is given."""
    hands: list[Hand] = []
    for high, low in places:
        kinds = (PAIR,) if high == low else (kind,) if kind else (SUITED, OFFSUIT)
        for each in kinds:
            hands += HandClass(high, low, each).hands()
    return hands
