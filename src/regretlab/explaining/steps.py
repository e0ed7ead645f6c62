"""What is told about each event."""

from __future__ import annotations

from collections.abc import Sequence

from regretlab.documents import (
    Block,
    Equation,
    Equations,
    Expression,
    Heading,
    Panel,
    Paragraph,
    Span,
    Symbol,
    Value,
    add,
    code,
    multiply,
    negate,
    strong,
    subtract,
    words,
)
from regretlab.explaining.events import Arrival, Chance, Choice, Departure, Ending, Part, Update
from regretlab.explaining.learning import ANY, range_line, regret_lines
from regretlab.explaining.together import Pieces
from regretlab.explaining.tree import draw
from regretlab.explaining.weighing import tell_weighing
from regretlab.games import Number

P, V = Symbol("P"), Symbol("v")


def tell_chance(event: Chance) -> Pieces:
    """A deal, a card, a roll; nothing where the game has no words for it yet and it was chosen beforehand."""
    if not event.words and event.probability == 1:
        return []
    said = words(event.words) if event.words else words("Chance: ", code(event.history[-1]), ".")
    weight = Equation((P, Value(event.probability)), "the probability that chance does this")
    return [(Panel(_path(event.history), said, () if event.probability == 1 else (weight,)),)]


def tell_ending(event: Ending) -> Pieces:
    """Who wins what, and why; in chips for player 0."""
    said = words(event.words or "The game ends.")
    payoff = Equation((Symbol("u"), Value(event.payoff)), "what player 0 wins")
    return [(Panel(_path(event.history), said, (payoff,)),)]


def _path(history: Sequence[str]) -> str:
    return " › ".join(history)


def tell_arrival(event: Arrival) -> Pieces:
    """Where we are, which strategy is played here and why, and how probable it is to come here."""
    played = words(strong("The strategy"), " that is played here:")
    return [_place(event), (Paragraph(played),), *tell_weighing(event.weighing, event.actions), *_tell_reach(event)]


def tell_another_arrival(event: Arrival) -> Pieces:
    """The same in a further history of an information set, where the same strategy is played."""
    played = words(
        strong("The strategy"), f" is what it was before: player {event.player} cannot tell this from there."
    )
    return [_place(event), (Paragraph(played),), *_tell_reach(event)]


def _place(event: Arrival) -> tuple[Block, ...]:
    place = f"{event.label}: {event.meaning}" if event.meaning else event.label
    who = words(f"Player {event.player} chooses between ", *listed(event.actions), ".")
    return Heading(3, words(place)), Paragraph(who), draw(event)


def _tell_reach(event: Arrival) -> Pieces:
    reached = words(strong("The reach"), ", how probable the choices of both players make it to come here:")
    return [(Paragraph(reached),), (Equations(tuple(_reach(event))),)]


def listed(names: Sequence[str]) -> list[str | Span]:
    """Names with commas between them, and before the last one "and"."""
    pieces: list[str | Span] = []
    for place, name in enumerate(names):
        pieces += ["" if place == 0 else " and " if place == len(names) - 1 else ", ", code(name)]
    return pieces


def _reach(event: Arrival) -> list[Equation]:
    reach = {event.player: event.own_reach, 1 - event.player: event.opponent_reach}
    lines = [_player_reach(player, event.path, reach[player]) for player in (0, 1)]
    chance = Equation((P, Value(event.chance_reach)), "chance")
    return lines if event.chance_reach == 1 else [*lines, chance]


def _player_reach(player: int, path: Sequence[Choice], reach: Number) -> Equation:
    name, own = Symbol("π", str(player)), [choice for choice in path if choice.player == player]
    if not own:
        return Equation((name, Value(reach)), f"player {player} has not acted yet")
    formula = multiply(*(Symbol("σ", of=f"{choice.label}: {choice.action}") for choice in own))
    factors = multiply(*(Value(choice.probability) for choice in own))
    sides = (name, formula, factors) if len(own) == 1 else (name, formula, factors, Value(reach))
    return Equation(sides, f"player {player} chose {', '.join(choice.action for choice in own)}")


def tell_departure(event: Departure) -> Pieces:
    """The way back up: what the actions are worth, what is played is worth, and what is regretted."""
    title = Heading(3, words(f"Back at {event.label}"))
    worth = words(strong("The values"), f" of the actions to player {event.player}:")
    pieces: Pieces = [(title, Paragraph(worth)), (Equations((*_action_values(event), _expected(event))),)]
    if not event.updated:
        return [*pieces, (Paragraph(words(f"Player {event.player} learns nothing in this pass.")),)]
    regretted = words(
        strong("The regrets"),
        f": how much better an action is than what is played, times how probable player {1 - event.player} "
        f"{'makes' if event.chance_reach == 1 else 'and chance make'} it to come here:",
    )
    return [*pieces, (Paragraph(regretted),), (Equations(tuple(_increments(event))),)]


def _action_values(event: Departure) -> list[Equation]:
    return [
        Equation((Symbol("v", of=action), *_sources(parts, event.player), Value(value)))
        for action, parts, value in zip(event.actions, event.parts, event.action_values, strict=True)
    ]


def _sources(parts: Sequence[Part], player: int) -> list[Expression]:
    """What an action's value is made of: a payoff or a value further down, or several, as chance has it."""
    if len(parts) > 1:
        return [add(*(multiply(Value(part.probability), _from_side(part, player)) for part in parts))]
    part = parts[0]
    name = Symbol("v", of=part.label) if part.label else Symbol("u")
    if part.player == player:
        return [name]
    return [negate(name), negate(Value(part.value))] if part.value < 0 else [negate(name)]


def _from_side(part: Part, player: int) -> Expression:
    return Value(part.value if part.player == player else -part.value)


def _expected(event: Departure) -> Equation:
    """v = Σ σ(a) v(a)."""
    pairs = list(zip(event.strategy, event.action_values, strict=True))
    formula = add(*(multiply(Symbol("σ", of=action), Symbol("v", of=action)) for action in event.actions))
    numbers = add(*(multiply(Value(probability), Value(value)) for probability, value in pairs))
    return Equation((V, formula, numbers, Value(event.value)), "what is played is worth this")


def _increments(event: Departure) -> list[Equation]:
    """r(a) = π (v(a) − v), with the reach of everybody else."""
    opponent = Symbol("π", str(1 - event.player))
    weighted = event.chance_reach != 1
    symbols = [P, opponent] if weighted else [opponent]
    reach = [Value(event.chance_reach), Value(event.opponent_reach)] if weighted else [Value(event.opponent_reach)]
    rule = Equation((Symbol("r", of=ANY), multiply(*symbols, subtract(Symbol("v", of=ANY), V))))
    rows = zip(event.actions, event.action_values, event.regret_increments, strict=True)
    return [
        rule,
        *(
            Equation(
                (Symbol("r", of=action), multiply(*reach, subtract(Value(value), Value(event.value))), Value(regret)),
                _judged(value, event.value),
            )
            for action, value, regret in rows
        ),
    ]


def _judged(value: Number, played: Number) -> str:
    if value == played:
        return "as good as what is played"
    return "better than what is played" if value > played else "worse than what is played"


def tell_update(event: Update) -> Pieces:
    """The regrets take in what was just seen, and the average counts the strategy that was played."""
    summed = f", summed over {len(event.histories)} histories and added once" if len(event.histories) > 1 else ""
    change = words(strong("The update"), " of the regrets at ", code(event.label), f"{summed}:")
    average = words(
        strong("The average"), " counts what was played, times the own reach and the weight w of the iteration:"
    )
    return [
        (Paragraph(change),),
        (Equations(tuple(_learning_lines(event))),),
        (Paragraph(average),),
        (Equations(tuple(_average_lines(event))),),
    ]


def _learning_lines(event: Update) -> list[Equation]:
    lines = list(regret_lines(event.learning, event.actions))
    return lines if event.next.rate is None else [*lines, range_line(event.learning, event.next.rate)]


def _average_lines(event: Update) -> list[Equation]:
    """S(a) ← S(a) + w π σ(a)."""
    own = Symbol("π", str(event.player))
    formula = add(Symbol("S", of=ANY), multiply(Symbol("w"), own, Symbol("σ", of=ANY)))
    rows = zip(event.actions, event.sums_before, event.strategy, event.sums_after, strict=True)
    return [
        Equation((Symbol("S", of=ANY), formula), becomes=True),
        *(
            Equation(
                (
                    Symbol("S", of=action),
                    add(Value(before), multiply(Value(event.weight), Value(event.own_reach), Value(probability))),
                    Value(after),
                ),
                becomes=True,
            )
            for action, before, probability, after in rows
        ),
    ]
