"""Matrix products and exponentials that round alike on every processor.

OpenBLAS and numpy take other loops on other processors, which add up in another order or are wider.  The
last digits differ then, and of the equilibria that a game has within its tolerance another one may be found.
With the loops for AVX2, which x86-64 processors have had for ten years, all end with the same numbers.

    env $(python -m advsp.support.arithmetic) python mine.py
"""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path

#: Instructions that the loops are made of.
_NEEDED = {"avx2", "fma"}
#: Loops of numpy that are wider, by the first version that calls them so; numpy warns of other names.
_WIDER = {
    (2, 4): "X86_V4,AVX512_ICL,AVX512_SPR",
    (2, 3): "AVX512F,AVX512CD,AVX512_SKX,AVX512_CLX,AVX512_CNL,AVX512_ICL,AVX512_SPR",
    (0, 0): "AVX512F,AVX512CD,AVX512_SKX,AVX512_CLX,AVX512_CNL,AVX512_ICL",
}
_CPUINFO = Path("/proc/cpuinfo")


def settings() -> dict[str, str]:
    """Environment variables that say so to OpenBLAS and numpy; none where the processor cannot be asked."""
    if not _instructions() >= _NEEDED:
        return {}
    found = {"OPENBLAS_CORETYPE": "Haswell"}
    # Loops that the processor does not have need not be named.
    if "avx512f" in _instructions():
        found["NPY_DISABLE_CPU_FEATURES"] = next(_WIDER[first] for first in _WIDER if _numpy() >= first)
    return found


def fix() -> None:
    """Set them for this process, where numpy is not loaded yet, and for those that it starts.

    What the user has set stays, such as the name of another kind of processor.
    """
    for name, value in settings().items():
        os.environ.setdefault(name, value)


def is_fixed() -> bool:
    """Whether they are set, so that all processors that know them round alike."""
    wanted = settings()
    return bool(wanted) and all(os.environ.get(name) == value for name, value in wanted.items())


def described() -> str:
    """The loops that are in use, ``"Haswell, X86_V3"``: of the matrix products, and the widest of numpy's."""
    import numpy as np
    from threadpoolctl import threadpool_info

    products = {pool["architecture"] for pool in threadpool_info() if "architecture" in pool}
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    return ", ".join([*sorted(products), *found[-1:]])


def _instructions() -> set[str]:
    """What the processor says of itself; nothing where it is not asked."""
    try:
        lines = _CPUINFO.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return set()
    return next((set(line.split(":")[1].split()) for line in lines if line.startswith("flags")), set())


def _numpy() -> tuple[int, ...]:
    return tuple(int(part) for part in metadata.version("numpy").split(".")[:2])


if __name__ == "__main__":
    sys.stdout.write(" ".join(f"{name}={value}" for name, value in settings().items()) + "\n")
