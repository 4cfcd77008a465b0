"""The run folder: every path and file of a run.

    config.json                         the configuration, complete
    provenance.json                     its fingerprint, checksums of the data, versions; there is a run
    instances/VIEW/SPLIT.npz            the featurised splits
    instances/VIEW/shards/              the same cut into shards, for other machines; until all is chosen
        PART[-fold-F-of-N]-in-SHARDS/     PART: train or validation
    features/VIEW.*                     what the features learnt; the features know the endings
    jobs/SYSTEM/seed-S/point-P/GROUP/   of a training job; with folds, fold-F/GROUP/
        checkpoint.npz history.jsonl      of the training loop; the checkpoint until the job has ended
        memories/                         what shards remember, beside the checkpoint
        pass-N.npz                        a candidate; until all is chosen
        done.json                         which candidates there are; the job has ended
    models/SYSTEM/SEED/GROUP/           the chosen weights; SEED: seed-S, or average
    selection.json                      what was chosen for every system; the training has ended
    predictions/VARIANT/SEED/           predictions for every split; the task knows the endings

VIEW stands for features, SYSTEM and VARIANT for names of systems in the tables, as file systems take them,
GROUP for the classes that are learnt together.  Beside the folder of all runs are the scores,
``OUTPUT/scores/NAME.json``.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from pydantic import ValidationError

from advsp.experiments.candidate import Candidate
from advsp.experiments.config import NO_RESULT_DEPENDS_ON, ExperimentConfig, folder_name
from advsp.experiments.folds import Fold
from advsp.experiments.kept_scores import what_would_be_lost
from advsp.metrics.choice import Choice
from advsp.support.errors import InputError
from advsp.support.files import atomic, sweep, write_json
from advsp.support.records import Fields, Json, read_json, read_json_lines
from advsp.support.versions import versions
from advsp.tasks.base import View
from advsp.training.instance_files import count_instances, load_instances, save_instances
from advsp.training.instances import Instances
from advsp.training.loop import CHECKPOINT, HISTORY

#: Name of the models whose weights are the mean over a system's seeds.
AVERAGE = "average"

_CONFIG, _PROVENANCE, _SELECTION, _DONE = "config.json", "provenance.json", "selection.json", "done.json"
_SHARDS = "shards"
_ANEW = "train anew with --overwrite"


def seed_name(seed: int) -> str:
    """Name of what was trained with one seed."""
    return f"seed-{seed}"


def group_name(group: Sequence[str]) -> str:
    """Name of classes that are learnt together, as every file system takes it.

    >>> group_name(["PER", "LOC"]), group_name(["geo/pol"]), group_name([".."])
    ('PER-LOC', 'geo%2Fpol', '%2E.')
    """
    escaped = (quote(name, safe="+", encoding="utf-8") for name in group)
    name = "-".join(escaped)
    # What begins with a point is hidden, or another folder.
    return f"%2E{name[1:]}" if name.startswith(".") else name


def scores_file(config: ExperimentConfig) -> Path:
    """Where the scores of a configuration's run are kept."""
    return Path(config.output) / "scores" / f"{config.name}.json"


def times_file(config: ExperimentConfig) -> Path:
    """Where it is kept how long the training of a configuration's run took."""
    return Path(config.output) / "times" / f"{config.name}.json"


@dataclass(frozen=True)
class Provenance:
    """What a result depends on.

    Attributes
    ----------
    fingerprint: of the configuration.
    data: name of every file the run reads to its SHA-256.
    versions: package to its version.
    """

    fingerprint: str
    data: Mapping[str, str]
    versions: Mapping[str, str]

    def to_json(self) -> dict[str, Json]:
        """As it is kept."""
        return {"fingerprint": self.fingerprint, "data": self.data, "versions": self.versions}

    @classmethod
    def from_json(cls, fields: Fields) -> Provenance:
        """What :meth:`to_json` gave; InputError names a field that is missing."""
        return cls(
            fingerprint=fields.text("fingerprint"),
            data=fields.fields("data").all_texts(),
            versions=fields.fields("versions").all_texts(),
        )

    def difference(self, other: Provenance) -> str | None:
        """The first difference of data or versions from ``other``'s; None if both give the same result."""
        if self.data != other.data:
            return "data files changed"
        # The platform names the system to the last digit; an update of it is no other run.
        for name in sorted({*self.versions, *other.versions} - {"platform"}):
            was, now = self.versions.get(name, "absent"), other.versions.get(name, "absent")
            if was != now:
                return f"{name} was {was}, is {now}"
        return None


@dataclass(frozen=True)
class JobFolder:
    """The folder of one training job."""

    path: Path

    @property
    def done(self) -> bool:
        """Whether the job has ended."""
        return (self.path / _DONE).exists()

    @property
    def begun(self) -> bool:
        """Whether a pass of the job has been written down."""
        return (self.path / HISTORY).exists()

    @property
    def memories(self) -> Path:
        """Where a sharded job keeps what its shards remember."""
        return self.path / "memories"

    def keep(self, passes: int, candidate: Candidate) -> None:
        """Keep the candidate of so many passes."""
        candidate.write(self._candidate(passes))

    def kept(self, among: Sequence[int]) -> list[int]:
        """The numbers of passes among these whose candidates are kept."""
        return [passes for passes in among if self._candidate(passes).exists()]

    def end(self, candidates: Sequence[int]) -> None:
        """Say that the job has ended and kept these candidates; remove what only going on needs."""
        write_json(self.path / _DONE, {"candidates": list(candidates)})
        (self.path / CHECKPOINT).unlink(missing_ok=True)
        shutil.rmtree(self.memories, ignore_errors=True)

    def copy(self, other: JobFolder) -> None:
        """Take over all files of another job that has ended; what says so comes last."""
        for file in sorted(other.path.iterdir(), key=lambda file: file.name == _DONE):
            if file.is_file():
                with atomic(self.path / file.name, "wb") as stream:
                    stream.write(file.read_bytes())

    def candidate(self, passes: int, classes: Sequence[str] = ()) -> Candidate:
        """The candidate that so many passes end at; a job that converged early keeps fewer.

        Parameters
        ----------
        classes: those whose output is wanted.

        Raises
        ------
        InputError: it is not there, or not whole.
        """
        kept = Fields.of_file(self.path / _DONE, _ANEW).wholes("candidates")
        later = [number for number in kept if number >= passes]
        if not later:
            raise InputError(f"names no candidate of {passes} passes", file=self.path / _DONE, hint=_ANEW)
        return Candidate.read(self._candidate(min(later)), classes)

    def history(self) -> list[Fields]:
        """What the training loop wrote of every pass, one after the other.

        Raises
        ------
        InputError: there is no history, or a line of it is not JSON.
        """
        return [Fields(line, self.path / HISTORY, _ANEW) for line in read_json_lines(self.path / HISTORY)]

    def _candidate(self, passes: int) -> Path:
        return self.path / f"pass-{passes}.npz"


@dataclass(frozen=True)
class RunFolder:
    """The folder of one run; see the head of this file for all that is in it."""

    path: Path

    def absolute(self) -> RunFolder:
        """The same for a process with another current folder."""
        return replace(self, path=self.path.absolute())

    # --- what the run is, and how far it has come -----------------------------------------------------

    @property
    def begun(self) -> bool:
        """Whether there is a run."""
        return (self.path / _PROVENANCE).exists()

    @property
    def trained(self) -> bool:
        """Whether the run's training has ended."""
        return (self.path / _SELECTION).exists()

    def begin(self, config: ExperimentConfig, provenance: Provenance) -> None:
        """Make the folder and say what the run is.

        Raises
        ------
        InputError: the folder cannot be made.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be made: {error.strerror}", file=self.path, key="output") from None
        write_json(self.path / _CONFIG, config.model_dump())
        write_json(self.path / _PROVENANCE, provenance.to_json())

    def read_config(self) -> ExperimentConfig:
        """The run's configuration."""
        path = self.path / _CONFIG
        try:
            return ExperimentConfig.model_validate(read_json(path))
        except ValidationError:
            raise InputError("was not written by this version", file=path, hint=_ANEW) from None

    def read_provenance(self) -> Provenance:
        """What the run depends on."""
        return Provenance.from_json(Fields.of_file(self.path / _PROVENANCE, _ANEW))

    def read_choices(self) -> dict[str, Choice]:
        """What was chosen for every system."""
        systems = Fields.of_file(self.path / _SELECTION, _ANEW).all_fields()
        return {name: Choice.from_json(fields) for name, fields in systems.items()}

    def end(self, choices: Mapping[str, Choice]) -> None:
        """Write what was chosen: the training has ended."""
        write_json(self.path / _SELECTION, {name: choice.to_json() for name, choice in choices.items()})

    # --- instances and features -----------------------------------------------------------------------

    def save_view(self, name: str, view: View) -> None:
        """Keep the instances of a view, and what its features learnt."""
        for split, instances in view.instances.items():
            save_instances(self._instances(name, split), instances)
        if view.save is not None:
            path = self.features(name)
            path.parent.mkdir(exist_ok=True)
            view.save(path)

    def instances(self, view: str, split: str) -> Instances:
        """A featurised split, read once per process and version of the file.

        Raises
        ------
        InputError: it is not there, or damaged.
        """
        path = self._instances(view, split)
        return _read_once(path, path.stat().st_mtime_ns if path.exists() else 0)

    def count_instances(self, view: str, split: str) -> int:
        """Number of examples of a split, without reading them."""
        return count_instances(self._instances(view, split))

    def features(self, view: str) -> Path:
        """Where what the features of a view learnt is kept; without ending."""
        return self.path / "features" / view

    def shards(self, view: str, part: str, fold: Fold | None, shards: int) -> Path:
        """Where so many shards of what is trained on (``train``) or decoded (``validation``) are files."""
        name = part if fold is None else f"{part}-fold-{fold.number}-of-{fold.folds}"
        return self.path / "instances" / view / _SHARDS / f"{name}-in-{shards}"

    def _instances(self, view: str, split: str) -> Path:
        return self.path / "instances" / view / f"{split}.npz"

    # --- jobs and models ------------------------------------------------------------------------------

    def job(self, system: str, seed: int, point: int, fold: Fold | None, group: Sequence[str]) -> JobFolder:
        """The folder of one training job."""
        place = self.path / "jobs" / folder_name(system) / seed_name(seed) / f"point-{point}"
        return JobFolder((place if fold is None else place / f"fold-{fold.number}") / group_name(group))

    def model(self, system: str, seed: str, group: Sequence[str]) -> Path:
        """Where the model of one group of classes is kept; ``seed`` is a seed's name or :data:`AVERAGE`."""
        return self._models(system) / seed / group_name(group)

    def predictions(self, variant: str, seed: str) -> Path:
        """Where the predictions of a system in the tables are kept."""
        return self.path / "predictions" / folder_name(variant) / seed

    def _models(self, system: str) -> Path:
        return self.path / "models" / folder_name(system)

    # --- tidying --------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Remove what a killed process was writing."""
        sweep(self.path)

    def remove_models(self, system: str) -> None:
        """Remove a system's models, which may be half written."""
        shutil.rmtree(self._models(system), ignore_errors=True)

    def remove_candidates(self) -> None:
        """Remove candidates and shards, which take up room and nothing needs once all is chosen."""
        for path in (self.path / "jobs").rglob("pass-*.npz"):
            path.unlink()
        for path in (self.path / "instances").glob(f"*/{_SHARDS}"):
            shutil.rmtree(path)

    def remove(self) -> None:
        """Remove the run; only what a run writes, so that a wrong path costs nothing else."""
        # What says that the run is complete goes first, what says that there is one goes last.
        (self.path / _SELECTION).unlink(missing_ok=True)
        for name in ("jobs", "models", "instances", "features", "predictions"):
            shutil.rmtree(self.path / name, ignore_errors=True)
        for name in (_CONFIG, _PROVENANCE):
            (self.path / name).unlink(missing_ok=True)


@lru_cache(maxsize=6)
def _read_once(path: Path, version: int) -> Instances:
    return load_instances(path)


@dataclass(frozen=True)
class TrainedRun:
    """A run whose training has ended.

    Attributes
    ----------
    choices: system to what was chosen for it.
    """

    folder: RunFolder
    config: ExperimentConfig
    provenance: Provenance
    choices: Mapping[str, Choice]


def open_run(
    config: ExperimentConfig, data: Mapping[str, str], *, resume: bool = False, overwrite: bool = False
) -> RunFolder:
    """The run's folder, new or to be resumed, with configuration and provenance written.

    Parameters
    ----------
    data: name of every file the run reads to its SHA-256.

    Raises
    ------
    InputError: the folder holds a run and neither ``resume`` nor ``overwrite`` is set, or the run to
        be resumed has another configuration, other data or was begun with other versions.
    """
    run = RunFolder(config.folder)
    provenance = Provenance(config.fingerprint(), data, versions())
    if run.begun:
        run.sweep()
        if resume:
            difference = _difference(run, config, provenance)
            if difference is None:
                return run
            raise InputError(
                f"the run there would not end the same ({difference})",
                file=run.path,
                hint="use --overwrite to train anew, or another name",
            )
        if not overwrite:
            raise InputError(
                "holds a run already",
                file=run.path,
                hint="use --resume to go on with it, --overwrite to replace it",
            )
        run.remove()
        if what_would_be_lost(scores_file(config), config, provenance.data) is None:
            scores_file(config).unlink(missing_ok=True)
    run.begin(config, provenance)
    return run


def read_run(path: Path) -> TrainedRun:
    """A trained run.

    Raises
    ------
    InputError: no run there, one whose training has not ended, or one in which something is missing.
    """
    run = RunFolder(path)
    if not run.begun:
        raise InputError("no run there", file=path, hint="train it with `advsp train`")
    if not run.trained:
        raise InputError(
            "the run's training has not ended", file=path, hint="go on with `advsp train --resume`"
        )
    found = TrainedRun(run, run.read_config(), run.read_provenance(), run.read_choices())
    if set(found.choices) != set(found.config.systems):
        raise InputError("does not name the run's systems", file=path / _SELECTION, hint=_ANEW)
    return found


def _difference(run: RunFolder, config: ExperimentConfig, provenance: Provenance) -> str | None:
    """The first difference between a run and one of a configuration and provenance; None if there is none."""
    old = run.read_provenance()
    if old.fingerprint == provenance.fingerprint:
        return old.difference(provenance)
    before, now = read_json(run.path / _CONFIG), config.model_dump(mode="json")
    known = before if isinstance(before, Mapping) else {}
    keys = (key for key in now if key not in NO_RESULT_DEPENDS_ON and known.get(key) != now[key])
    return f"first difference: {next(keys, 'systems')}"
