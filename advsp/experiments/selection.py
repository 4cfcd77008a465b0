"""What is chosen: grid point, number of passes, prediction rule, thresholds.

It is chosen by scores on the validation split, or by cross-validation on the training and validation
splits together; there the counts of all held-out parts are added up and scored as one corpus.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from advsp.experiments.config import ExperimentConfig, SystemConfig
from advsp.experiments.jobs import DONE, DecodingJob, Fold, folded, job_folder, read_instances, run_decoding
from advsp.experiments.run_folder import read_json
from advsp.learners.base import Decoded
from advsp.metrics import metrics
from advsp.metrics.base import Metric
from advsp.runners.local import Local, Runner
from advsp.support.equality import equal_by_value
from advsp.support.files import read_arrays
from advsp.support.progress import Reporter
from advsp.training.instances import Instances

#: Folder of the models whose weights are the mean over a system's seeds.
AVERAGE = "average"
#: Thresholds on the marginal tried for the rule ``threshold``; on ties the one nearest to 1/2.
THRESHOLDS = np.arange(1, 20) / 20.0
#: Key of the thresholds that cross-validation chose: they hold for every seed.
EVERY_SEED = "every"


@equal_by_value
@dataclass(frozen=True)
class Output:
    """What a system says of instances, one class after the other."""

    instances: Instances
    decoded: Mapping[str, Decoded]


def candidates(system: SystemConfig) -> tuple[int, ...]:
    """Numbers of passes to choose from: those asked for within the passes trained, and the last."""
    passes = system.optimiser.passes
    return tuple(sorted({p for p in system.selection.passes if p < passes} | {passes}))


def seeds(config: ExperimentConfig, name: str) -> list[int]:
    """Seeds of a system's runs: the configuration's and those that follow it."""
    return [config.seed + run for run in range(config.systems[name].runs)]


def folds(config: ExperimentConfig, system: SystemConfig) -> list[Fold | None]:
    """The folds by which a system is chosen; None stands for the validation split."""
    number = system.selection.folds
    return [Fold(fold, number, config.seed) for fold in range(number)] if number else [None]


def decoding_jobs(config: ExperimentConfig, run: Path, split: str) -> list[DecodingJob]:
    """Decode ``split`` with every model of every system: each seed's and, of several, their average."""
    jobs = []
    for name, system in config.systems.items():
        groups = tuple(system.learner.build().groups(config.classes))
        names = [f"seed-{seed}" for seed in seeds(config, name)]
        for seed in [*names, AVERAGE] if len(names) > 1 else names:
            tolerance = config.evaluation.tolerance
            jobs.append(DecodingJob(run, name, seed, groups, system.features.view, split, tolerance))
    return jobs


def choose(config: ExperimentConfig, run: Path, name: str, points: list[SystemConfig]) -> dict[str, Any]:
    """The grid point, number of passes and rule that score best, and all scores.

    The first of equals wins.  Without anything to score by, the one possibility there is.
    """
    selection = points[0].selection
    metric = metrics.get(selection.metric)()
    chosen_on = _chosen_on(config, points[0])
    scored = [] if chosen_on is None else _scored(config, run, name, points, metric)
    first = {
        "point": 0,
        "passes": candidates(points[0])[-1],
        "rule": selection.rules[0],
        "score": None,
    }
    sign = -1.0 if metric.lower_is_better else 1.0
    best = max(scored, key=lambda row: sign * row["score"]) if scored else first
    mean = f"mean {selection.metric} over the classes" if len(config.classes) > 1 else selection.metric
    return {
        "metric": f"{mean} on {chosen_on}",
        **{key: best[key] for key in ("point", "passes", "rule", "score")},
        "options": {key: _lookup(points[best["point"]], key) for key in selection.grid},
        "grid": scored,
    }


def _chosen_on(config: ExperimentConfig, system: SystemConfig) -> str | None:
    """What a system is chosen on, in words; None if there is nothing."""
    corpus, number = config.corpus, system.selection.folds
    if not number:
        return corpus.validation
    both = " and ".join(filter(None, (corpus.train, corpus.validation)))
    return f"{number} folds of {both}"


def _scored(
    config: ExperimentConfig, run: Path, name: str, points: list[SystemConfig], metric: Metric
) -> list[dict[str, Any]]:
    """Mean score over classes and seeds of every grid point, number of passes and rule."""
    selection, rows = points[0].selection, []
    for point, system in enumerate(points):
        options = {key: _lookup(system, key) for key in selection.grid}
        for passes in candidates(system):
            outputs = [
                candidate_outputs(config, run, name, seed, point, system, passes)
                for seed in seeds(config, name)[: selection.runs]
            ]
            for rule in selection.rules:
                classes = {
                    label: float(np.mean([_score(parts, rule, label, metric) for parts in outputs]))
                    for label in config.classes
                }
                mean = float(np.mean(list(classes.values())))
                rows.append(
                    {
                        "point": point,
                        **options,
                        "passes": passes,
                        "rule": rule,
                        "score": mean,
                        "classes": classes,
                    }
                )
    return rows


def candidate_outputs(
    config: ExperimentConfig,
    run: Path,
    name: str,
    seed: int,
    point: int,
    system: SystemConfig,
    passes: int,
) -> list[Output]:
    """What a candidate says of the validation split, or of every fold."""
    corpus, view = config.corpus, system.features.view
    outputs = []
    for fold in folds(config, system):
        if fold is None:
            instances = read_instances(run, view, corpus.validation)
        else:
            train = read_instances(run, view, corpus.train)
            validation = read_instances(run, view, corpus.validation) if corpus.validation else None
            _, instances = folded(train, validation, fold)
        decoded = {}
        for group in system.learner.build().groups(config.classes):
            folder = job_folder(run, name, seed, point, fold) / "-".join(group)
            arrays = read_candidate(folder, read_json(folder / DONE)["candidates"], passes)
            for label in group:
                decoded[label] = Decoded(arrays[f"{label}/mode"], arrays[f"{label}/marginal"])
        outputs.append(Output(instances, decoded))
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
    """Decisions bool [T] under a rule: ``mode``, ``marginal`` (above 1/2) or above ``threshold``."""
    if rule == "mode":
        return said.mode
    return said.marginal > (0.5 if rule == "marginal" else threshold)


def _score(parts: list[Output], rule: str, label: str, metric: Metric) -> float:
    """The score of one class over all parts; by the rule ``threshold`` that of the best one."""
    threshold = best_threshold(parts, label, metric) if rule == "threshold" else None
    return float(metric.score(_sums(parts, rule, threshold, label, metric)))


def _sums(parts: list[Output], rule: str, threshold: float | None, label: str, metric: Metric) -> np.ndarray:
    """Counts [q] of one class, summed over all parts."""
    return sum(
        metric.counts(decide(part.decoded[label], rule, threshold), part.instances, label).sum(axis=0)
        for part in parts
    )


def best_threshold(parts: list[Output], label: str, metric: Metric) -> float:
    """The threshold on the marginal that scores best; of equals the one nearest to 1/2."""
    merits = [metric.merit(_sums(parts, "threshold", t, label, metric)) for t in THRESHOLDS]
    best = max(zip(merits, -np.abs(THRESHOLDS - 0.5), THRESHOLDS))
    return round(float(best[2]), 2)


def _lookup(system: SystemConfig, key: str) -> Any:
    value: Any = system.model_dump()
    for part in key.split("."):
        value = value.get(part)  # an option that is None is left out
    return value


def choose_thresholds(
    config: ExperimentConfig,
    run: Path,
    choices: dict[str, dict[str, Any]],
    reporter: Reporter,
    runner: Runner | None = None,
) -> None:
    """For every system, seed and class, the threshold on the marginal that scores best.

    They join ``choices`` in place; those chosen on folds hold for every seed, and without anything to
    score by there are none.
    """
    for name, choice in choices.items():
        system = config.systems[name]
        choice["thresholds"] = {}
        if system.selection.folds and _has_thresholds(config, name, choice):
            metric = metrics.get(system.selection.metric)()
            parts = candidate_outputs(
                config, run, name, config.seed, choice["point"], system, choice["passes"]
            )
            found = {label: best_threshold(parts, label, metric) for label in config.classes}
            choice["thresholds"][EVERY_SEED] = found
    if config.corpus.validation is None:
        return
    jobs = [
        job
        for job in decoding_jobs(config, run, config.corpus.validation)
        if not config.systems[job.system].selection.folds
        and _has_thresholds(config, job.system, choices[job.system])
    ]
    runner = runner or Local(config.workers)
    outputs = run_decoding(jobs, runner, reporter, "thresholds on the validation split")
    for job, decoded in zip(jobs, outputs):
        metric = metrics.get(config.systems[job.system].selection.metric)()
        parts = [Output(read_instances(run, job.view, job.split), decoded)]
        chosen = {label: best_threshold(parts, label, metric) for label in decoded}
        choices[job.system]["thresholds"][job.seed] = chosen
    for choice in choices.values():
        choice["thresholds"] = dict(sorted(choice["thresholds"].items()))


def _has_thresholds(config: ExperimentConfig, name: str, choice: Mapping[str, Any]) -> bool:
    """Whether thresholds are wanted for a system and make sense there."""
    learner = config.systems[name].learner.build()
    return choice["rule"] == "threshold" or (config.evaluation.thresholds and learner.probabilistic)


def thresholds_of(choice: Mapping[str, Any], seed: str) -> Mapping[str, float]:
    """The thresholds of one seed's models, class by class."""
    return choice["thresholds"].get(seed) or choice["thresholds"].get(EVERY_SEED, {})
