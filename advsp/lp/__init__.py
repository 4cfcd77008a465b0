"""Solvers of zero-sum matrix games: one file each, one protocol, one certificate."""

from __future__ import annotations

from advsp.errors import InputError
from advsp.lp.base import CertifiedSession, LPSolver
from advsp.registry import Registry

solvers: Registry[type[LPSolver]] = Registry("LP solver", "advsp.lp")

#: Order in which ``auto`` looks for an installed backend: the fastest first.
_FASTEST_FIRST = ("highs", "linprog")
#: The backend asked when another one fails the certificate; always installed.
_FALLBACK = "linprog"


def resolve(name: str) -> str:
    """The registered name that ``name`` stands for (``auto``: the fastest backend installed here)."""
    if name != "auto":
        return name
    return next(n for n in _FASTEST_FIRST if solvers.get(n).missing() is None)


def open_session(name: str = "auto") -> CertifiedSession:
    """A certified session of the backend called ``name``.

    Raises
    ------
    InputError: unknown name, or a backend that is not installed.
    """
    solver = solvers.get(resolve(name))
    reason = solver.missing()
    if reason is not None:
        raise InputError(
            f"LP solver {name!r} cannot be used: {reason}",
            hint=f"{solver.install}, or choose engine.lp: auto",
        )
    fallback = None if resolve(name) == _FALLBACK else solvers.get(_FALLBACK)()
    return CertifiedSession(solver(), fallback)
