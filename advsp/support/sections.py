"""Strict sections of a configuration, read off the dataclasses of what they configure.

A *part* is a frozen dataclass: its fields are its options, constraints stand in their annotations.
:class:`Section` names a registered part and gives its options; :data:`AsSection` makes a section of a part
that has no name.  An option may be a registered part itself
(:class:`~advsp.support.markers.FromRegistry`).  What is resolved is
plain data, so that it can be written, read again and compared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    SerializerFunctionWrapHandler,
    ValidationError,
    create_model,
    model_serializer,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from advsp.support.errors import InputError
from advsp.support.problems import first_problem, misfit, unknown_key
from advsp.support.registry import Registry
from advsp.support.stated import Stated

T = TypeVar("T")


class Strict(BaseModel):
    """A section whose keys are all known and whose values have exactly their types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    @classmethod
    def check_keys(cls, given: Mapping[str, Any]) -> None:
        """Refuse a key that the section does not have.

        Raises
        ------
        PydanticCustomError: naming the nearest key that it has.
        """
        known = [field.alias or name for name, field in cls.model_fields.items()]
        for key in given:
            if key not in known:
                raise unknown_key(str(key), known)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            cls.check_keys(value)
        return value


# --- sections of dataclasses --------------------------------------------------------------------------


class _Options(Strict):
    """The options of a part.

    One that is None is left out of what is resolved: a part that gets such an option later is described as
    before, and the fingerprints of its runs stay.
    """

    @model_serializer(mode="wrap")
    def _without_what_is_none(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = type(self).model_fields
        return {
            key: value
            for key, value in dump(self).items()
            if value is not None or any(isinstance(mark, Stated) for mark in fields[key].metadata)
        }


def _new_section(part: type) -> type[_Options]:
    hints = get_type_hints(part, include_extras=True)
    fields: dict[str, Any] = {f.name: (hints[f.name], _default(f)) for f in dataclasses.fields(part)}
    return create_model(part.__name__, __base__=_Options, **fields)


#: The section whose keys are a dataclass' fields.
_section_of: Callable[[type], type[_Options]] = cache(_new_section)


def _default(field: dataclasses.Field[Any]) -> Any:
    """The default of a dataclass' field as pydantic takes it."""
    if field.default_factory is not dataclasses.MISSING:
        return Field(default_factory=field.default_factory)
    return ... if field.default is dataclasses.MISSING else field.default


def make(part: type[T], options: Any) -> T:
    """A part of a mapping of its options; those that are not given have their defaults.

    Raises
    ------
    ValidationError, PydanticCustomError: an unknown option, a value that does not fit, or an
        :class:`~advsp.support.errors.InputError` of the part itself.
    """
    checked = _section_of(part).model_validate(options)
    try:
        return part(**{name: getattr(checked, name) for name in type(checked).model_fields})
    except InputError as error:
        keys = error.key.split(".") if error.key else []
        raise misfit(error.problem, *keys, hint=error.hint) from None


def options_of(part: object) -> dict[str, Any]:
    """A part's options as plain data, from which :func:`make` makes it again."""
    section = _section_of(type(part))
    values = {name: getattr(part, name) for name in section.model_fields}
    return section.model_construct(**values).model_dump(warnings=False)


class _AsSection:
    """Annotates a field that holds a part and is given as a section of its options."""

    def __get_pydantic_core_schema__(self, part: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, part) else make(part, value),
            serialization=core_schema.plain_serializer_function_ser_schema(options_of),
        )


#: ``tolerance: AsSection[Tolerance] = Tolerance()`` is given as ``{start: 0.1, decay: 0.5}``.
AsSection = Annotated[T, _AsSection()]


# --- sections of registered parts ---------------------------------------------------------------------


class Section(Strict, Generic[T]):
    """A section that names a registered part and gives its options.

    The keys beside ``name`` (and those a subclass adds) are the fields of the part's dataclass.
    """

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, allow_inf_nan=False)
    name: str

    @classmethod
    def registry(cls) -> Registry[type[T]]:
        """Where the parts are registered."""
        raise NotImplementedError

    @classmethod
    def check_keys(cls, given: Mapping[str, Any]) -> None:
        """Keys depend on the name: they are looked at once that is known."""

    @model_validator(mode="after")
    def _resolved(self) -> Section[T]:
        try:
            part = self.registry().get(self.name)
        except InputError as error:
            raise misfit(error.problem, "name", hint=error.hint) from None
        known = [*type(self).model_fields, *_section_of(part).model_fields]
        for key in self.options:
            if key not in known:
                raise unknown_key(key, known)
        resolved = options_of(make(part, self.options))
        self.options.clear()
        self.options.update(resolved)
        return self

    @property
    def options(self) -> dict[str, Any]:
        """The part's options as plain data, defaults filled in."""
        extra = self.__pydantic_extra__
        assert extra is not None, "a section takes options"
        return extra

    def build(self) -> T:
        """The part with its options."""
        return make(self.registry().get(self.name), self.options)


class NamedSection(Section[T]):
    """A section for which the name alone may stand."""

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value


@cache
def section_for(registry: Registry[type[T]]) -> type[NamedSection[T]]:
    """The section of any part of a registry."""

    class OneOfThem(NamedSection[Any]):
        @classmethod
        def registry(cls) -> Registry[type[Any]]:
            return registry

    return OneOfThem


def describe(registry: Registry[type[T]], part: T) -> dict[str, Any]:
    """A registered part as plain data, its name and its options; :func:`build` makes it again."""
    return {"name": registry.name_of(type(part)), **options_of(part)}


def build(registry: Registry[type[T]], description: Any) -> T:
    """The registered part that a mapping of its name and options describes, or its name alone.

    Raises
    ------
    InputError: naming the key of what is wrong.
    """
    try:
        part: T = section_for(registry).model_validate(description).build()
    except ValidationError as error:
        raise first_problem(error).as_error() from None
    return part
