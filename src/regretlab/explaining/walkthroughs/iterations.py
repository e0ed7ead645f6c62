"""The iterations of a walkthrough, told event by event for several recipes together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any

from regretlab.documents import (
    Alternative,
    Alternatives,
    Block,
    Branch,
    Bullets,
    Cell,
    DrawnTree,
    Equation,
    Equations,
    Expression,
    Heading,
    Panel,
    Paragraph,
    Span,
    Symbol,
    Table,
    Value,
    add,
    code,
    multiply,
    negate,
    strong,
    subtract,
    words,
)
from regretlab.explaining.update_words import ANY, Pieces, describe_weighing, range_lines, reason, regret_lines
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
"""A pass with more decisions than this is told to DEPTH unless the user asks for more; one of Kuhn poker has 24."""

DEPTH = 2

P, V = Symbol("P"), Symbol("v")


@dataclass(frozen=True)
class SpelledOut:
    """How much of a lesson is told: decisions that come after ``depth`` others are summed up; None tells everything."""

    depth: int | None

    def tells(self, event: ArrivalEvent) -> bool:
        """Whether a decision is spelled out."""
        return self.depth is None or len(event.path) < self.depth

    def labels(self, *passes: Pass) -> set[str]:
        """The information sets of some passes that are spelled out."""
        arrivals = (event for one in passes for event in one.events if isinstance(event, ArrivalEvent))
        return {event.label for event in arrivals if self.tells(event)}


def spelled_out(lesson: Lesson, depth: int | None) -> SpelledOut:
    """The depth that was asked for, or all of a small game and the beginning of a large one."""
    if depth is not None:
        return SpelledOut(depth)
    sizes = (sum(isinstance(event, ArrivalEvent) for event in one.events) for run in lesson.runs for one in run.passes)
    return SpelledOut(DEPTH if max(sizes, default=0) > MOST_SPELLED_OUT else None)


# ---- several recipes


def piece_by_piece(names: Sequence[str], told: Iterable[Pieces]) -> Iterator[Block]:
    """What is told of each of the recipes with these names, compared piece after piece."""
    for pieces in zip_longest(*told, fillvalue=()):
        yield from side_by_side(names, pieces)


def side_by_side(names: Sequence[str], told: Iterable[tuple[Block, ...]]) -> tuple[Block, ...]:
    """What is told of each of the recipes with these names, once for all that agree; some may have nothing to say."""
    agreeing: dict[tuple[Block, ...], list[str]] = {}
    for name, blocks in zip(names, told, strict=True):
        agreeing.setdefault(blocks, []).append(name)
    if len(agreeing) == 1:
        return next(iter(agreeing))
    return (Alternatives(tuple(Alternative(", ".join(group), blocks) for blocks, group in agreeing.items() if blocks)),)


def tell_iteration(runs: Sequence[RecipeRun], place: int, title: str, told: SpelledOut) -> Iterator[Block]:
    """Iteration number ``place``, from 0, of recipes with the same schedule."""
    iterations = [run.iterations[place] for run in runs]
    names = [run.name for run in runs]
    yield Heading(2, words(title))
    for number, passes in enumerate(zip(*(each.passes for each in iterations), strict=True), start=1):
        if len(passes[0].updating) == 1:
            learner = passes[0].updating[0]
            yield Paragraph(words(f"Pass {number} of {len(iterations[0].passes)}: player {learner} learns."))
        yield from _tell_pass(names, passes, told)
    labels = told.labels(*iterations[0].passes)
    changed = [[update for update in each.updates if update.label in labels] for each in iterations]
    yield Heading(3, words(f"After iteration {iterations[0].number}"))
    yield from side_by_side(names, [(_changes(updates),) for updates in changed])
    yield Paragraph(words("Why these are the next strategies:"))
    reasons = [
        Bullets(tuple(words(code(each.label), ": ", *reason(each.next, each.actions), ".") for each in updates))
        for updates in changed
    ]
    yield from side_by_side(names, [(each,) for each in reasons])


def _changes(updates: Sequence[UpdateEvent]) -> Table:
    """The information sets that learned, before and after."""
    rows: list[tuple[Cell, ...]] = []
    for update in updates:
        learning = update.learning
        columns = (learning.regrets_before, learning.summed, learning.regrets_after, update.average)
        numbers = zip(update.actions, *columns, update.next.strategy, strict=True)
        for k, (action, *row) in enumerate(numbers):
            rows.append((update.label if k == 0 else "", action, *(Value(number) for number in row)))
    return Table("", ("at", "action", "R before", "r", "R after", "average", "next σ"), tuple(rows))


def _tell_pass(names: Sequence[str], passes: Sequence[Pass], told: SpelledOut) -> Iterator[Block]:
    """The events of one pass, of all recipes together; what lies too deep is summed up."""
    labels, met = told.labels(passes[0]), set[str]()
    updates = [isinstance(event, UpdateEvent) for event in passes[0].events]
    at_the_end = any(one and two for one, two in pairwise(updates))
    hidden: list[Any] = []  # the events since the arrival at a decision that is not spelled out
    for events in zip(*(one.events for one in passes), strict=True):
        event = events[0]
        if hidden or (isinstance(event, ArrivalEvent) and not told.tells(event)):
            hidden.append(event)
            if isinstance(event, DepartureEvent) and event.history == hidden[0].history:
                yield from side_by_side(names, [_summed_up(each, hidden) for each in events])
                hidden = []
        elif not isinstance(event, UpdateEvent) or event.label in labels:
            if isinstance(event, UpdateEvent) and at_the_end:
                yield Heading(3, words(f"What is learned at {event.label}"))
            again = isinstance(event, ArrivalEvent) and event.label in met
            tell = _tell_another_arrival if again else _TELL[type(event)]
            yield from piece_by_piece(names, [tell(each) for each in events])
            met.update([event.label] if isinstance(event, ArrivalEvent) else [])


def _summed_up(event: Any, hidden: Sequence[Event]) -> tuple[Block, ...]:
    """In place of what is not spelled out: how much it is, and what it is worth."""
    decisions = sum(isinstance(each, ArrivalEvent) for each in hidden)
    endings = sum(isinstance(each, EndingEvent) for each in hidden)
    count = f"{decisions} decision{'s' * (decisions > 1)} and {endings} endings from here on are not spelled out."
    said = words(
        f"{' › '.join(event.history)} leads to ",
        code(event.label),
        f". {count} To player {event.player} they are worth:",
    )
    return Paragraph(said), Equations((Equation((Symbol("v", of=event.label), Value(event.value))),))


# ---- each kind of event


def _tell_chance(event: ChanceEvent) -> Pieces:
    """A deal, a card, a roll; nothing where the game has no words for it yet and it was chosen beforehand."""
    if not event.words and event.probability == 1:
        return []
    said = words(event.words) if event.words else words("Chance: ", code(event.history[-1]), ".")
    weight = Equation((P, Value(event.probability)), "the probability that chance does this")
    return [(Panel(" › ".join(event.history), said, () if event.probability == 1 else (weight,)),)]


def _tell_ending(event: EndingEvent) -> Pieces:
    """Who wins what, and why; in chips for player 0."""
    said = words(event.words or "The game ends.")
    payoff = Equation((Symbol("u"), Value(event.payoff)), "what player 0 wins")
    return [(Panel(" › ".join(event.history), said, (payoff,)),)]


def _tell_arrival(event: ArrivalEvent) -> Pieces:
    """Where we are, which strategy is played here and why, and how probable it is to come here."""
    played = words(strong("The strategy"), " that is played here:")
    return [_place(event), (Paragraph(played),), *describe_weighing(event.weighing, event.actions), *_tell_reach(event)]


def _tell_another_arrival(event: ArrivalEvent) -> Pieces:
    """A further history of an information set that was met before, where the same strategy is played."""
    played = words(
        strong("The strategy"), f" is what it was before: player {event.player} cannot tell this from there."
    )
    return [_place(event), (Paragraph(played),), *_tell_reach(event)]


def _place(event: ArrivalEvent) -> tuple[Block, ...]:
    place = f"{event.label}: {event.meaning}" if event.meaning else event.label
    who = words(f"Player {event.player} chooses between ", *listed(event.actions), ".")
    return Heading(3, words(place)), Paragraph(who), _tree(event)


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


def _tell_reach(event: ArrivalEvent) -> Pieces:
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


def _tell_departure(event: DepartureEvent) -> Pieces:
    """The way back up: what the actions are worth, what is played is worth, and what is regretted."""
    title = Heading(3, words(f"Back at {event.label}"))
    worth = words(strong("The values"), f" of the actions to player {event.player}:")
    values = [
        Equation((Symbol("v", of=action), *_sources(parts, event.player), Value(value)))
        for action, parts, value in zip(event.actions, event.parts, event.action_values, strict=True)
    ]
    formula = add(*(multiply(Symbol("σ", of=action), Symbol("v", of=action)) for action in event.actions))
    played = zip(event.strategy, event.action_values, strict=True)
    numbers = add(*(multiply(Value(probability), Value(value)) for probability, value in played))
    expected = Equation((V, formula, numbers, Value(event.value)), "what is played is worth this")
    pieces: Pieces = [(title, Paragraph(worth)), (Equations((*values, expected)),)]
    if not event.updated:
        return [*pieces, (Paragraph(words(f"Player {event.player} learns nothing in this pass.")),)]
    regretted = words(
        strong("The regrets"),
        f": how much better an action is than what is played, times how probable player {1 - event.player} "
        f"{'makes' if event.chance_reach == 1 else 'and chance make'} it to come here:",
    )
    return [*pieces, (Paragraph(regretted),), (Equations(tuple(_increments(event))),)]


def _sources(parts: Sequence[Part], player: int) -> list[Expression]:
    """What an action's value is made of: a payoff or a value further down, or several, as chance has it."""
    if len(parts) > 1:
        return [add(*(multiply(Value(part.probability), Value(part.value_to(player))) for part in parts))]
    part = parts[0]
    name = Symbol("v", of=part.label) if part.label else Symbol("u")
    if part.player == player:
        return [name]
    return [negate(name), negate(Value(part.value))] if part.value < 0 else [negate(name)]


def _increments(event: DepartureEvent) -> Iterator[Equation]:
    """r(a) = π (v(a) − v), with the reach of everybody else."""
    opponent = Symbol("π", str(1 - event.player))
    weighted = event.chance_reach != 1
    symbols = [P, opponent] if weighted else [opponent]
    reach = [Value(event.chance_reach), Value(event.opponent_reach)] if weighted else [Value(event.opponent_reach)]
    yield Equation((Symbol("r", of=ANY), multiply(*symbols, subtract(Symbol("v", of=ANY), V))))
    for action, value, regret in zip(event.actions, event.action_values, event.regret_increments, strict=True):
        judged = "as good as" if value == event.value else "better than" if value > event.value else "worse than"
        product = multiply(*reach, subtract(Value(value), Value(event.value)))
        yield Equation((Symbol("r", of=action), product, Value(regret)), f"{judged} what is played")


def _tell_update(event: UpdateEvent) -> Pieces:
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
    return [
        (Paragraph(change),),
        (Equations(learned),),
        (Paragraph(average),),
        (Equations(tuple(sums)),),
    ]


_TELL: dict[type[Any], Callable[[Any], Pieces]] = {
    ChanceEvent: _tell_chance,
    ArrivalEvent: _tell_arrival,
    EndingEvent: _tell_ending,
    DepartureEvent: _tell_departure,
    UpdateEvent: _tell_update,
}
