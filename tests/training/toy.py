"""Small made-up sequences to learn from, and their potentials by definition."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from advsp.instances import ChainInstances

TAGS = ("PER", "LOC", "O")
O = TAGS.index("O")


def toy_instances(
    seed: int = 0, lengths: tuple[int, ...] = (3, 1, 4, 2), node_features: int = 4, edge_features: int = 2
) -> ChainInstances:
    """Random sentences with random sparse features; the last feature of either kind never occurs."""
    rng = np.random.default_rng(seed)
    total = sum(lengths)

    def features(number: int) -> csr_matrix:
        values = rng.choice([0.5, 1.0, 2.0], size=(total, number)) * (rng.random((total, number)) < 0.6)
        values[:, -1] = 0.0
        return csr_matrix(values)

    return ChainInstances(
        node=features(node_features + 1),
        edge=features(edge_features + 1),
        tags=rng.integers(0, len(TAGS), size=total).astype(np.int8),
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        tag_names=TAGS,
        words=tuple(("word",) * length for length in lengths),
        gold=tuple(("O",) * length for length in lengths),
    )


def defined_potential(
    instances: ChainInstances,
    sentence: int,
    labelling: tuple,
    weights: np.ndarray,
    start: str,
    before: int = O,
) -> float:
    """psi of one tag sequence, weight by weight; ``before`` is the tag before a latent start."""
    m = len(instances.tag_names)
    node, edge = instances.node.toarray(), instances.edge.toarray()
    first = int(instances.offsets[sentence])
    per_edge = m * m + (m if start == "own" else 0)
    total = 0.0
    for t, tag in enumerate(labelling):
        for feature in range(node.shape[1]):
            total += node[first + t, feature] * weights[feature * m + tag]
        left = before if t == 0 else labelling[t - 1]
        if start == "own":
            place = tag if t == 0 else m + left * m + tag
        else:
            place = left * m + tag
        for feature in range(edge.shape[1]):
            at = node.shape[1] * m + feature * per_edge + place
            total += edge[first + t, feature] * weights[at]
    return float(total)
