"""The game tree, drawn as far as the way to one decision shows it."""

from __future__ import annotations

from collections.abc import Iterator

from regretlab.documents import Branch, Tree
from regretlab.explaining.events import Arrival


def draw(event: Arrival) -> Tree:
    """The way from the root to a decision, what else could have been done on it, and what can be done there."""
    first = event.path[0].history if event.path else event.history
    label = event.path[0].label if event.path else event.label
    root = Branch("", " → ".join((*first, label)), on_path=True, here=not event.path)
    return Tree((root, *_below(event, 0, "")))


def _below(event: Arrival, place: int, lead: str) -> Iterator[Branch]:
    """The lines under the decision number ``place`` on the way."""
    is_here = place == len(event.path)
    actions = event.actions if is_here else event.path[place].actions
    for action in actions:
        last = action == actions[-1]
        taken = not is_here and action == event.path[place].action
        arrived = taken and place + 1 == len(event.path)
        text = f"{action} → {_next(event, place)}" if taken else action
        yield Branch(lead + ("└─ " if last else "├─ "), text, taken, arrived)
        if taken:
            yield from _below(event, place + 1, lead + ("   " if last else "│  "))


def _next(event: Arrival, place: int) -> str:
    """What comes after the choice number ``place``: outcomes of chance, if any, and the next decision."""
    later = event.path[place + 1] if place + 1 < len(event.path) else event
    between = later.history[len(event.path[place].history) + 1 :]
    return " → ".join((*between, later.label))
