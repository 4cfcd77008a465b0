"""What a corpus becomes before it is learnt from: feature matrices and gold labellings.

Instances carry numbers, offsets and names; they know neither files nor games.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class ChainInstances:
    """Labelled sequences with sparse features, all sentences one below the other.

    Attributes
    ----------
    node: CSR [T, F_node], float64; node (unigram) features of every token.
    edge: CSR [T, F_edge], float64; features of the transition *into* every token.
    tags: int8 [T], gold tag of every token, an index into ``tag_names``.
    offsets: int64 [S + 1]; sentence ``s`` owns the rows ``offsets[s]:offsets[s + 1]``.
    tag_names: names of the m tags, e.g. ``("PER", "LOC", "ORG", "MISC", "O")``.
    words: S tuples of words, in the order of the rows.
    gold: S tuples of IOB2 tags as the corpus has them (entity boundaries included).
    """

    node: csr_matrix
    edge: csr_matrix
    tags: np.ndarray
    offsets: np.ndarray
    tag_names: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    gold: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        """Number of sentences S."""
        return len(self.offsets) - 1

    def rows(self, sentence: int) -> slice:
        """Rows of one sentence."""
        return slice(int(self.offsets[sentence]), int(self.offsets[sentence + 1]))


@dataclass(frozen=True)
class EdgeInstances:
    """Sentence pairs with features of every possible link, all pairs one below the other.

    The edges of a pair are all its (source word, target word) in row-major order.

    Attributes
    ----------
    features: float64 [T, F], of every edge.
    labels: int8 [T], gold label of every edge: 0 no link, 1 possible, 2 sure.
    offsets: int64 [S + 1]; pair ``s`` owns the rows ``offsets[s]:offsets[s + 1]``.
    shapes: int64 [S, 2], number of source and target words of every pair.
    feature_names: names of the F features; the constant feature is called ``bias``.
    source, target: S tuples of words.
    """

    features: np.ndarray
    labels: np.ndarray
    offsets: np.ndarray
    shapes: np.ndarray
    feature_names: tuple[str, ...]
    source: tuple[tuple[str, ...], ...]
    target: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        """Number of sentence pairs S."""
        return len(self.offsets) - 1

    def rows(self, pair: int) -> slice:
        """Rows of one sentence pair."""
        return slice(int(self.offsets[pair]), int(self.offsets[pair + 1]))
