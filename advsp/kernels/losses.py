"""One name for what the kernels of losses do; which one is meant is decided by type, at compilation."""

from __future__ import annotations

from collections.abc import Callable

from advsp.kernels.compilation import choose


def evaluate(loss, example, potentials, tolerance, moments):
    """Write the ``moments`` float [n, w] of an example less the gold ones, at ``potentials`` float [n, w].

    Returns
    -------
    Attained value, certified bound, and the number of games the simplex left unfinished.
    """


def decode(loss, example, number, potentials, tolerance, labels, marginals):
    """Decide an example at ``potentials`` float [n, w], in the game ``number`` where there are several.

    Writes ``labels`` int8 [n] and the probability of each, or of a one, ``marginals`` float [n, k].

    Returns
    -------
    The number of games the simplex left unfinished.
    """


_CASES: dict[Callable, dict[type, Callable]] = {evaluate: {}, decode: {}}
for _function, _cases in _CASES.items():
    choose(_function, _cases)


def register_loss(loss: type, *, evaluate: Callable, decode: Callable | None = None) -> None:
    """Make known what the two functions are for one kind of loss; one that decides nothing has no second."""
    for function, case in zip(_CASES, (evaluate, decode), strict=True):
        if case is not None:
            _CASES[function][loss] = case
