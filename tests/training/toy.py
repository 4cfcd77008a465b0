"""Small made-up sequences and sentence pairs to learn from, and potentials by definition."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from advsp.training.instances import ChainInstances, EdgeInstances

TAGS = ("PER", "LOC", "O")
BACKGROUND = TAGS.index("O")
FEATURES = ("bias", "dice", "distance")


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


def toy_pairs(
    seed: int = 0,
    shapes: tuple[tuple[int, int], ...] = ((2, 2), (1, 1), (2, 3), (1, 2)),
    labels: tuple[int, ...] | None = None,
    features: int = 3,
) -> EdgeInstances:
    """Sentence pairs with random features, the first of them constant.

    Without ``labels`` they are random, and gold links are seldom a matching.
    """
    rng = np.random.default_rng(seed)
    sizes = np.array(shapes, dtype=np.int64)
    edges = sizes.prod(axis=1)
    total = int(edges.sum())
    values = rng.normal(size=(total, features))
    values[:, 0] = 1.0
    drawn = rng.choice([0, 1, 2], size=total, p=[0.4, 0.2, 0.4])
    return EdgeInstances(
        features=values,
        labels=np.array(drawn if labels is None else labels, dtype=np.int8),
        offsets=np.concatenate([[0], np.cumsum(edges)]).astype(np.int64),
        shapes=sizes,
        feature_names=(*FEATURES, *(f"f{number}" for number in range(features)))[:features],
        source=tuple(tuple(f"e{i}" for i in range(rows)) for rows, _ in shapes),
        target=tuple(tuple(f"f{i}" for i in range(columns)) for _, columns in shapes),
    )


def defined_potential(
    instances: ChainInstances,
    sentence: int,
    labelling: tuple,
    weights: np.ndarray,
    start: str,
    before: int = BACKGROUND,
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
        pair = left * m + tag
        place = pair if start == "latent" else tag if t == 0 else m + pair
        for feature in range(edge.shape[1]):
            at = node.shape[1] * m + feature * per_edge + place
            total += edge[first + t, feature] * weights[at]
    return float(total)
