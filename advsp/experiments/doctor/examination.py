"""Everything that is looked at, in the order in which it is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from advsp.experiments.doctor import installation, machine
from advsp.experiments.doctor.corpora import corpora
from advsp.experiments.doctor.finding import Finding

#: Where commands write, unless told otherwise.
FOLDERS = (Path("data"), Path("results"))


def examine(data: Path) -> Iterator[Finding]:
    """Look at everything, one finding at a time.

    Parameters
    ----------
    data: folder of prepared corpora.
    """
    yield from installation.program()
    yield from installation.extras()
    yield from installation.kernels()
    yield from installation.solves()
    yield from machine.processors()
    yield from machine.memory()
    yield from corpora(data)
    yield from installation.writable(FOLDERS)
