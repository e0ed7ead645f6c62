"""The whole walkthrough: from events to a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from regretlab.documents import Block, Document, Heading, Notation, words
from regretlab.explaining.closing import tell_closing
from regretlab.explaining.events import Lesson, Run
from regretlab.explaining.iteration import tell_iteration
from regretlab.explaining.opening import tell_opening
from regretlab.explaining.scope import Scope, scope


def story(lesson: Lesson, notation: Notation, depth: int | None = None) -> Document:
    """Tell a lesson; decisions that come after ``depth`` others are summed up."""
    told = scope(lesson, depth)
    opening, closing = tell_opening(lesson, notation, told), tell_closing(lesson, told)
    return Document((*opening, *_tell_iterations(lesson, told), *closing), notation)


def _tell_iterations(lesson: Lesson, told: Scope) -> Iterator[Block]:
    """Recipes with the same schedule do the same passes, so they are told together."""
    for schedule, runs in _by_schedule(lesson).items():
        if len(runs) < len(lesson.runs):
            yield Heading(2, words(f"{', '.join(run.name for run in runs)}: {schedule} updates"))
        for place, iteration in enumerate(runs[0].iterations):
            deal = iteration.deal or ("all deals" if lesson.has_chance else "")
            title = f"Iteration {iteration.number}: {deal}" if deal else f"Iteration {iteration.number}"
            yield from tell_iteration(runs, place, title, told)


def _by_schedule(lesson: Lesson) -> dict[str, Sequence[Run]]:
    schedules = dict.fromkeys(run.recipe.schedule for run in lesson.runs)
    return {each: [run for run in lesson.runs if run.recipe.schedule == each] for each in schedules}
