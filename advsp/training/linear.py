"""Weights to potentials and back: the linear map every learner shares.

Potentials are linear in the weights, example by example: a table [n, w] of numbers for n positions.
Moments, the expectations of the statistics those potentials multiply, have the same shape; pulling
them back through the transposed map gives a gradient.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np


class LinearModel(ABC):
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
    offsets: np.ndarray

    @property
    def blocks(self) -> list[slice]:
        return [slice(0, self.size)]

    @abstractmethod
    def support(self, example: int) -> np.ndarray:
        """Indices of the weights that the example's potentials depend on, int64 [k], distinct."""

    @abstractmethod
    def potentials(self, example: int, local: np.ndarray) -> np.ndarray:
        """Potentials [n, w] of one example from the weights on its support [k]."""

    @abstractmethod
    def pull_back(self, example: int, moments: np.ndarray) -> np.ndarray:
        """Transposed map: the gradient on the support [k] of sum(moments * potentials)."""

    @abstractmethod
    def all_potentials(self, weights: np.ndarray) -> np.ndarray:
        """Potentials of all examples one below the other, [offsets[-1], w]."""

    @abstractmethod
    def pull_back_all(self, moments: np.ndarray) -> np.ndarray:
        """Transposed map for all examples at once, [size]."""

    @abstractmethod
    def gold_moments(self, example: int) -> np.ndarray:
        """Moments [n, w] of the example's gold labelling."""

    def kernel(self) -> NamedTuple | None:
        """The map as the kernels take it (:mod:`advsp.kernels.models`); None if there is none.

        To be asked for only where kernels are available.
        """
        return None

    def by_block(self, values: np.ndarray) -> np.ndarray:
        """Of numbers [size] that all weights of a feature share: one for each of the kernel's blocks.

        Where every example touches all weights there is one block.
        """
        return values[:1]

    def rows(self, example: int) -> slice:
        """Rows of one example in stacked tables."""
        return slice(int(self.offsets[example]), int(self.offsets[example + 1]))

    def frequencies(self) -> np.ndarray:
        """Number of examples whose support holds each weight, int64 [size]."""
        count = np.zeros(self.size, dtype=np.int64)
        for example in range(self.examples):
            count[self.support(example)] += 1
        return count
