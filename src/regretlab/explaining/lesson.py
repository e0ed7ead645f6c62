"""From a game, recipes and deals to events: the textbook runs, and what it did is put in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from regretlab.errors import UserError
from regretlab.explaining.deals import Chooser, Deal
from regretlab.explaining.events import (
    Arrival,
    Chance,
    Choice,
    Departure,
    Ending,
    Event,
    History,
    Iteration,
    Learning,
    Lesson,
    Part,
    Pass,
    Run,
    Update,
)
from regretlab.explaining.textbook import averaging, fade, information_set, level, weighing
from regretlab.games import CHANCE, TERMINAL, Game, Number
from regretlab.games.walk import walk
from regretlab.reference import Decision, InformationSet, Trainer
from regretlab.solving import RECIPES, Recipe
from regretlab.solving import recipe as read_recipe

MOST_HISTORIES = 50_000
"""Larger games are not explained: the textbook would take minutes."""

MOST_DECISIONS = 1_000
"""Nobody reads more."""

LONGEST_NUMBER = 20_000
"""Bits of a fraction. Exact regrets grow with every iteration, and beyond this arithmetic becomes slow."""


PARTS_OF_A_RULE = ("accumulate", "weigh", "predict", "alpha", "beta", "level")


class Overview(NamedTuple):
    """What is to be known of a game before it is explained."""

    infosets: int
    has_chance: bool


def lesson(game: Game, overview: Overview, recipes: Sequence[Recipe], deals: Sequence[Deal], iterations: int) -> Lesson:
    """What the recipes do in so many iterations on the given deals, or on all where none are given."""
    for recipe in recipes:
        check_explainable(recipe)
    feedback = "chance" if deals else "full"
    runs = [
        Run(name, replace(recipe, feedback=feedback), _run(game, recipe, deals, iterations))
        for name, recipe in zip(_short_names(recipes), recipes, strict=True)
    ]
    return Lesson(game.name, overview.infosets, tuple(deal.text for deal in deals), overview.has_chance, tuple(runs))


def look_over(game: Game) -> Overview:
    """Walk a game once; raises UserError where it is too large to be explained."""
    visits = list(islice(walk(game), MOST_HISTORIES + 1))
    if len(visits) > MOST_HISTORIES:
        raise UserError(
            f"{game.name} has more than {MOST_HISTORIES:,} histories, too many to explain; choose a smaller game, such "
            "as kuhn or leduc"
        )
    labels = {visit.infoset.label for visit in visits if visit.infoset is not None}
    return Overview(len(labels), any(visit.player == CHANCE for visit in visits))


def check_explainable(recipe: Recipe) -> None:
    """Raise UserError unless the textbook knows the recipe."""
    if recipe.rule is not None:
        raise UserError(
            f"the walkthrough explains the rules that come with regretlab; what {recipe.name} does with its numbers "
            "only its author can tell"
        )
    check_tabular(recipe)
    if recipe.feedback not in ("full", "chance"):
        raise UserError(
            f"{recipe.name} draws the players' actions at random, and a walkthrough tells all of them; give it a walk "
            f"over whole deals, as in {replace(recipe, feedback='chance').name}"
        )


def check_tabular(recipe: Recipe) -> None:
    """Raise UserError where networks stand in for the table of regrets."""
    if recipe.feedback == "network":
        table = read_recipe(replace(recipe, feedback="full").name)
        raise UserError(
            f"{recipe.name} has networks in place of a table of regrets, and only a table can be explained; with one "
            f"it is {table.name}"
        )


def _short_names(recipes: Sequence[Recipe]) -> list[str]:
    """The name of the row where the rule is its own and no two recipes share it, else the whole name.

    Schedule and average stand beside the names, and the deals say what the feedback is.
    """
    whole = [replace(recipe, feedback="full").name for recipe in recipes]
    for name in whole:
        if whole.count(name) > 1:
            raise UserError(f"recipe '{name}' is given twice")
    rows = [recipe.row for recipe in recipes]
    return [
        recipe.row if rows.count(recipe.row) == 1 and _has_rule_of_its_row(recipe) else name
        for recipe, name in zip(recipes, whole, strict=True)
    ]


def _has_rule_of_its_row(recipe: Recipe) -> bool:
    row = RECIPES[recipe.row]
    return all(getattr(recipe, part) == getattr(row, part) for part in PARTS_OF_A_RULE)


def _run(game: Game, recipe: Recipe, deals: Sequence[Deal], iterations: int) -> tuple[Iteration, ...]:
    decisions: list[Decision] = []
    trainer = Trainer(
        game,
        information_set(recipe),
        schedule=recipe.schedule,
        averaging=averaging(recipe),
        delay=recipe.averaging.delay,
        deals=Chooser(game, deals) if deals else "all",
        exact=True,
        observer=decisions.append,
    )
    done: list[Iteration] = []
    for number in range(1, iterations + 1):
        seen = len(decisions)
        trainer.train(1)
        _check_size(game, decisions, number)
        text = deals[(number - 1) % len(deals)].text if deals else ""
        done.append(Iteration(number, text, _passes(trainer, recipe, decisions[seen:])))
    return tuple(done)


def _check_size(game: Game, decisions: Sequence[Decision], iteration: int) -> None:
    if len(decisions) > MOST_DECISIONS:
        raise UserError(
            f"{len(decisions):,} decisions of {game.name} by iteration {iteration} are too many to explain, at most "
            f"{MOST_DECISIONS:,}; choose deals or fewer iterations"
        )
    last = [regret for decision in decisions[-1:] for regret in decision.regrets_after]
    bits = max((Fraction(regret).denominator.bit_length() for regret in last), default=0)
    if bits > LONGEST_NUMBER:
        raise UserError(f"{iteration} iterations of {game.name} make fractions too long to explain; ask for fewer")


def _passes(trainer: Trainer, recipe: Recipe, decisions: Sequence[Decision]) -> tuple[Pass, ...]:
    """The decisions of an iteration, by pass: those of one pass update the same players."""
    passes: dict[tuple[int, ...], list[Decision]] = defaultdict(list)
    for decision in decisions:
        passes[decision.updating].append(decision)
    return tuple(_Stream(trainer, recipe, seen).told() for seen in passes.values())


class _Stream:
    """Puts the decisions of one pass, which the textbook reports from the leaves, into the order of the recursion."""

    def __init__(self, trainer: Trainer, recipe: Recipe, decisions: Sequence[Decision]) -> None:
        self.game = trainer.game
        self.trainer = trainer
        self.recipe = recipe
        self.decisions = {decision.history: decision for decision in decisions}
        self.histories: dict[str, list[History]] = defaultdict(list)
        for decision in decisions:
            self.histories[decision.label].append(decision.history)
        self.at_once = all(len(histories) == 1 for histories in self.histories.values())

    def told(self) -> Pass:
        """All events; updates come at once where each information set has one history, else when the walk is over."""
        events = list(self.walk(self.game.root(), (), ()))
        if not self.at_once:
            updates = (self.update(label) for label in self.histories)
            events += [update for update in updates if update is not None]
        updating = next(iter(self.decisions.values())).updating
        value = sum(part.probability * self.own(part, 0) for part in self.parts(self.game.root(), (), Fraction(1)))
        return Pass(updating, value, tuple(events))

    def walk(self, state: Any, history: History, path: tuple[Choice, ...]) -> Iterator[Event]:
        """The events at and below a state."""
        player = self.game.player(state)
        if player == TERMINAL:
            yield Ending(history, Fraction(self.game.payoff(state)), self.words(state))
        elif player == CHANCE:
            for name, probability, child in self.outcomes(state, history):
                yield Chance((*history, name), probability, self.happened(child, name))
                yield from self.walk(child, (*history, name), path)
        else:
            yield from self.decision(state, history, path)

    def decision(self, state: Any, history: History, path: tuple[Choice, ...]) -> Iterator[Event]:
        """Arrive, try every action, leave."""
        seen = self.decisions[history]
        yield self.arrival(seen, path)
        for action, (name, probability) in enumerate(zip(seen.actions, seen.strategy, strict=True)):
            choice = Choice(history, seen.player, seen.label, seen.actions, name, probability)
            yield from self.walk(self.game.child(state, action), (*history, name), (*path, choice))
        yield self.departure(seen, state)
        update = self.update(seen.label) if self.at_once else None
        if update is not None:
            yield update

    def arrival(self, seen: Decision, path: tuple[Choice, ...]) -> Arrival:
        return Arrival(
            history=seen.history,
            label=seen.label,
            meaning=self.meaning(seen.label),
            player=seen.player,
            actions=seen.actions,
            strategy=seen.strategy,
            weighing=weighing(self.recipe, seen.regrets_before, seen.basis_before),
            path=path,
            own_reach=seen.own_reach,
            opponent_reach=seen.opponent_reach / seen.chance_reach,
            chance_reach=seen.chance_reach,
        )

    def departure(self, seen: Decision, state: Any) -> Departure:
        children = [(self.game.child(state, action), name) for action, name in enumerate(seen.actions)]
        return Departure(
            history=seen.history,
            label=seen.label,
            player=seen.player,
            actions=seen.actions,
            updated=seen.updated,
            strategy=seen.strategy,
            parts=tuple(tuple(self.parts(child, (*seen.history, name), Fraction(1))) for child, name in children),
            action_values=seen.action_values,
            value=seen.value,
            opponent_reach=seen.opponent_reach / seen.chance_reach,
            chance_reach=seen.chance_reach,
            regret_increments=seen.regret_increments,
        )

    def update(self, label: str) -> Update | None:
        """What an information set learned from its histories; None if its player learned nothing."""
        seen = [self.decisions[history] for history in self.histories[label]]
        first = seen[0]
        if not first.updated:
            return None
        return Update(
            label=label,
            meaning=self.meaning(label),
            player=first.player,
            actions=first.actions,
            histories=tuple(self.histories[label]),
            learning=Learning(
                first.regrets_before,
                fade(self.recipe, first.iteration - 1),
                tuple(each.regret_increments for each in seen),
                level(self.recipe),
                first.regrets_after,
            ),
            weight=first.weight,
            own_reach=first.own_reach,
            strategy=first.strategy,
            sums_before=first.strategy_sum_before,
            sums_after=first.strategy_sum,
            average=tuple(InformationSet(len(first.actions), Fraction).normalise(first.strategy_sum)),
            next=weighing(self.recipe, first.regrets_after, first.basis_after),
        )

    def outcomes(self, state: Any, history: History) -> Iterator[tuple[str, Number, Any]]:
        """What chance did, with the weight that the textbook gave it."""
        names = self.game.actions(state)
        for outcome, weight in self.trainer.dealer.outcomes(self.trainer.iteration, history, state):
            yield names[outcome], weight, self.game.child(state, outcome)

    def parts(self, state: Any, history: History, probability: Number) -> Iterator[Part]:
        """The ends and decisions that come next, whatever chance does in between."""
        player = self.game.player(state)
        if player == TERMINAL:
            yield Part(probability, "", 0, Fraction(self.game.payoff(state)))
        elif player == CHANCE:
            for name, weight, child in self.outcomes(state, history):
                yield from self.parts(child, (*history, name), probability * weight)
        else:
            seen = self.decisions[history]
            yield Part(probability, seen.label, player, seen.value)

    @staticmethod
    def own(part: Part, player: int) -> Number:
        """What a part is worth to a player."""
        return part.value if part.player == player else -part.value

    def meaning(self, label: str) -> str:
        """A label in words, if the game has any."""
        return self.game.meaning(label) if hasattr(self.game, "meaning") else ""

    def words(self, state: Any) -> str:
        """What has just happened, if the game has words for it."""
        return self.game.tell(state) if hasattr(self.game, "tell") else ""

    def happened(self, state: Any, name: str) -> str:
        """What chance has done: in the game's words, or by its name where the game has none at all."""
        return self.words(state) if hasattr(self.game, "tell") else f"Chance: {name}."
