"""Names to classes: every choice a configuration can make is registered here by its own file.

A package that offers choices (``advsp.engine.lp``, ``advsp.training.optimisers`` …) owns one
:class:`Registry`; each of its modules registers one class.  Adding a choice is adding a file, and
the contract tests reach it because they iterate over the registry.

Other distributions add members by entry points, in a group a registry, ``advsp.measures`` for one.  An entry
point names a module that registers its members, or one member, which is then registered by the entry point's
name.  They are looked for only where a name is not known without them, or all names are asked for.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import Generic, Protocol, TypeVar, runtime_checkable

from advsp.support.errors import InputError

T = TypeVar("T")


@runtime_checkable
class Installable(Protocol):
    """A member that may lack something here."""

    def missing(self) -> str | None:
        """One clause saying what it lacks, or None."""


class Registry(Generic[T]):
    """The named members of one kind, filled on first use by importing the package's modules.

    Parameters
    ----------
    kind: what a member is called in error messages, e.g. ``"LP solver"``.
    package: dotted name of the package whose modules register members.
    plugins: group of the entry points by which other distributions add members; None for none.
    fastest_first: names such as ``"auto"`` that stand for the first installed one of several members, each
        of them :class:`Installable`.
    """

    def __init__(
        self,
        kind: str,
        package: str,
        plugins: str | None = None,
        fastest_first: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.kind = kind
        self._package, self._plugins = package, plugins
        self._fastest_first = fastest_first or {}
        self._derived: Callable[[str], T | None] = lambda name: None
        self._members: dict[str, T] = {}
        self._loaded = False

    def register(self, name: str) -> Callable[[T], T]:
        """Decorator: make a class, or a function, known as ``name``."""

        def add(member: T) -> T:
            if name in self._members:
                raise ValueError(f"{self.kind} {name!r} is registered twice")
            self._members[name] = member
            return member

        return add

    def derive(self, find: Callable[[str], T | None]) -> Callable[[str], T | None]:
        """Decorator: the function finds members of names that none is registered by, or None.

        For members that are made of others; a registry has one such function.
        """
        self._derived = find
        return find

    def resolve(self, name: str) -> str:
        """The name of the member that ``name`` stands for here."""
        self._load()
        choices = self._fastest_first.get(name)
        if choices is None:
            return name
        for choice in choices:
            # Whether it can be asked is looked at once, on loading: this is called for every game.
            lacks: str | None = getattr(self._members[choice], "missing")()  # noqa: B009
            if lacks is None:
                return choice
        return choices[-1]

    def get(self, name: str) -> T:
        """The member that ``name`` stands for.

        Raises
        ------
        InputError: there is none, with the nearest one; or another distribution's member cannot be loaded.
        """
        name = self.resolve(name)
        if name not in self._members:
            self._load_plugins()
        if name not in self._members:
            found = self._derived(name)
            if found is not None:
                return found
            nearest = difflib.get_close_matches(name, [*self._fastest_first, *self._members], n=1)
            hint = (
                f"did you mean {nearest[0]!r}?" if nearest else f"known: {', '.join(sorted(self._members))}"
            )
            raise InputError(f"unknown {self.kind} {name!r}", hint=hint)
        return self._members[name]

    def name_of(self, member: T) -> str:
        """The name that ``member`` is registered by."""
        self._load()
        for name, known in self._members.items():
            if known is member:
                return name
        raise ValueError(f"{member!r} is not registered as {self.kind}")

    def names(self) -> list[str]:
        """All registered names, sorted."""
        self._load()
        self._load_plugins()
        return sorted(self._members)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def _load_plugins(self) -> None:
        """Load what other distributions add, once."""
        group, self._plugins = self._plugins, None
        if group is None:
            return
        from importlib.metadata import entry_points

        for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
            try:
                found = point.load()
                if point.name not in self._members and not isinstance(found, ModuleType):
                    self.register(point.name)(found)
            except Exception as error:
                owner = f" of {point.dist.name}" if point.dist is not None else ""
                raise InputError(
                    f"the {self.kind} {point.name!r}{owner} cannot be loaded: {error}",
                    hint=f"mend or uninstall it; it is the entry point {point.value} of the group {group}",
                ) from error

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        package = importlib.import_module(self._package)
        for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
            importlib.import_module(f"{self._package}.{module}")
        for choice in {choice for choices in self._fastest_first.values() for choice in choices}:
            member = self._members[choice]
            assert isinstance(member, Installable), f"{self.kind} {choice!r} cannot say what it lacks"
