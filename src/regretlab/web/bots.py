"""Games by their names in addresses, and what a recipe has learned of them after some iterations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

from regretlab.documents import Unit
from regretlab.errors import UserError, unknown
from regretlab.forms import SequenceForm, Strategy, as_form
from regretlab.games import load
from regretlab.solving import Solver
from regretlab.spec import format_call, number, positive, whole
from regretlab.web.slugs import FEATURED, recipe_of, rows_with_tables, slug_of

LONGEST_NUMBER = 12
"""Letters of an ante or a bet."""

SMALLEST_CHIPS, LARGEST_CHIPS = number("least", "1/1000"), 1_000_000
"""Of an ante or a bet: beyond them nobody reads the numbers."""


@dataclass(frozen=True)
class Offer:
    """A game that the page offers."""

    title: str
    game: str
    most_iterations: int  # of one run on the page: a few seconds of work


OFFERS = {
    "kuhn": Offer("Kuhn poker", "kuhn", 1_000_000),
    "leduc": Offer("Leduc poker", "leduc(merge_suits=true)", 100_000),
    "liars-dice-4": Offer("Liar’s dice, 4 sides", "liars_dice(sides=4)", 30_000),
    "liars-dice": Offer("Liar’s dice, 6 sides", "liars_dice", 2_000),
}
"""By their names in addresses."""


def offer(slug: str) -> Offer:
    """The game behind an address."""
    if slug not in OFFERS:
        raise unknown("game", slug, OFFERS)
    return OFFERS[slug]


def recipes() -> list[dict[str, str]]:
    """All recipes that race and play, by their names in addresses, those in the navigation first."""
    rows = sorted((slug_of(row) not in FEATURED, slug_of(row)) for row in rows_with_tables())
    found = [(slug, recipe_of(slug)) for _, slug in rows]
    return [{"slug": slug, "name": each.name, "title": each.title} for slug, each in found]


def game_name(slug: str, ante: str = "1", bet: str = "1") -> str:
    """The name of a game with its stakes; only Kuhn poker's can be chosen.

    >>> game_name("kuhn", "1", "1/2")
    'kuhn(bet=1/2)'
    """
    name = offer(slug).game
    if slug != "kuhn":
        return name
    return load(format_call(name, {"ante": _chips("ante", ante), "bet": _chips("bet", bet)})).name


def _chips(key: str, text: str) -> str:
    if len(str(text)) > LONGEST_NUMBER:
        raise UserError(f"{key}={text:.12}… is too long; write at most {LONGEST_NUMBER} letters")
    if not SMALLEST_CHIPS <= positive(key, text) <= LARGEST_CHIPS:
        raise UserError(f"{key}={text} must be between {SMALLEST_CHIPS} and {LARGEST_CHIPS:,}")
    return str(number(key, text))


@lru_cache(maxsize=32)
def form_of(game: str) -> SequenceForm:
    """A game, compiled once."""
    return as_form(game)


_TRAINING = Lock()


def learned(slug: str, game: str, recipe: str, iterations: Any, seed: Any = 0) -> Strategy:
    """The average strategy of a recipe after so many iterations; before the first, every action is equally likely."""
    most = offer(slug).most_iterations
    count, start = whole("iterations", iterations, least=0, most=most), whole("seed", seed, least=0, most=2**32)
    # Two people who ask for the same bot at once wait for one training of it.
    with _TRAINING:
        return _learned(game, recipe_of(recipe).name, count, start)


@lru_cache(maxsize=128)
def _learned(game: str, recipe: str, iterations: int, seed: int) -> Strategy:
    solver = Solver(form_of(game), recipe, seed=seed, cores=1)
    if iterations:
        solver.advance(iterations)
    return solver.average


def unit(game: str) -> dict[str, Any]:
    """The unit in which people compare."""
    unit = Unit.of(load(game))
    return {"name": unit.name, "chips": unit.chips, "words": unit.words}
