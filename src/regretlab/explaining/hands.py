"""A hand's decision in a solved spot in words: what each action earns, and what the other player makes of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from regretlab.documents import numbers
from regretlab.documents.blocks import Block, Cell, Document, Equations, Heading, Paragraph, Table, code, words
from regretlab.documents.expressions import Equation, Symbol, Value, add, multiply, subtract
from regretlab.documents.numbers import Notation
from regretlab.endgames.hand_decision import Answer, HandDecision, Option, Shown
from regretlab.endgames.spot import PLAYERS

SAME = 0.005
"""Parts of the pot: actions that earn as much as the best one but for so little are called equally good."""

RARELY = 0.005
"""What is done less often than this is not called a part of a mixed strategy."""


def hand_document(found: HandDecision) -> Document:
    """Why the hand does what it does."""
    where = f"after {', '.join(found.node.line)}" if found.node.line else "at the start"
    blocks: list[Block] = [
        Heading(3, words(f"{found.hand} {where}")),
        Paragraph(words(_verdict(found))),
        _actions(found),
    ]
    for option in found.options:
        if option.answers:
            blocks += _answered(found, option)
        elif option.shown:
            blocks += _shown(found, option, option.shown)
    blocks += _blockers(found)
    blocks.append(Paragraph(words(_NOTE)))
    return Document(tuple(blocks), Notation())


_NOTE = (
    "Chips that are in the pot already belong to nobody: an action costs what it puts in now, and whoever wins gets "
    "all that is on the table. So folding is worth 0."
)


def _verdict(found: HandDecision) -> str:
    """What it does, and whether that is because one action is better or because several are as good."""
    if found.best is None:
        return "The other player never gets here with a hand that goes with this one, so nothing is at stake."
    played = [each for each in found.options if each.probability > RARELY]
    near = SAME * found.node.pot
    done = " and ".join(f"{each.action} ({numbers.percent(each.probability)})" for each in played)
    if found.locked:
        best = max(found.options, key=_worth)
        lost = _worth(best) - sum(each.probability * _worth(each) for each in found.options if each.probability)
        return f"It is locked to {done}. That costs it {numbers.loss(max(lost, 0.0))} chips: {best.action} earns most."
    if len(played) > 1:
        spread = max(_worth(each) for each in played) - min(_worth(each) for each in played)
        if spread <= near:
            return f"It mixes {done}, because these earn the same but for {numbers.loss(spread)} chips."
        return f"It still mixes {done}, which differ by {numbers.loss(spread)} chips: more iterations will settle that."
    others = [each for each in found.options if each.probability <= RARELY and each.ev is not None]
    if not others or not played:
        return f"It does {done or 'nothing else'}."
    second = max(others, key=_worth)
    gap = _worth(played[0]) - _worth(second)
    return f"It does {done}, which earns {numbers.loss(max(gap, 0.0))} chips more than {second.action}, the next best."


def _worth(option: Option) -> float:
    return option.ev if option.ev is not None else float("-inf")


def _actions(found: HandDecision) -> Table:
    """Every action with its frequency, cost and value."""
    rows = [
        (
            f"`{each.action}`",
            numbers.percent(each.probability),
            f"{each.cost:,}",
            "–" if each.ev is None else numbers.value(each.ev),
        )
        for each in found.options
    ]
    return Table("", ("action", "how often", "costs", "earns"), tuple(rows))


def _answered(found: HandDecision, option: Option) -> Iterator[Block]:
    """What the other player answers, and the sum over it."""
    other = PLAYERS[1 - found.node.player]
    yield Paragraph(words("What ", code(option.action), f" earns is a sum over what {other} answers:"))
    rows: list[tuple[Cell, ...]] = [
        (
            f"`{each.action}`",
            numbers.percent(each.probability),
            "–" if math.isnan(each.usual) else numbers.percent(each.usual),
            numbers.percent(each.blocked),
            "–" if each.ev is None else numbers.value(each.ev),
            ", ".join(_with_share(*each_kind) for each_kind in each.kinds[:MOST_KINDS]) or "–",
        )
        for each in option.answers
    ]
    yield Table(
        "", (f"{other}'s answer", "how often", "on average", "blocked", "worth", "most often with"), tuple(rows)
    )
    ends = [_showdown(Symbol("worth", of=each.action), each.shown) for each in option.answers if each.shown]
    yield Equations((*ends, _sum(option)))
    said = _blocking(option.answers)
    if said:
        yield Paragraph(words(said))


def _with_share(kind: str, share: float) -> str:
    """A kind of hands and how much of them it is, in which no line ends, however narrow the column is."""
    return f"{kind} {numbers.percent(share)}".replace(" ", "\N{NO-BREAK SPACE}")


MOST_KINDS = 2
"""Kinds of hands that are named for an answer."""

MOST_BLOCKED = 6
"""Fields of the grid that are named as blocked."""


def _showdown(name: Symbol, shown: Shown, cost: int = 0) -> Equation:
    """What showing hands is worth: ahead × pot + level × pot / 2 − cost."""
    half = multiply(Value(shown.level), Value(shown.pot / 2))
    whole = add(multiply(Value(shown.ahead), Value(shown.pot)), *([half] if shown.level else []))
    return Equation((name, subtract(whole, Value(cost)) if cost else whole, Value(shown.ev - cost)))


def _shown(found: HandDecision, option: Option, shown: Shown) -> Iterator[Block]:
    """An action after which hands are shown."""
    other = PLAYERS[1 - found.node.player]
    parts = {"ahead of": shown.ahead, "level with": shown.level, "behind": shown.behind}
    said = ", ".join(f"{word} {numbers.percent(part)}" for word, part in parts.items() if part)
    yield Paragraph(words("After ", code(option.action), f" hands are shown: it is {said} of what {other} has here."))
    yield Equations((_showdown(Symbol("EV", of=option.action), shown, option.cost),))


def _blockers(found: HandDecision) -> Iterator[Block]:
    """Which hands can't be there because the own two cards are in them."""
    if not found.blocked:
        return
    other, total = PLAYERS[1 - found.node.player], sum(each.share for each in found.blocked)
    rows = [
        (each.field, numbers.percent(each.gone), numbers.percent(each.share)) for each in found.blocked[:MOST_BLOCKED]
    ]
    yield Paragraph(words(f"Its two cards take away {numbers.percent(total)} of what {other} would have here, most:"))
    yield Table("", ("hands", "of them gone", "of the range here"), tuple(rows))


def _sum(option: Option) -> Equation:
    """EV(bet) = Σ probability × worth − cost."""
    terms = [multiply(Value(each.probability), Value(each.ev)) for each in option.answers if each.ev is not None]
    assert option.ev is not None
    whole = add(*terms)
    return Equation(
        (
            Symbol("EV", of=option.action),
            subtract(whole, Value(option.cost)) if option.cost else whole,
            Value(option.ev),
        )
    )


NOTABLE = 0.02
"""A difference of blocked shares of this much is worth a sentence."""


def _blocking(answers: tuple[Answer, ...]) -> str:
    """What the own two cards take away, where that differs between answers."""
    there = [each for each in answers if each.usual > RARELY]  # not where it is nan
    if len(there) < 2:
        return ""
    most, least = max(there, key=lambda each: each.blocked), min(there, key=lambda each: each.blocked)
    if most.blocked - least.blocked < NOTABLE:
        return ""
    return (
        f"The two cards are in {numbers.percent(most.blocked)} of the hands that {most.action} and in "
        f"{numbers.percent(least.blocked)} of those that {least.action}: it is less likely to meet a {most.action}."
    )
