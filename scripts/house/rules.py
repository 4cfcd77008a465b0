"""What the plan forbids, found in a package: every rule gives one line for each offence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from house.imports import Import, Package
from house.plan import DOORS, FLOORS, KNOWN, Door, Floor


@dataclass(frozen=True)
class Offence:
    """Something against the plan: what a known exception calls it, and what is said about it."""

    name: str
    said: str


def check(
    package: Package,
    floors: Sequence[Floor] = FLOORS,
    doors: Sequence[Door] = DOORS,
    known: Iterable[str] = KNOWN,
) -> list[str]:
    """One line for every offence that is not known, and for every known one that is no longer there."""
    offences = [*stairs(package, floors), *guarded(package, doors), *circles(package)]
    known = list(known)
    lines = [offence.said for offence in offences if offence.name not in known]
    gone = set(known) - {offence.name for offence in offences}
    return lines + [f"no longer there, take it off the known exceptions: {name}" for name in sorted(gone)]


def stairs(package: Package, floors: Sequence[Floor]) -> Iterator[Offence]:
    """Imports that lead up, or to another room of the same floor; rooms and floors that do not agree."""
    numbers = {room: floor.number for floor in floors for room in floor.rooms}
    for room in sorted(numbers.keys() ^ set(package.rooms)):
        said = "a room that is on no floor" if room not in numbers else "on a floor, but not in the house"
        yield Offence(room, f"{room}: {said}")
    for one in package.within():
        here, there = package.room(one.importer), package.room(one.imported)
        if here == there or not numbers.keys() >= {here, there} or numbers[here] > numbers[there]:
            continue
        way = "up" if numbers[here] < numbers[there] else "to the same floor"
        yield Offence(
            one.arrow,
            f"{_place(package, one)}: {here} (floor {numbers[here]}) imports {way}: "
            f"{one.imported} is on floor {numbers[there]}",
        )


def guarded(package: Package, doors: Sequence[Door]) -> Iterator[Offence]:
    """Imports of a guarded package from elsewhere than behind its door."""
    for door in doors:
        for one in package.imports:
            inside = any(_is_in(one.importer, place) for place in (*door.places, door.package))
            if _is_in(one.imported, door.package) and not inside:
                places = " and ".join(door.places)
                said = f"{door.package} is imported by {places} alone: {door.reason}"
                yield Offence(one.arrow, f"{_place(package, one)}: {said}")


def circles(package: Package) -> Iterator[Offence]:
    """Sets of modules of which each imports, directly or through others, all the others."""
    targets: dict[str, set[str]] = {module: set() for module in package.modules}
    for one in package.within():
        targets[one.importer].add(one.imported)
    ways = {module: reached(targets, module) for module in targets}
    of_one = {module: frozenset(m for m in ways[module] if module in ways[m]) for module in targets}
    for circle in sorted(set(of_one.values()) - {frozenset()}, key=sorted):
        name = " <-> ".join(sorted(circle))
        yield Offence(name, f"a circle of imports: {name}")


def reached(targets: Mapping[str, set[str]], start: str) -> set[str]:
    """What can be reached from a node, itself only if some way leads back to it."""
    found: set[str] = set()
    waiting = list(targets.get(start, ()))
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting.extend(targets.get(node, ()))
    return found


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def _place(package: Package, one: Import) -> str:
    """``advsp/cli/train.py:12``"""
    file = package.modules[one.importer]
    root = package.modules[package.name].parent.parent
    return f"{file.relative_to(root)}:{one.line}"
