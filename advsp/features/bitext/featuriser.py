"""Sentence pairs to instances: fit on the training pairs, then transform any."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from advsp.corpora.bitext import SentencePair
from advsp.features.bitext.aligners import Aligner
from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.grid import link_grid
from advsp.features.bitext.groups import Columns, groups
from advsp.features.bitext.link_counts import LinkCounts, Predictions
from advsp.features.bitext.link_statistics import LinkStatistics
from advsp.features.bitext.scaling import Scaling
from advsp.features.bitext.sets import FeatureSet
from advsp.features.bitext.statistics import Statistics
from advsp.support.arrays import Bools, Floats, Ints, Labels, Singles
from advsp.support.errors import InputError
from advsp.support.state import State
from advsp.training.instances import EdgeInstances

#: For every aligner that has posteriors those of each of a sequence of sentence pairs, forward and reverse,
#: [n, m] each.
Posteriors = Mapping[str, Sequence[tuple[Singles, Singles]]]

#: How far from 0 features of sets that look at the whole text are at most.
BOUND = 12.0
#: Labels of edges.
NO_LINK, POSSIBLE, SURE = 0, 1, 2


class BitextFeatures:
    """A feature set with all that it needs to know.

    ``fit`` learns from the training pairs how columns are scaled and which of them tell anything;
    ``transform`` reads any pairs with what was learnt.  A set that looks at links of the whole text is scaled
    by edges that some aligner takes for possible: of the others, nine tenths, most columns say next to
    nothing.

    Attributes
    ----------
    feature_set: groups and aligners.
    statistics: counts of unlabelled text.
    link_counts: how often the aligners link two words.
    link_statistics: what aligners link in the whole text, if the set looks at that.
    """

    def __init__(
        self,
        feature_set: FeatureSet,
        statistics: Statistics,
        link_counts: LinkCounts,
        link_statistics: LinkStatistics | None = None,
    ) -> None:
        self.feature_set, self.statistics, self.link_counts = feature_set, statistics, link_counts
        self.link_statistics = link_statistics
        self._names: tuple[str, ...] = ()
        self._probable: tuple[str, ...] = ()
        self._scaling: Scaling | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features; empty before ``fit``."""
        return tuple(self._names[column] for column in self._scaling.kept) if self._scaling else ()

    @property
    def dropped(self) -> tuple[str, ...]:
        """Names of the features that are the same on all training edges."""
        names = set(self.names)
        return tuple(name for name in self._names if name not in names)

    @property
    def probable(self) -> tuple[str, ...]:
        """Names of the aligners whose posteriors ``fit`` was given, and ``transform`` needs."""
        return self._probable

    def fit(
        self, pairs: Sequence[SentencePair], links: Predictions, posteriors: Posteriors | None = None
    ) -> EdgeInstances:
        """Learn from the training pairs and return them as instances.

        Parameters
        ----------
        pairs: S pairs, every side with at least one word.
        links: for every direction of the set's aligners what it predicts for each pair; others are
            not looked at.
        posteriors: of those of the set's aligners that have some; others are not looked at.

        Raises
        ------
        InputError: no pairs; no predictions of one of the directions.
        ValueError: predictions that are not one set of links for every pair, or a link outside its pair;
            posteriors that are not one pair of matrices for every pair, of its shape.
        """
        if not pairs:
            raise InputError("no sentence pairs to learn features from")
        posteriors = posteriors or {}
        self._probable = tuple(a.name for a in self.feature_set.aligners if a.name in posteriors)
        self._check(pairs, links, posteriors)
        self._names = tuple(self._columns(pairs[0], links, posteriors, 0, True))
        features = self._features(pairs, links, posteriors)
        if self.feature_set.of_text:
            wanted = self._candidates(pairs, links, posteriors)
            self._scaling = Scaling.fit(features[wanted], self._names, BOUND)
        else:
            self._scaling = Scaling.fit(features, self._names)
        return self._instances(pairs, self._scaling.apply(features))

    def transform(
        self,
        pairs: Sequence[SentencePair],
        links: Predictions,
        posteriors: Posteriors | None = None,
        counted: Container[SentencePair] | None = None,
    ) -> EdgeInstances:
        """Pairs as instances with the features that ``fit`` learnt.

        Parameters
        ----------
        counted: the pairs among which links were counted, by their words; all by default.

        Raises
        ------
        InputError: no predictions of one of the directions; no posteriors of an aligner that had some in
            ``fit``.
        ValueError: what ``fit`` raises; nothing was fitted.
        """
        scaling = self._fitted()
        posteriors = posteriors or {}
        self._check(pairs, links, posteriors)
        return self._instances(pairs, scaling.apply(self._features(pairs, links, posteriors, counted)))

    def knowing(
        self, statistics: Statistics, link_statistics: LinkStatistics | None = None
    ) -> BitextFeatures:
        """The same features for pairs of other words.

        Parameters
        ----------
        statistics, link_statistics: of the same text, for the words of these pairs.
        """
        source, target = (
            np.append(known.numbers_of(new.words), len(known.words))
            for known, new in (
                (self.statistics.source, statistics.source),
                (self.statistics.target, statistics.target),
            )
        )
        counts = self.link_counts.renumbered(source, target)
        features = BitextFeatures(self.feature_set, statistics, counts, link_statistics)
        features._names, features._probable, features._scaling = self._names, self._probable, self._scaling
        return features

    def state(self) -> State:
        """What :meth:`from_state` needs."""
        values = {
            "groups": list(self.feature_set.groups),
            "aligners": [[aligner.name, *aligner.directions] for aligner in self.feature_set.aligners],
            "probable": list(self._probable),
            "names": list(self._names),
        }
        parts = {
            "statistics": self.statistics.state(),
            "link_counts": self.link_counts.state(),
            "scaling": self._fitted().state(),
        }
        if self.link_statistics is not None:
            values["everywhere"] = list(self.feature_set.everywhere)
            parts["link_statistics"] = self.link_statistics.state()
        return State(values).holding(**parts)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """Features that transform as those did whose ``state`` this is."""
        aligners = tuple(Aligner(name, tuple(directions)) for name, *directions in state.values["aligners"])
        everywhere = tuple(state.values.get("everywhere", ()))
        features = cls(
            FeatureSet(tuple(state.values["groups"]), aligners, everywhere),
            Statistics.from_state(state.part("statistics")),
            LinkCounts.from_state(state.part("link_counts")),
            LinkStatistics.from_state(state.part("link_statistics")) if everywhere else None,
        )
        # Features that were saved before there were posteriors have learnt from none.
        features._probable = tuple(state.values.get("probable", ()))
        features._names = tuple(state.values["names"])
        features._scaling = Scaling.from_state(state.part("scaling"))
        return features

    def save(self, path: str | Path) -> None:
        """Write ``path`` with the endings ``.npz`` and ``.json``."""
        self.state().save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what :meth:`save` has written to ``path``.

        Raises
        ------
        InputError: nothing there, or files that are damaged or do not belong together.
        """
        return cls.from_state(State.load(path, "features", "make the features anew"))

    def _fitted(self) -> Scaling:
        if self._scaling is None:
            raise ValueError("the features were not fitted")
        return self._scaling

    def _features(
        self,
        pairs: Sequence[SentencePair],
        links: Predictions,
        posteriors: Posteriors,
        counted: Container[SentencePair] | None = None,
    ) -> Floats:
        """All F features of all edges as they are, float64 [T, F]."""
        ends = _offsets(pairs)
        features = np.empty((ends[-1], len(self._names)))
        for index, pair in enumerate(pairs):
            among = counted is None or SentencePair(pair.source, pair.target) in counted
            columns = self._columns(pair, links, posteriors, index, among)
            rows = features[ends[index] : ends[index + 1]]
            for column, name in enumerate(self._names):
                rows[:, column] = columns[name].ravel()
        return features

    def _candidates(self, pairs: Sequence[SentencePair], links: Predictions, posteriors: Posteriors) -> Bools:
        """Whether the edges are candidates, bool [T]; all are, where none is."""
        found = [
            self._evidence(pair, links, posteriors, index, True).candidates.ravel()
            for index, pair in enumerate(pairs)
        ]
        candidates = np.concatenate(found)
        return candidates if candidates.any() else ~candidates

    def _columns(
        self, pair: SentencePair, links: Predictions, posteriors: Posteriors, index: int, counted: bool
    ) -> Columns:
        """Names of features to their values, [n, m] each."""
        evidence = self._evidence(pair, links, posteriors, index, counted)
        columns: Columns = {}
        for group in self.feature_set.groups:
            columns |= groups.get(group)(evidence)
        return columns

    def _evidence(
        self, pair: SentencePair, links: Predictions, posteriors: Posteriors, index: int, counted: bool
    ) -> Evidence:
        """All that is known of a pair; ``index``: its number among these links and posteriors."""
        return Evidence(
            source=pair.source,
            target=pair.target,
            statistics=self.statistics,
            aligners=self.feature_set.aligners,
            predicted={
                name: link_grid(links[name][index], pair.shape) for name in self.feature_set.directions
            },
            link_counts=self.link_counts,
            posteriors={name: _doubled(posteriors[name][index]) for name in self._probable},
            counted=counted,
            link_statistics=self.link_statistics,
            everywhere=self.feature_set.everywhere,
        )

    def _instances(self, pairs: Sequence[SentencePair], features: Floats) -> EdgeInstances:
        """Pairs with their features as they are learnt from, float64 [T, K]."""
        labels = [_labels(pair) for pair in pairs]
        return EdgeInstances(
            features=features,
            labels=np.concatenate([np.empty(0, dtype=np.int8), *labels]),
            offsets=_offsets(pairs),
            shapes=np.array([pair.shape for pair in pairs], dtype=np.int64).reshape(-1, 2),
            feature_names=self.names,
            source=tuple(pair.source for pair in pairs),
            target=tuple(pair.target for pair in pairs),
        )

    def _check(self, pairs: Sequence[SentencePair], links: Predictions, posteriors: Posteriors) -> None:
        for name in self.feature_set.directions:
            if name not in links:
                hint = f"there are those of {', '.join(links)}" if links else "there are none at all"
                raise InputError(f"no predicted links of aligner {name!r}", hint=hint)
            if len(links[name]) != len(pairs):
                raise ValueError(f"{name!r} has links for {len(links[name])} of {len(pairs)} sentence pairs")
        for name in self._probable:
            if name not in posteriors:
                raise InputError(f"no posteriors of aligner {name!r}, which had some in training")
            if [(p.shape, q.shape) for p, q in posteriors[name]] != [(pair.shape,) * 2 for pair in pairs]:
                raise ValueError(f"the posteriors of {name!r} do not have the shapes of the sentence pairs")


def _doubled(grids: tuple[Singles, Singles]) -> tuple[Floats, Floats]:
    """The two grids in double precision."""
    forward, reverse = grids
    return forward.astype(np.float64), reverse.astype(np.float64)


def _labels(pair: SentencePair) -> Labels:
    """Labels of the edges of a pair, int8 [n * m]."""
    labels = np.full(pair.shape, NO_LINK, dtype=np.int8)
    labels[link_grid(pair.possible, pair.shape)] = POSSIBLE
    labels[link_grid(pair.sure, pair.shape)] = SURE
    return labels.ravel()


def _offsets(pairs: Sequence[SentencePair]) -> Ints:
    """Where the edges of every pair begin, and where the last ones end, int64 [S + 1]."""
    return np.cumsum([0, *(n * m for n, m in (pair.shape for pair in pairs))], dtype=np.int64)
