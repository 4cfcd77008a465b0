"""The plan: on which floor every room is, which packages are behind a door, and what does not hold yet.

A module imports from rooms on lower floors and from its own; so no two rooms import each other.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Floor:
    """Rooms that do not know each other, and why they stand where they stand."""

    number: int
    rooms: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Door:
    """A package that is imported in one place alone.

    Attributes
    ----------
    package: dotted name; its submodules are behind the door, too.
    places: modules or packages of ours that may import it; it may always import itself.
    reason: why the others do without.
    """

    package: str
    places: tuple[str, ...]
    reason: str


FLOORS = (
    Floor(10, ("advsp",), "the public names, loaded on first use; no module of the house asks for them"),
    Floor(9, ("cli",), "parses a command, then calls one plain function of a room below"),
    Floor(
        8,
        ("report", "show", "estimators"),
        "draw and print what runs have left, and train nothing; train from Python",
    ),
    Floor(7, ("experiments",), "one configuration to scores"),
    Floor(6, ("tasks",), "what one kind of corpus is to an experiment"),
    Floor(
        5,
        ("runners", "features", "aligners"),
        "where jobs run; sentences to matrices; links learnt from unlabelled text",
    ),
    Floor(4, ("learners", "metrics", "corpora"), "losses by name; scores; files to sentences"),
    Floor(3, ("training",), "models, objectives and optimisers; it knows games, and neither files nor words"),
    Floor(2, ("engine",), "games and their solutions; it knows nothing but numbers"),
    Floor(1, ("kernels", "support"), "compiled loops, which know arrays alone; what every room needs"),
)

DOORS = (
    Door("numba", ("advsp.kernels",), "an extra: everything works without"),
    Door("llvmlite", ("advsp.kernels",), "comes with numba"),
    Door("advsp.kernels", ("advsp.engine.backends.door",), "there is one door to compiled code"),
    Door("distributed", ("advsp.runners.dask",), "an extra; a run on one machine never loads it"),
    Door("dask", ("advsp.runners.dask",), "comes with distributed"),
    Door("highspy", ("advsp.engine.lp.highs",), "an extra: one solver of several"),
    Door("pulp", ("advsp.engine.lp.pulp_cbc",), "takes long to load, and is one solver of several"),
    Door(
        "sklearn",
        ("advsp.learners.initial", "advsp.estimators.parameters"),
        "an extra: for the published weights, and where scikit-learn itself asks",
    ),
    Door("matplotlib", ("advsp.show",), "an extra, for pictures"),
    Door("typer", ("advsp.cli",), "the command line's own"),
)

#: Imports against the plan that are still there, as ``importer -> imported``, and circles of modules, as
#: ``a <-> b``.  The list only becomes shorter: one that is no longer needed fails the check.
KNOWN: tuple[str, ...] = ()
