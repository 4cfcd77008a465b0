"""Independent labels: any labelling is allowed, potentials add up over positions."""

from __future__ import annotations

import numpy as np

from advsp.measures.base import AdditiveCosts, CountCosts
from advsp.structures import structures
from advsp.structures.base import Response, Structure

#: Largest number of (position, count) cells held at once.
_CELLS = 4_000_000


@structures.register("independent")
class IndependentLabels(Structure):
    """psi(y) = sum_t potentials[t, y_t].

    Parameters
    ----------
    potentials: float [n, L].
    """

    def __init__(self, potentials: np.ndarray) -> None:
        self.potentials = np.asarray(potentials, dtype=float)
        self.length, self.labels = self.potentials.shape

    def potential(self, labellings: np.ndarray) -> np.ndarray:
        return self.potentials[np.arange(self.length), labellings].sum(axis=1)

    def best(self) -> np.ndarray:
        return self.potentials.argmax(axis=1).astype(np.int8)

    def respond_additive(self, costs: AdditiveCosts) -> Response:
        reduced = costs.costs - self.potentials
        labelling = reduced.argmin(axis=1)
        return Response(labelling.astype(np.int8), float(reduced.min(axis=1).sum()))

    def respond_by_count(self, costs: CountCosts, prune: bool) -> Response:
        """GFM (Dembczynski et al., 2011) and, with potentials, Algorithm 1 of the paper.

        For each count k every position pays its cheapest uncounted label, and the k positions at
        which the cheapest counted label costs least in addition pay that instead.
        Time O(K n log n), memory O(n) per count.
        """
        counts = np.arange(min(len(costs.constant), self.length + 1))
        block = max(1, _CELLS // self.length)
        best_cost, best_count = np.inf, 0
        for first in range(0, len(counts), block):
            chunk = counts[first : first + block]
            base, extra = self._by_count(costs, chunk)
            extra.sort(axis=0)
            cumulated = np.vstack([np.zeros(len(chunk)), np.cumsum(extra, axis=0)])
            totals = base.sum(axis=0) + cumulated[chunk, np.arange(len(chunk))] + costs.constant[chunk]
            here = int(totals.argmin())
            if totals[here] < best_cost:
                best_cost, best_count = float(totals[here]), int(chunk[here])
        return Response(self._labelling(costs, best_count), best_cost)

    def _reduced(self, costs: CountCosts, counts: np.ndarray) -> np.ndarray:
        """Cost minus potential of every label at every position and count, [L, n, k]."""
        reduced = np.repeat(-self.potentials.T[:, :, None], len(counts), axis=2)
        hit = np.flatnonzero(costs.hits)
        reduced[np.ix_(hit, costs.positions)] += (
            costs.hits[hit, None, None] * costs.weights[None][:, :, counts]
        )
        return reduced

    def _by_count(self, costs: CountCosts, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Cheapest uncounted label [n, k], and what the cheapest counted one costs in addition."""
        reduced = self._reduced(costs, counts)
        base = reduced[~costs.counted].min(axis=0)
        return base, reduced[costs.counted].min(axis=0) - base

    def _labelling(self, costs: CountCosts, count: int) -> np.ndarray:
        reduced = self._reduced(costs, np.array([count]))[:, :, 0]
        uncounted, counted = np.flatnonzero(~costs.counted), np.flatnonzero(costs.counted)
        labelling = uncounted[reduced[uncounted].argmin(axis=0)]
        extra = reduced[counted].min(axis=0) - reduced[uncounted].min(axis=0)
        chosen = np.argsort(extra, kind="stable")[:count]
        labelling[chosen] = counted[reduced[counted][:, chosen].argmin(axis=0)]
        return labelling.astype(np.int8)
