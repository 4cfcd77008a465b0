"""Linear chains: a potential for every tag and for every pair of neighbouring tags."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from advsp.engine.backends.description import Description
from advsp.engine.measures.base import AdditiveCosts, CountCosts
from advsp.engine.measures.roles import Roles
from advsp.engine.structures import structures
from advsp.engine.structures.base import Layout, Response, Structure, check_potentials
from advsp.engine.structures.independent import IndependentLabels
from advsp.support.arrays import Bools, Floats, Ints, Labels, plain

#: Counts whose dynamic programs run side by side when counts are scanned in the order of their bounds.
_BLOCK = 8

#: Positions of a chain and the chain over them alone, None where there are no positions.
Contraction: TypeAlias = "tuple[Ints, LinearChain | None]"


@structures.register("chain")
class LinearChain(Structure):
    """psi(y) = start[y_1] + sum_t unary[t, y_t] + sum_t pairwise[t, y_t, y_{t+1}].

    Parameters
    ----------
    unary: float [n, m].
    pairwise: float [m, m], or [n - 1, m, m] where it varies by position; rows are the left tag.
    start: float [m] or None, potential of the first tag.
    """

    def __init__(self, unary: Floats, pairwise: Floats, start: Floats | None = None) -> None:
        unary = np.array(unary, dtype=float)
        if unary.ndim != 2 or len(unary) == 0:
            raise ValueError(f"unary potentials must have shape [n, m] with n > 0, not {unary.shape}")
        self.length, self.labels = unary.shape
        if start is not None:
            unary[0] += start
        self.unary = unary
        pairwise = np.asarray(pairwise, dtype=float)
        check_potentials("unary", unary)
        check_potentials("pairwise", pairwise)
        full = (self.length - 1, self.labels, self.labels)
        if pairwise.shape != full[1:] and pairwise.shape != full:
            raise ValueError(
                f"pairwise potentials must have shape {full[1:]} or {full}, not {pairwise.shape}"
            )
        self.pairwise = np.broadcast_to(pairwise, full)

    def describe(self) -> Description:
        return Description("chain", {"unary": plain(self.unary), "pairwise": plain(self.pairwise)})

    def opponent(self) -> IndependentLabels:
        return IndependentLabels(np.zeros((self.length, 2)))

    def potential(self, labellings: Labels) -> Floats:
        total: Floats = self.unary[np.arange(self.length), labellings].sum(axis=1)
        if self.length > 1:
            steps = np.arange(self.length - 1)
            total = total + self.pairwise[steps, labellings[:, :-1], labellings[:, 1:]].sum(axis=1)
        return total

    def best(self) -> Labels:
        labelling: Labels = self.viterbi(self.unary[None])[0]
        return labelling

    def viterbi(self, unary: Floats) -> Labels:
        """Best labellings under b replaced unary potentials [b, n, m], int8 [b, n] (Viterbi)."""
        score = unary[:, 0]
        back = np.empty((self.length - 1, *score.shape), dtype=np.int8)
        for t in range(1, self.length):
            through = score[:, :, None] + self.pairwise[t - 1]
            back[t - 1] = through.argmax(axis=1)
            score = through.max(axis=1) + unary[:, t]
        labellings = np.empty((len(unary), self.length), dtype=np.int8)
        labellings[:, -1] = score.argmax(axis=1)
        every = np.arange(len(unary))
        for t in range(self.length - 1, 0, -1):
            labellings[:, t - 1] = back[t - 1, every, labellings[:, t]]
        return labellings

    def refresh(self, labellings: Labels, roles: Roles) -> Labels:
        """Keep the part of every position's tag; let Viterbi choose the tags anew under that constraint."""
        return self._complete(roles.parts[labellings], roles.parts)

    def _complete(self, pattern: Ints, parts: Ints) -> Labels:
        """Best labellings whose tags play exactly the parts of ``pattern``, int [b, n]."""
        forbidden = pattern[:, :, None] != parts
        return self.viterbi(np.where(forbidden, -np.inf, self.unary))

    # --- the adversary's best response -----------------------------------------------------------

    def respond_additive(self, costs: AdditiveCosts, prune: bool = True) -> Response:
        labelling = self.viterbi((self.unary - costs.costs)[None])[0]
        cost = costs.costs[np.arange(self.length), labelling].sum() - self.potential(labelling[None])[0]
        return Response(labelling, float(cost))

    def respond_by_count(self, costs: CountCosts, prune: bool) -> Response:
        """Algorithm 2 (LCFM) of the paper, for every count at once.

        With ``prune``, positions that can hold no tag that enters the score are contracted away
        first (max-marginals), and counts are scanned in the order of a lower bound.
        """
        parts = costs.roles.parts
        contraction: Contraction = np.arange(self.length), self
        if prune:
            contraction = self._contraction(tuple(parts != 0), costs.span)
        active, chain = contraction
        pattern = np.zeros((1, self.length), dtype=np.int64)
        if chain is not None:
            counts = np.arange(min(len(costs.constant), len(active) + 1))
            weights = costs.dense(self.length)[active]
            count, cost = chain._best_count(weights, costs, counts, prune)
            pattern[0, active] = chain._decode_count(weights[:, count], costs, count)
            return Response(self._complete(pattern, parts)[0], cost)
        labelling = self._complete(pattern, parts)
        return Response(labelling[0], float(costs.constant[0] - self.potential(labelling)[0]))

    def _best_count(self, weights: Floats, costs: CountCosts, counts: Ints, prune: bool) -> tuple[int, float]:
        """The best count and its cost minus potential."""
        if not prune or len(counts) <= _BLOCK:
            totals = costs.constant[counts] - self._values(weights, costs, counts)
            return int(totals.argmin()), float(totals.min())
        bounds = costs.constant[counts] - np.minimum(
            self._count_potentials(tuple(costs.counted))[counts],
            self._relaxed(weights[:, counts], costs),
        )
        order = np.argsort(bounds, kind="stable")
        best_count, best_cost = 0, np.inf
        for first in range(0, len(order), _BLOCK):
            block = order[first : first + _BLOCK]
            if bounds[block[0]] >= best_cost:
                break
            totals = costs.constant[block] - self._values(weights, costs, block)
            here = int(totals.argmin())
            if totals[here] < best_cost:
                best_count, best_cost = int(block[here]), float(totals[here])
        return best_count, best_cost

    def _values(self, weights: Floats, costs: CountCosts, counts: Ints) -> Floats:
        """Highest potential minus hit cost with exactly k counted tags, float [len(counts)].

        State: (count k aimed at, counted tags placed so far r, tag).  Time O(n K R m^2).
        """
        rows = int(counts.max()) + 1
        score = np.full((len(counts), rows, self.labels), -np.inf)
        score[:, 0, ~costs.counted] = self._charged(weights, costs, counts, 0)[:, ~costs.counted]
        if rows > 1:
            score[:, 1, costs.counted] = self._charged(weights, costs, counts, 0)[:, costs.counted]
        for t in range(1, self.length):
            through = (score[:, :, :, None] + self.pairwise[t - 1]).max(axis=2)
            through += self._charged(weights, costs, counts, t)[:, None, :]
            through[:, 1:, costs.counted] = through[:, :-1, costs.counted]
            through[:, 0, costs.counted] = -np.inf
            score = through
        values: Floats = score[np.arange(len(counts)), counts].max(axis=1)
        return values

    def _charged(self, weights: Floats, costs: CountCosts, counts: Ints, t: int) -> Floats:
        """Unary potential of position t less the cost of a hit there, [len(counts), m]."""
        charged: Floats = self.unary[t] - weights[t, counts, None] * costs.hits
        return charged

    def _decode_count(self, weights: Floats, costs: CountCosts, count: int) -> Ints:
        """The parts that the tags of a labelling play that attains :meth:`_values`, int [n]."""
        unary = self.unary - weights[:, None] * costs.hits
        step = costs.counted.astype(int)
        scores = np.full((self.length, count + 2, self.labels), -np.inf)
        # Row r + 1 holds the states with r counted tags placed; row 0 stays impossible.
        scores[0, 1, ~costs.counted] = unary[0, ~costs.counted]
        if count > 0:
            scores[0, 2, costs.counted] = unary[0, costs.counted]
        for t in range(1, self.length):
            through = (scores[t - 1, :, :, None] + self.pairwise[t - 1]).max(axis=1) + unary[t]
            scores[t, 1:, ~costs.counted] = through[1:, ~costs.counted].T
            scores[t, 1:, costs.counted] = through[:-1, costs.counted].T
        parts = costs.roles.parts
        pattern = np.empty(self.length, dtype=np.int64)
        row = count + 1
        tag = int(scores[-1, row].argmax())
        for t in range(self.length - 1, 0, -1):
            pattern[t] = parts[tag]
            row -= step[tag]
            tag = int((scores[t - 1, row] + self.pairwise[t - 1, :, tag]).argmax())
        pattern[0] = parts[tag]
        return pattern

    # --- exact pruning ---------------------------------------------------------------------------

    @cached_property
    def _max_marginals(self) -> Floats:
        """Best potential of any labelling with tag c at position t, float [n, m]."""
        forward, backward = np.empty_like(self.unary), np.zeros_like(self.unary)
        forward[0] = self.unary[0]
        for t in range(1, self.length):
            forward[t] = (forward[t - 1][:, None] + self.pairwise[t - 1]).max(axis=0) + self.unary[t]
        for t in range(self.length - 2, -1, -1):
            backward[t] = (self.pairwise[t] + (self.unary[t + 1] + backward[t + 1])).max(axis=1)
        return forward + backward

    def _contraction(self, scored: tuple[bool, ...], span: float) -> Contraction:
        """Positions that may hold a tag with a part in the score, and the chain over them alone.

        A best response loses at most the ``span`` of the score against the best potential, so a position
        whose tags with a part all fall short of that never has one.  The stretches between the
        remaining positions, free of such tags, become pairwise potentials (max-plus products).
        """
        if (scored, span) not in self._contractions:
            self._contractions[scored, span] = self._contract(np.array(scored), span)
        return self._contractions[scored, span]

    @cached_property
    def _contractions(self) -> dict[tuple[tuple[bool, ...], float], Contraction]:
        return {}

    def _contract(self, scored: Bools, span: float) -> Contraction:
        marginals = self._max_marginals
        best = marginals[0].max()
        slack = 1e-9 * max(1.0, abs(best))
        active = np.flatnonzero((marginals[:, scored] >= best - span - slack).any(axis=1))
        if len(active) in (0, self.length):
            return active, self if len(active) else None
        inactive = np.ones(self.length, dtype=bool)
        inactive[active] = False
        unary = np.where(inactive[:, None] & scored, -np.inf, self.unary)
        links, here = [], unary[0][None, :]
        for t in range(self.length):
            if t > 0:
                here = (here[:, :, None] + self.pairwise[t - 1]).max(axis=1) + unary[t]
            if not inactive[t]:
                links.append(here)
                here = np.where(np.eye(self.labels, dtype=bool), 0.0, -np.inf)
        tail = here.max(axis=1)
        first = np.zeros((len(active), self.labels))
        first[0] = links[0][0]
        first[-1] += tail
        pairwise = np.array(links[1:]).reshape(len(active) - 1, self.labels, self.labels)
        return active, LinearChain(first, pairwise)

    def _count_potentials(self, counted: tuple[bool, ...]) -> Floats:
        """Highest potential with exactly k counted tags, float [n + 1]."""
        if counted not in self._count_cache:
            flags = np.array(counted)
            score = np.full((self.length + 1, self.labels), -np.inf)
            score[0, ~flags], score[1, flags] = self.unary[0, ~flags], self.unary[0, flags]
            for t in range(1, self.length):
                through = (score[:, :, None] + self.pairwise[t - 1]).max(axis=1) + self.unary[t]
                through[1:, flags] = through[:-1, flags]
                through[0, flags] = -np.inf
                score = through
            self._count_cache[counted] = score.max(axis=1)
        return self._count_cache[counted]

    @cached_property
    def _count_cache(self) -> dict[tuple[bool, ...], Floats]:
        return {}

    def _relaxed(self, weights: Floats, costs: CountCosts) -> Floats:
        """Highest potential minus hit cost when the number of counted tags is left free, [K]."""
        charged = self.unary - weights.T[:, :, None] * costs.hits
        score = charged[:, 0]
        for t in range(1, self.length):
            score = (score[:, :, None] + self.pairwise[t - 1]).max(axis=1) + charged[:, t]
        highest: Floats = score.max(axis=1)
        return highest


@dataclass(frozen=True)
class ChainRows(Layout):
    """Rows of m potentials of a token's tags and then those of the step into the token.

    Attributes
    ----------
    tags: number of tags m.
    own: whether START is a tag of its own: then m potentials of START and each tag come before those of the
        m * m pairs, rows of the pair table first; else a tag stands before the sentence.
    background: that tag.
    """

    tags: int
    own: bool
    background: int

    def describe(self) -> Description:
        return Description("chain-rows", {"tags": self.tags, "own": self.own, "background": self.background})

    @property
    def labels(self) -> int:
        return self.tags

    @property
    def free(self) -> bool:
        return True

    def structure(self, example: int, potentials: Floats) -> LinearChain:
        m = self.tags
        unary, edges = potentials[:, :m], potentials[:, m:]
        if self.own:
            return LinearChain(unary, edges[1:, m:].reshape(-1, m, m), edges[0, :m])
        pairs = edges.reshape(-1, m, m)
        return LinearChain(unary, pairs[1:], pairs[0, self.background])

    def moments(self, example: int, labellings: Labels, probabilities: Floats) -> Floats:
        m, n = self.tags, labellings.shape[1]
        width = m + m * m + (m if self.own else 0)
        tags = labellings.astype(np.int64)
        edge = np.empty_like(tags)
        if self.own:
            edge[:, 0] = tags[:, 0]
            edge[:, 1:] = m + tags[:, :-1] * m + tags[:, 1:]
        else:
            edge[:, 0] = self.background * m + tags[:, 0]
            edge[:, 1:] = tags[:, :-1] * m + tags[:, 1:]
        base = np.arange(n) * width
        index = np.concatenate([(base + tags).ravel(), (base + m + edge).ravel()])
        mass = np.tile(np.repeat(probabilities, n), 2)
        # numpy's types know counts alone; sums of masses are floats.
        moments = np.bincount(index, mass, minlength=n * width).astype(float, copy=False)
        return moments.reshape(n, width)
