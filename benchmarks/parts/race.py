"""One game: everybody gets it ready, computes the same, and is timed in turn; and two of our own rules side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median

from benchmarks.clock import Batch, Clock, Pace, Series, Task, interleave
from benchmarks.games import BenchGame
from benchmarks.parts.limits import load_of
from benchmarks.peers.ours import OurRun, Ours
from benchmarks.peers.protocol import FACTOR, Judge, Peer, Run
from benchmarks.results import OURS, Agreement, Findings, LeftOut, Measurement
from benchmarks.settings import Settings
from regretlab.forms import SequenceForm, compile
from regretlab.solving import Solver

READY, ITERATION, JUDGE, UNTIL = "getting ready", "iteration", "exploitability", "time until"
"""Quantities; the algorithm, or the exploitability, stands behind the name."""

MOST_ITERATIONS = 20_000
"""A game that is not solved to the wanted exploitability by then is not raced to it."""

SLOWEST = 0.1
"""A peer of which one iteration takes this share of the time that all rounds may take is left out."""

Say = Callable[[str], object]


class Race:
    """The race on one game; what it finds goes into ``findings`` at once."""

    def __init__(
        self, game: BenchGame, peers: Sequence[Peer], clock: Clock, settings: Settings, findings: Findings, say: Say
    ) -> None:
        self.game = game
        self.peers: dict[str, Peer] = {peer.title: peer for peer in (Ours(), *peers)}
        self.clock = clock
        self.settings = settings
        self.findings = findings
        self.say = say

    def run(self) -> None:
        """CFR+ in all its aspects, then an iteration of CFR."""
        runs = self.get_ready("cfr+")
        self.agree("cfr+", runs)
        self.iterate("cfr+", runs)
        self.judge(runs)
        self.reach(runs)
        runs = self.start_again("cfr")
        self.agree("cfr", runs)
        self.iterate("cfr", runs)

    def run_sampled(self, algorithm: str) -> None:
        """An iteration of an algorithm that draws at random."""
        runs = self.start_again(algorithm)
        self.agree_in_distribution(algorithm, runs)
        self.iterate(algorithm, runs)

    def get_ready(self, algorithm: str) -> dict[str, Run]:
        """Time how long everybody takes from the rules to a solver; the solvers are used further."""
        runs: dict[str, Run] = {}

        def start(title: str, peer: Peer) -> Task:
            def work(count: int) -> None:
                for _ in range(count):
                    self.say(f"{self.game.name}: {title} gets ready")
                    runs[title] = peer.start(self.game, algorithm)

            return Task(title, work, waits=True)  # LiteEFG writes a file

        self.measure(READY, [start(title, peer) for title, peer in self.peers.items()])
        ours = runs[OURS]
        if isinstance(ours, OurRun):
            self.findings.loads.append(load_of(self.game.name, ours.form, ours.solver))
        return runs

    def start_again(self, algorithm: str) -> dict[str, Run]:
        """Solvers for another algorithm, of those who have it and are ready soon enough."""
        ready = self.findings.find(self.game.name, READY)
        runs = {}
        for title, peer in self.peers.items():
            if algorithm not in peer.algorithms:
                continue
            series = ready.get(title) if ready else None
            if title != OURS and series is not None and series.median > self.settings.pace.longest:
                self.leave_out(title, f"{algorithm} is not measured: getting ready takes {series.median:.3g} s")
            else:
                self.say(f"{self.game.name}: {title} gets ready for {algorithm}")
                runs[title] = peer.start(self.game, algorithm)
        return runs

    def agree(self, algorithm: str, runs: dict[str, Run]) -> None:
        """Compare exploitabilities after the same iterations; who is too slow or disagrees leaves the race."""
        for title in [title for title in runs if title != OURS]:
            self.say(f"{self.game.name}: does {title} compute the same by {algorithm}?")
            count = self.trial(title, runs[title])
            found = self.compare(algorithm, title, runs, count) if count else None
            if found is not None:
                self.findings.agreements.append(found)
            if found is None or not found.agrees:
                del runs[title], self.peers[title]

    def trial(self, title: str, run: Run) -> int:
        """Iterate as often as there is time for; 0 if a single iteration takes too long.

        The first iteration of all may compile, and says nothing.
        """
        run.iterate(1)
        start = time.perf_counter()
        run.iterate(1)
        one = time.perf_counter() - start
        if one > SLOWEST * self.settings.pace.longest:
            self.leave_out(title, f"one iteration takes {one:.3g} s")
            return 0
        most = self.settings.agree_after
        if self.peers[title].package and self.game.alike_for is not None:  # what is our own takes ties as ties
            most = min(most, self.game.alike_for)
        rest = min(most - 2, max(1, int(self.settings.pace.longest / 2 / one)))
        if rest:
            run.iterate(rest)
        return 2 + rest

    def compare(self, algorithm: str, title: str, runs: dict[str, Run], count: int) -> Agreement:
        """Both exploitabilities after ``count`` iterations, which the peer has done already."""
        ours, peer = runs[OURS], self.peers[title]
        ours.restart()
        ours.iterate(count)
        return Agreement(
            game=self.game.name,
            algorithm=algorithm,
            peer=title,
            iterations=count,
            ours=ours.exploitability(),
            theirs=runs[title].exploitability(),
            tolerance=peer.tolerance,
            convention=peer.convention,
        )

    def agree_in_distribution(self, algorithm: str, runs: dict[str, Run]) -> None:
        """Compare medians over seeds after the same iterations; who disagrees leaves the race."""
        count, seeds = self.settings.sampled_iterations[algorithm], self.settings.seeds[self.game.name]
        medians = {title: self.median_exploitability(title, run, count, seeds) for title, run in runs.items()}
        for title in [title for title in runs if title != OURS]:
            found = Agreement(
                game=self.game.name,
                algorithm=algorithm,
                peer=title,
                iterations=count,
                ours=medians[OURS],
                theirs=medians[title],
                tolerance=1 - 1 / FACTOR,
                convention=self.peers[title].convention,
                seeds=seeds,
            )
            self.findings.agreements.append(found)
            if not found.agrees:
                del runs[title]

    def median_exploitability(self, title: str, run: Run, count: int, seeds: int) -> float:
        """The median over seeds of the exploitability after ``count`` iterations."""
        self.say(f"{self.game.name}: {title} draws by {seeds} seeds")
        found = []
        for seed in range(1, seeds + 1):
            run.restart(seed)
            run.iterate(count)
            found.append(run.exploitability())
        return median(found)

    def iterate(self, algorithm: str, runs: dict[str, Run]) -> None:
        """Time one iteration; everybody goes on from where the comparison has ended."""
        self.measure(f"{ITERATION}, {algorithm}", [Task(title, run.iterate) for title, run in runs.items()])

    def judge(self, runs: dict[str, Run]) -> None:
        """Time one exploitability of a strategy that is there already, by everybody's own judge."""
        judges = {name: judge for run in runs.values() for name, judge in run.judges().items()}
        self.measure(JUDGE, [Task(name, _repeated(judge)) for name, judge in judges.items()])

    def reach(self, runs: dict[str, Run]) -> None:
        """Time solving until the exploitability is small, judged at the checkpoints of ``solve``.

        The iterations are those that regretlab needs: everybody computes the same. Peers without a judge of their own
        are not charged for judging.
        """
        ours = runs[OURS]
        assert isinstance(ours, OurRun)
        ours.restart()
        solution = ours.solver.run(MOST_ITERATIONS, until=self.settings.until)
        if solution.stopped != "until":
            self.leave_out(
                UNTIL, f"exploitability {self.settings.until:g} takes more than {MOST_ITERATIONS} iterations"
            )
            return
        stops = [point.iteration for point in solution.history]
        guesses = {title: self.guess(title, stops) for title in runs}
        tasks = [_reaching(title, run, stops) for title, run in runs.items() if guesses[title] < self._longest]
        computed = [_computed(title, guess) for title, guess in guesses.items() if guess >= self._longest]
        self.measure(f"{UNTIL} {self.settings.until:g}", tasks, computed, note=f"{stops[-1]:,} iterations")

    @property
    def _longest(self) -> float:
        """A single solution that takes longer is computed from its parts: all rounds would take many times as long."""
        return self.settings.pace.longest / 3

    def guess(self, title: str, stops: Sequence[int]) -> float:
        """How long solving should take, from one iteration and one exploitability."""
        iteration = self.findings.find(self.game.name, f"{ITERATION}, cfr+")
        judge = self.findings.find(self.game.name, JUDGE)
        one, judged = (found.get(title) if found else None for found in (iteration, judge))
        assert one is not None
        return stops[-1] * one.median + (len(stops) * judged.median if judged else 0.0)

    def measure(self, quantity: str, tasks: Sequence[Task], known: Sequence[Series] = (), note: str = "") -> None:
        """Time the tasks in turn, and keep what comes out."""
        self.say(f"{self.game.name}: {quantity}")
        series = interleave(self.clock, tasks, self.settings.pace)
        self.findings.measurements.append(Measurement(self.game.name, quantity, (*series, *known), note))

    def leave_out(self, what: str, why: str) -> None:
        """Say that something is not measured."""
        self.findings.left_out.append(LeftOut(f"{self.game.name}, {what}", why))


def _repeated(judge: Judge) -> Callable[[int], None]:
    def work(count: int) -> None:
        for _ in range(count):
            judge()

    return work


def _reaching(title: str, run: Run, stops: Sequence[int]) -> Task:
    """Iterate to each stop and judge there, beginning anew before each batch."""
    has_judge = bool(run.judges())

    def work(_: int) -> None:
        done = 0
        for stop in stops:
            run.iterate(stop - done)
            done = stop
            if has_judge:
                run.exploitability()

    return Task(title, work, prepare=run.restart)


def _computed(title: str, seconds: float) -> Series:
    return Series(
        title, (Batch(seconds, 1, calibration=0.0),), note="computed from one iteration and one exploitability"
    )


RULES = "iteration, by rule"
NORMALHEDGE, MATCHING = "NormalHedge", "regret matching"

WARM_UP = 200
"""Iterations before the first timed one: at the beginning few regrets are positive, and little has to be solved."""


def measure_rules(clock: Clock, pace: Pace, game: BenchGame) -> Measurement:
    """An iteration of both, simultaneous, with a uniform average."""
    form = compile(game.rules(), tree=False)
    tasks = [_task(form, NORMALHEDGE, "normalhedge"), _task(form, MATCHING, "cfr")]
    return Measurement(game.name, RULES, interleave(clock, tasks, pace))


def _task(form: SequenceForm, name: str, recipe: str) -> Task:
    solver = Solver(form, recipe, cores=1)
    solver.advance(WARM_UP)
    return Task(name, solver.advance)
