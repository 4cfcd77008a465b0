"""Processors and memory."""

from __future__ import annotations

import os
from collections.abc import Iterator

from advsp.experiments.doctor.finding import Finding
from advsp.runners.local import available_workers

#: Memory in bytes below which the paper's experiments do not run.
SMALL = 2e9


def processors() -> Iterator[Finding]:
    """How many processes run at a time."""
    yield Finding("processors", f"{available_workers(0)} of {os.cpu_count() or 1} may be used")


def memory() -> Iterator[Finding]:
    """Memory of the machine, where the system says it."""
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        total, free = page * os.sysconf("SC_PHYS_PAGES"), page * os.sysconf("SC_AVPHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on every system
        return
    said = f"{total / 1e9:.1f} GB, of which {free / 1e9:.1f} GB are not in use"
    if total >= SMALL:
        yield Finding("memory", said)
    else:
        remedy = f"fewer workers need less: --set workers=1; the paper's blocks need {SMALL / 1e9:.0f} GB"
        yield Finding("memory", said, "absent", remedy)
