"""Solvers of zero-sum matrix games and of linear programs: one file each, one protocol, certificates."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np

from advsp.engine.lp.base import CertifiedSession, LPSolver
from advsp.engine.lp.program import LinearProgram, ProgramSolution, UncertifiedSolution, certify_program
from advsp.support.errors import InputError
from advsp.support.registry import Registry

log = logging.getLogger(__name__)

solvers: Registry[type[LPSolver]] = Registry(
    "LP solver",
    "advsp.engine.lp",
    plugins="advsp.lp",
    fastest_first={"auto": ("compiled", "highs", "linprog")},
)

#: The backend asked when another one fails the certificate; always installed.
_FALLBACK = "linprog"
#: What the largest gain of a linear program is scaled to: solvers compare gains with fixed tolerances, which
#: are to mean the same whatever the unit is, and next to nothing.
_LARGEST_GAIN = 1e3


def open_session(name: str = "auto") -> CertifiedSession:
    """A certified session of the backend called ``name``.

    Raises
    ------
    InputError: unknown name, or a backend that is not installed.
    """
    return CertifiedSession(*_open_solvers(name))


def maximise(program: LinearProgram, name: str = "auto") -> ProgramSolution:
    """Certified optimum of a linear program by the backend called ``name``.

    If its answer fails the certificate, the fallback of games is asked here, too.

    Raises
    ------
    InputError: unknown name, or a backend that is not installed.
    UncertifiedSolution: no backend finds an optimum, perhaps because there is none.
    """
    unit = (float(np.abs(program.gains).max()) or 1.0) / _LARGEST_GAIN
    scaled = replace(program, gains=program.gains / unit)
    reasons = []
    for solver in filter(None, _open_solvers(name)):
        try:
            found = certify_program(scaled, *solver.maximise(scaled), tolerance=solver.tolerance)
        except UncertifiedSolution as reason:
            reasons.append(f"{type(solver).__name__}: {reason}")
            log.info(
                "a linear program of %d x %d failed its certificate: %s", *program.matrix.shape, reasons[-1]
            )
        else:
            return replace(found, prices=unit * found.prices, value=unit * found.value, gap=unit * found.gap)
    raise UncertifiedSolution("; ".join(reasons))


def _open_solvers(name: str) -> tuple[LPSolver, LPSolver | None]:
    """The backend called ``name``, and the one to ask where it fails, if that is another one.

    Raises
    ------
    InputError: unknown name, or a backend that is not installed.
    """
    solver = solvers.get(name)
    reason = solver.missing()
    if reason is not None:
        raise InputError(
            f"LP solver {name!r} cannot be used: {reason}",
            hint=f"{solver.install}, or choose engine.lp: auto",
        )
    return solver(), None if solvers.resolve(name) == _FALLBACK else solvers.get(_FALLBACK)()
