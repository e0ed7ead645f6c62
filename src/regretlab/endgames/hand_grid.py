"""The grid of hands that players know: 13 × 13 classes, aces first, suited hands above the diagonal; in colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from regretlab.documents.blocks import Mosaic, Tile
from regretlab.endgames.cards import RANKS, read_cards
from regretlab.endgames.ranges import HandClass, Range, class_of, grid_class
from regretlab.forms.kernel import Floats

if TYPE_CHECKING:
    from regretlab.endgames.node_view import NodeView

Colour: TypeAlias = tuple[int, int, int]

FOLD, PASSIVE, LIGHT, DARK = (61, 122, 184), (76, 160, 90), (240, 150, 110), (150, 20, 30)
"""The colours that players know: blue folds, green checks and calls, red bets, the darker the larger."""


def is_size(action: str) -> bool:
    """Whether an action bets or raises."""
    return action.startswith(("bet", "raise"))


def action_colours(actions: Sequence[str]) -> list[Colour]:
    """Of each action; sizes go from light to dark."""
    sizes = [action for action in actions if is_size(action)]
    colours = []
    for action in actions:
        if not is_size(action):
            colours.append(FOLD if action == "fold" else PASSIVE)
            continue
        part = sizes.index(action) / (len(sizes) - 1) if len(sizes) > 1 else 0.5
        colours.append(between(LIGHT, DARK, part))
    return colours


def between(one: Colour, other: Colour, part: float) -> Colour:
    """A colour on the way from one to another."""
    red, green, blue = (round(start + part * (end - start)) for start, end in zip(one, other, strict=True))
    return red, green, blue


def class_strategies(node: NodeView) -> dict[HandClass, Floats]:
    """(actions,) how often each class of hands that gets to a node takes each action."""
    places: dict[HandClass, list[int]] = {}
    for place, name in enumerate(node.cards.tolist()):
        if node.weights[place] > 0:
            high, low = read_cards(name)
            places.setdefault(class_of((high, low)), []).append(place)
    return {
        each: (node.weights[held][:, None] * node.strategy[held]).sum(axis=0) / node.weights[held].sum()
        for each, held in places.items()
    }


def strategy_mosaic(node: NodeView, title: str) -> Mosaic:
    """What each class of hands does at a node; a field is empty where no hand of the class gets there."""
    found = class_strategies(node)
    nothing = (0.0,) * len(node.actions)
    return Mosaic(
        title,
        node.actions,
        tuple(map(_hex, action_colours(node.actions))),
        tuple(
            tuple(Tile(str(each), tuple(found[each].tolist()) if each in found else nothing) for each in row)
            for row in _CLASSES
        ),
    )


def range_mosaic(hands: Range, title: str) -> Mosaic:
    """How much of each class of hands is in a range."""
    rows = zip(_CLASSES, hands.grid(), strict=True)
    return Mosaic(
        title,
        ("in the range",),
        (_hex(PASSIVE),),
        tuple(tuple(Tile(str(e), (float(w),)) for e, w in zip(names, weights, strict=True)) for names, weights in rows),
    )


_CLASSES = [[grid_class(row, column) for column in range(len(RANKS))] for row in range(len(RANKS))]


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
