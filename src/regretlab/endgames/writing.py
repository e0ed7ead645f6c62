"""Spots as text: what ``holdem`` reads, in its order, so that a saved run holds the whole spot that it belongs to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from regretlab.endgames.betting import STREETS
from regretlab.endgames.cards import hand_name
from regretlab.endgames.ranges import written_weight
from regretlab.endgames.sizes import BetSize
from regretlab.endgames.spot import PLAYERS, Spot

_KINDS = ("bets", "raises")


def written(spot: Spot) -> str:
    """A spot in TOML; ``holdem`` makes the same spot of it, but for the name of a ready one.

    >>> from regretlab.endgames import holdem
    >>> print(written(holdem("river-polar")), end="")
    board = "KsTd7h4c2s"
    pot = 100
    stack = 100
    until = "0.1%"
    bets = "a"
    raises = ""
    <BLANKLINE>
    [oop]
    range = "AA,QJs,98s"
    <BLANKLINE>
    [ip]
    range = "KQ,KJs"
    """
    lines = [f"board = {_text(hand_name(spot.board))}", f"pot = {spot.pot}", f"stack = {spot.stack}"]
    if spot.until is not None:
        lines.append(f"until = {_text(spot.until)}")
    if spot.raise_cap is not None:
        lines.append(f"raise_cap = {spot.raise_cap}")
    lines += [f"{key} = {_part(part)}" for key, part in spot.thresholds._asdict().items() if part]
    if not spot.merge_suits:
        lines.append("merge_suits = false")
    common = {kind: _only({getattr(menu, kind) for menus in spot.menus for menu in menus}) for kind in _KINDS}
    lines += [f"{kind} = {_sizes(sizes)}" for kind, sizes in common.items() if sizes is not None]
    for player, key in enumerate(PLAYERS):
        lines += ["", f"[{key}]", f"range = {_text(str(spot.ranges[player]))}"]
        for kind in _KINDS:
            if common[kind] is None:
                lines += _menu(kind, [getattr(menu, kind) for menu in spot.menus[player]])
    # In the section of who is in position nothing is said of donk bets, and before the turn there are none.
    donk = [
        f"{street}.donk = {_sizes(menu.donk)}"
        for street, menu in zip(STREETS, spot.menus[0], strict=True)
        if menu.donk is not None
    ]
    at = lines.index("[ip]") - 1
    lines[at:at] = donk
    if spot.rake.rate:
        lines += ["", "[rake]", f"rate = {_part(spot.rake.rate)}"]
        if spot.rake.cap is not None:
            lines.append(f"cap = {_text(written_weight(spot.rake.cap))}")
    if spot.lock:
        lines += ["", "[lock]", *(f"{_text(line)} = {_text(strategy)}" for line, strategy in spot.lock)]
    return "\n".join(lines) + "\n"


def _menu(kind: str, sizes: Sequence[tuple[BetSize, ...]]) -> list[str]:
    """A player's sizes: those of most streets, and each street that differs."""
    usual = Counter(reversed(sizes)).most_common(1)[0][0]
    apart = [(street, own) for street, own in zip(STREETS, sizes, strict=True) if own != usual]
    return [f"{kind} = {_sizes(usual)}", *(f"{street}.{kind} = {_sizes(own)}" for street, own in apart)]


def _only(found: set[tuple[BetSize, ...]]) -> tuple[BetSize, ...] | None:
    """The one that there is; None where there are several."""
    return next(iter(found)) if len(found) == 1 else None


def _sizes(sizes: Sequence[BetSize]) -> str:
    return _text(", ".join(map(written_size, sizes)))


def written_size(size: BetSize) -> str:
    """A size as it is read.

    >>> written_size(BetSize("pot", Fraction(1, 3))), written_size(BetSize("geometric", Fraction(2), Fraction(3, 2)))
    ('100/3%', '2e150%')
    """
    match size.unit:
        case "pot":
            return f"{written_weight(100 * size.amount)}%"
        case "last bet":
            return f"{written_weight(size.amount)}x"
        case "chips":
            return f"{size.amount}c"
        case "all-in":
            return "a"
        case "geometric":
            most = "" if size.most is None else f"{written_weight(100 * size.most)}%"
            return f"{size.amount or ''}e{most}"


def _part(part: Fraction) -> str:
    return _text(f"{written_weight(100 * part)}%")


def _text(text: str) -> str:
    """A text in quotes: TOML has JSON's, without pairs of surrogates."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
