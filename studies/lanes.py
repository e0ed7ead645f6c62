"""What hands side by side bring: iterations, compiling and getting ready on lanes beside histories, and large games.

``python -m studies.lanes speed`` takes a few minutes: everything is timed in one process, in turn, and the least
processor time of several rounds counts. ``python -m studies.lanes large`` solves games that are too large for
histories, and says what that took. Both print their tables as Markdown, as they stand in
``docs/explanation/how-it-is-fast.md``.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Annotated, Any

from cyclopts import Parameter

from regretlab.cli.main import new_app
from regretlab.cli.main import run as run_command
from regretlab.forms import AnyForm, LaneForm, form_to_solve
from regretlab.games import load
from regretlab.solving import Solver

ROUNDS = 9
SECONDS_A_ROUND = 0.1

BOTH_FORMS = ("leduc", "leduc(ranks=13)", "liars_dice", "kuhn(cards=300)", "kuhn(cards=1000)")
"""Games whose histories can be walked in reasonable time, with from 6 to 1,000 hands."""

ON_LANES = ("leduc", "liars_dice", "liars_dice(dice=2, sides=4)")
"""Games on which precisions and ways to weigh are compared."""

LARGE = (
    ("kuhn(cards=10000)", "f64"),
    ("leduc(ranks=13, suits=4)", "f64"),
    ("liars_dice(dice=2, sides=4)", "f64"),
    ("liars_dice(dice=2, sides=5)", "f32"),
)
"""Games and precisions, the largest last: memory is the most that the process has had."""

TARGET = 1e-3
"""Exploitability in chips down to which the large games are solved."""

app = new_app("python -m studies.lanes", "", "What hands side by side bring.")


def processor_time(work: Callable[..., object], *arguments: object) -> float:
    """How long the processor worked on it: neighbours count less than by the clock."""
    start = time.process_time()
    work(*arguments)
    return time.process_time() - start


def iteration_times(solvers: Sequence[Solver]) -> list[float]:
    """Seconds an iteration of each, the least of several rounds in turn."""
    counts = []
    for solver in solvers:
        solver.advance(5)
        counts.append(max(1, round(SECONDS_A_ROUND / max(1e-9, processor_time(solver.advance, 20) / 20))))
    least = [float("inf")] * len(solvers)
    for _ in range(ROUNDS):
        for k, solver in enumerate(solvers):
            least[k] = min(least[k], processor_time(solver.advance, counts[k]) / counts[k])
    return least


def compiled(game: str, form: str) -> tuple[AnyForm, float]:
    """A compiled game, and how long that took: on lanes, which is quick, the least of three times."""
    rules, best, made = load(game), float("inf"), None
    for _ in range(3 if form == "lanes" else 1):
        start = time.process_time()
        made = form_to_solve(rules, form, tree=False)
        best = min(best, time.process_time() - start)
    assert made is not None
    return made, best


@app.command
def speed(games: Annotated[Sequence[str], Parameter(help="Games with hands.")] = BOTH_FORMS) -> None:
    """Iterations and compiling on lanes beside histories, single beside double precision, NormalHedge beside CFR."""
    form_to_solve("kuhn", "lanes")
    print("| game | hands | CFR+ by histories, µs | on lanes | ratio | compile, ms | on lanes | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for game in games:
        (histories, walked), (lanes, quick) = compiled(game, "histories"), compiled(game, "lanes")
        old, new = iteration_times([Solver(form, "cfr+", cores=1) for form in (histories, lanes)])
        hands = len(load(game).hands(0))  # type: ignore[attr-defined]
        times = f"{1e6 * old:,.1f} | {1e6 * new:,.1f} | {new / old:.3f}"
        print(f"| {game} | {hands} | {times} | {1e3 * walked:,.1f} | {1e3 * quick:,.1f} | {quick / walked:.4f} |")
        sys.stdout.flush()
    print("\n| on lanes, µs an iteration | CFR | NormalHedge | ratio | CFR+ in f64 | in f32 | ratio |")
    print("|---|---|---|---|---|---|---|")
    for game in ON_LANES:
        form = form_to_solve(game, "lanes")
        solvers = [Solver(form, recipe, cores=1) for recipe in ("cfr", "normalhedge", "cfr+")]
        solvers.append(Solver(form, "cfr+", cores=1, precision="f32"))
        cfr, hedge, double, single = (1e6 * each for each in iteration_times(solvers))
        print(
            f"| {game} | {cfr:,.1f} | {hedge:,.1f} | {hedge / cfr:.2f} | {double:,.1f} | {single:,.1f} | "
            f"{single / double:.2f} |"
        )
        sys.stdout.flush()
    if find_spec("pyspiel") is None:
        print("\nOpenSpiel is not installed: getting ready was not compared.")
        return
    print("\n| getting ready, ms | OpenSpiel's CFR+ | on lanes | ratio |")
    print("|---|---|---|---|")
    for ours, theirs in (("leduc", "leduc_poker"), ("liars_dice", "liars_dice")):
        peer = min(processor_time(openspiel_solver, theirs) for _ in range(3))
        own_solver(ours)  # loads the kernels
        own = min(processor_time(own_solver, ours) for _ in range(3))
        print(f"| {ours} | {1e3 * peer:,.1f} | {1e3 * own:,.1f} | {own / peer:.2f} |")


def openspiel_solver(name: str) -> Any:
    """OpenSpiel's solver in C++, which walks the game when it is made."""
    import pyspiel

    return pyspiel.CFRPlusSolver(pyspiel.load_game(name))


def own_solver(game: str) -> Solver:
    """A solver on lanes, ready for its first iteration."""
    return Solver(form_to_solve(game, "lanes"), "cfr+", cores=1)


@app.command
def large() -> None:
    """Solve games that are too large for histories down to a thousandth of a chip, by DCFR on all cores."""
    print("| game | precision | public nodes | information sets | compiled, s | solved, s | iterations | memory, MB |")
    print("|---|---|---|---|---|---|---|---|")
    for game, precision in LARGE:
        start = time.perf_counter()
        form = form_to_solve(game, "lanes")
        took = time.perf_counter() - start
        assert isinstance(form, LaneForm)
        solution = Solver(form, "dcfr", precision=precision).run(until=TARGET)
        nodes = sum(treeplex.nodes for treeplex in form.treeplexes)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"| {game} | {precision} | {nodes:,} | {form.infosets:,} | {took:.2f} | {solution.seconds:.1f} | "
            f"{solution.iterations:,} | {memory:,.0f} |"
        )
        sys.stdout.flush()


def main(arguments: Sequence[str]) -> int:
    """Run one of the commands."""
    return run_command(arguments, app)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
