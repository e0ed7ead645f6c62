"""``python -m benchmarks``: side by side with the peers that are installed."""

from __future__ import annotations

import json as json_module
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Annotated, Any, Self

from cyclopts import Parameter
from rich.text import Text

from regretlab.cli import screen
from regretlab.cli.main import new_app, run
from regretlab.cli.progress import INTERRUPTED
from regretlab.cli.screen import check_target
from regretlab.documents import numbers
from regretlab.errors import UserError, unknown
from regretlab.spec import split_list

if TYPE_CHECKING:
    from benchmarks.results import Findings
    from benchmarks.settings import Settings

EXAMPLES = """Examples:
  python -m benchmarks --quick
  python -m benchmarks --json bench.json --plot bench.png
  python -m benchmarks --games leduc --only peers --peers openspiel
  python -m benchmarks --only flop --json flop.json --plot flop.png"""

DISAGREEMENT = 1
"""The exit status where a peer and we do not compute the same: one of the two has a bug."""


def bench(
    *,
    quick: Annotated[bool, Parameter(help="Small games and few rounds: about a minute, not half an hour.")] = False,
    games: Annotated[
        str | None,
        Parameter(metavar="GAMES", help="Some of kuhn, leduc, goofspiel-4, goofspiel-5, liars-dice-6, openspiel:…."),
    ] = None,
    peers: Annotated[
        str | None, Parameter(metavar="PEERS", help="Some of openspiel, liteefg, jax, textbook. [default: all]")
    ] = None,
    only: Annotated[
        str | None,
        Parameter(
            metavar="PARTS",
            help=(
                "Some of peers, sampling, limits, growth, memory, cores, neighbours, start, holdem [default: all]; "
                "or flop, a whole Hold'em flop on all cores: minutes and gigabytes."
            ),
        ),
    ] = None,
    json: Annotated[Path | None, Parameter(metavar="FILE", help="Write all timings, for machines.")] = None,
    plot: Annotated[
        Path | None, Parameter(metavar="FILE", help="Draw ratios and growth into a .png, .svg or .pdf.")
    ] = None,
) -> int:
    """Measure regretlab side by side with its peers, on one core.

    The same games and algorithms, timed in turn, and checked to compute the
    same. Beside that: what the machine allows, and what is to be reached.
    Ctrl-C ends the run early and shows what was found so far.
    """
    from benchmarks.machine import one_core
    from regretlab.machine import usable_cores

    check_target(json)
    if plot is not None:
        from regretlab.plots import check_format

        check_format(plot)
    check_target(plot)
    cores = usable_cores()
    # Before anything else is loaded: libraries read the number of threads only once.
    with one_core(), _Watch() as watch:
        from benchmarks.benchmark import Benchmark

        measuring = Benchmark(_settings(quick, games, peers, only), all_cores=cores, say=watch.say)
        try:
            watch.guard(measuring.run)
        finally:  # after an error, too: a long run should not have been for nothing
            _write(measuring.findings, json, plot)
    from benchmarks.tables import print_findings

    print_findings(measuring.findings, json, plot)
    return _status(measuring.findings)


def _settings(quick: bool, games: str | None, peers: str | None, only: str | None) -> Settings:
    from benchmarks.games import choose_games
    from benchmarks.settings import FLOP, FULL, PARTS, QUICK

    base = QUICK if quick else FULL
    chosen: dict[str, Any] = {}
    if games is not None:
        chosen["games"] = tuple(game.name for game in choose_games(split_list(games)))
    if peers is not None:
        chosen["peers"] = _some("peer", peers, FULL.peers)
    if only is not None:
        chosen["parts"] = _some("part of the benchmark", only, (*PARTS, FLOP))
    return replace(base, **chosen)


def _some(kind: str, text: str, known: Sequence[str]) -> tuple[str, ...]:
    names = split_list(text)
    for name in names:
        if name not in known:
            raise unknown(kind, name, known)
    if not names:
        raise UserError(f"no {kind} was given; there are: {', '.join(known)}")
    return tuple(name for name in known if name in names)


class _Watch:
    """Says on a terminal what is being measured, and lets Ctrl-C end the run without losing what was found."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.status import Status

        self.interrupted = False
        self._status = Status("getting ready", console=Console(stderr=True)) if sys.stderr.isatty() else None
        self._before: Any = None

    def __enter__(self) -> Self:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def say(self, text: str) -> None:
        """The line that is shown now."""
        if self.interrupted:  # a library may have lost the exception
            raise KeyboardInterrupt
        if self._status is not None:
            self._status.update(Text(text))

    def guard(self, run: Callable[[], object]) -> None:
        """Run, and end quietly after Ctrl-C, whatever a library makes of the exception."""
        try:
            run()
        except BaseException:
            if not self.interrupted:
                raise

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.interrupted = True
        raise KeyboardInterrupt


def _write(found: Findings, json: Path | None, plot: Path | None) -> None:
    """The files that were asked for."""
    from benchmarks.report import as_dict
    from regretlab.files import written_beside

    data = numbers.plain(as_dict(found))
    if json is not None:
        with written_beside(json) as file:
            file.write(json_module.dumps(data, indent=1, allow_nan=False).encode())
    if plot is not None:
        from benchmarks.picture import benchmark
        from regretlab.plots import save

        save(benchmark(data), plot)


def _status(found: Findings) -> int:
    for complaint in found.complaints:
        screen.note(complaint)
    if found.complaints:
        return DISAGREEMENT
    if not found.complete:
        screen.note("stopped by Ctrl-C; what was not finished is left out")
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    commands = new_app("python -m benchmarks", EXAMPLES)
    commands.default(bench)
    sys.exit(run(sys.argv[1:], commands))
