"""From regrets to a strategy, told step by step."""

from __future__ import annotations

from collections.abc import Sequence

from regretlab.documents import (
    ROOT,
    Block,
    Call,
    Equation,
    Equations,
    Expression,
    Paragraph,
    Square,
    Symbol,
    Value,
    Words,
    add,
    code,
    divide,
    multiply,
    subtract,
    words,
)
from regretlab.explaining.events import Numbers, Prediction, Rate, Scale, Weighing
from regretlab.explaining.learning import ANY, BELOW, RANGES, fade_lines
from regretlab.explaining.together import Pieces
from regretlab.reference import NewtonStep

C, S, E, COUNT, ETA = (Symbol(name) for name in "cseNη")
ONE, TWO = Value(1), Value(2)

REGRET, EXPECTED = "R", "R̂"
"""What the strategy answers: the regrets, or with a prediction what they will be."""

F_DECIMALS = 14
"""f is a small difference of numbers near 1, so floats know it to so many decimals and no more."""

ROUNDING = 1e-11
"""A step of Newton's method from where f is smaller than this changes no digit that is shown."""


def tell_weighing(weighing: Weighing, actions: Sequence[str]) -> Pieces:
    """How the regrets of one information set become its strategy: what is expected, what is positive, the shares.

    Always three pieces, some of them empty, so that those of several recipes stand beside each other.
    """
    expected = () if weighing.prediction is None else _tell_prediction(weighing, weighing.prediction, actions)
    if weighing.rate is not None:
        return [expected, (), _tell_rate(weighing, weighing.rate, actions)]
    kept: tuple[Block, ...] = (Equations(tuple(_positive_parts(weighing, actions))),)
    positive = positive_actions(weighing, actions)
    if not positive:
        return [expected, kept, _tell_uniform(weighing, actions)]
    if weighing.scale is None:
        shares = _shares(_name(weighing), "+", weighing.positive, weighing.strategy, actions)
        return [expected, kept, (Equations(tuple(shares)),)]
    return [expected, kept, _tell_scale(weighing, weighing.scale, actions, positive)]


def _name(weighing: Weighing) -> str:
    return REGRET if weighing.prediction is None else EXPECTED


def _tell_prediction(weighing: Weighing, prediction: Prediction, actions: Sequence[str]) -> tuple[Block, ...]:
    """R̂(a) = R(a) + r(a): the last regrets are expected once more."""
    said = Paragraph(words("What was seen last is expected to come once more. Then the regrets will be:"))
    fade = prediction.fade
    lines = [] if fade is None else list(fade_lines(fade, prediction.level, "′"))
    kept = Symbol(REGRET, of=ANY) if fade is None else multiply(Symbol("d′", "+"), Symbol(REGRET, of=ANY))
    note = BELOW.replace("d", "d′") if fade is not None and prediction.level != 0 else ""
    lines.append(Equation((Symbol(EXPECTED, of=ANY), add(kept, Symbol("r", of=ANY))), note))
    rows = zip(actions, weighing.regrets, prediction.last, prediction.expected, strict=True)
    for action, regret, last, expected in rows:
        before = Value(regret) if fade is None else multiply(Value(fade.factor(regret)), Value(regret))
        lines.append(Equation((Symbol(EXPECTED, of=action), add(before, Value(last)), Value(expected))))
    return said, Equations(tuple(lines))


def _tell_rate(weighing: Weighing, rate: Rate, actions: Sequence[str]) -> tuple[Block, ...]:
    """Hedge: the rate, the weights."""
    if not rate.eta:
        return _tell_uniform(weighing, actions, "Nothing has been seen that would tell the actions apart")
    name = _name(weighing)
    most = Value(max(weighing.answered))

    def eta(count: Expression, ranges: Expression) -> Expression:
        return Call(ROOT, (divide(multiply(Value(8), Call("ln", (count,))), ranges),))

    def weight(rate: Expression, regret: Expression, largest: Expression) -> Expression:
        return Call("exp", (multiply(rate, subtract(regret, largest)),))

    rows = zip(actions, weighing.answered, rate.weights, strict=True)
    return (
        Paragraph(words("Hedge gives every action a weight, however bad it was:")),
        Equations(
            (
                Equation(
                    (
                        ETA,
                        eta(COUNT, RANGES),
                        eta(Value(len(actions)), Value(rate.squared_ranges)),
                        Value(rate.eta),
                    )
                ),
                Equation((Symbol("w", of=ANY), weight(ETA, Symbol(name, of=ANY), Call("max", (Symbol(name),))))),
                *(
                    Equation((Symbol("w", of=action), weight(Value(rate.eta), Value(regret), most), Value(given)))
                    for action, regret, given in rows
                ),
                *_shares("w", "", rate.weights, weighing.strategy, actions),
            )
        ),
    )


def positive_actions(weighing: Weighing, actions: Sequence[str]) -> list[str]:
    """The actions whose regret is positive."""
    return [action for action, regret in zip(actions, weighing.positive, strict=True) if regret > 0]


def reason(weighing: Weighing, actions: Sequence[str]) -> Words:
    """Why the strategy is what it is, in one line."""
    positive = positive_actions(weighing, actions)
    if len(actions) == 1:
        return words("there is nothing to choose")
    if weighing.rate is not None:
        return words("by Hedge's weights, which grow with the regret and are never 0")
    expected = "" if weighing.prediction is None else "expected "
    if not positive:
        return words(f"no {expected}regret is positive, so all actions are equally likely")
    if len(positive) == 1:
        return words(code(positive[0]), f" alone has a positive {expected}regret, so it is certain")
    if weighing.scale is None:
        return words(f"in proportion to the positive {expected}regrets")
    return words("by NormalHedge's weights, which favour the largest regret more than in proportion")


def _tell_uniform(weighing: Weighing, actions: Sequence[str], why: str = "No regret is positive") -> tuple[Block, ...]:
    said = Paragraph(words(f"{why}, so all actions are equally likely:"))
    even = (divide(ONE, COUNT), divide(ONE, Value(len(actions))), Value(weighing.strategy[0]))
    return said, Equations((Equation((Symbol("σ", of=ANY), *even)),))


def _positive_parts(weighing: Weighing, actions: Sequence[str]) -> list[Equation]:
    """R₊(a) = max(R(a), 0)."""
    name = _name(weighing)
    rule = Equation((Symbol(name, "+", ANY), Call("max", (Symbol(name, of=ANY), Value(0)))))
    return [
        rule,
        *(
            Equation((Symbol(name, "+", action), Call("max", (Value(regret), Value(0))), Value(kept)))
            for action, regret, kept in zip(actions, weighing.answered, weighing.positive, strict=True)
        ),
    ]


def _shares(name: str, index: str, weights: Numbers, strategy: Numbers, actions: Sequence[str]) -> list[Equation]:
    """σ(a) = weight(a) / Σ weights."""
    total = Symbol(f"Σ {name}", index)
    summed = sum(weights)
    return [
        Equation((total, add(*(Value(weight) for weight in weights)), Value(summed))),
        Equation((Symbol("σ", of=ANY), divide(Symbol(name, index, ANY), total))),
        *(
            Equation((Symbol("σ", of=action), divide(Value(weight), Value(summed)), Value(probability)))
            for action, weight, probability in zip(actions, weights, strategy, strict=True)
        ),
    ]


def _tell_scale(weighing: Weighing, scale: Scale, actions: Sequence[str], positive: Sequence[str]) -> tuple[Block, ...]:
    """NormalHedge: the equation, the steps to its solution, c, the weights."""
    equation = Equation((Call("mean", (_potential(Symbol(_name(weighing), "+", ANY), C),)), E))
    asked = Paragraph(words("NormalHedge asks for the number c at which the mean of these potentials is e:"))
    weights = (*_scale_lines(weighing, scale, actions), *_weight_lines(weighing, scale, actions))
    shares = _shares("w", "", scale.weights, weighing.strategy, actions)
    if len(positive) == 1:
        lone = words(code(positive[0]), " alone has a positive regret, so the equation is solved at once.")
        return (
            asked,
            Equations((equation,)),
            Paragraph(lone),
            Equations((_right_end(scale, len(actions)), *weights, *shares)),
        )
    return (
        asked,
        Equations((equation,)),
        Paragraph(
            words(
                f"With x and s in place of {_name(weighing)}₊ and c no number becomes large. It is the same equation:"
            )
        ),
        Equations(tuple(_scaled_lines(weighing, scale, actions))),
        Paragraph(words("Newton's method falls to the solution from the right:")),
        Equations(tuple(_newton_lines(scale, len(actions)))),
        Paragraph(words("This s gives c, and c the weights:")),
        Equations((*weights, *shares)),
    )


def _largest(weighing: Weighing) -> Expression:
    return Call("max", (Symbol(_name(weighing), "+"),))


def _potential(regret: Expression, c: Expression) -> Expression:
    """exp(R₊² / 2c)."""
    return Call("exp", (divide(Square(regret), multiply(TWO, c)),))


def _scaled_lines(weighing: Weighing, scale: Scale, actions: Sequence[str]) -> list[Equation]:
    largest = max(weighing.positive)
    x = Symbol("x", of=ANY)
    return [
        Equation((x, divide(Symbol(_name(weighing), "+", ANY), _largest(weighing)))),
        *(
            Equation((Symbol("x", of=action), divide(Value(regret), Value(largest)), Value(ratio)))
            for action, regret, ratio in zip(actions, weighing.positive, scale.ratios, strict=True)
        ),
        Equation((S, divide(Square(_largest(weighing)), multiply(TWO, C)))),
        Equation((Symbol("f", of="s"), _f(S, [x]), Value(0))),
    ]


def _f(s: Expression, ratios: Sequence[Expression]) -> Expression:
    """s + ln(mean(exp(s (x² − 1)))) − 1."""
    exponents = (multiply(s, subtract(Square(ratio), ONE)) for ratio in ratios)
    mean = Call("mean", tuple(Call("exp", (exponent,)) for exponent in exponents))
    return subtract(add(s, Call("ln", (mean,))), ONE)


def _right_end(scale: Scale, count: int) -> Equation:
    """Where Newton's method starts: the solution if one regret alone is positive."""

    def end(actions: Expression) -> Expression:
        return Call("ln", (add(multiply(actions, subtract(E, ONE)), ONE),))

    name = Symbol("s", "0") if len(scale.steps) > 1 else S
    return Equation((name, end(COUNT), end(Value(count)), Value(scale.steps[0].s)))


def _newton_lines(scale: Scale, count: int) -> list[Equation]:
    first = scale.steps[0]
    start, f_start = Symbol("s", "0"), Symbol("f", of=Symbol("s", "0").text)
    ratios = [Value(ratio) for ratio in scale.ratios]
    return [
        _right_end(scale, count),
        Equation((f_start, _f(start, [Symbol("x", of=ANY)]), _f(Value(first.s), ratios), Value(first.f, F_DECIMALS))),
        *(_newton_line(number, step) for number, step in enumerate(scale.steps) if abs(step.f) > ROUNDING),
    ]


def _newton_line(number: int, step: NewtonStep) -> Equation:
    here, there = Symbol("s", str(number)), Symbol("s", str(number + 1))
    formula = subtract(here, divide(Symbol("f", of=here.text), Symbol("f′", of=here.text)))
    return Equation(
        (
            there,
            formula,
            subtract(Value(step.s), divide(Value(step.f, F_DECIMALS), Value(step.slope))),
            Value(step.next_s),
        )
    )


def _scale_lines(weighing: Weighing, scale: Scale, actions: Sequence[str]) -> list[Equation]:
    """c from s, and that it solves the equation."""
    largest, s, c = (Value(number) for number in (max(weighing.positive), scale.steps[-1].next_s, scale.c))
    potentials = Call("mean", tuple(_potential(Value(regret), c) for regret in weighing.positive))
    return [
        Equation(
            (C, divide(Square(_largest(weighing)), multiply(TWO, S)), divide(Square(largest), multiply(TWO, s)), c)
        ),
        Equation((Call("mean", (_potential(Symbol(_name(weighing), "+", ANY), C),)), potentials, E)),
    ]


def _weight_lines(weighing: Weighing, scale: Scale, actions: Sequence[str]) -> list[Equation]:
    """w(a) = R₊(a)/c · exp(R₊(a)² / 2c)."""
    c, kept = Value(scale.c), Symbol(_name(weighing), "+", ANY)
    return [
        Equation((Symbol("w", of=ANY), multiply(divide(kept, C), _potential(kept, C)))),
        *(
            Equation(
                (
                    Symbol("w", of=action),
                    multiply(divide(Value(regret), c), _potential(Value(regret), c)),
                    Value(weight),
                )
            )
            for action, regret, weight in zip(actions, weighing.positive, scale.weights, strict=True)
        ),
    ]
