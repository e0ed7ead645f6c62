"""The iterations of a walkthrough, event by event, for several recipes together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any

from regretlab.documents.blocks import (
    Alternative,
    Alternatives,
    Block,
    Branch,
    Bullets,
    Cell,
    DrawnTree,
    Equations,
    Heading,
    Panel,
    Paragraph,
    Span,
    Table,
    code,
    strong,
    words,
)
from regretlab.documents.expressions import Equation, Expression, Symbol, Value, add, multiply, negate, subtract
from regretlab.explaining.update_words import (
    ANY,
    Pieces,
    describe_weighing,
    expected_line,
    range_lines,
    reason,
    regret_lines,
)
from regretlab.explaining.walkthroughs.walk_events import (
    ArrivalEvent,
    ChanceEvent,
    Choice,
    DepartureEvent,
    EndingEvent,
    Event,
    Lesson,
    Part,
    Pass,
    RecipeRun,
    UpdateEvent,
)

MOST_SPELLED_OUT = 24
"""A pass with more decisions is shown to DEPTH unless the user asks for more; one of Kuhn poker has 24."""

DEPTH = 2

P, V = Symbol("P"), Symbol("v")


@dataclass(frozen=True)
class SpelledOut:
    """How much of a lesson is shown: decisions that come after ``depth`` others are summed up; None shows all."""

    depth: int | None

    @classmethod
    def of(cls, lesson: Lesson, depth: int | None) -> SpelledOut:
        """The depth that was asked for, or all of a small game and the beginning of a large one."""
        passes = [one.events for run in lesson.runs for one in run.passes]
        most = max((sum(isinstance(event, ArrivalEvent) for event in events) for events in passes), default=0)
        return cls(DEPTH if depth is None and most > MOST_SPELLED_OUT else depth)

    def shows(self, event: ArrivalEvent) -> bool:
        """Whether a decision is spelled out."""
        return self.depth is None or len(event.path) < self.depth

    def labels(self, *passes: Pass) -> set[str]:
        """The information sets of some passes that are spelled out."""
        arrivals = (event for one in passes for event in one.events if isinstance(event, ArrivalEvent))
        return {event.label for event in arrivals if self.shows(event)}


# ---- several recipes


def piece_by_piece(names: Sequence[str], texts: Iterable[Pieces]) -> Iterator[Block]:
    """The texts about the recipes with these names, compared piece after piece."""
    for pieces in zip_longest(*texts, fillvalue=()):
        yield from side_by_side(names, pieces)


def side_by_side(names: Sequence[str], texts: Iterable[tuple[Block, ...]]) -> tuple[Block, ...]:
    """The blocks about the recipes with these names, once for all that agree; some recipes may have none."""
    agreeing: dict[tuple[Block, ...], list[str]] = {}
    for name, blocks in zip(names, texts, strict=True):
        agreeing.setdefault(blocks, []).append(name)
    if len(agreeing) == 1:
        return next(iter(agreeing))
    return (Alternatives(tuple(Alternative(", ".join(group), blocks) for blocks, group in agreeing.items() if blocks)),)


def describe_iteration(runs: Sequence[RecipeRun], place: int, title: str, detail: SpelledOut) -> Iterator[Block]:
    """Iteration number ``place``, from 0, of recipes with the same schedule."""
    iterations = [run.iterations[place] for run in runs]
    names = [run.name for run in runs]
    yield Heading(2, words(title))
    for number, passes in enumerate(zip(*(each.passes for each in iterations), strict=True), start=1):
        if len(passes[0].updating) == 1:
            learner = passes[0].updating[0]
            yield Paragraph(words(f"Pass {number} of {len(iterations[0].passes)}: player {learner} learns."))
        yield from _describe_pass(names, passes, detail)
    labels = detail.labels(*iterations[0].passes)
    tables, reasons = [], []
    for each in iterations:
        rows: list[tuple[Cell, ...]] = []
        updates = [update for update in each.updates if update.label in labels]
        for update in updates:
            learning = update.learning
            columns = (learning.regrets_before, learning.summed, learning.regrets_after, update.average)
            numbers = zip(update.actions, *columns, update.next.strategy, strict=True)
            for k, (action, *row) in enumerate(numbers):
                rows.append((update.label if k == 0 else "", action, *map(Value, row)))
        tables.append(Table("", ("at", "action", "R before", "r", "R after", "average", "next σ"), tuple(rows)))
        why = (words(code(each.label), ": ", *reason(each.next, each.actions), ".") for each in updates)
        reasons.append(Bullets(tuple(why)))
    yield Heading(3, words(f"After iteration {iterations[0].number}"))
    yield from side_by_side(names, [(table,) for table in tables])
    yield Paragraph(words("Why these are the next strategies:"))
    yield from side_by_side(names, [(bullets,) for bullets in reasons])


def _describe_pass(names: Sequence[str], passes: Sequence[Pass], detail: SpelledOut) -> Iterator[Block]:
    """The events of one pass, of all recipes together; what lies too deep is summed up."""
    labels, met = detail.labels(passes[0]), set[str]()
    updates = [isinstance(event, UpdateEvent) for event in passes[0].events]
    at_the_end = any(one and two for one, two in pairwise(updates))
    hidden: list[Any] = []  # the events since the arrival at a decision that is not spelled out
    for events in zip(*(one.events for one in passes), strict=True):
        event = events[0]
        if hidden or (isinstance(event, ArrivalEvent) and not detail.shows(event)):
            hidden.append(event)
            if isinstance(event, DepartureEvent) and event.history == hidden[0].history:
                yield from side_by_side(names, [_summed_up(each, hidden) for each in events])
                hidden = []
        elif isinstance(event, ArrivalEvent):
            pieces = [_describe_arrival(each, again=event.label in met) for each in events]
            yield from piece_by_piece(names, pieces)
            met.add(event.label)
        elif not isinstance(event, UpdateEvent) or event.label in labels:
            if isinstance(event, UpdateEvent) and at_the_end:
                yield Heading(3, words(f"What is learned at {event.label}"))
            describe = _DESCRIBE[type(event)]
            yield from piece_by_piece(names, [describe(each) for each in events])


def _summed_up(event: Any, hidden: Sequence[Event]) -> tuple[Block, ...]:
    """In place of what is not spelled out: how much it is, and what it is worth."""
    decisions = sum(isinstance(each, ArrivalEvent) for each in hidden)
    endings = sum(isinstance(each, EndingEvent) for each in hidden)
    count = f"{decisions} decision{'s' * (decisions > 1)} and {endings} endings from here on are not spelled out."
    start, end = f"{' › '.join(event.history)} leads to ", f". {count} To player {event.player} they are worth:"
    worth = Equation((Symbol("v", of=event.label), Value(event.value)))
    return Paragraph(words(start, code(event.label), end)), Equations((worth,))


# ---- each kind of event


def _describe_chance(event: ChanceEvent) -> Pieces:
    """A deal, a card, a roll; nothing where the game has no words for it yet and it was chosen beforehand."""
    if not event.words and event.probability == 1:
        return []
    sentence = words(event.words) if event.words else words("Chance: ", code(event.history[-1]), ".")
    weight = Equation((P, Value(event.probability)), "the probability that chance does this")
    return [(Panel(" › ".join(event.history), sentence, () if event.probability == 1 else (weight,)),)]


def _describe_ending(event: EndingEvent) -> Pieces:
    """Who wins what, and why; in chips for player 0."""
    payoff = Equation((Symbol("u"), Value(event.payoff)), "what player 0 wins")
    return [(Panel(" › ".join(event.history), words(event.words or "The game ends."), (payoff,)),)]


def _describe_arrival(event: ArrivalEvent, again: bool) -> Pieces:
    """Where we are, which strategy is played here and why, and how probable it is to come here.

    If it comes ``again`` to an information set, the strategy is the one that was explained before.
    """
    place = f"{event.label}: {event.meaning}" if event.meaning else event.label
    who = words(f"Player {event.player} chooses between ", *listed(event.actions), ".")
    played, weighing = " that is played here:", describe_weighing(event.weighing, event.actions)
    if again:
        played, weighing = f" is what it was before: player {event.player} cannot tell this from there.", []
    return [
        (Heading(3, words(place)), Paragraph(who), _tree(event)),
        (Paragraph(words(strong("The strategy"), played)),),
        *weighing,
        *_describe_reach(event),
    ]


def listed(names: Sequence[str]) -> list[str | Span]:
    """Names with commas between them, and before the last one "and"."""
    pieces: list[str | Span] = []
    for place, name in enumerate(names):
        pieces += ["" if place == 0 else " and " if place == len(names) - 1 else ", ", code(name)]
    return pieces


def _tree(event: ArrivalEvent) -> DrawnTree:
    """The way from the root to a decision, what else could have been done on it, and what can be done there."""
    stops: list[Choice | ArrivalEvent] = [*event.path, event]  # the decisions on the way, and the one that was reached

    def below(place: int, lead: str) -> Iterator[Branch]:
        """The lines under the decision number ``place`` on the way."""
        stop = stops[place]
        for action in stop.actions:
            last, text = action == stop.actions[-1], action
            taken = isinstance(stop, Choice) and action == stop.action
            if taken:
                later = stops[place + 1]
                # Between two decisions there may be outcomes of chance.
                text = " → ".join((action, *later.history[len(stop.history) + 1 :], later.label))
            yield Branch(lead + ("└─ " if last else "├─ "), text, taken, taken and stops[place + 1] is event)
            if taken:
                yield from below(place + 1, lead + ("   " if last else "│  "))

    root = Branch("", " → ".join((*stops[0].history, stops[0].label)), on_path=True, here=not event.path)
    return DrawnTree((root, *below(0, "")))


def _describe_reach(event: ArrivalEvent) -> Pieces:
    """π₀ and π₁ from the choices on the way, and P where chance was not decided beforehand."""
    reach = {event.player: event.own_reach, 1 - event.player: event.opponent_reach}
    lines = []
    for player in (0, 1):
        name, own = Symbol("π", str(player)), [choice for choice in event.path if choice.player == player]
        if not own:
            lines.append(Equation((name, Value(reach[player])), f"player {player} has not acted yet"))
            continue
        formula = multiply(*(Symbol("σ", of=f"{choice.label}: {choice.action}") for choice in own))
        factors = multiply(*(Value(choice.probability) for choice in own))
        product = () if len(own) == 1 else (Value(reach[player]),)
        note = f"player {player} chose {', '.join(choice.action for choice in own)}"
        lines.append(Equation((name, formula, factors, *product), note))
    if event.chance_reach != 1:
        lines.append(Equation((P, Value(event.chance_reach)), "chance"))
    reached = words(strong("The reach"), ", how probable the choices of both players make it to come here:")
    return [(Paragraph(reached),), (Equations(tuple(lines)),)]


def _describe_departure(event: DepartureEvent) -> Pieces:
    """The way back up: what the actions are worth, what is played is worth, and what is regretted."""
    lines = [
        Equation((Symbol("v", of=action), *_sources(parts, event.player), Value(value)))
        for action, parts, value in zip(event.actions, event.parts, event.action_values, strict=True)
    ]
    note = "what is played is worth this"
    lines.append(expected_line("v", event.actions, event.strategy, event.action_values, event.value, note))
    worth = words(strong("The values"), f" of the actions to player {event.player}:")
    pieces: Pieces = [(Heading(3, words(f"Back at {event.label}")), Paragraph(worth)), (Equations(tuple(lines)),)]
    if not event.updated:
        return [*pieces, (Paragraph(words(f"Player {event.player} learns nothing in this pass.")),)]

    # r(a) = π (v(a) − v), with the reach of everybody else
    reach: list[tuple[Expression, Expression]] = [(Symbol("π", str(1 - event.player)), Value(event.opponent_reach))]
    if event.chance_reach != 1:
        reach.insert(0, (P, Value(event.chance_reach)))
    letters, factors = zip(*reach, strict=True)
    increments = [Equation((Symbol("r", of=ANY), multiply(*letters, subtract(Symbol("v", of=ANY), V))))]
    for action, value, regret in zip(event.actions, event.action_values, event.regret_increments, strict=True):
        judged = "as good as" if value == event.value else "better than" if value > event.value else "worse than"
        product = multiply(*factors, subtract(Value(value), Value(event.value)))
        increments.append(Equation((Symbol("r", of=action), product, Value(regret)), f"{judged} what is played"))
    regretted = words(
        strong("The regrets"),
        f": how much better an action is than what is played, times how probable player {1 - event.player} "
        f"{'makes' if event.chance_reach == 1 else 'and chance make'} it to come here:",
    )
    return [*pieces, (Paragraph(regretted),), (Equations(tuple(increments)),)]


def _sources(parts: Sequence[Part], player: int) -> list[Expression]:
    """What an action's value is made of: a payoff or a value further down, or several, as chance has it."""
    if len(parts) > 1:
        return [add(*(multiply(Value(part.probability), Value(part.value_to(player))) for part in parts))]
    part = parts[0]
    name = Symbol("v", of=part.label) if part.label else Symbol("u")
    if part.player == player:
        return [name]
    return [negate(name), negate(Value(part.value))] if part.value < 0 else [negate(name)]


def _describe_update(event: UpdateEvent) -> Pieces:
    """The regrets take in what was just seen, and the average counts the strategy: S(a) ← S(a) + w π σ(a)."""
    summed = f", summed over {len(event.histories)} histories and added once" if len(event.histories) > 1 else ""
    change = words(strong("The update"), " of the regrets at ", code(event.label), f"{summed}:")
    average = words(
        strong("The average"), " counts what was played, times the own reach and the weight w of the iteration:"
    )
    own = Symbol("π", str(event.player))
    formula = add(Symbol("S", of=ANY), multiply(Symbol("w"), own, Symbol("σ", of=ANY)))
    sums = [Equation((Symbol("S", of=ANY), formula), becomes=True)]
    rows = zip(event.actions, event.sums_before, event.strategy, event.sums_after, strict=True)
    for action, before, probability, after in rows:
        counted = multiply(Value(event.weight), Value(event.own_reach), Value(probability))
        sums.append(Equation((Symbol("S", of=action), add(Value(before), counted), Value(after)), becomes=True))
    learned = (*regret_lines(event.learning, event.actions), *range_lines(event.learning, event.next.rate))
    return [(Paragraph(change),), (Equations(learned),), (Paragraph(average),), (Equations(tuple(sums)),)]


_DESCRIBE: dict[type[Any], Callable[[Any], Pieces]] = {
    ChanceEvent: _describe_chance,
    EndingEvent: _describe_ending,
    DepartureEvent: _describe_departure,
    UpdateEvent: _describe_update,
}
