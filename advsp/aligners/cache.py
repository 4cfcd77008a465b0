"""What aligner programs have predicted, kept by all that it depends on.

=========================== ================================================================
PROGRAM-KEY/run.json        program, version, options and text; SHA-256 of the other files
PROGRAM-KEY/forward.pharaoh the links of the labelled pairs, one line a pair
PROGRAM-KEY/reverse.pharaoh the same in the other direction
PROGRAM-KEY/posteriors.npz  how probable any link of theirs is, from a program that can tell
PROGRAM-KEY/*.npy            how probable any link of the whole text is, or whether it is predicted
PROGRAM-KEY/model.{json,npz} what it has learnt, from a program that can use it again
=========================== ================================================================

``KEY`` is made of the first part of ``run.json``, so that anything else than the same program, in the same
version, with the same options, on the same text finds nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from advsp.aligners.base import Outcome
from advsp.corpora.bitext import Link
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.links import PHARAOH, Links, write_links
from advsp.support.errors import InputError
from advsp.support.files import sha256, write_json

_RECORD = "run.json"
_POSTERIORS = "posteriors.npz"
_MODEL = "model"

#: An outcome of links alone.
NOTHING = Outcome()

#: Program, version, options and text of a run, as JSON has them.
Record = Mapping[str, Any]


class Kept(NamedTuple):
    """The files that are kept of a run.

    Attributes
    ----------
    links: by direction, of the labelled pairs.
    everywhere: by direction, posteriors of all pairs, or their links; empty if an earlier release kept none.
    posteriors: of the labelled pairs, from a program that has some.
    model: without ending, see :class:`~advsp.support.state.State`; from a program that keeps one.
    """

    links: dict[str, Path]
    everywhere: dict[str, Path]
    posteriors: Path | None
    model: Path | None


def entry(cache: Path, record: Record) -> Path:
    """The folder that keeps, or would keep, what this run predicted."""
    key = hashlib.sha256(_canonical(record).encode()).hexdigest()[:16]
    return cache / f"{record['program']}-{key}"


def keep(
    folder: Path,
    record: Record,
    links: Mapping[str, Iterable[frozenset[Link]]],
    outcome: Outcome = NOTHING,
) -> None:
    """Keep what was predicted in ``folder``; it counts as kept once the record is written."""
    for direction, file in _link_files(folder).items():
        write_links(file, map(Links, links[direction]), PHARAOH)
    for name in (_POSTERIORS, *_model_files()):
        (folder / name).unlink(missing_ok=True)
    for file in _text_files(folder).values():
        file.unlink(missing_ok=True)
    if outcome.everywhere is not None:
        outcome.everywhere.save(**_text_files(folder))
    if outcome.posteriors is not None:
        outcome.posteriors.save(folder / _POSTERIORS)
    if outcome.model is not None:
        outcome.model.save(folder / _MODEL)
    write_json(folder / _RECORD, _complete(folder, record))


def recall(folder: Path, record: Record) -> Kept | None:
    """What is kept in ``folder``; None if nothing is.

    Raises
    ------
    InputError: it is not what was kept there.
    """
    if not (folder / _RECORD).exists():
        return None
    try:
        found = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        complete = _complete(folder, record)
        intact = _canonical(found) == _canonical(complete)
    except (OSError, ValueError):
        intact = False
    if not intact:
        raise InputError("changed since it was kept", file=folder)
    return Kept(
        _link_files(folder),
        _text_files(folder) if "everywhere" in complete else {},
        folder / _POSTERIORS if "posteriors" in complete else None,
        folder / _MODEL if "model" in complete else None,
    )


def _model_files() -> tuple[str, str]:
    return f"{_MODEL}.json", f"{_MODEL}.npz"


def _link_files(folder: Path) -> dict[str, Path]:
    return {direction: folder / f"{direction}.pharaoh" for direction in DIRECTIONS}


def _text_files(folder: Path) -> dict[str, Path]:
    return {direction: folder / f"{direction}.npy" for direction in DIRECTIONS}


def _complete(folder: Path, record: Record) -> dict[str, Any]:
    """The record with the checksums of the other files."""
    complete = {
        **record,
        "links": {direction: sha256(file) for direction, file in _link_files(folder).items()},
    }
    if all(file.exists() for file in _text_files(folder).values()):
        complete["everywhere"] = {name: sha256(file) for name, file in _text_files(folder).items()}
    if (folder / _POSTERIORS).exists():
        complete["posteriors"] = sha256(folder / _POSTERIORS)
    description, _ = _model_files()
    if (folder / description).exists():
        # It holds the checksum of the arrays.
        complete["model"] = sha256(folder / description)
    return complete


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True)
