"""regretlab: a laboratory for regret minimisation in imperfect-information games.

>>> import regretlab as rl
>>> solution = rl.solve("kuhn", "cfr+", iterations=1_000)
>>> round(solution.value, 4), solution.exploitability < 1e-3
(-0.0556, True)

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # type checkers take it for true; to import typing takes longer than all that is here
if TYPE_CHECKING:
    from typing import Any

    from regretlab.endgames import holdem, read
    from regretlab.errors import GameError, UserError
    from regretlab.evaluation import (
        best_response,
        brute_force,
        distance_to_equilibria,
        evaluate,
        exploitability,
        kuhn_equilibria,
        nash,
    )
    from regretlab.experiments import board_rows, chaos, compare, experiment, solved
    from regretlab.explaining import explain, walkthrough
    from regretlab.forms import SequenceForm, Strategy, compile
    from regretlab.games import (
        CHANCE,
        TERMINAL,
        Always,
        Ending,
        Game,
        Matrix,
        Product,
        PublicGame,
        Stronger,
        Table,
        check_game,
        load,
        lock,
    )
    from regretlab.interop import openspiel_bot, openspiel_policy, pettingzoo_env, write_efg
    from regretlab.rules import rule
    from regretlab.solving import RECIPES, Recipe, Solution, Solver, learner, load_strategy, recipe, solve
    from regretlab.watch.progress_bar import progress

_HOME = {
    "endgames": ("holdem", "read"),
    "errors": ("GameError", "UserError"),
    "evaluation": (
        "best_response",
        "brute_force",
        "distance_to_equilibria",
        "evaluate",
        "exploitability",
        "kuhn_equilibria",
        "nash",
    ),
    "experiments": ("board_rows", "chaos", "compare", "experiment", "solved"),
    "explaining": ("explain", "walkthrough"),
    "forms": ("SequenceForm", "Strategy", "compile"),
    "games": (
        "CHANCE",
        "TERMINAL",
        "Always",
        "Ending",
        "Game",
        "Matrix",
        "Product",
        "PublicGame",
        "Stronger",
        "Table",
        "check_game",
        "load",
        "lock",
    ),
    "interop": ("openspiel_bot", "openspiel_policy", "pettingzoo_env", "write_efg"),
    "rules": ("rule",),
    "solving": ("RECIPES", "Recipe", "Solution", "Solver", "learner", "load_strategy", "recipe", "solve"),
    "watch.progress_bar": ("progress",),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "CHANCE",
    "RECIPES",
    "TERMINAL",
    "Always",
    "Ending",
    "Game",
    "GameError",
    "Matrix",
    "Product",
    "PublicGame",
    "Recipe",
    "SequenceForm",
    "Solution",
    "Solver",
    "Strategy",
    "Stronger",
    "Table",
    "UserError",
    "best_response",
    "board_rows",
    "brute_force",
    "chaos",
    "check_game",
    "compare",
    "compile",
    "distance_to_equilibria",
    "evaluate",
    "experiment",
    "explain",
    "exploitability",
    "holdem",
    "kuhn_equilibria",
    "learner",
    "load",
    "load_strategy",
    "lock",
    "nash",
    "openspiel_bot",
    "openspiel_policy",
    "pettingzoo_env",
    "progress",
    "read",
    "recipe",
    "rule",
    "solve",
    "solved",
    "walkthrough",
    "write_efg",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("regretlab")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'regretlab' has no attribute '{name}'")
    return getattr(import_module(f"regretlab.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
