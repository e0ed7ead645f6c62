"""What a game is: pure rules, nothing else; and what it may have besides, for people, networks and solvers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, runtime_checkable

from regretlab.spec import LARGEST, Readable
from regretlab.spec import Number as Number

if TYPE_CHECKING:
    from regretlab.games.size import Size

CHANCE = -1
"""Whose turn it is when nature moves: a deal, a roll."""

TERMINAL = -2
"""Whose turn it is when the game has ended."""


def is_finite(value: object) -> bool:
    """Whether this is a number that solvers can add up and square as a float."""
    return isinstance(value, int | float | Fraction) and -LARGEST <= value <= LARGEST  # NaN is not


class Game(Protocol):
    """The rules of a two-player game with perfect recall; zero-sum, unless it has ``payoffs``, see ``HasPayoffs``.

    A state is any value that the game likes; nobody else looks inside. Every method is a pure function of it.
    ``check_game`` tests whether a class keeps these promises.
    """

    @property
    def name(self) -> str:
        """How people call this game, parameters included, such as ``kuhn(bet=2)``."""

    def root(self) -> Any:
        """The state before anything has happened."""

    def player(self, state: Any) -> int:
        """Whose turn it is: 0 or 1, CHANCE, or TERMINAL."""

    def actions(self, state: Any) -> Sequence[str]:
        """The names of what can happen next, at a decision or at a chance state."""

    def chance(self, state: Any) -> Sequence[Number]:
        """The probability of each action of a chance state."""

    def child(self, state: Any, action: int) -> Any:
        """The state after action number ``action``."""

    def label(self, state: Any) -> str:
        """What the acting player knows. States with the same label form one information set."""

    def payoff(self, state: Any) -> Number:
        """What player 0 wins, and player 1 loses, at a terminal state. Not asked of a game with ``payoffs``."""


# What a game may have besides. Whoever uses such a part asks first, by isinstance, and does without it if need be.


@runtime_checkable
class HasMeaning(Protocol):
    """A game that says its labels in words."""

    def meaning(self, label: str) -> str:
        """What the acting player knows, in words: ``Jcb`` is 'Jack, checked, facing a bet'."""


@runtime_checkable
class HasOrder(Protocol):
    """A game whose labels have an order that people expect."""

    def order(self, label: str) -> Any:
        """What tables sort the labels by: any value that can be compared with those of other labels."""


@runtime_checkable
class HasTelling(Protocol):
    """A game that tells what has just happened."""

    def tell(self, state: Any) -> str:
        """What a deal or the end of the game means, in words; empty where there is nothing to tell."""


@runtime_checkable
class HasEndings(Protocol):
    """A game with few enough ways to end that they can be listed."""

    def endings(self) -> Sequence[tuple[str, str, str]]:
        """Each way in which the game ends: the moves, what happened, and player 0's payoff."""


@runtime_checkable
class HasEncoding(Protocol):
    """A game that says its labels in numbers."""

    def encode(self, label: str) -> Sequence[float]:
        """What a network sees in place of a label: as many numbers for each label of the game."""


@runtime_checkable
class HasSize(Protocol):
    """A game that can say how large it is without being walked."""

    def counted(self) -> Size:
        """How many histories there are and, if that is known, information sets; ``check_game`` counts them, too."""


@runtime_checkable
class HasPayoffs(Protocol):
    """A game that need not be zero-sum."""

    def payoffs(self, state: Any) -> tuple[Number, Number]:
        """What player 0 and player 1 win at a terminal state, each counted for itself; used in place of ``payoff``."""


def pays_each(game: object) -> TypeGuard[HasPayoffs]:
    """Whether a game has ``payoffs``: to be asked in place of isinstance, as a table of payoffs often has that name."""
    return callable(getattr(game, "payoffs", None))


def payoffs_at(game: Game, state: Any) -> tuple[Number, Number]:
    """What both players win at a terminal state of any game."""
    if pays_each(game):
        return game.payoffs(state)
    won = game.payoff(state)
    return won, -won


@runtime_checkable
class HasForm(Protocol):
    """A game whose structure makes a better form than a walk over its histories would."""

    def form(self) -> Any:
        """The compiled game, a ``forms.SequenceForm``; ``compile`` takes it as it is and does not walk the game."""


@runtime_checkable
class HasBlocks(Protocol):
    """A game with hands in which cards are turned up, and whose betting does not depend on which."""

    def blocks(self) -> Any:
        """The game compiled in blocks, a ``forms.BlockForm``."""


@runtime_checkable
class HasBlockSize(Protocol):
    """A game with ``blocks`` that can say how large they are without making them."""

    def block_size(self) -> Any:
        """How large the game is in blocks, a ``forms.BlockSize``."""


@runtime_checkable
class HasRecipe(Protocol):
    """A game that knows what solves it best."""

    def recommended(self) -> str:
        """The name of the recipe that is taken where none is asked for."""


@runtime_checkable
class HasTarget(Protocol):
    """A game that knows how closely people want it solved."""

    def target(self, text: Readable | None = None) -> float:
        """The exploitability in chips that a target stands for, such as ``0.5%``; its own where none is given."""


@runtime_checkable
class HasOwnLocks(Protocol):
    """A game that has its own way to hold players to a strategy."""

    def locked_at(self, lock: Any) -> Game:
        """The game with this lock, a ``games.Lock``, besides those that it has."""


@runtime_checkable
class HasLabelledLocks(Protocol):
    """A game whose own locks can be put as those of every other game."""

    def locked_by_labels(self) -> Game:
        """The same game with locks by labels, for forms that do not know its own; itself if nothing is locked."""


OPTIONAL_PARTS = (
    *(HasMeaning, HasOrder, HasTelling, HasEndings, HasSize, HasEncoding, HasPayoffs, HasForm, HasBlocks),
    *(HasBlockSize, HasRecipe, HasTarget, HasOwnLocks, HasLabelledLocks),
)
"""All of them: five for people, one for networks, one for what is not zero-sum, seven for solvers."""
