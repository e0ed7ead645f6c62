"""Recipes in addresses: a plus sign means a space there, so ``cfr+`` is written ``cfr-plus``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from regretlab.errors import UserError, unknown
from regretlab.spec import format_call, whole

if TYPE_CHECKING:
    from regretlab.solving import Recipe

FEATURED = (
    "cfr",
    "cfr-plus",
    "dcfr",
    "external-sampling",
    "normalhedge",
    "normalhedge-plus",
    "predictive-cfr-plus",
    "predictive-normalhedge-plus",
    "deep-cfr",
)
"""The algorithms that have a link on every page, in the order in which they are learned."""

NETWORKS = ("deep-cfr", "sd-cfr")
"""The recipes that train networks: they have pages of their own kind, and neither race nor play."""

SETTINGS: dict[str, tuple[int, int, int]] = {
    "traversals": (300, 1, 1_000),
    "capacity": (1_000, 10, 1_000),
    "width": (32, 1, 64),
    "layers": (2, 1, 3),
    "training": (25, 1, 50),
}
"""What a page of networks lets one choose: how much it begins with, and what it takes at least and at most.

So an iteration with a look at it takes a tenth of a second on one core at the start, and a third in the end, when the
network of the average is trained longer.
"""

RATE = "1/50"
"""Of networks that are trained in so few steps: with the recipe's own, smaller one they learn half as well."""

_SPELLED_OUT = {"pcfr+": "predictive-cfr-plus"}


def slug_of(row: str) -> str:
    """How a row of the recipe table is called in addresses.

    >>> slug_of("cfr+"), slug_of("pcfr+"), slug_of("dcfr")
    ('cfr-plus', 'predictive-cfr-plus', 'dcfr')
    """
    return _SPELLED_OUT.get(row, row.replace("+", "-plus"))


def recipe_of(slug: str, parameters: Mapping[str, object] | None = None) -> Recipe:
    """The recipe with tables behind an address, with some parts replaced."""
    from regretlab.solving import recipe

    chosen = recipe(format_call(_row_of(slug), parameters or {}))
    if chosen.feedback == "network":
        raise UserError(f"{slug}: networks can be watched in training at /learn/deep-cfr, but not used here")
    return chosen


def recipe_shown(slug: str, parameters: Mapping[str, object] | None = None) -> Recipe:
    """The recipe that a page runs: one with tables as it is, one with networks in the size of the page."""
    from regretlab.solving import recipe

    if slug not in NETWORKS:
        return recipe_of(slug, parameters)
    chosen: dict[str, object] = {name: usual for name, (usual, _, _) in SETTINGS.items()} | {"rate": RATE}
    for name, value in (parameters or {}).items():
        if name not in SETTINGS:
            raise unknown("parameter", name, SETTINGS)
        _, least, most = SETTINGS[name]
        chosen[name] = whole(name, str(value), least=least, most=most)
    return recipe(format_call(_row_of(slug), chosen))


def rows_shown() -> list[str]:
    """The rows of the recipe table that have a page: all of them."""
    from regretlab.solving import RECIPES

    return list(RECIPES)


def rows_with_tables() -> list[str]:
    """The rows that race and play as well."""
    return [row for row in rows_shown() if slug_of(row) not in NETWORKS]


def _row_of(slug: str) -> str:
    rows = {slug_of(row): row for row in rows_shown()}
    if slug not in rows:
        raise unknown("recipe", slug, rows)
    return rows[slug]
