"""Tagging: named entities in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from pydantic import Field

from advsp.corpora import prepared
from advsp.corpora.conll import DocstartRule, write_columns
from advsp.corpora.mpg import read_feature_file
from advsp.features import presets as feature_presets
from advsp.metrics import token_measure
from advsp.support.arrays import Floats
from advsp.support.errors import InputError
from advsp.support.files import write_json
from advsp.support.progress import Reporter
from advsp.tasks import tasks
from advsp.tasks.base import TaskOf, View
from advsp.tasks.corpus_section import CorpusSection
from advsp.training.instances import ChainInstances

SectionT = TypeVar("SectionT", bound=CorpusSection)


class TaggingSection(CorpusSection):
    """Splits as those of CoNLL-2003 are called."""

    validation: str | None = "testa"
    test: list[str] = ["testb"]


class ConllSection(TaggingSection):
    """A folder made by ``advsp prepare-conll``.

    Attributes
    ----------
    sentences: the first so many of every split; all by default.
    docstart: what becomes of -DOCSTART- lines; as the corpus was prepared by default.
    """

    sentences: int | None = Field(default=None, ge=1)
    docstart: DocstartRule | None = None


class FeaturesSection(TaggingSection):
    """Ready-made feature files below a folder; ``files`` names one a split."""

    foreign = "files belong to kind: features"

    files: dict[str, str] = {}


class Tagging(TaskOf[SectionT, ChainInstances]):
    """Sentences with classes of named entities; scored by tokens and by entities."""

    task = "tagging"
    metrics = ("token_f1", "entity_f1")
    features = "stanford"
    table = "table3"

    @classmethod
    def further_metrics(cls) -> list[str]:
        return token_measure.names()

    @classmethod
    def measures(cls, metric: str) -> bool:
        return metric in cls.metrics or token_measure.token_measure(metric) is not None

    def write_predictions(
        self, folder: Path, split: str, instances: ChainInstances, ranked: Mapping[str, Floats]
    ) -> None:
        write_columns(folder / f"{split}.conll", prediction_columns(instances, ranked))

    def _check_classes(self, train: ChainInstances) -> None:
        for name in self.names:
            if not (train.tags == train.tag_names.index(name)).any():
                there = ", ".join(
                    train.tag_names[tag] for tag in np.unique(train.tags) if train.tag_names[tag] != "O"
                )
                raise InputError(
                    f"the class {name!r} never occurs in the training split",
                    key="classes",
                    hint=f"the training split has {there}",
                )


@tasks.register("conll")
class PreparedTagging(Tagging[ConllSection]):
    """A prepared corpus, whose features are made here."""

    section = ConllSection

    def check_features(self, preset: str) -> None:
        feature_presets.get(preset)

    def files(self) -> dict[str, Path]:
        manifest = prepared.read_manifest(self.folder)
        for split in self.corpus.splits:
            if split not in manifest["splits"]:
                there = ", ".join(manifest["splits"])
                raise InputError(f"the corpus has no split {split!r}; it has {there}", file=self.folder)
        return {f"{split}.conll": self.folder / f"{split}.conll" for split in self.corpus.splits}

    def featurise(self, presets: Sequence[str], reporter: Reporter) -> dict[str, View]:
        corpus, views = self.corpus, {}
        sentences = {
            split: prepared.load(self.folder, split, sentences=corpus.sentences, docstart=corpus.docstart)
            for split in corpus.splits
        }
        train = sentences[corpus.train]
        found = (tag[2:] for sentence in train for tag in sentence.tags if tag != "O")
        names = tag_set(self.names, found)
        progress = reporter.start("features", len(presets) * sum(map(len, sentences.values())))
        try:
            for name in presets:
                preset = feature_presets.get(name)()
                instances = {corpus.train: preset.fit(train, names)}
                progress(len(train))
                for split in corpus.splits[1:]:
                    instances[split] = preset.transform(sentences[split])
                    progress(len(sentences[split]))
                views[name] = View(instances, _saver({"preset": name, **preset.state()}))
                self._check_classes(instances[corpus.train])
        finally:
            reporter.stop()
        return views


@tasks.register("features")
class FeatureFileTagging(Tagging[FeaturesSection]):
    """Ready-made feature files, one a split."""

    section = FeaturesSection

    def check_features(self, preset: str) -> None:
        feature_presets.get(preset)

    def files(self) -> dict[str, Path]:
        for split in self.corpus.splits:
            if split not in self.corpus.files:
                raise InputError(f"names no file for the split {split!r}", key="corpus.files")
        names = [self.corpus.files[split] for split in self.corpus.splits]
        return {name: self.folder / name for name in names}

    def featurise(self, presets: Sequence[str], reporter: Reporter) -> dict[str, View]:
        names, corpus = tag_set(self.names, ()), self.corpus
        paths = {split: self.folder / corpus.files[split] for split in corpus.splits}
        train = read_feature_file(paths[corpus.train], tag_names=names)
        instances = {corpus.train: train}
        for split in corpus.splits[1:]:
            instances[split] = read_feature_file(
                paths[split],
                tag_names=names,
                node_features=train.node.shape[1],
                edge_features=train.edge.shape[1],
            )
        self._check_classes(train)
        return {name: View(instances, None) for name in presets}


def tag_set(classes: Iterable[str], found: Iterable[str]) -> tuple[str, ...]:
    """Tag names: the scored classes in the order given, other classes as they appear, then O."""
    names = [*dict.fromkeys([*classes, *found])]
    return (*[name for name in names if name != "O"], "O")


def _saver(state: dict[str, Any]) -> Callable[[Path], None]:
    """Writes what a preset learnt as JSON."""

    def save(path: Path) -> None:
        write_json(path.with_name(f"{path.name}.json"), state)

    return save


def prediction_columns(
    instances: ChainInstances, ranked: Mapping[str, Floats]
) -> list[list[tuple[str, ...]]]:
    """Predictions as CoNLL columns of every sentence: word, one column a class, gold tag, predicted tag.

    The class columns hold what is scored.  The last column is one tag a token, as scorers expect:
    where several classes claim a token the one with the highest marginal has it.

    Parameters
    ----------
    ranked: as in :meth:`~advsp.tasks.base.TaskOf.write_predictions`.
    """
    labels = list(ranked)
    table = np.stack([ranked[label] for label in labels])
    best, claimed = table.argmax(axis=0), np.any(table >= 0.0, axis=0)
    sentences = []
    for sentence in range(len(instances)):
        lines = []
        first = int(instances.offsets[sentence])
        for t, (word, gold) in enumerate(zip(instances.words[sentence], instances.gold[sentence]), first):
            columns = [f"I-{label}" if ranked[label][t] >= 0.0 else "O" for label in labels]
            single = f"I-{labels[best[t]]}" if claimed[t] else "O"
            lines.append((word, *columns, gold, single))
        sentences.append(lines)
    return sentences
