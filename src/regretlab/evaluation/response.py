"""The best response to a profile, by one pass, and by trying everything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretlab.documents.numbers import count, value
from regretlab.errors import UserError
from regretlab.evaluation.block_value import BlockJudge
from regretlab.evaluation.value import Profile, gradient, read, row_numbers, sparse
from regretlab.forms import AnyForm, BlockForm, BlockTreeplex, GameLike, SequenceForm, Strategy, Treeplex, as_form
from regretlab.forms.kernel import Floats

MOST_PURE_STRATEGIES = 100_000
"""Brute force tries at most so many pure strategies, which takes about a second."""

MOST_LISTED = 1_000_000
"""Information sets of a game in blocks for which actions are listed, which takes a few seconds and gigabytes."""


@dataclass(frozen=True, repr=False)
class BestResponse:
    """One player's best answer to the other's part of a profile."""

    value: float
    """What it earns, from the responder's own view, in chips per game."""
    actions: dict[str, str]
    """The action it takes at each information set: one, whatever the opponent holds."""
    action_values: dict[str, dict[str, float]]
    """What each action earns at each information set where the best ones follow, weighted with how probable chance and
    the other player make it to come there."""

    def __repr__(self) -> str:
        return f"<best response worth {self.value:.6g}, {count(len(self.actions), 'information set')}>"

    def _repr_html_(self) -> str:
        from regretlab.documents.notebook import as_html, headline, listed

        rows = (
            ("" if k else f"`{label}`", action, worth, "★" if action == self.actions[label] else "")
            for label, worths in self.action_values.items()
            for k, (action, worth) in enumerate(worths.items())
        )
        size = sum(map(len, self.action_values.values()))
        head = ("information set", "action", "what it earns, chips", "taken")
        return as_html(
            headline("best response", f", worth {value(self.value)} chips a game"),
            listed(head, rows, size, "`action_values` has all of them"),
        )


def best_response(game: GameLike, strategy: Profile, player: int) -> BestResponse:
    """The best pure response of ``player`` (0 or 1) to the other player's part of a profile.

    Of equally good actions the first is taken, and so is the first where the other player never lets the game go.

    >>> from regretlab.forms import as_form, uniform
    >>> kuhn = as_form("kuhn")
    >>> response = best_response(kuhn, uniform(kuhn), 1)
    >>> round(response.value, 6), response.actions["Qb"]
    (0.416667, 'call')
    """
    form, profile = _read(game, strategy, player)
    treeplex = form.treeplexes[player]
    if isinstance(form, BlockForm):
        if treeplex.infosets > MOST_LISTED:
            raise UserError(
                f"player {player} of {form.name} has {treeplex.infosets:,} information sets, and a list of actions has "
                f"at most {MOST_LISTED:,}; evaluate() says what best responses are worth"
            )
        value, values = BlockJudge(form, profile.arrays).best_values(player)
    else:
        assert not isinstance(treeplex, BlockTreeplex)
        values = gradient(form, profile, player)
        value = treeplex.best_response(values)[0]
    actions, action_values = {}, {}
    for i, (label, names) in enumerate(zip(treeplex.labels, treeplex.actions, strict=True)):
        own = values[treeplex.own(i)]
        actions[label] = names[int(own.argmax())]
        action_values[label] = dict(zip(names, own.tolist(), strict=True))
    return BestResponse(value, actions, action_values)


def brute_force(game: GameLike, strategy: Profile, player: int) -> float:
    """The best-response value of ``player`` by trying every pure strategy of a tiny game.

    Pure strategies that differ only where their own earlier choices never lead count once. Nothing is shared with the
    passes: this is what they are tested against.
    """
    form, profile = _read(as_form(game), strategy, player)
    assert isinstance(form, SequenceForm)
    treeplex = form.treeplexes[player]
    count = pure_strategies(treeplex)
    if count > MOST_PURE_STRATEGIES:
        size = f"{count:,}" if count < 10**12 else f"about 10^{len(str(count)) - 1}"
        raise UserError(
            f"player {player} of {form.name} has {size} pure strategies; brute force tries at most "
            f"{MOST_PURE_STRATEGIES:,}"
        )
    earned = _earned(form, profile, player)
    return max(float(earned[list(plan)].sum()) for plan in _pure_plans(treeplex))


def pure_strategies(treeplex: Treeplex) -> int:
    """How many pure strategies there are, counted as ``brute_force`` counts them."""
    count = [1] * treeplex.sequences
    for i in reversed(range(treeplex.infosets)):
        count[treeplex.parent[i]] *= sum(count[treeplex.first[i] : treeplex.first[i + 1]])
    return count[0]


def _pure_plans(treeplex: Treeplex) -> list[tuple[int, ...]]:
    """Every pure strategy as the sequences that it plays."""
    after: list[list[tuple[int, ...]]] = [[()] for _ in range(treeplex.sequences)]
    for i in reversed(range(treeplex.infosets)):
        here = [(s, *plan) for s in range(treeplex.first[i], treeplex.first[i + 1]) for plan in after[s]]
        before = int(treeplex.parent[i])
        after[before] = [plan + more for plan in after[before] for more in here]
    return [(0, *plan) for plan in after[0]]


def _earned(form: SequenceForm, profile: Strategy, player: int) -> Floats:
    """What each sequence of ``player`` earns, entry by entry: of player 0's matrix, where that says it all."""
    payer = 0 if form.zero_sum else player
    matrix = sparse(form).matrices[payer]
    rows, columns = row_numbers(matrix.first), matrix.column.astype(np.int64)
    mine, theirs = (rows, columns) if payer == player else (columns, rows)
    other = form.treeplexes[1 - player]
    reach = np.array([_reach(other, profile.arrays[1 - player], s) for s in range(other.sequences)])
    earned = np.zeros(form.treeplexes[player].sequences)
    np.add.at(earned, mine, (1 if payer == player else -1) * matrix.entry * reach[theirs])
    return earned


def _reach(treeplex: Treeplex, behaviour: Floats, sequence: int) -> float:
    """The probability of one sequence, walking up from it to the root."""
    probability = 1.0
    while sequence:
        probability *= behaviour[sequence]
        sequence = int(treeplex.parent[np.searchsorted(treeplex.first, sequence, side="right") - 1])
    return probability


def _read(game: GameLike, strategy: Profile, player: int) -> tuple[AnyForm, Strategy]:
    if player not in (0, 1):
        raise UserError(f"player {player!r} does not exist; the players are 0 and 1")
    return read(game, strategy)
