"""The sequence form of a game: the one data structure that everything else works on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from regretlab.documents import numbers
from regretlab.errors import GameError
from regretlab.forms import passes
from regretlab.forms.kernel import Floats, Indices
from regretlab.forms.payoff import Payoff
from regretlab.games.locked import LockedDecision

if TYPE_CHECKING:
    from regretlab.forms.blocks import BlockTreeplex
    from regretlab.forms.lanes import LaneTreeplex


@dataclass(frozen=True, eq=False, repr=False)
class Treeplex:
    """A player's information sets, parents before children, the actions of one next to each other.

    The actions are the player's *sequences*; sequence 0 is the empty one, before the player has done anything.
    """

    parent: Indices  # (infosets,) the player's own last sequence before this information set
    first: Indices  # (infosets + 1,) sequences of information set i are first[i]:first[i + 1]; first[0] is 1
    labels: tuple[str, ...]  # (infosets,) for people
    actions: tuple[tuple[str, ...], ...]  # (infosets,) the names of the actions of each

    @property
    def infosets(self) -> int:
        """How many information sets the player has."""
        return len(self.parent)

    @property
    def sequences(self) -> int:
        """How many sequences the player has, the empty one included."""
        return int(self.first[-1])

    @property
    def size(self) -> int:
        """How many numbers an array over all sequences has."""
        return self.sequences

    @property
    def memory_size(self) -> int:
        """How many numbers an array over all information sets has."""
        return self.infosets

    def own(self, i: int) -> slice:
        """Where the actions of information set ``i`` stand in an array over all sequences."""
        return slice(int(self.first[i]), int(self.first[i + 1]))

    @property
    def places(self) -> slice:
        """Where the actions of all information sets stand, one information set after the other."""
        return slice(1, None)

    @property
    def memory_place(self) -> slice:
        """Where each information set stands in an array over all information sets."""
        return slice(None)

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of the information set with each label."""
        return {label: i for i, label in enumerate(self.labels)}

    def described(self) -> list[Any]:
        """All names, for a fingerprint."""
        return [self.labels, self.actions]

    def plan(self, behaviour: Floats, out: Floats) -> None:
        """The realisation plan of a behaviour."""
        passes.realisation_plan(self.parent, self.first, behaviour, out)

    def expectation(self, behaviour: Floats, values: Floats) -> float:
        """Counterfactual values of a gradient, in place; returns the value at the root."""
        return float(passes.expected_value(self.parent, self.first, behaviour, values))

    def best_response(self, values: Floats) -> tuple[float, NDArray[np.int64]]:
        """The best response to a gradient, in place: the value at the root, and the action of each information set."""
        choice = np.empty(self.infosets, dtype=np.uint32)
        value = float(passes.best_response(self.parent, self.first, values, choice))
        return value, choice.astype(np.int64) - self.first[:-1]

    def normalise(self, weights: Floats, out: Floats) -> None:
        """Behaviour proportional to weights, uniform where all are 0."""
        passes.normalise(self.first, weights, out)

    def __repr__(self) -> str:
        return f"<{numbers.count(self.infosets, 'information set')} with {numbers.count(self.sequences, 'sequence')}>"


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """Every history once, breadth-first: parents before children, and the children of one next to each other.

    History 0 is the root. Both properties are relied upon: sampling walks forward to pass reach down and backward to
    pass values up.
    """

    children: Indices  # (histories + 1,) the children of history h are children[h]:children[h + 1]
    player: NDArray[np.int8]  # (histories,) 0, 1, CHANCE or TERMINAL
    infoset: Indices  # (histories,) the acting player's information set, where a player acts
    probability: Floats  # (histories,) of the chance outcome that led here; 1 where a player moved
    payoff: Floats  # (histories,) player 0's, where the game ends
    names: tuple[str, ...]  # (histories,) of the action or outcome that led here
    theirs: Floats | None = None  # (histories,) player 1's payoff, where it is not what player 0 loses

    def payoff_to(self, player: int) -> Floats:
        """(histories,) a player's own payoff, where the game ends."""
        if player == 0:
            return self.payoff
        return -self.payoff if self.theirs is None else self.theirs

    @property
    def histories(self) -> int:
        """How many histories there are, the root and the terminal ones included."""
        return len(self.player)

    def __repr__(self) -> str:
        return f"<tree of {numbers.count(self.histories, 'history', 'histories')}>"


Decided = TypeVar("Decided", bound="Treeplex | LaneTreeplex | BlockTreeplex")


@dataclass(frozen=True, eq=False, repr=False)
class Form(Generic[Decided]):
    """What all forms of a game have; arrays over a treeplex are laid out as it likes."""

    name: str
    treeplexes: tuple[Decided, Decided]
    loaded_from: str | None = field(default=None, kw_only=True)
    """What was given to ``load``, where the name would not find the game again."""
    encode: Callable[[str], Sequence[float]] | None = field(default=None, kw_only=True)
    """A label in numbers, for networks, if the game has a way."""
    locked: Mapping[str, LockedDecision] = field(default_factory=dict, kw_only=True)
    """What players are held to, by label; these are no information sets of the form."""

    @property
    def load_name(self) -> str:
        """What ``load`` finds the game by, if it can be found at all."""
        return self.loaded_from or self.name

    @property
    def infosets(self) -> int:
        """How many information sets both players have together."""
        return sum(treeplex.infosets for treeplex in self.treeplexes)

    def owner(self, label: str) -> int | None:
        """The player whose information set has this label, if there is one."""
        owners = [p for p in (0, 1) if label in self.treeplexes[p].index]
        if len(owners) > 1:
            raise GameError(f"{self.name}: two information sets share the label '{label}'")
        return owners[0] if owners else None

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, player 0's first."""
        return self.treeplexes[0].labels + self.treeplexes[1].labels

    def __repr__(self) -> str:
        return f"<{self.name}, compiled {self._words}: {numbers.count(self.infosets, 'information set')}>"

    def _repr_html_(self) -> str:
        from regretlab.documents.notebook import as_html, facts, headline

        zero, one = self.treeplexes
        return as_html(
            headline(self.name, f", compiled {self._words}"),
            facts(
                ("information sets", f"{zero.infosets:,} of player 0, {one.infosets:,} of player 1"),
                ("sequences", f"{zero.sequences:,} and {one.sequences:,}, the empty ones included"),
                ("locked", f"{len(self.locked):,} information sets") if self.locked else None,
                *((name, said) for name, said in self._facts()),
            ),
        )

    @property
    def _words(self) -> str:
        """Into what the game was compiled."""
        raise NotImplementedError

    def _facts(self) -> list[tuple[str, str]]:
        """What a form of this kind has besides."""
        return []


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm(Form[Treeplex]):
    """A compiled game: one treeplex for each player, the payoff between their plans, and, if kept, the histories."""

    payoff: Payoff
    tree: Tree | None = None

    @property
    def zero_sum(self) -> bool:
        """Whether one player wins what the other loses, wherever the game ends."""
        return self.payoff.zero_sum

    @property
    def _words(self) -> str:
        return "history by history"

    def _facts(self) -> list[tuple[str, str]]:
        exact = self.payoff.sparse is not None and self.payoff.sparse.exact is not None
        kind = f"{'zero-sum' if self.zero_sum else 'not zero-sum'}, {'in fractions' if exact else 'in floats'}"
        kept = [] if self.tree is None else [("histories", f"{self.tree.histories:,}")]
        return [("payoffs", f"{numbers.count(self.payoff.entries, 'entry', 'entries')}, {kind}"), *kept]
