"""Recipes: an algorithm is four values put together, and every named one is a row of one table."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from regretlab.deep import DEFAULTS, READ_SETTING, Settings
from regretlab.errors import UserError, unknown
from regretlab.feedback.registry import FEEDBACKS, FeedbackKind
from regretlab.own_file import is_in_a_file, load_from_file, split_place
from regretlab.plugins import Plugin, find_plugin, plugins
from regretlab.rules import ACCUMULATIONS, TIES, WEIGHINGS, CustomRule
from regretlab.rules.citations import (
    ASYMMETRIC,
    CFR,
    CFR_PLUS,
    DEEP,
    DISCOUNTED,
    DISCOUNTED_PLUS,
    HEDGE,
    MONTE_CARLO,
    NORMALHEDGE,
    PREDICTIVE,
    RESTARTED,
    SCHEDULED,
    SINGLE_DEEP,
    STABLE,
    Citation,
)
from regretlab.solving.averaging import (
    LINEAR,
    UNIFORM_AVERAGING,
    Averaging,
    Exponent,
    read_averaging,
    read_exponent,
    read_gamma,
)
from regretlab.solving.schedule import SCHEDULES, until_both_learn
from regretlab.spec import (
    MOST_ITERATIONS,
    Readable,
    format_call,
    number,
    parse_call,
    positive,
    truth,
    whole,
    whole_iterations,
)

PARTS_BESIDE_A_RULE = ("averaging", "delay", "schedule", "feedback", "ties")
"""What can be chosen where the rule is a user's own."""

WHOLE_PREDICTIONS = {Fraction(0): "no", Fraction(1): "yes"}
"""How the two ends of ``predict`` are written."""

LEAST_EXPONENT = -40
"""The least exponent of a discount: below it regrets are as good as forgotten at once."""


@dataclass(frozen=True, repr=False)
class Recipe:
    """A rule (accumulate × weigh × predict), an averaging, a schedule and a feedback, with a name and an origin."""

    row: str  # the row of the table that this is, or is a variation of
    title: str
    citations: tuple[Citation, ...]
    status: str  # proven: a theorem says that it converges; tested: seen to, and checked here; experimental
    accumulate: str = "sum"
    weigh: str = "regret-matching"
    averaging: Averaging = UNIFORM_AVERAGING
    schedule: str = "simultaneous"
    feedback: str = "full"
    predict: Fraction = Fraction(0)  # how much of the last regrets the next strategy expects once more, up to 1
    alpha: Exponent | None = None  # positive regrets so far are multiplied by (t−1)^α / ((t−1)^α + 1)
    beta: Exponent | None = None  # the same for negative regrets
    ties: Fraction = TIES  # how near to 0, relative to the payoffs, a regret counts as 0
    restart: Fraction | None = None  # to which part the exploitability has to fall for the run to begin anew
    level: Fraction = Fraction(1)  # of accumulate=clip, smooth or stable
    horizon: int = 1_000  # n in exponents such as 30-5t/n
    epsilon: Fraction = Fraction(3, 5)  # of feedback=outcome: how often an own action is drawn from all alike
    settings: Settings = DEFAULTS  # of feedback=network
    rule: CustomRule | None = None  # a user's own, in place of accumulate × weigh × predict

    @property
    def feedback_kind(self) -> FeedbackKind:
        """What the feedback is and needs."""
        return FEEDBACKS[self.feedback]

    @property
    def least_iterations(self) -> int:
        """From how many iterations on both players have an average.

        Where the players take turns by the iteration, the second one's begins one iteration later.
        """
        return self.averaging.delay + until_both_learn(SCHEDULES[self.schedule])

    @property
    def parts(self) -> dict[str, object]:
        """The whole tuple: what a name alone would leave open."""
        always: dict[str, object] = {
            "accumulate": self.accumulate,
            "weigh": self.weigh,
            "averaging": self.averaging.name,
            "delay": self.averaging.delay,
            "schedule": self.schedule,
            "feedback": self.feedback,
            "predict": WHOLE_PREDICTIONS.get(self.predict, str(self.predict)),
            "alpha": "none" if self.alpha is None else str(self.alpha),
            "beta": "none" if self.beta is None else str(self.beta),
            "ties": f"{float(self.ties):g}",
        }
        if self.rule is not None:
            always = {"rule": self.rule.name} | {key: always[key] for key in PARTS_BESIDE_A_RULE}
        exponents = (self.averaging.gamma, self.alpha, self.beta)
        scheduled = any(exponent is not None and exponent.slope for exponent in exponents)
        bounded = {"level": str(self.level)} if ACCUMULATIONS[self.accumulate].bounds else {}
        restarted = {} if self.restart is None else {"restart": str(self.restart)}
        of_feedback = {"epsilon": str(self.epsilon)} | self.settings.parts
        chosen = {part: of_feedback[part] for part in of_feedback if part in self.feedback_kind.parts}
        return always | bounded | restarted | ({"horizon": self.horizon} if scheduled else {}) | chosen

    @property
    def name(self) -> str:
        """The shortest name that means exactly this recipe.

        >>> recipe("cfr+(schedule=alternating, delay=100)").name
        'cfr+(delay=100)'
        """
        base = RECIPES[self.row].parts if self.row in RECIPES else own(self.row, self.rule).parts
        return format_call(self.row, {key: value for key, value in self.parts.items() if value != base.get(key)})

    def __repr__(self) -> str:
        return f"<recipe {self.name}: {self.title}, {self.status}>"

    def _repr_html_(self) -> str:
        from regretlab.documents.notebook import as_html, facts, headline
        from regretlab.solving.formula import SYMBOLS, formulas

        cited = "; ".join(citation.short for citation in self.citations)
        parts = ((part, str(choice)) for part, choice in self.parts.items())
        meant = "; ".join(f"{symbol}: {meaning}" for symbol, meaning in SYMBOLS.items())
        return as_html(
            headline(self.name, f", {self.title}, {self.status}. {cited}"),
            facts(*formulas(self).items()),
            facts(*parts),
            headline("", f"{meant}."),
        )


def own(row: str, rule: CustomRule | None) -> Recipe:
    """The recipe around a user's own rule, if nothing is wrong with that: everything else as in vanilla CFR."""
    if rule is not None:
        rule.check()
    return Recipe(row, "a rule of one's own", (), "experimental", rule=rule)


def recipe(name: str | Recipe | CustomRule, **parts: Readable) -> Recipe:
    """The recipe that a name with arguments describes; any part can be replaced, in the name or beside it.

    ``./my_rules.py:rule`` is a rule in a file of one's own; other packages may add names, see ``plugins``.

    >>> recipe("normalhedge+(schedule=alternating, averaging=linear)").parts["averaging"]
    'linear'
    >>> recipe("cfr+", delay=100).name
    'cfr+(delay=100)'
    """
    arguments: dict[str, str] = {}
    if isinstance(name, Recipe):
        given = name
    elif isinstance(name, CustomRule):
        given = own(name.name, name)
    elif isinstance(name, str):
        row, arguments = parse_call(name)
        given = _row(row)
    else:
        raise UserError(f"{name!r:.60} is no recipe; give a name such as cfr+, or a function decorated with @rl.rule")
    if not parts and not isinstance(name, str):
        return given
    result = _replaced(given, arguments | {part: str(choice) for part, choice in parts.items()})
    same = next((known for known in RECIPES.values() if known.parts == result.parts), None)
    return same or replace(result, status="experimental" if result.status == "experimental" else "tested")


def _replaced(given: Recipe, parts: dict[str, str]) -> Recipe:
    """A recipe with some parts replaced by what is written."""
    name = format_call(given.row, parts)
    if "averaging" in parts and "gamma" in parts:
        raise UserError(f"{name}: averaging and gamma say the same thing; give one of them")
    known = [*_READ_PART] if given.rule is None else ["gamma", "epsilon", *READ_SETTING, *PARTS_BESIDE_A_RULE]
    result = given
    for part, text in parts.items():
        if part not in known:
            raise unknown(f"part of {given.row}", part, known)
        result = _with_part(result, part, text)
    if "level" in parts and not ACCUMULATIONS[result.accumulate].bounds:
        bounded = [f"accumulate={each}" for each, way in ACCUMULATIONS.items() if way.bounds]
        raise UserError(f"{name}: level belongs to {' or '.join(bounded)}")
    if result.restart is not None:
        _check_restarts(name, result)
    for kind in FEEDBACKS.values():
        for part in parts.keys() & kind.parts:
            if kind != result.feedback_kind:
                raise UserError(f"{name}: {part} belongs to feedback={kind.name}")
    if result.feedback_kind.trains:
        _check_learnable(name, result)
    return result


def _check_restarts(name: str, given: Recipe) -> None:
    """A run begins anew with regrets in proportion to the average, which has to mean that the average is played.

    Discounts would forget them at once, and an average that leaves out its beginning would be empty for a while.
    """
    plain = given.weigh == "regret-matching" and given.rule is None and given.feedback == "full"
    if not plain or (given.alpha, given.beta, given.averaging.delay) != (None, None, 0):
        raise UserError(f"{name}: restart goes with full feedback and regret matching, without discounts and delay")


def _check_learnable(name: str, given: Recipe) -> None:
    """A network predicts the mean of what is in its memory, which only sums that count t or 1 lead to."""
    scale_free = [f"weigh={way.name}" for way in WEIGHINGS.values() if way.scale_free]
    if given.rule is not None or f"weigh={given.weigh}" not in scale_free:
        raise UserError(f"{name}: feedback=network knows regrets up to their scale; use {' or '.join(scale_free)}")
    if given.accumulate != "sum" or given.predict:
        raise UserError(f"{name}: feedback=network keeps samples, not regrets; use accumulate=sum and predict=no")
    if (given.alpha, given.beta) not in ((None, None), (LINEAR, LINEAR)):
        raise UserError(f"{name}: feedback=network weighs samples by 1 or t; use alpha and beta both none, or both 1")


def _row(name: str) -> Recipe:
    """A row of the table, a user's own rule, or one that another package adds by being installed."""
    if is_in_a_file(name):
        path, thing = split_place(name, "rule")
        return _around(load_from_file(path, thing, "rule", lambda _, value: isinstance(value, CustomRule)), name, path)
    if name in RECIPES:
        return RECIPES[name]
    plugin = find_plugin("rule", name)
    if plugin is None:
        raise unknown(
            "recipe", name, [*RECIPES, *(other.name for other in plugins("rule", RECIPES) if not other.fault)]
        )
    return _of_a_package(plugin)


def _around(rule: object, name: str, path: str) -> Recipe:
    """The recipe around a rule that is not ours."""
    if not isinstance(rule, CustomRule):
        raise UserError(
            f"'{name.rpartition(':')[2]}' in '{path}' is no rule; decorate the function with @regretlab.rule"
        )
    return own(name, rule)


def _one_of(part: str, options: Iterable[str], text: str) -> str:
    """One of several names."""
    if text not in options:
        raise unknown(part, text, options)
    return text


def _read_discount(part: str, text: str) -> Exponent | None:
    """An exponent, or ``none``."""
    return None if text == "none" else read_exponent(part, text, LEAST_EXPONENT)


def _read_ties(text: str) -> Fraction:
    """A tolerance; as a float, so that the name which it is written in means the same again."""
    ties = number("ties", text)
    if not 0 <= ties < 1:
        raise UserError(f"ties={text} must be at least 0, which lets rounding decide, and below 1")
    return Fraction(f"{float(ties):g}")


def _read_predict(text: str) -> Fraction:
    """How much to predict: a number from 0 to 1, or yes or no for the whole or nothing."""
    if text.lower() in ("yes", "true", "no", "false"):
        return Fraction(truth("predict", text))
    predict = number("predict", text)
    if not 0 <= predict <= 1:
        raise UserError(f"predict={text} must be between 0 and 1")
    return predict


def _read_restart(text: str) -> Fraction | None:
    """A part, or ``none``."""
    if text == "none":
        return None
    restart = number("restart", text)
    if not 0 < restart < 1:
        raise UserError(f"restart={text} must be above 0 and below 1, or none")
    return restart


def _read_epsilon(text: str) -> Fraction:
    epsilon = positive("epsilon", text)
    if epsilon > 1:
        raise UserError(f"epsilon={text} must be above 0 and at most 1")
    return epsilon


_READ_PART: dict[str, Callable[[str], Any]] = {
    "accumulate": partial(_one_of, "accumulate", ACCUMULATIONS),
    "level": partial(positive, "level"),
    "alpha": partial(_read_discount, "alpha"),
    "beta": partial(_read_discount, "beta"),
    "weigh": partial(_one_of, "weigh", WEIGHINGS),
    "predict": _read_predict,
    "ties": _read_ties,
    "restart": _read_restart,
    "averaging": read_averaging,
    "gamma": read_gamma,
    "delay": partial(whole, "delay", least=0, most=MOST_ITERATIONS),
    "horizon": partial(whole_iterations, "horizon"),
    "schedule": partial(_one_of, "schedule", SCHEDULES),
    "feedback": partial(_one_of, "feedback", FEEDBACKS),
    "epsilon": _read_epsilon,
    **READ_SETTING,
}
"""How each part is read from what is written in a recipe's name."""

_OF_AVERAGING = {"averaging": "gamma", "gamma": "gamma", "delay": "delay"}
"""The parts that say something about the averaging, and what."""


def _with_part(given: Recipe, part: str, text: str) -> Recipe:
    """A recipe with one part as it is written."""
    value = _READ_PART[part](text)
    if part in READ_SETTING:
        return replace(given, settings=replace(given.settings, **{part: value}))
    if part in _OF_AVERAGING:
        return replace(given, averaging=replace(given.averaging, **{_OF_AVERAGING[part]: value}))
    changes: dict[str, Any] = {part: value}
    return replace(given, **changes)


def _row_of(row: str, title: str, citations: tuple[Citation, ...], status: str, parts: str = "") -> Recipe:
    """A row of the table: vanilla CFR with some parts replaced."""
    return _replaced(Recipe(row, title, citations, status), parse_call(f"{row}({parts})")[1])


RECIPES = {
    row.row: row
    for row in (
        _row_of("cfr", "vanilla CFR", (CFR,), "proven"),
        _row_of(
            "cfr+",
            "CFR+",
            CFR_PLUS,
            "proven",
            "accumulate=truncate, averaging=linear, schedule=alternating",
        ),
        _row_of("normalhedge", "NormalHedge", (NORMALHEDGE,), "proven", "weigh=normalhedge"),
        _row_of(
            "normalhedge+",
            "NormalHedge with the truncation of CFR+",
            (NORMALHEDGE,),
            "proven",  # docs/explanation/normalhedge-plus.md
            "accumulate=truncate, weigh=normalhedge",
        ),
        _row_of(
            "dcfr",
            "discounted CFR",
            (DISCOUNTED,),
            "proven",
            "alpha=3/2, beta=0, averaging=quadratic, schedule=alternating",
        ),
        _row_of(
            "lcfr",
            "linear CFR",
            (DISCOUNTED,),
            "proven",
            "alpha=1, beta=1, averaging=linear, schedule=alternating",
        ),
        _row_of(
            "pcfr+",
            "predictive CFR+",
            (PREDICTIVE,),
            "proven",
            "accumulate=truncate, predict=yes, averaging=quadratic, schedule=alternating",
        ),
        _row_of(
            "sapcfr+",
            "predictive CFR+ that expects a third of the last regrets",
            (ASYMMETRIC, PREDICTIVE),
            "proven",
            "accumulate=truncate, predict=1/3, averaging=quadratic, schedule=alternating",
        ),
        _row_of(
            "dcfr+",
            "CFR+ with discounts",
            (DISCOUNTED_PLUS,),
            "proven",
            "accumulate=truncate, alpha=3/2, averaging=t^4, schedule=alternating",
        ),
        _row_of(
            "pdcfr+",
            "predictive CFR+ with discounts",
            (DISCOUNTED_PLUS,),
            "proven",
            "accumulate=truncate, alpha=2.3, predict=yes, averaging=t^5, schedule=alternating",
        ),
        _row_of(
            "sapdcfr+",
            "predictive CFR+ with discounts that expects half of the last regrets",
            (ASYMMETRIC, DISCOUNTED_PLUS),
            "tested",
            "accumulate=truncate, alpha=2.3, predict=1/2, averaging=t^5, schedule=alternating",
        ),
        _row_of(
            "smooth-pcfr+",
            "predictive CFR+ with regrets whose sum is kept above a level",
            (STABLE, PREDICTIVE),
            "tested",
            "accumulate=smooth, level=1/10, predict=yes, averaging=quadratic, schedule=alternating",
        ),
        _row_of(
            "stable-pcfr+",
            "predictive CFR+ with regrets that begin anew where their sum falls below a level",
            (STABLE, PREDICTIVE),
            "experimental",
            "accumulate=stable, level=1/1000, predict=yes, averaging=quadratic, schedule=alternating",
        ),
        _row_of(
            "hs-dcfr",
            "discounted CFR with scheduled exponents",
            (SCHEDULED,),
            "tested",
            "alpha=1+3t/n, beta=-1-2t/n, averaging=t^30-5t/n, schedule=alternating",
        ),
        _row_of(
            "hs-pcfr+",
            "predictive CFR+ with a scheduled average",
            (SCHEDULED, PREDICTIVE),
            "tested",
            "accumulate=truncate, predict=yes, averaging=t^30-5t/n, schedule=alternating",
        ),
        _row_of(
            "restarted-cfr+",
            "CFR+ that begins anew from its average whenever the exploitability has halved",
            (*CFR_PLUS, RESTARTED),
            "experimental",
            "accumulate=truncate, averaging=linear, schedule=alternating, restart=1/2",
        ),
        _row_of("hedge", "exponential weights", HEDGE, "proven", "weigh=hedge"),
        _row_of(
            "discounted-normalhedge",
            "NormalHedge with the discounts of DCFR",
            (NORMALHEDGE, DISCOUNTED),
            "experimental",
            "weigh=normalhedge, alpha=3/2, beta=0, averaging=quadratic, schedule=alternating",
        ),
        _row_of(
            "linear-normalhedge",
            "NormalHedge with the discounts of linear CFR",
            (NORMALHEDGE, DISCOUNTED),
            "experimental",
            "weigh=normalhedge, alpha=1, beta=1, averaging=linear, schedule=alternating",
        ),
        _row_of(
            "predictive-normalhedge",
            "NormalHedge with prediction",
            (NORMALHEDGE, PREDICTIVE),
            "experimental",
            "weigh=normalhedge, predict=yes, averaging=quadratic, schedule=alternating",
        ),
        _row_of(
            "predictive-normalhedge+",
            "truncated NormalHedge with prediction",
            (NORMALHEDGE, PREDICTIVE),
            "experimental",
            "accumulate=truncate, weigh=normalhedge, predict=yes, averaging=quadratic, schedule=alternating",
        ),
        _row_of(
            "pd-normalhedge+",
            "truncated NormalHedge with discounts that expects half of the last regrets",
            (NORMALHEDGE, ASYMMETRIC, DISCOUNTED_PLUS),
            "experimental",
            "accumulate=truncate, weigh=normalhedge, alpha=2.3, predict=1/2, averaging=t^5, schedule=alternating",
        ),
        _row_of(
            "external-sampling",
            "Monte Carlo CFR, all own actions against one draw of the rest",
            (MONTE_CARLO,),
            "proven",
            "schedule=alternating, feedback=external",
        ),
        _row_of(
            "outcome-sampling",
            "Monte Carlo CFR, one history a walk",
            (MONTE_CARLO,),
            "proven",
            "schedule=alternating, feedback=outcome",
        ),
        _row_of(
            "deep-cfr",
            "Deep CFR, networks in place of the tables",
            (DEEP,),
            "tested",
            "alpha=1, beta=1, averaging=linear, schedule=alternating, feedback=network",
        ),
        _row_of(
            "sd-cfr",
            "Single Deep CFR, without a network for the average",
            (SINGLE_DEEP, DEEP),
            "tested",
            "alpha=1, beta=1, averaging=linear, schedule=alternating, feedback=network, strategy_network=no",
        ),
    )
}
"""Every named recipe. Adding an algorithm is adding a row."""


def recipes_of_packages() -> tuple[list[Recipe], list[str]]:
    """The recipes around rules of other packages that are installed, and a line for each one that can't be used."""
    found, broken = [], []
    for plugin in plugins("rule", RECIPES):
        try:
            found.append(_of_a_package(plugin))
        except UserError as error:
            broken.append(str(error))
    return found, broken


def _of_a_package(plugin: Plugin) -> Recipe:
    """The recipe around a rule of another package, which says what it is and where it comes from."""
    made = _around(plugin.load(), plugin.name, plugin.path)
    assert made.rule is not None
    about = (inspect.getdoc(made.rule.function) or made.title).partition("\n")[0]
    return replace(made, title=f"{about.rstrip('.')}, of {plugin.package}")
