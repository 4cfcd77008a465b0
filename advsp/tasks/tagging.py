"""Tagging: named entities in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np
from pydantic import (
    Field,
    ValidationError,
    model_validator,
)

from advsp.corpora import prepared, schemes
from advsp.corpora.columns import PLAIN, ColumnForm
from advsp.corpora.conll import DOCSTART_RULES, DocstartRule, Sentence, write_columns
from advsp.corpora.mpg import read_feature_file
from advsp.corpora.runs import of_masks, of_tags, to_tags
from advsp.corpora.tag_models import TAG_MODELS, TagModel, modelled
from advsp.features import presets as feature_presets
from advsp.features.base import Preset, TaggedSentence
from advsp.features.own import OwnFeatures
from advsp.features.spec import FeatureSpec
from advsp.metrics import token_measure
from advsp.support.arrays import Bools, Ints
from advsp.support.errors import InputError
from advsp.support.files import FILE_NAME, write_json
from advsp.support.problems import first_problem, misfit
from advsp.support.progress import Reporter
from advsp.support.records import Fields
from advsp.support.sections import Strict
from advsp.support.words import counted
from advsp.tasks import tasks
from advsp.tasks.base import TaskOf, View
from advsp.tasks.corpus_section import CorpusSection
from advsp.training.instances import ChainInstances

SectionT = TypeVar("SectionT", bound=CorpusSection)


class TaggingSection(CorpusSection):
    """Splits as those of CoNLL-2003 are called."""

    validation: str | None = "testa"
    test: list[str] = ["testb"]


class SplitPart(Strict):
    """Some of the sentences of a split.

    Attributes
    ----------
    sentences: so many; all by default.
    skip: behind so many that are left out.
    """

    split: str
    sentences: int | None = Field(default=None, ge=1)
    skip: int = Field(default=0, ge=0)

    def shares_some_with(self, other: SplitPart) -> bool:
        """Whether two parts have sentences in common, if the split has enough of them."""
        if self.split != other.split:
            return False
        first, second = sorted((self, other), key=lambda part: part.skip)
        return first.sentences is None or second.skip < first.skip + first.sentences

    @property
    def name(self) -> str:
        """What it is called beside other parts: ``testb-1000``, ``testb-all``."""
        behind = f"-behind-{self.skip}" if self.skip else ""
        return f"{self.split}-{self.sentences or 'all'}{behind}"


class ConllSection(TaggingSection):
    """A folder made by ``advsp prepare-conll``.

    Attributes
    ----------
    sentences: the first so many of every split; all by default.
    docstart: what becomes of -DOCSTART- lines; as the corpus was prepared by default.
    skip: training sentences that are left out before the first.
    parts: parts of splits by names of their own; those that stand under ``validation`` and ``test`` as
        ``{split: testb, sentences: 1000}`` are added.
    """

    later = ("skip", "parts")

    sentences: int | None = Field(default=None, ge=1)
    docstart: DocstartRule | None = None
    skip: int = Field(default=0, ge=0)
    parts: dict[Annotated[str, Field(pattern=FILE_NAME)], SplitPart] = {}

    @model_validator(mode="before")
    @classmethod
    def _parts_by_name(cls, value: Any) -> Any:
        """Parts that stand where names of splits do become names, too."""
        if not isinstance(value, Mapping):
            return value
        value = dict(value)
        found: dict[str, SplitPart] = {}
        if isinstance(value.get("validation"), Mapping):
            value["validation"] = _named(value["validation"], found, "validation")
        if isinstance(value.get("test"), list):
            value["test"] = [
                _named(part, found, "test", number) if isinstance(part, Mapping) else part
                for number, part in enumerate(value["test"])
            ]
        parts = value.get("parts", {})
        if found and isinstance(parts, Mapping):
            value["parts"] = {**parts, **{name: dict(part) for name, part in found.items()}}
        return value

    @model_validator(mode="after")
    def _parts_apart(self) -> ConllSection:
        """What is chosen on sentences cannot be tested on them, whatever their parts are called."""
        if self.validation is not None:
            chosen_on = self.part(self.validation)
            for number, name in enumerate(self.test):
                if self.part(name).shares_some_with(chosen_on):
                    raise misfit(f"some of it are sentences of {self.validation}", "test", number)
        return self

    def part(self, split: str) -> SplitPart:
        """What a name of a split stands for."""
        skip = self.skip if split == self.train else 0
        return self.parts.get(split) or SplitPart(split=split, sentences=self.sentences, skip=skip)


def _named(given: Mapping[str, Any], found: dict[str, SplitPart], *key: str | int) -> str:
    """The name of a part that stands under ``key``; it is added to those ``found``."""
    try:
        part = SplitPart.model_validate(given)
    except ValidationError as error:
        problem = first_problem(error)
        raise misfit(problem.text, *key, *problem.place, hint=problem.hint) from None
    found[part.name] = part
    return part.name


class FeaturesSection(TaggingSection):
    """Ready-made feature files below a folder.

    Attributes
    ----------
    files: name of the file of every split.
    """

    foreign = "files belong to kind: features"

    files: dict[str, str] = {}


class Tagging(TaskOf[SectionT, ChainInstances]):
    """Sentences with classes of named entities; scored by tokens and by entities."""

    task = "tagging"
    metrics = ("token_f1", "entity_f1", "joint_token_f1", "joint_entity_f1")
    features = "stanford"
    tables = ("table3", "equal")
    has_tags = True

    @classmethod
    def further_metrics(cls) -> list[str]:
        return token_measure.names()

    @classmethod
    def measures(cls, metric: str) -> bool:
        return metric in cls.metrics or token_measure.token_measure(metric) is not None

    def write_predictions(
        self,
        folder: Path,
        split: str,
        instances: ChainInstances,
        claimed: Mapping[str, Bools],
        joint: Mapping[str, Bools],
        begins: Mapping[str, Bools] | None = None,
    ) -> None:
        columns = prediction_columns(instances, claimed, joint, self.scheme, begins)
        write_columns(folder / f"{split}.conll", columns)

    @property
    def scheme(self) -> str:
        """The scheme of the tags of the corpus; that of CoNLL-2003 where it says nothing of one."""
        return "iob1"

    def _modelled(self, instances: Mapping[str, ChainInstances]) -> dict[str, ChainInstances]:
        """Instances whose tags are those of the tag model, with the transitions that have weights.

        instances: split to instances, the training split first.
        """
        found = {split: modelled(data, self.tags) for split, data in instances.items()}
        if self.edges == "all":
            return found
        transitions = found[next(iter(found))].observed()
        return {split: replace(data, transitions=transitions) for split, data in found.items()}

    def _check_classes(self, instances: Mapping[str, ChainInstances], reporter: Reporter) -> None:
        """Refuse a class that no split has; say where one is that there is nothing to learn of.

        Parameters
        ----------
        instances: split to instances, the training split first.
        """
        (train, learnt), *others = instances.items()
        for name in self.names:
            counts = {split: int(data.is_of(name).sum()) for split, data in instances.items()}
            if counts.pop(train):
                continue
            missed = [
                f"{split} has {counted(count, data.position)} of it"
                for (split, data), count in zip(others, counts.values(), strict=True)
                if count
            ]
            if missed:
                reporter.say(
                    f"warning: the class {name!r} never occurs in {train}; {' and '.join(missed)}, "
                    "counted as missed"
                )
                continue
            there = sorted({learnt.tag_names[tag] for tag in np.unique(learnt.tags)} - {schemes.OUTSIDE})
            raise InputError(
                f"the class {name!r} occurs in no split",
                key="classes",
                hint=f"the training split has {', '.join(there) or 'none'}",
            )


@tasks.register("conll")
class PreparedTagging(Tagging[ConllSection]):
    """A prepared corpus, whose features are made here."""

    section = ConllSection

    @property
    def scheme(self) -> str:
        scheme: str = prepared.read_manifest(self.folder)["scheme"]
        return scheme

    def find_classes(self) -> tuple[str, ...]:
        corpus = self.corpus
        train = self._sentences(corpus.train)
        found = {tag[2:] for sentence in train for tag in sentence.tags if tag != schemes.OUTSIDE}
        if not found:
            raise InputError(f"the split {corpus.train} has no entities to learn from", file=self.folder)
        return tuple(sorted(found))

    def check_features(self, spec: FeatureSpec) -> None:
        preset = feature_presets.get(spec.preset)()
        if spec.groups:
            raise InputError("groups are of features of links", key="features.groups", hint="add templates")
        if spec.added:
            OwnFeatures(preset, spec, list(self._columns))

    @property
    def _columns(self) -> dict[str, int]:
        """Further columns of the corpus, by their numbers in the files it was prepared from."""
        columns: dict[str, int] = prepared.read_manifest(self.folder).get("columns", {})
        return columns

    def files(self) -> dict[str, Path]:
        manifest = prepared.read_manifest(self.folder)
        splits = [self.corpus.part(name).split for name in self.corpus.splits]
        for split in splits:
            if split not in manifest["splits"]:
                there = ", ".join(manifest["splits"])
                raise InputError(f"the corpus has no split {split!r}; it has {there}", file=self.folder)
        return {f"{split}.conll": self.folder / f"{split}.conll" for split in splits}

    def _sentences(self, name: str) -> list[Sentence]:
        """The sentences of a split, or of a part of one.

        Raises
        ------
        InputError: what reading raises; all of them are to be left out.
        """
        part = self.corpus.part(name)
        last = None if part.sentences is None else part.skip + part.sentences
        found = prepared.load(self.folder, part.split, sentences=last, docstart=self.corpus.docstart)
        left = prepared.behind(found, part.skip)
        if not left:
            problem = f"{part.split} has no sentence behind the first {part.skip}"
            raise InputError(
                problem, key="corpus.skip" if name == self.corpus.train else f"corpus.parts.{name}"
            )
        return left

    def _manner(self) -> dict[str, Any]:
        """How new text is to be read and tagged as this corpus is."""
        manifest = prepared.read_manifest(self.folder)
        return {
            "scheme": manifest["scheme"],
            "word": manifest["word"],
            "docstart": self.corpus.docstart or manifest["docstart"],
            **({} if self.tags == "io" else {"tags": self.tags}),
            **({"columns": columns} if (columns := self._columns) else {}),
            **({"form": manifest["form"]} if "form" in manifest else {}),
        }

    def featurise(self, specs: Sequence[FeatureSpec], reporter: Reporter) -> dict[str, View]:
        corpus, views = self.corpus, {}
        sentences = {split: self._sentences(split) for split in corpus.splits}
        train = sentences[corpus.train]
        found = (tag[2:] for sentence in train for tag in sentence.tags if tag != "O")
        names = tag_set(self.names, found)
        progress = reporter.start("features", len(specs) * sum(map(len, sentences.values())))
        try:
            for spec in specs:
                preset: Preset = feature_presets.get(spec.preset)()
                if spec.added:
                    preset = OwnFeatures(preset, spec, list(self._columns))
                instances = {corpus.train: preset.fit(train, names)}
                progress(len(train))
                for split in corpus.splits[1:]:
                    instances[split] = preset.transform(sentences[split])
                    progress(len(sentences[split]))
                ready = self._modelled(instances)
                pairs = ready[corpus.train].transitions
                observed = {} if pairs is None else {"transitions": pairs.tolist()}
                state = {"preset": spec.preset, **self._manner(), **observed, **preset.state()}
                views[spec.name] = View(ready, _saver(state))
        finally:
            reporter.stop()
        self._check_classes(instances, reporter)
        return views


@tasks.register("features")
class FeatureFileTagging(Tagging[FeaturesSection]):
    """Ready-made feature files, one a split."""

    section = FeaturesSection

    def find_classes(self) -> tuple[str, ...]:
        raise InputError(
            "is missing",
            key="classes",
            hint="feature files number their tags; name them in that order, without O: [PER, LOC]",
        )

    def check_features(self, spec: FeatureSpec) -> None:
        if spec.added:
            raise InputError("feature files have no columns to make others of", key="features")
        feature_presets.get(spec.preset)

    def files(self) -> dict[str, Path]:
        for split in self.corpus.splits:
            if split not in self.corpus.files:
                raise InputError(f"names no file for the split {split!r}", key="corpus.files")
        names = [self.corpus.files[split] for split in self.corpus.splits]
        return {name: self.folder / name for name in names}

    def featurise(self, specs: Sequence[FeatureSpec], reporter: Reporter) -> dict[str, View]:
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
        self._check_classes(instances, reporter)
        return {spec.name: View(self._modelled(instances), None) for spec in specs}


def tag_set(classes: Iterable[str], found: Iterable[str]) -> tuple[str, ...]:
    """Tag names: the scored classes in the order given, other classes as they appear, then O."""
    names = [*dict.fromkeys([*classes, *found])]
    return (*[name for name in names if name != "O"], "O")


@dataclass(frozen=True, eq=False)
class SavedFeatures:
    """What features learnt from a corpus, and how new text is read and tagged as the corpus is.

    Attributes
    ----------
    preset: makes the features.
    scheme: scheme of the corpus' tags.
    word: column of the word in the corpus' files.
    docstart: what becomes of document marks.
    tags: what the chain models.
    columns: further columns that the features need, by their numbers in the corpus' files.
    form: how lines of the corpus' files are taken.
    transitions: pairs of tags that have weights, see :class:`~advsp.training.instances.ChainInstances`.
    """

    preset: Preset
    scheme: str
    word: int
    docstart: str
    tags: TagModel = "io"
    columns: Mapping[str, int] = field(default_factory=dict)
    form: ColumnForm = PLAIN
    transitions: Ints | None = None

    def transform(self, sentences: Iterable[TaggedSentence]) -> ChainInstances:
        """Sentences as instances, tags as they are modelled."""
        return replace(modelled(self.preset.transform(sentences), self.tags), transitions=self.transitions)


def load_features(path: Path) -> SavedFeatures:
    """The features that a view of a prepared corpus was saved with.

    Parameters
    ----------
    path: without ending.

    Raises
    ------
    InputError: there are none, because they were ready-made or not whole.
    """
    file = path.with_name(f"{path.name}.json")
    if not file.exists():
        hint = "train on a corpus made by `advsp prepare-conll`"
        raise InputError(
            "there are no features to make of new text: they were ready-made", file=file, hint=hint
        )
    state = Fields.of_file(file, "train anew with --overwrite")
    values: dict[str, Any] = dict(state.values())
    kind = OwnFeatures if "own" in values else feature_presets.get(state.text("preset"))
    return SavedFeatures(
        preset=kind.from_state(values),
        scheme=state.text("scheme"),
        word=state.whole("word"),
        docstart=state.one_of("docstart", tuple(DOCSTART_RULES)),
        tags=state.one_of("tags", TAG_MODELS) if "tags" in values else "io",
        columns=values.get("columns", {}) if "own" in values else {},
        form=ColumnForm(**values.get("form", {})),
        transitions=np.array(values["transitions"], dtype=np.int64) if "transitions" in values else None,
    )


def _saver(state: dict[str, Any]) -> Callable[[Path], None]:
    """Writes what a preset learnt as JSON."""

    def save(path: Path) -> None:
        write_json(path.with_name(f"{path.name}.json"), state)

    return save


def prediction_columns(
    instances: ChainInstances,
    claimed: Mapping[str, Bools],
    joint: Mapping[str, Bools],
    scheme: str,
    begins: Mapping[str, Bools] | None = None,
) -> list[list[tuple[str, ...]]]:
    """Predictions as CoNLL columns of every sentence: word, one column a class, gold tag, predicted tag.

    The class columns hold every class decided by itself.  The last two columns are one tag a token, of the
    scored classes alone, as scorers read them.

    Parameters
    ----------
    claimed, joint, begins: as in :meth:`~advsp.tasks.base.TaskOf.write_predictions`.
    scheme: the scheme of the tags.
    """
    names, offsets = list(claimed), instances.offsets
    columns = [np.where(mask, f"I-{name}", schemes.OUTSIDE).tolist() for name, mask in claimed.items()]
    for runs in (of_tags(instances.gold, names, offsets), of_masks(joint, offsets, begins)):
        columns.append(to_tags(runs, names, offsets, scheme))
    words = [word for sentence in instances.words for word in sentence]
    lines = list(zip(words, *columns, strict=True))
    return [lines[instances.rows(sentence)] for sentence in range(len(instances))]
