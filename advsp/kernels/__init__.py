"""The compiled twins of the hot numpy loops (``advsp[fast]``): arrays in, arrays out.

Nothing outside this package imports numba; nothing inside it knows games, configurations or files.  Its
modules may be imported only where :func:`available` says so.
"""

from __future__ import annotations

import importlib.util
from functools import cache

#: How a user installs what the kernels need.
INSTALL = 'pip install "advsp[fast]"'


@cache
def available() -> bool:
    """Whether numba is installed."""
    return importlib.util.find_spec("numba") is not None
