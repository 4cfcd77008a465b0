"""The linear map of tagged sequences: node features times tags, edge features times pairs of tags."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, Self

import numpy as np
from scipy.sparse import csr_matrix, hstack

from advsp.engine.backends.description import Description
from advsp.engine.structures.chain import ChainRows, LinearChain
from advsp.support.arrays import Floats, Ints, Labels, ShortInts, plain
from advsp.training.instances import ChainInstances
from advsp.training.linear import LinearModel

Start = Literal["own", "latent"]

#: Examples whose features are gathered at a time.
_EXAMPLES = 8192

#: Node and edge features of a sentence, its matrices over those alone, and their transposes.
Restricted = tuple[Ints, Ints, csr_matrix, csr_matrix, csr_matrix, csr_matrix]


class ChainModel(LinearModel):
    """Potentials of a linear chain over m tags.

    Weights are laid out feature by feature: for every node feature one per tag; then for every edge
    feature one per pair of tags, rows of the pair table first.  The first token has no left
    neighbour; what stands in for it is ``start``:

    * ``"own"``: a tag START of its own, so that an edge feature has m + m * m weights;
    * ``"latent"``: a tag of the ordinary set before the sentence, ``background`` in every gold
      labelling, so that an edge feature has m * m weights (as in Stanford NER).

    A row of the table of potentials holds the m node potentials and then the edge potentials of the
    transition into the token.  Cells that no labelling can use (START beyond the first token, pairs at
    it) are zero there, and must be zero in the moments that are taken back.

    Instances that name ``transitions`` have edge weights for these alone; the potentials of others come from
    the nodes.

    Parameters
    ----------
    instances: the sequences.
    start: see above.
    bias: add a node feature, the last one, that is 1 everywhere.
    """

    def __init__(self, instances: ChainInstances, start: Start = "own", bias: bool = False) -> None:
        self.instances, self.start, self.bias = instances, start, bias
        self.node, self.edge = instances.node, instances.edge
        if bias:
            self.node = hstack([self.node, np.ones((self.node.shape[0], 1))], format="csr")
        self.tags = m = len(instances.tag_names)
        # Where no tag is that of what is none of the others, any may stand before a sentence.
        names = instances.tag_names
        self.background = names.index("O") if "O" in names else m - 1
        pairs = m * m + (m if start == "own" else 0)
        # Cells of the edge potentials that have weights, ascending; a slice where all have.
        self.cells = slice(None) if instances.transitions is None else self._cells(instances.transitions)
        self.edges = pairs if isinstance(self.cells, slice) else len(self.cells)
        self.width = m + pairs
        self.node_features, self.edge_features = self.node.shape[1], self.edge.shape[1]
        self.size = self.node_features * m + self.edge_features * self.edges
        self.examples, self.offsets = len(instances), instances.offsets
        self._layout = ChainRows(m, start == "own", self.background)
        self._local: dict[int, Restricted] = {}

    # --- the map -------------------------------------------------------------------------------

    def support(self, example: int) -> Ints:
        nodes, edges = self._restricted(example)[:2]
        node = nodes[:, None] * self.tags + np.arange(self.tags)
        edge = self.node_features * self.tags + edges[:, None] * self.edges + np.arange(self.edges)
        return np.concatenate([node.ravel(), edge.ravel()])

    def potentials(self, example: int, local: Floats) -> Floats:
        nodes, _, node, edge, _, _ = self._restricted(example)
        split = len(nodes) * self.tags
        table = np.empty((node.shape[0], self.width))
        table[:, : self.tags] = node @ local[:split].reshape(-1, self.tags)
        table[:, self.tags :] = self._spread(edge @ local[split:].reshape(-1, self.edges))
        return self._masked(table, first=[0])

    def adjoint(self, example: int, moments: Floats) -> Floats:
        _, _, _, _, node, edge = self._restricted(example)
        return np.concatenate(
            [(node @ moments[:, : self.tags]).ravel(), (edge @ self._weighted(moments)).ravel()]
        )

    def all_potentials(self, weights: Floats) -> Floats:
        node, edge = self.tables(weights)
        table = np.zeros((self.node.shape[0], self.width))
        table[:, : self.tags] = self.node @ node
        table[:, self.tags :][:, self.cells] = self.edge @ edge
        return self._masked(table, first=self.offsets[:-1])

    def adjoint_all(self, moments: Floats) -> Floats:
        gradient = np.empty(self.size)
        node, edge = self.tables(gradient)
        node[:] = self.node.T @ moments[:, : self.tags]
        edge[:] = self.edge.T @ self._weighted(moments)
        return gradient

    def thinned(self, dropout: float, chance: np.random.Generator) -> Self:
        """Without a share of the node features of every token (Srivastava et al., 2014); a bias stays."""
        left = chance.random(self.node.nnz) >= dropout
        values = self.node.data * left / (1.0 - dropout)
        if self.bias:
            last = self.node.indices == self.node_features - 1
            values[last] = self.node.data[last]
        # What is counted on by weights and penalties are the features that are there without it.
        _ = self._features
        thin = copy.copy(self)
        thin.node = csr_matrix((values, self.node.indices, self.node.indptr), shape=self.node.shape)
        thin._local = {}
        return thin

    @property
    def layout(self) -> ChainRows:
        return self._layout

    def describe(self) -> Description:
        return Description(
            "chain-map",
            {
                "offsets": plain(self.offsets, int),
                "node": _described(self.node),
                "edge": _described(self.edge),
                "tags": self.tags,
                "edges": self.edges,
                "pairs": self.width - self.tags,
                "cells": np.empty(0, dtype=int) if isinstance(self.cells, slice) else self.cells,
                "split": self.node_features * self.tags,
                "own": self._layout.own,
                "nodes": self.node_features,
                "ends": self._features[0],
                "blocks": self._features[1],
            },
        )

    def by_block(self, values: Floats) -> Floats:
        node, edge = self.tables(values)
        numbers: Floats = np.concatenate([node[:, 0], edge[:, 0]])[self._features[1]]
        return numbers

    @cached_property
    def _features(self) -> tuple[Ints, ShortInts]:
        """Which features every example has: ends int64 [N + 1] of parts of numbers int32 [...], each once.

        Features of nodes come first; those of edges are counted on from them.
        """
        found = [
            _occurring((self.node, self.edge), self.offsets[first : first + _EXAMPLES + 1])
            for first in range(0, len(self.offsets) - 1, _EXAMPLES)
        ]
        ends = np.cumsum([0, *(count for counts, _ in found for count in counts)], dtype=np.int64)
        numbers = np.empty(int(ends[-1]), dtype=np.int32)
        place = 0
        for _, some in found:
            numbers[place : place + len(some)] = some
            place += len(some)
        return ends, numbers

    def frequencies(self) -> Ints:
        counts = np.bincount(self._features[1], minlength=self.node_features + self.edge_features)
        node, edge = counts[: self.node_features], counts[self.node_features :]
        return np.concatenate([np.repeat(node, self.tags), np.repeat(edge, self.edges)])

    def tables(self, weights: Floats) -> tuple[Floats, Floats]:
        """Views of the weights as tables [F_node, m] and [F_edge, edges]."""
        split = self.node_features * self.tags
        return weights[:split].reshape(-1, self.tags), weights[split:].reshape(-1, self.edges)

    def _cells(self, transitions: Ints) -> Ints:
        """The cells of transitions int64 [E, 2], tag and next tag, -1 before the first one."""
        left, right = transitions.T
        if self.start == "own":
            return np.unique(np.where(left < 0, right, (left + 1) * self.tags + right))
        return np.unique(np.where(left < 0, self.background, left) * self.tags + right)

    def _spread(self, edges: Floats) -> Floats:
        """Edge potentials of all cells [n, pairs] from those that have weights [n, edges]."""
        if isinstance(self.cells, slice):
            return edges
        found = np.zeros((len(edges), self.width - self.tags))
        found[:, self.cells] = edges
        return found

    def _weighted(self, moments: Floats) -> Floats:
        """Those moments of edges that have weights, [n, edges]."""
        return moments[:, self.tags :][:, self.cells]

    def _restricted(self, example: int) -> Restricted:
        """Feature ids of one sentence, its matrices over those alone, and their transposes."""
        if example not in self._local:
            rows = self.instances.rows(example)
            parts = [_compress(matrix[rows]) for matrix in (self.node, self.edge)]
            (nodes, node), (edges, edge) = parts
            self._local[example] = nodes, edges, node, edge, node.T.tocsr(), edge.T.tocsr()
        return self._local[example]

    def _masked(self, table: Floats, first: Ints | list[int]) -> Floats:
        """Zero the edge potentials that no labelling can use: START only at first tokens, pairs elsewhere."""
        if self.start == "own":
            start = table[first, self.tags : 2 * self.tags]
            table[:, self.tags : 2 * self.tags] = 0.0
            table[first, self.tags :] = 0.0
            table[first, self.tags : 2 * self.tags] = start
        return table

    # --- from tables to chains ---------------------------------------------------------------------

    def chain(self, potentials: Floats) -> LinearChain:
        """The chain over the sentence's tags that a table [n, w] of potentials stands for."""
        return self._layout.structure(0, potentials)

    @property
    def labels(self) -> Labels:
        return self.instances.tags


def _occurring(matrices: Sequence[csr_matrix], offsets: Ints) -> tuple[list[int], Ints]:
    """Columns that occur in the rows of every example, of matrices side by side: how many, and which.

    offsets: int64 [n + 1], rows of the examples.
    """
    first, last = int(offsets[0]), int(offsets[-1])
    rows = np.arange(last - first)
    of_example = csr_matrix((np.ones(len(rows), dtype=bool), rows, offsets - first))
    parts = []
    for matrix in matrices:
        entries = slice(*matrix.indptr[[first, last]])
        # Whether, not how often: one byte an entry.
        there = np.ones(entries.stop - entries.start, dtype=bool)
        ends = matrix.indptr[first : last + 1] - entries.start
        shape = len(rows), matrix.shape[1]
        parts.append(of_example @ csr_matrix((there, matrix.indices[entries], ends), shape=shape))
    found = hstack(parts, format="csr")
    return np.diff(found.indptr).tolist(), found.indices


def _described(matrix: csr_matrix) -> Description:
    """A sparse matrix as kernels take it."""
    return Description(
        "sparse-rows",
        {
            "ends": plain(matrix.indptr, int),
            "columns": plain(matrix.indices, np.int32),
            "values": plain(matrix.data),
        },
    )


def _compress(matrix: csr_matrix) -> tuple[Ints, csr_matrix]:
    """Columns in use, ascending, and the matrix over those alone."""
    columns, indices = np.unique(matrix.indices, return_inverse=True)
    shape = (matrix.shape[0], len(columns))
    return columns.astype(np.int64), csr_matrix((matrix.data, indices.ravel(), matrix.indptr), shape=shape)
