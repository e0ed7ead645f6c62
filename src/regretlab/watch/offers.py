"""What is on offer: games and recipes by their names in addresses, stakes, and what a bot has learned.

In addresses a plus sign means a space, so ``cfr+`` is written ``cfr-plus``. Nothing heavy is loaded before it is
used: a server names recipes before it loads the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from regretlab.errors import UserError, unknown
from regretlab.spec import format_call, number, whole

if TYPE_CHECKING:
    from regretlab.forms import AnyForm, SequenceForm, Strategy
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
"""What can be chosen where networks are trained: how much a run begins with, and the least and the most that it takes.

With these limits an iteration and a look at it take a tenth of a second on one core at the start, and a third of one in
the end, when the network of the average is trained longer.
"""

RATE = "1/50"
"""The learning rate where networks are trained in so few steps: with the recipe's own, smaller one they learn half as
well."""

_SPELLED_OUT = {"pcfr+": "predictive-cfr-plus"}


def slug_of(row: str) -> str:
    """How a row of the recipe table is called in addresses.

    >>> slug_of("cfr+"), slug_of("pcfr+"), slug_of("dcfr")
    ('cfr-plus', 'predictive-cfr-plus', 'dcfr')
    """
    return _SPELLED_OUT.get(row, row.replace("+", "-plus"))


def recipe_of(slug: str, parameters: Mapping[str, object] | None = None) -> Recipe:
    """The recipe behind an address, with some parts replaced; one that trains networks is refused."""
    chosen = _recipe(slug, parameters or {})
    if chosen.feedback_kind.trains:
        raise UserError(f"{slug}: networks can be watched in training at /learn/deep-cfr, but not used here")
    return chosen


def recipe_shown(slug: str, parameters: Mapping[str, object] | None = None) -> Recipe:
    """The recipe that is watched: one with tables as it is, one with networks in a size that people can wait for."""
    if slug not in NETWORKS:
        return recipe_of(slug, parameters)
    chosen: dict[str, object] = {name: usual for name, (usual, _, _) in SETTINGS.items()} | {"rate": RATE}
    for name, value in (parameters or {}).items():
        if name not in SETTINGS:
            raise unknown("parameter", name, SETTINGS)
        _, least, most = SETTINGS[name]
        chosen[name] = whole(name, str(value), least=least, most=most)
    return _recipe(slug, chosen)


def _recipe(slug: str, parameters: Mapping[str, object]) -> Recipe:
    from regretlab.solving import RECIPES, recipe

    rows = {slug_of(row): row for row in RECIPES}
    if slug not in rows:
        raise unknown("recipe", slug, rows)
    return recipe(format_call(rows[slug], parameters))


def recipes_with_tables() -> list[dict[str, str]]:
    """All recipes that race and play, the featured ones first."""
    from regretlab.solving import RECIPES

    slugs = {slug_of(row) for row in RECIPES} - set(NETWORKS)
    found = [(slug, recipe_of(slug)) for slug in sorted(slugs, key=lambda slug: (slug not in FEATURED, slug))]
    return [{"slug": slug, "name": each.name, "title": each.title} for slug, each in found]


@dataclass(frozen=True)
class Offer:
    """A game that can be chosen."""

    title: str
    game: str
    most_iterations: int  # of one run: a few seconds of work
    unit: str  # the name of the unit in which people compare results of the game


OFFERS = {
    "kuhn": Offer("Kuhn poker", "kuhn", 1_000_000, "mbb/g"),
    "leduc": Offer("Leduc poker", "leduc(merge_suits=true)", 100_000, "mbb/g"),
    "liars-dice-4": Offer("Liar’s dice, 4 sides", "liars_dice(sides=4)", 30_000, "milli-chips"),
    "liars-dice": Offer("Liar’s dice, 6 sides", "liars_dice", 2_000, "milli-chips"),
    "river-polar": Offer("Hold’em river, one bet", "holdem:river-polar", 100_000, "milli-chips"),
    "river-srp": Offer("Hold’em river, wide ranges", "holdem:river-srp", 10_000, "milli-chips"),
}
"""The games that can be chosen, by their names in addresses."""

WATCHED = {
    "leduc": "Leduc poker",
    "rps": "Rock-paper-scissors, where rock counts twice",
    "kuhn-5": "Kuhn poker with five cards",
    "liars-dice": "Liar’s dice with three sides",
}
"""The games beside Kuhn poker that can be watched: their names in addresses, and what they are called."""

RULES = {
    "leduc": (
        "There are two Jacks, two Queens and two Kings. Each player puts in an ante of 1 and gets a card in secret.",
        "They check or bet 2; who faces a bet folds, calls or raises, and only one raise is allowed. Then a card is "
        "turned up for both, and they bet once more, now 4 at a time.",
        "If nobody folds, a pair with the card on the table wins; without one, the higher card.",
    ),
    "rps": (
        "Both choose rock, paper or scissors at the same time.",
        "Rock beats scissors, scissors beat paper, paper beats rock. The winner gets one chip from the other.",
        "Who wins with rock gets two.",
    ),
    "kuhn-5": (
        "Each player puts in an ante of 1 and gets one of five cards. Nobody sees the other’s card.",
        "Player 1 checks or bets 1. After a check player 2 may bet, too. Who faces a bet calls it or folds.",
        "If nobody folds, the higher card wins what both have put in.",
    ),
    "liars-dice": (
        "Each player rolls one die with three sides in secret. A 3 is wild: it counts as any other side.",
        "In turn they bid how many of the two dice show a side; each bid is for more dice or for a higher side.",
        "Who doubts a bid calls. If the dice show at least as many, the bidder wins a chip, else the caller.",
    ),
}
"""The rules of each of them, in three lines."""

OWN = "own"
"""How the game that the command line named is called in addresses."""

LEAST_STAKE, MOST_STAKE = Fraction(1, 1000), 1_000_000
"""The least and the most chips of an ante or a bet: nobody reads numbers beyond them, and floats stay far from their
limits."""

LONGEST_STAKE = 40
"""The most letters in which an ante or a bet is written."""


def offer(slug: str) -> Offer:
    """The game behind an address."""
    if slug not in OFFERS:
        raise unknown("game", slug, OFFERS)
    return OFFERS[slug]


def read_stake(name: str, text: str) -> Fraction:
    """An ante or a bet as people write it."""
    if len(text) > LONGEST_STAKE:
        raise UserError(f"{name}={text:.12}… is too long; write at most {LONGEST_STAKE} letters")
    amount = number(name, text)
    if not LEAST_STAKE <= amount <= MOST_STAKE:
        raise UserError(f"{name}={text} must be between {float(LEAST_STAKE)} and {MOST_STAKE:,}")
    return amount


def game_name(slug: str, ante: str = "1", bet: str = "1") -> str:
    """The name of a game with its stakes; only Kuhn poker's can be chosen.

    >>> game_name("kuhn", "1", "1/2")
    'kuhn(bet=1/2)'
    """
    from regretlab.games import load

    name = offer(slug).game
    if slug != "kuhn":
        return name
    return load(format_call(name, {"ante": read_stake("ante", ante), "bet": read_stake("bet", bet)})).name


def unit(game: str) -> dict[str, Any]:
    """The unit in which people compare results of a game, for JSON."""
    from regretlab.documents.numbers import Unit
    from regretlab.games import load

    found = Unit.of(load(game))
    return {"name": found.name, "chips": found.chips, "words": found.words}


@lru_cache(maxsize=32)
def form_of(game: str) -> SequenceForm:
    """The compiled game by its histories, which is kept."""
    from regretlab.forms import as_form

    return as_form(game)


@lru_cache(maxsize=32)
def form_to_race(game: str) -> AnyForm:
    """The compiled game in which recipes race: Hold'em on lanes, because its histories would take ten seconds."""
    from regretlab.forms import form_to_solve

    return form_to_solve(game, "lanes") if game.startswith("holdem:") else form_of(game)


_TRAINING = Lock()


def learned(slug: str, game: str, recipe: str, iterations: Any) -> Strategy:
    """The average strategy of a recipe after so many iterations; before the first, every action is equally likely."""
    count = whole("iterations", iterations, least=0, most=offer(slug).most_iterations)
    # The lock makes two people who ask for one bot at once wait for a single training of it.
    with _TRAINING:
        return _learned(game, recipe_of(recipe).name, count)


@lru_cache(maxsize=128)
def _learned(game: str, recipe: str, iterations: int) -> Strategy:
    from regretlab.solving import Solver

    solver = Solver(form_of(game), recipe, seed=0, cores=1)
    if iterations:
        solver.advance(iterations)
    return solver.average
