"""Measures that are linear in hits once the numbers of positives of both players are given.

Most measures of a class that people use are of this kind: F-scores, the alignment error rate, precision,
recall, accuracy, Cohen's kappa, Matthews' correlation, informedness.  Best responses need nothing else: for
every count the structure finds the best labelling with exactly so many positives.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property, lru_cache
from typing import ClassVar, Self, final

import numpy as np
from numpy.typing import ArrayLike

from advsp.engine.measures.base import CountCosts, Measure, Score
from advsp.engine.measures.roles import Roles
from advsp.engine.mixture import Mixture
from advsp.support.arrays import Bools, Floats, Ints, Labels

#: The part of the predictor's labels: a one counts and is a hit.
ONES = Roles.of_target(2, 1)
#: Positions up to which a measure is tried out.
_TRIED = 6


class CountMeasure(Measure):
    """score(a, y) = alpha(|a|, |y|, n) * sum_t a_t hits[y_t] + beta(|a|, |y|, n).

    |a| is the number of ones, |y| the number of labels that are counted, n the number of positions.  A
    measure says what alpha and beta are, the value where they are undefined, and the range; everything else
    follows.  alpha must not be negative: a hit never costs.  What it says of itself is tried out in a few
    positions before the first game: by a wrong range, say, best strategies would be pruned.

    Attributes
    ----------
    lowest, highest: all scores lie between them; the narrower they are, the more can be pruned.
    frugal: whether alpha never grows with |a| and beta is zero but where the measure is undefined, so that a
        one where nothing can be hit never pays; then such labellings are not looked at.

    Source: the common form of Eqs. (1) and (2) of the paper; see GFM (Dembczynski et al., 2011).
    """

    lowest: ClassVar[float] = 0.0
    highest: ClassVar[float] = 1.0
    frugal: ClassVar[bool] = False

    @abstractmethod
    def coefficients(self, predicted: Ints, actual: Ints, length: Ints) -> tuple[Floats, Floats]:
        """alpha and beta at counts ``predicted`` and ``actual`` of ``length`` positions.

        The counts broadcast, and what is returned broadcasts to their shape.  Not finite (0 / 0, say) where
        the measure is undefined.
        """

    def undefined(self, predicted: Ints, actual: Ints, length: Ints) -> Floats | float:
        """The score at counts where :meth:`coefficients` are not finite; hits make no difference there."""
        return 1.0

    def permitted(self, length: int) -> tuple[int, int]:
        """The least and the largest number of ones that the predictor may place in ``length`` positions."""
        return 0, length

    @classmethod
    def of_corpora(cls) -> Self:
        """The measure of whole corpora, where what the predictor is permitted plays no part."""
        return cls()

    @final
    def defined(self, predicted: ArrayLike, actual: ArrayLike, length: ArrayLike) -> tuple[Floats, Floats]:
        """alpha and beta at any counts, all of which broadcast: 0 and the value where it is undefined."""
        predicted, actual, length = np.asarray(predicted), np.asarray(actual), np.asarray(length)
        shape = np.broadcast_shapes(predicted.shape, actual.shape, length.shape)
        weights, offsets = np.empty(shape), np.empty(shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            weights[...], offsets[...] = self.coefficients(predicted, actual, length)
        nowhere = ~(np.isfinite(weights) & np.isfinite(offsets))
        if nowhere.any():
            value = np.broadcast_to(self.undefined(predicted, actual, length), shape)
            weights[nowhere], offsets[nowhere] = 0.0, value[nowhere]
        return weights, offsets

    @final
    def linear(self, predicted: ArrayLike, actual: ArrayLike, length: int) -> tuple[Floats, Floats]:
        """:meth:`defined`, with a beta of minus infinity where the predictor may not place so many ones."""
        predicted, actual = np.asarray(predicted), np.asarray(actual)
        weights, offsets = self.defined(predicted, actual, length)
        least, most = self.permitted(length)
        if (least, most) != (0, length):
            refused = np.broadcast_to((predicted < least) | (predicted > most), weights.shape)
            weights[refused], offsets[refused] = 0.0, -np.inf
        return weights, offsets

    @final
    def on(self, roles: Roles) -> CountScore:
        """The measure of labels that play such parts.

        Raises
        ------
        ValueError: the measure is not what it says of itself.
        """
        _try_out(self, _worth(roles, roles.counted), _worth(roles, ~roles.counted))
        return CountScore(self, roles)

    def on_target(self, labels: int, target: int | tuple[int, ...]) -> CountScore:
        return self.on(Roles.of_target(labels, target))

    def on_links(self) -> CountScore:
        return self.on(Roles.of_links())


@final
class CountScore(Score):
    """A measure of labels that play certain parts; attributes as of :class:`CountMeasure`.

    Parameters
    ----------
    measure: how hits and counts make the score.
    roles: what the adversary's labels count, and which are hits.
    """

    by_count = True

    def __init__(self, measure: CountMeasure, roles: Roles) -> None:
        self.measure, self.roles = measure, roles

    @cached_property
    def span(self) -> float:
        """How far two scores can be apart."""
        return self.measure.highest - self.measure.lowest

    def highest(self, labelling: Labels) -> float:
        """The score of the best of all 0/1 labellings against one labelling [n] of the adversary."""
        hits = self.roles.hits[labelling]
        worth = tuple(sorted(hits[hits > 0.0].tolist(), reverse=True))
        return _highest(self.measure, worth, int(self.roles.counted[labelling].sum()), len(labelling))

    def scores(self, predicted: Labels, actual: Labels) -> Floats:
        ones, counts = predicted.sum(axis=1), self.roles.counted[actual].sum(axis=1)
        hits: Floats = predicted.astype(float) @ self.roles.hits[actual].T
        weights, offsets = self.measure.linear(ones[:, None], counts[None, :], predicted.shape[1])
        return hits * weights + offsets

    def predictor_costs(self, adversary: Mixture) -> CountCosts:
        adversary = adversary.support()
        hits = self.roles.hits[adversary.labellings]
        counts = self.roles.counted[adversary.labellings].sum(axis=1)
        length = adversary.labellings.shape[1]
        positions = np.flatnonzero(hits.any(axis=0))
        measure = self.measure
        # A predictor that must place more ones than can be hit places them anywhere.
        thrifty = measure.frugal and measure.permitted(length)[0] == 0
        own = np.arange((len(positions) if thrifty else length) + 1)
        weights, offsets = measure.linear(own[None, :], counts[:, None], length)
        # Costs are minus the score from the first: over thousands of positions weights are not to be copied.
        mass = -adversary.probabilities
        costs = (hits[:, positions] * mass[:, None]).T @ weights
        return CountCosts(positions, costs, _expected(mass, offsets), ONES, self.span)

    def adversary_costs(self, predictor: Mixture) -> CountCosts:
        predictor = predictor.support()
        ones = predictor.labellings.astype(float)
        counts = predictor.labellings.sum(axis=1)
        length = predictor.labellings.shape[1]
        positions = np.flatnonzero(ones.any(axis=0))
        own = np.arange(length + 1)
        weights, offsets = self.measure.linear(counts[:, None], own[None, :], length)
        mass = predictor.probabilities
        costs = (ones[:, positions] * mass[:, None]).T @ weights
        return CountCosts(positions, costs, _expected(mass, offsets), self.roles, self.span)


def _worth(roles: Roles, among: Bools) -> tuple[float, float] | None:
    """The least and the most that hitting one of some labels is worth; None if there are no such labels."""
    hits = roles.hits[among]
    return (float(hits.min()), float(hits.max())) if len(hits) else None


@lru_cache(maxsize=1024)
def _try_out(
    measure: CountMeasure, counted: tuple[float, float] | None, others: tuple[float, float] | None
) -> None:
    """See whether a measure is what it says of itself, at all counts of up to :data:`_TRIED` positions.

    Parameters
    ----------
    counted, others: what hitting labels that count is worth, and hitting those that do not.

    Raises
    ------
    ValueError: it is not.
    """
    name = type(measure).__name__
    worths = list(zip(counted or (0.0, 0.0), others or (0.0, 0.0), strict=True))
    for length in range(1, _TRIED + 1):
        least, most = measure.permitted(length)
        ones, counts = np.arange(least, most + 1)[:, None], np.arange(length + 1)
        weights, offsets = measure.linear(ones, counts, length)
        if not (weights >= 0.0).all():
            raise ValueError(f"{name}: alpha is negative in {length} positions; a hit must not cost anything")
        if measure.frugal and least == 0:
            falling = weights[0, 0] == 0.0 and (np.diff(weights[1:], axis=0) <= 0.0).all()
            if not falling or offsets[1:].any() or offsets[0, 1:].any():
                raise ValueError(
                    f"{name}: a one may pay where nothing can be hit, in {length} positions; "
                    "such a measure states frugal = False"
                )
        there = ((counts == 0) | (counted is not None)) & ((counts == length) | (others is not None))
        # Scores are linear in the number of counted labels that are hit, so extremes are at its ends.
        for met in (np.maximum(0, ones + counts - length), np.minimum(ones, counts)):
            for worth, of_others in worths:
                hits = met * worth + (ones - met) * of_others
                scores = weights * hits + offsets
                within = (scores >= measure.lowest - 1e-9) & (scores <= measure.highest + 1e-9)
                if (there & ~within).any():
                    row, count = np.argwhere(there & ~within)[0]
                    raise ValueError(
                        f"{name}: the score is {scores[row, count]:.4g} for {ones[row, 0]} ones against "
                        f"{count} positives in {length} positions, of {hits[row, count]:g} hits; expected "
                        f"one from {measure.lowest:g} to {measure.highest:g}, as its lowest and highest say"
                    )


@lru_cache(maxsize=4096)
def _highest(measure: CountMeasure, worth: tuple[float, ...], count: int, length: int) -> float:
    """The best score against a labelling with so many counted labels and hits of such ``worth``, falling."""
    weights, offsets = measure.linear(np.arange(length + 1), count, length)
    hits = np.concatenate([[0.0], np.cumsum(worth), np.full(length - len(worth), sum(worth))])
    best = float((hits * weights + offsets).max())
    # What rounding takes from a perfect score is given back.
    return measure.highest if abs(best - measure.highest) < 1e-12 else best


def _expected(mass: Floats, offsets: Floats) -> Floats:
    """Sums over strategies [s] of their mass times offsets [s, K], float [K]."""
    some = offsets != 0.0
    if some[:, 1:].any():
        return mass @ offsets
    # As for frugal measures: strategies without an offset take no part, not even in the order of the sum.
    constant = np.zeros(offsets.shape[1])
    constant[0] = (mass[some[:, 0]] * offsets[some[:, 0], 0]).sum()
    return constant
