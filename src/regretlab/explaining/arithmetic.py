"""The arithmetic of one information set at one iteration: what a live panel shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from regretlab.documents import (
    Block,
    Cell,
    Document,
    Equation,
    Equations,
    Heading,
    Notation,
    Paragraph,
    Symbol,
    Table,
    Value,
    add,
    code,
    multiply,
    plain,
    subtract,
    terminal,
    words,
)
from regretlab.errors import unknown
from regretlab.explaining.events import History, Learning, Numbers, Weighing
from regretlab.explaining.learning import ANY, range_line, regret_lines
from regretlab.explaining.lesson import check_tabular, look_over
from regretlab.explaining.sampled import forget_values, values_seen
from regretlab.explaining.textbook import fade, level, weighing
from regretlab.explaining.weighing import tell_weighing
from regretlab.forms import Labelled, Strategy, as_form
from regretlab.games import Game, Number
from regretlab.games.registry import as_rules
from regretlab.reference import Basis, Decision, InformationSet, Trainer
from regretlab.rules import CustomRule, Step
from regretlab.solving import Recipe, Solver
from regretlab.solving import recipe as read_recipe
from regretlab.solving.formula import formulas
from regretlab.solving.schedule import SCHEDULES, passes
from regretlab.solving.steps import steps
from regretlab.spec import whole

Q = Symbol("q")


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
        """How the regrets changed, in parts."""
        discounts, floor = fade(self.recipe, self.iteration - 1), level(self.recipe)
        return Learning(self.regret_before, discounts, (self.increment,), floor, self.regret_after)

    @property
    def weighing(self) -> Weighing:
        """How the next strategy follows from them, in parts."""
        predicted = _predicted(self) if self.recipe.predict else Basis()
        basis = predicted._replace(iteration=self.iteration, regrets=self.regret_after, squared_ranges=self.memory)
        return replace(weighing(self.recipe, self.regret_after, basis), strategy=self.next_strategy)

    @property
    def document(self) -> Document:
        """The arithmetic in words and formulas."""
        return Document(tuple(_tell(self)), Notation())

    @property
    def steps(self) -> tuple[Document, Document, Document]:
        """The same in three steps: what the actions are worth, what is regretted, what is played next."""
        values, regrets, strategy = (tuple(tell(self)) for tell in (_tell_values, _tell_regrets, _tell_strategy))
        return Document(values, Notation()), Document(regrets, Notation()), Document(strategy, Notation())

    def text(self, width: int = 100) -> str:
        """As the terminal shows it, without colours."""
        return terminal.as_text(self.document, width)

    def __str__(self) -> str:
        return self.text()

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        named = replace(self, recipe=self.recipe.name)  # type: ignore[arg-type]
        return dict(plain(named, Notation())) | {"formulas": formulas(self.recipe)}


def explain(game: str | Game, recipe: str | Recipe | CustomRule, label: str, iteration: int) -> Arithmetic:
    """The arithmetic of the information set ``label`` at ``iteration`` of a run that walks all deals.

    >>> told = explain("kuhn", "cfr", "J", 1)
    >>> [round(float(value), 4) for value in told.counterfactual_values], round(float(told.counterfactual_value), 4)
    ([-0.4167, -0.1667], -0.2917)
    >>> [hand.history for hand in told.hands]
    [('JQ',), ('JK',)]
    """
    rules, chosen, number = as_rules(game), read_recipe(recipe), whole("iteration", iteration, least=1)
    look_over(rules)
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
    before = _look(solver, label)
    played = solver.current
    forget_values(solver)
    solver.advance(1)
    # In alternating updates player 1 answers what player 0 has just learned.
    answered = solver.current if chosen.schedule == "alternating" and player == 1 else played
    seen = _decisions(rules, label, (played, answered) if player == 0 else (answered, played))
    learning = [learner for players in passes(SCHEDULES[chosen.schedule], solver.iteration) for learner in players]
    told = _arithmetic(rules, chosen, solver.iteration, player in learning, seen, before, _look(solver, label))
    return told if chosen.feedback == "full" else _sampled(told, values_seen(solver, played, label))


def _sampled(told: Arithmetic, values: Numbers) -> Arithmetic:
    """The arithmetic with what the walk saw, if it came by."""
    if not told.updated or not values:
        return replace(told, updated=False, increment=(0.0,) * len(told.actions))
    value = _expected(told.strategy, values)
    return replace(told, sampled_values=values, increment=tuple(each - value for each in values))


def _expected(strategy: Numbers, values: Numbers) -> Number:
    """What is played is worth: Σ σ(a) q(a)."""
    return sum(probability * value for probability, value in zip(strategy, values, strict=True))


@dataclass(frozen=True)
class _State:
    """What the engine keeps for one information set."""

    regret: Numbers
    strategy: Numbers
    total: Numbers
    average: Numbers
    memory: float


def _look(solver: Solver, label: str) -> _State:
    regret, total = (
        # Copies: what is labelled can't be written to any more.
        Labelled(solver.form, (getattr(solver.sides[0], kept).copy(), getattr(solver.sides[1], kept).copy()))
        for kept in ("regret", "total")
    )
    views: tuple[Mapping[str, Mapping[str, float]], ...] = (regret, solver.current, total, solver.average)
    player = solver.form.owner(label)
    assert player is not None
    memory = solver.sides[player].memory[solver.form.treeplexes[player].index[label]]
    kept, strategy, counted, average = (tuple(view[label].values()) for view in views)
    return _State(kept, strategy, counted, average, float(memory))


class _Fixed(InformationSet):
    """Plays what it was told to."""

    def get_strategy(self) -> list[Number]:
        return list(self.strategy)


def _decisions(game: Game, label: str, played: tuple[Strategy, Strategy]) -> list[Decision]:
    """One pass of the textbook under given strategies: what happens in each history of an information set."""
    seen: list[Decision] = []
    trainer = Trainer(game, _Fixed, deals="all", observer=seen.append)
    for name, infoset in trainer.infosets.items():
        strategy = next(each for player, each in enumerate(played) if name in each.form.treeplexes[player].index)
        infoset.strategy = [float(probability) for probability in strategy[name].values()]
    trainer.train(1)
    return [decision for decision in seen if decision.label == label]


def _arithmetic(
    game: Game, recipe: Recipe, iteration: int, updated: bool, seen: list[Decision], before: _State, after: _State
) -> Arithmetic:
    first = seen[0]
    values = [sum(each.opponent_reach * each.action_values[a] for each in seen) for a in range(len(first.actions))]
    return Arithmetic(
        game=game.name,
        recipe=recipe,
        iteration=iteration,
        label=first.label,
        meaning=game.meaning(first.label) if hasattr(game, "meaning") else "",
        player=first.player,
        actions=first.actions,
        updated=updated,
        hands=tuple(Hand(each.history, each.opponent_reach, each.action_values) for each in seen),
        counterfactual_values=tuple(values),
        counterfactual_value=sum(each.opponent_reach * each.value for each in seen),
        sampled_values=(),
        regret_before=before.regret,
        increment=tuple(sum(each.regret_increments[a] for each in seen) for a in range(len(first.actions))),
        regret_after=after.regret,
        memory=after.memory,
        strategy=before.strategy,
        next_strategy=after.strategy,
        weight=Step(*steps(recipe, iteration - 1, 1)[0].tolist()).weight,
        own_reach=first.own_reach,
        sum_before=before.total,
        sum_after=after.total,
        average=after.average,
    )


def _predicted(told: Arithmetic) -> Basis:
    """What a prediction answers: the regrets with the next iteration's discounts, and the last ones once more."""
    discounts = fade(told.recipe, told.iteration)
    factors = (1.0 if discounts is None else float(discounts.factor(regret)) for regret in told.regret_after)
    return Basis(discounts=tuple(factors), last=told.increment)


def _tell(told: Arithmetic) -> Iterator[Block]:
    place = f"{told.label}: {told.meaning}" if told.meaning else told.label
    yield Heading(3, words(f"{place}, iteration {told.iteration:,} of {told.recipe.name} on {told.game}"))
    yield from _tell_histories(told)
    yield Equations((*_counterfactual_lines(told), *_increment_lines(told)))
    yield from _tell_learning(told)
    yield _state(told)


def _tell_histories(told: Arithmetic) -> Iterator[Block]:
    reach = f"how probable player {1 - told.player} and chance make it"
    yield Paragraph(
        words(f"What each action is worth to player {told.player} in each history, and the reach, {reach}:")
    )
    yield _hands(told)
    yield Paragraph(words("The counterfactual values q sum reach times value over all of these:"))


def _tell_values(told: Arithmetic) -> Iterator[Block]:
    """The first step."""
    yield from _tell_histories(told)
    yield Equations(tuple(_counterfactual_lines(told)))


def _tell_regrets(told: Arithmetic) -> Iterator[Block]:
    """The second step."""
    if told.sampled_values:
        yield Paragraph(words("This iteration's walk came by. It saw a sample of q, which is right on average:"))
        rows = zip(told.actions, told.sampled_values, strict=True)
        yield Equations(tuple(Equation((Symbol("q̂", of=action), Value(value))) for action, value in rows))
    if told.updated:
        yield Equations(tuple(_increment_lines(told)))
    yield from _tell_update(told)


def _tell_strategy(told: Arithmetic) -> Iterator[Block]:
    """The third step."""
    yield from _tell_weighing(told)
    yield _state(told)


def _hands(told: Arithmetic) -> Table:
    head = ("history", "reach", *(f"v({action})" for action in told.actions))
    rows: list[tuple[Cell, ...]] = [
        (" › ".join(hand.history), Value(hand.reach), *(Value(value) for value in hand.action_values))
        for hand in told.hands
    ]
    return Table("", head, tuple(rows))


def _counterfactual_lines(told: Arithmetic) -> list[Equation]:
    lines = []
    for a, action in enumerate(told.actions):
        products = add(*(multiply(Value(hand.reach), Value(hand.action_values[a])) for hand in told.hands))
        lines.append(Equation((Symbol("q", of=action), products, Value(told.counterfactual_values[a]))))
    pairs = zip(told.strategy, told.counterfactual_values, strict=True)
    formula = add(*(multiply(Symbol("σ", of=action), Symbol("q", of=action)) for action in told.actions))
    played = add(*(multiply(Value(probability), Value(value)) for probability, value in pairs))
    return [*lines, Equation((Q, formula, played, Value(told.counterfactual_value)))]


def _increment_lines(told: Arithmetic) -> list[Equation]:
    symbol, values, value = "q", told.counterfactual_values, told.counterfactual_value
    if told.sampled_values:
        symbol, values, value = "q̂", told.sampled_values, _expected(told.strategy, told.sampled_values)
    rows = zip(told.actions, values, told.increment, strict=True)
    return [
        Equation((Symbol("r", of=ANY), subtract(Symbol(symbol, of=ANY), Symbol(symbol)))),
        *(
            Equation((Symbol("r", of=action), subtract(Value(each), Value(value)), Value(regret)))
            for action, each, regret in rows
        ),
    ]


def _tell_learning(told: Arithmetic) -> Iterator[Block]:
    yield from _tell_update(told)
    yield from _tell_weighing(told)


def _tell_update(told: Arithmetic) -> Iterator[Block]:
    """The update, worked out; a user's own rule is told by its name."""
    if not told.updated:
        yield Paragraph(words(f"Player {told.player} learns nothing {_where(told)}in this iteration."))
    elif told.recipe.rule is not None:
        for name, formula in formulas(told.recipe).items():
            yield Paragraph(words(f"{name}: ", code(formula)))
    else:
        yield Paragraph(words("The regrets take this in, and the next strategy follows from them:"))
        rate = told.weighing.rate
        ranges = () if rate is None else (range_line(told.learning, rate),)
        yield Equations((*regret_lines(told.learning, told.actions), *ranges))


def _where(told: Arithmetic) -> str:
    return "" if told.recipe.feedback == "full" else "here "


def _tell_weighing(told: Arithmetic) -> Iterator[Block]:
    """The next strategy, worked out."""
    if told.updated and told.recipe.rule is None:
        for piece in tell_weighing(told.weighing, told.actions):
            yield from piece


def _state(told: Arithmetic) -> Table:
    head = ("action", "σ", "R before", "r", "R after", "next σ", "S before", "S after", "average")
    columns = (
        told.strategy,
        told.regret_before,
        told.increment,
        told.regret_after,
        told.next_strategy,
        told.sum_before,
        told.sum_after,
        told.average,
    )
    rows: list[tuple[Cell, ...]] = [
        (action, *(Value(number) for number in numbers))
        for action, *numbers in zip(told.actions, *columns, strict=True)
    ]
    return Table("", head, tuple(rows))
