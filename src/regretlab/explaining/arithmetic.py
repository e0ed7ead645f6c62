"""The arithmetic of one information set at one iteration: what a live panel shows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from regretlab.documents import terminal
from regretlab.documents.blocks import Block, Cell, Document, Equations, Heading, Paragraph, Table, code, words
from regretlab.documents.expressions import Equation, Symbol, Value, add, multiply, subtract
from regretlab.documents.numbers import Notation, plain
from regretlab.errors import unknown
from regretlab.explaining.textbook import (
    History,
    Learning,
    Numbers,
    WeighedRegrets,
    check_tabular,
    fade,
    least_sum,
    level,
    size_of_game,
    weigh_regrets,
)
from regretlab.explaining.update_words import ANY, describe_weighing, expected_line, range_lines, regret_lines
from regretlab.forms import Labelled, Strategy, as_form
from regretlab.games import Game, Number
from regretlab.games.registry import as_rules
from regretlab.reference import Basis, Decision, InformationSet, Trainer
from regretlab.rules import CustomRule, Step
from regretlab.solving import Recipe, Solver
from regretlab.solving import recipe as read_recipe
from regretlab.solving.formula import formulas
from regretlab.solving.schedule import SCHEDULES, in_force, passes
from regretlab.solving.steps import steps
from regretlab.spec import whole


@dataclass(frozen=True)
class Hand:
    """One history of the information set: one of the hands that the opponent may hold."""

    history: History
    reach: Number  # how probable the opponent and chance make it to come here
    action_values: Numbers  # what each action is worth here to the player who decides


@dataclass(frozen=True)
class Arithmetic:
    """What one information set sees and learns in one iteration."""

    game: str
    recipe: Recipe
    iteration: int
    label: str
    meaning: str
    player: int
    actions: tuple[str, ...]
    updated: bool  # whether the player learns in this iteration
    hands: tuple[Hand, ...]
    counterfactual_values: Numbers  # q(a): the sum over the hands of reach times value
    counterfactual_value: Number  # q: of what is played
    sampled_values: Numbers  # of a sampled run: what the walk saw in place of q(a); empty if it did not come by
    regret_before: Numbers
    increment: Numbers  # r(a) = q(a) − q, with what was seen
    regret_after: Numbers
    memory: Number  # what the way to weigh keeps: Hedge's V
    strategy: Numbers  # σ, as it was played
    next_strategy: Numbers
    weight: Number  # of the iteration in the average
    own_reach: Number
    sum_before: Numbers
    sum_after: Numbers
    average: Numbers

    @property
    def learning(self) -> Learning:
        """How the regrets changed, part by part."""
        discounts, floor = fade(self.recipe, self.iteration - 1), level(self.recipe)
        return Learning(
            self.regret_before, discounts, (self.increment,), floor, self.regret_after, least_sum(self.recipe)
        )

    @property
    def weighing(self) -> WeighedRegrets:
        """How the next strategy follows from the new regrets, part by part."""
        basis = Basis(iteration=self.iteration, regrets=self.regret_after, squared_ranges=self.memory)
        if self.recipe.predict:
            # It answers the regrets with the next iteration's discounts, and the last ones once more.
            discounts = fade(self.recipe, self.iteration)
            factors = (1.0 if discounts is None else float(discounts.factor(regret)) for regret in self.regret_after)
            basis = basis._replace(discounts=tuple(factors), last=self.increment)
        return replace(weigh_regrets(self.recipe, self.regret_after, basis), strategy=self.next_strategy)

    @property
    def document(self) -> Document:
        """The arithmetic in words and formulas."""
        place = f"{self.label}: {self.meaning}" if self.meaning else self.label
        blocks = (
            Heading(3, words(f"{place}, iteration {self.iteration:,} of {self.recipe.name} on {self.game}")),
            *_history_blocks(self),
            Equations((*_counterfactual_lines(self), *_increment_lines(self))),
            *_update_blocks(self),
            *_strategy_blocks(self),
        )
        return Document(blocks, Notation())

    @property
    def steps(self) -> tuple[Document, Document, Document]:
        """The arithmetic in three steps: what the actions are worth, what is regretted, what is played next."""
        values = (*_history_blocks(self), Equations(tuple(_counterfactual_lines(self))))
        regrets: list[Block] = []
        if self.sampled_values:
            rows = zip(self.actions, self.sampled_values, strict=True)
            regrets = [
                Paragraph(words("This iteration's walk came by. It saw a sample of q, which is right on average:")),
                Equations(tuple(Equation((Symbol("q̂", of=action), Value(value))) for action, value in rows)),
            ]
        if self.updated:
            regrets.append(Equations(tuple(_increment_lines(self))))
        regrets += _update_blocks(self)
        strategy = tuple(_strategy_blocks(self))
        return Document(values, Notation()), Document(tuple(regrets), Notation()), Document(strategy, Notation())

    def text(self, width: int = 100) -> str:
        """The arithmetic as the terminal shows it, without colours."""
        return terminal.as_text(self.document, width)

    def __str__(self) -> str:
        return self.text()

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        named = replace(self, recipe=self.recipe.name)  # type: ignore[arg-type]
        return dict(plain(named, Notation())) | {"formulas": formulas(self.recipe)}


def explain(game: str | Game, recipe: str | Recipe | CustomRule, label: str, iteration: int) -> Arithmetic:
    """The arithmetic of the information set ``label`` at ``iteration`` of a run that walks all deals.

    >>> found = explain("kuhn", "cfr", "J", 1)
    >>> [round(float(value), 4) for value in found.counterfactual_values], round(float(found.counterfactual_value), 4)
    ([-0.4167, -0.1667], -0.2917)
    >>> [hand.history for hand in found.hands]
    [('JQ',), ('JK',)]
    """
    rules, chosen, number = as_rules(game), read_recipe(recipe), whole("iteration", iteration, least=1)
    size_of_game(rules)
    check_tabular(chosen)
    form = as_form(rules)
    if form.owner(label) is None:
        raise unknown(f"information set of {rules.name}", label, form.labels)
    solver = Solver(form, replace(chosen, feedback="full"))
    if number > 1:
        solver.advance(number - 1)
    return explain_next(rules, solver, label)


def explain_next(rules: Game, solver: Solver, label: str) -> Arithmetic:
    """The arithmetic of the iteration that ``solver``, a run of ``rules``, does next; afterwards it has done it."""
    chosen, player = solver.recipe, solver.form.owner(label)
    assert player is not None
    solver.restart_if_due()
    played = solver.current
    regret_before, strategy, sum_before, _ = _kept(solver, label)
    solver.advance(1)
    regret_after, next_strategy, sum_after, average = _kept(solver, label)
    schedule, age = SCHEDULES[chosen.schedule], solver.iteration - solver.since
    zero, one = in_force(schedule, age, player, played, solver.current)
    seen = [decision for decision in decisions_of_pass(rules, (zero, one)) if decision.label == label]
    updated = any(player in players for players in passes(schedule, age))
    first, actions = seen[0], range(len(seen[0].actions))
    increment: Numbers = tuple(sum(each.regret_increments[a] for each in seen) for a in actions)
    sampled: Numbers = ()
    if chosen.feedback_kind.samples:
        values = solver.feedback.look(player, solver.iteration, (zero.arrays[0], one.arrays[1])).values
        there = tuple(Labelled(solver.form, (values, values))[label].values())
        sampled = there if updated and not math.isnan(there[0]) else ()
        updated = bool(sampled)
        value = _expected(strategy, sampled) if sampled else 0.0
        increment = tuple(each - value for each in sampled) if sampled else (0.0,) * len(first.actions)
    return Arithmetic(
        game=rules.name,
        recipe=chosen,
        iteration=solver.iteration,
        label=label,
        meaning=rules.meaning(label) if hasattr(rules, "meaning") else "",
        player=player,
        actions=first.actions,
        updated=updated,
        hands=tuple(Hand(each.history, each.opponent_reach, each.action_values) for each in seen),
        counterfactual_values=tuple(sum(each.opponent_reach * each.action_values[a] for each in seen) for a in actions),
        counterfactual_value=sum(each.opponent_reach * each.value for each in seen),
        sampled_values=sampled,
        regret_before=regret_before,
        increment=increment,
        regret_after=regret_after,
        memory=float(solver.sides[player].memory[solver.form.treeplexes[player].index[label]]),
        strategy=strategy,
        next_strategy=next_strategy,
        weight=Step(*steps(chosen, age - 1, 1)[0].tolist()).weight,
        own_reach=first.own_reach,
        sum_before=sum_before,
        sum_after=sum_after,
        average=average,
    )


def _expected(strategy: Numbers, values: Numbers) -> Number:
    """The value of what is played: Σ σ(a) q(a)."""
    return sum(probability * value for probability, value in zip(strategy, values, strict=True))


def _kept(solver: Solver, label: str) -> list[Numbers]:
    """What the engine keeps for one information set: regrets, current strategy, sums and average strategy."""
    regret, total = (
        # Copies: what is labelled can't be written to any more.
        Labelled(solver.form, (getattr(solver.sides[0], kept).copy(), getattr(solver.sides[1], kept).copy()))
        for kept in ("regret", "total")
    )
    views: tuple[Mapping[str, Mapping[str, float]], ...] = (regret, solver.current, total, solver.average)
    return [tuple(view[label].values()) for view in views]


class _Fixed(InformationSet):
    """Plays a given strategy whatever its regrets are."""

    def get_strategy(self) -> list[Number]:
        return list(self.strategy)


def decisions_of_pass(game: Game, played: tuple[Strategy, Strategy], deal: str | None = None) -> list[Decision]:
    """One pass of the textbook under given strategies over all deals, or over a single one: what happens where.

    Each player plays what stands for that player in the own one of the two strategies.
    """
    seen: list[Decision] = []
    trainer = Trainer(game, _Fixed, deals="all" if deal is None else [deal], observer=seen.append)
    for name, infoset in trainer.infosets.items():
        strategy = next(each for player, each in enumerate(played) if name in each.form.treeplexes[player].index)
        infoset.strategy = [float(probability) for probability in strategy[name].values()]
    trainer.train(1)
    return seen


# ---- in words and formulas


def _history_blocks(found: Arithmetic) -> tuple[Block, ...]:
    """What each action is worth in each history, and how probable the others make that history."""
    text = (
        f"What each action is worth to player {found.player} in each history, and the reach, how probable player "
        f"{1 - found.player} and chance make it:"
    )
    rows: list[tuple[Cell, ...]] = [
        (" › ".join(hand.history), Value(hand.reach), *map(Value, hand.action_values)) for hand in found.hands
    ]
    return (
        Paragraph(words(text)),
        Table("", ("history", "reach", *(f"v({action})" for action in found.actions)), tuple(rows)),
        Paragraph(words("The counterfactual values q sum reach times value over all of these:")),
    )


def _counterfactual_lines(found: Arithmetic) -> Iterator[Equation]:
    """q(a), the sum over the histories, and q, the value of what is played."""
    for a, action in enumerate(found.actions):
        products = add(*(multiply(Value(hand.reach), Value(hand.action_values[a])) for hand in found.hands))
        yield Equation((Symbol("q", of=action), products, Value(found.counterfactual_values[a])))
    values, value = found.counterfactual_values, found.counterfactual_value
    yield expected_line("q", found.actions, found.strategy, values, value)


def _increment_lines(found: Arithmetic) -> Iterator[Equation]:
    """r(a) = q(a) − q, or with what a walk saw in place of q."""
    symbol, values, value = "q", found.counterfactual_values, found.counterfactual_value
    if found.sampled_values:
        symbol, values, value = "q̂", found.sampled_values, _expected(found.strategy, found.sampled_values)
    yield Equation((Symbol("r", of=ANY), subtract(Symbol(symbol, of=ANY), Symbol(symbol))))
    for action, each, regret in zip(found.actions, values, found.increment, strict=True):
        yield Equation((Symbol("r", of=action), subtract(Value(each), Value(value)), Value(regret)))


def _update_blocks(found: Arithmetic) -> Iterator[Block]:
    """The update, worked out; of a user's own rule only the formulas are known."""
    if not found.updated:
        where = "here " if found.recipe.feedback_kind.samples else ""
        yield Paragraph(words(f"Player {found.player} learns nothing {where}in this iteration."))
    elif found.recipe.rule is not None:
        for name, formula in formulas(found.recipe).items():
            yield Paragraph(words(f"{name}: ", code(formula)))
    else:
        yield Paragraph(words("The regrets take this in, and the next strategy follows from them:"))
        ranges = range_lines(found.learning, found.weighing.rate)
        yield Equations((*regret_lines(found.learning, found.actions), *ranges))


def _strategy_blocks(found: Arithmetic) -> Iterator[Block]:
    """The next strategy, worked out, and all numbers before and after."""
    if found.updated and found.recipe.rule is None:
        for piece in describe_weighing(found.weighing, found.actions):
            yield from piece
    columns = {
        "σ": found.strategy,
        "R before": found.regret_before,
        "r": found.increment,
        "R after": found.regret_after,
        "next σ": found.next_strategy,
        "S before": found.sum_before,
        "S after": found.sum_after,
        "average": found.average,
    }
    if len(found.actions) <= len(columns):  # whichever way is narrower
        rows: list[tuple[Cell, ...]] = [(name, *map(Value, numbers)) for name, numbers in columns.items()]
        yield Table("", ("", *found.actions), tuple(rows))
        return
    rows = [(action, *map(Value, numbers)) for action, *numbers in zip(found.actions, *columns.values(), strict=True)]
    yield Table("", ("action", *columns), tuple(rows))
