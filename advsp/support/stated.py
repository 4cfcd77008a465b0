"""Options that a resolved section states although they say nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stated:
    """Marks an option that a resolved section states even where it is None; others are left out then."""
