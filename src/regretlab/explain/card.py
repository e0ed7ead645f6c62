"""The reference card: each algorithm's update in a few lines of Python that run."""

from __future__ import annotations

from regretlab.solve import Recipe

_ACCUMULATE = {
    "sum": "R = [old + new for old, new in zip(R, r)]",
    "truncate": "R = [max(old + new, 0) for old, new in zip(R, r)]",
}

_POSITIVE = "positive = [max(regret, 0) for regret in R]"

_REGRET_MATCHING = "weights = positive"

_NORMALHEDGE = """weights = positive
if sum(regret > 0 for regret in positive) > 1:
    x = [regret / max(positive) for regret in positive]
    s = log(len(x) * (e - 1) + 1)
    for _ in range(9):  # Newton's steps
        potential = [exp(s * (each * each - 1)) for each in x]
        slope = sum(each * each * p for each, p in zip(x, potential)) / sum(potential)
        s -= (s + log(sum(potential) / len(x)) - 1) / slope
    weights = [each * exp(s * (each * each - 1)) for each in x]"""

_WEIGH = {"regret-matching": _REGRET_MATCHING, "normalhedge": _NORMALHEDGE}

_NORMALISE = """total = sum(weights)
strategy = [weight / total if total > 0 else 1 / len(R) for weight in weights]"""


def card(recipe: Recipe) -> str:
    """Python that updates one information set.

    It finds ``R`` and ``S``, the regrets and the sums of the average so far, ``strategy``, which was played, ``r``, the
    instantaneous regrets, ``reach``, the player's own, and ``t``; and leaves ``R``, ``S`` and the next ``strategy``.
    """
    imports = "from math import e, exp, log\n\n" if recipe.weigh == "normalhedge" else ""
    average = f"S = [old + {_weight(recipe)} * reach * p for old, p in zip(S, strategy)]"
    lines = (average, _ACCUMULATE[recipe.accumulate], _POSITIVE, _WEIGH[recipe.weigh], _NORMALISE)
    return imports + "\n".join(lines)


def _weight(recipe: Recipe) -> str:
    """How much iteration t counts."""
    gamma, delay = recipe.averaging.gamma.start, recipe.averaging.delay
    if not gamma:
        return f"(t > {delay})" if delay else "1"
    age = f"max(t - {delay}, 0)" if delay else "t"
    return age if gamma == 1 else f"{age} ** {gamma if gamma.denominator == 1 else f'({gamma})'}"
