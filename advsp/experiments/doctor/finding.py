"""What a look at one thing found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: In order; not there, and everything works without; needed, and out of order.
Condition = Literal["good", "absent", "broken"]


@dataclass(frozen=True)
class Finding:
    """One line of a report.

    Attributes
    ----------
    subject: what was looked at.
    said: what was found.
    state: see :data:`Condition`.
    remedy: how to mend it, where there is something to mend.
    """

    subject: str
    said: str
    state: Condition = "good"
    remedy: str | None = None
