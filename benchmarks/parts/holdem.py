"""Hold'em endgames: what an iteration takes, how far it gets, memory, a second core, start, and a whole flop."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from benchmarks import ROOT
from benchmarks.clock import Batch, Clock, Series, Task, interleave
from benchmarks.games import GAMES
from benchmarks.parts import cores, processes
from benchmarks.parts.race import ITERATION, Say
from benchmarks.parts.spot_runs import EVERY, RECIPE, reach
from benchmarks.peers import texassolver
from benchmarks.results import Findings, Flop, LeftOut, Look, Measurement, Promise, Solved
from benchmarks.settings import Settings
from benchmarks.spots import load_spot
from regretlab.forms import compile
from regretlab.solving import Solver

DICE = "liar's dice"
"""The yardstick: one iteration of CFR+ by histories, on one core."""

QUANTITY = f"{ITERATION}, {RECIPE}, by precision"
START = "from a spot to the first iteration"
SAMPLED = ("dcfr", "cfr+", "cfr+(feedback=chance)")
"""Two ways to walk all cards that may come, and one that draws them."""

WARM_UP = 10
"""Iterations before the first timed one."""


class Holdem:
    """The part about Hold'em; what it finds goes into ``findings`` at once."""

    def __init__(
        self, clock: Clock, settings: Settings, findings: Findings, all_cores: Sequence[int], say: Say
    ) -> None:
        self.clock = clock
        self.settings = settings
        self.spots = settings.holdem
        self.findings = findings
        self.found = findings.holdem
        self.cores = list(all_cores)
        self.say = say

    def run(self) -> None:
        """All but the flop."""
        self.iterate(self.spots.river, ("f64", "f32", "16bit"))
        self.iterate(self.spots.turn, ("f32", "16bit"))
        self.reach(self.spots.river, self.spots.river_target, "f64")
        self.reach(self.spots.turn, self.spots.turn_target, "f32")
        self.peer()
        self.sample()
        self.compare()
        self.start()
        self.memory()
        if self.spots.second_core:
            self.second_core()

    def iterate(self, name: str, precisions: Sequence[str]) -> None:
        """Time one iteration in each precision, in turn with the yardstick."""
        self.say(f"{name}: an iteration")
        dice = Solver(compile(GAMES["liars-dice-6"].rules(), tree=False), "cfr+", cores=1)
        form = load_spot(name).blocks()
        runs = {DICE: dice} | {each: Solver(form, RECIPE, cores=1, precision=each) for each in precisions}
        for run in runs.values():
            run.advance(WARM_UP)
        tasks = [Task(title, run.advance) for title, run in runs.items()]
        series = interleave(self.clock, tasks, self.settings.pace)
        self.findings.measurements.append(Measurement(name, QUANTITY, series))

    def reach(self, name: str, target: float, precision: str) -> None:
        """Solve a spot to a part of the pot, on one core."""
        self.say(f"{name}: to {100 * target:g} % of the pot")
        self.found.solved.append(reach(name, RECIPE, target, precision=precision, longest=self.spots.longest))

    def peer(self) -> None:
        """The same spots by another program, if there is one."""
        program = texassolver.find_program()
        if program is None:
            self.leave_out(texassolver.TITLE, f"there is no {texassolver.PROGRAM} on the PATH")
            return
        for ours in [one for one in self.found.solved if one.name == RECIPE]:
            self.say(f"{ours.spot}: {texassolver.TITLE}")
            found = texassolver.solve(program, ours.spot, ours.target, EVERY, self.spots.longest)
            if found.looks:
                self.found.solved.append(found)
            else:
                self.leave_out(texassolver.TITLE, f"it said nothing about {ours.spot}")

    def sample(self) -> None:
        """Cards that are drawn against cards that are all walked."""
        name, target = self.spots.sampled, self.spots.sampled_target
        for recipe in SAMPLED:
            self.say(f"{name}: {recipe} to {100 * target:g} % of the pot")
            self.found.sampled.append(reach(name, recipe, target, longest=self.spots.longest))

    def compare(self) -> None:
        """Recipes in turn, round by round; one that is slow has one round."""
        name, target, longest = self.spots.compared, self.spots.compared_target, self.spots.longest
        form = load_spot(name).blocks()
        found: dict[str, Solved] = {}
        for _ in range(self.settings.pace.rounds):
            for recipe in self.spots.recipes:
                self.say(f"{name}: {recipe} to {100 * target:g} % of the pot")
                before = found.get(recipe)
                if before is None:
                    found[recipe] = reach(name, recipe, target, longest=longest, form=form)
                elif before.reached and sum(before.rounds) < self.settings.pace.longest / len(self.spots.recipes):
                    again = reach(name, recipe, target, longest=longest, form=form)
                    found[recipe] = replace(before, rounds=(*before.rounds, *again.rounds))
        self.found.compared += found.values()

    def start(self) -> None:
        """Processes that have everything imported and compiled already, from the rules to the first iteration."""
        name = self.spots.river
        self.say(f"{name}: start")
        _run("start", name)  # compiles what is not compiled yet
        batches = []
        for _ in range(self.settings.process_rounds):
            before = self.clock.calibrate()
            seconds = float(_run("start", name))
            batches.append(Batch(seconds, 1, max(before, self.clock.calibrate())))
        self.findings.measurements.append(Measurement(name, START, (Series(START, tuple(batches)),)))

    def memory(self) -> None:
        """What was promised, and what a process of its own took."""
        if not processes.can_measure():
            self.leave_out("memory", "this system does not tell the peak")
            return
        name = self.spots.turn
        for precision in ("f32", "16bit"):
            self.say(f"{name}: memory, {precision}")
            self.found.memory.append(Promise(name, precision, *json.loads(_run("memory", name, precision))))

    def second_core(self) -> None:
        """One core and two on the turn."""
        if len(self.cores) < 2:
            self.leave_out("two cores", "there is only one")
            return
        name = self.spots.turn
        self.say(f"{name}: two cores against one")
        self.found.cores = cores.measure_cores(self.cores, self.settings.pace.rounds, (name,))
        if self.found.cores is None:
            self.leave_out("two cores", "neighbours did not leave both free for long enough")

    def flop(self) -> None:
        """A whole flop in single precision, on all cores."""
        name, target, precision = self.spots.flop, self.spots.flop_target, "f32"
        self.say(f"{name}: to {100 * target:g} % of the pot")
        limits = (str(target), str(self.spots.flop_longest))
        looks: list[Look] = []
        memory = None
        for row in _told("solve", name, precision, *limits, *map(str, self.cores)):
            if len(row) == len(Look._fields):
                looks.append(Look(*row))
                self.say(f"{name}: {100 * looks[-1].part:.2f} % of the pot after {looks[-1].seconds:,.0f} s")
            else:
                memory = Promise(name, precision, *row)
            solved = Solved(name, RECIPE, precision, target, tuple(looks), (looks[-1].seconds,))
            self.found.flop = Flop(len(self.cores), solved, memory)

    def leave_out(self, what: str, why: str) -> None:
        """Say that something is not measured."""
        self.findings.left_out.append(LeftOut(f"Hold'em, {what}", why))


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.parts.spot_runs", *arguments]


def _run(*arguments: str) -> str:
    """The last line of a process of its own."""
    done = subprocess.run(
        _command(*arguments), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
    )
    return done.stdout.splitlines()[-1]


def _told(*arguments: str) -> Iterator[list[Any]]:
    """The lines of a process as it prints them; it ends with whoever stops listening."""
    process = subprocess.Popen(
        _command(*arguments), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            yield json.loads(line)
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, process.args)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
