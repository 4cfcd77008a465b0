"""Registered parts to try sections on: measures, and learners that may be told one."""

from __future__ import annotations

import sys
from abc import ABC
from dataclasses import dataclass, field
from types import ModuleType
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt

from advsp.support.errors import InputError
from advsp.support.markers import FromRegistry, NameIn
from advsp.support.registry import Registry
from advsp.support.stated import Stated


def registry_of_toys(kind: str) -> Registry[Any]:
    """A registry whose package has no modules: its members are registered below."""
    package = ModuleType(f"toys_of_kind_{kind}")
    package.__path__ = []
    sys.modules[package.__name__] = package
    return Registry(kind, package.__name__)


toy_measures = registry_of_toys("measure")
toy_learners = registry_of_toys("learner")


class ToyMeasure(ABC):
    """What toys are judged by."""


@toy_measures.register("even")
@dataclass(frozen=True)
class Even(ToyMeasure):
    margin: Annotated[int, Ge(0)] | None = None


@toy_measures.register("tilted")
@dataclass(frozen=True)
class Tilted(ToyMeasure):
    beta: Annotated[float, Gt(0)] = 1.0
    side: Literal["left", "right"] = "left"

    def __post_init__(self) -> None:
        if self.side == "right" and self.beta > 9:
            raise InputError(f"beta {self.beta:g} tips over", key="beta", hint="at most 9")


@toy_measures.register("mixed")
@dataclass(frozen=True)
class Mixed(ToyMeasure):
    """A measure made of measures."""

    parts: dict[str, Annotated[ToyMeasure, FromRegistry(toy_measures)]] = field(default_factory=dict)


@toy_learners.register("guess")
@dataclass(frozen=True)
class Guess:
    measure: Annotated[ToyMeasure, FromRegistry(toy_measures)] | None = None
    backup: Annotated[ToyMeasure, FromRegistry(toy_measures)] = Tilted()
    judge: Annotated[str, NameIn(toy_measures)] = "even"
    most: Annotated[int, Ge(1)] | None = None
    seed: Annotated[Annotated[int, Ge(0)] | None, Stated()] = None
    weights: dict[Literal["a", "b"], float] = field(default_factory=lambda: {"a": 1.0})


@toy_learners.register("rote")
@dataclass(frozen=True)
class Rote:
    pages: int
