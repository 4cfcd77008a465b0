"""Who imports what: read from the sources with ``ast``, nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Import:
    """One module named by an import, wherever in the file it stands.

    Attributes
    ----------
    importer: dotted name of the module that imports.
    imported: dotted name of a module of the package, or what is named of another one: ``numba.core``.
    line: where in the importer's file, from 1.
    """

    importer: str
    imported: str
    line: int

    @property
    def arrow(self) -> str:
        """The import without its place: ``advsp.cli.train -> advsp.experiments.train``."""
        return f"{self.importer} -> {self.imported}"


@dataclass(frozen=True)
class Package:
    """The modules of a package and their imports.

    Attributes
    ----------
    name: the package's name, ``advsp``.
    modules: dotted names of all modules to their files; a package's own module is its ``__init__.py``.
    imports: all imports, ordered; imports for type checkers alone and imports within functions count.
    """

    name: str
    modules: dict[str, Path]
    imports: tuple[Import, ...]

    def room(self, module: str) -> str:
        """The folder below the package that a module lies in; the module itself if it lies in none."""
        parts = module.split(".")
        return parts[1] if len(parts) > 1 else parts[0]

    @property
    def rooms(self) -> list[str]:
        """All rooms, sorted; modules that lie in no folder are rooms of their own."""
        return sorted({self.room(module) for module in self.modules})

    def within(self) -> Iterator[Import]:
        """The imports of the package's own modules."""
        return (one for one in self.imports if one.imported in self.modules)

    def arrows(self) -> dict[tuple[str, str], int]:
        """(room, room it imports) to the number of modules that do, sorted."""
        pairs = {(one.importer, self.room(one.imported)) for one in self.within()}
        counts: dict[tuple[str, str], int] = {}
        for importer, room in sorted(pairs):
            if self.room(importer) != room:
                arrow = (self.room(importer), room)
                counts[arrow] = counts.get(arrow, 0) + 1
        return dict(sorted(counts.items()))


def read_package(folder: Path) -> Package:
    """Read all modules below the folder of a package."""
    modules = dict(sorted((_module(folder, file), file) for file in folder.rglob("*.py")))
    imports = (one for module, file in modules.items() for one in _imports(module, file, modules))
    return Package(folder.name, modules, tuple(sorted(set(imports))))


def _module(folder: Path, file: Path) -> str:
    parts = file.relative_to(folder.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(module: str, file: Path, modules: dict[str, Path]) -> Iterator[Import]:
    """The imports of one file; ``from package import name`` may name the module ``package.name``."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if isinstance(node, ast.Import):
            yield from (Import(module, alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(module, file, node)
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield Import(module, whole if whole in modules else base, node.lineno)
        elif isinstance(node, ast.Call) and (name := _named_in_call(node)) is not None:
            yield Import(module, name, node.lineno)


def _base(module: str, file: Path, node: ast.ImportFrom) -> str:
    """The module after ``from``, whole also where it is relative to the importer."""
    if node.level == 0:
        return node.module or ""
    parts = module.split(".")
    kept = len(parts) - node.level + (file.name == "__init__.py")
    return ".".join([*parts[:kept], *([node.module] if node.module else [])])


def _named_in_call(call: ast.Call) -> str | None:
    """The module that ``import_module("...")`` or ``__import__("...")`` names, or begins to."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", None)
    if name not in ("import_module", "__import__") or not call.args:
        return None
    match call.args[0]:
        case ast.Constant(value=str(module)):
            return module
        case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]) if "." in start:
            return start.rpartition(".")[0]
    return None
