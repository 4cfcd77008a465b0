"""What is chosen on the validation split: grid point, number of passes, prediction rule, thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from advsp.config import ExperimentConfig, SystemConfig
from advsp.files import read_arrays
from advsp.instances import ChainInstances
from advsp.jobs import DONE, DecodingJob, class_f1, run_decoding
from advsp.learners.base import Decoded
from advsp.reporter import Reporter
from advsp.runs import read_json

#: Folder of the models whose weights are the mean over a system's seeds.
AVERAGE = "average"
#: Thresholds on the marginal tried for the rule ``threshold``; on ties the one nearest to 1/2.
THRESHOLDS = np.arange(1, 20) / 20.0


def candidates(system: SystemConfig) -> tuple[int, ...]:
    """Numbers of passes to choose from: those asked for within the passes trained, and the last."""
    passes = system.optimiser.passes
    return tuple(sorted({p for p in system.selection.passes if p < passes} | {passes}))


def seeds(config: ExperimentConfig, name: str) -> list[int]:
    """Seeds of a system's runs: the configuration's and those that follow it."""
    return [config.seed + run for run in range(config.systems[name].runs)]


def decoding_jobs(config: ExperimentConfig, run: Path, split: str) -> list[DecodingJob]:
    """Decode ``split`` with every model of every system: each seed's and, of several, their average."""
    jobs = []
    for name, system in config.systems.items():
        groups = tuple(system.learner.build().groups(config.classes))
        folders = [f"seed-{seed}" for seed in seeds(config, name)]
        for folder in [*folders, AVERAGE] if len(folders) > 1 else folders:
            jobs.append(DecodingJob(run, name, folder, groups, split, config.evaluation.tolerance))
    return jobs


def choose(
    config: ExperimentConfig,
    run: Path,
    name: str,
    points: list[SystemConfig],
    instances: Mapping[str, ChainInstances],
) -> dict[str, Any]:
    """The grid point, number of passes and rule that score best on the validation split, and all scores.

    The first of equals wins.  Without a validation split the one possibility there is.
    """
    scored = [] if config.corpus.validation is None else _scored(config, run, name, points, instances)
    first = {
        "point": 0,
        "passes": candidates(points[0])[-1],
        "rule": points[0].selection.rules[0],
        "score": None,
    }
    best = max(scored, key=lambda row: row["score"]) if scored else first
    return {
        "metric": f"mean {points[0].selection.metric} over the classes on {config.corpus.validation}",
        **{key: best[key] for key in ("point", "passes", "rule", "score")},
        "options": {key: _lookup(points[best["point"]], key) for key in points[0].selection.grid},
        "grid": scored,
    }


def _scored(
    config: ExperimentConfig,
    run: Path,
    name: str,
    points: list[SystemConfig],
    instances: Mapping[str, ChainInstances],
) -> list[dict[str, Any]]:
    """Mean token F1 over classes and seeds of every grid point, number of passes and rule."""
    selection, validation, rows = points[0].selection, instances[config.corpus.validation], []
    for point, system in enumerate(points):
        outputs = [
            _candidate_outputs(run, name, seed, point, system, config.classes)
            for seed in seeds(config, name)[: selection.runs]
        ]
        options = {key: _lookup(system, key) for key in selection.grid}
        for passes, rule in product(candidates(system), selection.rules):
            classes = {
                label: float(
                    np.mean([_score(out[passes][label], rule, label, validation) for out in outputs])
                )
                for label in config.classes
            }
            mean = float(np.mean(list(classes.values())))
            rows.append(
                {"point": point, **options, "passes": passes, "rule": rule, "score": mean, "classes": classes}
            )
    return rows


def _candidate_outputs(
    run: Path, name: str, seed: int, point: int, system: SystemConfig, classes: list[str]
) -> dict[int, dict[str, Decoded]]:
    """Validation output of every candidate number of passes and class."""
    place = run / "jobs" / name / f"seed-{seed}" / f"point-{point}"
    outputs: dict[int, dict[str, Decoded]] = {}
    for group in system.learner.build().groups(classes):
        folder = place / "-".join(group)
        kept = read_json(folder / DONE)["candidates"]
        for passes in candidates(system):
            arrays = read_candidate(folder, kept, passes)
            for label in group:
                said = Decoded(arrays[f"{label}/mode"], arrays[f"{label}/marginal"])
                outputs.setdefault(passes, {})[label] = said
    return outputs


def read_candidate(folder: Path, kept: list[int], passes: int) -> dict[str, np.ndarray]:
    """What a training job kept of the candidate that ``passes`` passes end at.

    Parameters
    ----------
    kept: the candidates that were kept; a run that converged early keeps fewer.
    """
    stand_in = min(candidate for candidate in kept if candidate >= passes)
    return read_arrays(folder / f"pass-{stand_in}.npz", "a candidate", "train anew with --overwrite")


def decide(said: Decoded, rule: str, threshold: float | None = None) -> np.ndarray:
    """Token decisions bool [T] under a rule: ``mode``, ``marginal`` (above 1/2) or above ``threshold``."""
    if rule == "mode":
        return said.mode
    return said.marginal > (0.5 if rule == "marginal" else threshold)


def _score(said: Decoded, rule: str, label: str, instances: ChainInstances) -> float:
    gold = instances.tags == instances.tag_names.index(label)
    return class_f1(decide(said, rule), gold, instances.offsets)


def _lookup(system: SystemConfig, key: str) -> Any:
    value: Any = system.model_dump()
    for part in key.split("."):
        value = value[part]
    return value


def choose_thresholds(
    config: ExperimentConfig,
    run: Path,
    choices: dict[str, dict[str, Any]],
    instances: Mapping[str, ChainInstances],
    reporter: Reporter,
) -> None:
    """For every system, seed and class, the threshold on the marginal that scores best on validation.

    They join ``choices`` in place; without a validation split there are none.
    """
    if config.corpus.validation is None:
        for choice in choices.values():
            choice["thresholds"] = {}
        return
    validation = instances[config.corpus.validation]
    jobs = decoding_jobs(config, run, config.corpus.validation)
    outputs = run_decoding(jobs, config, instances, reporter, "thresholds on the validation split")
    for job, decoded in zip(jobs, outputs):
        chosen = {}
        for label, said in decoded.items():
            gold = validation.tags == validation.tag_names.index(label)
            scores = [
                class_f1(said.marginal > threshold, gold, validation.offsets) for threshold in THRESHOLDS
            ]
            best = max(zip(scores, -np.abs(THRESHOLDS - 0.5), THRESHOLDS))
            chosen[label] = round(float(best[2]), 2)
        choices[job.system].setdefault("thresholds", {})[job.seed] = chosen
    for choice in choices.values():
        choice["thresholds"] = dict(sorted(choice["thresholds"].items()))
