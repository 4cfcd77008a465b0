"""One response to one mixture and what it is worth, for double oracles that run outside the kernels."""

from __future__ import annotations

import numpy as np

from advsp.kernels.compilation import inner, kernel
from advsp.kernels.pools import expected_hits, new_pool, put
from advsp.kernels.scores import labels_of_ones, predictor_response, score_pair
from advsp.kernels.structures.approximate import predict_approximate
from advsp.kernels.structures.dispatch import expand, places, potential, prepare, respond


@kernel
def structure_of(table, span):
    """What responses in a game need to know of its potentials, whatever they are an answer to.

    table: potentials as a structure has them; span: how far two scores can be apart.
    """
    return prepare(table, span)


@inner
def _pool(labellings, hits, counted):
    """Every one of labellings int8 [s, n], s at least 1, with ``hits`` float [L] and ``counted`` bool [L]."""
    pool = new_pool(len(labellings), labellings.shape[1])
    for i in range(len(labellings)):
        pool = put(pool, i, labellings[i], 0.0, hits, counted)
    return pool


@inner
def _expected_score(score, labels, ones, columns, probabilities):
    """Expected score of the predictor's ``labels`` 0/1 int8 [n], so many ``ones``, against a mixture.

    probabilities: float [s], over the adversary's pool ``columns``.
    """
    rows = put(new_pool(1, len(labels)), 0, labels, 0.0, *labels_of_ones())
    rows.counts[0] = ones
    total = 0.0
    for j in range(len(probabilities)):
        total += probabilities[j] * score_pair(score, rows, 0, columns, j)
    return total


@kernel
def predictor(score, labellings, probabilities):
    """The predictor's best response, 0/1 int8 [n], and its score.

    labellings: int8 [s, n] of the adversary; probabilities: float [s].
    """
    columns = _pool(labellings, score.hits, score.counted)
    hits = expected_hits(columns, probabilities, len(probabilities), score.hits, labellings.shape[1])
    labels = np.empty(labellings.shape[1], dtype=np.int8)
    ones = predictor_response(score, hits, labels)
    return labels, _expected_score(score, labels, ones, columns, probabilities)


@kernel
def approximate_predictor(structure, score, labellings, probabilities):
    """The predictor's approximate response, 0/1 int8 [n], and its score.

    structure: prepared for approximate responses; labellings: int8 [s, n], tag sequences; probabilities:
    float [s].
    """
    columns = _pool(labellings, score.hits, score.counted)
    labels = np.empty(labellings.shape[1], dtype=np.int8)
    ones = predict_approximate(structure, score, columns, probabilities, len(probabilities), labels)
    return labels, _expected_score(score, labels, ones, columns, probabilities)


@kernel
def adversary(structure, score, labellings, probabilities):
    """The adversary's response int8 [n] and its payoff.

    structure: prepared; labellings: int8 [s, n] of the predictor; probabilities: float [s].
    """
    used, length = labellings.shape
    place = places(structure)
    size = len(place)
    rows = new_pool(used, size)
    labels = np.empty(size, dtype=np.int8)
    for i in range(used):
        for k in range(size):
            labels[k] = labellings[i, place[k]]
        rows = put(rows, i, labels, 0.0, *labels_of_ones())
        # Ones where nothing can be hit count, too.
        rows.counts[i] = labellings[i].sum()
    respond(structure, score, rows, probabilities, used, labels)
    labelling = np.empty(length, dtype=np.int8)
    expand(structure, labels, labelling)
    psi = potential(structure, labels)
    columns = put(new_pool(1, size), 0, labels, psi, score.hits, score.counted)
    payoff = -psi
    for i in range(used):
        payoff += probabilities[i] * score_pair(score, rows, i, columns, 0)
    return labelling, payoff
