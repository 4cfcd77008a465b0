"""A little text about a harbour, and evidence of any pair of its sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.tokens import Normaliser
from advsp.features.bitext.aligners import Aligner
from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.featuriser import BitextFeatures
from advsp.features.bitext.grid import link_grid
from advsp.features.bitext.groups import groups
from advsp.features.bitext.link_counts import count_links
from advsp.features.bitext.sets import CONTEXT, PREDICTIONS, TASKAR, FeatureSet
from advsp.features.bitext.statistics import Statistics, count_pairs

#: Two directions of one aligner, and an aligner of one direction.
ALIGNERS = (Aligner("m", ("m.ef", "m.fe")), Aligner("solo", ("solo",)))


def words(sentence: str) -> tuple[str, ...]:
    return tuple(sentence.split())


def links(text: str) -> frozenset[Link]:
    """``0-0 1-2`` as links."""
    return frozenset(tuple(map(int, link.split("-"))) for link in text.split())


#: Sentences that contain a word: gull and the 3, tide 2, sleeps, sings, high, the marks 1; la 4, mouette 3,
#: maree 2, dort, chante, haute, the marks 1.  Only the second pair has words twice: the, gull, la, mouette.
UNLABELLED = [
    (words("the gull sleeps"), words("la mouette dort")),
    (words("the gull sings , the gull !"), words("la mouette chante , la mouette !")),
    (words("the high tide"), words("la maree haute")),
    (words("gull tide"), words("maree la mouette")),
]

PAIRS = [
    SentencePair(words("The gull sleeps"), words("La mouette dort"), links("0-0 1-1"), links("2-2")),
    SentencePair(words("high tide"), words("marée haute"), links("0-1 1-0")),
    SentencePair(words("Albatross"), words("albatros"), links("0-0")),
]

PREDICTED = {
    "m.ef": [links("0-0 1-1 2-1"), links("0-1 1-0"), links("0-0")],
    "m.fe": [links("0-0 1-1 2-2"), links("0-1 1-1"), links("")],
    "solo": [links("1-1 2-2"), links("1-0"), links("")],
}


@pytest.fixture
def pairs() -> list[SentencePair]:
    return list(PAIRS)


@pytest.fixture
def predicted() -> dict[str, list[frozenset[Link]]]:
    """What the directions of two aligners predict for ``pairs``."""
    return dict(PREDICTED)


@pytest.fixture
def aligners() -> tuple[Aligner, ...]:
    return ALIGNERS


@pytest.fixture
def text() -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What ``statistics`` counts."""
    return list(UNLABELLED)


@pytest.fixture(scope="session")
def statistics() -> Statistics:
    return count_pairs(
        UNLABELLED,
        [(pair.source, pair.target) for pair in PAIRS],
        source=Normaliser(["lower"]),
        target=Normaliser(["lower", "accents"]),
    )


@pytest.fixture
def evidence(statistics) -> Callable[..., Evidence]:
    """Evidence of a pair of sentences, with what directions predict for it, which m finds half probable."""

    def make(source: str, target: str, predicted: Mapping[str, str] | None = None) -> Evidence:
        predicted = predicted or {}
        aligners = tuple(a for a in ALIGNERS if all(name in predicted for name in a.directions))
        pair = SentencePair(words(source), words(target))
        grids = {name: link_grid(links(text), pair.shape) for name, text in predicted.items()}
        return Evidence(
            source=pair.source,
            target=pair.target,
            statistics=statistics,
            aligners=aligners,
            predicted=grids,
            link_counts=count_links(statistics, ALIGNERS, [(PAIRS, PREDICTED)]),
            posteriors={
                aligner.name: tuple(grids[name] / 2 for name in aligner.directions)
                for aligner in aligners
                if aligner.name == "m"
            },
        )

    return make


@pytest.fixture
def features(statistics) -> BitextFeatures:
    """All groups and all aligners, not fitted."""
    feature_set = FeatureSet((*TASKAR, *PREDICTIONS, *CONTEXT), ALIGNERS)
    return BitextFeatures(feature_set, statistics, count_links(statistics, ALIGNERS, [(PAIRS, PREDICTED)]))


@pytest.fixture
def group() -> Callable[[str, Evidence], dict[str, list]]:
    """What a feature group says, as nested lists."""

    def compute(name: str, evidence: Evidence) -> dict[str, list]:
        columns = groups.get(name)(evidence)
        return {feature: np.asarray(grid, dtype=float).tolist() for feature, grid in columns.items()}

    return compute
