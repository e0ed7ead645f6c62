"""How much of a lesson is spelled out."""

from __future__ import annotations

from dataclasses import dataclass

from regretlab.explaining.events import Arrival, Lesson, Pass

MOST_SPELLED_OUT = 24
"""A pass with more decisions than this is told to DEPTH unless the user asks for more; one of Kuhn poker has 24."""

DEPTH = 2


@dataclass(frozen=True)
class Scope:
    """Decisions that come after ``depth`` others are summed up; None spells out everything."""

    depth: int | None

    def tells(self, event: Arrival) -> bool:
        """Whether a decision is spelled out."""
        return self.depth is None or len(event.path) < self.depth

    def labels(self, *passes: Pass) -> set[str]:
        """The information sets of some passes that are spelled out."""
        arrivals = (event for one in passes for event in one.events if isinstance(event, Arrival))
        return {event.label for event in arrivals if self.tells(event)}


def scope(lesson: Lesson, depth: int | None) -> Scope:
    """The depth that was asked for, or all of a small game and the beginning of a large one."""
    if depth is not None:
        return Scope(depth)
    sizes = (sum(isinstance(event, Arrival) for event in one.events) for run in lesson.runs for one in run.passes)
    return Scope(DEPTH if max(sizes, default=0) > MOST_SPELLED_OUT else None)
