"""What rounding and the start decide: ties, forms of one game, and chaos, over the games of the study of recipes.

``python -m studies.rounding chaos`` measures how fast a difference of one unit in the last place grows, ``causes`` what
games have in common where it does, ``forms`` how far the figures of one game in several forms are apart, ``by-hand``
what rounding does in the first iteration of battleship, and ``ties`` what becomes of it with ties as ties, with
rounding, and from other starts. Each prints its tables as Markdown,
as they stand in ``docs/explanation/rounding.md``, and takes a few minutes at most.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from statistics import median
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from regretlab.cli.main import new_app
from regretlab.cli.main import run as run_command
from regretlab.documents.blocks import Chart, Series
from regretlab.documents.numbers import significant
from regretlab.errors import unknown
from regretlab.evaluation import exploitability, nash
from regretlab.evaluation.programme import nearest_optimal_plan
from regretlab.evaluation.value import row_numbers
from regretlab.experiments import Chaos, chaos
from regretlab.experiments.measures import actions_at
from regretlab.experiments.measuring_chaos import ROUNDING, chaos_charts
from regretlab.forms import SequenceForm, Treeplex, as_form, sparse_payoff
from regretlab.forms.kernel import Floats, Indices
from regretlab.forms.passes import normalise, realisation_plan
from regretlab.forms.payoff import SparseMatrix
from regretlab.games import load
from regretlab.plots import check_format, panels_by_game, save
from regretlab.reference import CFRPlusTrainer, CFRTrainer
from regretlab.solving import Solver
from regretlab.solving.checkpoints import checkpoints

BATTLESHIP = (
    "openspiel:battleship(board_width=2,board_height=2,ship_sizes=[2],ship_values=[1],num_shots=3,"
    "allow_repeated_shots=False)"
)
"""One ship of two fields, three shots: the game in which ties make the largest difference."""

HIDDEN = "prizes=descending, bids=hidden"
OF_THE_STUDY = {
    "Kuhn": "kuhn",
    "Kuhn, 13 cards": "kuhn(cards=13)",
    "Leduc": "leduc",
    "liar's dice, 3": "liars_dice(sides=3)",
    "liar's dice, 4": "liars_dice(sides=4)",
    "goofspiel, 3": f"goofspiel(cards=3, {HIDDEN})",
    "goofspiel, 4": f"goofspiel(cards=4, {HIDDEN})",
    "battleship, 4 × 1": "openspiel:battleship(board_width=4,board_height=1,ship_sizes=[2],ship_values=[1],"
    "num_shots=2,allow_repeated_shots=False)",
    "battleship, 2 × 2": "openspiel:battleship(board_width=2,board_height=2,ship_sizes=[1;2],ship_values=[1;1],"
    "num_shots=2,allow_repeated_shots=False)",
    "matrix 2 × 2": "matrix(rows=5 -1; 0 1)",
    "matrix 3 × 3": "matrix(rows=0 -1 3; 1 0 -1; -3 1 0)",
}
"""The eleven games of the suite ``convergence``."""

FURTHER = {
    "battleship, 3 shots": BATTLESHIP,
    "Kuhn, 30 cards": "kuhn(cards=30)",
    "Leduc, suits merged": "leduc(merge_suits=yes)",
    "Leduc, one suit": "leduc(suits=1)",
    "Leduc, 2 ranks": "leduc(ranks=2)",
    "Leduc, 6 ranks": "leduc(ranks=6, merge_suits=yes)",
    "Leduc, 13 ranks": "leduc(ranks=13, merge_suits=yes)",
    "liar's dice, 5": "liars_dice(sides=5)",
    "goofspiel, 5": f"goofspiel(cards=5, {HIDDEN})",
}
ALTERNATING = "cfr(schedule=alternating)"
RECIPES = (ALTERNATING, "cfr+", "dcfr", "pdcfr+", "sapcfr+", "normalhedge+(schedule=alternating, averaging=linear)")
FEW = ("cfr", "cfr+", "dcfr", "pdcfr+")
"""The recipes whose figures are held against each other in several forms."""

RANDOM_STARTS = (1, 2, 3)
NOISE = 1e-3
"""How much payoffs are moved, relative to each, to see whether it is their exact values that matter."""

WINDOW = 100
"""So many of the last iterations say whether the last iterate has settled."""

SETTLED = 1e-9
"""A plan that moves less than this in an iteration has settled."""


def show(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table in Markdown, row by row as they come."""
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)
    print()


@cache
def form_of(game: str) -> SequenceForm:
    """The compiled game, compiled once."""
    return as_form(game)


# ---- other forms of the same game, and games nearby


def with_entries(form: SequenceForm, entries: Floats) -> SequenceForm:
    """The form with other entries of player 0's payoff matrix, in the order of that matrix."""
    matrix = _matrix(form)
    shape = (form.treeplexes[0].sequences, form.treeplexes[1].sequences)
    rows = row_numbers(matrix.first).astype(np.uint32)
    return replace(form, payoff=sparse_payoff(shape, rows, matrix.column, np.arange(len(entries)), entries))


def _matrix(form: SequenceForm) -> SparseMatrix:
    assert form.payoff.sparse is not None
    return form.payoff.sparse.matrices[0]


def scaled(form: SequenceForm, factor: float = 3.0) -> SequenceForm:
    """The same game for other stakes; 3 is no power of 2, so everything is rounded differently."""
    return with_entries(form, factor * _matrix(form).entry)


def noisy(form: SequenceForm, seed: int = 0) -> SequenceForm:
    """A game nearby: every entry of the payoff is moved a little, by itself."""
    entries = _matrix(form).entry
    return with_entries(form, entries * (1 + NOISE * np.random.default_rng(seed).standard_normal(len(entries))))


def permuted(form: SequenceForm, seed: int = 0) -> SequenceForm:
    """The same game with the information sets of both players, their actions and so all sums in another order."""
    random = np.random.default_rng(seed)
    (mine, rows), (theirs, columns) = (_permuted_treeplex(treeplex, random) for treeplex in form.treeplexes)
    matrix = _matrix(form)
    payoff = sparse_payoff(
        (mine.sequences, theirs.sequences),
        rows[row_numbers(matrix.first)],
        columns[matrix.column],
        np.arange(len(matrix.entry)),
        matrix.entry,
    )
    return replace(form, treeplexes=(mine, theirs), payoff=payoff, tree=None)


def _permuted_treeplex(treeplex: Treeplex, random: np.random.Generator) -> tuple[Treeplex, Indices]:
    """Parents still before children; and the new number of each sequence."""
    after: dict[int, list[int]] = {}
    for i, parent in enumerate(treeplex.parent.tolist()):
        after.setdefault(parent, []).append(i)
    number = np.zeros(treeplex.sequences, dtype=np.uint32)
    ready, order, first, actions = after.get(0, []).copy(), [], [1], []
    while ready:
        i = ready.pop(random.integers(len(ready)))
        order.append(i)
        low, high = int(treeplex.first[i]), int(treeplex.first[i + 1])
        places = random.permutation(high - low)
        number[low + places] = first[-1] + np.arange(high - low)
        actions.append(tuple(treeplex.actions[i][k] for k in places))
        first.append(first[-1] + high - low)
        for sequence in range(low, high):
            ready += after.get(sequence, [])
    moved = Treeplex(
        parent=number[treeplex.parent[order]],
        first=np.array(first, dtype=np.uint32),
        labels=tuple(treeplex.labels[i] for i in order),
        actions=tuple(actions),
    )
    return moved, number


# ---- the tables

Picture = Annotated[Path | None, Parameter(metavar="FILE", help="Draw it, too, into a .png, .svg or .pdf.")]
Games = Annotated[str | None, Parameter(metavar="NAMES", help="Only these games, with semicolons between them.")]


def chosen_games(games: str | None, among: dict[str, str]) -> dict[str, str]:
    """Some of the games, by the names that the tables have; all where none are named."""
    if games is None:
        return among
    names = [name.strip() for name in games.split(";")]
    for name in names:
        if name not in among:
            raise unknown("game of this study", name, among)
    return {name: among[name] for name in names}


def rate(found: Chaos) -> str:
    """The growth rate, and where the figures part."""
    grown = "–" if found.growth is None else significant(found.growth, 2)
    return grown if found.figures_part is None else f"{grown} ({found.figures_part})"


def chaos_table(*, games: Games = None, iterations: int = 1_000, plot: Picture = None) -> None:
    """How fast a difference of one unit in the last place grows: games × recipes, from the usual and a random start.

    A cell is the growth rate, and in parentheses the iteration at which figures part.
    """
    if plot is not None:
        check_format(plot)
    drawn: list[Chaos] = []

    def rows(start: int) -> Iterable[Sequence[str]]:
        for name, game in chosen_games(games, OF_THE_STUDY | FURTHER).items():
            found = [chaos(form_of(game), each, iterations=iterations, start=start) for each in RECIPES]
            if not start:
                drawn.extend(replace(one, game=name) for one in found)
            yield [name, *map(rate, found)]

    for start in (0, RANDOM_STARTS[0]):
        show(
            ["from a random start" if start else "from the usual start", *(f"`{each}`" for each in RECIPES)],
            rows(start),
        )
    if plot is not None:
        save(panels_by_game(chaos_charts(drawn), same_heights=True), plot)


def equilibria(form: SequenceForm, player: int, most: int = 40) -> str:
    """The dimension of a player's optimal plans: how many of those nearest to random plans are independent.

    Only a lower bound where it still rises with the last of ``most`` plans.
    """
    value = float(nash(form).value) * (1, -1)[player]
    random, treeplex = np.random.default_rng(0), form.treeplexes[player]
    found: list[Floats] = []
    ranks: list[int] = []
    behaviour, plan = np.empty(treeplex.sequences), np.empty(treeplex.sequences)
    while len(found) < most and (len(ranks) < 4 or len(set(ranks[-4:])) > 1):
        # Cubes, so that some actions are nearly left out: the nearest optimal plans then lie far from each other.
        normalise(treeplex.first, random.standard_exponential(treeplex.sequences) ** 3, behaviour)
        realisation_plan(treeplex.parent, treeplex.first, behaviour, plan)
        found.append(nearest_optimal_plan(form, player, plan, value - 1e-9)[1])
        ranks.append(int(np.linalg.matrix_rank(np.array(found) - found[0], tol=1e-5)))
    return f"≥ {ranks[-1]}" if len(set(ranks[-4:])) > 1 else f"{ranks[-1]}"


def causes(*, games: Games = None, recipe: str = "dcfr", largest: int = 1_500) -> None:
    """What games have in common in which differences grow.

    Their size, their equilibria, whether the last iterate settles, and what random starts and moved payoffs change.
    """

    def rows() -> Iterable[Sequence[str]]:
        for name, game in chosen_games(games, OF_THE_STUDY | FURTHER).items():
            form = form_of(game)
            # For Leduc the programme takes the form with merged suits: equal cards would count equilibria twice.
            counted = form_of("leduc(merge_suits=yes)") if game == "leduc" else form
            small = max(treeplex.sequences for treeplex in counted.treeplexes) <= largest
            dimensions = ", ".join(equilibria(counted, player) for player in (0, 1)) if small else "not counted"
            usual = chaos(form, recipe)
            move = median(look.move for look in usual.looks[-WINDOW:])
            starts = "; ".join(rate(chaos(form, recipe, start=start)) for start in RANDOM_STARTS)
            settles = "yes" if move < SETTLED else f"{move:.0e}"
            yield [
                name,
                f"{form.infosets:,}",
                dimensions,
                settles,
                rate(usual),
                starts,
                rate(chaos(noisy(form), recipe)),
            ]

    print(f"`{recipe}`, 1,000 iterations\n")
    head = ("", "information sets", "equilibria", "settles", "usual start", "random starts", "payoffs ± 0.1 %")
    show(head, rows())


SAME_GAMES = {
    "Kuhn": ["openspiel:kuhn_poker"],
    "Leduc": ["leduc(merge_suits=yes)", "openspiel:leduc_poker"],
    **{f"liar's dice, {n}": [f"openspiel:liars_dice(numdice=1,dice_sides={n})"] for n in (3, 4)},
    **{
        f"goofspiel, {n}": [f"openspiel:goofspiel(imp_info=True,num_cards={n},points_order=descending)"] for n in (3, 4)
    },
}
"""The same games by other names."""

MOMENTS = (10, 100, 1_000)


def broken(recipe: str) -> str:
    """The recipe with rounding deciding.

    >>> broken("cfr+"), broken("cfr(schedule=alternating)")
    ('cfr+(ties=0)', 'cfr(schedule=alternating, ties=0)')
    """
    return f"{recipe[:-1]}, ties=0)" if recipe.endswith(")") else f"{recipe}(ties=0)"


def figures(form: SequenceForm, recipe: str, moments: Sequence[int] = MOMENTS, start: int = 0) -> list[float]:
    """The exploitability after so many iterations."""
    solver, found = Solver(form, recipe), []
    if start:
        solver.perturb(start)
    for moment in moments:
        solver.advance(moment - solver.iteration)
        found.append(solver.evaluate().exploitability)
    return found


def other_forms(name: str, game: str) -> list[tuple[SequenceForm, float]]:
    """Other forms of a game of the study, and by how much their stakes are larger."""
    form = form_of(game)
    forms = [(permuted(form, seed), 1.0) for seed in (0, 1)] + [(scaled(form), 3.0)]
    return forms + [(form_of(other), 1.0) for other in SAME_GAMES.get(name, [])]


def apart(form: SequenceForm, others: Sequence[tuple[SequenceForm, float]], recipe: str) -> list[float]:
    """The largest relative difference of a figure between the form and the others, at each of the moments.

    A figure below a millionth of a millionth of the payoffs is rounding, and counts as that.
    """
    least = ROUNDING * form.payoff.size
    usual = [max(figure, least) for figure in figures(form, recipe)]
    found = [[max(each / stakes, least) for each in figures(other, recipe)] for other, stakes in others]
    return [max(abs(each[k] / usual[k] - 1) for each in found) for k in range(len(MOMENTS))]


def forms(*, games: Games = None) -> None:
    """How far the figures of one game in several forms are apart.

    Information sets and actions stand in another order, payoffs are three times as large, or the game has another name.
    """

    def rows() -> Iterable[Sequence[str]]:
        for name, game in chosen_games(games, OF_THE_STUDY | FURTHER).items():
            others = other_forms(name, game)
            cells = (" / ".join(f"{each:.0e}" for each in apart(form_of(game), others, recipe)) for recipe in FEW)
            yield [name, f"{1 + len(others)}", *cells]

    show(["", "forms", *(f"`{each}`" for each in FEW)], rows())


FIRST_SHOT, PLACING = "0: T=2 /v_0_1", "1: T=1 "
"""Of battleship: player 0, whose ship lies in the right column, before the first shot; player 1 before all."""


def by_hand() -> None:
    """What rounding does in the first iteration of battleship: the textbook, in fractions and in floats."""
    rules, form = load(BATTLESHIP), form_of(BATTLESHIP)
    exact, floats = (CFRTrainer(rules, schedule="alternating", deals="all", exact=e, ties=0) for e in (True, False))
    for trainer in (exact, floats):
        trainer.train(1)
    tied = [label for label, infoset in exact.infosets.items() if not any(infoset.regret_sum)]
    decided = [label for label in tied if max(floats.infosets[label].regret_sum) > 0]
    print(f"{len(exact.infosets):,} information sets, {len(tied):,} with regrets that are all 0 in fractions; ", end="")
    print(f"{len(decided)} of these have a positive one in floats\n")
    for label in (FIRST_SHOT, PLACING):
        numbers = [trainer.infosets[label].regret_sum for trainer in (exact, floats)]
        names = ["in fractions", "in floats"]
        head = ["regret of", *actions_at(form, label)]
        show(head, [[name, *(f"{float(each):.3g}" for each in row)] for name, row in zip(names, numbers, strict=True)])
    for name, kind in (("CFR", CFRTrainer), ("CFR+", CFRPlusTrainer)):
        long = kind(rules, schedule="alternating", deals="all", ties=0)
        long.train(MOMENTS[0])
        played = {
            label: {action: float(each) for action, each in actions.items()}
            for label, actions in long.get_strategy_profile().items()
        }
        found = 2 * exploitability(form, played)
        print(f"{name} after {MOMENTS[0]} iterations, textbook in floats: NashConv {found:.4f}")


def ties(*, plot: Picture = None, rounds: int = 50) -> None:
    """Battleship with ties as ties, with rounding, one unit in the last place away and from random starts.

    And what looking for ties costs.
    """
    if plot is not None:
        check_format(plot)
    form, ways = form_of(BATTLESHIP), (ALTERNATING, "cfr+", "dcfr", "pdcfr+")

    def nudged(recipe: str) -> list[float]:
        return [pair.nudged for pair in chaos(form, recipe).pairs if pair.iteration in MOMENTS]

    def rows() -> Iterable[Sequence[str]]:
        for recipe in ways:
            random = np.exp(np.mean([np.log(figures(form, recipe, start=k)) for k in RANDOM_STARTS], axis=0)).tolist()
            found = (
                figures(form, recipe),
                figures(form, broken(recipe)),
                nudged(recipe),
                figures(permuted(form), recipe),
                random,
            )
            yield [f"`{recipe}`", *(" / ".join(significant(each, 3) for each in one) for one in found)]

    head = ("usual start, ties as ties", "`ties=0`", "one unit in the last place away", "in another order")
    show(["", *head, "random starts, geometric mean"], rows())
    show(["time per iteration with ties ÷ without", "µs", "ratio"], timed(rounds))
    if plot is not None:
        save(panels_by_game(tie_charts(form)), plot)


TIMED = ("kuhn", "leduc", f"goofspiel(cards=5, {HIDDEN})", "liars_dice(sides=6)")
BATCH = 0.05
"""Seconds: long enough for the clock, and short enough to fit between what else the machine does."""


def timed(rounds: int) -> Iterable[Sequence[str]]:
    """The least processor time of interleaved rounds, so that whatever else the machine does hits both alike."""
    for name in TIMED:
        for recipe in ("cfr+", "pdcfr+"):
            solvers = [Solver(form_of(name), each, cores=1) for each in (recipe, broken(recipe))]
            for solver in solvers:
                solver.advance(10)
            start = time.process_time()
            solvers[0].advance(10)
            count = max(10, int(BATCH / ((time.process_time() - start) / 10)))
            least = [float("inf")] * 2
            for _ in range(rounds):
                for which, solver in enumerate(solvers):
                    start = time.process_time()
                    solver.advance(count)
                    least[which] = min(least[which], (time.process_time() - start) / count)
            yield [f"{name}, `{recipe}`", f"{1e6 * least[0]:.3g}, {1e6 * least[1]:.3g}", f"{least[0] / least[1]:.3f}"]


def tie_charts(form: SequenceForm) -> list[Chart]:
    """Exploitability against iterations, a panel for each recipe: with and without ties, and from random starts."""
    moments = list(takewhile(lambda t: t <= MOMENTS[-1], checkpoints(0)))
    charts = []
    for recipe in (ALTERNATING, "cfr+", "dcfr"):
        lines = {"ties as ties": figures(form, recipe, moments)}
        lines["rounding decides (ties=0)"] = figures(form, broken(recipe), moments)
        lines |= {f"random start {k}": figures(form, recipe, moments, k) for k in RANDOM_STARTS[:2]}
        series = tuple(Series(name, tuple(zip(moments, found, strict=True))) for name, found in lines.items())
        charts.append(Chart(recipe, "iterations", "exploitability (chips a game)", "log", "log", series))
    return charts


def main(arguments: Sequence[str]) -> int:
    """The five commands."""
    commands = new_app("python -m studies.rounding", "", "What rounding and the start decide.")
    commands.command(chaos_table, name="chaos")
    for command in (causes, forms, by_hand, ties):
        commands.command(command)
    return run_command(arguments, commands)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
