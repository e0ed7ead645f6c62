"""The founding study's figures beside many runs of the same kind, and the quantities that its claims are about."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product
from operator import truediv
from pathlib import Path
from statistics import fmean, stdev
from string import Formatter
from typing import Any, NamedTuple

from regretlab.documents.numbers import written
from regretlab.errors import UserError
from regretlab.experiments.measures import FINAL_VALUE, SECONDS
from regretlab.experiments.rows import Row

ORIGINAL: dict[str, Any] = tomllib.loads(Path(__file__).with_name("original.toml").read_text(encoding="utf-8"))
"""What the study printed and claimed; the file explains itself."""

ALGORITHMS: dict[str, str] = ORIGINAL["algorithms"]
"""The recipes of the four that the study ran, by the names that it gave them."""

ALL_DEALS: dict[str, str] = ORIGINAL["all_deals"]
"""The recipes that run beside them over all deals, by the names that they have in texts."""

EARLY, SHORT, LONG = 1_000, 10_000, 100_000
HORIZONS = SHORT, LONG
"""After how many iterations the study looked."""

BEYOND_LUCK = 3.0
"""A difference of more standard errors than this is taken for real."""

ROUNDING = 1e-9
"""Milli-chips below which there is nothing but rounding."""

CONSTANTS = {"beyond_luck": BEYOND_LUCK, "rounding": ROUNDING}

SMALLEST_WRITTEN_OUT = 1e-6
"""A smaller spread is written with an exponent."""


class Configuration(NamedTuple):
    """Stakes that the study played for, and the value of the game that it took for right."""

    game: str
    ante: int
    bet: int
    value: float

    def __str__(self) -> str:
        return f"({self.ante}, {self.bet})"


CONFIGURATIONS = tuple(
    Configuration(*(row[key] for key in Configuration._fields)) for row in ORIGINAL["configurations"]
)
STANDARD, *_, SCALED_UP = CONFIGURATIONS
STAKES = {str(each): each for each in CONFIGURATIONS}

ERRORS = {
    (each, iterations): dict(zip(ALGORITHMS, errors, strict=True))
    for each, row in zip(CONFIGURATIONS, ORIGINAL["configurations"], strict=True)
    for iterations, errors in zip(HORIZONS, row["errors"], strict=True)
}
"""The distance of its final value to the value that it took for right, by configuration and iterations."""


@dataclass(frozen=True)
class Sample:
    """One number from each of several runs."""

    amounts: tuple[float, ...]

    @cached_property
    def mean(self) -> float:
        """The mean over the runs."""
        return fmean(self.amounts)

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of one run; 0 where there is only one."""
        return stdev(self.amounts) if len(self.amounts) > 1 else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(len(self.amounts))

    def share_below(self, level: float) -> float:
        """The share of the runs that are at most ``level``."""
        return sum(amount <= level for amount in self.amounts) / len(self.amounts)

    def __truediv__(self, other: Sample) -> Ratio:
        """The ratio of the means."""
        return Ratio(self.mean, self.error) / Ratio(other.mean, other.error)

    def __str__(self) -> str:
        return spread(self.mean, self.deviation)


@dataclass(frozen=True)
class Ratio:
    """How many times as large one thing is as another, and the standard error of that."""

    amount: float
    error: float

    def __truediv__(self, other: Ratio) -> Ratio:
        """The errors of both, which are small against the amounts, are taken for independent."""
        amount = self.amount / other.amount
        return Ratio(amount, amount * math.hypot(self.error / self.amount, other.error / other.amount))

    @property
    def direction(self) -> int:
        """1 where the first is larger, −1 where it is smaller, 0 where luck may be all there is."""
        away = math.log(self.amount)  # so that a ratio and its inverse are as far away
        return int(math.copysign(1, away)) if abs(away) > BEYOND_LUCK * self.error / self.amount else 0

    def __str__(self) -> str:
        return f"{spread(self.amount, self.error)}×"


def spread(mean: float, deviation: float) -> str:
    """A number and what it varies by, which has two digits.

    >>> spread(7.2134, 2.943), spread(-0.0096, 0.00031), spread(12.0, 0.0), spread(2.4e-13, 1e-13)
    ('7.2 ± 2.9', '−0.00960 ± 0.00031', '12', '2.40·10⁻¹³ ± 1.0·10⁻¹³')
    """
    if deviation == 0:
        return written(mean)
    if deviation < SMALLEST_WRITTEN_OUT:
        return f"{written(mean)} ± {written(deviation, digits=2)}"
    decimals = max(0, 1 - math.floor(math.log10(deviation)))
    return f"{mean:.{decimals}f} ± {deviation:.{decimals}f}".replace("-", "−")


class Study:
    """The rows of the suite, and every quantity that can be asked of them; recipes go by the names in the file."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._groups: dict[tuple[str, str, int], list[Row]] = {}
        for row in rows:
            self._groups.setdefault((row["game"], row["recipe"], row["iteration"]), []).append(row)

    def checkpoints(self, name: str, configuration: Configuration) -> list[int]:
        """After which iterations runs were looked at."""
        place = configuration.game, _recipe(name)
        return sorted(iteration for *known, iteration in self._groups if tuple(known) == place)

    def sample(self, measure: str, name: str, iterations: int, configuration: Configuration = STANDARD) -> Sample:
        """One measure of all runs, in the order of seeds and starts."""
        found = self._groups.get((configuration.game, _recipe(name), iterations))
        if found is None:
            raise UserError(
                f"no run of {_recipe(name)} on {configuration.game} has been looked at after {iterations:,} iterations"
            )
        return Sample(tuple(row[measure] for row in sorted(found, key=lambda row: (row["seed"], row["start"]))))

    def loss(self, name: str, iterations: int, configuration: Configuration = STANDARD) -> Sample:
        """The exploitability of the average strategy in milli-chips a game."""
        found = self.sample("exploitability", name, iterations, configuration)
        return Sample(tuple(1000 * chips for chips in found.amounts))

    def error(self, name: str, iterations: int, configuration: Configuration = STANDARD) -> Sample:
        """What the study would have printed as the error of each run: how far its final value is from its target."""
        found = self.sample(FINAL_VALUE, name, iterations, configuration)
        return Sample(tuple(abs(value - configuration.value) for value in found.amounts))

    def microseconds(self, name: str) -> float:
        """The least time per iteration where bet and ante are equal: whatever else the machine does only adds to it.

        Twice the stakes are the same work. Where strategies become pure, NormalHedge has less to do.
        """
        return min(
            1e6 * min(self.sample(SECONDS, name, iterations, each).amounts) / iterations
            for each, iterations in product((STANDARD, SCALED_UP), HORIZONS)
        )

    def slope(self, name: str) -> float:
        """How the mean loss falls between the horizons, on logarithmic axes: −1 is a rate of 1/T."""
        first, last = (self.sample("exploitability", name, each).mean for each in HORIZONS)
        return math.log(last / first) / math.log(LONG / SHORT)

    def of_all(self, action: str) -> Sample:
        """How often the average strategies of all four do something after the longest runs."""
        samples = (self.sample(f"average({action})", name, LONG) for name in ALGORITHMS)
        return Sample(tuple(amount for each in samples for amount in each.amounts))

    def least(self, names: Iterable[str], iterations: int, configuration: Configuration = STANDARD) -> str:
        """Which of several has the least mean loss."""
        return min(names, key=lambda name: self.loss(name, iterations, configuration).mean)

    def ahead(self, names: Iterable[str], iterations: int, configuration: Configuration = STANDARD) -> float:
        """The share of seeds in which the study's own measure would prefer the first of two."""
        first, second = (self.error(name, iterations, configuration).amounts for name in names)
        return sum(a < b for a, b in zip(first, second, strict=True)) / len(first)

    def quantity(self, text: str) -> Any:
        """What a quantity in the notation of the file amounts to: a sample, a ratio, a number or a name.

        >>> rows = [{"game": "kuhn", "recipe": "cfr", "seed": 0, "start": 0, "iteration": t, "exploitability": 2 / t}
        ...         for t in (10, 40)]
        >>> Study(rows).quantity("loss cfr 10/40"), Study(rows).quantity("runs cfr 10 on (1, 1)")
        (Ratio(amount=4.0, error=0.0), 1)
        """
        match = _QUANTITY.fullmatch(text)
        if match is None or match["measure"] not in _OF_ONE | _OF_SEVERAL:
            raise KeyError(f"'{text}' is no quantity")
        measure, names = match["measure"], match["names"].split("/")
        stakes = STAKES[match["stakes"] or str(STANDARD)]
        found = []
        for iterations in (int(each.replace(",", "")) for each in (match["iterations"] or "0").split("/")):
            if measure in _OF_SEVERAL:
                found.append(_OF_SEVERAL[measure](self, names, iterations, stakes))
            else:
                each = [_OF_ONE[measure](self, name, iterations, stakes) for name in names]
                found.append(reduce(truediv, each))
        return reduce(truediv, found)


_QUANTITY = re.compile(r"(?P<measure>\w+) (?P<names>\S+)(?: (?P<iterations>[\d,/]+))?(?: on (?P<stakes>\(.+\)))?")


def _recipe(name: str) -> str:
    return ALGORITHMS.get(name) or ALL_DEALS.get(name, name)


_OF_ONE: dict[str, Callable[[Study, str, int, Configuration], Any]] = {
    "loss": Study.loss,
    "error": Study.error,
    "zero": lambda study, *place: study.sample("zero_regrets", *place),
    "runs": lambda study, *place: len(study.loss(*place).amounts),
    "printed": lambda study, name, iterations, stakes: ERRORS[stakes, iterations][name],
    "time": lambda study, name, *_: study.microseconds(name),
    "multiple": lambda study, name, *_: ORIGINAL["printed"]["times"][name],
    "slope": lambda study, name, *_: study.slope(name),
    "bets": lambda study, hand, *_: study.of_all(f"{hand}: bet").mean,
    "calls": lambda study, hand, *_: study.of_all(f"{hand}: call").mean,
    "folds": lambda study, hand, *_: 1 - study.of_all(f"{hand}: call").mean,
}
"""The measures of one algorithm; those of two are divided."""

_OF_SEVERAL: dict[str, Callable[..., Any]] = {"least": Study.least, "ahead": Study.ahead}
"""The measures that compare algorithms."""


class Phrasing(Formatter):
    """Fills the texts of the file with quantities of a study, and with facts that have names of their own."""

    def __init__(self, study: Study, facts: Mapping[str, Any]) -> None:
        self._study = study
        self._facts = CONSTANTS | dict(facts)

    def value(self, name: str) -> Any:
        """A fact or a quantity."""
        return self._facts[name] if name in self._facts else self._study.quantity(name)

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What stands between braces."""
        return self.value(field_name), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        """A number as people read it, in the way that stands behind the colon."""
        number = value.mean if isinstance(value, Sample) else value.amount if isinstance(value, Ratio) else value
        if format_spec == "times":
            return f"{written(number)} times"
        if format_spec == "power":
            return f"T^{written(number, digits=2)}"
        if format_spec == "percent":
            return written(100 * number, digits=2)
        if format_spec == "mean" or (not format_spec and isinstance(value, float)):
            return written(number)
        if format_spec.isdigit():
            return written(number, int(format_spec))
        return format(number, format_spec) if format_spec else str(value)
