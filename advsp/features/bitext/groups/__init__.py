"""Feature groups: one idea and one file each.

A group is a function from the :class:`~advsp.features.bitext.evidence.Evidence` of a sentence pair to named
matrices [n, m], a value for every possible link; bool is 0 and 1.  The names are the same for all pairs, and
no other group has them.  A group that is about aligners has nothing to say where there are none.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.support.registry import Registry

Group = Callable[[Evidence], dict[str, np.ndarray]]

groups: Registry[Group] = Registry("bitext feature group", "advsp.features.bitext.groups")
