"""One run of the bench: sections to plain values."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from advsp.reporter import Reporter
from benchmarks import machine
from benchmarks.corpora import ROOT
from benchmarks.sections import SECTIONS
from benchmarks.settings import Settings
from benchmarks.workbench import Workbench


def run(
    settings: Settings, sections: Sequence[str], command: str, reporter: Reporter, root: Path = ROOT
) -> dict[str, Any]:
    """Measure some sections; what is returned can be stored as JSON and rendered.

    Parameters
    ----------
    sections: names in :data:`~benchmarks.sections.SECTIONS`.
    command: how a reader runs the same again.
    root: the checkout, whose ``data`` holds the corpora.
    """
    with tempfile.TemporaryDirectory(prefix="advsp-bench-") as scratch:
        bench = Workbench(settings, Path(scratch), root, reporter)
        results = {}
        for name in sections:
            results[name] = SECTIONS[name].measure(bench)
            reporter.say(f"measured: {SECTIONS[name].TITLE}")
        data = bench.tagging.checksums() | bench.bitext.checksums()
    return {
        "command": command,
        "quick": settings.quick,
        "seed": settings.seed,
        "machine": machine.describe(),
        "data": data,
        "remarks": bench.remarks,
        "sections": results,
    }
