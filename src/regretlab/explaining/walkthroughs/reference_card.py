"""The reference card: each algorithm's update in a few lines of Python that run."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from regretlab.rules import ACCUMULATIONS, WEIGHINGS
from regretlab.solving import Recipe
from regretlab.solving.averaging import Exponent

_NORMALISE = """total = sum(weights)
strategy = [w / total if total > 0 else 1 / len(R) for w in weights]"""


def card(recipe: Recipe) -> str:
    """Python that updates one information set.

    It finds ``R`` and ``S``, the regrets and the sums of the average so far, ``strategy``, which was played, ``r``, the
    instantaneous regrets, ``reach``, the player's own, and ``t``; and leaves ``R``, ``S`` and the next ``strategy``.
    Hedge keeps ``V`` as well.
    """
    discounts = recipe.alpha is not None or recipe.beta is not None
    added = "f * old + new for f, old, new in zip(d, R, r)" if discounts else "old + new for old, new in zip(R, r)"
    lines = [_average(recipe)]
    if discounts:
        # In the first iteration t - 1 is 0, of which there is no negative power. But then all regrets are 0, and what
        # they are multiplied by does not matter.
        begins_below_0 = any(each is not None and each.start < 0 for each in (recipe.alpha, recipe.beta))
        lines += _factors(recipe, "max(t - 1, 1)" if begins_below_0 else "(t - 1)")
    way = ACCUMULATIONS[recipe.accumulate]
    value, _, loop = added.partition(" for ")
    lines.append(f"R = [max({value}, 0) for {loop}]" if way.level == 0 else f"R = [{added}]")
    if recipe.accumulate == "smooth":
        lines.append(_lifted("R", recipe.level))
    elif recipe.accumulate == "stable":
        least = _number(recipe.level)
        lines += [
            "R = [max(regret, 0) for regret in R]",
            f"R = R if sum(R) >= {least} else [{least} / len(R)] * len(R)",
        ]
    elif way.bounds:
        lines.append(f"R = [max(regret, {_number(-recipe.level)} * max(*R, 0)) for regret in R]")
    if recipe.predict:
        once_more = added if recipe.predict == 1 else added.replace("+ new", f"+ {_number(recipe.predict)} * new")
        lines += [*(_factors(recipe, "t") if discounts else ()), f"expected = [{once_more}]"]
        if recipe.accumulate == "smooth":
            lines.append(_lifted("expected", recipe.level))
    weighing = WEIGHINGS[recipe.weigh]
    lines += [weighing.code.format(answered="expected" if recipe.predict else "R"), _NORMALISE]
    imports = f"{weighing.code_imports}\n\n" if weighing.code_imports else ""
    return imports + "\n".join(lines)


def _lifted(name: str, level: Fraction) -> str:
    """The lines that lift what has this name, all by the same, until it sums to the level."""
    return f"""kept, lift = {name}, 0
if sum(max(regret, 0) for regret in {name}) < {_number(level)}:
    for _ in {name}:
        lift = ({_number(level)} - sum(kept)) / len(kept)
        kept = [regret for regret in kept if regret + lift > 0]
{name} = [max(regret + lift, 0) for regret in {name}]"""


def _factors(recipe: Recipe, seen: str) -> Iterator[str]:
    """The lines that set ``d``, by which the regrets of ``seen`` iterations are multiplied."""
    factors = []
    for name, exponent in (("up", recipe.alpha), ("down", recipe.beta)):
        if exponent is None:
            factors.append("1")
        else:
            yield f"{name} = {seen}**{_at(exponent, recipe.horizon, seen)}"
            factors.append(f"{name} / ({name} + 1)")
    yield f"d = [{factors[0]} if old > 0 else {factors[1]} for old in R]"


def _at(exponent: Exponent, horizon: int, seen: str) -> str:
    """An exponent after ``seen`` iterations: a number, or where it changes with them, a formula."""
    if not exponent.slope:
        return _number(exponent.start)
    sign = "+" if exponent.slope > 0 else "-"
    share = f"min({seen} / {horizon}, 1)"
    return f"({_number(exponent.start)} {sign} {_number(abs(exponent.slope))} * {share})"


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"({value})"


def _average(recipe: Recipe) -> str:
    """S takes in what was played, with the weight of iteration t; nothing is written where that is 1."""
    gamma, delay = recipe.averaging.gamma, recipe.averaging.delay
    age = f"max(t - {delay}, 0)" if delay else "t"
    if gamma.slope:
        power = _at(gamma, recipe.horizon, "(t - 1)")
        fade = f"(max(t - {delay + 1}, 0) / {f'max(t - {delay}, 1)' if delay else 't'})"
        counts = f"(t > {delay}) * " if delay else ""
        return f"fade = {fade}**{power}\nS = [fade * old + {counts}reach * p for old, p in zip(S, strategy)]"
    if not gamma.start:
        weight = f"(t > {delay}) * " if delay else ""
    else:
        weight = (age if gamma.start == 1 else f"{age}**{_number(gamma.start)}") + " * "
    return f"S = [old + {weight}reach * p for old, p in zip(S, strategy)]"
