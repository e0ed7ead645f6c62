"""The walkthrough: a few iterations of some recipes, with every number explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regretlab.documents import html, markdown, terminal
from regretlab.documents.blocks import Document
from regretlab.documents.numbers import Notation, plain
from regretlab.errors import UserError
from regretlab.explaining.textbook import SizeOfGame, size_of_game
from regretlab.explaining.walkthroughs.chapters import describe_lesson
from regretlab.explaining.walkthroughs.named_deals import NamedDeal, first_deal, read_deal
from regretlab.explaining.walkthroughs.recording import record
from regretlab.explaining.walkthroughs.walk_events import Lesson
from regretlab.games import Game, Kuhn
from regretlab.games.registry import as_rules
from regretlab.solving import Recipe, recipe
from regretlab.solving.formula import formulas
from regretlab.spec import split_list, whole

FOUR = ("cfr", "cfr+(schedule=simultaneous, averaging=uniform)", "normalhedge", "normalhedge+")
"""Four algorithms that differ in their rules alone: here CFR+ is its truncation and nothing else."""

KUHN_DEALS = ("JQ", "QK", "JQ")
"""The second deal touches other information sets than the first; with the third the four algorithms part."""

ITERATIONS_WITHOUT_CHANCE = 3


@dataclass(frozen=True)
class Walkthrough:
    """A lesson, and how it is shown: its notation, and the depth to which it is spelled out."""

    lesson: Lesson
    notation: Notation
    depth: int | None = None

    @property
    def document(self) -> Document:
        """The lesson in words and formulas."""
        return describe_lesson(self.lesson, self.notation, self.depth)

    def text(self, width: int = 100) -> str:
        """The walkthrough as the terminal shows it, without colours."""
        return terminal.as_text(self.document, width)

    def markdown(self) -> str:
        """The walkthrough as Markdown."""
        return markdown.as_text(self.document)

    def html(self) -> str:
        """The walkthrough as a page of its own, with formulas in MathML."""
        return html.page(self.document)

    def as_dict(self) -> dict[str, Any]:
        """The stream of events, for JSON."""
        return {
            "game": self.lesson.game,
            "deals": list(self.lesson.deals) or "all",
            "recipes": [
                {
                    "name": run.name,
                    "recipe": run.recipe.name,
                    "parts": run.recipe.parts,
                    "formulas": formulas(run.recipe),
                    "iterations": plain(run.iterations, self.notation),
                }
                for run in self.lesson.runs
            ],
        }


def walkthrough(
    game: str | Game = "kuhn",
    recipes: str | Sequence[str | Recipe] = FOUR,
    *,
    deals: str | Sequence[str] | None = None,
    iterations: int | None = None,
    exact: bool = False,
    depth: int | None = None,
) -> Walkthrough:
    """Explain some iterations of some recipes.

    ``deals`` are names such as ``JQ``, one per iteration and again from the first where there are more iterations; or
    ``all``, for full traversals. ``exact`` shows fractions. ``depth`` is how many decisions of each way through the
    game are spelled out.

    >>> lesson = walkthrough("kuhn", "cfr", deals="JQ")
    >>> print(lesson.text().splitlines()[2])
    1 iteration on the deal JQ by cfr, every number computed.
    """
    rules = as_rules(game)
    chosen = [recipe(each) for each in (split_list(recipes) if isinstance(recipes, str) else recipes)]
    if not chosen:
        raise UserError("no recipe was given")
    if depth is not None:
        depth = whole("depth", depth, least=1)
    size = size_of_game(rules)
    if not size.zero_sum:
        raise UserError(f"{rules.name} is not zero-sum; a walkthrough is of games where one wins what the other loses")
    given, default = _read_deals(rules, size, deals)
    count = default if iterations is None else whole("iterations", iterations, least=1)
    return Walkthrough(record(rules, size, chosen, given, count), Notation(exact), depth)


def _read_deals(game: Game, size: SizeOfGame, deals: str | Sequence[str] | None) -> tuple[list[NamedDeal], int]:
    """The deals to walk, none for all of them, and for how many iterations unless the user gives a number.

    By default these are the three deals of Kuhn poker, and in other games the first deal there is.
    """
    if deals == "all":
        return [], 1
    if deals is None:
        if isinstance(game, Kuhn) and game.cards == 3:
            deals = KUHN_DEALS
        else:
            return ([first_deal(game)], 1) if size.has_chance else ([], ITERATIONS_WITHOUT_CHANCE)
    names = split_list(deals) if isinstance(deals, str) else list(deals)
    if not names:
        raise UserError("no deal was given; name some, as in JQ,QK, or write all")
    return [read_deal(game, name) for name in names], len(names)
