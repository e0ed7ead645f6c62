"""Strategies: for people a table of probabilities by label, for the passes two arrays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from regretlab.documents import numbers
from regretlab.errors import UserError, unknown
from regretlab.forms.blocks import BlockForm, BlockTreeplex
from regretlab.forms.kernel import Floats
from regretlab.forms.lanes import AnyForm, AnyTreeplex
from regretlab.forms.packed import PACKED, precision_of, unpacked

if TYPE_CHECKING:
    from regretlab.documents.blocks import Cell, Table

SUM_TOLERANCE = 1e-9
"""How far the probabilities of an information set may be from summing to 1."""

SINGLE_TOLERANCE = 1e-5
"""The same for what a run in single precision has found."""

PACKED_TOLERANCE = 1e-3
"""How differently hands that only suits tell apart may play, where that was kept in 16 bits."""


@dataclass(frozen=True, eq=False, repr=False)
class Labelled(Mapping[str, dict[str, float]]):
    """A number for every action of both players, by label and action name; as arrays it is one for each player.

    ``arrays`` are in the order of the player's sequences and read-only.
    """

    form: AnyForm
    arrays: tuple[Floats, Floats]

    def __post_init__(self) -> None:
        for array in self.arrays:
            array.flags.writeable = False

    def __getitem__(self, label: str) -> dict[str, float]:
        player = self.form.owner(label)
        if player is None:
            raise KeyError(label)
        treeplex = self.form.treeplexes[player]
        i = treeplex.index[label]
        found = unpacked(self.arrays[player], treeplex.own(i))
        return dict(zip(treeplex.actions[i], found.tolist(), strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self.form.labels)

    def __len__(self) -> int:
        return self.form.infosets

    def __repr__(self) -> str:
        return f"<{self._kind} of {self.form.name}, {numbers.count(len(self), 'information set')}>"

    @property
    def _kind(self) -> str:
        return "numbers"

    def _cell(self, number: float) -> Cell:
        """How a number is shown in a table."""
        return number

    def first_rows(self) -> Table:
        """The first information sets as a table."""
        from regretlab.documents.notebook import listed

        rows = (
            ("" if k else f"`{label}`", action, self._cell(number))
            for label in self
            for k, (action, number) in enumerate(self[label].items())
        )
        locked = sum(len(decision.actions) for decision in self.form.locked.values())
        count = sum(treeplex.sequences - 1 for treeplex in self.form.treeplexes) + locked
        return listed(("information set", "action", self._kind), rows, count, "by label it has all of them")

    def _repr_html_(self) -> str:
        from regretlab.documents.notebook import as_html, headline

        about = f" of {self.form.name}, {numbers.count(len(self), 'information set')}"
        return as_html(headline(self._kind, about), self.first_rows())


class Strategy(Labelled):
    """Both players' behaviour: ``strategy["Qcb"]`` is ``{"fold": 0.33, "call": 0.67}``.

    Where a player is locked, it is what the lock says, so that it is a strategy of the whole game.
    """

    def __getitem__(self, label: str) -> dict[str, float]:
        locked = self.form.locked.get(label)
        if locked is None:
            return super().__getitem__(label)
        return {action: float(probability) for action, probability in locked.behaviour.items()}

    def __iter__(self) -> Iterator[str]:
        yield from self.form.labels
        yield from self.form.locked

    def __len__(self) -> int:
        return self.form.infosets + len(self.form.locked)

    @property
    def _kind(self) -> str:
        return "strategy"

    def _cell(self, number: float) -> Cell:
        from regretlab.documents.blocks import Share

        return Share(number)

    def plan(self, player: int) -> Floats:
        """The realisation plan of ``player``."""
        treeplex = self.form.treeplexes[player]
        assert not isinstance(treeplex, BlockTreeplex)  # those of blocks are ``Weighed``
        plan = np.empty(treeplex.size)
        treeplex.plan(self.arrays[player], plan)
        return plan


class Weighed(Strategy):
    """A strategy of a game in blocks: as large as they are, its arrays are kept as weights, and what people ask for is
    made proportional to the positive ones, uniform where there are none."""

    def __getitem__(self, label: str) -> dict[str, float]:
        weights = {action: max(weight, 0.0) for action, weight in Labelled.__getitem__(self, label).items()}
        treeplex = self.form.treeplexes[self.form.owner(label) or 0]
        assert isinstance(treeplex, BlockTreeplex)
        held_to = treeplex.locked(treeplex.index[label])
        if held_to is not None:  # where the player's own play never leads, the weights do not show it
            return dict(zip(weights, held_to, strict=True))
        total = sum(weights.values())
        if total == 0.0:
            return dict.fromkeys(weights, 1 / len(weights))
        return {action: weight / total for action, weight in weights.items()}

    def plan(self, player: int) -> Floats:
        """Nobody makes a plan over all blocks."""
        raise UserError(f"{self.form.name} is compiled in blocks, which have no plan as a whole")


def from_weights(form: AnyForm, weights: tuple[Floats, Floats]) -> Strategy:
    """Behaviour proportional to non-negative weights of the sequences; uniform where a whole information set has 0."""
    if isinstance(form, BlockForm):
        return Weighed(form, (weights[0].view(), weights[1].view()))
    arrays = (np.empty(len(weights[0])), np.empty(len(weights[1])))
    for player in (0, 1):
        form.treeplexes[player].normalise(weights[player].astype(np.float64, copy=False), arrays[player])
    return Strategy(form, arrays)


def uniform_behaviour(treeplex: AnyTreeplex) -> Floats:
    """Every action of every information set equally likely."""
    behaviour = np.empty(treeplex.size)
    if isinstance(treeplex, BlockTreeplex):
        behaviour[:] = 1.0  # weights
    else:
        treeplex.normalise(np.zeros(treeplex.size), behaviour)
    return behaviour


def uniform(form: AnyForm) -> Strategy:
    """Every action equally likely: what every algorithm starts from."""
    return _strategy(form, (uniform_behaviour(form.treeplexes[0]), uniform_behaviour(form.treeplexes[1])))


def read_strategy(form: AnyForm, given: Mapping[str, Mapping[str, float]]) -> Strategy:
    """A strategy for ``form`` from a solution, its strategy, or a plain dictionary ``{label: {action: probability}}``.

    An action that is not named has probability 0. A missing or unknown label, an unknown action, a negative
    probability or a sum other than 1 is an error that names the label. What is said about a locked label does not
    count.
    """
    given = getattr(given, "strategy", given)
    if isinstance(given, Strategy) and given.form is form:
        return given
    if not isinstance(given, Mapping):
        raise UserError(
            f"{given!r:.40} is no strategy; give {{label: {{action: probability}}}}, or what solve returned"
        )
    close = SINGLE_TOLERANCE if isinstance(given, Labelled) else SUM_TOLERANCE
    packed = isinstance(given, Labelled) and precision_of(given.arrays[0]) == PACKED
    alike = PACKED_TOLERANCE if packed else SINGLE_TOLERANCE
    try:
        arrays = _read_whole(form.treeplexes[0], given, close), _read_whole(form.treeplexes[1], given, close)
        if len(given) == form.infosets:
            return _checked(form, arrays, alike)
    except (LookupError, TypeError, ValueError, OverflowError):
        pass  # reading it piece by piece finds out what is wrong, or that an action was left out
    for label in given:
        if form.owner(label) is None and label not in form.locked:
            raise unknown("information set", label, form.labels)
    pieces = _read_pieces(form.treeplexes[0], given, close), _read_pieces(form.treeplexes[1], given, close)
    return _checked(form, pieces, alike)


def _checked(form: AnyForm, arrays: tuple[Floats, Floats], close: float) -> Strategy:
    """A strategy from behaviours; in blocks, where suits may have been merged, it must not tell those apart."""
    for treeplex, behaviour in zip(form.treeplexes, arrays, strict=True):
        if isinstance(treeplex, BlockTreeplex) and (labels := treeplex.told_apart(behaviour, close)):
            one, other = labels
            raise UserError(
                f"the strategy plays '{one}' and '{other}' differently, whose suits are merged in {form.name}; give "
                "the spot with merge_suits=False"
            )
    return _strategy(form, arrays)


def _strategy(form: AnyForm, arrays: tuple[Floats, Floats]) -> Strategy:
    """A strategy from behaviours."""
    return Weighed(form, arrays) if isinstance(form, BlockForm) else Strategy(form, arrays)


def _read_whole(treeplex: AnyTreeplex, given: Mapping[str, Mapping[str, float]], close: float) -> Floats:
    """The quick way for a table in which nothing is wrong or left out; any error if something is."""
    flat: list[float] = []
    sizes = []
    for label, actions in zip(treeplex.labels, treeplex.actions, strict=True):
        row = given[label]
        if len(row) != len(actions):
            raise LookupError(label)
        flat += [row[action] for action in actions]
        sizes.append(len(actions))
    numbers = np.array(flat, dtype=np.float64)
    if sizes:
        sums = np.add.reduceat(numbers, np.cumsum([0, *sizes[:-1]]))
        if not ((numbers >= 0).all() and (abs(sums - 1) <= close).all()):
            raise ValueError
    behaviour = uniform_behaviour(treeplex)
    behaviour[treeplex.places] = numbers
    return behaviour


def _read_pieces(treeplex: AnyTreeplex, given: Mapping[str, Mapping[str, float]], close: float) -> Floats:
    """The careful way, which names the first label at which something is wrong."""
    behaviour = uniform_behaviour(treeplex)
    for i, label in enumerate(treeplex.labels):
        if label not in given:
            raise UserError(f"the strategy says nothing about information set '{label}'")
        actions = treeplex.actions[i]
        behaviour[treeplex.own(i)] = _probabilities(label, actions, given[label], close)
    return behaviour


def _probabilities(label: str, actions: tuple[str, ...], given: Mapping[str, float], close: float) -> list[float]:
    """The probabilities of one information set in the order of its actions."""
    try:
        numbers = {action: float(probability) for action, probability in given.items()}
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise UserError(f"at '{label}' the strategy is {given!r}, not {{action: probability}}") from None
    for action, number in numbers.items():
        if action not in actions:
            raise unknown(f"action at '{label}'", action, actions)
        if not number >= 0:
            raise UserError(f"the probability {number} of '{action}' at '{label}' must be 0 or more")
    total = math.fsum(numbers.values())
    if not abs(total - 1) <= close:
        raise UserError(f"the probabilities at '{label}' sum to {total:.12g}, not 1")
    return [numbers.get(action, 0.0) for action in actions]
