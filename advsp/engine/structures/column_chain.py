"""Every target word has no link, one, or two to words side by side; neighbours tell of each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, Self

import numpy as np

from advsp.engine.backends.description import Description
from advsp.engine.measures.base import AdditiveCosts, CountCosts
from advsp.engine.structures import structures
from advsp.engine.structures.base import LinkStructure, Response, check_potentials, checked_grid
from advsp.engine.structures.independent import IndependentLabels
from advsp.support.arrays import Bools, Floats, Ints, Labels, plain

#: Steps from the words of one column to those of the next: to the word behind the last, to the word before
#: the first, to words of which one is the same.  Others, and those from or to no word, have no potential.
STEPS = ("monotone", "swap", "stay")


class ColumnStates(NamedTuple):
    """What a column may be: states 0 without a link, then those of one link, then those of two.

    Attributes
    ----------
    words: int [S, 2], first and last source word, -1 where there is none.
    labels: int [S, 2], labels of the links to them, 0 where there is no such link.
    steps: int [S, S], the step from one state to another: 0 for none of :data:`STEPS`, else 1 + its number.
    """

    words: Ints
    labels: Ints
    steps: Ints


@lru_cache(maxsize=256)
def column_states(words: int, labels: int) -> ColumnStates:
    """The states of a column of so many source words and labels of an edge."""
    linked = range(1, labels)
    pairs = [((-1, -1), (0, 0))]
    pairs += [((e, e), (label, 0)) for e in range(words) for label in linked]
    pairs += [((e, e + 1), (one, two)) for e in range(words - 1) for one in linked for two in linked]
    spans = np.array([span for span, _ in pairs])
    return ColumnStates(spans, np.array([two for _, two in pairs]), _steps(spans[:, None], spans[None, :]))


def _steps(left: Ints, right: Ints) -> Ints:
    """Steps int [...] between first and last words, int [..., 2], of neighbouring columns."""
    first, last, then, at_last = left[..., 0], left[..., 1], right[..., 0], right[..., 1]
    kinds = [
        (first < 0) | (then < 0),
        then == last + 1,
        at_last + 1 == first,
        (then <= last) & (at_last >= first),
    ]
    steps: Ints = np.select(kinds, [0, 1, 2, 3], 0)
    return steps


class _InPlay(NamedTuple):
    """The states of every column that are looked at, int [s_f], and the steps between them, float [s, s']."""

    states: list[Ints]
    between: list[Floats]


@structures.register("column-chain")
class ColumnChain(LinkStructure):
    """psi(y) = sum_e potentials[e, y_e] + sum_f steps[f, step from column f to column f + 1].

    A column holds the edges of one target word; labels other than 0 stand on no edge of it, on one, or on two
    of neighbouring source words.

    Parameters
    ----------
    potentials: float [n_e * n_f, L], row-major over (e, f); label 0 means no link.
    shape: (n_e, n_f).
    steps: float [n_f - 1, 3], potentials of :data:`STEPS` between neighbouring columns; 0 if not given.

    Raises
    ------
    ValueError: edges that do not fill the grid; an edge that may not go without a link.

    Attributes
    ----------
    states: what its columns may be.
    """

    step_names = STEPS
    rows = "column-rows"

    def __init__(self, potentials: Floats, shape: tuple[int, int], steps: Floats | None = None) -> None:
        self.potentials = checked_grid(potentials, shape)
        self.length, self.labels = self.potentials.shape
        self.shape = (shape[0], shape[1])
        full = (self.shape[1] - 1, len(STEPS))
        self.steps = np.zeros(full) if steps is None else np.asarray(steps, dtype=float)
        if self.steps.shape != full:
            raise ValueError(f"potentials of steps must have shape {full}, not {self.steps.shape}")
        check_potentials("step", self.steps)
        self.states = column_states(self.shape[0], self.labels)
        self._seen: dict[float, _InPlay] = {}
        self._opened: dict[tuple[float, bytes], Ints] = {}

    @classmethod
    def of_links(cls, potentials: Floats, shape: tuple[int, int]) -> Self:
        return cls(potentials, shape)

    @classmethod
    def of_steps(cls, potentials: Floats, steps: Floats, shape: tuple[int, int]) -> Self:
        return cls(potentials, shape, steps)

    @classmethod
    def step_moments(cls, labellings: Labels, probabilities: Floats, shape: tuple[int, int]) -> Floats:
        spans = _spans(labellings, shape)
        steps = _steps(spans[:, :-1], spans[:, 1:])
        return np.stack([probabilities @ (steps == 1 + kind) for kind in range(len(STEPS))], axis=1)

    def describe(self) -> Description:
        return Description(
            "column-chain",
            {
                "potentials": plain(self.potentials),
                "steps": plain(self.steps),
                "words": self.shape[0],
                "columns": self.shape[1],
            },
        )

    def opponent(self) -> IndependentLabels:
        """The predictor may link as it likes: what is gold is seldom a labelling of the structure."""
        return IndependentLabels(np.zeros((self.length, 2)))

    def potential(self, labellings: Labels) -> Floats:
        total: Floats = self.potentials[np.arange(self.length), labellings].sum(axis=1)
        spans = _spans(labellings, self.shape)
        found = _steps(spans[:, :-1], spans[:, 1:])
        total += self._of_steps[np.arange(self.shape[1] - 1), found].sum(axis=1)
        return total

    def allows(self, labellings: Labels) -> Bools:
        links = (labellings != 0).reshape(-1, *self.shape)
        side_by_side = (links[:, 1:] & links[:, :-1]).any(axis=1)
        number = links.sum(axis=1)
        allowed: Bools = ((number <= 1) | ((number == 2) & side_by_side)).all(axis=1)
        return allowed & super().allows(labellings)

    def best(self) -> Labels:
        return self.respond_additive(AdditiveCosts(np.zeros_like(self.potentials))).labelling

    def nearest(self, labelling: Labels) -> Labels:
        """In every column those of its links, one or two side by side, whose labels are highest in all."""
        kept = np.full((self.length, self.labels), -np.inf)
        kept[:, 0] = 0.0
        kept[np.arange(self.length), labelling] = labelling
        return self._labelling(self._gains(kept).argmax(axis=1))

    # --- best responses ------------------------------------------------------------------------------------

    def respond_additive(self, costs: AdditiveCosts, prune: bool = True) -> Response:
        """Viterbi over columns."""
        reduced = self.potentials - costs.costs
        in_play = self._in_play(np.inf)
        moved = np.zeros(len(self.states.words), dtype=np.int64)
        tables = self._tables(self._gains(reduced)[None], moved, in_play, 1)
        labelling = self._trace(tables, 0, 0, moved, in_play)
        return Response(labelling, float(-tables[-1].max() - reduced[:, 0].sum()))

    def respond_by_count(self, costs: CountCosts, prune: bool) -> Response:
        """Viterbi over columns, states and the number of counted labels so far, for every count aimed at.

        With ``prune`` states whose best labelling falls short of the best of all by more than the score can
        make good are left out, and so are counts.
        """
        # Counted from where no edge has a link: how many edges have labels that count other than that.
        other = costs.counted != costs.counted[0]
        moved = other[self.states.labels].sum(axis=1)
        in_play = self._in_play(costs.span if prune else np.inf)
        numbers = self._open(moved, costs.span) if prune else np.arange(_most(moved, in_play) + 1)
        counts = self.length - numbers if costs.counted[0] else numbers
        known = counts < len(costs.constant)
        numbers, counts = numbers[known], counts[known]
        weights = costs.dense(self.length)[:, counts].T
        charged = self.potentials - weights[:, :, None] * costs.hits
        tables = self._tables(self._gains(charged), moved, in_play, int(numbers.max()) + 1)
        reached = tables[-1][np.arange(len(numbers)), numbers].max(axis=1)
        totals = costs.constant[counts] - charged[:, :, 0].sum(axis=1) - reached
        best = int(totals.argmin())
        labelling = self._trace(tables, best, int(numbers[best]), moved, in_play)
        return Response(labelling, float(totals[best]))

    def gains(self) -> Floats:
        """What states add to the potential of no link in a column, float [n_f, S]."""
        return self._gains(self.potentials)

    def _gains(self, potentials: Floats) -> Floats:
        """:meth:`gains` [..., n_f, S] of any potentials [..., n, L]."""
        grid = (potentials - potentials[..., :1]).reshape(*potentials.shape[:-2], *self.shape, self.labels)
        columns = np.moveaxis(grid, -2, -3)
        words, labels = np.maximum(self.states.words, 0), self.states.labels
        gains: Floats = columns[..., words[:, 0], labels[:, 0]] + columns[..., words[:, 1], labels[:, 1]]
        return gains

    def _tables(self, gains: Floats, moved: Ints, in_play: _InPlay, numbers: int) -> list[Floats]:
        """Highest gain of the columns up to each by their number of counted labels, [c, numbers, s_f].

        gains: float [c, n_f, S]; moved: int [S], counted labels of the states.
        """
        tables: list[Floats] = []
        for f, states in enumerate(in_play.states):
            if f == 0:
                through = np.full((len(gains), numbers, len(states)), -np.inf)
                through[:, 0] = 0.0
            else:
                through = (tables[-1][:, :, :, None] + in_play.between[f - 1]).max(axis=2)
            table = np.full_like(through, -np.inf)
            for number in np.unique(moved[states]):
                those = moved[states] == number
                table[:, number:, those] = through[:, : numbers - number, those]
            tables.append(table + gains[:, f][:, None, states])
        return tables

    def _trace(
        self, tables: Sequence[Floats], row: int, number: int, moved: Ints, in_play: _InPlay
    ) -> Labels:
        """The labelling that attains the highest gain with so many counted labels, of one row of tables."""
        chosen = np.zeros(len(tables), dtype=np.int64)
        place = int(tables[-1][row, number].argmax())
        for f in range(len(tables) - 1, -1, -1):
            chosen[f] = in_play.states[f][place]
            if f > 0:
                number -= int(moved[chosen[f]])
                place = int((tables[f - 1][row, number] + in_play.between[f - 1][:, place]).argmax())
        return self._labelling(chosen)

    def _labelling(self, states: Ints) -> Labels:
        """The labelling int8 [n] of the states of all columns, int [n_f]."""
        grid = np.zeros(self.shape, dtype=np.int8)
        words, labels = self.states.words[states], self.states.labels[states]
        for end in range(2):
            linked = np.flatnonzero(labels[:, end])
            grid[words[linked, end], linked] = labels[linked, end]
        return grid.ravel()

    # --- exact pruning -------------------------------------------------------------------------------------

    @cached_property
    def _of_steps(self) -> Floats:
        """Potentials of steps by their numbers in :class:`ColumnStates`, [n_f - 1, 4]."""
        return np.concatenate([np.zeros((len(self.steps), 1)), self.steps], axis=1)

    def _in_play(self, span: float) -> _InPlay:
        """States whose best labelling falls short of the best of all by ``span`` at most; any for inf."""
        if span not in self._seen:
            if span < np.inf:
                states = [np.flatnonzero(row >= _least(row.max(), span)) for row in self._max_marginals]
            else:
                states = [np.flatnonzero(np.isfinite(row)) for row in self.gains()]
            self._seen[span] = _InPlay(states, self._between(states))
        return self._seen[span]

    def _open(self, moved: Ints, span: float) -> Ints:
        """Counted labels whose best labelling falls short of the best of all by ``span`` at most, int [k]."""
        asked = span, moved.tobytes()
        if asked not in self._opened:
            in_play = self._in_play(span)
            tables = self._tables(self.gains()[None], moved, in_play, _most(moved, in_play) + 1)
            highest = tables[-1][0].max(axis=1)
            self._opened[asked] = np.flatnonzero(highest >= _least(highest.max(), span))
        return self._opened[asked]

    def _between(self, states: list[Ints]) -> list[Floats]:
        """Potentials of steps between the states of neighbouring columns; what is alike is made once."""
        made: dict[tuple[bytes, ...], Floats] = {}
        between = []
        for row, left, right in zip(self._of_steps, states[:-1], states[1:], strict=True):
            alike = row.tobytes(), left.tobytes(), right.tobytes()
            if alike not in made:
                made[alike] = row[self.states.steps[np.ix_(left, right)]]
            between.append(made[alike])
        return between

    @cached_property
    def _max_marginals(self) -> Floats:
        """Highest gain of any labelling with a state in a column, float [n_f, S]."""
        states, between = self._in_play(np.inf)
        every = self.gains()
        gains = [every[f, states[f]] for f in range(len(states))]
        forward, backward = [gains[0]], [np.zeros_like(gains[-1])]
        for f in range(1, len(gains)):
            forward.append(gains[f] + (forward[-1][:, None] + between[f - 1]).max(axis=0))
        for f in range(len(gains) - 2, -1, -1):
            backward.append((between[f] + (gains[f + 1] + backward[-1])).max(axis=1))
        marginals = np.full_like(every, -np.inf)
        for f in range(len(states)):
            marginals[f, states[f]] = forward[f] + backward[-1 - f]
        return marginals


def _most(moved: Ints, in_play: _InPlay) -> int:
    """Most counted labels of a labelling, by those of the states, int [S]."""
    return sum(int(moved[states].max()) for states in in_play.states)


def _spans(labellings: Labels, shape: tuple[int, int]) -> Ints:
    """First and last word with a link in every column, int [r, n_f, 2], -1 where there is none."""
    links = (labellings != 0).reshape(-1, *shape)
    some = links.any(axis=1)
    first, last = links.argmax(axis=1), shape[0] - 1 - links[:, ::-1].argmax(axis=1)
    return np.stack([np.where(some, first, -1), np.where(some, last, -1)], axis=-1)


def _least(best: float, span: float) -> float:
    """What a best response has at least; rounding allowed for."""
    return float(best - span - 1e-9 * max(1.0, abs(best)))
