"""Games in which players are held to a strategy at some information sets.

Whoever is locked there has nothing to decide, so it is chance that moves, with the probabilities of the lock. That is
the whole idea: everything that knows chance knows locks, best responses and exact solutions included, and what is left
to gain is what the unlocked part could gain. Players remember what was done in their name, so recall stays perfect.

What a lock never does keeps its place with probability 0: the information sets below it are still there to be asked
about, and a strategy of the locked game is one of the whole game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from regretlab.games.protocol import CHANCE, Game, HasSize, Number, pays_each
from regretlab.games.public import Ending, Played, PublicGame, Weights
from regretlab.games.size import Size

LOCKED_AT = " locked at "
"""Between the name of a game and the lock, in the name of the locked game."""

LONGEST_LOCK = 60
"""Letters of a lock that the name spells out; what the game is loaded by has all of it."""

_KEPT_PARTS = ("meaning", "order", "tell", "endings", "encode", "ante")
"""What a game has for people and networks is as true of the locked one; its own form and its size are not."""


class LockedDecision(NamedTuple):
    """What a player is held to at an information set."""

    player: int
    actions: tuple[str, ...]
    probabilities: tuple[Number, ...]  # of each action; they sum to 1, exactly unless they are floats

    @property
    def behaviour(self) -> dict[str, Number]:
        """The probability of each action by its name."""
        return dict(zip(self.actions, self.probabilities, strict=True))


class Locked:
    """What both kinds of locked games have: the game, what is locked in it, and a name that says so."""

    def __init__(self, game: Game, locked: Mapping[str, LockedDecision], text: str) -> None:
        self.game, self.locked = game, locked
        self.loaded_from = f"{getattr(game, 'loaded_from', None) or game.name}{LOCKED_AT}{text}"
        shown = text if len(text) <= LONGEST_LOCK else f"{text[:LONGEST_LOCK].rstrip()} … ({len(locked)} in all)"
        self._name = f"{game.name}{LOCKED_AT}{shown}"
        for part in _KEPT_PARTS:
            if hasattr(game, part):
                setattr(self, part, getattr(game, part))
        if pays_each(game):
            setattr(self, "payoffs", getattr(game, "payoffs"))  # noqa: B009, B010 (only where the game has it)
        if isinstance(game, HasSize):
            setattr(self, "counted", self._counted)  # noqa: B010 (only where the game can count)

    @property
    def name(self) -> str:
        """The name of the game and the lock, shortened where it is long."""
        return self._name

    def _counted(self) -> Size:
        """As many histories as before, and fewer information sets."""
        assert isinstance(self.game, HasSize)
        size = self.game.counted()
        return Size(size.histories, None if size.infosets is None else size.infosets - len(self.locked))


class LockedGame(Locked):
    """A game in which chance moves at the locked information sets; its states are those of the game."""

    def root(self) -> Any:
        """Where the game begins."""
        return self.game.root()

    def player(self, state: Any) -> int:
        """Chance where the acting player is locked."""
        turn = self.game.player(state)
        return CHANCE if turn in (0, 1) and self.game.label(state) in self.locked else turn

    def actions(self, state: Any) -> Sequence[str]:
        """The same as in the game."""
        return self.game.actions(state)

    def chance(self, state: Any) -> Sequence[Number]:
        """The probabilities of the lock, or those of chance proper."""
        if self.game.player(state) == CHANCE:
            return self.game.chance(state)
        return self.locked[self.game.label(state)].probabilities

    def child(self, state: Any, action: int) -> Any:
        """The same as in the game."""
        return self.game.child(state, action)

    def label(self, state: Any) -> str:
        """The same as in the game."""
        return self.game.label(state)

    def payoff(self, state: Any) -> Number:
        """The same as in the game."""
        return self.game.payoff(state)


class LockedPublicGame(Locked, PublicGame):
    """A game with hands in which every node is locked with all hands or with none.

    A locked node is then a public move of chance whose probabilities depend on the owner's hand, and the game is one
    with hands still.
    """

    game: PublicGame

    def __init__(
        self,
        game: PublicGame,
        locked: Mapping[str, LockedDecision],
        text: str,
        nodes: Mapping[Any, Sequence[LockedDecision | None]],
    ) -> None:
        """``nodes`` has, for each locked public state, what each hand is held to; None where it can't be held."""
        super().__init__(game, locked, text)
        self._played = {public: self._outcomes(public, decisions) for public, decisions in nodes.items()}

    def _outcomes(self, public: Any, decisions: Sequence[LockedDecision | None]) -> tuple[Played, ...]:
        """How probable each move is with each hand of the owner; with hands that can't be held anything will do."""
        player, count = self.game.turn(public), len(self.game.moves(public))
        even = (Fraction(1, count),) * count
        rows = [even if decision is None else decision.probabilities for decision in decisions]
        others = (1,) * len(self.game.hands(1 - player))
        moves = [tuple(row[move] for row in rows) for move in range(count)]
        return tuple(Played(*((others, own) if player else (own, others))) for own in moves)

    def hands(self, player: int) -> Sequence[str]:
        """The same as in the game."""
        return self.game.hands(player)

    def weights(self) -> Weights:
        """The same as in the game."""
        return self.game.weights()

    def held(self, player: int) -> Sequence[tuple[int, ...]]:
        """The same as in the game."""
        return self.game.held(player)

    def start(self) -> Any:
        """The same as in the game."""
        return self.game.start()

    def turn(self, public: Any) -> int:
        """Chance where the acting player is locked."""
        return CHANCE if public in self._played else self.game.turn(public)

    def moves(self, public: Any) -> Sequence[str]:
        """The same as in the game."""
        return self.game.moves(public)

    def after(self, public: Any, move: int) -> Any:
        """The same as in the game."""
        return self.game.after(public, move)

    def outcomes(self, public: Any) -> Sequence[Weights]:
        """The probabilities of the lock, or those of chance proper."""
        return self._played.get(public) or self.game.outcomes(public)

    def ending(self, public: Any) -> Ending:
        """The same as in the game."""
        return self.game.ending(public)

    def knows(self, player: int, hand: int, public: Any) -> str:
        """The same as in the game."""
        return self.game.knows(player, hand, public)

    def deal(self, mine: int, theirs: int) -> str:
        """The same as in the game."""
        return self.game.deal(mine, theirs)

    def public_states(self) -> int | None:
        """The same as in the game."""
        return self.game.public_states()
