"""The arithmetic of an information set where networks are trained: from the samples in a memory to a strategy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from regretlab.deep import Memory, size, tally
from regretlab.deep.feedback import ADVANTAGES
from regretlab.documents.blocks import Block, Cell, Document, Equations, Paragraph, Table, words
from regretlab.documents.expressions import Equation, Symbol, Value, divide
from regretlab.documents.numbers import Notation
from regretlab.explaining.textbook import Numbers, weigh_regrets
from regretlab.explaining.update_words import describe_weighing
from regretlab.forms import SequenceForm
from regretlab.reference import Basis
from regretlab.solving import Solution


@dataclass(frozen=True)
class Advantages:
    """What one information set has in the memory, what the network says of it, and what follows."""

    TITLES: ClassVar = ("What the memory holds", "What the network has learned of it", "What is played next")

    solution: Solution
    label: str
    player: int
    actions: tuple[str, ...]
    held: int  # samples in the player's memory
    samples: int  # those of this information set
    weight: float  # Σ w, of these
    totals: Numbers  # Σ w r, for each action
    scale: float  # the root mean square of all the means in the memory: the unit of what the network says

    @property
    def means(self) -> Numbers:
        """The advantages that a network without error would say, in chips; empty where there are no samples."""
        return tuple(total / self.weight for total in self.totals) if self.samples else ()

    @property
    def predicted(self) -> Numbers:
        """What the network says, which takes the place of the regrets."""
        return tuple(self.solution.regrets[self.label].values())

    @property
    def strategy(self) -> Numbers:
        """What is played next."""
        return tuple(self.solution.current[self.label].values())

    @property
    def steps(self) -> tuple[Document, Document, Document]:
        """The arithmetic in words and formulas; the strategy is the engine's own, worked out as the textbook does."""
        undiscounted = replace(self.solution.recipe, alpha=None, beta=None)  # the weights are in the samples already
        weighed = replace(weigh_regrets(undiscounted, self.predicted, Basis()), strategy=self.strategy)
        strategy = tuple(block for piece in describe_weighing(weighed, self.actions) for block in piece)
        memory, network = tuple(_memory_blocks(self)), tuple(_network_blocks(self))
        return Document(memory, Notation()), Document(network, Notation()), Document(strategy, Notation())

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "iteration": self.solution.iterations,
            "label": self.label,
            "player": self.player,
            "actions": list(self.actions),
            "held": self.held,
            "samples": self.samples,
            "means": list(self.means),
            "scale": self.scale,
            "predicted": list(self.predicted),
            "strategy": list(self.strategy),
        }


def advantages_at(form: SequenceForm, solution: Solution, label: str) -> Advantages:
    """The arithmetic of an information set at the iteration where ``solution`` stands."""
    player = form.owner(label)
    assert player is not None
    treeplex, memory = form.treeplexes[player], memory_of(solution, ADVANTAGES, player)
    summed, i = tally(memory, treeplex), treeplex.index[label]
    weights = np.repeat(summed.weight, np.diff(treeplex.first))
    seen = weights > 0
    squares = summed.total[1:][seen] ** 2 / weights[seen]
    return Advantages(
        solution=solution,
        label=label,
        player=player,
        actions=treeplex.actions[i],
        held=size(memory),
        samples=int((memory.infoset == i).sum()),
        weight=float(summed.weight[i]),
        totals=tuple(summed.total[treeplex.first[i] : treeplex.first[i + 1]].tolist()),
        scale=float(np.sqrt(squares.sum() / weights.sum())) if seen.any() else 0.0,
    )


def memory_of(solution: Solution, kind: str, player: int) -> Memory:
    """One of the memories of a run; its arrays are cut to the samples that it holds."""
    arrays = {name: solution.learned[f"memory.{kind}{player}.{name}"] for name in Memory._fields}
    return Memory(**arrays | {"seen": arrays["seen"] if len(arrays["seen"]) else np.zeros(1, dtype=np.int64)})


def _memory_blocks(found: Advantages) -> Iterator[Block]:
    """What the samples of an information set are, and their weighted mean."""
    if not found.samples:
        where = f" of {found.label}" if found.held else ""
        yield Paragraph(words(f"The memory of player {found.player} holds no sample{where} yet."))
        return
    text = (
        f"The memory of player {found.player} holds {found.held:,} samples, {found.samples:,} of them of "
        f"{found.label}. A sample r says what each action earned more than the strategy did, on average over the "
        "walks of one iteration that came by; it counts w, their number times that of the iteration. Their weighted "
        "mean:"
    )
    yield Paragraph(words(text))
    lines = [Equation((Symbol("m", of="a"), divide(Symbol("Σ w r"), Symbol("Σ w"))))]
    for action, total, mean in zip(found.actions, found.totals, found.means, strict=True):
        lines.append(Equation((Symbol("m", of=action), divide(Value(total), Value(found.weight)), Value(mean))))
    yield Equations(tuple(lines))


def _network_blocks(found: Advantages) -> Iterator[Block]:
    """What the network has learned of the means, and in which unit."""
    if not found.held:
        yield Paragraph(words("There is no network yet. Until there is one, every advantage counts as 0."))
        return
    steps = found.solution.recipe.settings.training
    text = (
        f"The network has learned the means of all information sets of player {found.player} in {steps:,} steps more. "
        "It measures them in their root mean square ρ, because for the strategy only their proportions count:"
    )
    yield Paragraph(words(text))
    yield Equations((Equation((Symbol("ρ"), Value(found.scale))),))
    wanted: tuple[Cell, ...] = tuple(Value(mean / found.scale) for mean in found.means) if found.scale else ()
    rows = zip(found.actions, wanted or (None,) * len(found.actions), map(Value, found.predicted), strict=True)
    yield Table("", ("action", "m / ρ", "R"), tuple(rows))
    yield Paragraph(words("R is what the network says. What it differs by from m / ρ is its error."))
