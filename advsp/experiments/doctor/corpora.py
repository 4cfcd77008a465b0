"""Prepared corpora: whether their files are still what they were when they were prepared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from advsp.corpora.manifest import MANIFEST, checksums
from advsp.experiments.doctor.finding import Finding
from advsp.support.errors import InputError
from advsp.support.files import sha256
from advsp.support.words import counted


def corpora(folder: Path) -> Iterator[Finding]:
    """Every prepared corpus in a folder, file by file."""
    found = sorted(folder.glob(f"*/{MANIFEST}"))
    if not found:
        remedy = "advsp prepare-conll DIR, advsp prepare-hansards DIR, or advsp init on files of yours"
        yield Finding(f"corpora in {folder}", "none is prepared", "absent", remedy)
    for manifest in found:
        yield _corpus(manifest.parent)


def _corpus(folder: Path) -> Finding:
    subject, remedy = f"corpus {folder}", "prepare it again, by the command that made it"
    try:
        expected = checksums(folder)
    except InputError as error:
        return Finding(subject, error.problem, "broken", remedy)
    missing = [path for path in expected if not path.is_file()]
    changed = [path for path in expected if path.is_file() and sha256(path) != expected[path]]
    if missing or changed:
        first, what = (missing[0], "is missing") if missing else (changed[0], "changed since it was prepared")
        others = len(missing) + len(changed) - 1
        more = f", and {counted(others, 'file')} more are not as they were" if others else ""
        return Finding(subject, f"{first.relative_to(folder)} {what}{more}", "broken", remedy)
    return Finding(subject, f"{counted(len(expected), 'file')}, all as they were prepared")
