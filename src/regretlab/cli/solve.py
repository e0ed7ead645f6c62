"""``regretlab solve``: one game, one recipe."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from regretlab.cli import screen, spots
from regretlab.cli.progress import INTERRUPTED, Aim, RunDisplay
from regretlab.cli.screen import AsJson, GameName, Locks, check_run_file, load_locked
from regretlab.documents import numbers
from regretlab.errors import UserError
from regretlab.spec import split_list, whole, whole_iterations

if TYPE_CHECKING:
    from regretlab.solving import Solution

EXAMPLES = """Examples:
  regretlab solve kuhn
  regretlab solve holdem:river-polar
  regretlab solve spot.toml --until 0.2% --precision f32 --save run.npz
  regretlab solve 'kuhn(ante=1, bet=2)' --with 'cfr+(delay=100)'
  regretlab solve 'kuhn(cards=100)' --until 1e-4 --save run.npz
  regretlab solve 'kuhn(cards=100)' --until 1e-5 --resume run.npz --save run.npz
  regretlab solve ./my_game.py:MyGame
  regretlab solve kuhn --lock 'J: check; Jc: check'
  regretlab solve kuhn --with normalhedge --iterations 1000 --json"""


def solve(
    game: GameName,
    /,
    *,
    recipe: Annotated[
        str | None,
        Parameter(
            name="--with",
            metavar="RECIPE",
            help="The recipe; see regretlab recipes. [default: sapdcfr+, for Hold'em dcfr]",
        ),
    ] = None,
    iterations: Annotated[
        str | None,
        Parameter(
            metavar="N",
            help="How many iterations, in all. [default: 10000, networks 100; with --until, or Hold'em, 1000000]",
        ),
    ] = None,
    until: Annotated[
        str | None,
        Parameter(
            metavar="CHIPS",
            help="Stop when the exploitability is so small, in chips a game; for Hold'em also 0.5%, of the pot. "
            "[default for Hold'em: what the file says, or 0.5%]",
        ),
    ] = None,
    seed: Annotated[
        str | None,
        Parameter(metavar="N", help="The seed of recipes that sample; others have no use for it. [default: 0]"),
    ] = None,
    cores: Annotated[
        str | None,
        Parameter(metavar="N", help="How many cores; it changes no number. [default: 1, or all for large games]"),
    ] = None,
    form: Annotated[
        str | None,
        Parameter(
            metavar="FORM", help="How the game is compiled: lanes, histories, blocks. [default: the quickest one]"
        ),
    ] = None,
    precision: Annotated[
        str | None,
        Parameter(
            metavar="f64|f32|16bit",
            help="Of the numbers of games with hands; f32 takes half the memory, 16bit (Hold'em) a quarter. "
            "[default: f64]",
        ),
    ] = None,
    lock: Locks = None,
    save: Annotated[
        Path | None,
        Parameter(metavar="FILE.npz", help="Write the run to this file every minute, at the end, and after Ctrl-C."),
    ] = None,
    resume: Annotated[
        Path | None, Parameter(metavar="FILE.npz", help="Go on with a saved run, as if it had never stopped.")
    ] = None,
    json: AsJson = False,
) -> int:
    """Solve a game by one recipe and show the strategy.

    Below it: what it is worth, and how much a best responder wins against it.
    Ctrl-C ends the run early and shows what was found so far; a second one aborts.
    """
    from regretlab.solving import Solution, form_for, recipe_for, solve, target_for
    from regretlab.solving import recipe as read_recipe

    goal = None if iterations is None else whole_iterations("--iterations", iterations)
    check_run_file(save)
    start = None if seed is None else whole("--seed", seed, least=0)
    used = None if cores is None else whole("--cores", cores, least=1)
    if recipe is not None and len(split_list(recipe)) > 1:
        raise UserError(f"solve takes one recipe, not '{recipe}'; several beside each other: regretlab compare")
    chosen = None if recipe is None else read_recipe(recipe)
    rules = load_locked(game, lock)
    target = target_for(rules, until, goal, "--until")
    with RunDisplay(Aim(target, getattr(rules, "pot", None), getattr(rules, "stack", 0))) as watch:
        saved = None
        if resume is not None:  # its recipe, its seed and its form need not be given again
            saved = Solution.load(resume, rules, chosen)
            chosen = chosen or saved.recipe
            if start is not None and start != saved.seed:
                raise UserError(f"--seed={start} can't change the run in '{resume}', which has seed {saved.seed}")
        known = recipe_for(rules, chosen)
        solution = solve(
            form_for(rules, known, form, tree=False, precision=precision or "f64") if saved is None else saved.form,
            known,
            iterations=goal,
            until=target,
            seed=start,
            cores=used,
            form=None if saved is None else form,
            precision=precision,
            callback=watch.solving,
            save=save,
            resume=saved,
        )
    # A run that ended before Ctrl-C could reach it is complete.
    interrupted = watch.interrupted and solution.stopped == "callback"
    _print(rules, solution, target, interrupted, json)
    if not interrupted:
        return 0
    screen.note(_how_to_go_on(game, lock, solution, watch.goal, until, save))
    return INTERRUPTED


def _print(game: object, solution: Solution, until: float | None, interrupted: bool, json: bool) -> None:
    ending, missed = _ending(solution, until, interrupted)
    spot = spots.spot_of(solution)
    if json:
        screen.as_json(solution.as_dict() if spot is None else spots.as_dict(solution))
        if missed:
            screen.note(ending)
        return
    page = screen.Page()
    page.print(
        f"{solution.game} by {solution.recipe.name}: {numbers.count(solution.iterations, 'iteration')}", style="bold"
    )
    page.print(", ".join(f"{part} {choice}" for part, choice in solution.recipe.parts.items()), style="dim")
    page.print()
    if spot is None:
        _print_strategy(page, game, solution)
    else:
        spots.print_solution(page, spot, solution)
    if solution.no_promise:
        page.print(f"\n{solution.no_promise}")
    page.print(f"\n{ending}", style="bold yellow" if missed else "")


def _print_strategy(page: screen.Page, game: object, solution: Solution) -> None:
    """The strategy at all information sets, what it is worth, and how much can be gained against it."""
    screen.strategy(page, game, solution.form, solution.strategy, numbers.percent)
    unit = numbers.Unit.of(game)
    amounts = [
        ("value", numbers.value, solution.value, "what player 0 wins"),
        ("exploitability", numbers.loss, solution.exploitability, "what a best responder wins"),
        ("last iterate", numbers.loss, solution.current_exploitability, "the same without averaging"),
    ]
    if not solution.form.zero_sum:
        amounts[1:2] = [
            ("", numbers.value, solution.values[1], "what player 1 wins"),
            ("exploitability", numbers.loss, solution.exploitability, "what a best responder gains"),
        ]
    if solution.cce_gap is not None:
        amounts.append(("CCE gap", numbers.loss, solution.cce_gap, "what one fixed plan gains"))
    facts = [
        (name, f"{write(chips)} chips", f"{unit.show(chips)} {unit.name}", words)
        for name, write, chips, words in amounts
    ]
    each = numbers.duration(solution.seconds / solution.iterations)
    page.facts([*facts, ("time", numbers.duration(solution.seconds), f"{each}/iteration", "solving alone")])


def _ending(solution: Solution, until: float | None, interrupted: bool) -> tuple[str, bool]:
    """Why the run has ended, and whether that is not what was asked for."""
    count = numbers.count(solution.iterations, "iteration")
    if interrupted:
        early = " Nothing has been averaged yet." if solution.iterations <= solution.recipe.averaging.delay else ""
        return f"Stopped by Ctrl-C after {count}.{early}", True
    if until is None:
        return f"Stopped after {count}, as asked.", False
    spot = spots.spot_of(solution)
    goal = f"exploitability {until:g}" + (f" ({spots.of_the_pot(until, spot.pot)})" if spot is not None else "")
    if solution.exploitability <= until:
        return f"Stopped after {count}, because {goal} was reached.", False
    limit = f"at the cap of {count}" if solution.stopped == "cap" else f"after {count}"
    return f"Stopped {limit} without reaching {goal}; give more --iterations.", True


def _how_to_go_on(
    game: str, locks: Sequence[str] | None, solution: Solution, goal: int, until: str | None, save: Path | None
) -> str:
    if save is None:
        return "nothing was saved; with --save run.npz a stopped run can go on later (--resume run.npz)"
    command = ["regretlab", "solve", game, *(word for lock in locks or () for word in ("--lock", lock))]
    command += ["--with", solution.recipe.name, "--iterations", str(goal)]
    command += ["--until", until] if until is not None else []
    return f"to go on: {shlex.join([*command, '--resume', str(save), '--save', str(save)])}"
