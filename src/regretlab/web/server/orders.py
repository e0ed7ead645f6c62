"""What a page may order of a session: the values that it sends, read strictly, or replaced where a link is followed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from regretlab.errors import UserError
from regretlab.spec import whole
from regretlab.watch.nearest import MOST_TEXT, Nearest
from regretlab.watch.offers import SETTINGS, recipe_shown

if TYPE_CHECKING:
    from regretlab.solving import Recipe

MOST_SEED = 2**63 - 1


def read_text(name: str, value: Any) -> str:
    """A value from a page as text; it may have been sent as a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UserError(f"{name:.{MOST_TEXT}} must be a text or a number")
    text = str(value)
    if not 0 < len(text) <= MOST_TEXT:
        raise UserError(f"{name:.{MOST_TEXT}} must have between 1 and {MOST_TEXT} letters")
    return text


def read_iteration(value: Any, last: int) -> int:
    """An iteration of a run that ends at ``last``."""
    return whole("iteration", read_text("iteration", value), least=0, most=last)


def read_seed(value: Any) -> int:
    """A seed from a page."""
    return whole("seed", read_text("seed", value), least=0, most=MOST_SEED)


def read_recipe(slug: Any, parameters: Any) -> Recipe:
    """The recipe that a page names, with its parameters."""
    from regretlab.watch.watched_run import MOST_ITERATIONS

    if not isinstance(parameters, dict):
        raise UserError("parameters must be an object of names and values")
    texts = {read_text("parameter", name): read_text(name, value) for name, value in parameters.items()}
    recipe = recipe_shown(read_text("recipe", slug), texts)
    # A longer delay would leave nothing to average; and kernels count with 64 bits.
    if max(recipe.averaging.delay, recipe.horizon) > MOST_ITERATIONS:
        raise UserError(f"delay and horizon must be at most {MOST_ITERATIONS:,}")
    return recipe


def nearest_order(order: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The order for the session that is nearest to what an address asks for, and sentences about what was replaced."""
    from regretlab.watch.watched_run import MOST_ITERATIONS, MOST_TRAINED

    slug, parameters = order.get("recipe"), order.get("parameters", {})
    recipe = read_recipe(slug, {})
    if not isinstance(parameters, dict):
        raise UserError("parameters must be an object of names and values")
    trains = recipe.feedback_kind.trains
    usual: dict[str, Any] = recipe.parts | ({name: first for name, (first, _, _) in SETTINGS.items()} if trains else {})
    bounds = {"delay": (0, MOST_ITERATIONS), "horizon": (1, MOST_ITERATIONS)}
    bounds |= {name: (least, most) for name, (_, least, most) in SETTINGS.items()} if trains else {}
    found, taken = Nearest(), dict[str, str]()

    def with_taken(name: str) -> Callable[[Any], Recipe]:
        """Reads one more parameter, beside those that have been taken."""
        return lambda text: read_recipe(slug, {**taken, name: text})

    for name, given in parameters.items():
        value = found.value(given, with_taken(name), usual.get(name, "nothing"), *bounds.get(name, ()))
        if name in usual:
            taken[name] = value
    ante, bet = (found.stake(name, order.get(name, 1)) for name in ("ante", "bet"))
    seed = found.value(order.get("seed", 0), read_seed, 0, 0, MOST_SEED)
    last = MOST_TRAINED if trains else MOST_ITERATIONS
    at = found.value(order.get("at", 0), lambda value: read_iteration(value, last), 0, 0, last)
    nearest = {"recipe": slug, "parameters": taken, "ante": ante, "bet": bet, "seed": seed, "at": at}
    return nearest | ({"game": order["game"]} if "game" in order else {}), found.said
