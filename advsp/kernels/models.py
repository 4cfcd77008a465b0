"""Linear models in compiled form: weights to potentials, moments to gradients, example by example.

The twins of :mod:`advsp.training.chain_model` and :mod:`advsp.training.edge_model`.  A gradient is collected
in an array as long as the weights, of which only the places touched are ever looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from advsp.kernels.compilation import is_tuple, kernel


class SparseRows(NamedTuple):
    """A sparse matrix: row t has ``values[k]`` in column ``columns[k]``, k from ends[t] to ends[t + 1]."""

    ends: np.ndarray
    columns: np.ndarray
    values: np.ndarray


class ChainMap(NamedTuple):
    """The linear map of :class:`advsp.training.chain_model.ChainModel`.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    node, edge: features of every row.
    tags, edges: weights of a node feature and of an edge feature.
    split: where the weights of the edge features begin.
    own: whether START is a tag of its own, so that some cells of a row are unused.
    """

    offsets: np.ndarray
    node: SparseRows
    edge: SparseRows
    tags: int
    edges: int
    split: int
    own: bool


class EdgeMap(NamedTuple):
    """The linear map of :class:`advsp.training.edge_model.EdgeModel`.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    sure, possible: float [T, F] and [T, F'], features of S and of P at every edge.
    width: 1 where P is no label, else 2.
    """

    offsets: np.ndarray
    sure: np.ndarray
    possible: np.ndarray
    width: int


class Gradient(NamedTuple):
    """Room for a sparse gradient.

    Attributes
    ----------
    values: float [size], zero wherever it is not touched.
    touched: int64 [size], the places that are.
    marks: bool [size], whether a place is among them.
    seen: int64 [size], number of the last example whose penalty a weight was counted in.
    """

    values: np.ndarray
    touched: np.ndarray
    marks: np.ndarray
    seen: np.ndarray


def width(model):
    """Potentials of a row."""


@overload(width)
def _width(model):
    if is_tuple(model, ChainMap):
        return lambda model: model.tags + model.edges
    return lambda model: model.width


def tabulate(model, example, weights, table):
    """Write the potentials [n, w] of an example."""


@overload(tabulate)
def _tabulate(model, example, weights, table):
    if is_tuple(model, ChainMap):
        return lambda model, example, weights, table: _tabulate_chain(model, example, weights, table)
    return lambda model, example, weights, table: _tabulate_edges(model, example, weights, table)


@kernel
def _tabulate_chain(model, example, weights, table):
    first, last = model.offsets[example], model.offsets[example + 1]
    tags, edges = model.tags, model.edges
    table[:] = 0.0
    for t in range(first, last):
        line = table[t - first]
        for k in range(model.node.ends[t], model.node.ends[t + 1]):
            start, value = model.node.columns[k] * tags, model.node.values[k]
            for c in range(tags):
                line[c] += value * weights[start + c]
        # With a tag of its own START has the first cells, for the first token alone; pairs have the others.
        low, high = 0, edges
        if model.own and t == first:
            high = tags
        elif model.own:
            low = tags
        for k in range(model.edge.ends[t], model.edge.ends[t + 1]):
            start, value = model.split + model.edge.columns[k] * edges, model.edge.values[k]
            for c in range(low, high):
                line[tags + c] += value * weights[start + c]


@kernel
def _tabulate_edges(model, example, weights, table):
    first, last = model.offsets[example], model.offsets[example + 1]
    split = model.sure.shape[1]
    for t in range(first, last):
        total = 0.0
        for f in range(split):
            total += model.sure[t, f] * weights[f]
        table[t - first, 0] = total
        if model.width == 2:
            total = 0.0
            for f in range(model.possible.shape[1]):
                total += model.possible[t, f] * weights[split + f]
            table[t - first, 1] = total


def pull_back(model, example, moments, gradient, count):
    """Add the gradient of sum(moments * potentials); the number of places touched, ``count`` before."""


@overload(pull_back)
def _pull_back(model, example, moments, gradient, count):
    if is_tuple(model, ChainMap):
        return lambda model, example, moments, gradient, count: _pull_back_chain(
            model, example, moments, gradient, count
        )
    return lambda model, example, moments, gradient, count: _pull_back_edges(
        model, example, moments, gradient, count
    )


@kernel
def _pull_back_chain(model, example, moments, gradient, count):
    first = model.offsets[example]
    tags, edges = model.tags, model.edges
    cells = np.empty(tags + edges, dtype=np.int64)
    for t in range(len(moments)):
        used = 0
        for c in range(tags + edges):
            if moments[t, c] != 0.0:
                cells[used] = c
                used += 1
        nodes = 0
        while nodes < used and cells[nodes] < tags:
            nodes += 1
        for part in range(2):
            rows = model.node if part == 0 else model.edge
            size, begin = (tags, 0) if part == 0 else (edges, model.split - tags)
            low, high = (0, nodes) if part == 0 else (nodes, used)
            if low == high:
                continue
            for k in range(rows.ends[first + t], rows.ends[first + t + 1]):
                start, value = begin + rows.columns[k] * size, rows.values[k]
                for u in range(low, high):
                    place = start + cells[u]
                    gradient.values[place] += value * moments[t, cells[u]]
                    if not gradient.marks[place]:
                        gradient.marks[place] = True
                        gradient.touched[count] = place
                        count += 1
    return count


@kernel
def _pull_back_edges(model, example, moments, gradient, count):
    first = model.offsets[example]
    split = model.sure.shape[1]
    for t in range(len(moments)):
        if moments[t, 0] != 0.0:
            for f in range(split):
                gradient.values[f] += model.sure[first + t, f] * moments[t, 0]
        if model.width == 2 and moments[t, 1] != 0.0:
            for f in range(model.possible.shape[1]):
                gradient.values[split + f] += model.possible[first + t, f] * moments[t, 1]
    return _touch(gradient, 0, split + model.possible.shape[1], count)


@kernel
def _touch(gradient, first, last, count):
    """Mark the places from ``first`` to ``last``; the number of places touched, ``count`` before."""
    for place in range(first, last):
        if not gradient.marks[place]:
            gradient.marks[place] = True
            gradient.touched[count] = place
            count += 1
    return count


def penalise(model, example, share, weights, gradient, count):
    """Add the gradient of an example's part of the penalty.

    Returns the number of places touched, ``count`` before, and that part.
    """


@overload(penalise)
def _penalise(model, example, share, weights, gradient, count):
    if is_tuple(model, ChainMap):
        return lambda model, example, share, weights, gradient, count: _penalise_chain(
            model, example, share, weights, gradient, count
        )
    return lambda model, example, share, weights, gradient, count: _penalise_range(
        0, len(weights), share, weights, gradient, count
    )


@kernel
def _penalise_range(first, last, share, weights, gradient, count):
    total = 0.0
    for place in range(first, last):
        penalty = share[place] * weights[place]
        total += 0.5 * penalty * weights[place]
        gradient.values[place] += penalty
    return _touch(gradient, first, last, count), total


@kernel
def _penalise_chain(model, example, share, weights, gradient, count):
    total = 0.0
    for part in range(2):
        rows = model.node if part == 0 else model.edge
        size, begin = (model.tags, 0) if part == 0 else (model.edges, model.split)
        for k in range(rows.ends[model.offsets[example]], rows.ends[model.offsets[example + 1]]):
            start = begin + rows.columns[k] * size
            # A feature that several tokens have counts once.
            if gradient.seen[start] != example + 1:
                gradient.seen[start] = example + 1
                count, more = _penalise_range(start, start + size, share, weights, gradient, count)
                total += more
    return count, total


@kernel
def clear(gradient, count):
    """Make the gradient zero again."""
    for k in range(count):
        place = gradient.touched[k]
        gradient.values[place] = 0.0
        gradient.marks[place] = False
