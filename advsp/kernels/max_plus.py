"""The step of every recursion over a chain: the best of what leads to a label, by maxima of sums.

Each is put in place where it is used, so that it costs no call.
"""

from __future__ import annotations

from advsp.kernels.compilation import in_place


@in_place
def best_into(before, steps, t, c):
    """max_b before[b] + steps[t, b, c].

    before: float [m]; steps: float [..., m, m]; t, c: int.
    """
    best = before[0] + steps[t, 0, c]
    for b in range(1, len(before)):
        best = max(best, before[b] + steps[t, b, c])
    return best


@in_place
def best_tag_into(before, steps, t, c):
    """:func:`best_into` and the first b that attains it; arguments as there."""
    best, tag = before[0] + steps[t, 0, c], 0
    for b in range(1, len(before)):
        other = before[b] + steps[t, b, c]
        if other > best:
            best, tag = other, b
    return best, tag


@in_place
def best_out_of(steps, t, c, after):
    """max_b steps[t, c, b] + after[b].

    steps: float [..., m, m]; t, c: int; after: float [m].
    """
    best = steps[t, c, 0] + after[0]
    for b in range(1, len(after)):
        best = max(best, steps[t, c, b] + after[b])
    return best


@in_place
def raise_to(line, before, step, width):
    """line[k] = max(line[k], before[k] + step) for all k < width: many weights or counts at once.

    line, before: float [>= width]; step: float.
    """
    for k in range(width):
        through = before[k] + step
        line[k] = through if through > line[k] else line[k]
