"""The sections of an experiment: strict, typed, and complete once resolved.

A YAML file says what differs from the defaults below.  What the registered parts (optimisers, …) can be
told is read off their dataclasses, and what a corpus can be its task says: a new one needs no change here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from advsp.corpora.tag_models import EdgeWeights, TagModel
from advsp.engine.settings import Engine
from advsp.features.spec import FeatureSpec
from advsp.learners import learners
from advsp.learners.base import Learner
from advsp.learners.initial import initials
from advsp.learners.initial.base import Initial
from advsp.metrics import metrics
from advsp.metrics.choice import Rule, is_by_chain
from advsp.support.errors import InputError
from advsp.support.files import FILE_NAME
from advsp.support.problems import misfit
from advsp.support.registry import Registry
from advsp.support.sections import AsSection, NamedSection, Section, Strict
from advsp.support.words import alternatives
from advsp.tasks import DEFAULT_KIND, tasks
from advsp.tasks.base import ALL, MEAN, Task
from advsp.tasks.corpus_section import CorpusSection
from advsp.training.loop import CHECKPOINT_SECONDS, Tolerance
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.base import Optimiser

#: What is added to a system's name when it decides by thresholds or by the mean of its seeds' weights.
_VARIANTS = ("+threshold", "+average")
#: Steps of the thresholds on marginals.
THRESHOLD_STEP = 0.05
#: Keys that no result depends on.
NO_RESULT_DEPENDS_ON = ("workers", "output", "checkpoint_seconds")
#: Key below which the preparation of an experiment's corpus may stand, for the command that prepares it.
PREPARATION = "prepare"
#: Names of systems: what follows in brackets says which variant it is, ``ADV_aer [taskar+m4, label]``.
_SYSTEM_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.+-]*( \[[A-Za-z0-9_.+|:=/ ,-]+\])?$"


class InitialConfig(NamedSection[Initial]):
    """The weights that training starts from; the name alone may stand for the section."""

    name: str = "zeros"

    @classmethod
    def registry(cls) -> Registry[type[Initial]]:
        return initials


class OptimiserConfig(Section[Optimiser]):
    """Which optimiser, for how long, from where, and how much L2; its own options stand beside these.

    The full batch of an optimiser that takes one is cut into so many ``shards``, whose losses are added up in
    their order: part of the result, in its last digits, and not of where it is computed.

    Attributes
    ----------
    name: a registered optimiser.
    passes: most passes over the training split.
    l2: weight of the L2 penalty.
    tolerance: accuracy of the games, pass by pass.
    initial: weights that training starts from.
    shards: parts of a full batch, which a cluster evaluates at the same time.
    """

    name: str = "adagrad"
    passes: int = Field(default=15, ge=0)
    l2: float = Field(default=0.0, ge=0)
    tolerance: AsSection[Tolerance] = Tolerance()
    initial: InitialConfig = InitialConfig()
    shards: int = Field(default=1, ge=1)

    @classmethod
    def registry(cls) -> Registry[type[Optimiser]]:
        return optimisers

    @model_validator(mode="after")
    def _enough_l2(self) -> OptimiserConfig:
        if optimisers.get(self.name).needs_l2 and self.l2 == 0:
            raise misfit(f"{self.name} needs l2 > 0", "l2")
        return self

    @model_validator(mode="after")
    def _shards_of_full_batches(self) -> OptimiserConfig:
        if self.shards > 1 and not self.build().full_batch:
            problem = f"{self.name} as it is set goes from example to example, which shards cannot"
            hint = "leave shards away, or take full batches: lbfgs with warm 0, adadelta with batch 0"
            raise misfit(problem, "shards", hint=hint)
        if self.shards > 1 and initials.get(self.initial.name).whole:
            problem = f"the initial weights {self.initial.name} are made of all examples in one place"
            raise misfit(problem, "shards", hint="leave shards away, or choose other initial weights")
        return self


class LearnerConfig(Section[Learner]):
    """Which learner, and its options."""

    @classmethod
    def registry(cls) -> Registry[type[Learner]]:
        return learners


def _one_word(name: str) -> str:
    """A class is written as one word into column files."""
    if re.fullmatch(r"[^\s\x00-\x1f]+", name):
        return name
    raise misfit(f"found {name!r}, expected a word without blanks")


class FeaturesConfig(Strict):
    """How sentences become features.

    Attributes
    ----------
    preset: features that come with the project.
    columns: further columns of the corpus whose values are features, of the token and its neighbours: a list,
        or how many tokens to either side each is looked at.
    templates: features in CRF++'s syntax, see :mod:`advsp.features.template_syntax`.
    vectors: file of word vectors, whose numbers are features.
    groups: groups of features of links that the preset does not have.
    """

    preset: str
    columns: dict[str, Annotated[int, Field(ge=0, le=20)]] = {}
    templates: list[str] = []
    vectors: str | None = None
    groups: list[str] = []

    @field_validator("columns", mode="before")
    @classmethod
    def _neighbours(cls, columns: Any) -> Any:
        if not isinstance(columns, list):
            return columns
        for column in columns:
            if not isinstance(column, str):
                raise misfit(
                    f"found {column!r}, expected the name of a column", hint="quote a name that is none"
                )
        return dict.fromkeys(columns, 1)

    @property
    def spec(self) -> FeatureSpec:
        """What is asked for."""
        columns, templates = tuple(self.columns.items()), tuple(self.templates)
        return FeatureSpec(self.preset, columns, templates, self.vectors, tuple(self.groups))

    @property
    def view(self) -> str:
        """Name of the folder that holds instances with these features."""
        return self.spec.name

    @model_serializer(mode="wrap")
    def _without_own(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Runs without features of their own are described, and fingerprinted, as if there could be none."""
        return {key: value for key, value in dump(self).items() if key == "preset" or value}


class SelectionConfig(Strict):
    """What is chosen on the validation split: grid points, passes and the prediction rule.

    With ``folds`` it is chosen by cross-validation on the training and validation splits together, and what
    was chosen is trained on ``last_fit``: on both of them, for which it was chosen, or on ``training`` alone.
    Thresholds are multiples of ``threshold_step``.

    Attributes
    ----------
    metric: what is chosen by, a registered metric; that of the task if not given.
    grid: dotted keys of the system, such as ``optimiser.l2``, to the values that are tried, all with all.
    passes: numbers of passes that are tried beside the last.
    rules: prediction rules that are tried; of equals the first is taken.
    threshold_step: thresholds that are tried are multiples of it.
    runs: so many of the seeds are trained on the whole grid; the others at the point that was chosen.
    folds: number of folds; 0 chooses on the validation split.
    last_fit: what is trained on after folds, ``all`` (both splits) or ``training``.
    """

    metric: str
    grid: dict[str, Annotated[list[Any], Field(min_length=1)]] = {}
    passes: list[Annotated[int, Field(ge=1)]] = []
    rules: list[Rule] = Field(default=["mode", "marginal"], min_length=1)
    threshold_step: float = Field(default=THRESHOLD_STEP, gt=0, le=0.5)
    runs: int = Field(default=1, ge=1)
    folds: int = Field(default=0, ge=0)
    last_fit: Literal["all", "training"] = "all"

    @model_serializer(mode="wrap")
    def _without_later_keys(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Runs with the usual steps, or without folds, are described as if nothing else could be said."""
        said: dict[str, Any] = dump(self)
        if self.threshold_step == THRESHOLD_STEP:
            del said["threshold_step"]
        if not self.folds:
            del said["last_fit"]
        return said

    @property
    def fits_everything(self) -> bool:
        """Whether what was chosen is trained on the validation split, too."""
        return self.folds > 0 and self.last_fit == "all"

    @model_validator(mode="after")
    def _possible(self) -> SelectionConfig:
        if abs(1.0 / self.threshold_step - round(1.0 / self.threshold_step)) > 1e-9:
            raise misfit(f"found {self.threshold_step:g}, expected a part of 1 as 0.05 is", "threshold_step")
        if self.folds == 1:
            raise misfit("one fold leaves nothing to train on", "folds")
        return self


class EvaluationConfig(Strict):
    """How systems are scored, and whether tables round or cut their values to two decimals.

    ``metrics`` are those that are measured beside the task's own and those that systems are chosen by; with
    ``mean`` there are scores of the mean over the classes, too.

    Attributes
    ----------
    bootstrap: number of resamples of intervals and tests.
    tolerance: gap to which games are solved in prediction.
    thresholds: whether systems are scored by their thresholds, too, where another rule was chosen.
    display: ``truncated`` cuts values to two decimals in tables, as the paper's are.
    metrics: further registered metrics.
    mean: whether the mean over the classes is scored.
    """

    bootstrap: int = Field(default=2000, ge=100)
    tolerance: float = Field(default=1e-6, ge=0)
    thresholds: bool = True
    display: Literal["rounded", "truncated"] = "rounded"
    metrics: list[str] | None = None
    mean: bool = False

    @model_serializer(mode="wrap")
    def _without_later_keys(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Runs without further scores are described, and fingerprinted, as if there could be none."""
        usual = {"metrics": None, "mean": False}
        return {key: value for key, value in dump(self).items() if key not in usual or value != usual[key]}


class Shared(Strict):
    """What an experiment says for all its systems, and each of them may say for itself.

    Attributes
    ----------
    features: a preset by its name, and what is added to it.
    engine: how games are played, see :class:`~advsp.engine.settings.Engine`.
    optimiser: which one, how many passes, how much L2, from which weights.
    selection: what is chosen on the validation split, and how.
    runs: number of seeds, ``seed`` and those that follow.
    """

    features: FeaturesConfig
    engine: AsSection[Engine] = Engine()
    optimiser: OptimiserConfig = OptimiserConfig()
    selection: SelectionConfig
    runs: int = Field(default=1, ge=1)


class SystemConfig(Shared):
    """One system: a learner and everything its training needs, defaults filled in.

    Attributes
    ----------
    learner: which learner, and its options.
    """

    learner: LearnerConfig


def _corpus(value: Any) -> CorpusSection:
    """The section of a corpus, by its kind."""
    if isinstance(value, CorpusSection):
        return value
    return _task(value).section.model_validate({"kind": DEFAULT_KIND, **value})


def _task(corpus: Any, *above: str) -> type[Task]:
    """The task of a corpus that is not checked yet and stands below the keys ``above``."""
    if not isinstance(corpus, Mapping):
        raise misfit(f"found {corpus!r}, expected a section of keys and values", *above)
    try:
        return tasks.get(str(corpus.get("kind", DEFAULT_KIND)))
    except InputError as error:
        raise misfit(error.problem, *above, "kind", hint=error.hint) from None


class ExperimentConfig(Shared):
    """A whole experiment.

    Without ``classes`` it is of all that occur in the training split.  ``tags`` is what the chain models, see
    :mod:`advsp.corpora.tag_models`; with ``edges: observed`` edge features have weights for the pairs of tags
    alone that the training split shows, which saves memory where there are many.  ``checkpoint_seconds`` is
    the least time between checkpoints of a job.

    Attributes
    ----------
    name: of the run folder and of the file of scores.
    corpus: what is learnt from, see its own section.
    table: which of the paper's tables the scores stand in; that of the task if not given.
    classes: what is learnt; all that occur if there are none.
    tags: what the chain models, ``io``, ``bio`` or ``bioes``.
    edges: ``observed`` gives weights to the pairs of tags alone that training shows.
    seed: the first seed.
    evaluation: how systems are scored.
    systems: names to what is trained; each may say of its own whatever is said above.
    workers: processes; 0 for one a processor.
    output: folder of results.
    checkpoint_seconds: least time between checkpoints of a job.
    """

    name: str = Field(pattern=FILE_NAME)
    corpus: Annotated[CorpusSection, PlainValidator(_corpus), PlainSerializer(CorpusSection.model_dump)]
    table: str
    classes: list[Annotated[str, AfterValidator(_one_word)]] = []
    tags: TagModel = "io"
    edges: EdgeWeights = "all"
    seed: int = Field(default=1, ge=0)
    evaluation: EvaluationConfig = EvaluationConfig()
    systems: dict[Annotated[str, Field(pattern=_SYSTEM_NAME)], SystemConfig] = Field(min_length=1)
    workers: int = Field(default=0, ge=0)
    output: str = "results"
    checkpoint_seconds: float = Field(default=CHECKPOINT_SECONDS, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, value: Any) -> Any:
        """Fill in what the corpus' task says, and each system with what is said for all of them."""
        if not isinstance(value, Mapping):
            return value
        value = {key: inner for key, inner in value.items() if key != PREPARATION}
        cls.check_keys(value)
        if "corpus" not in value:
            # Nothing else is said then: what is missing depends on the kind of the corpus.
            raise misfit("is missing", "corpus")
        task = _task(value["corpus"], "corpus")
        value = {"table": task.tables[0], **value}
        if task.classes is not None:
            value.setdefault("classes", list(task.classes))
        for section, key, default in (
            ("features", "preset", task.features),
            ("selection", "metric", task.metrics[0]),
        ):
            given = value.get(section, {})
            value[section] = {key: default, **given} if isinstance(given, Mapping) else given
        if isinstance(value.get("systems"), Mapping):
            shared = {key: value[key] for key in Shared.model_fields if key in value}
            value["systems"] = {
                name: _merge(shared, system) if isinstance(system, Mapping) else system
                for name, system in value["systems"].items()
            }
        return value

    @model_validator(mode="after")
    def _distinct_names(self) -> ExperimentConfig:
        if len(set(self.classes)) < len(self.classes) or "O" in self.classes:
            raise misfit("classes must be distinct, and O is not one", "classes")
        folders: dict[str, str] = {}
        for name in self.systems:
            if name.endswith(_VARIANTS):
                problem = f"names of systems do not end in {' or '.join(_VARIANTS)}: variants are called so"
                raise misfit(problem, "systems", name)
            for variant in ("", "+threshold", "+average", "+average+threshold"):
                if (other := folders.setdefault(folder_name(name + variant), name)) != name:
                    raise misfit(f"{other} and {name} would share a folder", "systems", name)
        return self

    @model_validator(mode="after")
    def _fits_the_task(self) -> ExperimentConfig:
        task = tasks.get(self.corpus.kind)
        if task.classes is not None and tuple(self.classes) != task.classes:
            problem = f"a corpus of kind {self.corpus.kind} has the classes {', '.join(task.classes)}"
            raise misfit(problem, "classes")
        for key in ("tags", "edges"):
            if getattr(self, key) != type(self).model_fields[key].default and not task.has_tags:
                raise misfit(f"a corpus of kind {self.corpus.kind} has no tags", key)
        if task.classes is None and ALL in self.classes:
            problem = f"no class may be called {ALL}: scores call the average over the classes so"
            raise misfit(problem, "classes")
        if self.evaluation.mean and MEAN in self.classes:
            problem = f"no class may be called {MEAN}: scores call the mean over the classes so"
            raise misfit(problem, "classes", hint="leave evaluation.mean away")
        tables = sorted({name for kind in tasks for name in tasks.get(kind).tables})
        if self.table not in tables:
            raise misfit(f"found {self.table!r}, expected {alternatives(tables)}", "table")
        for name, system in self.systems.items():
            learner = learners.get(system.learner.name)
            if learner.task != task.task:
                problem = (
                    f"{system.learner.name} is a learner of {learner.task}, the corpus is one of {task.task}"
                )
                raise misfit(problem, "systems", name, "learner", "name")
            if system.optimiser.options.get("dropout") and task.task != "tagging":
                problem = "only chains have node features to leave out"
                raise misfit(problem, "systems", name, "optimiser", "dropout")
            if task.task != "tagging" and any(map(is_by_chain, system.selection.rules)):
                problem = "only chains have a distribution of their own"
                raise misfit(problem, "systems", name, "selection", "rules")
            place = "systems", name, "selection", "metric"
            _check_metric(task, system.selection.metric, *place)
            if metrics.get(system.selection.metric).joint:
                problem = (
                    f"{system.selection.metric} is of all classes together, each is chosen for by itself"
                )
                raise misfit(problem, *place, hint=f"choose by {task.metrics[0]}")
        for number, metric in enumerate(self.evaluation.metrics or []):
            _check_metric(task, metric, "evaluation", "metrics", number)
        return self

    @model_serializer(mode="wrap")
    def _without_later_keys(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Keys that came later are described, and fingerprinted, only where they say something else."""
        later = {key: type(self).model_fields[key].default for key in ("tags", "edges", "checkpoint_seconds")}
        return {key: value for key, value in dump(self).items() if key not in later or value != later[key]}

    def metrics(self) -> list[str]:
        """What systems are scored by: the task's metrics, those chosen by, and those asked for."""
        chosen_by = [system.selection.metric for system in self.systems.values()]
        task = tasks.get(self.corpus.kind)
        return list(dict.fromkeys([*task.metrics, *chosen_by, *(self.evaluation.metrics or [])]))

    @property
    def folder(self) -> Path:
        """The run's folder."""
        return Path(self.output) / "runs" / self.name

    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that stand for everything a result depends on."""
        resolved = self.model_dump(exclude=set(NO_RESULT_DEPENDS_ON))
        return hashlib.sha256(json.dumps(resolved, sort_keys=True).encode()).hexdigest()[:12]


def _check_metric(task: type[Task], metric: str, *key: str | int) -> None:
    """Refuse a metric that is not measured in a task, chosen by or asked for at a key."""
    if not task.measures(metric):
        known = ", ".join([*task.metrics, *task.further_metrics()])
        raise misfit(f"{metric!r} is not measured there", *key, hint=f"known: {known}")


def folder_name(system: str) -> str:
    """Name of the folders of a system, of the characters that every file system takes."""
    return re.sub(r"[^A-Za-z0-9_.+-]+", "_", system).strip("_")


def names_another(key: str | int, own: Mapping[str, Any], shared: Mapping[str, Any]) -> bool:
    """Whether a system's own section under ``key`` names another part than the shared one stands for."""
    default = OptimiserConfig.model_fields["name"].default if key == "optimiser" else None
    part = shared.get("name", default)
    return bool(own.get("name", part) != part)


def _merge(base: Mapping[str, Any], override: Mapping[str, Any]) -> dict[str, Any]:
    """Nested mappings, ``override`` winning; a section with another ``name`` replaces the base's."""
    merged = dict(base)
    for key, value in override.items():
        old = merged.get(key)
        if not (isinstance(old, Mapping) and isinstance(value, Mapping)):
            merged[key] = value
        elif key == "grid" or names_another(key, value, old):
            merged[key] = dict(value)
        else:
            merged[key] = _merge(old, value)
    return merged
