"""One information set's update, line by line: how regrets take in what was seen, and become a strategy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from regretlab.documents.blocks import Block, Equations, Paragraph, Words, code, words
from regretlab.documents.expressions import (
    ROOT,
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
from regretlab.explaining.textbook import (
    Fade,
    HedgeRate,
    Learning,
    LeastSum,
    NormalHedgeScale,
    Numbers,
    WeighedRegrets,
)
from regretlab.games import Number
from regretlab.reference.variant import lift

Pieces: TypeAlias = list[tuple[Block, ...]]
"""Blocks that belong together; recipes that agree in a whole piece are described together."""

ANY = "a"
"""Stands for any action in a formula."""

REGRET, EXPECTED = "R", "R̂"
"""What the strategy answers: the regrets, or with a prediction what they will be."""

C, S, E, COUNT, ETA, FLOOR, RANGES, LIFT = (Symbol(name) for name in "cseNηmVλ")
ONE, TWO = Value(1), Value(2)
BELOW = "d₋ in place of d₊ where R(a) is negative"

F_DECIMALS = 14
"""f is a small difference of numbers near 1, so floats know it to so many decimals and no more."""

ROUNDING = 1e-11
"""A step of Newton's method from where f is smaller than this changes no digit that is shown."""


def expected_line(
    name: str, actions: Sequence[str], strategy: Numbers, values: Numbers, value: Number, note: str = ""
) -> Equation:
    """v = Σ σ(a) v(a), the value of what is played; ``name`` is the letter for values."""
    formula = add(*(multiply(Symbol("σ", of=action), Symbol(name, of=action)) for action in actions))
    numbers = add(*(multiply(Value(played), Value(each)) for played, each in zip(strategy, values, strict=True)))
    return Equation((Symbol(name), formula, numbers, Value(value)), note)


# ---- how regrets take in what was seen


def regret_lines(learning: Learning, actions: Sequence[str]) -> Iterator[Equation]:
    """R(a) ← R(a) + r(a): discounted before, raised to a floor afterwards, where the recipe does that."""
    fade, level = learning.fade, learning.level
    kept: Expression = Symbol("R", of=ANY)
    if fade is not None:
        yield from fade_lines(fade, level)
        kept = multiply(Symbol("d", "+"), kept)
    formula = add(kept, Symbol("r" if len(learning.increments) == 1 else "Σ r", of=ANY))
    rows: list[tuple[str, Expression, Number, Number]] = []  # an action, its sum as terms and as a number, what is kept
    for k, action in enumerate(actions):
        before, increments = learning.regrets_before[k], [increments[k] for increments in learning.increments]
        factor = 1 if fade is None else fade.factor(before)
        old = Value(before) if fade is None else multiply(Value(factor), Value(before))
        total = factor * before + sum(increments)
        rows.append((action, add(old, *map(Value, increments)), total, learning.regrets_after[k]))

    if learning.least is not None:
        yield Equation((Symbol("R′", of=ANY), formula))
        for action, added, total, _ in rows:
            yield Equation((Symbol("R′", of=action), added, Value(total)))
        yield from least_sum_lines(
            "R", [total for _, _, total, _ in rows], learning.regrets_after, learning.least, actions
        )
        return

    if not level:

        def cut(regret: Expression) -> Expression:
            return regret if level is None else Call("max", (regret, Value(0)))

        both = fade is not None and level is None
        yield Equation((Symbol("R", of=ANY), cut(formula)), BELOW if both else "", becomes=True)
        for action, added, total, after in rows:
            note = "cut off at 0" if level is not None and total < 0 else ""
            yield Equation((Symbol("R", of=action), cut(added), Value(after)), note, becomes=True)
        return

    # The largest sum sets the floor, so all sums come first.
    yield Equation((Symbol("R′", of=ANY), formula), BELOW if fade is not None else "")
    for action, added, total, _ in rows:
        yield Equation((Symbol("R′", of=action), added, Value(total)))
    totals = [total for _, _, total, _ in rows]
    floor = -level * max(*totals, 0)
    tops = (Call("max", (Symbol("R′"), Value(0))), Call("max", (*map(Value, totals), Value(0))))
    yield Equation((FLOOR, *(multiply(Value(-level), top) for top in tops), Value(floor)), "the floor")
    yield Equation((Symbol("R", of=ANY), Call("max", (Symbol("R′", of=ANY), FLOOR))), becomes=True)
    for action, _, total, after in rows:
        note = "raised to the floor" if total < floor else ""
        yield Equation(
            (Symbol("R", of=action), Call("max", (Value(total), Value(floor))), Value(after)), note, becomes=True
        )


def least_sum_lines(
    name: str, totals: Sequence[Number], kept: Numbers, least: LeastSum, actions: Sequence[str]
) -> Iterator[Equation]:
    """R(a) ← max(R′(a) + λ, 0), or all alike, where the sum of what is above 0 is too small."""
    added, count = lift(totals, least.level - ROUNDING)
    if added:
        added, count = lift(totals, least.level)
    before, even = Symbol(f"{name}′", of=ANY), divide(Value(least.level), Value(len(actions)))
    if added and least.restarts:
        yield Equation(
            (Symbol(name, of=ANY), even, Value(kept[0])), f"all alike, to sum to {least.level}", becomes=True
        )
        return
    if added:
        lifted = add(*(Value(total) for total in totals if total + added > 0))
        yield Equation(
            (LIFT, divide(subtract(Value(least.level), lifted), Value(count)), Value(added)),
            f"with it they sum to {least.level}",
        )
    formula = add(before, LIFT) if added else before
    yield Equation((Symbol(name, of=ANY), Call("max", (formula, Value(0)))), becomes=True)
    for action, total, after in zip(actions, totals, kept, strict=True):
        number = add(Value(total), Value(added)) if added else Value(total)
        yield Equation((Symbol(name, of=action), Call("max", (number, Value(0))), Value(after)), becomes=True)


def fade_lines(fade: Fade, level: Number | None, prime: str = "") -> Iterator[Equation]:
    """d₊ = t^α / (t^α + 1), for the regrets of t iterations, and d₋, if regrets can fall below 0."""
    signs = (("+", fade.alpha, fade.positive), ("−", fade.beta, fade.negative))
    for index, exponent, factor in signs[:1] if level == 0 else signs:
        name = Symbol(f"d{prime}", index)
        if exponent is None or (fade.iterations == 0 and exponent < 0):
            yield Equation((name, Value(factor)))
        else:
            power = Power(Value(fade.iterations), Value(exponent))
            yield Equation((name, divide(power, add(power, Value(1))), Value(factor)))


def range_lines(learning: Learning, rate: HedgeRate | None) -> Iterator[Equation]:
    """V ← V + (max r − min r)²: what Hedge keeps in mind; nothing for other rules."""
    if rate is None:
        return
    most, least = max(learning.summed), min(learning.summed)
    spread = most - least
    before = Value(rate.squared_ranges - spread * spread)
    formula = add(RANGES, Square(subtract(Call("max", (Symbol("r"),)), Call("min", (Symbol("r"),)))))
    numbers = add(before, Square(subtract(Value(most), Value(least))))
    yield Equation((RANGES, formula, numbers, Value(rate.squared_ranges)), becomes=True)


# ---- how regrets become a strategy


def describe_weighing(weighed: WeighedRegrets, actions: Sequence[str]) -> Pieces:
    """How the regrets of one information set become its strategy: what is expected, what is positive, the shares.

    Always three pieces, some of them empty, so that those of several recipes stand beside each other.
    """
    expected = _prediction_blocks(weighed, actions)
    if weighed.rate is not None:
        return [expected, (), _hedge_blocks(weighed, weighed.rate, actions)]
    name = _answered_name(weighed)
    lines = [Equation((Symbol(name, "+", ANY), Call("max", (Symbol(name, of=ANY), Value(0)))))]
    for action, regret, positive in zip(actions, weighed.answered, weighed.positive, strict=True):
        lines.append(Equation((Symbol(name, "+", action), Call("max", (Value(regret), Value(0))), Value(positive))))
    kept: tuple[Block, ...] = (Equations(tuple(lines)),)
    if not positive_actions(weighed, actions):
        return [expected, kept, _uniform_blocks(weighed, "No regret is positive")]
    if weighed.scale is None:
        shares = _shares(name, "+", weighed.positive, weighed.strategy, actions)
        return [expected, kept, (Equations(tuple(shares)),)]
    return [expected, kept, _normalhedge_blocks(weighed, weighed.scale, actions)]


def positive_actions(weighed: WeighedRegrets, actions: Sequence[str]) -> list[str]:
    """The actions whose regret is positive."""
    return [action for action, regret in zip(actions, weighed.positive, strict=True) if regret > 0]


def reason(weighed: WeighedRegrets, actions: Sequence[str]) -> Words:
    """Why the strategy is what it is, in one line."""
    positive = positive_actions(weighed, actions)
    if len(actions) == 1:
        return words("there is nothing to choose")
    if weighed.rate is not None:
        return words("by Hedge's weights, which grow with the regret and are never 0")
    expected = "" if weighed.prediction is None else "expected "
    if not positive:
        return words(f"no {expected}regret is positive, so all actions are equally likely")
    if len(positive) == 1:
        return words(code(positive[0]), f" alone has a positive {expected}regret, so it is certain")
    if weighed.scale is None:
        return words(f"in proportion to the positive {expected}regrets")
    return words("by NormalHedge's weights, which favour the largest regret more than in proportion")


def _answered_name(weighed: WeighedRegrets) -> str:
    return REGRET if weighed.prediction is None else EXPECTED


def _prediction_blocks(weighed: WeighedRegrets, actions: Sequence[str]) -> tuple[Block, ...]:
    """R̂(a) = R(a) + r(a), if the last regrets are expected once more, or R(a) + p r(a) with a part of them."""
    prediction = weighed.prediction
    if prediction is None:
        return ()
    fade, part = prediction.fade, prediction.part

    def once_more(regret: Expression) -> Expression:
        return regret if part == 1 else multiply(Value(part), regret)

    lines = [] if fade is None else list(fade_lines(fade, prediction.level, "′"))
    kept = Symbol(REGRET, of=ANY) if fade is None else multiply(Symbol("d′", "+"), Symbol(REGRET, of=ANY))
    note = BELOW.replace("d", "d′") if fade is not None and prediction.level != 0 else ""
    lifts = prediction.least is not None and not prediction.least.restarts
    name = f"{EXPECTED}′" if lifts else EXPECTED
    lines.append(Equation((Symbol(name, of=ANY), add(kept, once_more(Symbol("r", of=ANY)))), note))
    totals = []
    rows = zip(actions, weighed.regrets, prediction.last, prediction.expected, strict=True)
    for action, regret, last, expected in rows:
        before = Value(regret) if fade is None else multiply(Value(fade.factor(regret)), Value(regret))
        factor = 1 if fade is None else fade.factor(regret)
        totals.append(factor * regret + part * last if lifts else expected)
        lines.append(Equation((Symbol(name, of=action), add(before, once_more(Value(last))), Value(totals[-1]))))
    if lifts and prediction.least is not None:
        lines += least_sum_lines(EXPECTED, totals, prediction.expected, prediction.least, actions)
    much = "What was seen last" if part == 1 else f"A part of what was seen last, {part} of it,"
    lead = Paragraph(words(f"{much} is expected to come once more. Then the regrets will be:"))
    return lead, Equations(tuple(lines))


def _uniform_blocks(weighed: WeighedRegrets, why: str) -> tuple[Block, ...]:
    lead = Paragraph(words(f"{why}, so all actions are equally likely:"))
    even = (divide(ONE, COUNT), divide(ONE, Value(len(weighed.strategy))), Value(weighed.strategy[0]))
    return lead, Equations((Equation((Symbol("σ", of=ANY), *even)),))


def _shares(name: str, index: str, weights: Numbers, strategy: Numbers, actions: Sequence[str]) -> list[Equation]:
    """σ(a) = weight(a) / Σ weights."""
    total, summed = Symbol(f"Σ {name}", index), sum(weights)
    lines = [
        Equation((total, add(*map(Value, weights)), Value(summed))),
        Equation((Symbol("σ", of=ANY), divide(Symbol(name, index, ANY), total))),
    ]
    for action, weight, probability in zip(actions, weights, strategy, strict=True):
        lines.append(Equation((Symbol("σ", of=action), divide(Value(weight), Value(summed)), Value(probability))))
    return lines


# ---- Hedge


def _hedge_blocks(weighed: WeighedRegrets, rate: HedgeRate, actions: Sequence[str]) -> tuple[Block, ...]:
    """The rate, the weights, the shares."""
    if not rate.eta:
        return _uniform_blocks(weighed, "Nothing has been seen that would tell the actions apart")
    name = _answered_name(weighed)
    most = Value(max(weighed.answered))

    def eta(count: Expression, ranges: Expression) -> Expression:
        return Call(ROOT, (divide(multiply(Value(8), Call("ln", (count,))), ranges),))

    def weight(rate: Expression, regret: Expression, largest: Expression) -> Expression:
        return Call("exp", (multiply(rate, subtract(regret, largest)),))

    lines = [
        Equation((ETA, eta(COUNT, RANGES), eta(Value(len(actions)), Value(rate.squared_ranges)), Value(rate.eta))),
        Equation((Symbol("w", of=ANY), weight(ETA, Symbol(name, of=ANY), Call("max", (Symbol(name),))))),
    ]
    for action, regret, given in zip(actions, weighed.answered, rate.weights, strict=True):
        lines.append(Equation((Symbol("w", of=action), weight(Value(rate.eta), Value(regret), most), Value(given))))
    lines += _shares("w", "", rate.weights, weighed.strategy, actions)
    return Paragraph(words("Hedge gives every action a weight, however bad it was:")), Equations(tuple(lines))


# ---- NormalHedge


def _normalhedge_blocks(weighed: WeighedRegrets, scale: NormalHedgeScale, actions: Sequence[str]) -> tuple[Block, ...]:
    """The equation for the scale c, the steps to its solution, and the weights that follow from it."""
    name = _answered_name(weighed)
    kept, largest = Symbol(name, "+", ANY), Call("max", (Symbol(name, "+"),))
    most, s, c = (Value(number) for number in (max(weighed.positive), scale.steps[-1].next_s, scale.c))
    mean, x = Call("mean", (_potential(kept, C),)), Symbol("x", of=ANY)
    rows = list(zip(actions, weighed.positive, scale.ratios, scale.weights, strict=True))
    potentials = Call("mean", tuple(_potential(Value(regret), c) for regret in weighed.positive))
    weights = [
        Equation((C, divide(Square(largest), multiply(TWO, S)), divide(Square(most), multiply(TWO, s)), c)),
        Equation((mean, potentials, E)),
        Equation((Symbol("w", of=ANY), multiply(divide(kept, C), _potential(kept, C)))),
    ]
    for action, regret, _, weight in rows:
        product = multiply(divide(Value(regret), c), _potential(Value(regret), c))
        weights.append(Equation((Symbol("w", of=action), product, Value(weight))))
    weights += _shares("w", "", scale.weights, weighed.strategy, actions)
    start, *steps = _newton_lines(scale, len(actions))
    asked = Paragraph(words("NormalHedge asks for the number c at which the mean of these potentials is e:"))
    equation = Equations((Equation((mean, E)),))
    positive = positive_actions(weighed, actions)
    if len(positive) == 1:
        lone = words(code(positive[0]), " alone has a positive regret, so the equation is solved at once.")
        return asked, equation, Paragraph(lone), Equations((start, *weights))
    scaled = (
        Equation((x, divide(kept, largest))),
        *(
            Equation((Symbol("x", of=action), divide(Value(regret), most), Value(ratio)))
            for action, regret, ratio, _ in rows
        ),
        Equation((S, divide(Square(largest), multiply(TWO, C)))),
        Equation((Symbol("f", of="s"), _f(S, [x]), Value(0))),
    )
    return (
        asked,
        equation,
        Paragraph(words(f"With x and s in place of {name}₊ and c no number becomes large. It is the same equation:")),
        Equations(scaled),
        Paragraph(words("Newton's method falls to the solution from the right:")),
        Equations((start, *steps)),
        Paragraph(words("This s gives c, and c the weights:")),
        Equations(tuple(weights)),
    )


def _potential(regret: Expression, c: Expression) -> Expression:
    """exp(R₊² / 2c)."""
    return Call("exp", (divide(Square(regret), multiply(TWO, c)),))


def _f(s: Expression, ratios: Sequence[Expression]) -> Expression:
    """s + ln(mean(exp(s (x² − 1)))) − 1, whose root is s = max R₊² / 2c."""
    exponents = (multiply(s, subtract(Square(ratio), ONE)) for ratio in ratios)
    mean = Call("mean", tuple(Call("exp", (exponent,)) for exponent in exponents))
    return subtract(add(s, Call("ln", (mean,))), ONE)


def _newton_lines(scale: NormalHedgeScale, count: int) -> Iterator[Equation]:
    """s₀, f there in full, and each step that still changes a digit: s₁ = s₀ − f(s₀) / f′(s₀).

    s₀ is the right end of where the root can be, and the root itself if one regret alone is positive.
    """

    def right_end(actions: Expression) -> Expression:
        return Call("ln", (add(multiply(actions, subtract(E, ONE)), ONE),))

    first, start = scale.steps[0], Symbol("s", "0")
    name = start if len(scale.steps) > 1 else S
    yield Equation((name, right_end(COUNT), right_end(Value(count)), Value(first.s)))
    ratios = [Value(ratio) for ratio in scale.ratios]
    sides = (_f(start, [Symbol("x", of=ANY)]), _f(Value(first.s), ratios), Value(first.f, F_DECIMALS))
    yield Equation((Symbol("f", of=start.text), *sides))
    for number, step in enumerate(scale.steps):
        if abs(step.f) > ROUNDING:
            here, there = Symbol("s", str(number)), Symbol("s", str(number + 1))
            formula = subtract(here, divide(Symbol("f", of=here.text), Symbol("f′", of=here.text)))
            numbers = subtract(Value(step.s), divide(Value(step.f, F_DECIMALS), Value(step.slope)))
            yield Equation((there, formula, numbers, Value(step.next_s)))
