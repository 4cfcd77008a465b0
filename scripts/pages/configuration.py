"""Configuration keys, and the options of whatever is registered, read off the classes that check them."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator

from advsp.aligners import programs
from advsp.corpora.tokens import step_names
from advsp.engine.lp import solvers
from advsp.engine.measures import measures
from advsp.engine.oracles import oracles
from advsp.engine.settings import Engine
from advsp.engine.structures import structures
from advsp.experiments import sources
from advsp.experiments.config import schema
from advsp.features import presets
from advsp.features.bitext.groups import groups
from advsp.features.bitext.sets import SETS
from advsp.learners import learners
from advsp.learners.initial import initials
from advsp.metrics import metrics
from advsp.support.registry import Registry
from advsp.tasks import tasks
from advsp.training.loop import Tolerance
from advsp.training.optimisers import optimisers
from pages.docstring import Docstring, as_markdown, read

#: Heading and key of every registry whose members a configuration names.
PARTS: dict[str, tuple[str, Registry[typing.Any]]] = {
    "Learners": ("learner", learners),
    "Optimisers": ("optimiser", optimisers),
    "Initial weights": ("optimiser.initial", initials),
    "Measures": ("learner.measure, selection.metric as token_NAME", measures),
    "Programs that align": ("run of a bitext's preparation", programs),
}
#: Sections of an experiment by their keys.
SECTIONS = {
    "the experiment": schema.ExperimentConfig,
    "systems.NAME": schema.SystemConfig,
    "features": schema.FeaturesConfig,
    "engine": Engine,
    "optimiser": schema.OptimiserConfig,
    "optimiser.tolerance": Tolerance,
    "selection": schema.SelectionConfig,
    "evaluation": schema.EvaluationConfig,
}
#: Sections of the files that corpora are prepared by.
PREPARATION = {
    "Column files": sources.ConllSource,
    "Parallel text": sources.BitextSource,
    "labelled.NAME": sources.LabelledFiles,
    "links, aligner_links": sources.LinkNotation,
    "splits.NAME": sources.BitextPart,
    "unlabelled": sources.BitextFiles,
    "normalise": sources.Normalisation,
}


def page() -> str:
    """The page of configuration keys."""
    parts = ["# Configuration keys\n", "Made from the code. A key that is not here is refused.\n"]
    for key, kind in SECTIONS.items():
        parts += section(f"Keys of {key}", kind)
    for name in tasks:
        parts += section(f"Keys of corpus, of kind {name}", tasks.get(name).section)
    parts.append(f"## Names\n\n{_names()}\n")
    for heading, (key, registry) in PARTS.items():
        parts.append(f"## {heading}\n\nBelow `{key}`, with `name:`.\n")
        for name in registry:
            parts += member(name, registry.get(name))
    parts.append(
        "## Preparation\n\nKeys of the YAML of `advsp prepare-conll` and `advsp prepare-hansards`.\n"
    )
    for heading, kind in PREPARATION.items():
        parts += section(heading, kind)
    return "\n".join(parts)


def _names() -> str:
    """What keys may name, and is registered without options."""
    lists = {
        "`engine.lp`": ["auto", *solvers],
        "`engine.oracle`": ["auto", *oracles],
        "`features.preset` of tags": list(presets),
        "`features.preset` of links, see [the data](../../data/README.md)": list(SETS),
        "`features.groups`": list(groups),
        "`learner.structure`": list(structures),
        "`selection.metric`, `evaluation.metrics`": [*metrics, "token_MEASURE"],
        "steps of `normalise`": step_names(),
    }
    return "\n".join(f"* {key}: {', '.join(f'`{name}`' for name in names)}" for key, names in lists.items())


def section(heading: str, kind: type) -> Iterator[str]:
    """A pydantic model, or a dataclass that is a section: a line a key."""
    told = read(kind)
    yield f"## {heading}\n"
    if told.text:
        yield as_markdown(told.text) + "\n"
    if dataclasses.is_dataclass(kind):
        yield from _options(kind, told)
        return
    yield "| key | default | |\n|---|---|---|"
    for name, field in kind.model_fields.items():  # type: ignore[attr-defined]
        default = (
            "stated or filled in"
            if field.is_required()
            else _shown(field.get_default(call_default_factory=True))
        )
        about = told.names.get(name, field.description or "")
        yield _row(name, default, about + _choices(field.annotation))
    yield ""


def member(name: str, kind: type) -> Iterator[str]:
    """A registered dataclass: what it is, and a line an option."""
    told = read(kind)
    yield f"### {name}\n"
    yield as_markdown(told.text) + "\n"
    if dataclasses.is_dataclass(kind):
        yield from _options(kind, told)


def _options(kind: type, told: Docstring) -> Iterator[str]:
    """The fields of a dataclass: a line an option."""
    fields, hints = dataclasses.fields(kind), typing.get_type_hints(kind)
    if fields:
        yield "| option | default | |\n|---|---|---|"
        for field in fields:
            about = told.names.get(field.name, "") + _choices(hints[field.name])
            yield _row(field.name, _default(field), about)
        yield ""


def _choices(kind: object) -> str:
    """What may stand there, where these are a few words."""
    parts = [kind, *typing.get_args(kind)]
    named = [part for part in parts if typing.get_origin(part) is typing.Literal]
    if not named:
        return ""
    return f" One of {', '.join(f'``{choice}``' for choice in typing.get_args(named[0]))}."


def _default(field: dataclasses.Field[typing.Any]) -> str:
    if field.default is not dataclasses.MISSING:
        return _shown(field.default)
    if field.default_factory is not dataclasses.MISSING:
        return _shown(field.default_factory())
    return "required"


def _shown(value: object) -> str:
    """A default as YAML would have it, nothing for what stands for a whole section."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, int | float | str):
        return f"`{value}`"
    if isinstance(value, tuple | list) and all(isinstance(one, int | float | str) for one in value):
        return f"`[{', '.join(map(str, value))}]`"
    if isinstance(value, dict) and all(isinstance(one, int | float | str) for one in value.values()):
        return f"`{{{', '.join(f'{key}: {one}' for key, one in value.items())}}}`"
    return "a section"


def _row(name: str, default: str, about: str) -> str:
    cells = (f"`{name}`", default, as_markdown(about))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
