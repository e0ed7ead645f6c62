"""``regretlab nash``: the exact solution."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from regretlab.cli import show
from regretlab.cli.options import AsJson, GameName
from regretlab.documents import numbers

if TYPE_CHECKING:
    from regretlab.evaluation import Equilibrium, KuhnEquilibria

EXAMPLES = """Examples:
  regretlab nash kuhn
  regretlab nash 'kuhn(ante=2, bet=1/3)' --exact
  regretlab nash 'kuhn(cards=13)' --json"""


def nash(
    game: GameName,
    /,
    *,
    exact: Annotated[bool, Parameter(help="In fractions and with a proof; for games that are not too large.")] = False,
    json: AsJson = False,
) -> None:
    """Compute an equilibrium, without any learning.

    It is a linear programme over all strategies of both players.
    With --exact everything is a fraction, and a best response in exact
    arithmetic proves that nobody can gain.
    """
    from regretlab.evaluation import nash
    from regretlab.experiments.comparing.strategies import kuhn_family
    from regretlab.games import load

    rules = load(game)
    found = nash(rules, exact=exact)
    family = kuhn_family(rules)
    if json:
        show.as_json(_as_dict(rules.name, found, family))
    else:
        _print(rules, found, family)


def _as_dict(name: str, found: Equilibrium, family: KuhnEquilibria | None) -> dict[str, Any]:
    """Numbers as floats; beside them, if exact, the fractions as text."""
    data: dict[str, Any] = {
        "game": name,
        "method": found.method,
        "value": float(found.value),
        "exploitability": found.exploitability,
        "strategy": {label: found.strategy[label] for label in found.strategy},
    }
    if found.exact_strategy is not None:
        data |= {"exact_value": Fraction(found.value), "gap": found.gap, "exact_strategy": found.exact_strategy}
    if family is not None:
        data["family"] = {"regime": family.regime, "alpha_range": family.alpha_range, "ranges": family.ranges}
    return data


def _print(game: Any, found: Equilibrium, family: KuhnEquilibria | None) -> None:
    page, unit = show.Page(), numbers.Unit.of(game)
    page.print(f"{game.name}: an equilibrium ({found.method})\n", style="bold")
    if found.exact_strategy is None:
        show.strategy(page, game, found.strategy.form, found.strategy, numbers.percent)
    else:
        show.strategy(page, game, found.strategy.form, found.exact_strategy, str)
    facts = [("value", _value(found.value, unit)), _proof(found)]
    page.facts([*facts, *(_family_facts(family) if family else [])])


def _value(chips: float | Fraction, unit: numbers.Unit) -> str:
    fraction = f"{chips} = " if isinstance(chips, Fraction) and chips.denominator > 1 else ""
    return f"{fraction}{numbers.value(float(chips))} chips, {unit.show(float(chips))} {unit.name}, for player 0"


def _proof(found: Equilibrium) -> tuple[str, str]:
    if found.gap is None:
        left = f"{numbers.loss(found.exploitability)} chips: what the solver's tolerance leaves of 0"
        return "exploitability", f"{left}; --exact leaves nothing"
    return "proof", f"the best-response gap, in exact fractions, is {found.gap}"


def _family_facts(family: KuhnEquilibria) -> list[tuple[str, str]]:
    low, high = family.alpha_range
    alpha = f"α = {low}" if low == high else f"any α from {low} to {high}"
    return [("all equilibria", f"{family.regime}: player 0 bets the Jack with {alpha}")]
