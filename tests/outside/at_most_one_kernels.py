"""The same structure in compiled form: the second of its two files."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner
from advsp.kernels.scores import expected_offset, weight
from advsp.kernels.structures.dispatch import (
    every_place,
    register_rows,
    register_structure,
    same_labelling,
    same_labels,
)
from advsp.kernels.structures.independent import LinkRows, add_links, table_of_links
from advsp.kernels.twins import twin_of


@twin_of("at-most-one-rows")
class AtMostOneRows(NamedTuple):
    """As :class:`~advsp.kernels.structures.independent.LinkRows`."""

    offsets: np.ndarray
    width: int
    shapes: np.ndarray
    ignored: np.ndarray


@twin_of("at-most-one")
class AtMostOneTable(NamedTuple):
    """Potentials float [n, L], and which labels count, bool [L]."""

    potentials: np.ndarray
    counted: np.ndarray


class One(NamedTuple):
    """The table, and the best potential of all."""

    table: AtMostOneTable
    top: float


@inner
def _link_rows(rows):
    return LinkRows(rows.offsets, rows.width, rows.shapes, rows.ignored)


@inner
def table_of_one(rows, example, potentials, counted):
    return AtMostOneTable(table_of_links(_link_rows(rows), example, potentials, counted).potentials, counted)


@inner
def add_one(rows, example, labelling, mass, moments):
    add_links(_link_rows(rows), example, labelling, mass, moments)


@inner
def prepare_one(table, span):
    nothing = table.potentials[:, 0].sum()
    gain = 0.0
    for t in range(len(table.potentials)):
        for label in range(1, len(table.counted)):
            gain = max(gain, table.potentials[t, label] - table.potentials[t, 0])
    return One(table, nothing + gain)


@inner
def respond_one(structure, score, hits, labels):
    potentials, counted = structure.table
    labels[:] = 0
    cost = np.zeros(potentials.shape)
    for g in range(len(hits.sizes)):
        for p in range(len(hits.positions)):
            for label in range(1, len(counted)):
                if hits.sizes[g] > 0:
                    worth = weight(score, hits.sizes[g], 1 if counted[label] else 0)
                    cost[hits.positions[p], label] += hits.mass[p, g] * worth * score.hits[label]
    lowest = 0.0
    for t in range(len(potentials)):
        for label in range(1, len(counted)):
            extra = cost[t, label] + potentials[t, 0] - potentials[t, label]
            extra += expected_offset(score, hits, 1 if counted[label] else 0) - expected_offset(
                score, hits, 0
            )
            if extra < lowest:
                lowest = extra
                labels[:] = 0
                labels[t] = label


@inner
def best_one(structure, labels):
    potentials, counted = structure.table
    labels[:] = 0
    highest = 0.0
    for t in range(len(potentials)):
        for label in range(1, len(counted)):
            gain = potentials[t, label] - potentials[t, 0]
            if gain > highest:
                highest = gain
                labels[:] = 0
                labels[t] = label


@inner
def potential_one(structure, labels):
    total = 0.0
    for t in range(len(labels)):
        total += structure.table.potentials[t, labels[t]]
    return total


@inner
def places_one(structure):
    return every_place(len(structure.table.potentials))


register_rows(AtMostOneRows, table_of=table_of_one, add_statistics=add_one)
register_structure(
    AtMostOneTable,
    One,
    prepare=prepare_one,
    respond=respond_one,
    best=best_one,
    potential=potential_one,
    restrict=same_labels,
    expand=same_labelling,
    places=places_one,
)
