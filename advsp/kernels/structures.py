"""One name for what the structures' kernels do; which one is meant is decided by type, at compilation.

``prepare`` turns a table into a structure.  A structure plays over its own positions: all of them where
labels are independent, the active ones of a chain; ``expand`` and ``restrict`` lead to the table's labellings
and back.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload

from advsp.kernels.approximate import (
    Approximate,
    ApproximateTable,
    potential_of_tags,
    predict_approximate,
    prepare_approximate,
    respond_approximate,
    viterbi,
)
from advsp.kernels.chain import (
    Chain,
    ChainTable,
    best_chain,
    complete_chain,
    potential_chain,
    prepare_chain,
    respond_chain,
)
from advsp.kernels.independent import (
    Independent,
    LabelTable,
    best_independent,
    potential_independent,
    prepare_independent,
    respond_independent,
)
from advsp.kernels.pools import expected_hits
from advsp.kernels.scores import ONE_HITS, predictor_response


def _is(value: types.Type, kind: type) -> bool:
    return isinstance(value, types.BaseNamedTuple) and value.instance_class is kind


def prepare(table):
    """The structure of a table of potentials."""


@overload(prepare)
def _prepare(table):
    if _is(table, ChainTable):
        return lambda table: prepare_chain(table)
    if _is(table, LabelTable):
        return lambda table: prepare_independent(table)
    if _is(table, ApproximateTable):
        return lambda table: prepare_approximate(table)


def exact(structure):
    """Whether responses are best responses, so that their values bound the value of the game."""


@overload(exact)
def _exact(structure):
    if _is(structure, Approximate):
        return lambda structure: False
    return lambda structure: True


def predict(structure, ratio, columns, mixture, used, labels):
    """Write the predictor's response, 0/1 ``labels``, to a mixture over the adversary's pool."""


@overload(predict)
def _predict(structure, ratio, columns, mixture, used, labels):
    if _is(structure, Approximate):
        return lambda structure, ratio, columns, mixture, used, labels: predict_approximate(
            structure, ratio, columns, mixture, used, labels
        )

    def best_response(structure, ratio, columns, mixture, used, labels):
        hits = expected_hits(columns, mixture, used, ratio.hits, len(labels))
        predictor_response(ratio, hits, labels)

    return best_response


def respond(structure, ratio, rows, mixture, used, labels):
    """Write the adversary's response, ``labels``, to a mixture over the predictor's pool."""


@overload(respond)
def _respond(structure, ratio, rows, mixture, used, labels):
    if _is(structure, Approximate):
        return lambda structure, ratio, rows, mixture, used, labels: respond_approximate(
            structure, ratio, rows, mixture, used, labels
        )
    response = respond_chain if _is(structure, Chain) else respond_independent

    def best_response(structure, ratio, rows, mixture, used, labels):
        hits = expected_hits(rows, mixture, used, ONE_HITS, len(labels))
        response(structure, ratio, hits, labels)

    return best_response


def best(structure, labels):
    """Write the labelling of highest potential."""


@overload(best)
def _best(structure, labels):
    if _is(structure, Chain):
        return lambda structure, labels: best_chain(structure, labels)
    if _is(structure, Independent):
        return lambda structure, labels: best_independent(structure, labels)
    return lambda structure, labels: viterbi(structure.chain, structure.chain.unary, labels)


def potential(structure, labels):
    """psi of a labelling."""


@overload(potential)
def _potential(structure, labels):
    if _is(structure, Chain):
        return lambda structure, labels: potential_chain(structure, labels)
    if _is(structure, Independent):
        return lambda structure, labels: potential_independent(structure, labels)
    return lambda structure, labels: potential_of_tags(structure.chain, labels)


def positions(structure):
    """Number of positions a structure plays over."""


@overload(positions)
def _positions(structure):
    if _is(structure, Chain):
        return lambda structure: len(structure.active)
    if _is(structure, Independent):
        return lambda structure: len(structure.extra)
    return lambda structure: len(structure.chain.unary)


def restrict(structure, labelling, labels):
    """Write the structure's own labels of an adversary's labelling [n]; False if it cannot be a response."""


@overload(restrict)
def _restrict(structure, labelling, labels):
    if _is(structure, Chain):

        def pattern(structure, labelling, labels):
            target = structure.table.target
            inside = 0
            for k in range(len(structure.active)):
                labels[k] = 1 if labelling[structure.active[k]] == target else 0
                inside += labels[k]
            every = 0
            for t in range(len(labelling)):
                if labelling[t] == target:
                    every += 1
            return every == inside

        return pattern

    def same(structure, labelling, labels):
        labels[:] = labelling
        return True

    return same


def expand(structure, labels, labelling):
    """Write the adversary's labelling [n] that a structure's own labels stand for."""


@overload(expand)
def _expand(structure, labels, labelling):
    if _is(structure, Chain):
        return lambda structure, labels, labelling: complete_chain(structure, labels, labelling)

    def same(structure, labels, labelling):
        labelling[:] = labels

    return same


def places(structure):
    """Positions of the table's labellings that a structure plays over, int64 [positions]."""


@overload(places)
def _places(structure):
    if _is(structure, Chain):
        return lambda structure: structure.active
    if _is(structure, Independent):
        return lambda structure: np.arange(len(structure.extra))
    return lambda structure: np.arange(len(structure.chain.unary))
