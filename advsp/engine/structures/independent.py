"""Independent labels: any labelling is allowed, potentials add up over positions."""

from __future__ import annotations

from typing import Self

import numpy as np

from advsp.engine.backends.description import Description
from advsp.engine.measures.base import AdditiveCosts, CountCosts
from advsp.engine.structures import structures
from advsp.engine.structures.base import LinkStructure, Response, check_potentials
from advsp.support.arrays import Bools, Floats, Ints, Labels, plain

#: Largest number of (position, count) cells held at once.
_CELLS = 1_000_000
#: Counts looked at together when they are scanned in the order of their bounds.
_BLOCK = 16


@structures.register("independent")
class IndependentLabels(LinkStructure):
    """psi(y) = sum_t potentials[t, y_t].

    Parameters
    ----------
    potentials: float [n, L].
    """

    def __init__(self, potentials: Floats) -> None:
        self.potentials = np.asarray(potentials, dtype=float)
        check_potentials("label", self.potentials)
        self.length, self.labels = self.potentials.shape

    free = True
    rows = "link-rows"

    @classmethod
    def of_links(cls, potentials: Floats, shape: tuple[int, int]) -> Self:
        return cls(potentials)

    def describe(self) -> Description:
        return Description("independent", {"potentials": plain(self.potentials)})

    def opponent(self) -> IndependentLabels:
        return IndependentLabels(np.zeros((self.length, 2)))

    def potential(self, labellings: Labels) -> Floats:
        potential: Floats = self.potentials[np.arange(self.length), labellings].sum(axis=1)
        return potential

    def best(self) -> Labels:
        labelling: Labels = self.potentials.argmax(axis=1).astype(np.int8)
        return labelling

    def respond_additive(self, costs: AdditiveCosts, prune: bool = True) -> Response:
        reduced = costs.costs - self.potentials
        labelling = reduced.argmin(axis=1)
        return Response(labelling.astype(np.int8), float(reduced.min(axis=1).sum()))

    def respond_by_count(self, costs: CountCosts, prune: bool) -> Response:
        """GFM (Dembczynski et al., 2011) and, with potentials, Algorithm 1 of the paper.

        For each count k every position pays its cheapest uncounted label, and the k positions at
        which the cheapest counted label costs least in addition pay that instead.  With ``prune``
        only counts that can still win are looked at, and only positions that the opponent's mixture
        can hit are sorted anew.
        """
        counts = np.arange(min(len(costs.constant), self.length + 1))
        if prune:
            count, cost = self._scan(costs, counts)
        else:
            count, cost = self._scan_all(costs, counts)
        return Response(self._labelling(costs, count), cost)

    def _scan_all(self, costs: CountCosts, counts: Ints) -> tuple[int, float]:
        """The best count and its cost, as the algorithm is written: time O(K n log n)."""
        best_count, best_cost = 0, np.inf
        block = max(1, _CELLS // self.length)
        for first in range(0, len(counts), block):
            chunk = counts[first : first + block]
            base, extra = self._by_count(costs, chunk)
            extra.sort(axis=0)
            cumulated = np.vstack([np.zeros(len(chunk)), np.cumsum(extra, axis=0)])
            totals = base.sum(axis=0) + cumulated[chunk, np.arange(len(chunk))] + costs.constant[chunk]
            here = int(totals.argmin())
            if totals[here] < best_cost:
                best_count, best_cost = int(chunk[here]), float(totals[here])
        return best_count, best_cost

    # --- exact pruning ---------------------------------------------------------------------------

    def _scan(self, costs: CountCosts, counts: Ints) -> tuple[int, float]:
        """The best count and its cost, counts taken in the order of a lower bound.

        Hits of the adversary cost something, hits of the predictor earn something: a position's cost
        is bounded from below by its cheapest over the counts.
        """
        free = np.ones(self.length, dtype=bool)
        free[costs.positions] = False
        counted = costs.counted
        base, extra = _split(-self.potentials[free], counted)
        extra.sort()
        rest, rest_base = np.concatenate([[0.0], np.cumsum(extra)]), float(base.sum())
        potentials = -self.potentials[costs.positions]
        cheapest = potentials + costs.weights.min(axis=1, initial=np.inf)[:, None] * costs.hits
        bound_base, bound_extra = _split(cheapest, counted)
        # Where a count makes another label cheapest the two parts move against each other; a counted
        # label costs at least its bound, an uncounted one at least its own.
        lowest = np.sort(np.concatenate([bound_extra, extra]))
        bounds = costs.constant[counts] + rest_base + bound_base.sum()
        bounds = bounds + np.concatenate([[0.0], np.cumsum(lowest)])[counts]
        order = np.argsort(bounds, kind="stable")
        best_count, best_cost = 0, np.inf
        for first in range(0, len(order), _BLOCK):
            block = order[first : first + _BLOCK]
            if bounds[block[0]] >= best_cost:
                break
            reduced = potentials[:, None, :] + costs.weights[:, block, None] * costs.hits
            base, extra = _split(reduced, counted)
            totals = base.sum(axis=0) + _smallest(extra, rest, block) + rest_base + costs.constant[block]
            here = int(totals.argmin())
            if totals[here] < best_cost:
                best_count, best_cost = int(block[here]), float(totals[here])
        return best_count, best_cost

    def _reduced(self, costs: CountCosts, counts: Ints) -> Floats:
        """Cost minus potential of every label at every position and count, [L, n, k]."""
        reduced = np.repeat(-self.potentials.T[:, :, None], len(counts), axis=2)
        hit = np.flatnonzero(costs.hits)
        reduced[np.ix_(hit, costs.positions)] += (
            costs.hits[hit, None, None] * costs.weights[None][:, :, counts]
        )
        return reduced

    def _by_count(self, costs: CountCosts, counts: Ints) -> tuple[Floats, Floats]:
        """Cheapest uncounted label [n, k], and what the cheapest counted one costs in addition."""
        reduced = self._reduced(costs, counts)
        return _split(np.moveaxis(reduced, 0, -1), costs.counted)

    def _labelling(self, costs: CountCosts, count: int) -> Labels:
        reduced = self._reduced(costs, np.array([count]))[:, :, 0]
        uncounted, counted = np.flatnonzero(~costs.counted), np.flatnonzero(costs.counted)
        labelling: Ints = uncounted[reduced[uncounted].argmin(axis=0)]
        extra = reduced[counted].min(axis=0) - reduced[uncounted].min(axis=0)
        chosen = np.argsort(extra, kind="stable")[:count]
        labelling[chosen] = counted[reduced[counted][:, chosen].argmin(axis=0)]
        return labelling.astype(np.int8)


def _split(reduced: Floats, counted: Bools) -> tuple[Floats, Floats]:
    """Of costs [..., L]: the cheapest uncounted label [...], and what the cheapest counted one adds [...].

    Raises
    ------
    ValueError: a position at which every uncounted label is forbidden.
    """
    base = reduced[..., ~counted].min(axis=-1)
    if not np.isfinite(base).all():
        raise ValueError("every position needs a label that does not count and is not forbidden")
    return base, reduced[..., counted].min(axis=-1) - base


def _smallest(extra: Floats, rest: Floats, counts: Ints) -> Floats:
    """Sum of the k smallest of two groups of costs, for every k in ``counts``, float [K].

    Parameters
    ----------
    extra: float [q, K], the first group, another one for every k.
    rest: float [r + 1], sums of the 0, 1, … r smallest of the second group.
    """
    sums = np.vstack([np.zeros(len(counts)), np.cumsum(np.sort(extra, axis=0), axis=0)])
    others = counts[None, :] - np.arange(len(sums))[:, None]
    possible = (others >= 0) & (others < len(rest))
    totals = np.where(possible, sums + rest[np.clip(others, 0, len(rest) - 1)], np.inf)
    smallest: Floats = totals.min(axis=0)
    return smallest
