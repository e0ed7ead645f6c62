"""What a run has found, in sentences that change with it: milestones, and what has moved since a while ago and why.

All numbers are the engine's. Sentences are said at some of the charted iterations only, so that whatever way a run has
taken, it says the same at the same place, and nobody has to read thirty of them in a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from regretlab.documents.numbers import Unit
from regretlab.explaining.arithmetic import decisions_of_pass
from regretlab.forms import Strategy
from regretlab.games import Kuhn
from regretlab.solving import Solution
from regretlab.solving.schedule import SCHEDULES, in_force

if TYPE_CHECKING:
    from regretlab.watch.watched_game import WatchedGame

LEVELS = (100, 10, 1, 0.1)
"""The exploitabilities, in thousandths, below which a run reaches a milestone."""

NOW_AND_THEN = 0.05
"""An action that is taken more often than this is taken on purpose, if its regret is positive."""

HARDLY = 0.01
"""Less than this, a percentage point, is hardly a change; and an average that is as near to an equilibrium is there."""

ROUNDING = 1e-9
"""Two actions whose worth in chips differs by less are worth the same."""

EACH_UNTIL = 30
"""Up to this iteration there is a sentence for each of them, and a milestone is found where it happens."""

SENTENCES_PER_DECADE = 6

DOES = {"check": "checks", "bet": "bets", "fold": "folds", "call": "calls", "raise": "raises"}
DOING = {"check": "checking", "bet": "betting", "fold": "folding", "call": "calling", "raise": "raising"}
_CARDS = {"J": "Jack", "Q": "Queen", "K": "King"}


class Place(NamedTuple):
    """An action at an information set of Kuhn poker that tells a part of the story."""

    label: str
    action: str
    words: str


FIRSTS = (
    Place("Jb", "fold", "First good fold: facing a bet, player 2 folds the Jack"),
    Place("J", "bet", "First bluff of player 1: it bets the Jack"),
    Place("Jc", "bet", "First bluff of player 2: after a check it bets the Jack"),
    Place("Qb", "call", "Player 2 begins to catch bluffs: it calls a bet with the Queen"),
    Place("Qcb", "call", "Player 1 begins to catch bluffs: it calls a bet with the Queen"),
)
"""What a run of Kuhn poker does on purpose for the first time: because it regrets not having done it."""


@dataclass(frozen=True)
class Found:
    """What is said from an iteration on, and what the next sentence compares with."""

    iteration: int
    words: str
    current: Strategy
    average: Strategy
    settled: frozenset[str] = frozenset()  # the information sets whose average was said to be where it should stay


def told_at(charted: tuple[int, ...]) -> frozenset[int]:
    """Those of the charted iterations at which there is a sentence."""
    later = [each for each in charted if each > EACH_UNTIL]
    return frozenset({each for each in charted if each <= EACH_UNTIL} | {*later[:: 30 // SENTENCES_PER_DECADE]})


class Reached:
    """The milestones of one run, each at the first charted iteration at which it is so."""

    def __init__(self, game: WatchedGame) -> None:
        self.game = game
        self.firsts = list(FIRSTS) if _tells_kuhn(game) else []
        self.levels = list(LEVELS)

    def at(self, solution: Solution) -> tuple[str, ...]:
        """What is reached now and was not before."""
        return (*self._firsts(solution), *self._levels(solution))

    def _firsts(self, solution: Solution) -> Iterator[str]:
        for place in list(self.firsts):
            share = solution.current[place.label][place.action]
            if share > NOW_AND_THEN and solution.regrets[place.label][place.action] > 0:
                self.firsts.remove(place)
                yield f"{place.words} {_percent(share)} of the time."

    def _levels(self, solution: Solution) -> Iterator[str]:
        unit = Unit.of(self.game.rules)
        milli = solution.exploitability / unit.chips
        passed = [level for level in self.levels if milli < level]
        self.levels = [level for level in self.levels if milli >= level]
        if passed:
            below = f"Exploitability below {passed[-1]:g} {unit.name}"
            yield f"{below}: a perfect opponent would win {_short(milli)} {unit.name}."


def past(iteration: int, words: str) -> str:
    """A milestone that is told later, with the sentence that comes next."""
    return f"Milestone at iteration {iteration:,}. {words}"


def opening() -> str:
    """Before the first iteration."""
    return "Nothing is known yet. Press Play or Step, and here it says what the bot finds out."


def tell(
    game: WatchedGame, before: Found, played: Strategy, solution: Solution, age: int, reached: tuple[str, ...]
) -> Found:
    """What is worth saying at an iteration, before which ``played`` was played: a milestone, or what has changed.

    ``reached`` are the milestones since the sentence ``before``.
    """
    label = _settled(game, before, solution)
    if label is not None:
        said = _stays(game, label, before, solution)
    elif solution.iterations == before.iteration + 1:
        said = _moved(game, before, played, solution, age)
    else:
        said = _drifted(game, before, solution)
    words = " ".join([*reached[:1], said]) if reached else said
    settled = before.settled if label is None else before.settled | {label}
    return Found(solution.iterations, words, solution.current, solution.strategy, settled)


def _settled(game: WatchedGame, before: Found, solution: Solution) -> str | None:
    """Where an average has come to where all equilibria are, and was not there before."""
    for label, (low, high) in game.equilibria.ranges.items():
        if low != high or not 0 < low < 1:
            continue
        action = _second(game, label)
        there = abs(solution.strategy[label][action] - float(low)) < HARDLY
        if there and abs(before.average[label][action] - float(low)) >= HARDLY:
            return label
    return None


def _stays(game: WatchedGame, label: str, before: Found, solution: Solution) -> str:
    now = _percent(solution.strategy[label][_second(game, label)])
    here = (
        f"After iteration {solution.iterations:,} {_who(game, label)} {_does(game, label)} {now} of the time on average"
    )
    share = _fraction(game.equilibria.ranges[label][0])
    if label in before.settled:
        return f"{here}: after a detour back where it should stay, at {share}."
    return f"{here}. That is where it should stay: in every equilibrium it is {share}."


def _moved(game: WatchedGame, before: Found, played: Strategy, solution: Solution, age: int) -> str:
    """The action whose probability one iteration has changed the most, and what it was worth in that iteration."""
    label, old, new = _largest_change(game, before.current, solution.current)
    if abs(new - old) < HARDLY:
        return _nothing_moves(game, before, solution)
    who, here = _who(game, label, True).rstrip(","), f"in iteration {solution.iterations:,}"
    does = f"it {_does(game, label)} {_percent(new)} of the time, {'up' if new > old else 'down'} from {_percent(old)}"
    gain = gain_at(game, label, played, solution, age)
    if gain is None:
        return f"{who}: {here} play never came to that; {does}."
    if abs(gain) < ROUNDING:
        return f"{who}: both actions were worth the same {here}; {does}."
    amount = f"{_short(abs(gain))} {'chip' if _short(abs(gain)) == '1' else 'chips'}"
    first, second = (DOING.get(each, each) for each in _actions(game, label))
    compared = f"{second} earned {amount} more than {first}" if gain > 0 else f"{second} cost {amount} against {first}"
    against = (gain > 0) != (new > old)
    if not solution.recipe.feedback_kind.samples:
        return f"{who}: {compared} {here}{'; ' if against else ', so '}{does}."
    # The cause is what was drawn.
    part = ", of which a walk sees only a part" if against else ""
    return f"{who}: over all deals {compared} {here}{part}; {does}."


def _drifted(game: WatchedGame, before: Found, solution: Solution) -> str:
    """What many iterations have moved: the average or, where that has settled, the strategy that swings around it."""
    label, old, new = _largest_change(game, before.average, solution.strategy)
    here = f"{solution.iterations:,}"
    if abs(new - old) >= HARDLY:
        return (
            f"At iteration {here} {_who(game, label)} {_does(game, label)} {_percent(new)} of the time on average, "
            f"{'up' if new > old else 'down'} from {_percent(old)} at iteration {before.iteration:,}. "
            "Nothing else in the average moved more."
        )
    label, old, new = _largest_change(game, before.current, solution.current)
    if abs(new - old) < HARDLY:
        return _nothing_moves(game, before, solution)
    return (
        f"The strategy still swings: {_who(game, label)} {_does(game, label)} {_percent(old)} of the time after "
        f"iteration {before.iteration:,} and {_percent(new)} after {here}. Its average has settled at "
        f"{_percent(solution.strategy[label][_second(game, label)])}."
    )


def _nothing_moves(game: WatchedGame, before: Found, solution: Solution) -> str:
    unit, here = Unit.of(game.rules), f"{solution.iterations:,}"
    wins = f"{_short(solution.exploitability / unit.chips)} {unit.name}"
    if solution.exploitability < ROUNDING:
        wins = "nothing, but for rounding: it is an equilibrium"
    return (
        f"Hardly anything moves: between iterations {before.iteration:,} and {here} no action's probability changed by "
        f"a percentage point. Against the average of iteration {here} a perfect opponent wins {wins}."
    )


def _largest_change(game: WatchedGame, before: Strategy, after: Strategy) -> tuple[str, float, float]:
    """Where the probability to bet or to call has changed the most: the label, what it was and what it is."""
    shares = [(label, before[label][action], after[label][action]) for label, action in _seconds(game)]
    return max(shares, key=lambda each: abs(each[2] - each[1]))


def gain_at(game: WatchedGame, label: str, played: Strategy, solution: Solution, age: int) -> float | None:
    """By how many chips a hand the second action was worth more than the first in the latest iteration of a run.

    It is against what the other player played in it, and before it ``played`` was played. None where play never comes.
    ``age`` is how many iterations there are since the run began, or began anew.
    """
    player = game.form.owner(label)
    assert player is not None
    strategies = in_force(SCHEDULES[solution.recipe.schedule], age, player, played, solution.current)
    seen = [each for each in decisions_of_pass(game.rules, strategies) if each.label == label]
    reach = float(sum(each.opponent_reach for each in seen))
    if not reach:
        return None
    check, bet = (float(sum(each.opponent_reach * each.action_values[a] for each in seen)) / reach for a in (0, 1))
    return bet - check


def _actions(game: WatchedGame, label: str) -> tuple[str, ...]:
    player = game.form.owner(label)
    assert player is not None
    treeplex = game.form.treeplexes[player]
    return treeplex.actions[treeplex.index[label]]


def _second(game: WatchedGame, label: str) -> str:
    """The action that puts chips in: a bet or a call."""
    return _actions(game, label)[1]


def _seconds(game: WatchedGame) -> list[tuple[str, str]]:
    return [(label, _second(game, label)) for label in game.labels]


def _does(game: WatchedGame, label: str) -> str:
    action = _second(game, label)
    return DOES.get(action, action)


def _who(game: WatchedGame, label: str, capital: bool = False) -> str:
    """The player and the hand of an information set: 'player 2 with the Queen, facing a bet,'."""
    card, _, faced = game.rules.meaning(label).partition(", ")
    where = f", {faced}," if faced and faced != "first to act" else ""
    player = game.form.owner(label)
    assert player is not None
    return f"{'P' if capital else 'p'}layer {player + 1} with the {_CARDS.get(card, card)}{where}"


def _tells_kuhn(game: WatchedGame) -> bool:
    return isinstance(game.rules, Kuhn) and game.rules.cards == 3


def _percent(share: float) -> str:
    """A probability in words: 27 %, 0.4 %.

    >>> _percent(0.274), _percent(0.004), _percent(1.0)
    ('27 %', '0.4 %', '100 %')
    """
    points = 100 * share
    return f"{points:.0f} %" if points >= 1 or points == 0 else f"{points:.1g} %"


def _short(number: float) -> str:
    """Two digits that matter; very little is only said to be that.

    >>> _short(0.1333), _short(12.7), _short(0), _short(7e-5)
    ('0.13', '13', '0', 'less than 0.0001')
    """
    if number >= 10 or number == 0:
        return f"{number:.0f}"
    return f"{number:.2g}" if number >= 1e-4 else "less than 0.0001"


def _fraction(exact: object) -> str:
    """A probability of an equilibrium as people say it."""
    return {"1/3": "a third", "1/2": "a half", "1/4": "a quarter", "2/3": "two thirds"}.get(str(exact), str(exact))
