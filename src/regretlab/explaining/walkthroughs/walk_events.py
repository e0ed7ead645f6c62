"""The events of a walkthrough, in the order in which the recursion meets them.

Every number in them comes from the textbook in ``reference``; nothing is computed here. What player 1 wins is positive
at player 1's decisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from regretlab.explaining.textbook import History, Learning, Numbers, WeighedRegrets
from regretlab.games import Number
from regretlab.solving import Recipe


@dataclass(frozen=True)
class Choice:
    """What a player did on the way to a history."""

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
    player: int  # whose gain the value is; a payoff is player 0's
    value: Number

    def value_to(self, player: int) -> Number:
        """The value as a gain of ``player``."""
        return self.value if self.player == player else -self.value


@dataclass(frozen=True)
class ChanceEvent:
    """Chance moves."""

    kind: ClassVar[str] = "chance"
    history: History
    probability: Number
    words: str


@dataclass(frozen=True)
class ArrivalEvent:
    """A decision is reached."""

    kind: ClassVar[str] = "arrive"
    history: History
    label: str
    meaning: str
    player: int
    actions: tuple[str, ...]
    strategy: Numbers
    weighing: WeighedRegrets
    path: tuple[Choice, ...]  # of both players, on the way here
    own_reach: Number
    opponent_reach: Number  # without that of chance
    chance_reach: Number


@dataclass(frozen=True)
class EndingEvent:
    """The game ends."""

    kind: ClassVar[str] = "end"
    history: History
    payoff: Number  # player 0's
    words: str


@dataclass(frozen=True)
class DepartureEvent:
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
class UpdateEvent:
    """An information set learns, once per pass, from all histories in it."""

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
    next: WeighedRegrets


Event: TypeAlias = ChanceEvent | ArrivalEvent | EndingEvent | DepartureEvent | UpdateEvent


@dataclass(frozen=True)
class Pass:
    """One walk, after which some players learn."""

    updating: tuple[int, ...]
    value: Number  # player 0's
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Iteration:
    """The passes of one iteration."""

    number: int
    deal: str  # as it was asked for; empty where all deals are walked
    passes: tuple[Pass, ...]

    @property
    def updates(self) -> tuple[UpdateEvent, ...]:
        """What the iteration changed."""
        return tuple(event for one in self.passes for event in one.events if isinstance(event, UpdateEvent))


@dataclass(frozen=True)
class RecipeRun:
    """One recipe's iterations."""

    name: str  # short where that is enough to tell the recipes apart
    recipe: Recipe
    iterations: tuple[Iteration, ...]

    @property
    def passes(self) -> tuple[Pass, ...]:
        """All passes, from first to last."""
        return tuple(one for each in self.iterations for one in each.passes)

    @property
    def updates(self) -> tuple[UpdateEvent, ...]:
        """All that changed, from first to last."""
        return tuple(update for each in self.iterations for update in each.updates)


@dataclass(frozen=True)
class Lesson:
    """A game, and what several recipes did on the same deals."""

    game: str
    infosets: int
    deals: tuple[str, ...]  # empty where all deals are walked
    has_chance: bool
    runs: tuple[RecipeRun, ...]
