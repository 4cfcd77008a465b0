"""Scores of a trained run: with intervals, paired tests and predictions as other programs read them.

Every number is made from counts per example, so that intervals and tests come from the same data.
The result is one JSON file beside which the tables can be made again at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.decisions import decide
from advsp.experiments.grid import chosen_points
from advsp.experiments.jobs import run_decoding
from advsp.experiments.kept_scores import check_replaceable
from advsp.experiments.learnt import learning, seconds
from advsp.experiments.run_folder import AVERAGE, TrainedRun, read_run, scores_file, times_file
from advsp.experiments.thresholds import decoding_jobs
from advsp.learners.base import Decoded
from advsp.learners.beginnings import beginnings
from advsp.metrics import metrics
from advsp.metrics.base import Metric
from advsp.metrics.bootstrap import Resampled, resampled
from advsp.metrics.choice import Choice, Rule, is_by_threshold, with_threshold
from advsp.metrics.counts import micro_average
from advsp.metrics.joint import Joint, JointRule, one_class_each
from advsp.metrics.mean import Mean, side_by_side
from advsp.metrics.scores import PairedRow, ScoreRow, Scores
from advsp.runners.local import Local, Runner
from advsp.support.arrays import Bools, Ints
from advsp.support.errors import InputError
from advsp.support.files import sha256, write_json
from advsp.support.lock import locked
from advsp.support.progress import Reporter
from advsp.support.versions import versions
from advsp.tasks import tasks
from advsp.tasks.base import ALL, MEAN, Task
from advsp.training.instances import Instances

#: (metric, class) to counts int64 [S, q] of one run.
Counts = dict[tuple[str, str], Ints]
#: (metric, class) to the scores of all runs of a system on resamples.
Resamples = Mapping[tuple[str, str], Resampled]
#: (split, system, seed) to what was said, class by class.
Said = Mapping[tuple[str, str, str], Mapping[str, Decoded]]


@dataclass(frozen=True, eq=False)
class Scored:
    """One run of one system on one split, under one prediction rule.

    Attributes
    ----------
    seed: name of the models' seed.
    instances: what was decided about; views of a split may differ in their positions.
    counts: what its scores are made of.
    claimed: class to bool [T], every class decided by itself.
    joint: the same of one class a position.
    begins: class to bool [T], whether an entity begins; empty where decisions do not say so.
    """

    seed: str
    instances: Instances
    counts: Counts
    claimed: Mapping[str, Bools]
    joint: Joint
    begins: Mapping[str, Bools]


def evaluate(
    run: Path,
    reporter: Reporter,
    bootstrap: int | None = None,
    runner: Runner | None = None,
    overwrite: bool = False,
) -> Path:
    """Score every system of a trained run on its validation and test splits.

    One that was trained on the validation split, too, has no scores of it.

    Parameters
    ----------
    run: the run's folder.
    bootstrap: number of resamples, if other than the run's configuration says.
    runner: where jobs run; by default the configuration's workers on this machine.
    overwrite: replace scores that say more than those of the run, see :mod:`~advsp.experiments.kept_scores`.

    Returns
    -------
    The file of scores, ``OUTPUT/scores/NAME.json``; ``OUTPUT/times/NAME.json`` says how many seconds the
    passes of every system took.

    Raises
    ------
    InputError: no trained run there; a corpus that changed since, where references are read from it; scores
        of another corpus or of more seeds in the place of the new ones.
    """
    trained = read_run(run)
    if not overwrite:
        check_replaceable(scores_file(trained.config), trained.config, trained.provenance.data)
    with locked(run, "wait for it"):
        return _evaluate(trained, reporter, bootstrap, runner)


def _evaluate(trained: TrainedRun, reporter: Reporter, bootstrap: int | None, runner: Runner | None) -> Path:
    """The steps of :func:`evaluate`, in a folder that no other process is in."""
    config, run = trained.config, trained.folder.path
    task = tasks.get(config.corpus.kind)(config.corpus, config.classes, config.tags, config.edges)
    if task.has_references:
        _check_unchanged(task, trained.provenance.data)
    runner = runner or Local(config.workers)
    runner.check(run)
    said = _decoded(trained, runner, reporter)
    scorer = Scorer(config, task, bootstrap or config.evaluation.bootstrap)
    rows: list[ScoreRow] = []
    tests: list[PairedRow] = []
    splits = config.corpus.splits[1:]
    progress = reporter.start("intervals and paired tests", len(splits))
    for split in splits:
        variants = _variants(trained, scorer, said, split)
        if not variants:
            progress(1)
            continue
        runs = {name: [scored.counts for scored in members] for name, members in variants.items()}
        contested = {
            name: tuple(scored.joint.contested for scored in members) for name, members in variants.items()
        }
        some = next(iter(variants.values()))[0].instances
        runs |= {name: [table] for name, table in scorer.references(split, some).items() if name not in runs}
        resamples = scorer.resamples(runs)
        rows += scorer.rows(split, runs, resamples, contested)
        tests += scorer.tests(split, resamples)
        progress(1)
        for name, members in variants.items():
            for scored in members:
                folder = trained.folder.predictions(name, scored.seed)
                task.write_predictions(
                    folder, split, scored.instances, scored.claimed, scored.joint.masks, scored.begins
                )
    reporter.stop()
    path = scores_file(config)
    scores = _all_scores(trained, rows, tests)
    # Times are no part of what is the same when it is done again.
    write_json(times_file(config), {"run": scores.run, "seconds": seconds(trained)})
    scores.write(path)
    return path


def _check_unchanged(task: Task, data: Mapping[str, str]) -> None:
    """What stands beside the systems is read from the corpus that they were trained on."""
    for name, path in task.files().items():
        if data.get(name) != sha256(path):
            raise InputError(
                "has changed since the run was trained", file=path, hint="train anew with --overwrite"
            )


def _decoded(trained: TrainedRun, runner: Runner, reporter: Reporter) -> Said:
    """What every model of every system says of every split but the training split."""
    config = trained.config
    jobs = [
        job
        for split in config.corpus.splits[1:]
        for name, point in chosen_points(config, trained.choices).items()
        if _is_scored(config, name, split)
        for job in decoding_jobs(config, trained.folder, point, trained.choices[name], split)
    ]
    outputs = run_decoding(jobs, runner, reporter, "decoding")
    return {(job.split, job.system, job.seed): said for job, said in zip(jobs, outputs)}


def _all_scores(trained: TrainedRun, rows: Sequence[ScoreRow], tests: Sequence[PairedRow]) -> Scores:
    """Scores together with what the run was made of."""
    config, provenance = trained.config, trained.provenance
    return Scores(
        name=config.name,
        table=config.table,
        fingerprint=provenance.fingerprint,
        data=provenance.data,
        versions={"train": provenance.versions, "evaluate": versions()},
        config=config.model_dump(),
        selection=trained.choices,
        rows=tuple(rows),
        tests=tuple(tests),
        learning=learning(trained),
    )


# --- systems as the tables have them ------------------------------------------------------------------


def _variants(trained: TrainedRun, scorer: Scorer, said: Said, split: str) -> dict[str, list[Scored]]:
    """System names as the tables have them, to their runs."""
    variants: dict[str, list[Scored]] = {}
    for system, config in trained.config.systems.items():
        if not _is_scored(trained.config, system, split):
            continue
        instances = trained.folder.instances(config.features.view, split)
        choice = trained.choices[system]
        models = {seed: says for (at, name, seed), says in said.items() if (at, name) == (split, system)}
        members = {
            "": [seed for seed in models if seed != AVERAGE],
            "+average": [seed for seed in models if seed == AVERAGE],
        }
        for suffix, seeds in members.items():
            for rule in _rules(choice):
                name = system + suffix + ("+threshold" if rule != choice.rule else "")
                for seed in seeds:
                    thresholds = choice.thresholds_of(seed) if is_by_threshold(rule) else {}
                    scored = scorer.scored(seed, instances, models[seed], rule, thresholds, choice.joint)
                    variants.setdefault(name, []).append(scored)
    return variants


def _is_scored(config: ExperimentConfig, system: str, split: str) -> bool:
    """Whether a system has scores of a split: it was not trained on it."""
    return split != config.corpus.validation or not config.systems[system].selection.fits_everything


def _rules(choice: Choice) -> list[Rule]:
    """The rules that a system decides by: the chosen one, and thresholds where there are any."""
    by_thresholds = choice.thresholds and not is_by_threshold(choice.rule)
    return [choice.rule, with_threshold(choice.rule)] if by_thresholds else [choice.rule]


# --- counts, scores and tests -------------------------------------------------------------------------


@dataclass(frozen=True)
class Scorer:
    """Scores decisions by the task's metrics and those that are asked for, for all classes of an experiment.

    Attributes
    ----------
    samples: number of resamples for intervals and tests.
    """

    config: ExperimentConfig
    task: Task
    samples: int

    def scored(
        self,
        seed: str,
        instances: Instances,
        said: Mapping[str, Decoded],
        rule: Rule,
        thresholds: Mapping[str, float],
        joint_rule: JointRule | None,
    ) -> Scored:
        """What models say, decided by a rule and counted."""
        claimed = {label: decide(said[label], rule, thresholds.get(label)) for label in self.config.classes}
        marginals = {label: said[label].marginal for label in claimed}
        joint = one_class_each(claimed, marginals, thresholds, joint_rule)
        begins = beginnings(said)
        counts = self._counts(instances, claimed, joint.masks, begins)
        return Scored(seed, instances, counts, claimed, joint, begins)

    def references(self, split: str, instances: Instances) -> dict[str, Counts]:
        """Counts of what stands beside the systems."""
        return {
            name: self._counts(instances, *2 * (dict.fromkeys(self.config.classes, decided),), {})
            for name, decided in self.task.references(split, instances).items()
        }

    def rows(
        self,
        split: str,
        systems: Mapping[str, Sequence[Counts]],
        resamples: Mapping[str, Resamples],
        contested: Mapping[str, tuple[int, ...]],
    ) -> Iterator[ScoreRow]:
        """One row a system, metric and class: mean over the runs, its interval, and what it is made of."""
        for name, runs in systems.items():
            for metric in self.config.metrics():
                for label in self._labels:
                    tables = [run[metric, label] for run in runs]
                    row = self._row(split, label, name, metric, tables, resamples[name][metric, label])
                    yield (
                        replace(row, contested=contested.get(name, ())) if metrics.get(metric).joint else row
                    )

    def resamples(self, systems: Mapping[str, Sequence[Counts]]) -> dict[str, Resamples]:
        """Scores of all systems on the same resamples, by metric and class."""
        return {
            name: {
                (metric, label): resampled(
                    [run[metric, label] for run in runs],
                    self._metric(metric, label).score,
                    samples=self.samples,
                    seed=self.config.seed,
                )
                for metric in self.config.metrics()
                for label in self._labels
            }
            for name, runs in systems.items()
        }

    def tests(self, split: str, resamples: Mapping[str, Resamples]) -> Iterator[PairedRow]:
        """Paired bootstrap tests between all systems by their own rules, and between all by thresholds."""
        for first, second in combinations(resamples, 2):
            if first.endswith("+threshold") != second.endswith("+threshold"):
                continue
            for metric in self.config.metrics():
                for label in self._labels:
                    result = resamples[first][metric, label].against(resamples[second][metric, label])
                    yield PairedRow(
                        split=split,
                        label=label,
                        metric=metric,
                        systems=(first, second),
                        difference=100 * result.difference,
                        low=100 * result.low,
                        high=100 * result.high,
                        p=result.p_value,
                    )

    @property
    def _labels(self) -> list[str]:
        """The classes, their micro-average, and their mean where it is asked for."""
        mean = [MEAN] if self.config.evaluation.mean else []
        return list(dict.fromkeys([*self.config.classes, ALL, *mean]))

    def _metric(self, name: str, label: str) -> Metric | Mean:
        """What scores the counts of a label."""
        metric: Metric = metrics.get(name)()
        return Mean(metric) if label == MEAN and self.config.evaluation.mean else metric

    def _counts(
        self,
        instances: Instances,
        claimed: Mapping[str, Bools],
        joint: Mapping[str, Bools],
        begins: Mapping[str, Bools],
    ) -> Counts:
        """Counts of every metric and class, and of their micro-average, per example."""
        counts: Counts = {}
        for name in self.config.metrics():
            metric = metrics.get(name)()
            masks = joint if metric.joint else claimed
            found = {
                label: metric.counts(masks[label], instances, label, begins.get(label))
                for label in self.config.classes
            }
            counts |= {(name, label): table for label, table in found.items()}
            counts[name, ALL] = micro_average(found)
            if self.config.evaluation.mean:
                counts[name, MEAN] = side_by_side(found)
        return counts

    def _row(
        self,
        split: str,
        label: str,
        system: str,
        metric_name: str,
        tables: Sequence[Ints],
        resamples: Resampled,
    ) -> ScoreRow:
        """The row of one class by one metric, from the counts [S, q] of every run."""
        metric = self._metric(metric_name, label)
        value, low, high = resamples.interval()
        sums = [table.sum(axis=0) for table in tables]
        single = [float(metric.score(counts)) for counts in sums]
        return ScoreRow(
            corpus=self.config.corpus.name,
            split=split,
            label=label,
            system=system,
            metric=metric_name,
            value=100 * value,
            low=100 * low,
            high=100 * high,
            seeds=len(tables),
            sd=100 * float(np.std(single, ddof=1)) if len(single) > 1 else None,
            runs=tuple(100 * score for score in single),
            precision=100 * float(np.mean([metric.precision(counts) for counts in sums])),
            recall=100 * float(np.mean([metric.recall(counts) for counts in sums])),
            # The counts of a mean are those of the classes.
            counted="_".join(metric.columns) if isinstance(metric, Metric) else "",
            counts=tuple(tuple(counts.tolist()) for counts in sums) if isinstance(metric, Metric) else (),
        )
