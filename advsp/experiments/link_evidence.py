"""What features look at beside words, for new sentence pairs: links from files, and from kept models.

Features name the directions of aligners whose links they look at, and the aligners whose posteriors.  For
new pairs links are read from the files that a user names; where there is no file, the model answers that
preparing the bitext has kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from advsp.aligners.base import AlignerModel
from advsp.aligners.runs import keeps_model, load_model, readable
from advsp.corpora.bitext import Link
from advsp.corpora.bitext_sources import run_directions
from advsp.corpora.links import LinkStream, Notation
from advsp.corpora.posteriors import Grids
from advsp.corpora.prepared_bitext import CACHE, load_normalisers, read_manifest
from advsp.corpora.tokens import Normaliser, Words
from advsp.features.bitext.aligners import OR, list_aligners
from advsp.features.bitext.featuriser import BitextFeatures
from advsp.support.errors import InputError

#: For every direction the links of a batch of pairs, and for every aligner its posteriors.
Batch = tuple[dict[str, list[frozenset[Link]]], dict[str, Grids]]


@dataclass(frozen=True)
class FromFile:
    """Links of a direction, from a file that is read along with the text."""

    file: Path
    stream: LinkStream


@dataclass(frozen=True)
class FromModel:
    """Links of a direction from the model of an aligner."""

    aligner: str
    direction: str


class LinkEvidence:
    """Links and posteriors of the sentence pairs of a text, batch by batch.

    Parameters
    ----------
    sources: for every direction that features look at where its links are from.
    probable: aligner as features call it to the aligner whose model gives its posteriors.
    models: aligner to its model.
    normalisers: how the models' text is spelled, source and target.
    """

    def __init__(
        self,
        sources: Mapping[str, FromFile | FromModel],
        probable: Mapping[str, str],
        models: Mapping[str, AlignerModel],
        normalisers: tuple[Normaliser, Normaliser],
    ) -> None:
        self._sources, self._probable, self._models = sources, probable, models
        self._normalisers = normalisers
        self._streams = {of.stream for of in sources.values() if isinstance(of, FromFile)}

    def describe(self) -> Iterator[str]:
        """Where links are from, a line a source."""
        for name, source in self._sources.items():
            if isinstance(source, FromFile):
                yield f"links of {name}: {source.file}"
            else:
                yield f"links of {name}: the kept model of {source.aligner}"

    def take(self, batch: Sequence[tuple[Words, Words]]) -> Batch:
        """What there is for the next pairs; those with a side without words have none.

        Raises
        ------
        InputError: what :meth:`~advsp.corpora.links.LinkStream.take` raises.
        """
        shapes = [(len(source), len(target)) for source, target in batch]
        full = [place for place, shape in enumerate(shapes) if all(shape)]
        source, target = self._normalisers
        spelled = [
            (readable(source.spell(batch[place][0])), readable(target.spell(batch[place][1])))
            for place in full
        ]
        said = {name: model.align(spelled) for name, model in self._models.items()}
        read = {stream: stream.take(shapes) for stream in self._streams}
        links: dict[str, list[frozenset[Link]]] = {}
        for name, of in self._sources.items():
            if isinstance(of, FromFile):
                links[name] = read[of.stream]
            else:
                links[name] = [frozenset()] * len(batch)
                for place, found in zip(full, said[of.aligner].links[of.direction], strict=True):
                    links[name][place] = found
        posteriors = {}
        for name, aligner in self._probable.items():
            grids: Grids = [(np.zeros(shape, np.float32), np.zeros(shape, np.float32)) for shape in shapes]
            for place, both in zip(full, said[aligner].posteriors, strict=True):
                grids[place] = both
            posteriors[name] = grids
        return links, posteriors

    def finish(self) -> None:
        """The text has ended.

        Raises
        ------
        InputError: a file has links of more pairs.
        """
        for stream in self._streams:
            stream.finish()


def gather(
    features: BitextFeatures, folder: Path, files: Mapping[str, Path], notation: Notation
) -> LinkEvidence:
    """What features need of new pairs.

    Parameters
    ----------
    folder: the prepared bitext.
    files: name of an aligner, or of one of its directions, to the file of its links.

    Raises
    ------
    InputError: no prepared bitext there; links that are needed and neither given nor to be had of a model,
        all of them named; links given that features do not look at.
    """
    manifest = read_manifest(folder)
    given, unused = _by_direction(features, files)
    if unused:
        known = ", ".join(_choices(features))
        raise InputError(
            f"the system looks at no links of {', '.join(unused)}",
            hint=f"it looks at those of {known}" if known else "it looks at none",
        )
    streams = {path: LinkStream(path, notation) for path in given.values()}
    models = _ModelsOf(manifest["run"], folder / CACHE)
    sources: dict[str, FromFile | FromModel] = {}
    missing: list[str] = []
    probable: dict[str, str] = {}
    for aligner in features.feature_set.aligners:
        needed = aligner.name in features.probable
        for name in aligner.directions:
            choices = name.split(OR)
            file = next((given[choice] for choice in choices if choice in given), None)
            by_model = next(filter(None, map(models.direction, choices)), None)
            if by_model is not None and (needed or file is None):
                sources[name] = by_model
                if needed:
                    probable[aligner.name] = by_model.aligner
            elif file is not None and not needed:
                sources[name] = FromFile(file, streams[file])
            else:
                missing.append(name)
    if missing:
        raise InputError(
            f"there are no links of {', '.join(missing)} for new pairs",
            file=folder,
            hint="name files: " + " ".join(f"--links {name.split(OR)[0]}=FILE" for name in missing),
        )
    used = dict.fromkeys(of.aligner for of in sources.values() if isinstance(of, FromModel))
    loaded = {name: models.load(name) for name in used}
    return LinkEvidence(sources, probable, loaded, load_normalisers(folder))


def _choices(features: BitextFeatures) -> list[str]:
    """All directions whose links features may look at."""
    return list(
        dict.fromkeys(choice for name in features.feature_set.directions for choice in name.split(OR))
    )


def _by_direction(features: BitextFeatures, files: Mapping[str, Path]) -> tuple[dict[str, Path], list[str]]:
    """Direction to file, where a user may have named the aligner; and names that are of no use."""
    names = _choices(features)
    aligners = {aligner.name: aligner.directions for aligner in list_aligners(names)}
    found: dict[str, Path] = {}
    unused: list[str] = []
    for name, path in files.items():
        directions = (name,) if name in names else aligners.get(name, ())
        found |= dict.fromkeys(directions, path)
        if not directions:
            unused.append(name)
    return found, unused


class _ModelsOf:
    """The models that preparing a bitext has kept."""

    def __init__(self, runs: Mapping[str, Mapping[str, object]], kept: Path) -> None:
        self._runs, self._kept = runs, kept
        self._directions = {
            called: FromModel(aligner, direction)
            for aligner in runs
            for direction, called in run_directions(aligner).items()
            if keeps_model(runs[aligner])
        }

    def direction(self, name: str) -> FromModel | None:
        """The model and direction of predicted links of that name; None if there is none."""
        return self._directions.get(name)

    def load(self, aligner: str) -> AlignerModel:
        return load_model(self._runs[aligner], self._kept)
