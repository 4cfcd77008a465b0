"""Where a link stands among others, by how probable all of them are."""

from __future__ import annotations

import numpy as np

from advsp.support.arrays import Floats, Numbers
from advsp.support.grids import OF_SOURCE, OF_TARGET, lead, neighbour

#: The eight cells around a link: before and after in both sentences, beside it, and across.
_AROUND = {
    "before": (-1, -1),
    "after": (1, 1),
    "next target": (0, 1),
    "previous target": (0, -1),
    "next source": (1, 0),
    "previous source": (-1, 0),
    "next source & previous target": (1, -1),
    "previous source & next target": (-1, 1),
}
#: A jump is told from longer ones up to so many words.
_JUMP = 6
#: Of less mass than this nobody knows where it stands.
_MASS = 1e-3


def near(grid: Floats) -> dict[str, Numbers]:
    """Thirteen columns of the probabilities of links, float64 [n, m].

    Against the best other link of either word; of the eight links around; of the one before times the one
    after; and of all other links of either word.
    """
    around = {place: neighbour(grid, *step) for place, step in _AROUND.items()}
    return {
        "lead of source": lead(grid, OF_SOURCE),
        "lead of target": lead(grid, OF_TARGET),
        **around,
        "before & after": around["before"] * around["after"],
        "rest of source": grid.sum(axis=OF_SOURCE, keepdims=True) - grid,
        "rest of target": grid.sum(axis=OF_TARGET, keepdims=True) - grid,
    }


def far(grid: Floats) -> dict[str, Numbers]:
    """Eighteen more columns, of what stands farther away.

    Of the links two before and two after; of the best of the links that go on with a small gap, either way;
    of all other links of either word that do not stand beside this one; and of where the neighbouring words
    have theirs: how far this link is from where it should be if links go on by one word, how near, and how
    sure that is, for the words before and after of either side.
    """
    before = [neighbour(grid, *step) for step in ((-1, -1), (-2, -1), (-1, -2))]
    after = [neighbour(grid, *step) for step in ((1, 1), (2, 1), (1, 2))]
    beside = [neighbour(grid, 0, step) for step in (1, -1)], [neighbour(grid, step, 0) for step in (1, -1)]
    columns: dict[str, Numbers] = {
        "two before": neighbour(grid, -2, -2),
        "two after": neighbour(grid, 2, 2),
        "best before": np.maximum.reduce(before),
        "best after": np.maximum.reduce(after),
        "farther of source": grid.sum(axis=OF_SOURCE, keepdims=True) - grid - sum(beside[0]),
        "farther of target": grid.sum(axis=OF_TARGET, keepdims=True) - grid - sum(beside[1]),
    }
    for side, turned in (("source", grid), ("target", grid.T)):
        for place, step in (("previous", 1), ("next", -1)):
            for name, column in _jumps(turned, step).items():
                columns[f"{name} from {place} {side}"] = column if side == "source" else column.T
    return columns


def _jumps(grid: Floats, step: int) -> dict[str, Floats]:
    """How far links are from where those of the row ``step`` above say, [n, m] each."""
    positions = np.arange(grid.shape[1])
    mass = grid.sum(axis=1)
    expected, sure = (grid * positions).sum(axis=1) / np.maximum(mass, _MASS), np.minimum(mass, 1)
    there, known = np.zeros((2, len(grid)))
    if step > 0:
        there[1:], known[1:] = expected[:-1], sure[:-1]
    else:
        there[:-1], known[:-1] = expected[1:], sure[1:]
    missed = np.abs(positions - (there[:, None] + step))
    weight = known[:, None]
    return {
        "jump": np.minimum(missed, _JUMP) * weight,
        "no jump": np.maximum(0, 1 - missed) * weight,
        "sureness": np.broadcast_to(weight, grid.shape),
    }
