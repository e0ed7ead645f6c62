"""Many runs of the same kind, and what they say together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, stdev

from regretlab.documents import written
from regretlab.errors import UserError
from regretlab.experiments.perform import SECONDS
from regretlab.experiments.tidy import Row

BEYOND_LUCK = 3.0
"""A difference of more standard errors than this is taken for real."""

SMALLEST_WRITTEN_OUT = 1e-6
"""A smaller spread is written with an exponent."""


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

    def map(self, function: Callable[[float], float]) -> Sample:
        """The same runs with another number each."""
        return Sample(tuple(map(function, self.amounts)))

    def quantile(self, share: float) -> float:
        """The run that is above this share of the others."""
        return sorted(self.amounts)[round(share * (len(self.amounts) - 1))]

    def share_below(self, level: float) -> float:
        """The share of the runs that are at most ``level``."""
        return sum(amount <= level for amount in self.amounts) / len(self.amounts)

    def rounded(self, decimals: int) -> str:
        """The mean and the deviation of one run with so many decimals."""
        return f"{self.mean:.{decimals}f} ± {self.deviation:.{decimals}f}"

    def __str__(self) -> str:
        """The mean and the deviation of one run with two digits."""
        return spread(self.mean, self.deviation)


@dataclass(frozen=True)
class Ratio:
    """The mean of one sample ÷ that of another."""

    amount: float
    error: float

    @classmethod
    def of(cls, first: Sample, second: Sample) -> Ratio:
        """The errors of both, which are small against the means, are taken for independent."""
        amount = first.mean / second.mean
        return cls(amount, amount * math.hypot(first.error / first.mean, second.error / second.mean))

    def __truediv__(self, other: Ratio) -> Ratio:
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
    """The rows of a suite, by game, recipe and iteration."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._groups: dict[tuple[str, str, int], list[Row]] = {}
        for row in rows:
            self._groups.setdefault((row["game"], row["recipe"], row["iteration"]), []).append(row)

    def rows(self, game: str, recipe: str, iteration: int) -> Sequence[Row]:
        """One row for each run, in the order of seeds and starts."""
        found = self._groups.get((game, recipe, iteration))
        if found is None:
            raise UserError(f"no run of {recipe} on {game} has been looked at after {iteration:,} iterations")
        return sorted(found, key=lambda row: (row["seed"], row["start"]))

    def iterations(self, game: str, recipe: str) -> list[int]:
        """After which iterations runs were looked at."""
        return sorted(iteration for one, other, iteration in self._groups if (one, other) == (game, recipe))

    def sample(self, measure: str, game: str, recipe: str, iteration: int) -> Sample:
        """One measure of all runs."""
        return Sample(tuple(row[measure] for row in self.rows(game, recipe, iteration)))

    def microseconds(self, game: str, recipe: str, iteration: int) -> float:
        """The solving time of one iteration in the fastest run: whatever else the machine does only adds to it."""
        return 1e6 * min(self.sample(SECONDS, game, recipe, iteration).amounts) / iteration

    def slope(self, measure: str, game: str, recipe: str, span: tuple[int, int]) -> float:
        """How the mean falls between two iterations, on logarithmic axes: −1 is a rate of 1/T."""
        first, last = (self.sample(measure, game, recipe, each).mean for each in span)
        return math.log(last / first) / math.log(span[1] / span[0])
