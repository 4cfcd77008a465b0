"""The two directions in which an aligner links words."""

from __future__ import annotations

#: What the links of the two directions are called, after the name of the aligner and a dot.
DIRECTIONS = ("forward", "reverse")
