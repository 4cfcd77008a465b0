"""One name for what the structures' kernels do; which one is meant is decided by type, at compilation.

``prepare`` turns a table into a structure.  A structure plays over its own positions: all of them where
labels are independent, the active ones of a chain; ``expand`` and ``restrict`` lead to the table's labellings
and back.
"""

from __future__ import annotations

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
    pattern_chain,
    potential_chain,
    prepare_chain,
    respond_chain,
)
from advsp.kernels.compilation import choose
from advsp.kernels.independent import (
    Independent,
    LabelTable,
    best_independent,
    potential_independent,
    prepare_independent,
    respond_independent,
)
from advsp.kernels.pools import expected_hits
from advsp.kernels.scores import labels_of_ones, predictor_response
from advsp.kernels.sorting import every_position


def prepare(table):
    """The structure of a table of potentials."""


choose(
    prepare,
    {ChainTable: prepare_chain, LabelTable: prepare_independent, ApproximateTable: prepare_approximate},
)


def exact(structure):
    """Whether responses are best responses, so that their values bound the value of the game."""


def _yes(structure):
    return True


def _no(structure):
    return False


choose(exact, {Chain: _yes, Independent: _yes, Approximate: _no})


def predict(structure, ratio, columns, mixture, used, labels):
    """Write the predictor's response, 0/1 ``labels``, to a mixture over the adversary's pool."""


def _predict(structure, ratio, columns, mixture, used, labels):
    hits = expected_hits(columns, mixture, used, ratio.hits, len(labels))
    predictor_response(ratio, hits, labels)


choose(predict, {Chain: _predict, Independent: _predict, Approximate: predict_approximate})


def respond(structure, ratio, rows, mixture, used, labels):
    """Write the adversary's response, ``labels``, to a mixture over the predictor's pool."""


def _respond_chain(structure, ratio, rows, mixture, used, labels):
    hits = expected_hits(rows, mixture, used, labels_of_ones()[0], len(labels))
    respond_chain(structure, ratio, hits, labels)


def _respond_independent(structure, ratio, rows, mixture, used, labels):
    hits = expected_hits(rows, mixture, used, labels_of_ones()[0], len(labels))
    respond_independent(structure, ratio, hits, labels)


choose(
    respond,
    {Chain: _respond_chain, Independent: _respond_independent, Approximate: respond_approximate},
)


def best(structure, labels):
    """Write the labelling of highest potential."""


def _best_approximate(structure, labels):
    viterbi(structure.chain, structure.chain.unary, labels)


choose(best, {Chain: best_chain, Independent: best_independent, Approximate: _best_approximate})


def potential(structure, labels):
    """psi of a labelling."""


def _potential_approximate(structure, labels):
    return potential_of_tags(structure.chain, labels)


choose(
    potential,
    {Chain: potential_chain, Independent: potential_independent, Approximate: _potential_approximate},
)


def restrict(structure, labelling, labels):
    """Write the structure's own labels of an adversary's labelling [n]; False if it cannot be a response."""


def _same_labels(structure, labelling, labels):
    for t in range(len(labelling)):
        labels[t] = labelling[t]
    return True


choose(restrict, {Chain: pattern_chain, Independent: _same_labels, Approximate: _same_labels})


def expand(structure, labels, labelling):
    """Write the adversary's labelling [n] that a structure's own labels stand for."""


def _same_labelling(structure, labels, labelling):
    for t in range(len(labels)):
        labelling[t] = labels[t]


choose(expand, {Chain: complete_chain, Independent: _same_labelling, Approximate: _same_labelling})


def places(structure):
    """Positions of the table's labellings that a structure plays over, int64 [positions]."""


def _active(structure):
    return structure.active


def _every_edge(structure):
    return every_position(len(structure.extra))


def _every_token(structure):
    return every_position(len(structure.chain.unary))


choose(places, {Chain: _active, Independent: _every_edge, Approximate: _every_token})
