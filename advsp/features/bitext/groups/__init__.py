"""Feature groups: one idea and one file each.

A group is a function from the :class:`~advsp.features.bitext.evidence.Evidence` of a sentence pair to named
matrices [n, m], a value for every possible link; bool is 0 and 1.  The names are the same for all pairs, and
no other group has them.  A group that is about aligners has nothing to say where there are none.
"""

from __future__ import annotations

from collections.abc import Callable

from advsp.features.bitext.evidence import Evidence
from advsp.support.arrays import Numbers
from advsp.support.registry import Registry

#: Names of features to their values, [n, m] each.
Columns = dict[str, Numbers]
Group = Callable[[Evidence], Columns]

groups: Registry[Group] = Registry(
    "bitext feature group", "advsp.features.bitext.groups", plugins="advsp.groups"
)
