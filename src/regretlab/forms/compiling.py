"""From rules to arrays: a game is walked once, and no solver ever sees it again."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import GameError
from regretlab.forms.form import SequenceForm, Tree, Treeplex
from regretlab.forms.payoff import sparse_payoff
from regretlab.games.protocol import TERMINAL, Game, HasEncoding, HasForm, Number
from regretlab.games.registry import as_rules
from regretlab.games.walk import MOST_HISTORIES, Infoset, Visit, walk

GameLike: TypeAlias = str | Game | SequenceForm
"""A game by name, as rules, or compiled."""


def compile(game: str | Game, tree: bool = True, limit: int = MOST_HISTORIES) -> SequenceForm:
    """Walk ``game``, given by name or as rules, once and return its sequence form.

    A game that makes a form of its own (``form()``, see ``games/protocol.py``) is asked for it and not walked.
    ``tree=False`` leaves out the list of histories. Raises GameError, naming the history, where the game breaks a
    promise of the protocol.

    >>> form = compile("kuhn")
    >>> form.infosets, form.tree.histories
    (12, 55)
    """
    rules = as_rules(game)
    if isinstance(rules, HasForm):
        form = rules.form()
        if not isinstance(form, SequenceForm):
            raise GameError(f"{rules.name}: form() gives {form!r:.40}, not a SequenceForm")
    else:
        form = _walked(rules, tree, limit)
    return replace(
        form,
        loaded_from=getattr(rules, "loaded_from", form.loaded_from),
        encode=rules.encode if isinstance(rules, HasEncoding) else form.encode,
    )


def _walked(rules: Game, tree: bool, limit: int) -> SequenceForm:
    """The form that a walk over all histories gives."""
    infosets: tuple[list[Infoset], list[Infoset]] = ([], [])
    # Of each terminal history the pair of sequences that it ends in, and which of the few weights it carries.
    rows, columns, which = array("I"), array("I"), array("I")
    numbers: dict[tuple[Number, Number], int] = {}
    histories = _Histories() if tree else None
    for visit in walk(rules, limit):
        if visit.infoset is not None:
            known = infosets[visit.infoset.player]
            if visit.infoset.index == len(known):  # the walk numbers them as it meets them
                known.append(visit.infoset)
        elif visit.player == TERMINAL:
            rows.append(visit.own[0])
            columns.append(visit.own[1])
            which.append(numbers.setdefault((visit.reach, visit.payoff), len(numbers)))
        if histories is not None:
            histories.add(visit)
    treeplexes = _treeplex(infosets[0]), _treeplex(infosets[1])
    shape = treeplexes[0].sequences, treeplexes[1].sequences
    weights = [reach * payoff for reach, payoff in numbers]
    payoff = sparse_payoff(shape, _indices(rows), _indices(columns), _indices(which), weights)
    return SequenceForm(rules.name, treeplexes, payoff, histories.tree() if histories else None)


def _treeplex(infosets: list[Infoset]) -> Treeplex:
    """A player's information sets, in the order in which the walk has numbered them."""
    return Treeplex(
        parent=np.array([infoset.own for infoset in infosets], dtype=np.uint32),
        first=np.cumsum([1, *(len(infoset.actions) for infoset in infosets)]).astype(np.uint32),
        labels=tuple(infoset.label for infoset in infosets),
        actions=tuple(infoset.actions for infoset in infosets),
    )


class _Histories:
    """The columns of the flat tree, as they grow."""

    def __init__(self) -> None:
        self.children, self.infoset = array("I", [1]), array("I")
        self.player, self.probability, self.payoff = array("b"), array("d"), array("d")
        self.names: list[str] = []

    def add(self, visit: Visit) -> None:
        """One more history; its children come right after those of the history before it."""
        self.children.append(self.children[-1] + visit.children)
        self.player.append(visit.player)
        self.infoset.append(visit.infoset.index if visit.infoset is not None else 0)
        self.probability.append(float(visit.probability))
        self.payoff.append(float(visit.payoff))
        self.names.append(visit.name)

    def tree(self) -> Tree:
        """All histories so far."""
        return Tree(
            children=_indices(self.children),
            player=np.array(self.player, dtype=np.int8),
            infoset=_indices(self.infoset),
            probability=np.array(self.probability),
            payoff=np.array(self.payoff),
            names=tuple(self.names),
        )


def _indices(values: Iterable[Any]) -> NDArray[np.uint32]:
    """Indices as kernels take them: unsigned."""
    return np.array(values, dtype=np.uint32)


def as_form(game: GameLike) -> SequenceForm:
    """The sequence form of a game given by name, as rules, or compiled already."""
    if isinstance(game, SequenceForm):
        return game
    return compile(game)
