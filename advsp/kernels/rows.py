"""How a row of a chain's potentials or moments is laid out, as by :mod:`advsp.training.chain_model`."""

from __future__ import annotations

from typing import NamedTuple

from advsp.kernels.compilation import inner


class ChainRows(NamedTuple):
    """Cells of a token's tags, of START and its tag, and of the tag before and its tag.

    Attributes
    ----------
    tags: number of tags m; the first m cells are the potentials of the token's tags.
    own: whether the next m cells are those of START.
    background: the tag before the sentence where START is none of its own.
    """

    tags: int
    own: bool
    background: int


@inner
def first_cells(rows):
    """First cell of a pair of tags, b before c at ``b * m + c`` from there; and first cell of START."""
    m = rows.tags
    return (m + m, m) if rows.own else (m, m + rows.background * m)
