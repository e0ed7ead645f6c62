"""How regrets take in what was seen, told line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from regretlab.documents import (
    Call,
    Equation,
    Expression,
    Power,
    Square,
    Symbol,
    Value,
    add,
    divide,
    multiply,
    subtract,
)
from regretlab.explaining.events import Fade, Learning, Rate
from regretlab.games import Number

ANY = "a"
"""Stands for any action in a formula."""

FLOOR, RANGES = Symbol("m"), Symbol("V")
BELOW = "d₋ in place of d₊ where R(a) is negative"


def regret_lines(learning: Learning, actions: Sequence[str]) -> Iterator[Equation]:
    """R(a) ← R(a) + r(a): discounted before, raised to a floor afterwards, where the recipe does that."""
    if learning.fade is not None:
        yield from fade_lines(learning.fade, learning.level)
    if learning.level:
        yield from _raised_lines(learning, learning.level, actions)
        return
    both = learning.fade is not None and learning.level is None
    yield Equation((Symbol("R", of=ANY), _cut(_formula(learning), learning)), BELOW if both else "", becomes=True)
    for action, added, total, after in _rows(learning, actions):
        note = "cut off at 0" if learning.level is not None and total < 0 else ""
        yield Equation((Symbol("R", of=action), _cut(added, learning), Value(after)), note, becomes=True)


def fade_lines(fade: Fade, level: Number | None, prime: str = "") -> Iterator[Equation]:
    """d₊ = t^α / (t^α + 1), for the regrets of t iterations; the same below 0, if they can come there."""
    signs = (("+", fade.alpha, fade.positive), ("−", fade.beta, fade.negative))
    for index, exponent, factor in signs[:1] if level == 0 else signs:
        name = Symbol(f"d{prime}", index)
        if exponent is None or (fade.iterations == 0 and exponent < 0):
            yield Equation((name, Value(factor)))
        else:
            power = Power(Value(fade.iterations), Value(exponent))
            yield Equation((name, divide(power, add(power, Value(1))), Value(factor)))


def range_line(learning: Learning, rate: Rate) -> Equation:
    """V ← V + (max r − min r)²: what Hedge keeps in mind."""
    seen = learning.summed
    spread = max(seen) - min(seen)
    before = Value(rate.squared_ranges - spread * spread)
    formula = add(RANGES, Square(subtract(_of_r("max"), _of_r("min"))))
    numbers = add(before, Square(subtract(Value(max(seen)), Value(min(seen)))))
    return Equation((RANGES, formula, numbers, Value(rate.squared_ranges)), becomes=True)


def _of_r(function: str) -> Expression:
    return Call(function, (Symbol("r"),))


def _formula(learning: Learning) -> Expression:
    increment = Symbol("r" if len(learning.increments) == 1 else "Σ r", of=ANY)
    kept: Expression = Symbol("R", of=ANY)
    return add(kept if learning.fade is None else multiply(Symbol("d", "+"), kept), increment)


def _rows(learning: Learning, actions: Sequence[str]) -> Iterator[tuple[str, Expression, Number, Number]]:
    """For each action its name, its regret with what is added, the sum of that, and what is kept of it."""
    for number, action in enumerate(actions):
        before, after = learning.regrets_before[number], learning.regrets_after[number]
        increments = [increments[number] for increments in learning.increments]
        factor = 1 if learning.fade is None else learning.fade.factor(before)
        kept = Value(before) if learning.fade is None else multiply(Value(factor), Value(before))
        yield action, add(kept, *map(Value, increments)), factor * before + sum(increments), after


def _cut(regret: Expression, learning: Learning) -> Expression:
    return regret if learning.level is None else Call("max", (regret, Value(0)))


def _raised_lines(learning: Learning, level: Number, actions: Sequence[str]) -> Iterator[Equation]:
    """The sums first, then the floor that the largest of them sets, then what is kept."""
    yield Equation((Symbol("R′", of=ANY), _formula(learning)), BELOW if learning.fade is not None else "")
    rows = list(_rows(learning, actions))
    for action, added, total, _ in rows:
        yield Equation((Symbol("R′", of=action), added, Value(total)))
    largest = max(*(total for _, _, total, _ in rows), 0)
    top = (Call("max", (Symbol("R′"), Value(0))), Call("max", (*(Value(total) for _, _, total, _ in rows), Value(0))))
    floors = (multiply(Value(-level), each) for each in top)
    yield Equation((FLOOR, *floors, Value(-level * largest)), "the floor")
    yield Equation((Symbol("R", of=ANY), Call("max", (Symbol("R′", of=ANY), FLOOR))), becomes=True)
    for action, _, total, after in rows:
        note = "raised to the floor" if total < -level * largest else ""
        raised = Call("max", (Value(total), Value(-level * largest)))
        yield Equation((Symbol("R", of=action), raised, Value(after)), note, becomes=True)
