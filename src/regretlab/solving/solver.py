"""A run: advanced, looked at, stopped and resumed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product, takewhile
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from regretlab.deep import check_installed, is_installed
from regretlab.errors import UserError, unknown
from regretlab.evaluation import evaluate
from regretlab.feedback import FEEDBACKS, AnySide, BlockSide, Feedback, LaneSide, Wishes, new_sides
from regretlab.forms import (
    AnyForm,
    BlockForm,
    BlockTreeplex,
    GameLike,
    Labelled,
    LaneForm,
    SequenceForm,
    Strategy,
    as_form,
    form_name,
    form_to_solve,
    from_weights,
)
from regretlab.forms.form import Form
from regretlab.forms.kernel import Floats
from regretlab.forms.lane_passes import lane_kernel
from regretlab.forms.packed import KEPT, computed_in, unpacked
from regretlab.forms.passes import realisation_plan
from regretlab.games import Lock
from regretlab.games import lock as lock_game
from regretlab.games.protocol import HasBlocks, HasRecipe, HasTarget
from regretlab.games.registry import as_rules
from regretlab.machine import usable_cores
from regretlab.rules import ACCUMULATIONS, WEIGHINGS, CustomRule, fault
from regretlab.solving import loop
from regretlab.solving.checkpoints import Checkpoint, checkpoints, is_checkpoint, next_look
from regretlab.solving.recipe import Recipe
from regretlab.solving.recipe import recipe as read_recipe
from regretlab.solving.schedule import SCHEDULES
from regretlab.solving.solution import Solution
from regretlab.solving.steps import recalls, steps, update_of
from regretlab.solving.storage import keeping
from regretlab.spec import Readable, positive, whole, whole_iterations

DEFAULT_RECIPE = "sapdcfr+"
"""After 10,000 iterations better than ``pdcfr+`` on every game of the study that ``pdcfr+`` has not solved."""

DEFAULT_ITERATIONS = 10_000
DEFAULT_NETWORK_ITERATIONS = 100
"""Where networks are trained in each of them."""

MOST_ITERATIONS_UNTIL = 1_000_000
"""Where a run that has only ``until`` to end it gives up."""

SECONDS_WITHOUT_A_WORD = 0.1
"""How long the kernel runs before Python can show progress or take Ctrl-C; it changes no number."""


class Progress(NamedTuple):
    """Where a run stands, as a callback sees it."""

    iteration: int
    goal: int
    latest: Checkpoint | None
    note: str = ""  # what else the feedback has to tell


Callback = Callable[[Progress], object]
"""Called several times a second; what it returns, if true, stops the run."""


def form_for(
    game: GameLike, recipe: Recipe, form: str | None = None, tree: bool = True, precision: str = "f64"
) -> AnyForm:
    """The form in which a recipe solves a game: the quickest that has what it needs, or the one that is asked for.

    ``tree=False`` leaves out the list of histories where the recipe does without.
    """
    if precision not in KEPT:
        raise unknown("precision", precision, KEPT)
    if recipe.feedback_kind.on_lanes:
        return form_to_solve(game, form, tree, precision, recalls(recipe))
    blocks = isinstance(game, BlockForm) or (not isinstance(game, Form) and isinstance(as_rules(game), HasBlocks))
    if recipe.feedback_kind.in_blocks and blocks and form in (None, "blocks"):
        return form_to_solve(game, "blocks", tree, precision, recalls(recipe))
    if form in ("lanes", "blocks"):
        raise UserError(f"{recipe.name} walks through histories; form={form} has none")
    return as_form(game)


def recipe_for(game: object, recipe: str | Recipe | CustomRule | None = None) -> Recipe:
    """The recipe that is asked for, else the one that a game, given as rules or compiled, recommends.

    >>> recipe_for(None).name
    'sapdcfr+'
    """
    if recipe is not None:
        return read_recipe(recipe)
    rules = _rules(game)
    return read_recipe(rules.recommended() if isinstance(rules, HasRecipe) else DEFAULT_RECIPE)


def target_for(game: object, until: Readable | None, iterations: int | None = None, key: str = "until") -> float | None:
    """The exploitability in chips at which a run of a game, given as rules or compiled, ends.

    Where neither it nor a number of iterations is given, it is what the game wants, if it has a target of its own. A
    part of the pot means something in games that have one.
    """
    rules = _rules(game)
    if isinstance(rules, HasTarget):
        return rules.target(until) if until is not None or iterations is None else None
    if isinstance(until, str) and until.strip().endswith("%"):
        name = getattr(game, "name", "this game")
        raise UserError(f"{key}={until:.40} is a part of a pot, which {name} does not have; give chips, such as 0.001")
    return None if until is None else float(positive(key, until))


def _rules(game: object) -> object:
    """The rules of a game, which some forms keep."""
    return game.rules if isinstance(game, LaneForm | BlockForm) else game


class Solver:
    """A run in progress: ``advance`` it, look at ``average`` and ``current``, or ``run`` it to an end.

    >>> solver = Solver("kuhn", "cfr+")
    >>> solver.advance(100)
    >>> solver.iteration, round(solver.evaluate().exploitability, 4)
    (100, 0.0012)
    """

    def __init__(
        self,
        game: GameLike,
        recipe: str | Recipe | CustomRule | None = None,
        *,
        seed: int = 0,
        deals: Sequence[str] | None = None,
        cores: int | None = None,
        form: str | None = None,
        precision: str = "f64",
    ) -> None:
        game = as_rules(game) if isinstance(game, str) and recipe is None else game
        self.recipe = recipe_for(game, recipe)
        self.form = form_for(game, self.recipe, form, precision=precision)
        if self.recipe.restart is not None and isinstance(self.form, BlockForm):
            raise UserError(f"{self.recipe.name} restarts, which it can't in blocks; use form=lanes or another recipe")
        self.precision = precision
        self.seed = whole("seed", seed, least=0, most=2**63 - 1)
        self.deals = tuple(deals or ())
        self.sides = new_sides(self.form, self.precision, recalls(self.recipe))
        self.feedback = self._new_feedback(cores)
        self.iteration = 0
        self.seconds = 0.0
        self.evaluation_seconds = 0.0
        self.history: list[Checkpoint] = []
        self._batch = 1
        self._settled = 0
        self.since = 0  # the iteration after which the run last began anew
        # What the average was worth there. Before the first iteration it is uniform.
        self.reached = math.inf if self.recipe.restart is None else evaluate(self.form, self.average).exploitability
        self._schedule = SCHEDULES[self.recipe.schedule]
        width = 1 if isinstance(self.form, SequenceForm) else self.form.width
        weighs = not isinstance(self.form, BlockForm) or recalls(self.recipe)
        self._update = update_of(self.recipe, width, computed_in(self.precision), weighs)
        # No iterations: this compiles the kernels, or loads them, so that ``seconds`` is solving time alone.
        self.feedback.prepare(self._update)
        loop.run(self.feedback, self._schedule, self._update, steps(self.recipe, 0, 0))

    def __repr__(self) -> str:
        return f"<run of {self.form.name} by {self.recipe.name}: {self.iteration:,} iterations done>"

    def _new_feedback(self, cores: int | None) -> Feedback:
        chosen, kind = self.recipe, self.recipe.feedback_kind
        if self.deals and not kind.takes_deals:
            does = "draws its own" if kind.samples else "walks all of them"
            raise UserError(f"deals were given, but {chosen.name} {does}; use feedback=chance")
        if kind.trains:
            check_installed(chosen.row)
        epsilon, linear = float(chosen.epsilon), chosen.alpha is not None
        wishes = Wishes(self.seed, self.deals, cores, epsilon, chosen.settings, self.precision, linear)
        return kind.make(self.form, self.sides, wishes)

    @property
    def average(self) -> Strategy:
        """The average strategy, uniform where it has not been."""
        return self._average(_copy)

    @property
    def average_as_it_stands(self) -> Strategy:
        """The same without a copy of a game's numbers in blocks, which may fill the memory: good until the run goes
        on."""
        return self._average(_look)

    @property
    def current(self) -> Strategy:
        """The strategy that the next iteration will play."""
        return self._current(_copy)

    def _average(self, take: Take) -> Strategy:
        self._settle()
        totals = self.sides[0].total, self.sides[1].total
        if isinstance(self.form, BlockForm):
            return from_weights(self.form, (take(totals[0]), take(totals[1])))
        return from_weights(self.form, totals)

    def _current(self, take: Take) -> Strategy:
        if isinstance(self.form, BlockForm):
            zero, one = (side.strategy if len(side.strategy) else side.regret for side in self.sides)
            return from_weights(self.form, (take(zero), take(one)))
        return Strategy(self.form, (_doubles(self.sides[0].strategy), _doubles(self.sides[1].strategy)))

    @property
    def plans(self) -> tuple[Floats, Floats]:
        """Both players' current realisation plans, as they are kept; games in blocks have none as a whole."""
        zero, one = self.sides
        if isinstance(zero, BlockSide) or isinstance(one, BlockSide):
            raise UserError(f"{self.form.name} is compiled in blocks, which have no plan as a whole")
        return zero.plan, one.plan

    def _settle(self) -> None:
        """Have the average ready to be looked at: what that takes is solving, not evaluation, and is done once."""
        if self._settled != self.iteration:
            start = time.perf_counter()
            self.feedback.settle(self.iteration)
            self.seconds += time.perf_counter() - start
            self._settled = self.iteration

    def perturb(self, seed: int) -> None:
        """Begin somewhere else: the first iteration plays random strategies in place of uniform ones.

        What is seen from one start may be luck. Nothing else changes: there are no regrets yet.
        """
        self._check_not_begun()
        random = np.random.default_rng(whole("seed", seed, least=0))
        for player, side in enumerate(self.sides):
            treeplex = self.form.treeplexes[player]
            assert not isinstance(treeplex, BlockTreeplex)
            weights, behaviour = np.zeros(treeplex.size), np.empty(treeplex.size)
            weights[treeplex.places] = random.standard_exponential(treeplex.sequences)[1:]
            treeplex.normalise(weights, behaviour)
            side.strategy[:] = behaviour
            self._plan(side)

    def nudge(self, seed: int = 0) -> None:
        """Begin as near to the usual start as floats can: each probability of the first iteration is moved by one unit
        in its last place, up or down as the seed has it.

        The game and the arithmetic stay the same, so whatever comes of it shows how much the run depends on its start.
        """
        self._check_not_begun()
        random = np.random.default_rng(whole("seed", seed, least=0))
        for player, side in enumerate(self.sides):
            actions = self.form.treeplexes[player].places
            probabilities = side.strategy[actions]
            way = random.choice([-np.inf, np.inf], probabilities.shape).astype(probabilities.dtype)
            side.strategy[actions] = np.nextafter(probabilities, way)
            self._plan(side)

    def _check_not_begun(self) -> None:
        if self.iteration:
            raise UserError(f"a start can only be chosen before the first iteration; the run has {self.iteration:,}")
        if isinstance(self.form, BlockForm):
            raise UserError(f"{self.form.name} always begins with uniform strategies in blocks; use form=lanes")

    def _plan(self, side: AnySide) -> None:
        """Have the plan follow from the strategy, in the precision of the run, so that a resumed one has the same."""
        if isinstance(side, BlockSide):
            return  # there is no plan as a whole
        if isinstance(self.form, LaneForm) and isinstance(side, LaneSide):
            plan = lane_kernel("lane_plan", self.form.width, self.precision)
            tiles = len(side.plan) // (int(side.first[-1]) * self.form.width)
            plan(side.parent, side.first, side.upwards, 0, tiles, side.strategy, side.plan)
        else:
            realisation_plan(side.parent, side.first, side.strategy, side.plan)

    def advance(self, iterations: int) -> None:
        """Go on by some iterations."""
        iterations = whole("iterations", iterations, least=1)
        if self.deals and self.iteration + iterations > len(self.deals):
            raise UserError(f"{len(self.deals)} deals were given, too few for {self.iteration + iterations} iterations")
        goal = self.iteration + iterations
        while self.iteration < goal:
            self.restart_if_due()
            start = time.perf_counter()
            age = self.iteration - self.since
            count = goal - self.iteration
            if self.recipe.restart is not None:
                count = min(count, next_look(age) - age)
            rows = steps(self.recipe, age, count, self.feedback.size)
            loop.run(self.feedback, self._schedule, self._update, rows)
            self.seconds += time.perf_counter() - start
            if self.recipe.rule is not None:
                self._check_rule()
            self.iteration += count

    def restart_if_due(self) -> None:
        """Begin anew from the average, where the recipe wants that and the average has become so much better.

        Also where it has not for as long as the whole run took before the last restart: then what was reached there was
        luck, as it is in games with a symmetry that the first iterations keep and later ones lose.

        The average becomes the current strategy. Regrets become as large as they were at each information set, in
        proportion to it, so that regret matching plays it; iterations and their weights count from 1 again. It happens
        before an iteration and not after the last one, whose average and regrets can therefore be looked at.

        Cai et al. (2023), "Last-Iterate Convergence Properties of Regret-Matching Algorithms in Games", restart
        predictive and extragradient regret matching⁺ in this way, in matrix games, from the last strategy.
        """
        age = self.iteration - self.since
        if self.recipe.restart is None or age == 0 or next_look(age - 1) != age:
            return
        average, width = self.average, self.form.width if isinstance(self.form, LaneForm) else 1
        start = time.perf_counter()
        judged = evaluate(self.form, average)
        found = judged.exploitability
        if found <= float(self.recipe.restart) * self.reached or 0 < self.since <= age:
            for side, strategy in zip(self.sides, average.arrays, strict=True):
                assert not isinstance(side, BlockSide)  # recipes that restart are refused there
                side.strategy[:] = strategy
                # Over tiles, slots and lanes; without lanes there is one tile of one. Slot 0 is the empty sequence.
                shape, first = (-1, int(side.first[-1]), width), side.first.astype(np.int64)
                regret, played = side.regret.reshape(shape)[:, 1:], side.strategy.reshape(shape)[:, 1:]
                kept = np.add.reduceat(np.maximum(regret, 0.0), first[:-1] - 1, axis=1)
                regret[:] = np.repeat(kept, np.diff(first), axis=1) * played
                self._plan(side)
                side.total[:] = side.plan  # as if it had been played once before
            if self.feedback.earned is not None:
                self.feedback.earned[:] = judged.values
            self.since, self.reached = self.iteration, found
        self.seconds += time.perf_counter() - start  # looking is a part of the algorithm here

    def _check_rule(self) -> None:
        """A user's own rule may go wrong in any iteration; then the run stops, and nothing of it is kept.

        Where it did, it has left the iteration in the side's memory and the strategy as it was then.
        """
        wrong = []
        for player, side in enumerate(self.sides):
            memory = side.memory[self.form.treeplexes[player].memory_place]
            wrong += [(memory[i], player, i) for i in np.flatnonzero(memory).tolist()]
        if wrong:
            iteration, player, i = min(wrong)
            treeplex = self.form.treeplexes[player]
            label, problem = treeplex.labels[i], fault(unpacked(self.sides[player].strategy, treeplex.own(i)))
            raise UserError(f"{self.recipe.name}, iteration {iteration:.0f}, information set '{label}': {problem}")

    def evaluate(self) -> Checkpoint:
        """What the average strategy is worth now."""
        average = self.average_as_it_stands
        start = time.perf_counter()
        judged = evaluate(self.form, average)
        self.evaluation_seconds += time.perf_counter() - start
        return Checkpoint(self.iteration, judged.exploitability, judged.value)

    def run(
        self, iterations: int | None = None, until: float | None = None, callback: Callback | None = None
    ) -> Solution:
        """Go on until ``iterations`` are done in all, or the exploitability at a checkpoint is at most ``until``."""
        return self.solution(self.run_on(iterations, until, callback))

    def run_on(self, iterations: int | None, until: float | None, callback: Callback | None) -> str:
        """Do as ``run`` does, and say why it has ended."""
        goal = self._goal(iterations, until)
        for target in [*takewhile(lambda member: member < goal, checkpoints(after=self.iteration)), goal]:
            stopped = self.advance_to(target, goal, callback)
            if stopped or self.iteration > self.recipe.averaging.delay:
                self.history.append(self.evaluate())
            if stopped:
                return "callback"
            if until is not None and self.history and self.history[-1].exploitability <= until:
                if callback is not None:  # all that there was to do is done
                    callback(Progress(self.iteration, self.iteration, self.history[-1], self.feedback.progress()))
                return "until"
        return "cap" if iterations is None and until is not None else "iterations"

    def _goal(self, iterations: int | None, until: float | None) -> int:
        """The iteration to stop at, from what the user asked for."""
        if until is not None:
            positive("until", until)
        default = DEFAULT_NETWORK_ITERATIONS if self.recipe.feedback_kind.trains else DEFAULT_ITERATIONS
        default = default if until is None else MOST_ITERATIONS_UNTIL
        goal = default if iterations is None else whole_iterations("iterations", iterations)
        if goal <= self.iteration:
            raise UserError(f"iterations={goal:,} are done already: the run has {self.iteration:,}; ask for more")
        least = self.recipe.least_iterations
        if goal < least:
            raise UserError(
                f"{self.recipe.name}: {goal:,} iterations with delay={self.recipe.averaging.delay} leave nothing to "
                f"average; it takes at least {least:,}"
            )
        return goal

    def advance_to(self, target: int, goal: int, callback: Callback | None) -> bool:
        """Advance in batches short enough to be interrupted; True if the callback wants to stop."""
        while self.iteration < target:
            start = time.perf_counter()
            self.advance(min(self._batch, target - self.iteration))
            if time.perf_counter() - start < SECONDS_WITHOUT_A_WORD / 2:
                self._batch *= 2
            elif time.perf_counter() - start > SECONDS_WITHOUT_A_WORD:
                self._batch = max(1, self._batch // 2)
            latest = self.history[-1] if self.history else None
            if callback is not None and callback(Progress(self.iteration, goal, latest, self.feedback.progress())):
                return True
        return False

    def solution(self, stopped: str = "callback") -> Solution:
        """What has been found so far; looking changes nothing."""
        return self._solution(stopped, _copy)

    def glimpse(self, stopped: str = "callback") -> Solution:
        """The same without copies of a game's numbers in blocks, which may fill the memory: good until the run goes
        on."""
        return self._solution(stopped, _look)

    def _solution(self, stopped: str, take: Take) -> Solution:
        history = list(self.history)
        if not history or history[-1].iteration != self.iteration:
            history.append(self.evaluate())
        latest = history[-1]
        kept = take if isinstance(self.form, BlockForm) else _doubles
        return Solution(
            form=self.form,
            recipe=self.recipe,
            seed=self.seed,
            deals=self.deals,
            precision=self.precision,
            iterations=self.iteration,
            value=latest.value,
            exploitability=latest.exploitability,
            current_exploitability=evaluate(self.form, self._current(_look)).exploitability,
            strategy=self._average(take),
            current=self._current(take),
            regrets=Labelled(self.form, (kept(self.sides[0].regret), kept(self.sides[1].regret))),
            totals=Labelled(self.form, (kept(self.sides[0].total), kept(self.sides[1].total))),
            memory=(self.sides[0].memory.copy(), self.sides[1].memory.copy()),
            learned=self.feedback.learned(),
            earned=None if self.feedback.earned is None else tuple(self.feedback.earned.tolist()),
            since=self.since,
            reached=self.reached,
            history=tuple(history),
            seconds=self.seconds,
            evaluation_seconds=self.evaluation_seconds,
            stopped=stopped,
        )

    @staticmethod
    def resume(solution: Solution, cores: int | None = None) -> Solver:
        """A run that goes on where ``solution`` stopped, with the same result as if it had never stopped.

        The last point of the history is left out where only the stop had put it there: between two checkpoints, or
        before the average had begun.
        """
        if not solution.complete:
            raise UserError(f"this run of {solution.game} can't go on: only its average strategy was kept")
        solver = Solver(
            solution.form,
            solution.recipe,
            seed=solution.seed,
            deals=solution.deals,
            cores=cores,
            precision=solution.precision,
        )
        for player, side in enumerate(solver.sides):
            side.regret[:] = solution.regrets.arrays[player]
            side.total[:] = solution.totals.arrays[player]
            side.memory[:] = solution.memory[player]
            if len(side.strategy):
                side.strategy[:] = solution.current.arrays[player]
            solver._plan(side)
        solver.feedback.restore(solution.learned)
        if solver.feedback.earned is not None and solution.earned is not None:
            solver.feedback.earned[:] = solution.earned
        solver.since, solver.reached = solution.since, solution.reached
        solver.iteration = solver._settled = solution.iterations
        solver.seconds, solver.evaluation_seconds = solution.seconds, solution.evaluation_seconds
        late = solution.recipe.averaging.delay
        solver.history = [
            point for point in solution.history if late < point.iteration and is_checkpoint(point.iteration)
        ]
        return solver


Take: TypeAlias = Callable[[Floats], Floats]
"""How an array of a run is handed out: as a copy, or as it is."""


def _copy(numbers: Floats) -> Floats:
    return numbers.copy()


def _look(numbers: Floats) -> Floats:
    return numbers.view()


def _doubles(numbers: Floats) -> Floats:
    """A copy in double precision, which holds every number of single precision."""
    return numbers.astype(np.float64)


def solve(
    game: GameLike,
    recipe: str | Recipe | CustomRule | None = None,
    *,
    iterations: int | None = None,
    until: float | str | None = None,
    seed: int | None = None,
    deals: Sequence[str] | None = None,
    cores: int | None = None,
    form: str | None = None,
    precision: str | None = None,
    callback: Callback | None = None,
    resume: Solution | str | Path | None = None,
    save: str | Path | None = None,
    lock: Lock | None = None,
) -> Solution:
    """Solve ``game`` by a recipe, for so many iterations and/or until the exploitability is small enough.

    Without a recipe it is the one that the game recommends, ``dcfr`` for Hold'em, else ``sapdcfr+``. ``until`` is in
    chips; where there is a pot it may be a part of it, ``"0.5%"``, which is also what Hold'em is solved to if nothing
    is said.

    ``seed`` (0 unless given) and ``deals`` are for recipes that sample. ``cores`` is how many to use: one, or all for
    games so large that it pays, unless given; it changes no number. ``form`` is ``lanes`` or ``histories``, the quicker
    one unless given. ``precision`` is ``f64`` unless given; where hands are lanes ``f32`` takes half the memory, and
    for Hold'em ``16bit`` a quarter. ``resume`` continues a saved run, in the form and the precision and with the seed
    and the deals that it has, to ``iterations`` in all. ``save`` is a file that the run is written to every minute and
    at the end. ``lock`` holds players to a strategy at some information sets, and the rest is solved against that:
    ``{"Jb": {"fold": 1}}``, see ``rl.lock``.

    >>> solution = solve("kuhn(ante=1, bet=2)", "cfr+", iterations=1_000)
    >>> abs(solution.value) < 1e-3
    True
    """
    if lock is not None:
        if isinstance(game, SequenceForm | LaneForm | BlockForm):
            raise UserError(f"{game.name} is compiled already; give the game itself to have it locked")
        game = lock_game(game, lock)
    wanted = None if recipe is None else read_recipe(recipe)
    game = as_rules(game) if isinstance(game, str) else game
    chosen, target = recipe_for(game, wanted), target_for(game, until, iterations)
    if resume is None:
        kept = precision or "f64"
        solver = Solver(game, chosen, seed=seed or 0, deals=deals, cores=cores, form=form, precision=kept)
        return _run(solver, iterations, target, callback, save)
    saved = resume if isinstance(resume, Solution) else Solution.load(resume, game, chosen)
    if (saved.game, saved.recipe.name) != (game.name, chosen.name):
        raise UserError(f"the saved run is {saved.game} by {saved.recipe.name}, not {game.name} by {chosen.name}")
    if seed not in (None, saved.seed) or (deals is not None and tuple(deals) != saved.deals):
        raise UserError(
            f"the saved run has seed {saved.seed} and {len(saved.deals)} given deals; they can't be changed"
        )
    if form not in (None, form_name(saved.form)):
        raise UserError(f"the saved run has form={form_name(saved.form)}; it can't be changed")
    if precision not in (None, saved.precision):
        raise UserError(f"the saved run has precision={saved.precision}; it can't be changed")
    if target is not None and saved.exploitability <= target:
        return _saved(replace(saved, stopped="until"), save)
    return _run(Solver.resume(saved, cores), iterations, target, callback, save)


def _run(
    solver: Solver, iterations: int | None, until: float | None, callback: Callback | None, save: str | Path | None
) -> Solution:
    """Run to the end, and save on the way and there, if a file is named."""
    watched = callback if save is None else keeping(save, solver.glimpse, callback)
    return _saved(solver.glimpse(solver.run_on(iterations, until, watched)), save)


def _saved(solution: Solution, path: str | Path | None) -> Solution:
    if path is not None:
        solution.save(path)
    return solution


def recipes_to_warm() -> list[Recipe]:
    """A few recipes that among them use every built-in rule and every feedback."""
    rules = [f"cfr(weigh={weigh}, predict={predict})" for weigh in WEIGHINGS for predict in ("no", "yes")]
    bounded = [each for each, way in ACCUMULATIONS.items() if way.bounds]
    bounds = [f"cfr(weigh={weigh}, accumulate={each})" for weigh in WEIGHINGS for each in bounded]
    feedbacks = [f"cfr(feedback={feedback})" for feedback, kind in FEEDBACKS.items() if not kind.trains]
    networks = ["cfr(feedback=network, traversals=1, training=1)"] if is_installed() else []
    return [read_recipe(name) for name in (*rules, *bounds, *feedbacks, *networks)]


class RunToWarm(NamedTuple):
    """A short run that compiles some of the kernels."""

    game: str
    recipe: Recipe
    precision: str = "f64"
    cores: int = 1


def runs_to_warm() -> list[RunToWarm]:
    """Short runs that compile what solving needs: small games with every rule, Hold'em in each precision.

    Which games is of no account, as kernels know arrays, not games. Only the way that a game is laid out matters, and
    whether cores share it.
    """
    cores = range(1, 1 + min(2, len(usable_cores())))
    rules = [RunToWarm("kuhn", each) for each in recipes_to_warm()]
    shared = [RunToWarm("kuhn", read_recipe("cfr"), cores=each) for each in cores]
    holdem = [RunToWarm("holdem:turn-3bet", read_recipe("dcfr"), *each) for each in product(KEPT, cores)]
    return [*rules, *shared, *holdem]


def warm_up() -> Iterator[RunToWarm]:
    """Compile ahead of time what solving needs, so that no run has to wait for it; yields each run when it is done."""
    for each in runs_to_warm():
        solver = Solver(each.game, each.recipe, precision=each.precision, cores=each.cores)
        solver.advance(2)
        solver.evaluate()
        if each.game == "kuhn":
            solver.feedback.look(0, 1, solver.current.arrays)
        yield each
