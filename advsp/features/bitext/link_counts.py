"""How often an aligner links two words: the conditional link probability of Cherry and Lin (2006).

Counted in the labelled text, over all splits: its words and what the aligner predicts for them, never its
links.  A sentence pair counts once for two words, whether they stand in it or are linked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from scipy.sparse import csr_matrix

from advsp.corpora.bitext import Link, SentencePair
from advsp.features.bitext.aligners import Aligner
from advsp.features.bitext.grid import link_grid
from advsp.features.bitext.pair_counts import PairCounts
from advsp.features.bitext.statistics import Statistics
from advsp.support.arrays import Bools, Ints
from advsp.support.state import State, sparse_arrays, sparse_matrix

#: For every direction the links that it predicts for each of a sequence of sentence pairs.
Predictions = Mapping[str, Sequence[frozenset[Link]]]


@dataclass(frozen=True, eq=False)
class LinkCounts:
    """Numbers of sentence pairs, words numbered as in :class:`~.statistics.Statistics`.

    Attributes
    ----------
    together: CSR int64 [W_source + 1, W_target + 1], pairs that contain both words.
    linked: for every aligner a matrix of the same shape: pairs in which it links the two words; an
        aligner of two directions, in which both do.
    """

    together: csr_matrix
    linked: Mapping[str, csr_matrix]

    def of(self, aligner: str, source: Ints, target: Ints) -> tuple[Ints, Ints]:
        """Pairs in which words are linked, and in which they stand together.

        Parameters
        ----------
        source, target: int [n] and int [m], numbers of words.

        Returns
        -------
        int64 [n, m] each
        """
        return self._linked[aligner].of(source, target), self._together.of(source, target)

    @cached_property
    def _together(self) -> PairCounts:
        return PairCounts(self.together)

    @cached_property
    def _linked(self) -> dict[str, PairCounts]:
        return {name: PairCounts(counts) for name, counts in self.linked.items()}

    def renumbered(self, source: Ints, target: Ints) -> LinkCounts:
        """The same counts where words have other numbers.

        Parameters
        ----------
        source, target: int [n] and int [m], the number here of every word of the other numbers.
        """
        linked = {name: counts[source][:, target] for name, counts in self.linked.items()}
        return LinkCounts(self.together[source][:, target], linked)

    def state(self) -> State:
        """What :meth:`from_state` needs."""
        arrays = sparse_arrays("together", self.together)
        for number, counts in enumerate(self.linked.values()):
            arrays |= sparse_arrays(f"linked_{number}", counts)
        return State({"shape": list(self.together.shape), "aligners": list(self.linked)}, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The counts whose ``state`` this is."""
        shape = tuple(state.values["shape"])
        linked = {
            aligner: sparse_matrix(f"linked_{number}", state.arrays, shape)
            for number, aligner in enumerate(state.values["aligners"])
        }
        return cls(sparse_matrix("together", state.arrays, shape), linked)


def count_links(
    statistics: Statistics,
    aligners: Iterable[Aligner],
    splits: Iterable[tuple[Sequence[SentencePair], Predictions]],
) -> LinkCounts:
    """Count what aligners link in the labelled text.

    Parameters
    ----------
    splits: sentence pairs, and what every direction predicts for them.

    Raises
    ------
    ValueError: predictions that are not one set of links for every pair, or a link outside its pair.
    """
    aligners = list(aligners)
    together: list[Ints] = []
    linked: dict[str, list[Ints]] = {aligner.name: [] for aligner in aligners}
    for pairs, predictions in splits:
        for index, pair in enumerate(pairs):
            source, target = statistics.source.numbers(pair.source), statistics.target.numbers(pair.target)
            together.append(_types(source, target, np.ones(pair.shape, dtype=bool)))
            for aligner in aligners:
                grids = [link_grid(predictions[name][index], pair.shape) for name in aligner.directions]
                linked[aligner.name].append(_types(source, target, np.logical_and.reduce(grids)))
    shape = statistics.together.shape
    return LinkCounts(_sum(together, shape), {name: _sum(types, shape) for name, types in linked.items()})


def once_for_a_type(source: Ints, target: Ints, grid: Bools) -> Bools:
    """Where two words stand that ``grid``, bool [n, m], has anywhere in the pair: as often as a pair counts.

    source, target: int [n] and int [m], numbers of the words of one pair.
    """
    places = [np.unique(numbers, return_inverse=True) for numbers in (source, target)]
    found = np.zeros([len(words) for words, _ in places], dtype=bool)
    rows, columns = (inverse for _, inverse in places)
    np.logical_or.at(found, (rows[:, None], columns), grid)
    return found[rows[:, None], columns]


def _types(source: Ints, target: Ints, grid: Bools) -> Ints:
    """Different pairs of word numbers where ``grid`` is true, int64 [p, 2]."""
    rows, columns = np.nonzero(grid)
    return np.unique(np.stack([source[rows], target[columns]], axis=1), axis=0)


def _sum(types: list[Ints], shape: tuple[int, int]) -> csr_matrix:
    """How often every pair of word numbers occurs, CSR int64."""
    numbers = np.concatenate(types) if types else np.empty((0, 2), dtype=np.int64)
    ones = np.ones(len(numbers), dtype=np.int64)
    return csr_matrix((ones, (numbers[:, 0], numbers[:, 1])), shape=shape)
