"""The recursion that all four algorithms share: any game, any kind of information set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias, TypedDict

from regretlab.errors import UserError, unknown
from regretlab.games import CHANCE, TERMINAL, Game, Kuhn, Number
from regretlab.games.protocol import payoffs_at
from regretlab.games.walk import walk
from regretlab.reference.dealer import Dealer, Deals, History
from regretlab.reference.decisions import Decision
from regretlab.reference.information_set import InformationSet
from regretlab.spec import number, positive, whole

Players: TypeAlias = tuple[int, ...]
Values: TypeAlias = tuple[Number, Number]
"""What each player can expect; in a zero-sum game one is the other's with another sign."""

SCHEDULES: dict[str, Callable[[int], tuple[Players, ...]]] = {
    "simultaneous": lambda t: ((0, 1),),
    "alternating": lambda t: ((0,), (1,)),
    "one-player": lambda t: (((t - 1) % 2,),),
}
"""For iteration t its passes, each with the players that it updates."""

TIES = Fraction(1, 10**12)
"""The usual tolerance: far above the rounding errors of thousands of iterations, far below any regret that matters."""

AVERAGINGS = {"uniform": Fraction(0), "linear": Fraction(1)}
"""The exponents γ in the weight (t − delay)^γ that have a name."""


class Options(TypedDict, total=False):
    """What every trainer can be told, by keyword."""

    schedule: str
    """``simultaneous``: one pass updates both players. ``alternating``: two passes, and player 1's sees player 0's new
    strategy. ``one-player``: one pass, for player 0 in odd iterations and for player 1 in even ones."""
    averaging: str | Number | Callable[[int], Number]
    """``uniform``, ``linear``, or γ: iteration t has weight max(t − delay, 0)^γ, and 0 up to the delay. A function
    gives the weight of t − delay."""
    delay: int
    """How many iterations the average leaves out at the start."""
    deals: Deals
    """None: one drawn at random in each iteration. A list such as ``["JQ", "QK"]``: one for each iteration. ``"all"``:
    all of them in every iteration, weighted with their probability."""
    seed: int | None
    """For the random deals."""
    exact: bool
    """Fractions in place of floats. Where a rule is not rational, its strategy is rounded once, and sums to 1."""
    ties: Number
    """How near to 0, relative to the largest payoff, a regret counts as 0 in floats; with 0 rounding decides."""
    observer: Callable[[Decision], object] | None
    """Called with every decision of every pass."""


@dataclass(frozen=True)
class GameConfig:
    """What both players put in before the deal, and what a bet adds.

    >>> GameConfig(ante=1, bet_size=2).game.name
    'kuhn(bet=2)'
    """

    ante: Fraction | int | float | str = 1
    bet_size: Fraction | int | float | str = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "ante", positive("ante", self.ante))
        object.__setattr__(self, "bet_size", positive("bet_size", self.bet_size))

    @property
    def game(self) -> Kuhn:
        """The rules: three cards J, Q, K, one each; the higher one wins a showdown (Kuhn, 1950)."""
        return Kuhn(ante=positive("ante", self.ante), bet=positive("bet_size", self.bet_size))


class Trainer:
    """Counterfactual regret minimisation by plain recursion over histories.

    Zinkevich, Johanson, Bowling and Piccione (2007), "Regret Minimization in Games with Incomplete Information", NIPS.

    ``infosets`` holds every information set of the game by its label, ``iteration`` counts from 1.
    """

    def __init__(
        self,
        game: Game | GameConfig,
        infoset_class: Callable[[int, type[float] | type[Fraction]], InformationSet],
        *,
        schedule: str = "simultaneous",
        averaging: str | Number | Callable[[int], Number] = "uniform",
        delay: int = 0,
        deals: Deals = None,
        seed: int | None = None,
        exact: bool = False,
        ties: Number = TIES,
        observer: Callable[[Decision], object] | None = None,
    ) -> None:
        if schedule not in SCHEDULES:
            raise unknown("schedule", schedule, SCHEDULES)
        self.game: Game = game.game if isinstance(game, GameConfig) else game
        self.schedule = SCHEDULES[schedule]
        exponent = Fraction(0) if callable(averaging) else _exponent(averaging)
        self.age_weight: Callable[[int], Number] = averaging if callable(averaging) else lambda age: age**exponent
        self.delay = whole("delay", delay, least=0)
        self.observer = observer
        self.number: type[float] | type[Fraction] = Fraction if exact else float
        self.iteration = 0
        self.since = 0  # the iteration after which the run last began anew
        walked = list(walk(self.game))
        visits = [at for at in walked if at.infoset is not None]
        self.actions = {at.infoset.label: at.infoset.actions for at in visits if at.infoset is not None}
        self.owners = {at.infoset.label: at.player for at in visits if at.infoset is not None}
        self.infosets = {label: infoset_class(len(names), self.number) for label, names in self.actions.items()}
        size = max(abs(float(won)) for at in walked if at.player == TERMINAL for won in (at.payoff, at.theirs))
        for infoset in self.infosets.values():
            infoset.ties = 0 if exact else float(ties) * size
        self.dealer = Dealer(self.game, deals, seed)

    def train(self, num_iterations: int) -> list[Number]:
        """Run so many further iterations.

        Returns player 0's value in each: of the deal that was walked, under the strategies with which the iteration
        began.
        """
        count = whole("num_iterations", num_iterations, least=1)
        self.dealer.check(self.iteration + count)
        return [self.iterate() for _ in range(count)]

    def iterate(self) -> Number:
        """One iteration: the passes that the schedule asks for. Returns the first one's value."""
        self.iteration += 1
        values = [_Pass(self, updating).run() for updating in self.schedule(self.iteration - self.since)]
        return values[0]

    def weight(self) -> Number:
        """How much the current iteration counts in the average."""
        age = self.iteration - self.since - self.delay
        return self.age_weight(age) if age > 0 else 0

    def restart(self) -> None:
        """Begin anew from the average, with regrets as large as they were; iterations count from 1 again.

        What the average has counted is divided by the sum of its weights, as if it had been played once.
        """
        for player in (0, 1):
            mine = [infoset for label, infoset in self.infosets.items() if self.owners[label] == player]
            # At information sets that no own action leads to, S sums to the weights; elsewhere to less.
            count = max((sum(infoset.strategy_sum) for infoset in mine), default=self.number(1))
            for infoset in mine:
                infoset.restart(count)
        self.since = self.iteration

    def get_strategy_profile(self) -> dict[str, dict[str, Number]]:
        """The average strategy by label and action, uniform where it never comes."""
        return {
            label: dict(zip(self.actions[label], infoset.get_average_strategy(), strict=True))
            for label, infoset in self.infosets.items()
        }


def _exponent(averaging: str | Number) -> Fraction:
    """γ in the weight (t − delay)^γ, from its name or as it is."""
    if isinstance(averaging, str):
        if averaging not in AVERAGINGS:
            raise unknown("averaging", averaging, AVERAGINGS)
        return AVERAGINGS[averaging]
    exponent = number("averaging", averaging)
    if exponent < 0:
        raise UserError(f"averaging={averaging} must be at least 0")
    return exponent


@dataclass
class _Visited:
    """What one pass gathers at one information set, over all histories in it."""

    player: int
    strategy: list[Number]
    own_reach: Number  # the same at every history of the information set: the player remembers what it did
    regrets: list[Number]


class _Pass:
    """One walk over the histories, all with the same strategies; what it learns is applied when it is over."""

    def __init__(self, trainer: Trainer, updating: Players) -> None:
        self.trainer = trainer
        self.game = trainer.game
        self.number = trainer.number
        self.updating = updating
        self.visited: dict[str, _Visited] = {}
        self.decisions: list[Decision] = []

    def run(self) -> Number:
        """Walk, then update, then report. Returns player 0's value."""
        one = self.number(1)
        value, _ = self.values(self.game.root(), (), (one, one), one)
        for label, infoset in self.trainer.infosets.items():
            if self.trainer.owners[label] in self.updating:
                infoset.fade(self.trainer.iteration)
        for label, visited in self.visited.items():
            if visited.player in self.updating:
                self.update(self.trainer.infosets[label], visited)
        for decision in self.decisions:
            self.report(decision)
        return value

    def values(self, state: Any, history: History, reach: tuple[Number, Number], chance_reach: Number) -> Values:
        """Both players' expected payoffs from here on.

        ``reach`` is the probability with which each player's own choices lead here, ``chance_reach`` that of chance.
        """
        player = self.game.player(state)
        if player == TERMINAL:
            mine, theirs = payoffs_at(self.game, state)
            return self.number(mine), self.number(theirs)
        if player == CHANCE:
            return self.chance_values(state, history, reach, chance_reach)
        return self.decision_values(player, state, history, reach, chance_reach)

    def chance_values(self, state: Any, history: History, reach: tuple[Number, Number], chance_reach: Number) -> Values:
        """The means over the outcomes that are walked."""
        names = self.game.actions(state)
        probabilities: list[Number] = []
        outcomes: list[Values] = []
        for outcome, weight in self.trainer.dealer.outcomes(self.trainer.iteration, history, state):
            probabilities.append(self.number(weight))
            child = self.game.child(state, outcome)
            onward = chance_reach * probabilities[-1]
            outcomes.append(self.values(child, (*history, names[outcome]), reach, onward))
        return self.means(probabilities, outcomes)

    def means(self, probabilities: list[Number], values: list[Values]) -> Values:
        """What each player can expect before it is known what happens."""
        mine: Number = self.number(0)
        theirs: Number = self.number(0)
        for probability, (to_zero, to_one) in zip(probabilities, values, strict=True):
            mine += probability * to_zero
            theirs += probability * to_one
        return mine, theirs

    def decision_values(
        self, player: int, state: Any, history: History, reach: tuple[Number, Number], chance_reach: Number
    ) -> Values:
        """The means over the actions; on the way the regret of each for not having been played throughout.

        r(a) = π₋ᵢ (v(a) − v): weighted with the probability that everybody else leads here, as if player i had wanted
        to come.
        """
        label = self.game.label(state)
        here = self.visit(label, player, reach[player])
        after: list[Values] = []
        for action, name in enumerate(self.trainer.actions[label]):
            own = reach[player] * here.strategy[action]
            onward = (own, reach[1]) if player == 0 else (reach[0], own)
            child = self.game.child(state, action)
            after.append(self.values(child, (*history, name), onward, chance_reach))
        action_values = [both[player] for both in after]
        means = self.means(here.strategy, after)
        value = means[player]
        opponent_reach = reach[1 - player] * chance_reach
        increments: list[Number] = [opponent_reach * (v - value) for v in action_values]
        here.regrets = [regret + increment for regret, increment in zip(here.regrets, increments, strict=True)]
        if self.trainer.observer is not None:
            self.record(label, history, opponent_reach, chance_reach, action_values, value, increments)
        return means

    def visit(self, label: str, player: int, own_reach: Number) -> _Visited:
        """The information set's notes in this pass; its strategy is computed at the first visit."""
        if label not in self.visited:
            strategy = self.trainer.infosets[label].get_strategy()
            self.visited[label] = _Visited(player, strategy, own_reach, [self.number(0)] * len(strategy))
        return self.visited[label]

    def update(self, infoset: InformationSet, visited: _Visited) -> None:
        """Count the strategy that was played, then add the regrets: of all histories together, once per action.

        A rule that cuts off negative regrets must not do so deal by deal: what is lost against one hand is won
        against another, and only their sum says whether an action was good.
        """
        infoset.update_strategy_sum(visited.own_reach, self.trainer.weight())
        infoset.learn(visited.regrets, self.trainer.iteration)

    def record(
        self,
        label: str,
        history: History,
        opponent_reach: Number,
        chance_reach: Number,
        action_values: list[Number],
        value: Number,
        increments: list[Number],
    ) -> None:
        """Keep the decision for the observer; what the pass changes is filled in by ``report``."""
        here = self.visited[label]
        infoset = self.trainer.infosets[label]
        regrets, sums = tuple(infoset.regret_sum), tuple(infoset.strategy_sum)
        self.decisions.append(
            Decision(
                iteration=self.trainer.iteration,
                updating=self.updating,
                updated=here.player in self.updating,
                history=history,
                label=label,
                player=here.player,
                actions=self.trainer.actions[label],
                own_reach=here.own_reach,
                opponent_reach=opponent_reach,
                chance_reach=chance_reach,
                weight=self.trainer.weight(),
                strategy=tuple(here.strategy),
                action_values=tuple(action_values),
                value=value,
                regret_increments=tuple(increments),
                regrets_before=regrets,
                regrets_after=regrets,
                strategy_sum_before=sums,
                strategy_sum=sums,
                next_strategy=(),
                basis_before=infoset.basis(),
                basis_after=infoset.basis(),
            )
        )

    def report(self, decision: Decision) -> None:
        """Tell the observer, with what the pass has changed."""
        assert self.trainer.observer is not None
        infoset = self.trainer.infosets[decision.label]
        after = replace(
            decision,
            regrets_after=tuple(infoset.regret_sum),
            strategy_sum=tuple(infoset.strategy_sum),
            next_strategy=tuple(infoset.get_strategy()),
            basis_after=infoset.basis(),
        )
        self.trainer.observer(after)
