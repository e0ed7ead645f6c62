"""From rules to arrays: a game is walked once, and no solver ever sees it again."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache
from itertools import compress, islice
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from regretlab.errors import GameError, UserError, unknown
from regretlab.forms.block_size import BlockSize, check_blocks_fit
from regretlab.forms.blocks import BlockForm
from regretlab.forms.form import SequenceForm, Tree, Treeplex
from regretlab.forms.lanes import AnyForm, LaneForm, compile_lanes
from regretlab.forms.payoff import sparse_payoff
from regretlab.forms.public_tree import NotOnLanes
from regretlab.games.locked import Locked
from regretlab.games.protocol import (
    CHANCE,
    TERMINAL,
    Game,
    HasBlocks,
    HasBlockSize,
    HasEncoding,
    HasForm,
    HasLabelledLocks,
    Number,
)
from regretlab.games.public import PublicGame
from regretlab.games.registry import as_rules
from regretlab.games.size import LaneSize, Size, check_lanes_fit, lane_size_of, most_histories, size_of
from regretlab.games.walk import Walk

GameLike: TypeAlias = str | Game | AnyForm
"""A game by name, as rules, or compiled."""

FORMS = ("lanes", "histories", "blocks")
"""The names of the forms that there are."""

LEAST_BYTES_A_NUMBER = 4
"""On lanes; whoever solves decides for single or double precision."""

LEAST_HANDS = 4
"""With fewer, an iteration by histories is quicker than one on lanes, and compiling takes no time either way."""


class CompileProgress(NamedTuple):
    """How far compiling a game is."""

    game: str
    size: Size | LaneSize | BlockSize
    walked: int  # histories, or public states, so far; 0 before the first


HISTORIES_BETWEEN = 20_000
"""How many histories are walked between two calls of who watches: a tenth of a second."""

_watch: ContextVar[Callable[[CompileProgress], None] | None] = ContextVar("watch", default=None)


@contextmanager
def watch_compiling(watch: Callable[[CompileProgress], None]) -> Iterator[None]:
    """Call ``watch`` before and while a game is walked, wherever that happens: most who need a form make it by name."""
    before = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(before)


def compile(game: str | Game, tree: bool = True, limit: int | None = None) -> SequenceForm:
    """Walk ``game``, given by name or as rules, once and return its sequence form.

    A game that makes a form of its own (``form()``, see ``games/protocol.py``) is asked for it and not walked.
    ``tree=False`` leaves out the list of histories. Raises GameError, naming the history, where the game breaks a
    promise of the protocol, and UserError at once where memory will not do, unless ``limit`` says how many histories to
    try.

    >>> form = compile("kuhn")
    >>> form.infosets, form.tree.histories
    (12, 55)
    """
    given = as_rules(game)
    if limit is None and isinstance(given, HasLabelledLocks):
        most_histories(given, size_of(given))  # to name all that is locked is a walk, too
    rules = _with_general_locks(given)
    if isinstance(rules, HasForm):
        form = rules.form()
        if not isinstance(form, SequenceForm):
            raise GameError(f"{rules.name}: form() gives {form!r:.40}, not a SequenceForm")
    else:
        form = _walked(rules, tree, limit)
    return replace(
        form,
        loaded_from=getattr(given, "loaded_from", form.loaded_from),
        encode=rules.encode if isinstance(rules, HasEncoding) else form.encode,
        locked=rules.locked if isinstance(rules, Locked) else {},
    )


def _with_general_locks(rules: Game) -> Game:
    """A game whose locks, if it has any of its own, are moves of chance, as in all others."""
    return rules.locked_by_labels() if isinstance(rules, HasLabelledLocks) else rules


def _walked(rules: Game, tree: bool, limit: int | None) -> SequenceForm:
    """The form that a walk over all histories gives."""
    size, watch = size_of(rules), _watch.get() or (lambda progress: None)
    walk = Walk(rules, most_histories(rules, size) if limit is None else limit)
    watch(CompileProgress(rules.name, size, 0))
    visits = iter(walk)
    while next(islice(visits, HISTORIES_BETWEEN - 1, None), None) is not None:
        watch(CompileProgress(rules.name, size, len(walk.children)))
    owner, ends = np.array(walk.owner), np.asarray(walk.player) == TERMINAL
    treeplexes = _treeplex(walk, owner == 0), _treeplex(walk, owner == 1)
    rows, columns, reach = (_indices(column)[ends] for column in (*walk.own, walk.reach))
    # Of each terminal history the pair of sequences that it ends in, and which of the few weights it carries.
    numbers, won = walk.numbers.values, _won(walk)
    count = len(won[0])
    pairs, which = np.unique(reach.astype(np.int64) * count + _indices(walk.payoff), return_inverse=True)
    weights = [[numbers[pair // count] * each[pair % count] for pair in pairs.tolist()] for each in won]
    shape = treeplexes[0].sequences, treeplexes[1].sequences
    payoff = sparse_payoff(shape, rows, columns, which, *weights)
    return SequenceForm(rules.name, treeplexes, payoff, _tree(walk, ends, won) if tree else None)


def _won(walk: Walk) -> list[list[Number]]:
    """What the entries of ``walk.payoff`` stand for: player 0's payoffs and, unless they sum to 0, player 1's."""
    if walk.pairs is None:
        return [walk.numbers.values]
    both = [walk.paid(place) for place in range(len(walk.pairs.values))]
    return [[pair[player] for pair in both] for player in ((0,) if walk.zero_sum else (0, 1))]


def _treeplex(walk: Walk, own: NDArray[np.bool_]) -> Treeplex:
    """A player's ``own`` information sets, in the order in which the walk has numbered them."""
    actions = tuple(compress(walk.actions, own))
    return Treeplex(
        parent=_indices(walk.parent)[own],
        first=np.cumsum([1, *map(len, actions)]).astype(np.uint32),
        labels=tuple(compress(walk.labels, own)),
        actions=actions,
    )


def _tree(walk: Walk, ends: NDArray[np.bool_], won: list[list[Number]]) -> Tree:
    """All histories; the walk has what only some of them have in columns of their own."""
    numbers = np.array(walk.numbers.values, dtype=np.float64)
    player, children = np.array(walk.player, dtype=np.int8), _indices(walk.children)
    infoset, probability = np.zeros(len(player), np.uint32), np.ones(len(player))
    infoset[player >= 0] = _indices(walk.place)[_indices(walk.infoset)]
    probability[1:][np.repeat(player == CHANCE, children)] = numbers[_indices(walk.probability)]
    payoffs = [np.zeros(len(player)) for _ in won]
    for payoff, amounts in zip(payoffs, won, strict=True):
        payoff[ends] = np.array(amounts, dtype=np.float64)[_indices(walk.payoff)]
    first_child = np.cumsum(np.append(np.uint32(1), children), dtype=np.uint32)
    return Tree(first_child, player, infoset, probability, payoffs[0], tuple(walk.names), *payoffs[1:])


def _indices(values: array[int]) -> NDArray[np.uint32]:
    """A column of the walk as kernels take indices, unsigned; it is not copied."""
    return np.asarray(values, dtype=np.uint32)


def known_infosets(game: GameLike) -> int | None:
    """How many information sets a game has; None where only a walk over a game that is not compiled could tell."""
    if isinstance(game, SequenceForm | LaneForm | BlockForm):
        return game.infosets
    return size_of(as_rules(game)).infosets


def as_form(game: GameLike) -> SequenceForm:
    """The sequence form of a game given by name, as rules, or compiled already, history by history."""
    if isinstance(game, LaneForm | BlockForm):
        return _by_histories(game)
    if isinstance(game, SequenceForm):
        return game
    return compile(game)


@lru_cache(4)
def _by_histories(form: LaneForm | BlockForm) -> SequenceForm:
    """The histories of a game that was compiled without them."""
    return replace(compile(form.rules), loaded_from=form.loaded_from)


def form_name(form: AnyForm) -> str:
    """One of ``FORMS``."""
    return "lanes" if isinstance(form, LaneForm) else "blocks" if isinstance(form, BlockForm) else "histories"


def form_to_solve(
    game: GameLike, form: str | None = None, tree: bool = True, precision: str = "f64", recalls: bool = False
) -> AnyForm:
    """The form in which a game is solved the quickest, compiling included; or the one that is asked for by name.

    In blocks, what the run needs is known before: it will be of a ``precision`` and recall strategies or not.

    >>> form_to_solve("leduc").infosets, type(form_to_solve("kuhn")).__name__
    (936, 'SequenceForm')
    """
    if form is not None and form not in FORMS:
        raise unknown("form", form, FORMS)
    if isinstance(game, SequenceForm | LaneForm | BlockForm):
        if form in (None, form_name(game)):
            return game
        if isinstance(game, SequenceForm):
            raise UserError(f"{game.name} is compiled by histories already; give the game itself to have it on {form}")
        return form_to_solve(game.rules, form, tree)
    rules = as_rules(game)
    if isinstance(rules, HasBlocks) and form in (None, "blocks"):
        if isinstance(rules, HasBlockSize):
            _announce_blocks(rules.name, replace(rules.block_size(), precision=precision, recalls=recalls))
        in_blocks: BlockForm = rules.blocks()
        return replace(in_blocks, loaded_from=getattr(rules, "loaded_from", None))
    if form == "blocks":
        raise UserError(f"{rules.name} can't be compiled in blocks; that is for Hold'em")
    locked = _with_general_locks(rules)
    if locked is not rules:
        return replace(form_to_solve(locked, form, tree), loaded_from=getattr(rules, "loaded_from", None))
    if not isinstance(rules, PublicGame):
        if form == "lanes" and isinstance(rules, Locked) and isinstance(rules.game, PublicGame):
            raise UserError(
                f"{rules.name} can't be compiled on lanes, which need a lock of all hands of a node or none"
            )
        if form == "lanes":
            raise UserError(f"{rules.name} has no hands (it is no PublicGame), so it can't be compiled on lanes")
        return compile(rules, tree)
    hands = max(len(rules.hands(player)) for player in (0, 1))
    if form == "histories" or (form is None and hands < LEAST_HANDS):
        return compile(rules, tree)
    size, watch = lane_size_of(rules), _watch.get() or (lambda progress: None)
    check_lanes_fit(rules, size, LEAST_BYTES_A_NUMBER)
    watch(CompileProgress(rules.name, size, 0))
    try:
        compiled = compile_lanes(rules, lambda walked: watch(CompileProgress(rules.name, size, walked)))
    except NotOnLanes:
        if form == "lanes":
            raise
        return compile(rules, tree)
    return replace(
        compiled,
        loaded_from=getattr(rules, "loaded_from", None),
        encode=rules.encode if isinstance(rules, HasEncoding) else None,
        locked=rules.locked if isinstance(rules, Locked) else {},
    )


def _announce_blocks(name: str, size: BlockSize) -> None:
    """Refuse what will not fit, and tell whoever watches how large the rest is."""
    check_blocks_fit(name, size)
    watch = _watch.get()
    if watch is not None:
        watch(CompileProgress(name, size, 0))
