"""Ranges to begin with and groups of hands to add, for who paints a range."""

from __future__ import annotations

from typing import Any

from regretlab.endgames import read_range
from regretlab.endgames.cards import ALL_HANDS
from regretlab.endgames.ranges import class_of, grid_class

_ORDER = """\
AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55 QJs K9s A5s A6s
A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s
Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o
J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s
85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s
84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""

BY_EQUITY = tuple(_ORDER.split())
"""The 169 classes of hands, the one first that wins most often against a random hand, before any card is dealt; the
exact equities, from all 2,598,960 boards, go from 85.204 % to 32.303 %."""

_SHARES = (10, 20, 30, 50)
"""Percent of all hands that can be begun with."""

_GROUPS = {
    "pairs": "22+",
    "suited": "A2s+,K2s+,Q2s+,J2s+,T2s+,92s+,82s+,72s+,62s+,52s+,42s+,32s",
    "suited aces": "A2s+",
    "broadways": "TT+,AT+,KT+,QT+,JT",
    "suited connectors": "KQs-32s",
}


def top(percent: int) -> str:
    """So much of all hands at most, the best first.

    >>> top(5)
    '77+,AJs+'
    """
    hands: list[str] = []
    room = percent * len(ALL_HANDS) // 100
    for name in BY_EQUITY:
        room -= len(read_range(name))
        if room < 0:
            break
        hands.append(name)
    return str(read_range(",".join(hands)))


def offered() -> dict[str, list[dict[str, Any]]]:
    """Ranges to begin with, and the fields of the grid that belong to groups of hands."""
    fields = [grid_class(row, column) for row in range(13) for column in range(13)]
    start = [{"name": "none", "text": ""}, {"name": "all", "text": "random"}]
    start += [{"name": f"top {percent} %", "text": top(percent)} for percent in _SHARES]
    groups = [
        {"name": name, "cells": sorted({fields.index(class_of(hand)) for hand in read_range(text).weights})}
        for name, text in _GROUPS.items()
    ]
    return {"start": start, "add": groups}
