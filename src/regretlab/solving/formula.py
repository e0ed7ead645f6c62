"""A recipe in formulas."""

from __future__ import annotations

from dataclasses import replace

from regretlab.rules import ACCUMULATIONS, WEIGHINGS
from regretlab.solving.recipe import Recipe

SYMBOLS = {
    "R": "the regrets that an information set keeps, one for each action; R₊ is max(R, 0)",
    "r": "the instantaneous regrets of iteration t",
    "σ": "the strategy that is played next",
    "w": "how much iteration t counts in the average",
}
"""What the letters stand for."""


def formulas(recipe: Recipe) -> dict[str, str]:
    """How the regrets change, which strategy follows, what counts in the average.

    >>> from regretlab.solving import recipe
    >>> formulas(recipe("cfr+"))
    {'regrets': 'R ← max(R + r, 0)', 'strategy': 'σ ∝ R₊', 'average': 'w = t'}
    """
    if recipe.rule is not None:
        return {"rule": f"{recipe.rule.name}(regret, instant, strategy, t)", "average": _average(recipe)}
    return {"regrets": _regrets(recipe), "strategy": _strategy(recipe), "average": _average(recipe)}


def _regrets(recipe: Recipe) -> str:
    if recipe.feedback_kind.trains:
        counted = "t " if recipe.alpha is not None else ""
        return f"R is what a network predicts that has minimised Σ {counted}(R − r)² over the walks in its memory"
    signs = [
        f"d = (t−1)^{power} / ((t−1)^{power} + 1) where R {sign} 0"
        for sign, power in ((">", _power(recipe.parts["alpha"])), ("<", _power(recipe.parts["beta"])))
        if power
    ]
    kept = f"{'d R' if signs else 'R'} + r"
    changed = ACCUMULATIONS[recipe.accumulate].formula.format(sum=kept, level=recipe.level)
    return "; ".join([changed, *signs])


def _power(exponent: object) -> str:
    text = str(exponent)
    return "" if text == "none" else text if text.isdigit() else f"({text})"


def _strategy(recipe: Recipe) -> str:
    discounted = recipe.alpha is not None or recipe.beta is not None
    part = recipe.predict
    last = "r" if part == 1 else f"{part.numerator if part.numerator > 1 else ''}r/{part.denominator}"
    expected = f"{'d R' if discounted else 'R'} + {last}"
    plain = f"({expected})" if recipe.predict else "R"
    said = WEIGHINGS[recipe.weigh].formula.format(positive=f"{plain}₊", plain=plain)
    return f"{said}; d of the next iteration" if recipe.predict and discounted else said


def _average(recipe: Recipe) -> str:
    if recipe.restart is not None:
        again = _average(replace(recipe, restart=None))
        return f"{again}, t from the last restart on, which is when the exploitability has fallen to {recipe.restart}"
    gamma, delay = recipe.averaging.gamma, recipe.averaging.delay
    age = f"max(t − {delay}, 0)" if delay else "t"
    if gamma.slope:
        return f"w = 1, and all that was counted before fades by ((t−1)/t)^({gamma})"
    if not gamma.start:
        return f"w = 1 from t = {delay + 1}" if delay else "w = 1"
    return f"w = {age}" if gamma.start == 1 else f"w = {age}^{_power(gamma)}"
