"""The events of a walkthrough, in the order in which the recursion meets them.

Every number in them comes from the textbook in ``reference``; nothing is computed here. What player 1 wins is positive
at player 1's decisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from regretlab.documents import Notation, plain
from regretlab.games import Number
from regretlab.reference import NewtonStep
from regretlab.solving import Recipe
from regretlab.solving.formula import formulas

History: TypeAlias = tuple[str, ...]
Numbers: TypeAlias = tuple[Number, ...]


@dataclass(frozen=True)
class Scale:
    """How NormalHedge found its weights, where some regret is positive."""

    ratios: Numbers  # x = R₊ / max R₊
    steps: tuple[NewtonStep, ...]
    c: Number
    weights: Numbers


@dataclass(frozen=True)
class Rate:
    """How Hedge found its weights."""

    squared_ranges: Number  # V
    eta: Number
    weights: Numbers


@dataclass(frozen=True)
class Fade:
    """What the regrets of the first ``iterations`` iterations are multiplied by."""

    iterations: int
    alpha: Number | None  # the exponent for positive regrets; None where they are kept as they are
    beta: Number | None  # the same for negative ones
    positive: Number  # the factors that follow from them
    negative: Number

    def factor(self, regret: Number) -> Number:
        """The one for this regret."""
        return self.positive if regret >= 0 else self.negative


@dataclass(frozen=True)
class Prediction:
    """What the strategy answers in place of the regrets: what they will be if the last ones come once more."""

    fade: Fade | None  # of the next iteration
    level: Number | None  # how far the regrets may fall
    last: Numbers
    expected: Numbers


@dataclass(frozen=True)
class Weighing:
    """How a strategy follows from regrets."""

    weigh: str  # regret-matching, normalhedge or hedge
    regrets: Numbers
    prediction: Prediction | None
    positive: Numbers
    scale: Scale | None  # NormalHedge's
    rate: Rate | None  # Hedge's
    strategy: Numbers

    @property
    def answered(self) -> Numbers:
        """The regrets that the strategy answers."""
        return self.regrets if self.prediction is None else self.prediction.expected


@dataclass(frozen=True)
class Learning:
    """How the regrets of one information set take in what was seen."""

    regrets_before: Numbers
    fade: Fade | None
    increments: tuple[Numbers, ...]  # of each history
    level: Number | None  # the floor is −level × the largest regret; None where there is none
    regrets_after: Numbers

    @property
    def summed(self) -> list[Number]:
        """r(a), of all histories together."""
        return [sum(increments) for increments in zip(*self.increments, strict=True)]


@dataclass(frozen=True)
class Choice:
    """A step of a player on the way to a history."""

    history: History  # where it was made
    player: int
    label: str
    actions: tuple[str, ...]
    action: str
    probability: Number


@dataclass(frozen=True)
class Part:
    """What an action leads to: where the game ends or somebody decides next."""

    probability: Number  # of the chance outcomes in between
    label: str  # of the information set there; empty where the game ends
    player: int  # from whose side the value is told; a payoff is player 0's
    value: Number


@dataclass(frozen=True)
class Chance:
    """Chance moves."""

    kind: ClassVar[str] = "chance"
    history: History
    probability: Number
    words: str


@dataclass(frozen=True)
class Arrival:
    """A decision is reached."""

    kind: ClassVar[str] = "arrive"
    history: History
    label: str
    meaning: str
    player: int
    actions: tuple[str, ...]
    strategy: Numbers
    weighing: Weighing
    path: tuple[Choice, ...]  # of both players, on the way here
    own_reach: Number
    opponent_reach: Number  # without that of chance
    chance_reach: Number


@dataclass(frozen=True)
class Ending:
    """The game ends."""

    kind: ClassVar[str] = "end"
    history: History
    payoff: Number  # player 0's
    words: str


@dataclass(frozen=True)
class Departure:
    """All actions of a decision have been tried."""

    kind: ClassVar[str] = "leave"
    history: History
    label: str
    player: int
    actions: tuple[str, ...]
    updated: bool  # whether the player learns in this pass
    strategy: Numbers
    parts: tuple[tuple[Part, ...], ...]  # what each action leads to
    action_values: Numbers
    value: Number
    opponent_reach: Number  # without that of chance
    chance_reach: Number
    regret_increments: Numbers


@dataclass(frozen=True)
class Update:
    """An information set learns, once a pass, from all histories in it."""

    kind: ClassVar[str] = "update"
    label: str
    meaning: str
    player: int
    actions: tuple[str, ...]
    histories: tuple[History, ...]
    learning: Learning
    weight: Number
    own_reach: Number
    strategy: Numbers
    sums_before: Numbers
    sums_after: Numbers
    average: Numbers
    next: Weighing


Event: TypeAlias = Chance | Arrival | Ending | Departure | Update


@dataclass(frozen=True)
class Pass:
    """One walk, after which some players learn."""

    updating: tuple[int, ...]
    value: Number  # player 0's
    events: tuple[Event, ...]

    @property
    def updates(self) -> tuple[Update, ...]:
        """What the pass changed."""
        return tuple(event for event in self.events if isinstance(event, Update))


@dataclass(frozen=True)
class Iteration:
    """The passes of one iteration."""

    number: int
    deal: str  # as it was asked for; empty where all deals are walked
    passes: tuple[Pass, ...]

    @property
    def updates(self) -> tuple[Update, ...]:
        """What the iteration changed."""
        return tuple(update for one in self.passes for update in one.updates)


@dataclass(frozen=True)
class Run:
    """One recipe's iterations."""

    name: str  # short where that is enough to tell the recipes apart
    recipe: Recipe
    iterations: tuple[Iteration, ...]

    @property
    def passes(self) -> tuple[Pass, ...]:
        """All passes, from first to last."""
        return tuple(one for each in self.iterations for one in each.passes)

    @property
    def updates(self) -> tuple[Update, ...]:
        """All that changed, from first to last."""
        return tuple(update for one in self.passes for update in one.updates)


@dataclass(frozen=True)
class Lesson:
    """A game, and what several recipes did on the same deals."""

    game: str
    infosets: int
    deals: tuple[str, ...]  # empty where all deals are walked
    has_chance: bool
    runs: tuple[Run, ...]


def as_dict(lesson: Lesson, notation: Notation) -> dict[str, Any]:
    """The event stream for JSON."""
    return {
        "game": lesson.game,
        "deals": list(lesson.deals) or "all",
        "recipes": [_run(run, notation) for run in lesson.runs],
    }


def _run(run: Run, notation: Notation) -> dict[str, Any]:
    return {
        "name": run.name,
        "recipe": run.recipe.name,
        "parts": run.recipe.parts,
        "formulas": formulas(run.recipe),
        "iterations": plain(run.iterations, notation),
    }
