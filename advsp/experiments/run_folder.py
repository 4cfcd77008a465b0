"""The run folder: what was run, on what, with which versions, and the instances it ran on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from advsp.experiments.config import ExperimentConfig
from advsp.support.errors import InputError
from advsp.support.files import sweep, write_json
from advsp.support.versions import versions

CONFIG, PROVENANCE, SELECTION = "config.json", "provenance.json", "selection.json"


def open_run(config: ExperimentConfig, checksums: dict[str, str], resume: bool, overwrite: bool) -> Path:
    """The run's folder, new or to be resumed, with configuration and provenance written.

    Parameters
    ----------
    checksums: SHA-256 of every file the run reads.

    Raises
    ------
    InputError: the folder holds a run and neither ``resume`` nor ``overwrite`` is set, or the run to
        be resumed has another configuration, other data or was begun with other versions.
    """
    folder = config.folder
    provenance = {"fingerprint": config.fingerprint(), "data": checksums, "versions": versions()}
    if (folder / PROVENANCE).exists():
        old = read_json(folder / PROVENANCE)
        sweep(folder)
        difference = _difference(folder, config, old, provenance)
        if resume and difference is None:
            return folder
        if resume:
            raise InputError(
                f"the run there would not end the same ({difference})",
                file=folder,
                hint="use --overwrite to train anew, or another name",
            )
        if not overwrite:
            raise InputError(
                "holds a run already",
                file=folder,
                hint="use --resume to go on with it, --overwrite to replace it",
            )
        _remove(folder)
        (Path(config.output) / "scores" / f"{config.name}.json").unlink(missing_ok=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", file=folder, key="output") from None
    write_json(folder / CONFIG, config.model_dump())
    write_json(folder / PROVENANCE, provenance)
    return folder


def read_run(folder: Path) -> tuple[ExperimentConfig, dict[str, Any], dict[str, Any]]:
    """Configuration, provenance and selection of a trained run.

    Raises
    ------
    InputError: no run there, or one whose training has not ended.
    """
    if not (folder / PROVENANCE).exists():
        raise InputError("no run there", file=folder, hint="train it with `advsp train`")
    if not (folder / SELECTION).exists():
        raise InputError(
            "the run's training has not ended", file=folder, hint="go on with `advsp train --resume`"
        )
    try:
        config = ExperimentConfig.model_validate(read_json(folder / CONFIG))
    except ValidationError:
        problem = "was not written by this version"
        raise InputError(problem, file=folder / CONFIG, hint="train anew with --overwrite") from None
    selection = read_json(folder / SELECTION)
    if not isinstance(selection, dict) or set(selection) != set(config.systems):
        problem = "does not name the run's systems"
        raise InputError(problem, file=folder / SELECTION, hint="train anew with --overwrite")
    return config, read_json(folder / PROVENANCE), selection


def read_json(path: Path) -> Any:
    """A JSON file of ours.

    Raises
    ------
    InputError: missing or not JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    except ValueError as error:
        raise InputError(f"not JSON: {error}", file=path) from None


def instances_path(run: Path, view: str, split: str) -> Path:
    """Where a run keeps a split as instances with the features of one view."""
    return run / "instances" / view / f"{split}.npz"


def _difference(
    folder: Path, config: ExperimentConfig, old: dict[str, Any], new: dict[str, Any]
) -> str | None:
    """The first difference between the provenances of a run and of a new one; None if they end the same."""
    if old.get("fingerprint") != new["fingerprint"]:
        before, now = read_json(folder / CONFIG), config.model_dump(mode="json")
        keys = (key for key in now if key not in ("workers", "output") and before.get(key) != now[key])
        return f"first difference: {next(keys, 'systems')}"
    if old.get("data") != new["data"]:
        return "data files changed"
    before = old.get("versions", {})
    # The platform names the system to the last digit; an update of it is no other run.
    for name in sorted({*before, *new["versions"]} - {"platform"}):
        was, now = before.get(name, "absent"), new["versions"].get(name, "absent")
        if was != now:
            return f"{name} was {was}, is {now}"
    return None


def _remove(folder: Path) -> None:
    """Delete a run's own folder; only what a run writes, so that a wrong path costs nothing else."""
    import shutil

    # What says that the run is complete goes first, what says that there is one goes last.
    (folder / SELECTION).unlink(missing_ok=True)
    for name in ("jobs", "models", "instances", "features", "predictions"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in (CONFIG, PROVENANCE):
        (folder / name).unlink(missing_ok=True)
