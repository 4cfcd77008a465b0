"""The distribution proportional to exp psi over column chains: its normaliser and its moments.

Forward-backward over columns, in numbers that are scaled column by column (Rabiner, 1989).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advsp.engine.structures.column_chain import STEPS, ColumnChain
from advsp.support.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class ColumnSums:
    """What the distribution of a column chain sums to.

    Attributes
    ----------
    log_normaliser: log of the sum of exp psi over all labellings.
    labels: float [n, L], probability of every label of every edge.
    steps: float [n_f - 1, 3], probability of every kind of step between neighbouring columns.
    """

    log_normaliser: float
    labels: Floats
    steps: Floats


def column_sums(structure: ColumnChain) -> ColumnSums:
    """Normaliser and moments of the distribution proportional to exp psi.

    Time O(n_f S^2) for S states of a column that potentials do not forbid.
    """
    gains = structure.gains()
    # Rows of steps are mostly all alike: what hangs on them alone is made once.
    rows, row_of = np.unique(structure.steps, axis=0, return_inverse=True)
    possible = np.flatnonzero(np.isfinite(gains).any(axis=0))
    states = structure.states
    kinds = states.steps[np.ix_(possible, possible)]
    factors = [np.exp(np.append(0.0, row))[kinds] for row in rows]
    tops = gains.max(axis=1)
    weights = np.exp(gains[:, possible] - tops[:, None])
    forward, scales = np.empty_like(weights), np.empty(len(weights))
    # What follows a column, given its state; and the same with the weight of the state itself.
    backward, after = np.ones_like(weights), np.empty_like(weights)
    for f in range(len(weights)):
        through = weights[f] if f == 0 else weights[f] * (forward[f - 1] @ factors[row_of[f - 1]])
        scales[f] = through.sum()
        forward[f] = through / scales[f]
    for f in range(len(weights) - 1, -1, -1):
        if f + 1 < len(weights):
            backward[f] = factors[row_of[f]] @ after[f + 1]
        after[f] = weights[f] * backward[f] / scales[f]
    steps = np.empty((len(weights) - 1, len(STEPS)))
    for number, between in enumerate(factors):
        here = np.flatnonzero(row_of == number)
        for kind in range(len(STEPS)):
            ways = forward[here] @ np.where(kinds == 1 + kind, between, 0.0)
            steps[here, kind] = (ways * after[here + 1]).sum(axis=1)
    labels = _of_edges(structure, forward * backward, possible)
    normaliser = np.log(scales).sum() + tops.sum() + structure.potentials[:, 0].sum()
    return ColumnSums(float(normaliser), labels, steps)


def _of_edges(structure: ColumnChain, chances: Floats, possible: Ints) -> Floats:
    """Probabilities of labels [n, L] from those of the states ``possible`` of columns, float [n_f, s]."""
    states, labels = structure.states, structure.labels
    links = np.zeros((len(possible), structure.shape[0] * labels))
    for end in range(2):
        linked = np.flatnonzero(states.labels[possible, end])
        words, found = states.words[possible[linked], end], states.labels[possible[linked], end]
        links[linked, words * labels + found] = 1.0
    of_edges = (chances @ links).reshape(-1, structure.shape[0], labels).swapaxes(0, 1)
    of_edges[:, :, 0] = 1.0 - of_edges[:, :, 1:].sum(axis=2)
    return of_edges.reshape(-1, labels)
