"""Features of a prepared bitext: from its folder to instances of its splits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.bitext_sources import run_directions
from advsp.corpora.posteriors import Grids
from advsp.corpora.prepared_bitext import (
    iterate_unlabelled,
    list_posteriors,
    list_text_posteriors,
    load_links,
    load_normalisers,
    load_pairs,
    load_posteriors,
    read_manifest,
)
from advsp.corpora.tokens import Words
from advsp.features.bitext.aligners import Aligner, choose
from advsp.features.bitext.featuriser import BitextFeatures
from advsp.features.bitext.link_counts import count_links
from advsp.features.bitext.sets import FeatureSet, parse_feature_set
from advsp.features.bitext.statistics import Statistics, count_pairs
from advsp.features.bitext.text_links import TextLinks, load_text_links
from advsp.training.instances import EdgeInstances


def count_corpus(
    folder: str | Path,
    splits: Iterable[str],
    *,
    labelled_text: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Statistics:
    """Statistics of the unlabelled text, for the words of some splits.

    They do not depend on a feature set: count once, for all splits in use, and make many.

    Parameters
    ----------
    labelled_text: count the sentences of these splits, too; their words alone are looked at.
    progress: called now and then with the number of pairs just counted.

    Raises
    ------
    InputError: what the readers of :mod:`~advsp.corpora.prepared_bitext` raise.
    """
    source, target = load_normalisers(folder)
    labelled = [(pair.source, pair.target) for split in splits for pair in load_pairs(folder, split)]
    # Features that do without unlabelled text look at no counts of it.
    without = read_manifest(folder)["unlabelled"] is None
    counted: Iterator[tuple[Words, Words]] = iter(()) if without else iterate_unlabelled(folder)
    if labelled_text:
        counted = chain(counted, ((source.spell(left), target.spell(right)) for left, right in labelled))
    return count_pairs(counted, labelled, source=source, target=target, progress=progress)


def load_predictions(
    folder: str | Path, directions: Iterable[str], split: str, pairs: Sequence[SentencePair] | None = None
) -> dict[str, list[frozenset[Link]]]:
    """For every direction of an aligner the links that it predicts for the pairs of one split.

    Parameters
    ----------
    pairs: the pairs of the split, if they have been read already.

    Raises
    ------
    InputError: what the readers raise; a direction without links for the split.
    """
    available = read_manifest(folder)["aligners"]
    names = {name: choose(name, available, split) for name in directions}
    if pairs is None:
        pairs = load_pairs(folder, split)
    return {name: load_links(folder, chosen, split, pairs) for name, chosen in names.items()}


def load_probabilities(
    folder: str | Path, aligners: Iterable[Aligner], split: str, pairs: Sequence[SentencePair] | None = None
) -> dict[str, Grids]:
    """For every aligner that has posteriors for the pairs of one split, these.

    Of alternatives ``A|B`` the one that has links for the split counts, and has posteriors or not.  A
    single direction of an aligner has none: they are of both.

    Parameters
    ----------
    pairs: the pairs of the split, if they have been read already.

    Raises
    ------
    InputError: what the readers raise; an aligner without links for the split.
    """
    available, known = read_manifest(folder)["aligners"], list_posteriors(folder)
    probable = {tuple(run_directions(name).values()): name for name, of in known.items() if split in of}
    chosen = {
        aligner.name: tuple(choose(direction, available, split) for direction in aligner.directions)
        for aligner in aligners
    }
    return {
        name: load_posteriors(folder, probable[directions], split, pairs)
        for name, directions in chosen.items()
        if directions in probable
    }


def make_instances(
    folder: str | Path,
    feature_set: str | FeatureSet,
    train: str,
    others: Sequence[str],
    statistics: Statistics,
    text_links: TextLinks | None = None,
) -> tuple[dict[str, EdgeInstances], BitextFeatures]:
    """Splits as instances, and the features, fitted on the training split.

    Parameters
    ----------
    feature_set: a set, or its name (:mod:`~advsp.features.bitext.sets`).
    train, others: the splits in use; every aligner must have links for all of them.  The posteriors of an
        aligner are used if it has some for all of them.
    statistics: counted for these splits by :func:`count_corpus`.
    text_links: of the aligners of the set that know the whole text; read, or counted, if not given.

    Raises
    ------
    InputError: what the readers, :func:`~advsp.features.bitext.sets.parse_feature_set` and the features
        raise.
    """
    splits = [train, *others]
    if isinstance(feature_set, str):
        everywhere = list_text_posteriors(folder)
        feature_set = parse_feature_set(feature_set, read_manifest(folder)["aligners"], splits, everywhere)
    labelled, probable = {}, {}
    for split in splits:
        pairs = load_pairs(folder, split)
        labelled[split] = pairs, load_predictions(folder, feature_set.directions, split, pairs)
        probable[split] = load_probabilities(folder, feature_set.aligners, split, pairs)
    counts = count_links(statistics, feature_set.aligners, labelled.values())
    links = None
    if feature_set.of_text:
        if text_links is None:
            text_links = load_text_links(Path(folder), feature_set.everywhere)
        links = text_links.for_words(statistics.source.words, statistics.target.words)
    features = BitextFeatures(feature_set, statistics, counts, links)
    in_all = set.intersection(*map(set, probable.values()))
    posteriors = {name: found for name, found in probable[train].items() if name in in_all}
    instances = {train: features.fit(*labelled[train], posteriors)}
    for split in others:
        instances[split] = features.transform(*labelled[split], probable[split])
    return instances, features
