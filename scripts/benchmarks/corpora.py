"""The corpora that trainings are measured on: the real ones where they are prepared, else the samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

from advsp.corpora import prepared, prepared_bitext
from advsp.corpora.conll import Sentence
from advsp.corpora.manifest import MANIFEST
from advsp.experiments.prepare import prepare_bitext_corpus, prepare_conll_corpus
from advsp.features import presets
from advsp.features.bitext.corpus import count_corpus, make_instances
from advsp.support.errors import InputError
from advsp.support.files import sha256
from advsp.support.progress import Silent
from advsp.tasks.tagging import tag_set
from advsp.training.instances import ChainInstances, EdgeInstances

ROOT = Path(__file__).resolve().parents[2]
CLASSES = ("PER", "LOC", "ORG", "MISC")


@dataclass(frozen=True)
class Featurised:
    """A tagging corpus as instances, and what makes more of them.

    Attributes
    ----------
    train, test: splits of the same number of sentences.
    stretches: for a length and a number that many sequences of exactly that length: sentences of the test
        split, joined and cut.
    """

    train: ChainInstances
    test: ChainInstances
    stretches: Callable[[int, int], ChainInstances]


class Tagging:
    """Named entities: ``data/conll2003``, or the sample corpus, prepared in a scratch folder.

    Attributes
    ----------
    name: what tables call it, ``conll2003`` or ``sample``.
    real: whether it is the real one.
    """

    def __init__(self, scratch: Path, root: Path = ROOT) -> None:
        self.folder = root / "data/conll2003"
        self.real = (self.folder / MANIFEST).exists()
        self.name = "conll2003" if self.real else "sample"
        if not self.real:
            self.folder = scratch / "sample-conll"
            config = root / "configs/sample-prepare.yaml"
            prepare_conll_corpus(root / "data/sample/conll", self.folder, config, (), Silent())

    def checksums(self) -> dict[str, str]:
        """SHA-256 of the splits."""
        splits = prepared.read_manifest(self.folder)["splits"]
        return {f"{self.name}/{split}.conll": about["sha256"] for split, about in splits.items()}

    def sizes(self, wanted: tuple[int, ...]) -> list[int]:
        """Those of the wanted numbers of sentences that the training split has."""
        there = prepared.read_manifest(self.folder)["splits"]["train"]["sentences"]
        return [size for size in wanted if size <= there]

    def featurise(self, sentences: int) -> Featurised:
        """The first sentences of the splits, seen through the features of Stanford NER."""
        train = prepared.load(self.folder, "train", sentences=sentences)
        everything = prepared.load(self.folder, "testb")
        test = everything[: min(sentences, len(everything))]
        preset = presets.get("stanford")()
        found = (tag[2:] for sentence in train for tag in sentence.tags if tag != "O")
        names = tag_set(CLASSES, found)
        instances = preset.fit(train, names)

        def stretches(length: int, count: int) -> ChainInstances:
            words = chain.from_iterable(sentence.words for sentence in everything)
            tags = chain.from_iterable(sentence.tags for sentence in everything)
            cut = [Sentence(tuple(islice(words, length)), tuple(islice(tags, length))) for _ in range(count)]
            if any(len(sentence.words) < length for sentence in cut):
                raise InputError(
                    f"the test split has no {count} stretches of {length} tokens", file=self.folder
                )
            return preset.transform(cut)

        return Featurised(instances, preset.transform(test), stretches)


class Bitext:
    """Word alignment: ``data/hansards``, or the sample bitext, prepared in a scratch folder.

    Attributes
    ----------
    name: what tables call it, ``hansards`` or ``sample``.
    real: whether it is the real one.
    features: the set that the aligner sees.
    """

    def __init__(self, scratch: Path, root: Path = ROOT) -> None:
        self.folder = root / "data/hansards"
        self.real = (self.folder / MANIFEST).exists()
        self.name = "hansards" if self.real else "sample"
        if not self.real:
            self.folder = scratch / "sample-bitext"
            config = root / "configs/sample-bitext-prepare.yaml"
            prepare_bitext_corpus(root / "data/sample/bitext", self.folder, config, ["run={}"], Silent())
        there = prepared_bitext.read_manifest(self.folder)["aligners"]
        self.features = "taskar+m4" if "m4.ef" in there else "taskar"

    def checksums(self) -> dict[str, str]:
        """SHA-256 of the manifest, which holds that of every file."""
        return {f"{self.name}/{MANIFEST}": sha256(self.folder / MANIFEST)}

    @cached_property
    def train(self) -> EdgeInstances:
        """The training pairs."""
        statistics = count_corpus(self.folder, ["train"])
        instances, _ = make_instances(self.folder, self.features, "train", [], statistics)
        return instances["train"]
