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
        w = [exp(s * (y * y - 1)) for y in x]
        slope = sum(y * y * p for y, p in zip(x, w)) / sum(w)
        s -= (s + log(sum(w) / len(w)) - 1) / slope
    weights = [y * exp(s * (y * y - 1)) for y in x]"""

_WEIGH = {"regret-matching": _REGRET_MATCHING, "normalhedge": _NORMALHEDGE}

_NORMALISE = """total = sum(weights)
strategy = [w / total if total > 0 else 1 / len(R) for w in weights]"""


def card(recipe: Recipe) -> str:
    """Python that updates one information set.

    It finds ``R`` and ``S``, the regrets and the sums of the average so far, ``strategy``, which was played, ``r``, the
    instantaneous regrets, ``reach``, the player's own, and ``t``; and leaves ``R``, ``S`` and the next ``strategy``.
    """
    imports = "from math import e, exp, log\n\n" if recipe.weigh == "normalhedge" else ""
    average = f"S = [old + {_weight(recipe)}reach * p for old, p in zip(S, strategy)]"
    lines = (average, _ACCUMULATE[recipe.accumulate], _POSITIVE, _WEIGH[recipe.weigh], _NORMALISE)
    return imports + "\n".join(lines)


def _weight(recipe: Recipe) -> str:
    """How much iteration t counts, as a factor; nothing where that is 1."""
    gamma, delay = recipe.averaging.gamma.start, recipe.averaging.delay
    age = f"max(t - {delay}, 0)" if delay else "t"
    if gamma == 0:
        return f"(t > {delay}) * " if delay else ""
    power = "" if gamma == 1 else f"**{gamma}" if gamma.denominator == 1 else f"**({gamma})"
    return f"{age}{power} * "
