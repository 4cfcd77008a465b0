"""A little text about a harbour, and evidence of any pair of its sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.text_posteriors import Cells, TextPosteriors
from advsp.corpora.tokens import Normaliser
from advsp.corpora.word_pairs import number_pairs
from advsp.features.bitext import embeddings
from advsp.features.bitext.aligners import Aligner
from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.featuriser import BitextFeatures
from advsp.features.bitext.grid import link_grid
from advsp.features.bitext.groups import groups
from advsp.features.bitext.link_counts import count_links
from advsp.features.bitext.sets import CONTEXT, PREDICTIONS, TASKAR, FeatureSet
from advsp.features.bitext.statistics import Statistics, count_pairs
from advsp.features.bitext.text_links import TextLinks, count_text_links

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


@pytest.fixture(autouse=True)
def drawn_vectors(monkeypatch) -> None:
    """Vectors of words are drawn by their letters, whether or not a language model is installed."""

    def draw(words: list[str]) -> np.ndarray:
        rngs = (np.random.default_rng(list(word.encode())) for word in words)
        found = np.array([rng.normal(size=8) for rng in rngs])
        return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)

    monkeypatch.setattr(embeddings, "vectors", draw)
    monkeypatch.setattr(embeddings, "_KNOWN", {})


@pytest.fixture(scope="session")
def text_links() -> TextLinks:
    """What two aligners link in the text, drawn by chance."""
    pairs = number_pairs(lambda side: (pair[side] for pair in UNLABELLED))
    rng = np.random.default_rng(1)
    cells = len(Cells(*pairs.lengths))
    drawn = [TextPosteriors(*rng.random((2, cells)).astype(np.float16)) for _ in range(2)]
    return count_text_links(pairs, drawn, labelled=0)


@pytest.fixture
def evidence(statistics, text_links) -> Callable[..., Evidence]:
    """Evidence of a pair of sentences, with what directions predict for it, which m finds half probable.

    Where m predicts something it is one of those whose links of the whole text are known.
    """

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
            link_statistics=text_links.for_words(statistics.source.words, statistics.target.words)
            if aligners
            else None,
            everywhere=("m",) if aligners else (),
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
