"""One iteration, told for several recipes together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from regretlab.documents import (
    Block,
    Bullets,
    Cell,
    Equation,
    Equations,
    Heading,
    Paragraph,
    Symbol,
    Table,
    Value,
    code,
    words,
)
from regretlab.explaining.events import Arrival, Chance, Departure, Ending, Event, Pass, Run, Update
from regretlab.explaining.scope import Scope
from regretlab.explaining.steps import (
    tell_another_arrival,
    tell_arrival,
    tell_chance,
    tell_departure,
    tell_ending,
    tell_update,
)
from regretlab.explaining.together import Pieces, all_together, together
from regretlab.explaining.weighing import reason

_TELL: dict[type[Any], Callable[[Any], Pieces]] = {
    Chance: tell_chance,
    Arrival: tell_arrival,
    Ending: tell_ending,
    Departure: tell_departure,
    Update: tell_update,
}


def tell_iteration(runs: Sequence[Run], place: int, title: str, scope: Scope) -> Iterator[Block]:
    """Iteration number ``place``, from 0, of recipes with the same schedule."""
    iterations = [run.iterations[place] for run in runs]
    names = [run.name for run in runs]
    yield Heading(2, words(title))
    for number, passes in enumerate(zip(*(each.passes for each in iterations), strict=True), start=1):
        if len(passes[0].updating) == 1:
            learner = passes[0].updating[0]
            yield Paragraph(words(f"Pass {number} of {len(iterations[0].passes)}: player {learner} learns."))
        yield from _tell_pass(names, passes, scope)
    told = scope.labels(*iterations[0].passes)
    changed = [[update for update in each.updates if update.label in told] for each in iterations]
    yield Heading(3, words(f"After iteration {iterations[0].number}"))
    yield from together(names, [(_changes(updates),) for updates in changed])
    yield Paragraph(words("Why these are the next strategies:"))
    yield from together(names, [(_reasons(updates),) for updates in changed])


def _changes(updates: Sequence[Update]) -> Table:
    """The information sets that learned, before and after."""
    head = ("at", "action", "R before", "r", "R after", "average", "next σ")
    return Table("", head, tuple(row for update in updates for row in _change_rows(update)))


def _change_rows(update: Update) -> Iterator[tuple[Cell, ...]]:
    labels = [update.label, *[""] * (len(update.actions) - 1)]
    learning = update.learning
    numbers = (learning.regrets_before, learning.summed, learning.regrets_after)
    columns = (*numbers, update.average, update.next.strategy)
    for label, action, *row in zip(labels, update.actions, *columns, strict=True):
        yield label, action, *(Value(number) for number in row)


def _reasons(updates: Sequence[Update]) -> Bullets:
    return Bullets(tuple(words(code(each.label), ": ", *reason(each.next, each.actions), ".") for each in updates))


def _tell_pass(names: Sequence[str], passes: Sequence[Pass], scope: Scope) -> Iterator[Block]:
    """The events of one pass, of all recipes together; what lies too deep is summed up."""
    told, met = scope.labels(passes[0]), set[str]()
    afterwards = any(isinstance(one, Update) and isinstance(two, Update) for one, two in pairwise(passes[0].events))
    hidden: list[Event] = []
    for events in zip(*(one.events for one in passes), strict=True):
        event = events[0]
        if hidden or (isinstance(event, Arrival) and not scope.tells(event)):
            hidden.append(event)
            if _is_back(event, hidden[0]):
                yield from together(names, [_summed_up(each, hidden) for each in events])
                hidden = []
        elif not isinstance(event, Update) or event.label in told:
            if isinstance(event, Update) and afterwards:
                yield Heading(3, words(f"What is learned at {event.label}"))
            tell = tell_another_arrival if isinstance(event, Arrival) and event.label in met else _TELL[type(event)]
            yield from all_together(names, [tell(each) for each in events])
            met.update([event.label] if isinstance(event, Arrival) else [])


def _is_back(event: Event, arrival: Event) -> bool:
    """Whether an event is the departure from where another one arrived."""
    return isinstance(event, Departure) and isinstance(arrival, Arrival) and event.history == arrival.history


def _summed_up(event: Any, hidden: Sequence[Event]) -> tuple[Block, ...]:
    """In place of what is not spelled out: how much it is, and what it is worth."""
    decisions = sum(isinstance(each, Arrival) for each in hidden)
    endings = sum(isinstance(each, Ending) for each in hidden)
    count = f"{decisions} decision{'s' * (decisions > 1)} and {endings} endings from here on are not spelled out."
    said = words(
        f"{' › '.join(event.history)} leads to ",
        code(event.label),
        f". {count} To player {event.player} they are worth:",
    )
    return Paragraph(said), Equations((Equation((Symbol("v", of=event.label), Value(event.value))),))
