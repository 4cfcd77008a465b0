"""One sort for all kernels, compiled once, and quick where little has changed since the last time."""

from __future__ import annotations

import numpy as np

from advsp.kernels.compilation import inner

#: Stretches so long are sorted by insertion before they are merged.
_RUN = 16


@inner
def every_position(n):
    """Positions 0 ... n - 1, int64 [n]."""
    found = np.empty(n, dtype=np.int64)
    for t in range(n):
        found[t] = t
    return found


@inner
def ascending(values, order):
    """Put ``order`` int64 [n], the indices of ``values`` float [n], in ascending order of the values.

    Of equal values the one of the smaller index stands first.  Time O(n log n), and O(n) where the order
    was right before.
    """
    n = len(values)
    for begin in range(0, n, _RUN):
        for i in range(begin + 1, min(begin + _RUN, n)):
            here = order[i]
            j = i - 1
            while j >= begin and _after(values, order[j], here):
                order[j + 1] = order[j]
                j -= 1
            order[j + 1] = here
    if n <= _RUN:
        return
    left = np.empty(n, dtype=np.int64)
    width = _RUN
    while width < n:
        for begin in range(0, n - width, 2 * width):
            middle, end = begin + width, min(begin + 2 * width, n)
            if not _after(values, order[middle - 1], order[middle]):
                continue
            for k in range(width):
                left[k] = order[begin + k]
            i, j, k = 0, middle, begin
            while i < width and j < end:
                if _after(values, left[i], order[j]):
                    order[k] = order[j]
                    j += 1
                else:
                    order[k] = left[i]
                    i += 1
                k += 1
            while i < width:
                order[k] = left[i]
                i += 1
                k += 1
        width *= 2


@inner
def _after(values, i, j):
    """Whether index ``i`` belongs behind index ``j``."""
    return values[i] > values[j] or (values[i] == values[j] and i > j)
