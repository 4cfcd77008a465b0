"""Configuration keys, and the options of whatever is registered, read off the classes that check them."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator

from advsp.aligners import programs
from advsp.engine.measures import measures
from advsp.experiments.config import schema
from advsp.learners import learners
from advsp.learners.initial import initials
from advsp.support.registry import Registry
from advsp.tasks import tasks
from advsp.training.optimisers import optimisers
from pages.docstring import as_markdown, read

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
    "selection": schema.SelectionConfig,
    "evaluation": schema.EvaluationConfig,
}


def page() -> str:
    """The page of configuration keys."""
    parts = ["# Configuration keys\n", "Made from the code. A key that is not here is refused.\n"]
    for key, kind in SECTIONS.items():
        parts += section(f"Keys of {key}", kind)
    for name in tasks:
        parts += section(f"corpus, of kind {name}", tasks.get(name).section)
    for heading, (key, registry) in PARTS.items():
        parts.append(f"## {heading}\n\nBelow `{key}`, with `name:`.\n")
        for name in registry:
            parts += member(name, registry.get(name))
    return "\n".join(parts)


def section(heading: str, kind: type) -> Iterator[str]:
    """A pydantic model: a line a key."""
    told = read(kind)
    yield f"## {heading}\n"
    if told.text:
        yield as_markdown(told.text) + "\n"
    yield "| key | default | |\n|---|---|---|"
    for name, field in kind.model_fields.items():  # type: ignore[attr-defined]
        default = (
            "stated or filled in"
            if field.is_required()
            else _shown(field.get_default(call_default_factory=True))
        )
        yield _row(name, default, told.names.get(name, field.description or ""))
    yield ""


def member(name: str, kind: type) -> Iterator[str]:
    """A registered dataclass: what it is, and a line an option."""
    told = read(kind)
    yield f"### {name}\n"
    yield as_markdown(told.text) + "\n"
    fields = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
    if fields:
        yield "| option | default | |\n|---|---|---|"
        for field in fields:
            yield _row(field.name, _default(field), told.names.get(field.name, ""))
        yield ""


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
