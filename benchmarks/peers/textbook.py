"""The textbook in ``reference``: plain recursion in Python, what a newcomer would write."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.games import BenchGame
from benchmarks.peers.protocol import EXACTLY, FULL, Judge
from regretlab.evaluation import evaluate
from regretlab.games import Game
from regretlab.reference import CFRPlusTrainer, CFRTrainer, Trainer


@dataclass(frozen=True)
class Textbook:
    """All deals in every iteration, alternating."""

    key: str = "textbook"
    title: str = "textbook"
    convention: str = ""
    tolerance: float = EXACTLY
    algorithms: tuple[str, ...] = FULL
    needs: tuple[str, ...] = ()
    package: str = ""

    def start(self, game: BenchGame, algorithm: str) -> TextbookRun:
        """Walk the game for its information sets; the recursion walks it again in every pass."""
        return TextbookRun(game.rules(), algorithm)


class TextbookRun:
    """A trainer of ``reference``."""

    def __init__(self, rules: Game, algorithm: str) -> None:
        self._rules = rules
        self._algorithm = algorithm
        self.restart()

    def restart(self, seed: int = 0) -> None:
        """A new trainer."""
        self._trainer: Trainer = (
            CFRPlusTrainer(self._rules, schedule="alternating", averaging="linear", deals="all")
            if self._algorithm == "cfr+"
            else CFRTrainer(self._rules, schedule="alternating", averaging="uniform", deals="all")
        )

    def iterate(self, count: int) -> None:
        """Plain recursion."""
        self._trainer.train(count)

    def exploitability(self) -> float:
        """By regretlab: the textbook has no judge."""
        profile = {
            label: {action: float(probability) for action, probability in actions.items()}
            for label, actions in self._trainer.get_strategy_profile().items()
        }
        return evaluate(self._rules, profile).exploitability

    def judges(self) -> dict[str, Judge]:
        """None of its own."""
        return {}
