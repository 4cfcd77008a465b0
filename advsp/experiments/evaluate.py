"""Scores of a trained run: with intervals, paired tests and predictions as other programs read them.

Every number is made from counts per example, so that intervals and tests come from the same data.
The result is one JSON file beside which the tables can be made again at any time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from advsp.experiments.config import ExperimentConfig, folder_name
from advsp.experiments.jobs import read_instances, run_decoding
from advsp.experiments.run_folder import read_run
from advsp.experiments.selection import AVERAGE, decide, decoding_jobs, thresholds_of
from advsp.learners.base import Decoded
from advsp.metrics import metrics
from advsp.metrics.bootstrap import interval, paired_test
from advsp.metrics.counts import micro_average
from advsp.runners.local import Local, Runner
from advsp.support.equality import equal_by_value
from advsp.support.errors import InputError
from advsp.support.files import sha256, write_json
from advsp.support.progress import Reporter
from advsp.support.versions import versions
from advsp.tasks import tasks
from advsp.tasks.base import ALL, Task
from advsp.training.instances import Instances

#: (metric, class) to counts int64 [S, q] of one run.
Counts = dict[tuple[str, str], np.ndarray]


@equal_by_value
@dataclass(frozen=True)
class Scored:
    """One run of one system on one split, under one prediction rule.

    Attributes
    ----------
    seed: name of the run's folder of models.
    instances: what was decided about; views of a split may differ in their positions.
    counts: what its scores are made of.
    ranked: class to float [T], the marginal where the class was decided and -1 elsewhere.
    """

    seed: str
    instances: Instances
    counts: Counts
    ranked: dict[str, np.ndarray]


def evaluate(
    run: Path, reporter: Reporter, bootstrap: int | None = None, runner: Runner | None = None
) -> Path:
    """Score every system of a trained run on its validation and test splits.

    Parameters
    ----------
    run: the run's folder.
    bootstrap: number of resamples, if other than the run's configuration says.
    runner: where jobs run; by default the configuration's workers on this machine.

    Returns
    -------
    The file of scores, ``OUTPUT/scores/NAME.json``.

    Raises
    ------
    InputError: no trained run there; a corpus that changed since, where references are read from it.
    """
    config, provenance, selection = read_run(run)
    task = tasks.get(config.corpus.kind)(config.corpus, config.classes)
    if task.has_references:
        _check_unchanged(task, provenance)
    splits = config.corpus.splits[1:]
    jobs = [job for split in splits for job in decoding_jobs(config, run, split)]
    runner = runner or Local(config.workers)
    runner.check(run)
    outputs = run_decoding(jobs, runner, reporter, "decoding")
    decoded = {(job.split, job.system, job.seed): said for job, said in zip(jobs, outputs)}
    samples = bootstrap or config.evaluation.bootstrap
    rows, tests = [], []
    progress = reporter.start("intervals and paired tests", len(splits))
    for split in splits:
        views = {
            name: read_instances(run, system.features.view, split) for name, system in config.systems.items()
        }
        variants = _variants(config, task, selection, decoded, split, views)
        instances = next(iter(views.values()))
        counts = {name: [run.counts for run in runs] for name, runs in variants.items()}
        references = {
            name: [_counts(config, task, instances, {label: decided for label in config.classes})]
            for name, decided in task.references(split, instances).items()
            if name not in counts
        }
        rows += _rows(config, task, split, counts | references, samples)
        tests += _tests(config, task, split, counts | references, samples)
        progress(1)
        for name, runs in variants.items():
            for scored in runs:
                folder = run / "predictions" / folder_name(name) / scored.seed
                task.write_predictions(folder, split, scored.instances, scored.ranked)
    reporter.stop()
    scores = Path(config.output) / "scores" / f"{config.name}.json"
    write_json(
        scores,
        {
            "name": config.name,
            "table": config.table,
            "fingerprint": provenance["fingerprint"],
            "data": provenance["data"],
            "versions": {"train": provenance["versions"], "evaluate": versions()},
            "config": config.model_dump(),
            "selection": selection,
            "rows": rows,
            "tests": tests,
        },
    )
    return scores


def _check_unchanged(task: Task, provenance: Mapping[str, Any]) -> None:
    """What stands beside the systems is read from the corpus that they were trained on."""
    for name, path in task.files().items():
        if provenance["data"].get(name) != sha256(path):
            raise InputError(
                "has changed since the run was trained", file=path, hint="train anew with --overwrite"
            )


def _variants(
    config: ExperimentConfig,
    task: Task,
    selection: Mapping[str, Any],
    decoded: Mapping[tuple[str, str, str], dict[str, Decoded]],
    split: str,
    views: Mapping[str, Instances],
) -> dict[str, list[Scored]]:
    """System names as the tables have them, to their runs."""
    variants: dict[str, list[Scored]] = {}
    for system, instances in views.items():
        choice = selection[system]
        runs = {seed: said for (at, name, seed), said in decoded.items() if (at, name) == (split, system)}
        members = {
            "": [seed for seed in runs if seed != AVERAGE],
            "+average": [seed for seed in runs if seed == AVERAGE],
        }
        rules = [choice["rule"]]
        if choice["thresholds"] and choice["rule"] != "threshold":
            rules.append("threshold")
        for suffix, seeds in members.items():
            for rule in rules:
                name = system + suffix + ("+threshold" if rule != choice["rule"] else "")
                for seed in seeds:
                    thresholds, said = thresholds_of(choice, seed), runs[seed]
                    masks = {
                        label: decide(said[label], rule, thresholds.get(label)) for label in config.classes
                    }
                    ranked = {
                        label: np.where(mask, said[label].marginal, -1.0) for label, mask in masks.items()
                    }
                    scored = Scored(seed, instances, _counts(config, task, instances, masks), ranked)
                    variants.setdefault(name, []).append(scored)
    return variants


def _counts(
    config: ExperimentConfig, task: Task, instances: Instances, masks: Mapping[str, np.ndarray]
) -> Counts:
    """Counts of every metric and class, and of their micro-average, per example."""
    counts: Counts = {}
    for metric in task.metrics:
        found = {
            label: metrics.get(metric)().counts(masks[label], instances, label) for label in config.classes
        }
        counts |= {(metric, label): table for label, table in found.items()}
        counts[metric, ALL] = micro_average(found)
    return counts


def _labels(config: ExperimentConfig) -> list[str]:
    """The classes and their micro-average."""
    return list(dict.fromkeys([*config.classes, ALL]))


def _rows(
    config: ExperimentConfig, task: Task, split: str, systems: Mapping[str, list[Counts]], samples: int
) -> list[dict]:
    """One row a system, class and metric: mean over the runs, its interval, and what it is made of."""
    rows = []
    for name, runs in systems.items():
        for metric_name in task.metrics:
            metric = metrics.get(metric_name)()
            for label in _labels(config):
                tables = [run[metric_name, label] for run in runs]
                value, low, high = interval(tables, metric.score, samples=samples, seed=config.seed)
                sums = [table.sum(axis=0) for table in tables]
                single = [float(metric.score(s)) for s in sums]
                rows.append(
                    {
                        "corpus": config.corpus.name,
                        "split": split,
                        "class": label,
                        "system": name,
                        "metric": metric_name,
                        "value": 100 * value,
                        "low": 100 * low,
                        "high": 100 * high,
                        "seeds": len(runs),
                        "sd": 100 * float(np.std(single, ddof=1)) if len(single) > 1 else None,
                        "runs": [100 * score for score in single],
                        "precision": 100 * float(np.mean([metric.precision(s) for s in sums])),
                        "recall": 100 * float(np.mean([metric.recall(s) for s in sums])),
                        "_".join(metric.columns): [s.tolist() for s in sums],
                    }
                )
    return rows


def _tests(
    config: ExperimentConfig, task: Task, split: str, systems: Mapping[str, list[Counts]], samples: int
) -> list[dict]:
    """Paired bootstrap tests between all systems by their own rules, and between all by thresholds."""
    tests = []
    for first, second in combinations(systems, 2):
        if first.endswith("+threshold") != second.endswith("+threshold"):
            continue
        for metric in task.metrics:
            for label in _labels(config):
                a, b = ([run[metric, label] for run in systems[name]] for name in (first, second))
                score = metrics.get(metric)().score
                result = paired_test(a, b, score, samples=samples, seed=config.seed)
                tests.append(
                    {
                        "split": split,
                        "class": label,
                        "metric": metric,
                        "systems": [first, second],
                        "difference": 100 * result.difference,
                        "low": 100 * result.low,
                        "high": 100 * result.high,
                        "p": result.p_value,
                    }
                )
    return tests
