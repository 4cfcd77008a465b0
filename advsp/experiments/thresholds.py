"""Thresholds on marginals: one a class for every seed of a system, and what becomes of contested positions.

They are chosen by scores on the validation split, or on folds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.decisions import Output, best_threshold, decide, thresholds_in_steps
from advsp.experiments.edges import with_edges
from advsp.experiments.grid import GridPoint, chosen_points, seeds
from advsp.experiments.jobs import DecodingJob, run_decoding
from advsp.experiments.run_folder import AVERAGE, RunFolder, seed_name
from advsp.experiments.selection import candidate_outputs
from advsp.metrics import metrics
from advsp.metrics.base import Metric
from advsp.metrics.choice import EVERY_SEED, Choice, Rule, is_by_chain, is_by_threshold
from advsp.metrics.joint import JOINT_RULES, JointRule, one_class_each
from advsp.runners.local import Local, Runner
from advsp.support.progress import Reporter


def with_thresholds(
    config: ExperimentConfig,
    run: RunFolder,
    choices: Mapping[str, Choice],
    reporter: Reporter,
    runner: Runner | None = None,
) -> dict[str, Choice]:
    """The choices, with the threshold on the marginal that scores best for every system, seed and class.

    Those chosen on folds hold for every seed, and without anything to score by there are none.  What
    becomes of positions that several classes claim by these thresholds is chosen, too.
    """
    points = chosen_points(config, choices)
    wanted = {
        name: point for name, point in points.items() if _has_thresholds(config, point, choices[name].rule)
    }
    found: dict[str, dict[str, dict[str, float]]] = {name: {} for name in choices}
    seen: dict[str, list[tuple[list[Output], dict[str, float]]]] = {name: [] for name in choices}
    decoded = []
    for name, point in wanted.items():
        if point.config.selection.folds:
            chosen = choices[name]
            by_chain = is_by_chain(chosen.rule)
            parts = candidate_outputs(config, run, point, config.seed, chosen.passes, by_chain)
            found[name][EVERY_SEED] = _best_thresholds(parts, point, config.classes)
            seen[name].append((parts, found[name][EVERY_SEED]))
        elif config.corpus.validation is not None:
            decoded += decoding_jobs(config, run, point, choices[name], config.corpus.validation)
    runner = runner or Local(config.workers)
    outputs = run_decoding(decoded, runner, reporter, "thresholds on the validation split")
    for job, said in zip(decoded, outputs):
        parts = [Output(run.instances(job.view, job.split), said)]
        found[job.system][job.seed] = _best_thresholds(parts, points[job.system], list(said))
        seen[job.system].append((parts, found[job.system][job.seed]))
    return {
        name: with_edges(
            replace(
                choice,
                thresholds=dict(sorted(found[name].items())),
                joint=_best_joint(seen[name], points[name]),
            ),
            points[name].config,
        )
        for name, choice in choices.items()
    }


def _best_joint(
    seen: Sequence[tuple[Sequence[Output], Mapping[str, float]]], point: GridPoint
) -> JointRule | None:
    """What is best done with positions that several classes claim; the first of equals.

    None where there are no thresholds, or but one class.

    Parameters
    ----------
    seen: of every seed what it says of all parts, and its thresholds.
    """
    metric = metrics.get(point.config.selection.metric)()

    def merit(rule: JointRule) -> float:
        return float(np.mean([_joint_merit(parts, thresholds, rule, metric) for parts, thresholds in seen]))

    if not seen or len(seen[0][1]) < 2:
        return None
    return max(JOINT_RULES, key=merit)


def _joint_merit(
    parts: Sequence[Output], thresholds: Mapping[str, float], rule: JointRule, metric: Metric
) -> float:
    """Merit of exclusive decisions by thresholds, of all classes together."""
    total = 0
    for part in parts:
        claimed = {
            label: decide(said, "threshold", thresholds[label]) for label, said in part.decoded.items()
        }
        marginals = {label: said.marginal for label, said in part.decoded.items()}
        joint = one_class_each(claimed, marginals, thresholds, rule)
        total = total + sum(
            metric.counts(mask, part.instances, label, part.decoded[label].begins).sum(axis=0)
            for label, mask in joint.masks.items()
        )
    return float(metric.merit(np.asarray(total)))


def _has_thresholds(config: ExperimentConfig, point: GridPoint, rule: Rule) -> bool:
    """Whether thresholds are wanted for a system and make sense there."""
    return is_by_threshold(rule) or (config.evaluation.thresholds and point.learner.probabilistic)


def _best_thresholds(parts: Sequence[Output], point: GridPoint, classes: Sequence[str]) -> dict[str, float]:
    selection = point.config.selection
    metric, thresholds = metrics.get(selection.metric)(), thresholds_in_steps(selection.threshold_step)
    return {label: best_threshold(parts, label, metric, thresholds) for label in classes}


def decoding_jobs(
    config: ExperimentConfig, run: RunFolder, point: GridPoint, choice: Choice, split: str
) -> list[DecodingJob]:
    """Decode ``split`` with every model of a system: each seed's and, of several, their average.

    Parameters
    ----------
    point: the one that was chosen, of which the models are.
    choice: with the rule they decide by.
    """
    names = [seed_name(seed) for seed in seeds(config, point.system)]
    return [
        DecodingJob(
            run=run,
            system=point.system,
            seed=seed,
            groups=tuple(point.learner.groups(config.classes)),
            view=point.view,
            split=split,
            tolerance=config.evaluation.tolerance,
            by_chain=is_by_chain(choice.rule),
        )
        for seed in ([*names, AVERAGE] if len(names) > 1 else names)
    ]
