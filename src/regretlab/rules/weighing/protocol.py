"""What a way to weigh brings along: its kernel, and everything that people are told about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from regretlab.forms.kernel import Floats
from regretlab.rules.citations import Citation


class WeighingKernel(Protocol):
    """Replaces the regrets of one information set, in ``strategy[low:high]``, by the probabilities that follow."""

    def __call__(
        self,
        ties: float,  # differences of values up to this are rounding
        total: float,  # the sum of the positive regrets
        positive: int,  # how many of them there are
        values: Floats,  # what the actions earned; nobody needs it any more, so it may be overwritten
        strategy: Floats,
        memory: Floats,  # memory[i] is a number that may be kept from one time to the next, 0 at the start
        i: int,  # the information set
        low: int,
        high: int,
    ) -> None: ...


class LaneText(Protocol):
    """The same for all hands of a public node, as a text with WIDTH and REAL in it; see ``rules.lane_update``."""

    def __call__(
        self,
        values: Floats,
        strategy: Floats,  # the regrets of hand h and action a at low + a × WIDTH + h, then the probabilities
        memory: Floats,  # from ``node`` on a number for each hand
        rows: Floats,  # rows of WIDTH numbers: the value of each hand, the sum of its positive regrets, then scratch
        node: int,
        low: int,
        high: int,
    ) -> None: ...


@dataclass(frozen=True)
class Weighing:
    """A way to weigh: which strategy follows from the regrets of one information set.

    Each stands in a file of its own in this folder, under the name ``WEIGHING``, and is found there.
    """

    name: str
    kernel: WeighingKernel
    citations: tuple[Citation, ...]
    formula: str  # σ as a formula of {positive}, the positive parts of the regrets, or of {plain}, the regrets
    short: str = ""  # name and formula for a table with little room; empty if it is not one of the four's
    words: str = ""  # what is special about it, in a sentence for people who know regret matching
    letters: Mapping[str, str] = field(default_factory=dict)  # the letters of the formula beyond R and σ
    code: str = ""  # plain Python that leaves ``weights`` of the regrets in {answered}, for the reference card
    code_imports: str = ""  # what that code has to import
    keeps: str = ""  # what it keeps of an information set beside the regrets, as a sentence
    plays_all: bool = False  # it plays every action, also those without positive regret
    scale_free: bool = True  # regrets that are all multiplied by one number lead to the same strategy
    lanes: LaneText | None = None  # without one each hand is weighed on its own
    seconds: float = 30e-9  # about how long it takes per sequence, for estimates
