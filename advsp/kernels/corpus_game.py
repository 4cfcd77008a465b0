"""The game of corpus F in compiled form: a charged chain, and the predictor's marginals that charge it best.

The twin of :mod:`advsp.learners.corpus_game`, step by step the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner, kernel
from advsp.kernels.forward_backward import forward_backward, less_gold
from advsp.kernels.losses import register_loss
from advsp.kernels.structures.chain import ChainRows, first_cells
from advsp.kernels.twins import twin_of


@twin_of("corpus-game")
class CorpusGame(NamedTuple):
    """The corpus-F game of sentences.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    gold: int8 [T], gold tags.
    rows: layout of the potentials.
    latent: whether the tag before the sentence is summed over.
    classes: int64 [m], number of the class of every tag, -1 for those that are of none.
    stakes: float [K], what a class is played for.
    scores: float [K], the F-score at which the score of a class is made linear.
    recall: weight of recall against precision, squared.
    played: float [T, K], the predictor's marginals; met: float [T, K], the adversary's; changed in place.
    most: int64 [4], marginals whose covariances are looked at, Newton steps, sweeps and halvings.
    slight: float [3], part of a stake that is added to second derivatives; of its longest step, and of the
        value, that is too little to go on for.
    """

    offsets: np.ndarray
    gold: np.ndarray
    rows: ChainRows
    latent: bool
    classes: np.ndarray
    stakes: np.ndarray
    scores: np.ndarray
    recall: float
    played: np.ndarray
    met: np.ndarray
    most: np.ndarray
    slight: np.ndarray


@inner
def evaluate_corpus(loss, example, potentials, tolerance, moments):
    """See :func:`advsp.kernels.losses.evaluate`."""
    first, last = loss.offsets[example], loss.offsets[example + 1]
    value, gap, left = _settle(
        loss, potentials, tolerance, loss.played[first:last], loss.met[first:last], moments
    )
    value = less_gold(loss.rows, loss.gold[first:last], potentials, moments, value)
    return value - gap, value, left


@kernel
def _settle(loss, potentials, tolerance, played, met, moments):
    """Move the predictor's marginals ``played`` float [n, K] until their gap is within the tolerance.

    Writes the adversary's marginals ``met`` float [n, K] and ``moments`` float [n, w].

    Returns
    -------
    Value of the charged chain, its gap, and whether it is wider than asked for, 0 or 1.
    """
    charges = np.zeros((len(played), len(loss.classes)))
    value = _charged(loss, potentials, played, charges, met, moments)
    gap = _gap(loss, played, met)
    for _ in range(loss.most[1]):
        if gap <= tolerance:
            return value, gap, 0
        free = _free(loss, played, met)
        curved = _curvature(loss, free, met, moments)
        direction = _direction(loss, free, curved, played, met)
        step, value = _line_search(loss, potentials, free, direction, played, charges, met, moments, value)
        gap = _gap(loss, played, met)
        if step == 0.0:
            break
    return value, gap, 0 if gap <= tolerance else 1


@kernel
def _charged(loss, potentials, played, charges, met, moments):
    """Value of the chain that ``played`` float [n, K] charges; writes charges, met and moments."""
    n, m = charges.shape
    constant = 0.0
    for t in range(n):
        for k in range(len(loss.stakes)):
            constant += loss.stakes[k] * loss.scores[k] * played[t, k]
            met[t, k] = 0.0
        for c in range(m):
            k = loss.classes[c]
            if k >= 0:
                worth = (1.0 + loss.recall) * played[t, k] - loss.scores[k] * loss.recall
                charges[t, c] = -loss.stakes[k] * worth
    level = forward_backward(loss.rows, loss.latent, potentials, charges, moments)
    for t in range(n):
        for c in range(m):
            if loss.classes[c] >= 0:
                met[t, loss.classes[c]] += moments[t, c]
    return level + constant


@inner
def _slope(loss, k, met):
    """Derivative of the value by a marginal of class ``k`` where the adversary's is ``met``."""
    return loss.stakes[k] * (loss.scores[k] - (1.0 + loss.recall) * met)


@inner
def _gap(loss, played, met):
    """How far the value is above the best one at most: the gap of Frank and Wolfe, float [n, K] both."""
    gap = 0.0
    for t in range(len(played)):
        for k in range(len(loss.stakes)):
            slope = _slope(loss, k, met[t, k])
            gap += slope * played[t, k] - min(0.0, slope)
    return gap


@inner
def _free(loss, played, met):
    """Positions and classes int64 [k, 2] whose marginals can be bettered."""
    n, classes = played.shape
    free, count = np.empty((n * classes, 2), dtype=np.int64), 0
    for t in range(n):
        for k in range(classes):
            slope = _slope(loss, k, met[t, k])
            if (slope > 0.0 and played[t, k] > 0.0) or (slope < 0.0 and played[t, k] < 1.0):
                free[count, 0], free[count, 1] = t, k
                count += 1
    return free[:count]


@inner
def _curvature(loss, free, met, moments):
    """Second derivatives float [k, k] by ``free`` marginals; of too many the diagonal alone, [k, 1]."""
    count = len(free)
    if count > loss.most[0]:
        diagonal = np.empty((count, 1))
        for u in range(count):
            k, q = free[u, 1], met[free[u, 0], free[u, 1]]
            diagonal[u, 0] = ((1.0 + loss.recall) * loss.stakes[k]) ** 2 * q * (1.0 - q)
        return diagonal
    curved = np.empty((count, count))
    m = loss.rows.tags
    begin, _ = first_cells(loss.rows)
    here, there = np.empty(m), np.empty(m)
    for u in range(count):
        at, k = free[u]
        # Probability that the token has the class and a later one a tag, carried on from token to token.
        for c in range(m):
            here[c] = moments[at, c] if loss.classes[c] == k else 0.0
        t = at
        for v in range(u, count):
            while t < free[v, 0]:
                t += 1
                for c in range(m):
                    there[c] = 0.0
                for b in range(m):
                    if here[b] > 0.0:
                        share = here[b] / moments[t - 1, b]
                        for c in range(m):
                            there[c] += share * moments[t, begin + b * m + c]
                here, there = there, here
            other = free[v, 1]
            both = 0.0
            for c in range(m):
                if loss.classes[c] == other:
                    both += here[c]
            both -= met[at, k] * met[free[v, 0], other]
            both *= (1.0 + loss.recall) ** 2 * loss.stakes[k] * loss.stakes[other]
            curved[u, v] = curved[v, u] = both
    return curved


@inner
def _direction(loss, free, curved, played, met):
    """Where the value's second-order model is least within [0, 1], float [k], by coordinate descent."""
    count, whole = len(free), curved.shape[1] > 1 or len(free) == 1
    direction, slopes, least = np.zeros(count), np.empty(count), np.empty(count)
    for u in range(count):
        t, k = free[u]
        slopes[u] = _slope(loss, k, met[t, k])
        least[u] = (curved[u, u] if whole else curved[u, 0]) + loss.slight[0] * loss.stakes[k]
    for _ in range(loss.most[2] if whole else 1):
        moved, longest = 0.0, 0.0
        for u in range(count):
            longest = max(longest, abs(direction[u]))
            now = played[free[u, 0], free[u, 1]]
            # Where covariances are left out, half a step: neighbours move, too.
            goal = direction[u] - slopes[u] / least[u] * (1.0 if whole else 0.5)
            change = min(max(goal, -now), 1.0 - now) - direction[u]
            if change == 0.0:
                continue
            direction[u] += change
            moved, longest = max(moved, abs(change)), max(longest, abs(direction[u]))
            if whole:
                for v in range(count):
                    slopes[v] += curved[u, v] * change
                slopes[u] += loss.slight[0] * loss.stakes[free[u, 1]] * change
        if moved <= loss.slight[1] * longest:
            break
    return direction


@inner
def _line_search(loss, potentials, free, direction, played, charges, met, moments, value):
    """Go along ``direction`` float [k] as far as the value falls enough; the part gone, and the value there.

    Writes played, charges, met and moments.
    """
    count = len(free)
    falls, before = 0.0, np.empty(count)
    for u in range(count):
        t, k = free[u]
        before[u] = played[t, k]
        falls += _slope(loss, k, met[t, k]) * direction[u]
    # Where rounding hides how far the value falls the gap still shows which end is nearer.
    hidden, gap, step = -falls <= loss.slight[2] * abs(value), _gap(loss, played, met), 1.0
    for _ in range(1 if hidden else loss.most[3]):
        for u in range(count):
            t, k = free[u]
            played[t, k] = min(max(before[u] + step * direction[u], 0.0), 1.0)
        there = _charged(loss, potentials, played, charges, met, moments)
        if (_gap(loss, played, met) < gap) if hidden else (there <= value + 1e-4 * step * falls):
            return step, there
        step *= 0.5
    # Nothing is gained.
    for u in range(count):
        played[free[u, 0], free[u, 1]] = before[u]
    return 0.0, _charged(loss, potentials, played, charges, met, moments)


register_loss(CorpusGame, evaluate=evaluate_corpus)
