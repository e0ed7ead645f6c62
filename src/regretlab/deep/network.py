"""The networks: small, fully connected, trained on a tally. The only file that imports torch.

The same seed gives the same bits on the same machine: one thread, deterministic algorithms, and a generator of its own
for each training, so nothing depends on what was drawn before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise, repeat
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from regretlab.deep.encoding import Encoding
from regretlab.deep.memory import Tally
from regretlab.deep.settings import Settings
from regretlab.forms.kernel import Floats

Weights = Mapping[str, NDArray[Any]]
"""What a network has learned: ``weight0`` (inputs, units), ``bias0`` (units,), and so on, layer by layer."""

GOING_ON = 0.2
"""The part of the step size with which a network goes on: there is little left to learn, and much to forget."""


@contextmanager
def reproducible() -> Iterator[None]:
    """One thread and deterministic algorithms, and afterwards whatever was set before."""
    threads, deterministic = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(deterministic)


class Trained(NamedTuple):
    """A network after its training."""

    table: Floats  # (sequences,) what it predicts for each action
    loss: float  # the weighted mean of its squared errors
    weights: Weights


class Networks:
    """Trains one player's networks: those of the advantages, and that of the average strategy."""

    def __init__(self, encoding: Encoding, settings: Settings) -> None:
        self._settings = settings
        self._encoding = encoding
        self._key = encoding.row * encoding.outputs + encoding.output
        self._features = None if encoding.features is None else torch.from_numpy(encoding.features)
        self._sizes = [encoding.inputs, *[settings.width] * settings.layers, encoding.outputs]

    def advantages(self, tally: Tally, seed: int, last: Weights | None = None) -> Trained:
        """A network that predicts the mean of the advantages at each information set: a new one, or the last goes on.

        Ways to weigh are scale-free, so advantages are measured in units of their root mean square, and the loss with
        them: then one step size suits all games.
        """
        weight, mean = self._means(tally)
        scale = float((weight * mean * mean).sum().sqrt()) or 1.0
        return self._train(weight, mean / scale, seed, self._settings.training, last)

    def strategy(self, tally: Tally, seed: int, iterations: int) -> Trained:
        """A new network that predicts the mean of the strategies of so many iterations: the average strategy.

        It has to come as close to the average as that has come to an equilibrium, so it gets √t times the steps. Its
        outputs are the probabilities themselves: those of a softmax come near to 0 and 1 only slowly.
        """
        return self._train(*self._means(tally), seed, round(iterations**0.5 * self._settings.training))

    def predictions(self, weights: Weights) -> Floats:
        """What the network with these weights says of every action, all information sets in one batch."""
        with reproducible():
            return self._table([torch.from_numpy(weights[name]) for name in self._shapes()])

    def fits(self, weights: Weights) -> bool:
        """Whether these can be the weights of a network for this player."""
        shapes = self._shapes()
        return weights.keys() == shapes.keys() and all(
            weights[name].shape == shape and weights[name].dtype == np.float32 and np.isfinite(weights[name]).all()
            for name, shape in shapes.items()
        )

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """How weights and biases are called, layer by layer, and how large they are."""
        layers = enumerate(pairwise(self._sizes))
        return {
            f"{kind}{layer}": shape
            for layer, (size, units) in layers
            for kind, shape in (("weight", (size, units)), ("bias", (units,)))
        }

    def _summed(self, of_actions: Floats) -> torch.Tensor:
        """A number for each action, summed where actions share row and output (rows, outputs)."""
        shape = self._encoding.rows, self._encoding.outputs
        return torch.from_numpy(np.bincount(self._key, of_actions, shape[0] * shape[1]).reshape(shape))

    def _means(self, tally: Tally) -> tuple[torch.Tensor, torch.Tensor]:
        """The weight of each row and output, 1 in sum, and the mean of the samples there."""
        weight, total = self._summed(tally.weight[self._encoding.infoset]), self._summed(tally.total[1:])
        mean = torch.where(weight > 0, total / weight, 0.0)
        return (weight / weight.sum()).float(), mean.float()

    def _train(
        self,
        weight: torch.Tensor,
        target: torch.Tensor,
        seed: int,
        steps: int,
        last: Weights | None = None,
    ) -> Trained:
        """Adam (Kingma, Ba, 2015) on the weighted squared error, with a step size that falls to 0."""
        with reproducible():
            random = torch.Generator().manual_seed(seed)
            begun = self._initial(random) if last is None else [torch.tensor(last[name]) for name in self._shapes()]
            parameters = [each.requires_grad_() for each in begun]
            rate = float(self._settings.rate) * (1 if last is None else GOING_ON)
            adam = torch.optim.Adam(parameters, lr=rate, fused=True)
            for step, (rows, weights) in zip(range(steps), self._batches(weight, random), strict=False):
                adam.param_groups[0]["lr"] = rate * (1 - step / steps)
                error = self._forward(parameters, rows) - target[rows]
                loss = (weights * error * error).sum()
                loss.backward()  # type: ignore[no-untyped-call]
                adam.step()
                adam.zero_grad()
            return Trained(self._table(parameters), float(loss.detach()), self._named(parameters))

    def _batches(self, weight: torch.Tensor, random: torch.Generator) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """The rows of each step and the weights in them: all that are in the memory, or some, drawn by their weight."""
        of_row = weight.sum(dim=1)
        known, size = of_row.nonzero()[:, 0], self._settings.batch
        if len(known) <= size:
            yield from repeat((known, weight[known]))
        while True:
            drawn = torch.multinomial(of_row, size, replacement=True, generator=random)
            yield drawn, weight[drawn] / (size * of_row[drawn, None])

    def _initial(self, random: torch.Generator) -> list[torch.Tensor]:
        """Weights and biases as He et al. (2015) begin for rectified units; the last layer begins at 0."""
        parameters = []
        for layer, (size, units) in enumerate(pairwise(self._sizes[:-1])):
            active = 1 if layer == 0 and self._features is None else size
            parameters += [torch.randn(size, units, generator=random) * (2 / active) ** 0.5, torch.zeros(units)]
        return [*parameters, torch.zeros(self._sizes[-2], self._sizes[-1]), torch.zeros(self._sizes[-1])]

    def _forward(self, parameters: list[torch.Tensor], rows: torch.Tensor) -> torch.Tensor:
        """The outputs for some rows. With one-hot inputs the first product picks rows of the weights."""
        weight, bias, *later = parameters
        layer = (weight[rows] if self._features is None else self._features[rows] @ weight) + bias
        for weight, bias in zip(later[::2], later[1::2], strict=True):
            layer = torch.relu(layer) @ weight + bias
        return layer

    @torch.no_grad()
    def _table(self, parameters: list[torch.Tensor]) -> Floats:
        """The predictions for all information sets by sequence; that of the empty one is 0."""
        found = self._forward(parameters, torch.arange(self._encoding.rows))
        return np.concatenate([[0.0], found.double().flatten().numpy()[self._key]])

    def _named(self, parameters: list[torch.Tensor]) -> Weights:
        arrays = (parameter.detach().numpy().copy() for parameter in parameters)
        return dict(zip(self._shapes(), arrays, strict=True))
