"""One response to one mixture and what it is worth, for double oracles that run outside the kernels."""

from __future__ import annotations

import numpy as np

from advsp.kernels.approximate import predict_approximate
from advsp.kernels.compilation import inner, kernel
from advsp.kernels.pools import expected_hits, new_pool, put
from advsp.kernels.scores import labels_of_ones, predictor_response, score
from advsp.kernels.structures import expand, places, potential, prepare, respond


@kernel
def structure_of(table):
    """What responses in a game need to know of its potentials, whatever they are an answer to."""
    return prepare(table)


@inner
def _pool(labellings, hits, counted):
    """Every one of labellings [s, n], s at least 1."""
    pool = new_pool(len(labellings), labellings.shape[1])
    for i in range(len(labellings)):
        pool = put(pool, i, labellings[i], 0.0, hits, counted)
    return pool


@inner
def _expected_score(ratio, labels, columns, probabilities):
    """Expected score of the predictor's ``labels`` 0/1 [n] against a mixture over the adversary's pool."""
    rows = put(new_pool(1, len(labels)), 0, labels, 0.0, *labels_of_ones())
    total = 0.0
    for j in range(len(probabilities)):
        total += probabilities[j] * score(ratio, rows, 0, columns, j)
    return total


@kernel
def predictor(ratio, labellings, probabilities):
    """The predictor's best response, 0/1 int8 [n], to a mixture of adversary labellings [s, n]; its score."""
    columns = _pool(labellings, ratio.hits, ratio.counted)
    hits = expected_hits(columns, probabilities, len(probabilities), ratio.hits, labellings.shape[1])
    labels = np.empty(labellings.shape[1], dtype=np.int8)
    predictor_response(ratio, hits, labels)
    return labels, _expected_score(ratio, labels, columns, probabilities)


@kernel
def approximate_predictor(structure, ratio, labellings, probabilities):
    """The predictor's approximate response, 0/1 int8 [n], to a mixture of tag sequences [s, n]; its score."""
    columns = _pool(labellings, ratio.hits, ratio.counted)
    labels = np.empty(labellings.shape[1], dtype=np.int8)
    predict_approximate(structure, ratio, columns, probabilities, len(probabilities), labels)
    return labels, _expected_score(ratio, labels, columns, probabilities)


@kernel
def adversary(structure, ratio, labellings, probabilities):
    """The adversary's response int8 [n] to a mixture of the predictor's labellings [s, n]; its payoff."""
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
    respond(structure, ratio, rows, probabilities, used, labels)
    labelling = np.empty(length, dtype=np.int8)
    expand(structure, labels, labelling)
    psi = potential(structure, labels)
    columns = put(new_pool(1, size), 0, labels, psi, ratio.hits, ratio.counted)
    payoff = -psi
    for i in range(used):
        payoff += probabilities[i] * score(ratio, rows, i, columns, 0)
    return labelling, payoff
