"""Any small game as it is drawn: its public tree with a row of hands at each node, or two points in a triangle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, TypedDict, cast

from regretlab.documents.numbers import Unit, plain
from regretlab.errors import UserError, unknown
from regretlab.evaluation import nash
from regretlab.forms import SequenceForm, compile
from regretlab.games import CHANCE, TERMINAL, Game, load
from regretlab.games.matrix import MatrixGame, read_rows
from regretlab.games.protocol import HasBlocks
from regretlab.games.walk import walk
from regretlab.solving import Recipe, Solution
from regretlab.solving.schedule import SCHEDULES, passes
from regretlab.watch.frames import EncodedFrame, Losses, Moment, Walk, by_label, finite_json
from regretlab.watch.offers import OWN, WATCHED
from regretlab.watch.public_histories import PublicHistories, PublicReach, public_histories
from regretlab.watch.watched_game import WatchedGame
from regretlab.watch.watched_run import WatchedRun

MOST_HISTORIES = 20_000
"""A larger game has no page: thousands of public histories are no picture, and the arithmetic would take seconds."""

MOST_INFOSETS = 2_000
"""A frame holds the numbers of all information sets, and there are several frames a second."""


class RockTwice(MatrixGame):
    """Rock-paper-scissors in which a win with rock counts twice."""

    name = "rock counts twice"
    table = read_rows("0 -1 2; 1 0 -1; -2 1 0")
    choices = (("rock", "paper", "scissors"),) * 2


MADE: Mapping[str, str | type[MatrixGame]] = {
    "leduc": "leduc(merge_suits=true)",
    "rps": RockTwice,
    "kuhn-5": "kuhn(cards=5)",
    "liars-dice": "liars_dice(sides=3)",
}
"""The games of ``offers.WATCHED``."""

UNITS = {
    "mbb/g": "mbb/g: thousandths of the ante a game.",
    "milli-chips": "Thousandths of a chip a game.",
}
EXPLOITED = "So much a perfect opponent, who takes either seat equally often, wins more than the strategy should lose."


class AnyNumbers(TypedDict):
    """All that a frame shows except its history."""

    playing: bool
    speed: float
    iteration: int
    exploitability: Losses
    mbb: Losses
    value: float
    regrets: dict[str, list[float]]
    current: dict[str, list[float]]
    average: dict[str, list[float]]
    shares: list[float | None]  # how often each node of the public tree follows the one before it, played as now
    sentence: str
    milestones: list[str]  # of this very iteration, if the charts have a point there


@dataclass(frozen=True, eq=False)
class AnyGame:
    """A compiled game, and all that people see of it."""

    title: str
    rules: Game
    form: SequenceForm
    public: PublicHistories

    @property
    def labels(self) -> tuple[str, ...]:
        """All information sets."""
        return tuple(self.form.labels)

    @cached_property
    def is_one_shot(self) -> bool:
        """Whether each player decides once, and knows nothing then."""
        return all(treeplex.infosets == 1 for treeplex in self.form.treeplexes)

    @cached_property
    def key(self) -> tuple[tuple[str, str, str], ...]:
        """The probabilities that charts keep: all of a one-shot game, for the way that its average takes."""
        if not self.is_one_shot:
            return ()
        told = [(each.labels[0], action, action) for each in self.form.treeplexes for action in each.actions[0]]
        return tuple(told)

    @cached_property
    def reach(self) -> PublicReach:
        """How often play comes by each public history."""
        return PublicReach(self.form, self.public)

    def described(self) -> dict[str, Any]:
        """All that is drawn once per run, for JSON."""
        unit = Unit.of(self.rules)
        return {
            "name": self.title,
            "players": ["Player 1", "Player 2"],
            "nodes": [self._node(number) for number in range(self.public.nodes)],
            "infosets": [self._infoset(label) for label in self.labels],
            "one_shot": self.is_one_shot,
            "nash": self._an_equilibrium(),
            "key": [{"label": label, "action": action, "words": words} for label, action, words in self.key],
            "unit": plain(unit) | {"help": f"{UNITS.get(unit.name, unit.words)} {EXPLOITED}"},
        }

    def _an_equilibrium(self) -> dict[str, list[float]]:
        """Of a one-shot game, where a linear programme takes a moment; of others none."""
        if not self.is_one_shot or not self.form.zero_sum:
            return {}
        strategy = nash(self.rules).strategy
        return {label: list(strategy[label].values()) for label in self.labels}

    def _infoset(self, label: str) -> dict[str, Any]:
        player = self.form.owner(label)
        assert player is not None
        treeplex = self.form.treeplexes[player]
        words = self.rules.meaning(label) if hasattr(self.rules, "meaning") else ""
        return {
            "label": label,
            "player": player,
            "words": words,
            "actions": list(treeplex.actions[treeplex.index[label]]),
        }

    def _node(self, number: int) -> dict[str, Any]:
        """A public history: what led there, who is next, and which hands there may be."""
        public = self.public
        player, parent, actions = public.player[number], public.parent[number], public.actions[number]
        kind = {CHANCE: "chance", TERMINAL: "end"}.get(player, "player")
        labels = [self.form.treeplexes[player].labels[i] for i in public.infosets[number]] if player >= 0 else []
        order = getattr(self.rules, "order", self.labels.index)
        return {
            "parent": None if parent < 0 else parent,
            "kind": kind,
            "player": player if player >= 0 else None,
            "action": self._led_here(parent, actions),
            "infosets": sorted(labels, key=order),
        }

    def _led_here(self, parent: int, actions: tuple[str, ...]) -> str:
        """What led to a node, in a few words: where it is not seen by all, only that something has happened."""
        if parent < 0 or len(actions) == 1:
            return actions[0]
        return "dealt" if self.public.player[parent] == CHANCE else "unseen"


def any_game(name: str, own: str | None) -> AnyGame:
    """The game behind an address; ``own`` is the one that the command line named, and nothing else is ever loaded."""
    if name == OWN and own is not None:
        return _watched(own)
    if name not in WATCHED:
        raise unknown("game", name, ["kuhn", *WATCHED, *([OWN] if own is not None else [])])
    return _watched(name)


@lru_cache(maxsize=16)
def _watched(name: str) -> AnyGame:
    made = MADE.get(name, name)
    rules = load(made) if isinstance(made, str) else cast(Game, made())
    check_size(rules)
    form = replace(compile(rules), loaded_from=None)
    if form.infosets > MOST_INFOSETS:
        raise UserError(
            f"{rules.name} has {form.infosets:,} information sets, and a page has room for {MOST_INFOSETS:,}; "
            "regretlab solve takes it"
        )
    return AnyGame(WATCHED.get(name, rules.name), rules, form, public_histories(form))


def check_size(rules: Game) -> None:
    """Raise UserError where a game is too large for a page."""
    if isinstance(rules, HasBlocks):
        raise UserError(f"{rules.name} is too large for a page; regretlab solve takes it, and regretlab show reads it")
    if len(list(islice(walk(rules), MOST_HISTORIES + 1))) > MOST_HISTORIES:
        raise UserError(
            f"{rules.name} has more than {MOST_HISTORIES:,} histories, too many for a page; regretlab solve takes it, "
            "or choose a smaller game, such as leduc"
        )


class AnyRun(WatchedRun):
    """One recipe on any small game, at some iteration."""

    game: AnyGame  # type: ignore[assignment]  # what draws Kuhn poker only is overridden here

    def __init__(self, game: AnyGame, recipe: Recipe, seed: int) -> None:
        super().__init__(cast(WatchedGame, game), recipe, seed)

    def frame(self, target: int, seconds: float, goal: int, speed: float) -> EncodedFrame:
        """Go to an iteration, or as near to it as there is time; the frame says whether ``goal`` is still ahead."""
        moment = self.go(target, seconds)
        numbers = any_numbers(self.game, moment, playing=self.iteration < goal, speed=speed)
        return EncodedFrame(self.iteration, finite_json(numbers)[:-1], self.points, moment.points)

    def _key(self, solution: Solution) -> Iterable[float]:
        """The average first, and then what is played now, which wanders."""
        return (
            each[label][action] for each in (solution.strategy, solution.current) for label, action, _ in self.game.key
        )

    def _walks(self, solution: Solution) -> tuple[Walk, ...]:
        """None: there are too many ways through a larger game to draw one."""
        return ()

    def _look_for(self, solution: Solution) -> tuple[str, ...]:
        """The milestones that all games have; sentences about what has moved are told of Kuhn poker only."""
        return self._reached.at(solution)


def any_numbers(game: AnyGame, moment: Moment, playing: bool, speed: float) -> AnyNumbers:
    """The numbers of a run at one moment."""
    solution, chips = moment.solution, Unit.of(game.rules).chips
    average, current = solution.exploitability + 0.0, solution.current_exploitability + 0.0  # −0.0 is 0
    mine, theirs = solution.current.arrays
    shares = game.reach.shares((mine, theirs))
    return {
        "playing": playing,
        "speed": speed,
        "iteration": solution.iterations,
        "exploitability": {"average": average, "current": current},
        "mbb": {"average": average / chips, "current": current / chips},
        "value": solution.value + 0.0,
        "regrets": by_label(game.form, solution.regrets),
        "current": by_label(game.form, solution.current),
        "average": by_label(game.form, solution.strategy),
        "shares": [None if share is None else round(share, 4) for share in shares],
        "milestones": list(moment.milestones),
        "sentence": said(solution.recipe, solution.iterations, game.is_one_shot),
    }


def said(recipe: Recipe, iteration: int, one_shot: bool) -> str:
    """Who has learned from what in the iteration that has just ended; in a one-shot game nothing is dealt."""
    if iteration == 0:
        return "Nothing has been learned yet: every action is a coin flip."
    kind, turns = recipe.feedback_kind, passes(SCHEDULES[recipe.schedule], iteration)
    if kind.draws_actions:
        seen = " from one walk, drawn at random"
    else:
        seen = "" if one_shot else " from one deal" if kind.samples else " from all deals"
    if len(turns[0]) == 2:
        return f"Iteration {iteration:,}: both players learned{seen}, each against the other’s old strategy."
    if len(turns) == 2:
        return f"Iteration {iteration:,}: player 1 learned{seen}, then player 2 against player 1’s new strategy."
    ((player,),) = turns
    return f"Iteration {iteration:,}: player {player + 1} learned{seen}; player {2 - player} takes the next turn."
