"""What the options of a part may say of themselves, in their annotations.

Parts are used without configurations, too: what reads those (:mod:`advsp.support.sections`) is imported only
when it asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from advsp.support.errors import InputError
from advsp.support.registry import Registry

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


@dataclass(frozen=True)
class NameIn:
    """Annotates an option that is a registered name: ``lp: Annotated[str, NameIn(solvers)]``."""

    registry: Registry[Any]

    def __get_pydantic_core_schema__(self, kind: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(self._check, handler(kind))

    def _check(self, name: str) -> str:
        from advsp.support.problems import misfit

        try:
            self.registry.get(name)
        except InputError as error:
            raise misfit(error.problem, hint=error.hint) from None
        return name


@dataclass(frozen=True)
class FromRegistry:
    """Annotates an option that is a registered part: ``measure: Annotated[Measure, FromRegistry(measures)]``.

    It is given as a section, ``measure: {name: fbeta, beta: 2}``, or by the name alone; the part that has the
    option gets the part named.
    """

    registry: Registry[Any]

    def __get_pydantic_core_schema__(self, part: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import core_schema

        from advsp.support.sections import describe, section_for

        section = section_for(self.registry)
        return core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, part) else section.model_validate(value).build(),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: describe(self.registry, value)
            ),
        )
