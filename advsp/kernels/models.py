"""Linear models in compiled form: weights to potentials, moments to gradients, example by example.

The twins of :mod:`advsp.training.chain_model` and :mod:`advsp.training.edge_model`.  A gradient is collected
in an array as long as the weights, of which only the blocks touched are ever looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import choose, inner, kernel
from advsp.kernels.twins import twin_of


@twin_of("sparse-rows")
class SparseRows(NamedTuple):
    """A sparse matrix: row t has ``values[k]`` in column ``columns[k]``, k from ends[t] to ends[t + 1].

    ends: int64 [T + 1]; columns: int32 [...]; values: float [...].
    """

    ends: np.ndarray
    columns: np.ndarray
    values: np.ndarray


@twin_of("chain-map")
class ChainMap(NamedTuple):
    """The linear map of :class:`advsp.training.chain_model.ChainModel`.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    node, edge: features of every row.
    tags, edges: weights of a node feature and of an edge feature.
    pairs: edge potentials of a row.
    cells: int64 [edges], which of them have weights; empty where all have.
    split: where the weights of the edge features begin.
    own: whether START is a tag of its own, so that some cells of a row are unused.
    nodes: number of node features; the weights of a feature are a block, those of node features come first.
    ends, blocks: int64 [N + 1] and int32 [...]; example i has ``blocks[ends[i]:ends[i + 1]]``, each once.
    """

    offsets: np.ndarray
    node: SparseRows
    edge: SparseRows
    tags: int
    edges: int
    pairs: int
    cells: np.ndarray
    split: int
    own: bool
    nodes: int
    ends: np.ndarray
    blocks: np.ndarray


@twin_of("edge-map")
class EdgeMap(NamedTuple):
    """The linear map of :class:`advsp.training.edge_model.EdgeModel`.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    sure, possible: float [T, F] and [T, F'], features of S and of P at every edge.
    steps: float [T], what the weights of steps are multiplied by at every edge.
    width: potentials of labels, 1 where P is none, else 2.
    kinds: kinds of steps, whose weights come last.
    """

    offsets: np.ndarray
    sure: np.ndarray
    possible: np.ndarray
    steps: np.ndarray
    width: int
    kinds: int


class Gradient(NamedTuple):
    """Space for a gradient that is zero but for a few blocks: the weights of one feature.

    Attributes
    ----------
    values: float [size], zero outside the blocks touched.
    touched: int64 [B], numbers of those blocks.
    marks: bool [B], whether a block is among them.
    alive: bool [B], whether a block may hold a weight that is not zero.
    """

    values: np.ndarray
    touched: np.ndarray
    marks: np.ndarray
    alive: np.ndarray


# --- what is asked of a model, decided by its type ------------------------------------------------------


def width(model):
    """Potentials of a row."""


def tabulate(model, example, weights, table):
    """Write the potentials of an example into ``table`` float [n, w]; weights: float [size]."""


def block_ends(model, block):
    """Where the weights of a block begin and end."""


def adjoint(model, example, moments, gradient, count):
    """Add the gradient of sum(moments * potentials), the transposed map.

    moments: float [n, w].  Returns the number of blocks touched, ``count`` before.
    """


def penalise(model, example, share, weights, gradient, count):
    """Add the gradient of an example's part of the penalty.

    share: float, that part of a weight's L2 term, a number for each of a chain's ``blocks``, or one alone;
    weights: float [size].  Returns the number of blocks touched, ``count`` before, and the penalty.
    """


# --- chains --------------------------------------------------------------------------------------------


@inner
def _width_of_chain(model):
    return model.tags + model.pairs


@kernel
def _tabulate_chain(model, example, weights, table):
    """:func:`tabulate` of a :class:`ChainMap`."""
    first, last = model.offsets[example], model.offsets[example + 1]
    tags, edges = model.tags, model.edges
    some, starts = len(model.cells) > 0, tags
    if some:
        starts = np.searchsorted(model.cells, tags)
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
            high = starts
        elif model.own:
            low = starts
        for k in range(model.edge.ends[t], model.edge.ends[t + 1]):
            start, value = model.split + model.edge.columns[k] * edges, model.edge.values[k]
            if some:
                for c in range(low, high):
                    line[tags + model.cells[c]] += value * weights[start + c]
            else:
                for c in range(low, high):
                    line[tags + c] += value * weights[start + c]


@inner
def _block_of_chain(model, block):
    if block < model.nodes:
        return block * model.tags, (block + 1) * model.tags
    start = model.split + (block - model.nodes) * model.edges
    return start, start + model.edges


@kernel
def _touch(gradient, block, count):
    """Mark a block; the number of blocks touched, ``count`` before."""
    if not gradient.marks[block]:
        gradient.marks[block] = True
        gradient.touched[count] = block
        count += 1
    return count


@kernel
def _adjoint_of_chain(model, example, moments, gradient, count):
    """:func:`adjoint` of a :class:`ChainMap`."""
    first = model.offsets[example]
    tags = model.tags
    # Where moments are, and the places of their weights in a block.
    columns, places = np.empty((2, tags + model.pairs), dtype=np.int64)
    for t in range(len(moments)):
        nodes = 0
        for c in range(tags):
            if moments[t, c] != 0.0:
                columns[nodes] = places[nodes] = c
                nodes += 1
        used = nodes
        if len(model.cells) > 0:
            for place in range(model.edges):
                c = tags + model.cells[place]
                if moments[t, c] != 0.0:
                    columns[used], places[used] = c, place
                    used += 1
        else:
            for c in range(tags, tags + model.pairs):
                if moments[t, c] != 0.0:
                    columns[used], places[used] = c, c - tags
                    used += 1
        for part in range(2):
            rows = model.node if part == 0 else model.edge
            shift = 0 if part == 0 else model.nodes
            low, high = (0, nodes) if part == 0 else (nodes, used)
            if low == high:
                continue
            for k in range(rows.ends[first + t], rows.ends[first + t + 1]):
                block, value = shift + rows.columns[k], rows.values[k]
                start, _ = _block_of_chain(model, block)
                count = _touch(gradient, block, count)
                for u in range(low, high):
                    gradient.values[start + places[u]] += value * moments[t, columns[u]]
    return count


@inner
def _penalise_chain(model, example, share, weights, gradient, count):
    """:func:`penalise` of a :class:`ChainMap`."""
    total = 0.0
    for k in range(model.ends[example], model.ends[example + 1]):
        block = np.int64(model.blocks[k])
        # Weights that were never moved have no penalty; most are of that kind.
        if gradient.alive[block]:
            start, end = _block_of_chain(model, block)
            total += _penalise_block(start, end, share[k], weights, gradient)
            count = _touch(gradient, block, count)
    return count, total


# --- edges ---------------------------------------------------------------------------------------------


@inner
def _width_of_edges(model):
    return model.width + model.kinds


@kernel
def _tabulate_edges(model, example, weights, table):
    """:func:`tabulate` of an :class:`EdgeMap`."""
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
        for k in range(model.kinds):
            table[t - first, model.width + k] = model.steps[t] * weights[len(weights) - model.kinds + k]


@inner
def _block_of_edges(model, block):
    return 0, model.sure.shape[1] + model.possible.shape[1] + model.kinds


@kernel
def _adjoint_of_edges(model, example, moments, gradient, count):
    """:func:`adjoint` of an :class:`EdgeMap`."""
    first = model.offsets[example]
    split = model.sure.shape[1]
    for t in range(len(moments)):
        if moments[t, 0] != 0.0:
            for f in range(split):
                gradient.values[f] += model.sure[first + t, f] * moments[t, 0]
        if model.width == 2 and moments[t, 1] != 0.0:
            for f in range(model.possible.shape[1]):
                gradient.values[split + f] += model.possible[first + t, f] * moments[t, 1]
        for k in range(model.kinds):
            place = len(gradient.values) - model.kinds + k
            gradient.values[place] += model.steps[first + t] * moments[t, model.width + k]
    return _touch(gradient, 0, count)


@inner
def _penalise_edges(model, example, share, weights, gradient, count):
    """:func:`penalise` of an :class:`EdgeMap`."""
    total = _penalise_block(0, len(weights), share[0], weights, gradient)
    return _touch(gradient, 0, count), total


@kernel
def _penalise_block(start, end, share, weights, gradient):
    """Add the gradient of the penalty of the weights from ``start`` to ``end``; returns the penalty."""
    total = 0.0
    for place in range(start, end):
        penalty = share * weights[place]
        total += 0.5 * penalty * weights[place]
        gradient.values[place] += penalty
    return total


choose(width, {ChainMap: _width_of_chain, EdgeMap: _width_of_edges})
choose(tabulate, {ChainMap: _tabulate_chain, EdgeMap: _tabulate_edges})
choose(block_ends, {ChainMap: _block_of_chain, EdgeMap: _block_of_edges})
choose(adjoint, {ChainMap: _adjoint_of_chain, EdgeMap: _adjoint_of_edges})
choose(penalise, {ChainMap: _penalise_chain, EdgeMap: _penalise_edges})


# --- gradients -----------------------------------------------------------------------------------------


@kernel
def clear(model, gradient, count):
    """Make the gradient zero again, ``count`` blocks of which are touched."""
    for k in range(count):
        gradient.marks[gradient.touched[k]] = False
        start, end = block_ends(model, gradient.touched[k])
        gradient.values[start:end] = 0.0


def workspace(model: ChainMap | EdgeMap, weights: np.ndarray) -> Gradient:
    """Space for a sparse gradient of ``weights`` float [size], all zero."""
    alive = np.ones(1, dtype=bool)
    if isinstance(model, ChainMap):
        tables = (
            weights[: model.split].reshape(-1, model.tags),
            weights[model.split :].reshape(-1, model.edges),
        )
        alive = np.concatenate([table.any(axis=1) for table in tables])
    blocks = len(alive)
    return Gradient(
        np.zeros(len(weights)), np.empty(blocks, dtype=np.int64), np.zeros(blocks, dtype=bool), alive
    )
