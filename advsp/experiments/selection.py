"""What is chosen: grid point, number of passes, prediction rule, thresholds.

It is chosen by scores on the validation split, or by cross-validation on the training and validation
splits together; there the counts of all held-out parts are added up and scored as one corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.decisions import Output, score, thresholds_in_steps
from advsp.experiments.folds import folded
from advsp.experiments.grid import GridPoint, folds, seeds_to_choose_by
from advsp.experiments.recipe import Recipe
from advsp.experiments.run_folder import RunFolder
from advsp.learners.base import Decoded
from advsp.learners.by_chain import by_chain
from advsp.metrics import metrics
from advsp.metrics.choice import Choice, GridRow, Rule, is_by_chain
from advsp.runners.local import Local, Runner
from advsp.support.progress import Progress, Reporter, no_progress

#: Score of one class by one rule.
Scores = dict[tuple[Rule, str], float]


def choose(
    config: ExperimentConfig,
    run: RunFolder,
    points: Sequence[GridPoint],
    reporter: Reporter,
    runner: Runner | None = None,
) -> Choice:
    """The grid point, number of passes and rule of a system that score best, and all scores.

    The first of equals wins.  Without anything to score by, the one possibility there is.

    Parameters
    ----------
    points: all points of the system's grid.
    runner: where candidates are decoded anew; by default the configuration's workers on this machine.
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
    rows = tuple(_scored(config, run, points, reporter, runner or Local(config.workers)))
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


@dataclass(frozen=True)
class ScoringJob:
    """Score a candidate by every rule of its system, class by class."""

    config: ExperimentConfig
    run: RunFolder
    point: GridPoint
    seed: int
    passes: int


def run_scoring_job(job: ScoringJob, progress: Progress = no_progress) -> Scores:
    """The scores of a candidate between 0 and 1; a threshold is the best for each."""
    selection = job.point.config.selection
    metric, thresholds = metrics.get(selection.metric)(), thresholds_in_steps(selection.threshold_step)
    found: Scores = {}
    for chain in dict.fromkeys(map(is_by_chain, selection.rules)):
        parts = candidate_outputs(job.config, job.run, job.point, job.seed, job.passes, chain)
        for rule in selection.rules:
            if is_by_chain(rule) == chain:
                for label in job.config.classes:
                    found[rule, label] = score(parts, rule, label, metric, thresholds)
    progress(1)
    return found


def _scored(
    config: ExperimentConfig, run: RunFolder, points: Sequence[GridPoint], reporter: Reporter, runner: Runner
) -> Iterator[GridRow]:
    """Mean score over classes and seeds of every grid point, number of passes and rule."""
    jobs = [
        ScoringJob(config, run, point, seed, passes)
        for point in points
        for passes in point.candidates
        for seed in seeds_to_choose_by(config, point.system)
    ]
    scores = _run_scoring(jobs, reporter, runner)
    for point in points:
        for passes in point.candidates:
            found = [scores[point.number, passes, s] for s in seeds_to_choose_by(config, point.system)]
            for rule in point.config.selection.rules:
                classes = {
                    label: float(np.mean([one[rule, label] for one in found])) for label in config.classes
                }
                yield GridRow(
                    point=point.number,
                    options=point.options,
                    passes=passes,
                    rule=rule,
                    score=float(np.mean(list(classes.values()))),
                    classes=classes,
                )


def _run_scoring(
    jobs: Sequence[ScoringJob], reporter: Reporter, runner: Runner
) -> dict[tuple[int, int, int], Scores]:
    """Scores by the number of the point, passes and seed.

    What was kept while training is scored here; what is to be decoded anew, where ``runner`` says.
    """
    anew = any(_is_decoded_anew(job.point, is_by_chain(rule)) for job in jobs for rule in _rules(job))
    if not anew or runner.remote:
        found = dict(enumerate(map(run_scoring_job, jobs)))
    else:
        progress = reporter.start("candidates by the chain's own distribution", len(jobs))
        try:
            found = dict(runner.run(run_scoring_job, jobs, progress))
        finally:
            reporter.stop()
    return {(job.point.number, job.passes, job.seed): found[number] for number, job in enumerate(jobs)}


def _rules(job: ScoringJob) -> list[Rule]:
    return job.point.config.selection.rules


def _is_decoded_anew(point: GridPoint, chain: bool) -> bool:
    """Whether what a candidate kept of what is held out was not decided by the distribution asked for."""
    return chain and by_chain(point.learner) is not point.learner


def candidate_outputs(
    config: ExperimentConfig, run: RunFolder, point: GridPoint, seed: int, passes: int, chain: bool = False
) -> list[Output]:
    """What a candidate says of the validation split, or of every fold.

    Parameters
    ----------
    chain: by the chain's own distribution, of class models summed.
    """
    corpus = config.corpus
    validation = run.instances(point.view, corpus.validation) if corpus.validation else None
    outputs = []
    for fold in folds(config, point.system):
        held_out = validation
        if fold is not None:
            _, held_out = folded(run.instances(point.view, corpus.train), validation, fold)
        assert held_out is not None, "nothing is chosen without a validation split or folds"
        learner = point.learner
        kept = {
            group: run.job(point.system, seed, point.number, fold, group)
            for group in learner.groups(config.classes)
        }
        if _is_decoded_anew(point, chain):
            recipe = replace(Recipe.of(point.config, tuple(config.classes)), learner=by_chain(learner))
            weights = np.sum([job.candidate(passes).weights for job in kept.values()], axis=0)
            decoded: dict[str, Decoded] = recipe.decode(held_out, weights, config.evaluation.tolerance)
        else:
            decoded = {}
            for group, job in kept.items():
                decoded |= job.candidate(passes, group).decoded
        outputs.append(Output(held_out, decoded))
    return outputs
