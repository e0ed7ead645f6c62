"""What several recipes have in common is told once; where they differ they stand side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from regretlab.explain.document import Block, Side, Sides


def together(names: Sequence[str], told: Iterable[tuple[Block, ...]]) -> tuple[Block, ...]:
    """The blocks of each of the recipes with these names, once for all that agree."""
    agreeing: dict[tuple[Block, ...], list[str]] = {}
    for name, blocks in zip(names, told, strict=True):
        agreeing.setdefault(blocks, []).append(name)
    if len(agreeing) == 1:
        return next(iter(agreeing))
    return (Sides(tuple(Side(", ".join(group), blocks) for blocks, group in agreeing.items())),)
