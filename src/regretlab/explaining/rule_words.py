"""What people are told about each rule, in one place per rule: for tables of symbols, the square of algorithms, and
the reference card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class WeighingWords:
    """About a way to weigh: which strategy follows from the regrets of one information set."""

    short: str = ""  # name and formula for a table with little room; empty if it is not one of the four's
    letters: Mapping[str, str] = field(default_factory=dict)  # the letters of its formulas beyond R and σ
    code: str = ""  # plain Python that leaves ``weights`` of the regrets in {answered}, for the reference card
    code_imports: str = ""  # what that code has to import
    keeps: str = ""  # what it keeps of an information set beside the regrets, as a sentence
    plays_all: bool = False  # it plays every action, also those without positive regret


WEIGHINGS: Mapping[str, WeighingWords] = {
    "regret-matching": WeighingWords(
        short="regret matching: σ ∝ R₊",
        code="positive = [max(regret, 0) for regret in {answered}]\nweights = positive",
    ),
    "normalhedge": WeighingWords(
        short="NormalHedge: σ ∝ R₊/c · exp(R₊²/2c)",
        letters={
            "c, w(a)": "NormalHedge's scale, and the weights that follow from it",
            "x(a), s": "regret and scale in a form in which no number becomes large",
        },
        code="""positive = [max(regret, 0) for regret in {answered}]
weights = positive
if sum(regret > 0 for regret in positive) > 1:
    x = [regret / max(positive) for regret in positive]
    s = log(len(x) * (e - 1) + 1)
    for _ in range(9):  # Newton's steps
        w = [exp(s * (y * y - 1)) for y in x]
        slope = sum(y * y * p for y, p in zip(x, w)) / sum(w)
        s -= (s + log(sum(w) / len(w)) - 1) / slope
    weights = [y * exp(s * (y * y - 1)) for y in x]""",
        code_imports="from math import e, exp, log",
    ),
    "hedge": WeighingWords(
        letters={
            "V": "the sum of the squares of the ranges of what was seen",
            "η, w(a)": "Hedge's rate, and the weights that follow from it",
        },
        code="""V += (max(r) - min(r))**2
eta = sqrt(8 * log(len(R)) / V) if V > 0 else 0
weights = [exp(eta * (regret - max({answered}))) for regret in {answered}]""",
        code_imports="from math import exp, log, sqrt",
        keeps="Hedge also keeps V.",
        plays_all=True,
    ),
}
"""By the name that recipes know them by."""

ACCUMULATIONS: Mapping[str, str] = {"sum": "sum: R ← R + r", "truncate": "truncate: R ← max(R + r, 0)"}
"""Name and formula of the ways to accumulate that make the four algorithms."""
