"""The distribution proportional to exp psi over column chains: its normaliser and its moments.

Forward-backward over columns, in numbers that are scaled column by column (Rabiner, 1989).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advsp.engine.structures.column_chain import STEPS, ColumnChain
from advsp.support.arrays import Floats


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
    possible = np.flatnonzero(np.isfinite(gains).any(axis=0))
    states = structure.states
    tops = gains.max(axis=1)
    weights = np.exp(gains[:, possible] - tops[:, None])
    kinds = states.steps[np.ix_(possible, possible)]
    factors = np.exp(np.concatenate([np.zeros((len(structure.steps), 1)), structure.steps], axis=1))
    columns = len(weights)
    forward, backward, scales = np.empty_like(weights), np.ones_like(weights), np.empty(columns)
    for f in range(columns):
        through = weights[f] if f == 0 else weights[f] * (forward[f - 1] @ factors[f - 1][kinds])
        scales[f] = through.sum()
        forward[f] = through / scales[f]
    steps = np.empty((columns - 1, len(STEPS)))
    for f in range(columns - 2, -1, -1):
        after = weights[f + 1] * backward[f + 1] / scales[f + 1]
        between = factors[f][kinds]
        backward[f] = between @ after
        for kind in range(len(STEPS)):
            steps[f, kind] = forward[f] @ np.where(kinds == 1 + kind, between, 0.0) @ after
    labels = np.zeros((*structure.shape, structure.labels))
    chances = forward * backward
    for end in range(2):
        linked = np.flatnonzero(states.labels[possible, end])
        words, found = states.words[possible[linked], end], states.labels[possible[linked], end]
        for f in range(columns):
            np.add.at(labels[:, f], (words, found), chances[f, linked])
    labels[:, :, 0] = 1.0 - labels[:, :, 1:].sum(axis=2)
    normaliser = np.log(scales).sum() + tops.sum() + structure.potentials[:, 0].sum()
    return ColumnSums(float(normaliser), labels.reshape(-1, structure.labels), steps)
