"""The linear map of word alignment: features of every possible link times the labels S and P, and steps."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from advsp.engine.backends.description import Description
from advsp.engine.measures.roles import N, P, S
from advsp.engine.structures.base import LinkStructure
from advsp.engine.structures.independent import IndependentLabels
from advsp.engine.structures.link_rows import LinkRows
from advsp.support.arrays import Bools, Floats, Ints, Labels, plain
from advsp.training.instances import BIAS, EdgeInstances
from advsp.training.linear import LinearModel

Possible = Literal["label", "ignore"]
PossibleFeatures = Literal["all", "bias"]
LengthScale = Literal["none", "length"]


class EdgeBlock(NamedTuple):
    """Weights of one kind: what they are of, the features or steps they belong to, and where they stand."""

    label: str
    names: tuple[str, ...]
    place: slice


class EdgeModel(LinearModel):
    """Potentials of the labels of edges; the label N has none.

    Weights are those of S, one a feature, then those of P, and then one for every kind of step from a target
    word to the next, if the structure has any.  A row of the table of potentials holds the potential of S
    and, unless possible links are ignored, that of P, and then those of steps: into target word f in the row
    of (0, f), for f > 0, and 0 in the others.

    Parameters
    ----------
    instances: the sentence pairs.
    possible: ``"label"`` gives P a potential of its own; ``"ignore"`` leaves S and N alone.
    possible_features: the features P has weights for, all or the bias alone.
    scale: ``"length"`` divides the features of a pair by the mean of its two lengths: a labelling's
        potential then stays in one range, as its score does, however long the sentences are.
    bias: value of the bias feature, 1 if None.  The L2 term shrinks what a feature of value b adds to
        potentials by 1 / b^2 of what it shrinks others: at 100 the bias is free for all purposes.
    kind: the structure of the links, which says what steps there are.

    Attributes
    ----------
    label_width: potentials of a row that are those of labels: 1 where P is no label, else 2.
    """

    def __init__(
        self,
        instances: EdgeInstances,
        possible: Possible = "label",
        possible_features: PossibleFeatures = "all",
        scale: LengthScale = "none",
        bias: float | None = None,
        kind: type[LinkStructure] = IndependentLabels,
    ) -> None:
        self.instances, self.possible, self.kind = instances, possible, kind
        #: The value of the bias feature.
        self.bias_value = 1.0 if bias is None else bias
        features = instances.features
        if bias is not None:
            factors = np.array([bias if name == BIAS else 1.0 for name in instances.feature_names])
            features = features * factors
        lengths = np.ones(len(features))
        if scale == "length":
            lengths = np.repeat(instances.shapes.mean(axis=1), np.diff(instances.offsets))
            features = features / lengths[:, None]
        #: What the weights of steps are multiplied by in every row, float [T].
        self._steps = _steps_end(instances) / lengths
        self._sure = features
        if possible == "ignore":
            self._possible = features[:, :0]
        elif possible_features == "all":
            self._possible = features
        else:
            self._possible = features[:, [instances.feature_names.index(BIAS)]]
        self.label_width = 1 if possible == "ignore" else 2
        self._kinds = len(kind.step_names)
        self.width = self.label_width + self._kinds
        self._split = self._sure.shape[1], self._sure.shape[1] + self._possible.shape[1]
        self.size = self._split[1] + self._kinds
        self.examples, self.offsets = len(instances), instances.offsets

    @property
    def named_blocks(self) -> list[EdgeBlock]:
        """The weights of sure links, of possible ones and of steps, as far as there are any."""
        sure, labels = self._split
        names = self.instances.feature_names
        possible = names if labels - sure == len(names) else (BIAS,)
        found = [EdgeBlock("sure", names, slice(0, sure))]
        if labels > sure:
            found.append(EdgeBlock("possible", possible, slice(sure, labels)))
        if self._kinds:
            found.append(EdgeBlock("step", self.kind.step_names, slice(labels, self.size)))
        return found

    @property
    def blocks(self) -> list[slice]:
        """Those of :attr:`named_blocks`: the potentials of a label as frequent as P are much smaller."""
        return [block.place for block in self.named_blocks]

    def support(self, example: int) -> Ints:
        return np.arange(self.size)

    def potentials(self, example: int, local: Floats) -> Floats:
        return self._table(self.rows(example), local)

    def adjoint(self, example: int, moments: Floats) -> Floats:
        return self._gradient(self.rows(example), moments)

    def all_potentials(self, weights: Floats) -> Floats:
        return self._table(slice(None), weights)

    def adjoint_all(self, moments: Floats) -> Floats:
        return self._gradient(slice(None), moments)

    def frequencies(self) -> Ints:
        return np.full(self.size, self.examples)

    def describe(self) -> Description:
        return Description(
            "edge-map",
            {
                "offsets": plain(self.offsets, int),
                "sure": plain(self._sure),
                "possible": plain(self._possible),
                "steps": plain(self._steps),
                "width": self.label_width,
                "kinds": self._kinds,
            },
        )

    def _table(self, rows: slice, weights: Floats) -> Floats:
        sure, labels = self._split
        columns = [self._sure[rows] @ weights[:sure]]
        if self.label_width == 2:
            columns.append(self._possible[rows] @ weights[sure:labels])
        return np.stack([*columns, *(self._steps[rows] * weight for weight in weights[labels:])], axis=1)

    def _gradient(self, rows: slice, moments: Floats) -> Floats:
        parts = [self._sure[rows].T @ moments[:, 0]]
        if self.label_width == 2:
            parts.append(self._possible[rows].T @ moments[:, 1])
        return np.concatenate([*parts, self._steps[rows] @ moments[:, self.label_width :]])

    @cached_property
    def labels(self) -> Labels:
        """Gold labels of all pairs, int8 [T]; possible links are N where they are ignored."""
        labels = self.instances.labels
        return labels if self.possible == "label" else np.where(labels == S, S, N).astype(np.int8)

    def ignored(self) -> Bools:
        """Edges that training leaves out, bool [T]: the possible links where they are ignored."""
        ignored: Bools = (self.instances.labels == P) & (self.possible == "ignore")
        return ignored

    def layout_of(self, kind: type[LinkStructure], ignored: Bools | None = None) -> LinkRows:
        """Tables of potentials as structures of one kind.

        Parameters
        ----------
        ignored: bool [T], edges on which the adversary must play N; none if not given.
        """
        if ignored is None:
            ignored = np.zeros(int(self.offsets[-1]), dtype=bool)
        return LinkRows(kind, self.label_width, self.offsets, self.instances.shapes, ignored)

    @property
    def layout(self) -> LinkRows:
        return self.layout_of(self.kind)


def _steps_end(instances: EdgeInstances) -> Bools:
    """Whether a row holds the potentials of the steps into its target word, bool [T]."""
    sizes = np.diff(instances.offsets)
    places = np.arange(int(instances.offsets[-1])) - np.repeat(instances.offsets[:-1], sizes)
    ends: Bools = (places > 0) & (places < np.repeat(instances.shapes[:, 1], sizes))
    return ends
