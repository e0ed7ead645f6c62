"""Recipes in addresses: a plus sign means a space there, so ``cfr+`` is written ``cfr-plus``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from regretlab.errors import UserError, unknown
from regretlab.spec import format_call

if TYPE_CHECKING:
    from regretlab.solve import Recipe

FEATURED = (
    "cfr",
    "cfr-plus",
    "dcfr",
    "external-sampling",
    "normalhedge",
    "normalhedge-plus",
    "predictive-cfr-plus",
    "predictive-normalhedge-plus",
)
"""The algorithms that have a link on every page, in the order in which they are learned."""

UNSHOWN = "network"
"""The feedback of recipes that take seconds an iteration, and memory that no session may have."""

_SPELLED_OUT = {"pcfr+": "predictive-cfr-plus"}


def slug_of(row: str) -> str:
    """How a row of the recipe table is called in addresses.

    >>> slug_of("cfr+"), slug_of("pcfr+"), slug_of("dcfr")
    ('cfr-plus', 'predictive-cfr-plus', 'dcfr')
    """
    return _SPELLED_OUT.get(row, row.replace("+", "-plus"))


def recipe_of(slug: str, parameters: Mapping[str, object] | None = None) -> Recipe:
    """The recipe behind an address, with some parts replaced."""
    from regretlab.solve import recipe

    rows = {slug_of(row): row for row in rows_shown()}
    if slug not in rows:
        raise unknown("recipe", slug, rows)
    chosen = recipe(format_call(rows[slug], parameters or {}))
    if chosen.feedback == UNSHOWN:
        raise UserError(f"{chosen.name} trains networks, which a page can't wait for; use regretlab solve")
    return chosen


def rows_shown() -> list[str]:
    """The rows of the recipe table that have a page."""
    from regretlab.solve import RECIPES

    return [row for row, each in RECIPES.items() if each.feedback != UNSHOWN]
