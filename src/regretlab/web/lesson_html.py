"""The page about exploitability in HTML and MathML. Texts are here, numbers come from ``lesson``."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from html import escape

from regretlab.documents import Equation, Expression, Notation, Symbol, Value, add, divide, mathml, multiply
from regretlab.documents.expressions import PRODUCT, SUM, Operation
from regretlab.documents.mathml import as_mathml
from regretlab.games import Kuhn, Number
from regretlab.web import bots
from regretlab.web.enumeration import Ending, Response, Step, labels_of
from regretlab.web.lesson import STEPS, Lesson, Side, leduc_size

_PLAIN, _EXACT = Notation(), Notation(exact=True)
THINNEST_BAR = 0.8
"""So that a response that earns nothing is seen, in hundredths of the height."""

_SITUATIONS = {"": "{}", "cb": "then {}", "c": "{} after a check"}


def fragment(lesson: Lesson) -> str:
    """Everything that changes with the recipe, the iteration and the stakes."""
    return "\n".join((_summary(lesson), _enumeration(lesson), _cheat(lesson), _limits(), _pass(lesson)))


def form(lesson: Lesson, mistake: str = "") -> str:
    """What can be chosen; it works without a script, too."""
    recipes = "".join(_option(each["slug"], each["name"], lesson.recipe) for each in bots.recipes())
    steps = sorted({*STEPS, lesson.iterations})
    iterations = "".join(_option(str(step), f"{step:,}", str(lesson.iterations)) for step in steps)
    wrong = f'<p class="wrong" role="alert">{escape(mistake)}</p>' if mistake else ""
    return (
        f'{wrong}<form class="card choose row" id="choose" action="exploitability">'
        f'<label class="field"><span>Recipe</span><select name="recipe">{recipes}</select></label>'
        f'<label class="field"><span>After iterations</span><select name="iterations">{iterations}</select></label>'
        '<span class="row steps" hidden><button type="button" class="button" id="less">Fewer</button>'
        '<button type="button" class="button" id="more">More</button></span>'
        f"{_input('ante', 'Ante', lesson.rules.ante)}{_input('bet', 'Bet', lesson.rules.bet)}"
        '<button class="button primary" id="show">Show</button></form>'
    )


def _option(value: str, words: str, chosen: str) -> str:
    return f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(words)}</option>'


def _input(name: str, words: str, value: object) -> str:
    return (
        f'<label class="field"><span>{words}</span>'
        f'<input name="{name}" size="5" value="{escape(str(value))}" autocomplete="off"></label>'
    )


def _summary(lesson: Lesson) -> str:
    bests = [Value(side.best.value) for side in lesson.sides]
    responses = [Symbol("BR", str(k), f"σ̄{other}") for k, other in ((1, "₂"), (2, "₁"))]
    line = Equation(
        (
            Symbol("ε"),
            divide(add(*responses), Value(2)),
            divide(add(*bests), Value(2)),
            Value(lesson.exploitability),
        ),
    )
    stats = (
        ("Exploitability", f"{_milli(lesson, lesson.exploitability)} <small>mbb/g</small>"),
        ("Player 1’s best response earns", _chips(lesson.sides[0].best.value)),
        ("Player 2’s best response earns", _chips(lesson.sides[1].best.value)),
        ("Two cheats would report", f"{_milli(lesson, lesson.cheating)} <small>mbb/g</small>"),
    )
    return (
        f'<section class="card"><h2>After {_count(lesson.iterations)} of {escape(lesson.recipe_name)}</h2>'
        f'<dl class="stats">{"".join(f"<div><dt>{name}</dt><dd>{number}</dd></div>" for name, number in stats)}</dl>'
        "<p>σ̄ is what the bot has learned, its average strategy; σ̄₁ is player 1’s part of it and σ̄₂ player 2’s. BR is "
        "what the best response to it earns, in chips a game. In a zero-sum game the two seats cancel, so ε is never "
        f"negative:</p>{_equation(line)}</section>"
    )


def _enumeration(lesson: Lesson) -> str:
    sides = "".join(_strip(lesson, side) for side in lesson.sides)
    first = lesson.sides[0].different
    return (
        '<section class="card"><h2>Try everything</h2>'
        "<p>A player of Kuhn poker has six information sets with two actions each: 2⁶ = 64 ways to answer. Each is "
        "played against σ̄ in all six deals; the one that earns most is the best response. (Of player 1’s 64 only "
        f"{first} differ: who bets never finds out what a check would have led to.)</p>"
        f'<div class="split">{sides}</div></section>'
    )


def _strip(lesson: Lesson, side: Side) -> str:
    """All responses as bars, the best first, and as a table."""
    number, best = side.player + 1, side.best
    low, high = (edge(0.0, *(each.value for each in side.responses)) for edge in (min, max))
    span = (high - low) or 1.0
    zero = 100 * high / span
    bars = "".join(_bar(k, high, span, each, _told(lesson.rules, each.plan)) for k, each in enumerate(side.responses))
    return (
        f'<figure class="strip player-{number}-side"><figcaption><h3 class="player-{number}">Player {number} '
        f"answers</h3></figcaption>"
        f'<div class="bars" tabindex="0" role="img" data-keys="arrows" aria-label="The values of all 64 responses of '
        f"player {number}, from {_chips(best.value)} down to {_chips(side.responses[-1].value)} chips. "
        f'The arrow keys read them one by one.">'
        '<svg viewBox="0 0 640 100" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="mark" d="M0 0H10V100H0Z"/>{bars}'
        f'<path class="zero" d="M0 {zero:.2f}H640"/></svg></div>'
        f'<p class="reading" aria-live="polite"><strong>Best:</strong> {_chips(best.value)} chips a game. '
        f"{_told(lesson.rules, best.plan)}.</p>"
        f"<details><summary>All 64 as a table</summary>{_table(lesson.rules, side)}</details></figure>"
    )


def _bar(k: int, high: float, span: float, response: Response, told: str) -> str:
    """One response as a bar from 0, in a drawing that is 100 high."""
    top, height = (100 * size / span for size in (high - max(response.value, 0.0), abs(response.value)))
    kind = ' class="best"' if k == 0 else ""
    return (
        f'<rect x="{10 * k + 1}" y="{top:.2f}" width="8" height="{max(height, THINNEST_BAR):.2f}"{kind} '
        f'data-value="{_chips(response.value)}" data-plan="{escape(told)}"/>'
    )


def _told(rules: Kuhn, plan: dict[str, str]) -> str:
    """A plan in words, card by card."""
    cards = [rules.card(rank) for rank in range(rules.cards)]
    return "; ".join(f"{card}: {_actions({k: v for k, v in plan.items() if k[0] == card})}" for card in cards)


def _actions(plan: dict[str, str]) -> str:
    """What is done with one card, without what own actions never lead to."""
    parts = []
    for label, action in sorted(plan.items(), key=lambda item: ("", "cb", "c", "b").index(item[0][1:])):
        moves = label[1:]
        if moves == "b":
            parts.append("fold to a bet" if action == "fold" else "call a bet")
        elif moves != "cb" or plan.get(label[0]) == "check":
            parts.append(_SITUATIONS[moves].format(action))
    return ", ".join(parts)


def _table(rules: Kuhn, side: Side) -> str:
    labels = labels_of(rules, side.player)
    head = "".join(
        f'<th scope="col"><abbr title="{escape(rules.meaning(label))}">{label}</abbr></th>' for label in labels
    )
    rows = "".join(
        f"<tr><td class='number'>{k}</td><td class='number'>{_chips(each.value)}</td>"
        + "".join(f"<td>{each.plan[label]}</td>" for label in labels)
        + "</tr>"
        for k, each in enumerate(side.responses, start=1)
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="All 64 responses of player {side.player + 1}">'
        f'<table><thead><tr><th scope="col" class="number">rank</th><th scope="col" class="number">chips</th>{head}'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cheat(lesson: Lesson) -> str:
    floor, milli = lesson.floor, _milli(lesson, float(lesson.floor))
    sides = "".join(_deals(side) for side in lesson.sides)
    series = [[[t, row[k]] for t, *row in lesson.curve] for k in (0, 1)]
    curve = json.dumps({"series": series, "floor": float(lesson.floor) / lesson.milli, "exact": str(floor)})
    return (
        '<section class="card"><h2>The honest response and the cheat</h2>'
        "<p>The responder must do the same with a Jack whether the other holds the Queen or the King: it cannot see "
        "that. A common mistake lets it choose anew for each deal. Such a response looks at the other’s card, and what "
        "it earns says nothing about the strategy: at an equilibrium of this game “exploitability” stops at "
        f"<strong>{floor}</strong> chips, {milli} mbb/g.</p>"
        f'<div class="split">{sides}</div>'
        f'<div id="curve" data-curve="{escape(curve)}"></div></section>'
    )


def _deals(side: Side) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{_seen(deal.name, side.player)}</th><td>{_actions(deal.honest.plan)}</td>"
        f"<td class='number'>{_chips(deal.honest.value)}</td>"
        f"<td{' class=changed' if deal.cheating.plan != deal.honest.plan else ''}>{_actions(deal.cheating.plan)}</td>"
        f"<td class='number'>{_chips(deal.cheating.value)}</td></tr>"
        for deal in side.deals
    )
    number = side.player + 1
    return (
        f'<div><h3 class="player-{number}">Player {number} answers</h3>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="Honest and cheating, player {number}">'
        '<table class="deals"><thead><tr><th scope="col">cards</th><th scope="col">honest</th>'
        '<th scope="col" class="number">chips</th><th scope="col">cheating</th>'
        f'<th scope="col" class="number">chips</th></tr></thead><tbody>{rows}</tbody>'
        f"<tfoot><tr><th scope='row'>mean</th><td></td><td class='number'>{_chips(side.best.value)}</td><td></td>"
        f"<td class='number'>{_chips(side.cheating)}</td></tr></tfoot></table></div></div>"
    )


def _seen(deal: str, player: int) -> str:
    mine, theirs = (deal[0], deal[1]) if player == 0 else (deal[1], deal[0])
    return f"{mine} against {theirs}"


def _limits() -> str:
    size = leduc_size()
    power = " · ".join(f"{actions}^{count}" for actions, count in size.by_actions.items())
    return (
        '<section class="card"><h2>Why this ends at Leduc poker</h2>'
        f"<p>Leduc poker, the next game up, has {size.infosets} information sets a player with suits merged, "
        f"{size.by_actions[2]} with two actions and {size.by_actions[3]} with three. That makes</p>"
        f'<p class="equations">{as_mathml(f"{power} ≈ {_scientific(size.pure)}")}</p>'
        f"<p>pure strategies. At a billion a second, trying them all takes about {as_mathml(_scientific(size.years))} "
        f"years. One pass from the leaves looks at each of the {size.sequences} actions once.</p></section>"
    )


def _scientific(number: int) -> str:
    exponent = math.floor(math.log10(number))
    return f"{number / 10**exponent:.1f} × 10^{exponent}"


def _pass(lesson: Lesson) -> str:
    sides = "".join(_steps(lesson, side) for side in lesson.sides)
    return (
        '<section class="card"><h2>One pass from the leaves</h2>'
        "<p>Decide the last information sets first. There each action leads to the end of the hand, and its value q is "
        "a sum over the deals: the probability of the deal, times that of what the other player does, times the payoff."
        " The better action is taken, and V, what the information set is worth, is handed to the action before it. So "
        "each decision knows what the later ones will be, and nothing is tried twice. At the root the values add up to "
        "the best of the 64.</p>"
        f'<div class="split">{sides}</div></section>'
    )


def _steps(lesson: Lesson, side: Side) -> str:
    number = side.player + 1
    items = "".join(f"<li>{_step(lesson.rules, step)}</li>" for step in side.steps)
    roots = [step for step in side.steps if step.label[1:] != "cb"]
    total = Equation(
        (
            Symbol("BR", str(number)),
            add(*(Symbol("V", of=step.label) for step in roots)),
            add(*(Value(step.value) for step in roots)),
            Value(side.best.value),
        )
    )
    return (
        f'<div class="pass"><h3 class="player-{number}">Player {number} answers</h3><ol>{items}</ol>'
        f"<p>Together, the same as the best of all 64:</p>{_equation(total)}</div>"
    )


def _step(rules: Kuhn, step: Step) -> str:
    lines = "".join(_equation(line) for line in _lines(step))
    line = Equation((Symbol("V", of=step.label), Value(step.value)))
    return (
        f"<h4><code>{step.label}</code> {escape(rules.meaning(step.label))}</h4>{lines}"
        f"<div class='taken'>Best: <strong>{step.best}</strong>, so {_equation(line)}</div>"
    )


def _lines(step: Step) -> Iterator[Equation]:
    for action, value in step.values.items():
        terms: list[Expression] = [_term(end) for end in step.endings[action] if end.allowed]
        terms += [Symbol("V", of=label) for label in step.later[action]]
        sides = (add(*terms),) if terms else ()
        yield Equation((Symbol("q", of=action), *sides, Value(value)))


def _term(end: Ending) -> Expression:
    deal = divide(Value(end.probability.numerator), Value(end.probability.denominator))  # type: ignore[union-attr]
    allowed = () if end.allowed == 1 else (Value(end.allowed),)
    return multiply(deal, *allowed, Value(end.payoff))


def _equation(line: Equation) -> str:
    """Every term is a formula of its own with the sign before it, so that a long sum breaks into lines."""
    signs = ["", *line.relations(_PLAIN)]
    pieces = [piece for sign, side in zip(signs, line.sides, strict=True) for piece in _pieces(sign, side)]
    return f'<div class="equation">{" ".join(pieces)}</div>'


def _pieces(sign: str, side: Expression) -> Iterator[str]:
    terms = side.terms if isinstance(side, Operation) and side.sign == "+" else (side,)
    for k, term in enumerate(terms):
        before = sign if k == 0 else "+"
        shown = f'<mo form="infix">{before}</mo>' if before else ""
        large = ' displaystyle="true"' if isinstance(term, Operation) and term.sign == "/" else ""
        yield f"<math{large}>{shown}{mathml.expression(term, _PLAIN, SUM if k == 0 else PRODUCT)}</math>"


def _chips(number: Number) -> str:
    return _PLAIN.write(number).text


def _milli(lesson: Lesson, chips: float) -> str:
    """In thousandths of the ante, with three digits or so."""
    number = max(chips, 0.0) / lesson.milli
    return f"{number:,.1f}" if number >= 10 else f"{number:.3g}"


def _count(iterations: int) -> str:
    return f"{iterations:,} iteration{'' if iterations == 1 else 's'}"
