"""One run of the bench: sections to plain values."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from advsp.support.progress import Reporter
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


def with_sections_of(bench: dict[str, Any], earlier: Path) -> dict[str, Any]:
    """A run with the sections of an earlier one, in the usual order, where both were made alike.

    The ratios of a section are always of one run; ``kept`` names the sections that are of an earlier one.
    """
    if not earlier.exists():
        return bench
    before = json.loads(earlier.read_text(encoding="utf-8"))
    alike = ("quick", "seed", "machine", "data")
    if any(before[key] != bench[key] for key in alike):
        return bench
    sections = before["sections"] | bench["sections"]
    remarks = list(dict.fromkeys([*before["remarks"], *bench["remarks"]]))
    ordered = {name: sections[name] for name in SECTIONS if name in sections}
    kept = [name for name in ordered if name not in bench["sections"]]
    return bench | {"sections": ordered, "remarks": remarks, "kept": kept}
