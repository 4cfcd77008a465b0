"""What is chosen: grid point, number of passes, prediction rule, thresholds.

It is chosen by scores on the validation split, or by cross-validation on the training and validation
splits together; there the counts of all held-out parts are added up and scored as one corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.folds import folded
from advsp.experiments.grid import GridPoint, chosen_points, folds, seeds, seeds_to_choose_by
from advsp.experiments.jobs import DecodingJob, run_decoding
from advsp.experiments.run_folder import AVERAGE, RunFolder, seed_name
from advsp.learners.base import Decoded
from advsp.metrics import metrics
from advsp.metrics.base import Metric
from advsp.metrics.choice import EVERY_SEED, Choice, GridRow, Rule
from advsp.metrics.joint import JOINT_RULES, JointRule, one_class_each
from advsp.runners.local import Local, Runner
from advsp.support.arrays import Bools, Ints
from advsp.support.progress import Reporter
from advsp.training.instances import Instances

#: Thresholds on the marginal tried for the rule ``threshold``; on ties the one nearest to 1/2.
THRESHOLDS = np.arange(1, 20) / 20.0


@dataclass(frozen=True, eq=False)
class Output:
    """What a system says of instances, one class after the other."""

    instances: Instances
    decoded: Mapping[str, Decoded]


# --- grid point, passes, rule -------------------------------------------------------------------------


def choose(config: ExperimentConfig, run: RunFolder, points: Sequence[GridPoint]) -> Choice:
    """The grid point, number of passes and rule of a system that score best, and all scores.

    The first of equals wins.  Without anything to score by, the one possibility there is.

    Parameters
    ----------
    points: all points of the system's grid.
    """
    first = points[0]
    selection = first.config.selection
    chosen_on = _chosen_on(config, first)
    mean = f"mean {selection.metric} over the classes" if len(config.classes) > 1 else selection.metric
    metric = f"{mean} on {chosen_on}"
    if chosen_on is None:
        return Choice(
            metric=metric,
            point=first.number,
            passes=first.candidates[-1],
            rule=selection.rules[0],
            score=None,
            options=first.options,
        )
    rows = tuple(_scored(config, run, points))
    sign = -1.0 if metrics.get(selection.metric).lower_is_better else 1.0
    best = max(rows, key=lambda row: sign * row.score)
    return Choice(
        metric=metric,
        point=best.point,
        passes=best.passes,
        rule=best.rule,
        score=best.score,
        options=best.options,
        grid=rows,
    )


def _chosen_on(config: ExperimentConfig, point: GridPoint) -> str | None:
    """What a system is chosen on, in words; None if there is nothing."""
    corpus, number = config.corpus, point.config.selection.folds
    if not number:
        return corpus.validation
    both = " and ".join(filter(None, (corpus.train, corpus.validation)))
    return f"{number} folds of {both}"


def _scored(config: ExperimentConfig, run: RunFolder, points: Sequence[GridPoint]) -> Iterator[GridRow]:
    """Mean score over classes and seeds of every grid point, number of passes and rule."""
    for point in points:
        selection = point.config.selection
        metric = metrics.get(selection.metric)()
        for passes in point.candidates:
            outputs = [
                candidate_outputs(config, run, point, seed, passes)
                for seed in seeds_to_choose_by(config, point.system)
            ]
            for rule in selection.rules:
                classes = {
                    label: float(np.mean([_score(parts, rule, label, metric) for parts in outputs]))
                    for label in config.classes
                }
                yield GridRow(
                    point=point.number,
                    options=point.options,
                    passes=passes,
                    rule=rule,
                    score=float(np.mean(list(classes.values()))),
                    classes=classes,
                )


def candidate_outputs(
    config: ExperimentConfig, run: RunFolder, point: GridPoint, seed: int, passes: int
) -> list[Output]:
    """What a candidate says of the validation split, or of every fold."""
    corpus = config.corpus
    validation = run.instances(point.view, corpus.validation) if corpus.validation else None
    outputs = []
    for fold in folds(config, point.system):
        held_out = validation
        if fold is not None:
            _, held_out = folded(run.instances(point.view, corpus.train), validation, fold)
        assert held_out is not None, "nothing is chosen without a validation split or folds"
        decoded: dict[str, Decoded] = {}
        for group in point.learner.groups(config.classes):
            job = run.job(point.system, seed, point.number, fold, group)
            decoded |= job.candidate(passes, group).decoded
        outputs.append(Output(held_out, decoded))
    return outputs


# --- decisions and their scores -----------------------------------------------------------------------


def decide(said: Decoded, rule: Rule, threshold: float | None = None) -> Bools:
    """Decisions bool [T] under a rule: ``mode``, ``marginal`` (above 1/2) or above ``threshold``."""
    if rule == "mode":
        return said.mode
    if rule == "marginal":
        threshold = 0.5
    assert threshold is not None, "the rule threshold needs one"
    decided: Bools = said.marginal > threshold
    return decided


def _score(parts: Sequence[Output], rule: Rule, label: str, metric: Metric) -> float:
    """The score of one class over all parts; by the rule ``threshold`` that of the best one."""
    threshold = best_threshold(parts, label, metric) if rule == "threshold" else None
    return float(metric.score(_sums(parts, rule, threshold, label, metric)))


def _sums(parts: Sequence[Output], rule: Rule, threshold: float | None, label: str, metric: Metric) -> Ints:
    """Counts [q] of one class, summed over all parts."""
    counts = []
    for part in parts:
        said = part.decoded[label]
        counts.append(metric.counts(decide(said, rule, threshold), part.instances, label, said.begins))
    sums: Ints = np.sum([table.sum(axis=0) for table in counts], axis=0)
    return sums


def best_threshold(parts: Sequence[Output], label: str, metric: Metric) -> float:
    """The threshold on the marginal that scores best; of equals the one nearest to 1/2."""
    merits = [metric.merit(_sums(parts, "threshold", t, label, metric)) for t in THRESHOLDS]
    best = max(zip(merits, -np.abs(THRESHOLDS - 0.5), THRESHOLDS))
    return round(float(best[2]), 2)


# --- thresholds ---------------------------------------------------------------------------------------


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
            parts = candidate_outputs(config, run, point, config.seed, choices[name].passes)
            found[name][EVERY_SEED] = _best_thresholds(parts, point, config.classes)
            seen[name].append((parts, found[name][EVERY_SEED]))
        elif config.corpus.validation is not None:
            decoded += decoding_jobs(config, run, point, config.corpus.validation)
    runner = runner or Local(config.workers)
    outputs = run_decoding(decoded, runner, reporter, "thresholds on the validation split")
    for job, said in zip(decoded, outputs):
        parts = [Output(run.instances(job.view, job.split), said)]
        found[job.system][job.seed] = _best_thresholds(parts, points[job.system], list(said))
        seen[job.system].append((parts, found[job.system][job.seed]))
    return {
        name: replace(
            choice,
            thresholds=dict(sorted(found[name].items())),
            joint=_best_joint(seen[name], points[name]),
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
    return rule == "threshold" or (config.evaluation.thresholds and point.learner.probabilistic)


def _best_thresholds(parts: Sequence[Output], point: GridPoint, classes: Sequence[str]) -> dict[str, float]:
    metric = metrics.get(point.config.selection.metric)()
    return {label: best_threshold(parts, label, metric) for label in classes}


def decoding_jobs(
    config: ExperimentConfig, run: RunFolder, point: GridPoint, split: str
) -> list[DecodingJob]:
    """Decode ``split`` with every model of a system: each seed's and, of several, their average.

    Parameters
    ----------
    point: the one that was chosen, of which the models are.
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
        )
        for seed in ([*names, AVERAGE] if len(names) > 1 else names)
    ]
