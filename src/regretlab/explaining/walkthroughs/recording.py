"""Recording a walkthrough: the textbook runs a game, and what it did becomes events in the order of the walk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from regretlab.errors import UserError
from regretlab.explaining.textbook import (
    History,
    Learning,
    SizeOfGame,
    averaging,
    check_tabular,
    fade,
    information_set,
    least_sum,
    level,
    weigh_regrets,
)
from regretlab.explaining.walkthroughs.named_deals import NamedDeal, chooser
from regretlab.explaining.walkthroughs.walk_events import (
    ArrivalEvent,
    ChanceEvent,
    Choice,
    DepartureEvent,
    EndingEvent,
    Event,
    Iteration,
    Lesson,
    Part,
    Pass,
    RecipeRun,
    UpdateEvent,
)
from regretlab.games import CHANCE, TERMINAL, Game, Number
from regretlab.reference import Decision, InformationSet, Trainer
from regretlab.solving import RECIPES, Recipe
from regretlab.solving.checkpoints import FIRST_LOOK

MOST_DECISIONS = 1_000
"""The most decisions that are explained: nobody reads more."""

LONGEST_NUMBER = 20_000
"""Bits of a fraction. Exact regrets grow with every iteration, and beyond this arithmetic becomes slow."""

PARTS_OF_A_RULE = ("accumulate", "weigh", "predict", "alpha", "beta", "level")


def record(
    game: Game, size: SizeOfGame, recipes: Sequence[Recipe], deals: Sequence[NamedDeal], iterations: int
) -> Lesson:
    """What the recipes do in so many iterations on the given deals, or on all where none are given.

    Raises UserError where the textbook does not know a recipe, or there would be too much to read.
    """
    for recipe in recipes:
        if recipe.restart is not None and iterations > FIRST_LOOK:
            raise UserError(
                f"{recipe.name} may begin anew after {FIRST_LOOK} iterations; a walkthrough shows no more of it"
            )
        if recipe.rule is not None:
            raise UserError(
                f"the walkthrough explains the rules that come with regretlab; what {recipe.name} does with its "
                "numbers only its author can tell"
            )
        check_tabular(recipe)
        if recipe.feedback_kind.draws_actions:
            raise UserError(
                f"{recipe.name} draws the players' actions at random, and a walkthrough tells all of them; give it a "
                f"walk over whole deals, as in {replace(recipe, feedback='chance').name}"
            )
    runs = [
        RecipeRun(name, replace(recipe, feedback="chance" if deals else "full"), _run(game, recipe, deals, iterations))
        for name, recipe in zip(_short_names(recipes), recipes, strict=True)
    ]
    return Lesson(game.name, size.infosets, tuple(deal.text for deal in deals), size.has_chance, tuple(runs))


def _short_names(recipes: Sequence[Recipe]) -> list[str]:
    """The name of the row where the rule is its own and no two recipes share it, else the whole name.

    Schedule and average stand beside the names, and the deals say what the feedback is.
    """
    whole = [replace(recipe, feedback="full").name for recipe in recipes]
    for name in whole:
        if whole.count(name) > 1:
            raise UserError(f"recipe '{name}' is given twice")
    rows = [recipe.row for recipe in recipes]
    names = []
    for recipe, name in zip(recipes, whole, strict=True):
        row = RECIPES[recipe.row]
        own_rule = all(getattr(recipe, part) == getattr(row, part) for part in PARTS_OF_A_RULE)
        names.append(recipe.row if own_rule and rows.count(recipe.row) == 1 else name)
    return names


def _run(game: Game, recipe: Recipe, deals: Sequence[NamedDeal], iterations: int) -> tuple[Iteration, ...]:
    """One recipe's iterations, as the textbook does them."""
    decisions: list[Decision] = []
    trainer = Trainer(
        game,
        information_set(recipe),
        schedule=recipe.schedule,
        averaging=averaging(recipe),
        delay=recipe.averaging.delay,
        deals=chooser(game, deals) if deals else "all",
        exact=True,
        observer=decisions.append,
    )
    done: list[Iteration] = []
    for number in range(1, iterations + 1):
        seen = len(decisions)
        trainer.train(1)
        if len(decisions) > MOST_DECISIONS:
            raise UserError(
                f"{len(decisions):,} decisions of {game.name} by iteration {number} are too many to explain, at most "
                f"{MOST_DECISIONS:,}; choose deals or fewer iterations"
            )
        last = [regret for decision in decisions[-1:] for regret in decision.regrets_after]
        if any(Fraction(regret).denominator.bit_length() > LONGEST_NUMBER for regret in last):
            raise UserError(f"{number} iterations of {game.name} make fractions too long to explain; ask for fewer")
        passes: dict[tuple[int, ...], list[Decision]] = defaultdict(list)
        for decision in decisions[seen:]:
            passes[decision.updating].append(decision)  # the decisions of one pass update the same players
        recorded = tuple(_PassRecorder(trainer, recipe, each).recorded() for each in passes.values())
        done.append(Iteration(number, deals[(number - 1) % len(deals)].text if deals else "", recorded))
    return tuple(done)


class _PassRecorder:
    """Puts the decisions of one pass, which the textbook reports from the leaves, into the order of the recursion."""

    def __init__(self, trainer: Trainer, recipe: Recipe, decisions: Sequence[Decision]) -> None:
        self.game = trainer.game
        self.trainer = trainer
        self.recipe = recipe
        # What chance never lets happen changes no number.
        possible = [decision for decision in decisions if decision.chance_reach]
        self.decisions = {decision.history: decision for decision in possible}
        self.histories: dict[str, list[History]] = defaultdict(list)
        for decision in possible:
            self.histories[decision.label].append(decision.history)
        self.at_once = all(len(histories) == 1 for histories in self.histories.values())

    def recorded(self) -> Pass:
        """All events; updates come at once where each information set has one history, else when the walk is over."""
        events = list(self.walk(self.game.root(), (), ()))
        if not self.at_once:
            updates = (self.update(label) for label in self.histories)
            events += [update for update in updates if update is not None]
        updating = next(iter(self.decisions.values())).updating
        value = sum(part.probability * part.value_to(0) for part in self.parts(self.game.root(), (), Fraction(1)))
        return Pass(updating, value, tuple(events))

    def walk(self, state: Any, history: History, path: tuple[Choice, ...]) -> Iterator[Event]:
        """The events at and below a state."""
        player, tell = self.game.player(state), getattr(self.game, "tell", None)
        if player == TERMINAL:
            words = "" if tell is None else tell(state)
            yield EndingEvent(history, Fraction(self.game.payoff(state)), words)
        elif player == CHANCE:
            for name, probability, child in self.outcomes(state, history):
                words = f"Chance: {name}." if tell is None else tell(child)
                yield ChanceEvent((*history, name), probability, words)
                yield from self.walk(child, (*history, name), path)
        else:
            yield from self.decision(state, history, path)

    def decision(self, state: Any, history: History, path: tuple[Choice, ...]) -> Iterator[Event]:
        """The events at a decision: the arrival, everything below each action, the departure, the update."""
        seen = self.decisions[history]
        opponent_reach = seen.opponent_reach / seen.chance_reach
        yield ArrivalEvent(
            history=history,
            label=seen.label,
            meaning=self.meaning(seen.label),
            player=seen.player,
            actions=seen.actions,
            strategy=seen.strategy,
            weighing=weigh_regrets(self.recipe, seen.regrets_before, seen.basis_before),
            path=path,
            own_reach=seen.own_reach,
            opponent_reach=opponent_reach,
            chance_reach=seen.chance_reach,
        )
        parts = []
        for action, (name, probability) in enumerate(zip(seen.actions, seen.strategy, strict=True)):
            choice = Choice(history, seen.player, seen.label, seen.actions, name, probability)
            child = self.game.child(state, action)
            yield from self.walk(child, (*history, name), (*path, choice))
            parts.append(tuple(self.parts(child, (*history, name), Fraction(1))))
        yield DepartureEvent(
            history=history,
            label=seen.label,
            player=seen.player,
            actions=seen.actions,
            updated=seen.updated,
            strategy=seen.strategy,
            parts=tuple(parts),
            action_values=seen.action_values,
            value=seen.value,
            opponent_reach=opponent_reach,
            chance_reach=seen.chance_reach,
            regret_increments=seen.regret_increments,
        )
        update = self.update(seen.label) if self.at_once else None
        if update is not None:
            yield update

    def update(self, label: str) -> UpdateEvent | None:
        """What an information set learned from its histories; None if its player learned nothing."""
        seen = [self.decisions[history] for history in self.histories[label]]
        first = seen[0]
        if not first.updated:
            return None
        return UpdateEvent(
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
                least_sum(self.recipe),
            ),
            weight=first.weight,
            own_reach=first.own_reach,
            strategy=first.strategy,
            sums_before=first.strategy_sum_before,
            sums_after=first.strategy_sum,
            average=tuple(InformationSet(len(first.actions), Fraction).normalise(first.strategy_sum)),
            next=weigh_regrets(self.recipe, first.regrets_after, first.basis_after),
        )

    def outcomes(self, state: Any, history: History) -> Iterator[tuple[str, Number, Any]]:
        """What chance did, with the weight that the textbook gave it."""
        names = self.game.actions(state)
        walked = self.trainer.dealer.outcomes(self.trainer.iteration, history, state)
        for outcome, weight in (each for each in walked if each[1]):
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

    def meaning(self, label: str) -> str:
        """A label in words, if the game has any."""
        return self.game.meaning(label) if hasattr(self.game, "meaning") else ""
