"""The log-loss of column chains in compiled form: forward-backward over the states of target words.

The twin of :mod:`advsp.learners.column_log_loss`, whose sums are those of
:mod:`advsp.engine.structures.column_sums`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import in_place, inner
from advsp.kernels.losses import register_loss
from advsp.kernels.structures.columns import ColumnRows, add_columns, every_state, step_kind, table_of_columns
from advsp.kernels.twins import twin_of

#: As in :mod:`advsp.engine.structures.column_sums`.
_LEAST = -600.0


@twin_of("column-log")
class ColumnLog(NamedTuple):
    """The log-loss of sentence pairs.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the pairs.
    gold: int8 [T], the column chains that are nearest to the gold links.
    rows: layout of the potentials.
    """

    offsets: np.ndarray
    gold: np.ndarray
    rows: ColumnRows


@in_place
def _factor(factors, states, i, j):
    """Exp of the potential of the step between two states, and its kind; factors: float [4], by kind."""
    kind = step_kind(states.first[i], states.last[i], states.first[j], states.last[j])
    return factors[kind], kind


@inner
def _factors(steps):
    """Exp of potentials of steps [n, 3], and of none, against the highest of them; and the highest."""
    factors, tops = np.empty((len(steps), 4)), np.empty(len(steps))
    for f in range(len(steps)):
        tops[f] = max(0.0, steps[f].max())
        factors[f, 0] = np.exp(max(-tops[f], _LEAST))
        for kind in range(3):
            factors[f, 1 + kind] = np.exp(max(steps[f, kind] - tops[f], _LEAST))
    return factors, tops


@inner
def _sum_columns(table, width, moments):
    """Write the expected ``moments`` float [n, w] of the distribution proportional to exp psi.

    Returns the log of the sum of exp psi.
    """
    states, columns = every_state(table), table.columns
    ends, gains = states.ends, states.gains
    factors, tops = _factors(table.steps)
    forward, shares, shifts = gains.copy(), np.empty(len(gains)), np.empty(columns)
    for f in range(columns):
        for j in range(ends[f], ends[f + 1]):
            if f > 0:
                through = 0.0
                for i in range(ends[f - 1], ends[f]):
                    factor, _ = _factor(factors[f - 1], states, i, j)
                    through += shares[i] * factor
                forward[j] += np.log(through) + shifts[f - 1] + tops[f - 1]
        shifts[f] = forward[ends[f] : ends[f + 1]].max()
        for j in range(ends[f], ends[f + 1]):
            shares[j] = np.exp(forward[j] - shifts[f])
    normaliser = shifts[columns - 1] + np.log(shares[ends[columns - 1] :].sum())
    moments[:] = 0.0
    # What follows a column by its state, the state itself included, against the highest of them.
    after, shift = np.zeros(len(gains)), 0.0
    for f in range(columns - 1, -1, -1):
        mass = 0.0
        if f + 1 < columns:
            mass = np.exp(shifts[f] + shift + tops[f] - normaliser)
        highest = -np.inf
        for i in range(ends[f], ends[f + 1]):
            backward = 0.0
            if f + 1 < columns:
                total = 0.0
                for j in range(ends[f + 1], ends[f + 2]):
                    factor, kind = _factor(factors[f], states, i, j)
                    total += factor * after[j]
                    if kind > 0:
                        moments[f + 1, width + kind - 1] += mass * shares[i] * factor * after[j]
                backward = np.log(total) + shift + tops[f]
            chance = np.exp(forward[i] + backward - normaliser)
            for end in range(2):
                label = states.labels[i, end]
                if label > 0:
                    word = states.first[i] if end == 0 else states.last[i]
                    # S, the label 2, has the first potential of a row.
                    moments[word * columns + f, 2 - label] += chance
            after[i] = gains[i] + backward
            highest = max(highest, after[i])
        shift = highest
        for i in range(ends[f], ends[f + 1]):
            after[i] = np.exp(after[i] - shift)
    return normaliser + table.potentials[:, 0].sum()


@inner
def evaluate_column_log(loss, example, potentials, tolerance, moments):
    """See :func:`advsp.kernels.losses.evaluate`; exact, so ``tolerance`` has no part in it."""
    gold = loss.gold[loss.offsets[example] : loss.offsets[example + 1]]
    table = table_of_columns(loss.rows, example, potentials, np.zeros(3, dtype=np.bool_))
    value = _sum_columns(table, loss.rows.width, moments)
    wanted = np.zeros(moments.shape)
    add_columns(loss.rows, example, gold, 1.0, wanted)
    for t in range(len(wanted)):
        for c in range(wanted.shape[1]):
            value -= wanted[t, c] * potentials[t, c]
            moments[t, c] -= wanted[t, c]
    return value, value, 0


register_loss(ColumnLog, evaluate=evaluate_column_log)
