"""One iteration in steps: what a run does next, deal by deal, for those who want to look inside.

Each pass walks its deals. A walk goes down to the ends of the game, values come back up, and what every action was
worth more than what is played goes to the information sets as regret. When all walks of a pass are done, the regrets
are taken in, and new strategies follow. Values and regrets of a deal are those of the textbook or, where moves of
players are drawn, of the feedback that drew them; regrets and strategies afterwards are the engine's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from regretlab.explaining.arithmetic import decisions_of_pass
from regretlab.forms import Labelled, Strategy
from regretlab.games import TERMINAL, Number
from regretlab.solving import Solver
from regretlab.solving.schedule import SCHEDULES, in_force, passes
from regretlab.watch.frames import by_label
from regretlab.watch.watched_game import WatchedGame

Numbers: TypeAlias = Mapping[str, Sequence[float]]
"""A number for each action, by the labels of information sets."""


@dataclass(frozen=True)
class InnerStep:
    """One step inside an iteration."""

    phase: str  # down: the walk; up: values come back; learn: regrets are taken in; play: a new strategy follows
    place: str  # which pass and which deal, in words
    sentence: str
    deal: str  # that is drawn; the last one of the pass where a step is about all of them
    nodes: Sequence[str] = ()  # of the public tree, in the order in which the walk comes by
    values: Mapping[str, float] = field(default_factory=dict)  # what player 1 can expect at nodes
    regret: Numbers = field(default_factory=dict)  # what this deal adds to the regrets
    added: Numbers = field(default_factory=dict)  # what the deals of the pass have added so far
    regrets: Numbers | None = None  # None: as they were
    current: Numbers | None = None
    reach: Numbers | None = None  # as in a frame


@dataclass(frozen=True)
class Inside:
    """The steps that lead to an iteration."""

    iteration: int
    steps: tuple[InnerStep, ...]


@dataclass(frozen=True)
class SeenWalk:
    """What one walk of a pass saw."""

    deal: str
    nodes: list[str]
    values: dict[str, float]
    regret: dict[str, list[float]]
    walker: int | None = None  # whose walk it was, where moves of players are drawn


@dataclass(frozen=True, eq=False)
class OnePass:
    """One pass of the iteration that ``solver`` has just done."""

    game: WatchedGame
    solver: Solver
    learners: tuple[int, ...]
    played: tuple[Strategy, Strategy]  # what player 0, and what player 1, plays in it

    def walks(self) -> Iterator[SeenWalk]:
        """Every walk, in order."""
        kind, behaviours = self.solver.recipe.feedback_kind, (self.played[0].arrays[0], self.played[1].arrays[1])
        if not kind.samples:
            yield from self._whole_deals(None)
            return
        for player in self.learners if kind.draws_actions else self.learners[:1]:
            sight = self.solver.feedback.look(player, self.solver.iteration, behaviours)
            deal, met = self.game.tree.names[int(sight.histories[1])], set(sight.histories.tolist())
            if kind.draws_actions:
                earned = Labelled(self.game.form, (sight.values, sight.values))
                yield self._drawn_walk(player, [each for each in self._below(deal) if each in met], earned)
            else:
                yield from self._whole_deals(deal)

    def _whole_deals(self, only: str | None) -> Iterator[SeenWalk]:
        """Walks in which both players try everything: one deal, or all, weighted with their probability."""
        seen = decisions_of_pass(self.game.rules, self.played, only)
        for deal in self.game.deals if only is None else [only]:
            order = self._below(deal)
            values, regret = self._ends(order), {}
            for each in (each for each in seen if each.history[0] == deal):
                values["-".join(each.history[1:]) or "start"] = _to_player_1(float(each.value), each.player)
                if each.player in self.learners:
                    regret[each.label] = _plain(each.regret_increments)
            yield SeenWalk(deal, [self.game.places[history] for history in order], values, regret)

    def _drawn_walk(self, walker: int, order: Sequence[int], earned: Labelled) -> SeenWalk:
        """A walk with drawn moves; ``earned`` is what it brought the walker at each own action."""
        tree, places = self.game.tree, self.game.places
        values, regret = self._ends(order), {}
        for history in (each for each in reversed(order) if tree.player[each] != TERMINAL):
            if tree.player[history] == walker:
                label = self.game.form.treeplexes[walker].labels[int(tree.infoset[history])]
                brought, strategy = earned[label].values(), self.played[walker][label].values()
                mean = sum(probability * value for probability, value in zip(strategy, brought, strict=True))
                values[places[history]] = _to_player_1(mean, walker)
                regret[label] = _plain(value - mean for value in brought)
            else:
                after = range(int(tree.children[history]), int(tree.children[history + 1]))
                values[places[history]] = next(values[places[each]] for each in after if each in order)
        return SeenWalk(tree.names[order[0]], [places[each] for each in order], values, regret, walker)

    def _below(self, deal: str) -> list[int]:
        """The histories of a deal in the order of a walk, which goes down to an end before it tries another action."""
        tree, order = self.game.tree, []
        waiting = [1 + self.game.deals.index(deal)]
        while waiting:
            order.append(waiting.pop())
            waiting += reversed(range(int(tree.children[order[-1]]), int(tree.children[order[-1] + 1])))
        return order

    def _ends(self, histories: Iterable[int]) -> dict[str, float]:
        """What player 1 wins where the game ends."""
        tree, places = self.game.tree, self.game.places
        return {places[each]: float(tree.payoff[each]) for each in histories if tree.player[each] == TERMINAL}


def inside(game: WatchedGame, solver: Solver) -> Inside:
    """The steps of the iteration that ``solver`` does next; afterwards it has done it."""
    solver.restart_if_due()
    played, before = solver.current, by_label(game.form, solver.solution().regrets)
    solver.advance(1)
    learned, after = solver.current, by_label(game.form, solver.solution().regrets)
    schedule, age = SCHEDULES[solver.recipe.schedule], solver.iteration - solver.since
    steps, turns = list[InnerStep](), passes(schedule, age)
    regrets, (zero, one) = before, (played, played)
    for number, learners in enumerate(turns, start=1):
        one_pass = OnePass(game, solver, learners, in_force(schedule, age, learners[0], played, learned))
        place = f"Pass {number} of {len(turns)}" if len(turns) > 1 else ""
        steps += _walk_steps(one_pass, place)
        deal = steps[-1].deal
        regrets = {label: (after if game.form.owner(label) in learners else regrets)[label] for label in game.labels}
        steps.append(InnerStep("learn", place or "After all deals", _taken_in(one_pass), deal, regrets=regrets))
        zero, one = (learned if 0 in learners else zero), (learned if 1 in learners else one)
        now = Strategy(game.form, (zero.arrays[0], one.arrays[1]))
        follows = _follows(one_pass, last=number == len(turns))
        current, reach = by_label(game.form, now), game.reach(now)
        steps.append(InnerStep("play", place or "After all deals", follows, deal, current=current, reach=reach))
    return Inside(solver.iteration, tuple(steps))


def _walk_steps(one_pass: OnePass, place: str) -> Iterator[InnerStep]:
    """Down and up, for each walk of a pass."""
    walks, added = list(one_pass.walks()), dict[str, list[float]]()
    for number, walk in enumerate(walks, start=1):
        deal = f"deal {number} of {len(walks)}" if len(walks) > 1 else "" if place else "the drawn deal"
        where = f"{place}, {deal}" if place and deal else place or deal.capitalize()
        down = InnerStep("down", where, _goes_down(one_pass, walk), walk.deal, walk.nodes, added=dict(added))
        yield down
        for label, new in walk.regret.items():
            added[label] = [a + b for a, b in zip(added.get(label, [0.0] * len(new)), new, strict=True)]
        up = replace(down, phase="up", sentence=_comes_up(walk), values=walk.values)
        yield replace(up, regret=walk.regret, added=dict(added))


def _to_player_1(value: float, player: int) -> float:
    """A value of one player as what player 1 can expect; −0.0 is 0."""
    return (-value if player else value) + 0.0


def _plain(numbers: Iterable[Number]) -> list[float]:
    return [float(number) + 0.0 for number in numbers]  # −0.0 is 0


# ---- in words


def _who(one_pass: OnePass, alone: str, both: str) -> str:
    """The players who learn, and what they do."""
    return f"Both players {both}" if len(one_pass.learners) == 2 else f"Player {one_pass.learners[0] + 1} {alone}"


def _goes_down(one_pass: OnePass, walk: SeenWalk) -> str:
    kind, deal = one_pass.solver.recipe.feedback_kind, f"{walk.deal[0]} against {walk.deal[1]}"
    if walk.walker is not None:
        walker, other = walk.walker + 1, 2 - walk.walker
        return f"Player {walker} {kind.own_moves} on {deal}; player {other}'s moves are drawn."
    return f"{_who(one_pass, 'learns', 'learn')} from {deal}. The walk tries every action, down to every end."


def _comes_up(walk: SeenWalk) -> str:
    weighted = "" if walk.walker is not None else ", times the reach,"
    *others, last = sorted(walk.regret, key=lambda label: (len(label), label))
    cards = f"{', '.join(others)} and {last}" if others else last
    return f"Values come back up. What an action earns above the mean{weighted} is its regret, and goes to {cards}."


def _taken_in(one_pass: OnePass) -> str:
    recipe = one_pass.solver.recipe
    fades = recipe.alpha is not None or recipe.beta is not None
    first = (
        "Old regrets fade a little, and the new ones are added" if fades else "The regrets are added to the old ones"
    )
    floor = "; what would fall below 0 becomes 0" if recipe.accumulate == "truncate" else ""
    return f"The cards learn. {first}{floor}."


def _follows(one_pass: OnePass, last: bool) -> str:
    who = _who(one_pass, "plays", "play")
    then = "" if last else f" Now player {2 - one_pass.learners[0]} learns, against that."
    return f"{who} by the new regrets from now on: more often what is regretted more.{then}"
