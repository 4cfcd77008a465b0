"""Weights to potentials and back: the linear map every learner shares.

Potentials are linear in the weights, example by example: a table [n, w] of numbers for n positions.
Moments, the expectations of the statistics those potentials multiply, have the same shape; the
adjoint, the transposed map, turns them into a gradient.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

import numpy as np

from advsp.engine.backends.description import Described
from advsp.engine.structures.base import Layout
from advsp.support.arrays import Floats, Ints, Labels


class LinearModel(Described, ABC):
    """A linear map from weights to the potentials of every example.

    Attributes
    ----------
    size: number of weights.
    examples: number of examples N.
    width: number of potentials per position w.
    offsets: int [N + 1]; example i owns the rows ``offsets[i]:offsets[i + 1]`` of stacked tables.
    blocks: parts of the weights, one after the other, that may differ in size by their nature.
    """

    size: int
    examples: int
    width: int
    offsets: Ints

    @property
    def blocks(self) -> list[slice]:
        return [slice(0, self.size)]

    @abstractmethod
    def support(self, example: int) -> Ints:
        """Indices of the weights that the example's potentials depend on, int64 [k], distinct."""

    @abstractmethod
    def potentials(self, example: int, local: Floats) -> Floats:
        """Potentials [n, w] of one example from the weights on its support [k]."""

    @abstractmethod
    def adjoint(self, example: int, moments: Floats) -> Floats:
        """Transposed map: the gradient on the support [k] of sum(moments * potentials)."""

    @abstractmethod
    def all_potentials(self, weights: Floats) -> Floats:
        """Potentials of all examples one below the other, [offsets[-1], w]."""

    @abstractmethod
    def adjoint_all(self, moments: Floats) -> Floats:
        """Transposed map for all examples at once, [size]."""

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """How tables of potentials stand for structures."""

    @property
    @abstractmethod
    def labels(self) -> Labels:
        """Gold labels of all examples one behind the other, int8 [offsets[-1]]."""

    def gold(self, example: int) -> Labels:
        """Gold labels of one example, int8 [n]."""
        return self.labels[self.rows(example)]

    def gold_moments(self, example: int) -> Floats:
        """Moments [n, w] of the example's gold labelling."""
        return self.layout.moments(example, self.gold(example)[None, :], np.ones(1))

    def by_block(self, values: Floats) -> Floats:
        """Of numbers [size] that all weights of a feature share: one for each feature of every example.

        Where every example touches all weights there is one for all.
        """
        return values[:1]

    def thinned(self, dropout: float, chance: np.random.Generator) -> Self:
        """The same map without a share of its features, drawn entry by entry; those left weigh the more.

        Raises
        ------
        TypeError: its features are not of the kind that can do without some.
        """
        raise TypeError(f"{type(self).__name__} does not do without features")

    def rows(self, example: int) -> slice:
        """Rows of one example in stacked tables."""
        return slice(int(self.offsets[example]), int(self.offsets[example + 1]))

    def frequencies(self) -> Ints:
        """Number of examples whose support holds each weight, int64 [size]."""
        count = np.zeros(self.size, dtype=np.int64)
        for example in range(self.examples):
            count[self.support(example)] += 1
        return count
