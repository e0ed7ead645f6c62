"""The whole walkthrough: from events to a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from regretlab.explain.closing import tell_end
from regretlab.explain.document import (
    Block,
    Bullets,
    Document,
    Equations,
    Heading,
    Paragraph,
    Table,
    code,
    words,
)
from regretlab.explain.events import Arrival, Chance, Departure, Ending, Event, Lesson, Pass, Run, Update
from regretlab.explain.expression import Equation, Symbol, Value, divide
from regretlab.explain.notation import DECIMALS, DIGITS, Notation
from regretlab.explain.steps import Pieces, tell_arrival, tell_chance, tell_departure, tell_ending, tell_update
from regretlab.explain.together import together
from regretlab.explain.weighing import ANY, reason
from regretlab.solve.formula import formulas

MOST_SPELLED_OUT = 24
"""A pass with more decisions than this is told to DEPTH unless the user asks for more: that of Kuhn poker has 24."""

DEPTH = 2

_TELL: dict[type[Any], Callable[[Any], Pieces]] = {
    Chance: tell_chance,
    Arrival: tell_arrival,
    Ending: tell_ending,
    Departure: tell_departure,
    Update: tell_update,
}

_SYMBOLS = (
    ("σ(a)", "the strategy: the probability with which action a is played"),
    ("u", "the payoff where the game ends: what player 0 wins, and player 1 loses"),
    ("v(a)", "what the player who decides can expect after action a, in chips"),
    ("v", "what it can expect from what it plays; player 1's values are told from player 1's side"),
    ("π₀, π₁", "the reach: how probable each player's own choices make it to come here"),
    ("r(a)", "the instantaneous regret: what always playing a would have brought more, this time"),
    ("R(a), R₊(a)", "the regret so far, and its positive part"),
    ("S(a), w", "what the average strategy is made from, and the weight of an iteration in it"),
)
_CHANCE_SYMBOL = ("P", "the probability of what chance has done")
_SCALE_SYMBOLS = (
    ("c, w(a)", "NormalHedge's scale, and the weights that follow from it"),
    ("x(a), s", "regret and scale in a form in which no number becomes large; N is the number of actions"),
)


def story(lesson: Lesson, notation: Notation, depth: int | None = None) -> Document:
    """Tell a lesson; decisions after more than ``depth`` others are summed up."""
    limit = depth if depth is not None else _default_depth(lesson)
    blocks: list[Block] = [*_opening(lesson, notation, limit)]
    for _, grouped in groupby(sorted(lesson.runs, key=lambda run: run.recipe.schedule), lambda run: run.recipe.schedule):
        runs = list(grouped)
        if len(runs) < len(lesson.runs):
            blocks.append(Heading(2, words(f"{_names(runs)}: {runs[0].recipe.schedule} updates")))
        for number in range(len(runs[0].iterations)):
            blocks += _iteration(lesson, runs, number, limit)
    blocks += tell_end(lesson, _told_labels(lesson, limit))
    return Document(tuple(blocks), notation)


def _default_depth(lesson: Lesson) -> int | None:
    passes = [one for run in lesson.runs for each in run.iterations for one in each.passes]
    most = max((sum(isinstance(event, Arrival) for event in one.events) for one in passes), default=0)
    return DEPTH if most > MOST_SPELLED_OUT else None


def _told_labels(lesson: Lesson, limit: int | None) -> set[str]:
    """The information sets that are spelled out."""
    passes = (one for run in lesson.runs for each in run.iterations for one in each.passes)
    return {event.label for one in passes for event in one.events if isinstance(event, Arrival) and _is_told(event, limit)}


def _is_told(event: Arrival, limit: int | None) -> bool:
    return limit is None or len(event.path) < limit


def _names(runs: Sequence[Run]) -> str:
    return ", ".join(run.name for run in runs)


def _opening(lesson: Lesson, notation: Notation, limit: int | None) -> Iterator[Block]:
    """What is going to happen, the symbols, the state before the first iteration."""
    count = len(lesson.runs[0].iterations)
    said = f"{count} iteration{'s' * (count > 1)}"
    deals = f"on the deals {', '.join(lesson.deals)}" if lesson.deals else "over all deals" if lesson.has_chance else ""
    yield Heading(1, words(f"Walkthrough: {lesson.game}"))
    yield Paragraph(words(f"{said} {deals} by {_names(lesson.runs)}, every number computed.".replace("  ", " ")))
    if len(lesson.runs) > 1:
        yield Paragraph(words("What is the same for all is told once. Where they differ, they stand side by side."))
    yield Paragraph(words(_about_numbers(notation)))
    if limit is not None:
        yield Paragraph(words(*_about_depth(lesson, limit)))
    yield Table(("recipe", "regrets", "strategy", "average", "schedule"), tuple(map(_recipe_row, lesson.runs)), 5)
    yield Heading(2, words("The symbols"))
    yield Table(("symbol", "meaning"), tuple(_symbols(lesson)), 2)
    yield Heading(2, words("Before the first iteration"))
    yield Paragraph(
        words(
            f"{lesson.game} has {lesson.infosets} information sets. Nothing has been regretted and nothing counted yet, "
            "so at each of them every action is equally likely:"
        )
    )
    zero = (Equation((Symbol(name, of=ANY), Value(0))) for name in "RS")
    yield Equations((*zero, Equation((Symbol("σ", of=ANY), divide(Value(1), Symbol("N"))))))


def _about_numbers(notation: Notation) -> str:
    if notation.exact:
        return f"Numbers are fractions. Long ones, and what exponentials give, are rounded to {DIGITS} digits; then ≈ stands for =."
    return f"Numbers are rounded to {DECIMALS} decimals where they have more; then ≈ stands in place of =."


def _about_depth(lesson: Lesson, limit: int) -> list[Any]:
    return [
        f"{lesson.game} is too deep to spell out everything: the first {limit} decisions of each way through it are, "
        "and what follows is summed up in its value. ",
        code(f"--depth {limit + 1}"),
        " shows more.",
    ]


def _recipe_row(run: Run) -> tuple[str, ...]:
    told = formulas(run.recipe)
    return run.name, told["regrets"], told["strategy"], told["average"], run.recipe.schedule


def _symbols(lesson: Lesson) -> Iterator[tuple[str, str]]:
    yield from _SYMBOLS
    if not lesson.deals and lesson.has_chance:
        yield _CHANCE_SYMBOL
    if any(run.recipe.weigh == "normalhedge" for run in lesson.runs):
        yield from _SCALE_SYMBOLS


def _iteration(lesson: Lesson, runs: Sequence[Run], place: int, limit: int | None) -> Iterator[Block]:
    """One iteration of recipes with the same schedule."""
    iterations = [run.iterations[place] for run in runs]
    first = iterations[0]
    deal = first.deal or ("all deals" if lesson.has_chance else "")
    yield Heading(2, words(f"Iteration {first.number}" + (f": {deal}" if deal else "")))
    for number, passes in enumerate(zip(*(each.passes for each in iterations), strict=True)):
        if passes[0].updating != (0, 1):
            learner = passes[0].updating[0]
            yield Paragraph(words(f"Pass {number + 1} of {len(first.passes)}: player {learner} learns."))
        yield from _pass(runs, passes, limit)
    yield Heading(3, words(f"After iteration {first.number}"))
    told = _told_labels(lesson, limit)
    changed = [[update for one in each.passes for update in one.updates if update.label in told] for each in iterations]
    names = [run.name for run in runs]
    yield from together(names, [(_changes(updates),) for updates in changed])
    yield Paragraph(words("Why these are the next strategies:"))
    yield from together(names, [(_reasons(updates),) for updates in changed])


def _changes(updates: Sequence[Update]) -> Table:
    """The information sets that learned, before and after."""
    head = ("at", "action", "R before", "r", "R after", "average", "next σ")
    rows = [row for update in updates for row in _change_rows(update)]
    return Table(head, tuple(rows), 2)


def _change_rows(update: Update) -> Iterator[tuple[str | Value, ...]]:
    labels = [update.label, *[""] * (len(update.actions) - 1)]
    summed = [sum(increments) for increments in zip(*update.increments, strict=True)]
    columns = (update.regrets_before, summed, update.regrets_after, update.average, update.next.strategy)
    for label, action, *numbers in zip(labels, update.actions, *columns, strict=True):
        yield label, action, *(Value(number) for number in numbers)


def _reasons(updates: Sequence[Update]) -> Bullets:
    return Bullets(tuple(words(code(each.label), ": ", *reason(each.next, each.actions), ".") for each in updates))


def _pass(runs: Sequence[Run], passes: Sequence[Pass], limit: int | None) -> Iterator[Block]:
    """The events of one pass, of all recipes together; what lies too deep is summed up."""
    names = [run.name for run in runs]
    told = {event.label for event in passes[0].events if isinstance(event, Arrival) and _is_told(event, limit)}
    hidden: list[Event] = []
    for events in zip(*(one.events for one in passes), strict=True):
        event = events[0]
        if hidden or (isinstance(event, Arrival) and not _is_told(event, limit)):
            hidden.append(event)
            if isinstance(event, Departure) and event.history == hidden[0].history:
                yield from together(names, [_summed_up(each, hidden) for each in events])
                hidden = []
        elif not isinstance(event, Update) or event.label in told:
            for piece in zip(*(_TELL[type(each)](each) for each in events), strict=True):
                yield from together(names, piece)


def _summed_up(event: Departure, hidden: Sequence[Event]) -> tuple[Block, ...]:
    """In place of what is not spelled out: how much it is, and what it is worth."""
    decisions = sum(isinstance(each, Arrival) for each in hidden)
    endings = sum(isinstance(each, Ending) for each in hidden)
    said = words(
        " › ".join(event.history),
        " leads to ",
        code(event.label),
        f"; {decisions} decision{'s' * (decisions > 1)} and {endings} endings from here on are not spelled out. "
        f"To player {event.player} they are worth:",
    )
    return Paragraph(said), Equations((Equation((Symbol("v", of=event.label), Value(event.value))),))


