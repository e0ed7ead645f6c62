"""What several recipes have in common is told once; where they differ they stand side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TypeAlias

from regretlab.documents import Block, Side, Sides

Pieces: TypeAlias = list[tuple[Block, ...]]
"""Blocks that belong together; recipes that agree in a whole piece are told together."""


def all_together(names: Sequence[str], told: Iterable[Pieces]) -> Iterator[Block]:
    """Piece after piece, of each of the recipes with these names."""
    for pieces in zip_longest(*told, fillvalue=()):
        yield from together(names, pieces)


def together(names: Sequence[str], told: Iterable[tuple[Block, ...]]) -> tuple[Block, ...]:
    """The blocks of each of the recipes with these names, once for all that agree; some may have nothing to say."""
    agreeing: dict[tuple[Block, ...], list[str]] = {}
    for name, blocks in zip(names, told, strict=True):
        agreeing.setdefault(blocks, []).append(name)
    if len(agreeing) == 1:
        return next(iter(agreeing))
    return (Sides(tuple(Side(", ".join(group), blocks) for blocks, group in agreeing.items() if blocks)),)
