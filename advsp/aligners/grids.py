"""From posteriors in batches to grids of pairs, and from grids to the links of both directions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from advsp.aligners.base import Aligned
from advsp.corpora.bitext import Link
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.text_posteriors import Cells
from advsp.support.arrays import Floats, Ints, Singles

Grid = Floats | Singles


class InBatch(NamedTuple):
    """What is found in a batch of B pairs of n source and m target words.

    Attributes
    ----------
    pairs: int64 [B], numbers of the pairs.
    forward, reverse: floats [n, m, B], posteriors; rounding may have made them a little greater than 1.
    """

    pairs: Ints
    forward: Grid
    reverse: Grid


def find_grids(found: Iterable[InBatch], shapes: Sequence[tuple[int, int]]) -> list[tuple[Floats, Floats]]:
    """For every pair its forward and reverse posteriors, float64 [n, m] each; 0 where no batch has it."""
    grids = [(np.zeros(shape), np.zeros(shape)) for shape in shapes]
    for batch in found:
        for column, pair in enumerate(batch.pairs):
            np.minimum(batch.forward[:, :, column], 1, out=grids[pair][0])
            np.minimum(batch.reverse[:, :, column], 1, out=grids[pair][1])
    return grids


def fill(found: Iterable[InBatch], cells: Cells) -> tuple[Singles, Singles]:
    """The posteriors of all pairs of a text, float32 [T] each; 0 where no batch has them."""
    forward, reverse = np.zeros(len(cells), np.float32), np.zeros(len(cells), np.float32)
    for batch in found:
        places = cells.of(batch.pairs)
        forward[places], reverse[places] = np.minimum(batch.forward, 1), np.minimum(batch.reverse, 1)
    return forward, reverse


def decide(posteriors: tuple[Floats, Floats], threshold: float) -> tuple[list[Link], list[Link]]:
    """Forward and reverse links of a pair, source word first.

    The link of a word is the most probable one, if it is more probable than the threshold, and than that
    the word has none.
    """
    forward, reverse = posteriors
    return _best(forward, threshold), [(i, j) for j, i in _best(reverse.T, threshold)]


def _best(posterior: Floats, threshold: float) -> list[Link]:
    """For every word that is said, a column, its most probable position, a row; the first of equals."""
    best = posterior.max(axis=0)
    linked = best > np.maximum(1 - posterior.sum(axis=0), threshold)
    return list(zip(posterior.argmax(axis=0)[linked].tolist(), np.flatnonzero(linked).tolist()))


def aligned(posteriors: Sequence[tuple[Floats, Floats]], threshold: float) -> Aligned:
    """What a model says of sentence pairs: the links of both directions, and the posteriors."""
    both = [decide(of, threshold) for of in posteriors]
    links = {direction: [frozenset(of[side]) for of in both] for side, direction in enumerate(DIRECTIONS)}
    grids = [(of[0].astype(np.float32), of[1].astype(np.float32)) for of in posteriors]
    return Aligned(links, grids)


def write_decided(
    files: tuple[Path, Path], posteriors: Sequence[tuple[Floats, Floats]], threshold: float, blank: int
) -> None:
    """Write the forward and reverse links of labelled pairs, and a blank line for every other one."""
    decided = [decide(of, threshold) for of in posteriors]
    for side, file in enumerate(files):
        lines = (" ".join(f"{i}-{j}" for i, j in of[side]) + "\n" for of in decided)
        file.write_text("".join(lines) + "\n" * blank, encoding="utf-8")
