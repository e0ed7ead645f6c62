"""The whole benchmark, part by part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec

import numpy as np

from benchmarks import machine
from benchmarks.clock import Clock
from benchmarks.games import GAMES, BenchGame, choose_games, has_openspiel
from benchmarks.parts import cores, growth, limits, processes, race
from benchmarks.parts.holdem import Holdem
from benchmarks.parts.limits import stroll
from benchmarks.parts.race import Race, Say
from benchmarks.peers import load_peer
from benchmarks.peers.ours import Ours
from benchmarks.peers.protocol import SAMPLED, Peer
from benchmarks.results import LEAST_GAIN, Findings, LeftOut
from benchmarks.settings import FLOP, Settings
from regretlab.machine import installed_versions, usable_cores

LOOP_STEPS = 300_000
LOOP_TABLE = 2**12
"""The fixed loop beside every batch: jumps in a table of 16 KiB for about a thousandth of a second.

A table that outlives no batch in the cache would show what the batch did, not what a neighbour does.
"""


class Benchmark:
    """A run of the benchmark; ``findings`` fills up while it goes on."""

    def __init__(
        self,
        settings: Settings,
        *,
        peers: Mapping[str, Peer] | None = None,
        clock: Clock | None = None,
        all_cores: Sequence[int] = (),
        say: Say = lambda text: None,
    ) -> None:
        self.settings = settings
        self.cores = list(all_cores) or usable_cores()
        self.say = say
        self.clock = clock or new_clock(settings.patience)
        self.cache = machine.last_level_cache()
        self.findings = Findings(
            machine=machine.describe(len(self.cores)),
            settings=settings.as_dict(),
            versions=installed_versions(machine.PACKAGES),
        )
        self.peers = self._installed([peers[key] if peers else load_peer(key) for key in settings.peers])

    def run(self) -> None:
        """All parts that the settings ask for, in order."""
        parts: dict[str, Callable[[], None]] = {
            "limits": self.limits,
            "peers": self.races,
            "sampling": self.sampling,
            "growth": self.growth,
            "start": self.start,
            "memory": self.memory,
            "cores": self.second_core,
            "neighbours": self.neighbours,
            "holdem": self.holdem().run,
            FLOP: self.holdem().flop,
        }
        try:
            for name, part in parts.items():
                if name in self.settings.parts:
                    part()
            self.findings.complete = True
        finally:
            self.findings.calibration = self.clock.best
            self.findings.retries = self.clock.retries

    def _installed(self, peers: Sequence[Peer]) -> list[Peer]:
        """The peers that can be used; of the others it is said what they lack."""
        found = []
        for peer in peers:
            lacking = [module for module in peer.needs if find_spec(module) is None]
            if lacking:
                self.findings.left_out.append(LeftOut(peer.title, f"not installed: {', '.join(lacking)}"))
            else:
                found.append(peer)
        return found

    def races(self) -> None:
        """Every game that can be played here, and the two rules on Leduc."""
        self._load_peers()
        for game in choose_games(self.settings.games):
            if self._playable(game):
                self._race(game).run()
                if game.name == "leduc":
                    self.say("leduc: NormalHedge beside regret matching")
                    rules = race.measure_rules(self.clock, self.settings.pace, game)
                    self.findings.measurements.append(rules)

    def sampling(self) -> None:
        """Sampled algorithms, on those of the games whose seeds the settings know."""
        games = [game for game in choose_games(self.settings.games) if game.name in self.settings.seeds]
        if not games:
            self.findings.left_out.append(LeftOut("sampling", f"it is measured on {', '.join(self.settings.seeds)}"))
        for game in games:
            for algorithm in SAMPLED:
                self._race(game).run_sampled(algorithm)

    def _race(self, game: BenchGame) -> Race:
        return Race(game, self.peers, self.clock, self.settings, self.findings, self.say)

    def _load_peers(self) -> None:
        """Let everybody play a small game once, so that no timing contains the loading of a library."""
        for peer in self.peers:
            self.say(f"loading {peer.title}")
            peer.start(GAMES["kuhn"], "cfr+").iterate(1)

    def _playable(self, game: BenchGame) -> bool:
        if has_openspiel() or not game.is_openspiel:
            return True
        self.findings.left_out.append(LeftOut(game.name, "the game is OpenSpiel's, which is not installed"))
        return False

    def limits(self) -> None:
        """Memory and the sparse product."""
        self.say("what the machine allows")
        self.findings.limits, raw = limits.measure_limits(self.clock, self.settings.pace, self.cache)
        self.findings.measurements += raw

    def growth(self) -> None:
        """Both families."""
        pace, largest = self.settings.pace, self.settings.largest_form
        streaming = limits.streaming_kernels(self.cache)
        self.say("growth: Kuhn poker with more and more cards")
        for point in growth.grow_kuhn(self.clock, pace, streaming, self.settings.cards):
            self.findings.growth.append(point)
        self.say("growth: random forms")
        for point in growth.grow_random(self.clock, pace, streaming, self.cache, largest):
            self.findings.growth.append(point)

    def start(self) -> None:
        """Whole processes."""
        self.say("cold start")
        pace = replace(self.settings.pace, rounds=self.settings.process_rounds, longest=600.0, batch=0.0)
        self.findings.imports_of_help = processes.imports_of_help()
        for measure in (processes.measure_help, processes.measure_warm):
            self.findings.measurements.append(measure(self.clock, pace))
        pace = replace(pace, rounds=self.settings.first_runs)
        self.findings.measurements.append(processes.measure_first(self.clock, pace))

    def memory(self) -> None:
        """Everybody on one game, each in a process of its own."""
        (game,) = choose_games([self.settings.memory_game])
        if not processes.can_measure():
            self.findings.left_out.append(LeftOut("memory", "this system does not tell the peak"))
            return
        for peer in (Ours(), *self.peers) if self._playable(game) else ():
            if peer.package:  # the textbook has no claim to make
                self.say(f"memory: {peer.title} on {game.name}")
                self.findings.memory.append(processes.measure_memory(game.name, peer.key, peer.title))

    def second_core(self) -> None:
        """One core and two."""
        if len(self.cores) < 2:
            self.findings.left_out.append(LeftOut("two cores", "there is only one"))
            return
        self.say("two cores against one")
        found = self.findings.cores = cores.measure_cores(self.cores, self.settings.pace.rounds)
        if found is None:
            self.findings.left_out.append(LeftOut("two cores", "neighbours did not leave both free for long enough"))
        elif found.streaming < LEAST_GAIN:
            why = f"streaming moves only {found.streaming:.2f} times as much with the second one"
            self.findings.left_out.append(LeftOut("two cores", why))

    def neighbours(self) -> None:
        """Several cores on a busy machine."""
        if len(self.cores) < 2:
            self.findings.left_out.append(LeftOut("neighbours", "there is only one core"))
            return
        self.say("two cores beside busy neighbours")
        self.findings.neighbours = cores.measure_beside_neighbours(self.cores, self.settings.pace.rounds)

    def holdem(self) -> Holdem:
        """Hold'em endgames."""
        return Holdem(self.clock, self.settings, self.findings, self.cores, self.say)


def new_clock(patience: float) -> Clock:
    """A clock with the loop of this benchmark."""
    table = np.arange(LOOP_TABLE, dtype=np.uint32)
    return Clock(lambda: stroll(LOOP_STEPS, table), patience=patience)
