"""One name for what the structures' kernels do; which one is meant is decided by type, at compilation.

A structure's file has three named tuples: *rows*, how a table of potentials is laid out; a *table*, the
potentials of one example in the structure's own terms; and what ``prepare`` makes of it, which responses are
found by.  A prepared structure plays over its own positions: all of them where labels are independent, the
active ones of a chain; ``expand`` and ``restrict`` lead to the table's labellings and back.
"""

from __future__ import annotations

from collections.abc import Callable

from advsp.kernels.compilation import choose, inner
from advsp.kernels.pools import expected_hits
from advsp.kernels.scores import labels_of_ones, predictor_response
from advsp.kernels.sorting import every_position

# --- of rows -------------------------------------------------------------------------------------------


def table_of(rows, example, potentials, counted):
    """The table of one example.

    example: int; potentials: float [n, w]; counted: bool [L], the labels that the score counts.
    """


def add_statistics(rows, example, labelling, mass, moments):
    """Add ``mass`` times the statistics of an example's labelling int8 [n] to ``moments`` float [n, w]."""


# --- of tables -----------------------------------------------------------------------------------------


def prepare(table, span):
    """The structure of a table of potentials, for scores that are at most ``span`` apart."""


# --- of prepared structures: labels int8 [p], of the structure's own positions -------------------------


def predict(structure, score, columns, mixture, used, labels):
    """Write the predictor's response, 0/1 ``labels``, to a mixture over the adversary's pool.

    mixture: float [>= used], used: strategies of the pool ``columns``.  Returns the number of ones, those at
    other positions among them.
    """


def respond(structure, score, rows, mixture, used, labels):
    """Write the adversary's response, ``labels``, to a mixture over the predictor's pool.

    mixture: float [>= used], used: strategies of the pool ``rows``.
    """


def best(structure, labels):
    """Write the labelling of highest potential."""


def potential(structure, labels):
    """psi of a labelling."""


def restrict(structure, labelling, labels):
    """Write the structure's own labels of an adversary's labelling int8 [n]; False if it is no response."""


def expand(structure, labels, labelling):
    """Write the adversary's labelling int8 [n] that a structure's own labels stand for."""


def places(structure):
    """Positions of the table's labellings that a structure plays over, int64 [p]."""


_OF_ROWS = (table_of, add_statistics)
_OF_TABLES = (prepare,)
_OF_STRUCTURES = (predict, respond, best, potential, restrict, expand, places)
_CASES: dict[Callable, dict[type, Callable]] = {
    function: {} for function in (*_OF_ROWS, *_OF_TABLES, *_OF_STRUCTURES)
}
for _function, _cases in _CASES.items():
    choose(_function, _cases)


def register_rows(rows: type, **functions: Callable) -> None:
    """Make known what ``table_of`` and ``add_statistics`` are for one layout of rows."""
    _register(rows, _OF_ROWS, functions)


def register_structure(table: type, structure: type, **functions: Callable) -> None:
    """Make known what the other functions are for one kind of table and what is prepared from it.

    Where no ``predict`` is given the best response to hits is taken; ``respond`` is given those hits.
    """
    _register(table, _OF_TABLES, {"prepare": functions.pop("prepare")})
    if "predict" not in functions:
        functions["predict"] = _predict
        functions["respond"] = _to_hits(functions["respond"])
    _register(structure, _OF_STRUCTURES, functions)


def _register(kind: type, wanted: tuple[Callable, ...], functions: dict[str, Callable]) -> None:
    names = {function.__name__ for function in wanted}
    if set(functions) != names:
        raise ValueError(f"{kind.__name__} needs {sorted(names)}, not {sorted(functions)}")
    for function in wanted:
        _CASES[function][kind] = functions[function.__name__]


def _predict(structure, score, columns, mixture, used, labels):
    hits = expected_hits(columns, mixture, used, score.hits, len(labels))
    return predictor_response(score, hits, labels)


def _to_hits(answer: Callable) -> Callable:
    """``respond`` from a function of a structure, a score, hits and labels."""

    def respond_to_pool(structure, score, rows, mixture, used, labels):
        hits = expected_hits(rows, mixture, used, labels_of_ones()[0], len(labels))
        answer(structure, score, hits, labels)

    return respond_to_pool


# --- what several structures have in common ------------------------------------------------------------


@inner
def same_labels(structure, labelling, labels):
    """``restrict`` of a structure that plays over all positions."""
    for t in range(len(labelling)):
        labels[t] = labelling[t]
    return True


@inner
def same_labelling(structure, labels, labelling):
    """``expand`` of a structure that plays over all positions."""
    for t in range(len(labels)):
        labelling[t] = labels[t]


@inner
def every_place(length):
    """All positions, for ``places``."""
    return every_position(length)
