"""What describes a saved estimator: which one it is, its parameters, and what was learnt, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from advsp.support.errors import InputError
from advsp.support.files import write_json
from advsp.support.records import Fields

#: The file, and the version of the layout of the folder.
DESCRIPTION, FORMAT = "estimator.json", 1


def begin_estimator(folder: Path) -> None:
    """Make the folder; without a description what is in it is none."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DESCRIPTION).unlink(missing_ok=True)


def describe_estimator(
    folder: Path, name: str, parameters: Mapping[str, Any], about: Mapping[str, Any]
) -> None:
    """Seal the folder: everything else is written."""
    fields = {"format": FORMAT, "estimator": name, "parameters": parameters, **about}
    write_json(folder / DESCRIPTION, fields)


def read_description(folder: Path) -> Fields:
    """The description of a saved estimator.

    Raises
    ------
    InputError: there is none, or one of another version.
    """
    about = Fields.of_file(folder / DESCRIPTION, "save a fitted estimator there")
    if (found := about.whole("format")) != FORMAT:
        raise InputError(f"estimator format {found}, this version reads {FORMAT}", file=folder / DESCRIPTION)
    return about
