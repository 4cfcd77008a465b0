"""What aligner programs have predicted, kept by all that it depends on.

=========================== ================================================================
PROGRAM-KEY/run.json        program, version, options and text; SHA-256 of the links
PROGRAM-KEY/forward.pharaoh the links of the labelled pairs, one line a pair
PROGRAM-KEY/reverse.pharaoh the same in the other direction
=========================== ================================================================

``KEY`` is made of the first part of ``run.json``, so that anything else than the same program, in the same
version, with the same options, on the same text finds nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from advsp.aligners.base import DIRECTIONS
from advsp.corpora.bitext import Link
from advsp.corpora.links import PHARAOH, Links, write_links
from advsp.errors import InputError
from advsp.files import sha256, write_json

_RECORD = "run.json"

#: Program, version, options and text of a run, as JSON has them.
Record = Mapping[str, Any]


def entry(cache: Path, record: Record) -> Path:
    """The folder that keeps, or would keep, what this run predicted."""
    key = hashlib.sha256(_canonical(record).encode()).hexdigest()[:16]
    return cache / f"{record['program']}-{key}"


def keep(folder: Path, record: Record, links: Mapping[str, Iterable[frozenset[Link]]]) -> None:
    """Keep the links of both directions in ``folder``; they count as kept once the record is written."""
    for direction, file in _files(folder).items():
        write_links(file, map(Links, links[direction]), PHARAOH)
    write_json(folder / _RECORD, _complete(folder, record))


def recall(folder: Path, record: Record) -> dict[str, Path] | None:
    """The files of links, by direction, that are kept in ``folder``; None if there are none.

    Raises
    ------
    InputError: they are not what was kept there.
    """
    if not (folder / _RECORD).exists():
        return None
    try:
        found = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        intact = _canonical(found) == _canonical(_complete(folder, record))
    except (OSError, ValueError):
        intact = False
    if not intact:
        raise InputError("changed since it was kept", file=folder)
    return _files(folder)


def _files(folder: Path) -> dict[str, Path]:
    return {direction: folder / f"{direction}.pharaoh" for direction in DIRECTIONS}


def _complete(folder: Path, record: Record) -> dict[str, Any]:
    """The record with the checksums of the links."""
    return {**record, "links": {direction: sha256(file) for direction, file in _files(folder).items()}}


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
