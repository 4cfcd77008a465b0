"""The distribution proportional to exp psi over column chains: its normaliser and its moments.

Forward-backward over columns, in logs that are taken out of every column's sums by its highest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advsp.engine.structures.column_chain import STEPS, ColumnChain
from advsp.support.arrays import Floats, Ints

#: A step counts as no less likely than that, as a log, against the likeliest: sums never vanish.
LEAST = -600.0


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
    gains, states = gains[:, possible], structure.states
    kinds = states.steps[np.ix_(possible, possible)]
    tops = np.maximum(rows.max(axis=1, initial=0.0), 0.0)
    logs = [np.append(0.0, row) - top for row, top in zip(rows, tops, strict=True)]
    factors = [np.exp(np.maximum(log, LEAST))[kinds] for log in logs]
    shares, shifts = np.empty_like(gains), np.empty(len(gains))
    forward, backward = gains.copy(), np.zeros_like(gains)
    for f in range(len(gains)):
        if f > 0:
            number = row_of[f - 1]
            forward[f] += np.log(shares[f - 1] @ factors[number]) + shifts[f - 1] + tops[number]
        shifts[f] = forward[f].max()
        shares[f] = np.exp(forward[f] - shifts[f])
    normaliser = shifts[-1] + np.log(shares[-1].sum())
    steps = np.empty((len(gains) - 1, len(STEPS)))
    for f in range(len(gains) - 2, -1, -1):
        number = row_of[f]
        after = gains[f + 1] + backward[f + 1]
        shift = after.max()
        after = np.exp(after - shift)
        backward[f] = np.log(factors[number] @ after) + shift + tops[number]
        mass = np.exp(shifts[f] + shift + tops[number] - normaliser)
        for kind in range(len(STEPS)):
            ways = np.where(kinds == 1 + kind, factors[number], 0.0)
            steps[f, kind] = mass * (shares[f] @ ways @ after)
    labels = _of_edges(structure, np.exp(forward + backward - normaliser), possible)
    return ColumnSums(float(normaliser + structure.potentials[:, 0].sum()), labels, steps)


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
