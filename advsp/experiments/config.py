"""The configuration of an experiment: strict, typed, and complete once resolved.

A YAML file says what differs from the defaults below.  Unknown keys, duplicate keys and values of
the wrong type are errors that name file, line and key.  What the registered parts (optimisers, …)
can be told is read off their dataclasses, so that a new one needs no change here.
"""

from __future__ import annotations

import copy
import dataclasses
import difflib
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator
from pydantic_core import PydanticCustomError

from advsp.support.errors import InputError
from advsp.support.registry import Registry
from advsp.support.yaml_source import Place, Source, parse_value, read_yaml
from advsp.training.loop import Tolerance


class Strict(BaseModel):
    """A section whose keys are all known and whose values have exactly their types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            known = [field.alias or name for name, field in cls.model_fields.items()]
            for key in value:
                if key not in known:
                    raise unknown_key(str(key), known)
        return value


#: What is added to a system's name when it decides by thresholds or by the mean of its seeds' weights.
_VARIANTS = ("+threshold", "+average")
#: Names that become names of files.
_FILE_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.+-]*$"
#: Names of systems: what follows in brackets says which variant it is, ``ADV_aer [taskar+m4, label]``.
_SYSTEM_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.+-]*( \[[A-Za-z0-9_.+|:=/ ,-]+\])?$"

S = TypeVar("S", bound=Strict)


def unknown_key(key: str, known: Iterable[str]) -> PydanticCustomError:
    """The error for a key that does not exist; it names the nearest one that does."""
    known = list(known)
    nearest = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"known: {', '.join(known)}"
    return PydanticCustomError("unknown_key", "unknown key", {"key": key, "hint": hint})


class Section(Strict):
    """A section that names a registered part and gives its options.

    The keys beside ``name`` (and those a subclass adds) are the fields of the part's dataclass.
    """

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)
    name: str

    @classmethod
    def registry(cls) -> Registry:
        """Where the parts are registered."""
        raise NotImplementedError

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, value: Any) -> Any:
        return value  # known keys depend on the name; checked below

    @model_validator(mode="after")
    def _options(self) -> Section:
        try:
            part = self.registry().get(self.name)
        except InputError as error:
            raise PydanticCustomError(
                "unknown_name", "{problem}", {"problem": error.problem, "key": "name", "hint": error.hint}
            ) from None
        hints = get_type_hints(part, include_extras=True)
        fields = {f.name: (hints[f.name], _default(f)) for f in dataclasses.fields(part)}
        extra = self.__pydantic_extra__
        for key in extra:
            if key not in fields:
                raise unknown_key(key, [*type(self).model_fields, *fields])
        try:
            checked = create_model(part.__name__, __base__=Strict, **fields).model_validate(extra)
        except ValidationError as error:
            first = error.errors()[0]
            context = {"problem": _problem(first), "key": ".".join(map(str, _parts(first)))}
            raise PydanticCustomError("option", "{problem}", context) from None
        extra.update(checked.model_dump())
        return self

    def build(self) -> Any:
        """The part with its options."""
        return self.registry().get(self.name)(**self.__pydantic_extra__)


def _default(field: dataclasses.Field) -> Any:
    """The default of a dataclass' field as pydantic takes it."""
    if field.default_factory is not dataclasses.MISSING:
        return Field(default_factory=field.default_factory)
    return field.default


class ToleranceConfig(Strict):
    """Accuracy of training games, pass by pass."""

    start: float = Field(default=Tolerance.start, gt=0)
    decay: float = Field(default=Tolerance.decay, gt=0, le=1)
    floor: float = Field(default=Tolerance.floor, gt=0)


class InitialConfig(Section):
    """The weights that training starts from; the name alone may stand for the section."""

    name: str = "zeros"

    @classmethod
    def registry(cls) -> Registry:
        from advsp.learners.initial import initials

        return initials

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value


class OptimiserConfig(Section):
    """Which optimiser, for how long, from where, and how much L2.

    The full batch of an optimiser that takes one is cut into so many ``shards``, whose losses are added up in
    their order: part of the result, in its last digits, and not of where it is computed.
    """

    name: str = "adagrad"
    passes: int = Field(default=15, ge=0)
    l2: float = Field(default=0.0, ge=0)
    tolerance: ToleranceConfig = ToleranceConfig()
    initial: InitialConfig = InitialConfig()
    shards: int = Field(default=1, ge=1)

    @classmethod
    def registry(cls) -> Registry:
        from advsp.training.optimisers import optimisers

        return optimisers

    @model_validator(mode="after")
    def _enough_l2(self) -> OptimiserConfig:
        if self.registry().get(self.name).needs_l2 and self.l2 == 0:
            raise PydanticCustomError("option", f"{self.name} needs l2 > 0", {"key": "l2"})
        return self

    @model_validator(mode="after")
    def _shards_of_full_batches(self) -> OptimiserConfig:
        if self.shards > 1 and not self.build().full_batch:
            problem = f"{self.name} as it is set goes from example to example, which shards cannot"
            hint = "leave shards away, or take full batches: lbfgs with warm 0, adadelta with batch 0"
            raise PydanticCustomError("option", problem, {"key": "shards", "hint": hint})
        if self.shards > 1 and self.initial.registry().get(self.initial.name).whole:
            problem = f"the initial weights {self.initial.name} are made of all examples in one place"
            hint = "leave shards away, or choose other initial weights"
            raise PydanticCustomError("option", problem, {"key": "shards", "hint": hint})
        return self


class LearnerConfig(Section):
    """Which learner, and its options."""

    @classmethod
    def registry(cls) -> Registry:
        from advsp.learners import learners

        return learners


class EngineConfig(Strict):
    """How games are solved."""

    lp: str = "auto"
    oracle: str = "auto"
    max_iterations: int = Field(default=10_000, ge=1)
    stop: Literal["certified", "value-repeats"] = "certified"

    @model_validator(mode="after")
    def _registered(self) -> EngineConfig:
        from advsp.engine.lp import solvers
        from advsp.engine.oracles import oracles

        for key, registry in (("lp", solvers), ("oracle", oracles)):
            try:
                registry.get(getattr(self, key))
            except InputError as error:
                raise PydanticCustomError(
                    "unknown_name",
                    "{problem}",
                    {"problem": error.problem, "key": key, "hint": error.hint},
                ) from None
        if self.stop != "certified" and not oracles.get(self.oracle).exact:
            problem = f"{self.stop} plays with best responses, {self.oracle} finds others"
            hint = "choose an exact oracle, or stop: certified"
            raise PydanticCustomError("option", problem, {"key": "stop", "hint": hint})
        return self


class CorpusConfig(Strict):
    """What to learn from; without a ``validation`` split nothing can be chosen but by folds.

    kind ``conll``: a folder made by ``advsp prepare-conll``; kind ``features``: ready-made feature
    files, one per split (``files``); kind ``bitext``: a folder made by ``advsp prepare-hansards``.  What
    is not given is as the kind's task says (:mod:`advsp.tasks`).
    """

    kind: str = "conll"
    name: str
    path: str
    sentences: int | None = Field(default=None, ge=1)
    docstart: Literal["drop", "sentence", "uncounted", "glue"] | None = None
    train: str = "train"
    validation: str | None = "testa"
    test: list[str] = ["testb"]
    files: dict[str, str] = {}

    @model_validator(mode="after")
    def _consistent(self) -> CorpusConfig:
        if len(set(self.test)) < len(self.test):
            raise PydanticCustomError("option", "a split stands twice", {"key": "test"})
        if self.validation in self.test:
            problem = "what is chosen on a split cannot be tested on it"
            raise PydanticCustomError("option", problem, {"key": "validation"})
        if self.files and self.kind != "features":
            raise PydanticCustomError("option", "files belong to kind: features", {"key": "files"})
        for key in ("sentences", "docstart"):
            if self.kind != "conll" and getattr(self, key) is not None:
                problem = f"a corpus of kind {self.kind} is read as it is"
                raise PydanticCustomError("option", problem, {"key": key})
        return self

    @property
    def splits(self) -> list[str]:
        """All splits, the training split first."""
        return list(dict.fromkeys([self.train, *([self.validation] if self.validation else []), *self.test]))


class FeaturesConfig(Strict):
    """How sentences become features."""

    preset: str = "stanford"

    @property
    def view(self) -> str:
        """Name of the folder that holds instances with these features."""
        return self.preset.replace("|", "~")


class SelectionConfig(Strict):
    """What is chosen on the validation split: grid points, passes and the prediction rule.

    With ``folds`` it is chosen by cross-validation on the training and validation splits together.
    """

    metric: str = "token_f1"
    grid: dict[str, Annotated[list[Any], Field(min_length=1)]] = {}
    passes: list[Annotated[int, Field(ge=1)]] = []
    rules: list[Literal["mode", "marginal", "threshold"]] = Field(default=["mode", "marginal"], min_length=1)
    runs: int = Field(default=1, ge=1)
    folds: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _possible(self) -> SelectionConfig:
        if self.folds == 1:
            raise PydanticCustomError("option", "one fold leaves nothing to train on", {"key": "folds"})
        return self


class EvaluationConfig(Strict):
    """How systems are scored, and whether tables round or cut their values to two decimals."""

    bootstrap: int = Field(default=2000, ge=100)
    tolerance: float = Field(default=1e-6, ge=0)
    thresholds: bool = True
    display: Literal["rounded", "truncated"] = "rounded"


class SystemConfig(Strict):
    """One system: a learner and everything its training needs, defaults filled in."""

    learner: LearnerConfig
    features: FeaturesConfig
    engine: EngineConfig
    optimiser: OptimiserConfig
    selection: SelectionConfig
    runs: int = Field(ge=1)


class ExperimentConfig(Strict):
    """A whole experiment."""

    name: str = Field(pattern=_FILE_NAME)
    table: Literal["table2", "table3"] = "table3"
    corpus: CorpusConfig
    features: FeaturesConfig = FeaturesConfig()
    classes: list[Annotated[str, Field(pattern=_FILE_NAME)]] = Field(min_length=1)
    seed: int = Field(default=1, ge=0)
    runs: int = Field(default=1, ge=1)
    engine: EngineConfig = EngineConfig()
    optimiser: OptimiserConfig = OptimiserConfig()
    selection: SelectionConfig = SelectionConfig()
    evaluation: EvaluationConfig = EvaluationConfig()
    systems: dict[Annotated[str, Field(pattern=_SYSTEM_NAME)], SystemConfig] = Field(min_length=1)
    workers: int = Field(default=0, ge=0)
    output: str = "results"

    @model_validator(mode="before")
    @classmethod
    def _complete_systems(cls, value: Any) -> Any:
        """Fill each system's sections with what the experiment says for all of them."""
        if not isinstance(value, Mapping) or not isinstance(value.get("systems"), Mapping):
            return value
        value = _with_defaults(value)
        sections = ("features", "engine", "optimiser", "selection")
        shared = {key: value[key] for key in sections if key in value}
        shared["runs"] = value.get("runs", 1)
        value["systems"] = {
            name: _merge({**{section: {} for section in sections}, **shared}, system)
            if isinstance(system, Mapping)
            else system
            for name, system in value["systems"].items()
        }
        return value

    @model_validator(mode="after")
    def _classes_are_distinct(self) -> ExperimentConfig:
        if len(set(self.classes)) < len(self.classes) or "O" in self.classes:
            problem = "classes must be distinct, and O is not one"
            raise PydanticCustomError("option", problem, {"key": "classes"})
        folders: dict[str, str] = {}
        for name in self.systems:
            if name.endswith(_VARIANTS):
                problem = f"names of systems do not end in {' or '.join(_VARIANTS)}: variants are called so"
                raise PydanticCustomError("option", problem, {"key": ("systems", name)})
            for variant in ("", "+threshold", "+average", "+average+threshold"):
                if (other := folders.setdefault(folder_name(name + variant), name)) != name:
                    problem = f"{other} and {name} would share a folder"
                    raise PydanticCustomError("option", problem, {"key": ("systems", name)})
        return self

    @model_validator(mode="after")
    def _fits_the_task(self) -> ExperimentConfig:
        from advsp.tasks import tasks
        from advsp.tasks.base import ALL

        task = tasks.get(self.corpus.kind)
        if task.classes is not None and tuple(self.classes) != task.classes:
            problem = f"a corpus of kind {self.corpus.kind} has the classes {', '.join(task.classes)}"
            raise PydanticCustomError("option", problem, {"key": "classes"})
        if task.classes is None and ALL in self.classes:
            problem = f"no class may be called {ALL}: scores call the average over the classes so"
            raise PydanticCustomError("option", problem, {"key": "classes"})
        for name, system in self.systems.items():
            learner = system.learner.registry().get(system.learner.name)
            if learner.task != task.task:
                problem = (
                    f"{system.learner.name} is a learner of {learner.task}, the corpus is one of {task.task}"
                )
                raise PydanticCustomError("option", problem, {"key": ("systems", name, "learner", "name")})
            if system.selection.metric not in task.metrics:
                problem = f"{system.selection.metric!r} is not measured there"
                hint = f"known: {', '.join(task.metrics)}"
                context = {"key": ("systems", name, "selection", "metric"), "hint": hint}
                raise PydanticCustomError("option", problem, context)
        return self

    @property
    def folder(self) -> Path:
        """The run's folder."""
        return Path(self.output) / "runs" / self.name

    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that stand for everything a result depends on."""
        resolved = self.model_dump(exclude={"workers", "output"})
        return hashlib.sha256(json.dumps(resolved, sort_keys=True).encode()).hexdigest()[:12]


def folder_name(system: str) -> str:
    """Name of the folders of a system, of the characters that every file system takes."""
    return re.sub(r"[^A-Za-z0-9_.+-]+", "_", system).strip("_")


def load_config(file: str | Path, overrides: Iterable[str] = ()) -> ExperimentConfig:
    """Read, override and check a configuration.

    Parameters
    ----------
    file: the YAML file.
    overrides: ``key=value`` with a dotted key, e.g. ``optimiser.passes=5``; the value is YAML.

    Raises
    ------
    InputError: naming file, line and key of what is wrong.
    """
    return load_section(ExperimentConfig, file, overrides)


def load_section(kind: type[S], file: str | Path, overrides: Iterable[str] = ()) -> S:
    """Read a YAML file that holds one ``kind``; see :func:`load_config`."""
    source = read_yaml(file)
    if not isinstance(source.value, dict):
        raise InputError("expected a mapping of keys to values", file=source.file, line=1)
    given = [_override(source.value, text) for text in overrides]
    try:
        return kind.model_validate(source.value)
    except ValidationError as error:
        raise _explain(error, source, given) from None


def with_overrides(section: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of nested mappings with dotted keys replaced, e.g. ``{"optimiser.step": 0.1}``."""
    result = copy.deepcopy(dict(section))
    for key, value in overrides.items():
        *parents, last = key.split(".")
        inner = result
        for parent in parents:
            inner = inner.setdefault(parent, {})
            if not isinstance(inner, dict):
                raise InputError(f"{parent} in {key} is not a section")
        inner[last] = value
    return result


def check_grid(name: str, system: SystemConfig, point: Mapping[str, Any]) -> SystemConfig:
    """The system at one point of its selection grid.

    Raises
    ------
    InputError: a grid key that the system does not have, or a value that does not fit it.
    """
    try:
        return SystemConfig.model_validate(with_overrides(system.model_dump(), point))
    except ValidationError as error:
        first = error.errors()[0]
        problem, hint = _problem(first), _hint(first)
    except InputError as error:
        problem, hint = error.problem, error.hint
    keys = ", ".join(f"{key}={value}" for key, value in point.items())
    place = f"systems.{name}.selection.grid"
    raise InputError(f"the grid point {keys} does not fit: {problem}", key=place, hint=hint)


def _with_defaults(value: Mapping[str, Any]) -> dict[str, Any]:
    """An experiment with what its corpus' task says where the file says nothing."""
    from advsp.tasks import tasks

    value = dict(value)
    corpus = value.get("corpus")
    if not isinstance(corpus, Mapping):
        return value
    try:
        task = tasks.get(str(corpus.get("kind", CorpusConfig.model_fields["kind"].default)))
    except InputError as error:
        # Nothing else is said then: what is missing depends on the kind.
        context = {"problem": error.problem, "key": "corpus.kind", "hint": error.hint}
        raise PydanticCustomError("unknown_name", "{problem}", context) from None
    for key, default in task.defaults.items():
        section, _, option = key.rpartition(".")
        if not section:
            value.setdefault(option, default)
        elif isinstance(value.get(section, {}), Mapping):
            value[section] = {option: default, **value.get(section, {})}
    return value


def _merge(base: Mapping[str, Any], override: Mapping[str, Any]) -> dict[str, Any]:
    """Nested mappings, ``override`` winning; a section with another ``name`` replaces the base's."""
    merged = dict(base)
    for key, value in override.items():
        old = merged.get(key)
        if not (isinstance(old, Mapping) and isinstance(value, Mapping)):
            merged[key] = value
        elif key == "grid" or value.get("name", _name(key, old)) != _name(key, old):
            merged[key] = dict(value)
        else:
            merged[key] = _merge(old, value)
    return merged


def _name(key: str, section: Mapping[str, Any]) -> str | None:
    """The part a section names, or the one it stands for if it names none."""
    default = OptimiserConfig.model_fields["name"].default if key == "optimiser" else None
    return section.get("name", default)


def _override(value: dict[str, Any], text: str) -> Place:
    """Apply one ``key=value`` in place; return where it went."""
    key, equals, raw = text.partition("=")
    place = tuple(key.strip().split("."))
    if not equals or not all(place):
        raise InputError(f"--set {text!r} is not of the form key=value", hint="e.g. --set optimiser.passes=5")
    inner: Any = value
    for depth, part in enumerate(place[:-1]):
        if inner.get(part) is None:
            inner[part] = {}
        inner = inner[part]
        if not isinstance(inner, dict):
            raise InputError(f"--set {text!r}: {'.'.join(place[: depth + 1])} is not a section")
    inner[place[-1]] = parse_value(raw)
    return place


def _explain(error: ValidationError, source: Source, given: list[Place]) -> InputError:
    """The first problem of a failed validation as one sentence with its place."""
    problems = [(_where(_place(e), source), e) for e in error.errors()]
    place, first = min(problems, key=lambda pair: source.line(pair[0]) or 0)
    key = ".".join(map(str, place)) or None
    if any(place[: len(g)] == g or g[: len(place)] == place for g in given if place):
        return InputError(_problem(first), key=f"--set {key}", hint=_hint(first))
    return InputError(_problem(first), file=source.file, line=source.line(place), key=key, hint=_hint(first))


def _where(place: Place, source: Source) -> Place:
    """Where a value was written: what systems share is copied into each, but stands at the top."""
    if place[:1] != ("systems",) or len(place) < 3:
        return place
    own, shared = _depth(place, source), _depth(place[2:], source)
    return place[2:] if shared > own - 2 and shared > 0 and not _replaces(place, source) else place


def _replaces(place: Place, source: Source) -> bool:
    """Whether a system's section names another part than the shared one, none of which it has then."""
    _, system, key = place[:3]
    try:
        own, shared = source.value["systems"][system][key], source.value[key]
        return own.get("name", _name(key, shared)) != _name(key, shared)
    except (KeyError, TypeError, AttributeError):
        return False


def _depth(place: Place, source: Source) -> int:
    """How many parts of a place the file has or the command line has set."""
    value, depth = source.value, 0
    for part in place:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return depth
        depth += 1
    return depth


def _place(error: Mapping[str, Any]) -> Place:
    """Where a validation error happened; a key that the error itself names is part of the place.

    Such a key is one string with dots, or its parts where one of them may have dots of its own.
    """
    key = error.get("ctx", {}).get("key", ())
    return (*_parts(error), *(key.split(".") if isinstance(key, str) else key))


def _parts(error: Mapping[str, Any]) -> Place:
    """The keys that lead to a validation error; pydantic marks one that is itself at fault."""
    return tuple(part for part in error["loc"] if part != "[key]")


def _hint(error: Mapping[str, Any]) -> str | None:
    return error.get("ctx", {}).get("hint")


#: What is expected where pydantic's own words speak of the program rather than of the file.
_EXPECTED = {
    "string_pattern_mismatch": "letters, digits and . _ + - only, a letter or digit first",
    "too_short": "at least one entry",
    "model_type": "a section of keys and values",
    "model_attributes_type": "a section of keys and values",
    "dict_type": "a section of keys and values",
    "mapping_type": "a section of keys and values",
    "list_type": "a list",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text",
}


def _problem(error: Mapping[str, Any]) -> str:
    """What is wrong, in words."""
    kind, found = error["type"], error.get("input")
    if kind == "missing":
        return "is missing"
    if kind in ("unknown_key", "unknown_name", "option"):
        return error["msg"]
    expected = _EXPECTED.get(kind) or error["msg"].removeprefix("Input should be ").removeprefix("a valid ")
    return f"found {found!r}, expected {expected}"
