"""The same settings on other training sentences: whether differences are those of one sample.

Every system is trained with what was chosen for it on the first sentences, on sentences behind them.  All of
the validation split is decided, by thresholds that are chosen on its other half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.decisions import Output, best_threshold, decide, thresholds_in_steps
from advsp.experiments.grid import chosen_points
from advsp.experiments.jobs import run_decoding
from advsp.experiments.run_folder import AVERAGE, read_run
from advsp.experiments.thresholds import decoding_jobs
from advsp.experiments.train import train
from advsp.learners.base import Decoded
from advsp.metrics import metrics
from advsp.metrics.scores import Scores
from advsp.runners.local import Local
from advsp.support.progress import Reporter
from advsp.support.versions import versions
from advsp.tasks.tagging import ConllSection
from advsp.training.instances import Instances
from equality.runs import best_rival, config_of, scores_of

#: Blocks of training sentences to how many other samples of their size are tried.
SAMPLES = {"1000": 5, "3000": 3}
#: Seeds whose weights are averaged.
SEEDS = 3


def replicate(block: str, command: str, reporter: Reporter) -> dict[str, Any]:
    """Train on all other samples of a block; scores by sample and system, and what they are made of."""
    config, scores = config_of(block), scores_of(block)
    samples = [_scores(_fixed(config, scores, sample), reporter) for sample in range(1, SAMPLES[block] + 1)]
    return {
        "command": command,
        "fingerprint": scores.fingerprint,
        "data": scores.data,
        "versions": versions(),
        "seeds": SEEDS,
        "rival": best_rival(dict(scores.selection)),
        "samples": samples,
    }


def _fixed(config: ExperimentConfig, scores: Scores, sample: int) -> ExperimentConfig:
    """Every system as it was chosen, on the training sentences of another sample."""
    given = config.model_dump()
    number = given["corpus"]["sentences"]
    given |= {"name": f"{config.name}-sample{sample}", "runs": SEEDS}
    given["corpus"] |= {
        "skip": sample * number,
        "validation": {"split": _split(config)},
        "test": [],
        "parts": {},
    }
    for name, point in chosen_points(config, scores.selection).items():
        choice, system = scores.selection[name], point.config.model_dump()
        system["optimiser"]["passes"] = choice.passes
        system["selection"] |= {"grid": {}, "passes": [], "rules": [choice.rule], "runs": 1}
        system["runs"] = min(SEEDS, system["runs"])
        given["systems"][name] = system
    return ExperimentConfig.model_validate(given)


def _split(config: ExperimentConfig) -> str:
    """The whole split that systems are chosen on some sentences of."""
    corpus = config.corpus
    assert isinstance(corpus, ConllSection) and corpus.validation is not None
    return corpus.part(corpus.validation).split


def _scores(config: ExperimentConfig, reporter: Reporter) -> dict[str, dict[str, float]]:
    """Mean and micro-averaged token F1 of every system on the validation split, by crossed thresholds."""
    run = read_run(train(config, reporter, resume=True))
    split = config.corpus.validation
    assert split is not None, "systems are chosen on a validation split"
    jobs = []
    for name, point in chosen_points(config, run.choices).items():
        jobs.append(decoding_jobs(config, run.folder, point, run.choices[name], split)[-1])
        assert jobs[-1].seed == AVERAGE or config.systems[name].runs == 1
    said = run_decoding(jobs, Local(config.workers), reporter, "decoding")
    step = config.selection.threshold_step
    return {
        job.system: crossed(run.folder.instances(job.view, split), found, config.classes, step)
        for job, found in zip(jobs, said, strict=True)
    }


def crossed(
    instances: Instances, said: Mapping[str, Decoded], classes: Sequence[str], step: float
) -> dict[str, float]:
    """Token F1 in percent, mean over classes and micro-average; each half has the other's thresholds."""
    metric, levels = metrics.get("token_f1")(), thresholds_in_steps(step)
    half = len(instances) // 2
    halves = [np.arange(half), np.arange(half, len(instances))]
    counts = {}
    for label in classes:
        parts = [_part(instances, said[label], examples) for examples in halves]
        sums = np.zeros(len(metric.columns), dtype=np.int64)
        for own, other in (parts, parts[::-1]):
            threshold = best_threshold([Output(other[0], {label: other[1]})], label, metric, levels)
            decided = decide(own[1], "threshold", threshold)
            sums += metric.counts(decided, own[0], label, own[1].begins).sum(axis=0)
        counts[label] = sums
    mean = np.mean([metric.score(sums) for sums in counts.values()])
    together = metric.score(np.sum(list(counts.values()), axis=0))
    return {"mean": 100.0 * float(mean), "all": 100.0 * float(together)}


def _part(instances: Instances, said: Decoded, examples: Any) -> tuple[Instances, Decoded]:
    """Some examples, and what is said of them."""
    rows = np.concatenate([np.arange(instances.offsets[e], instances.offsets[e + 1]) for e in examples])
    begins = None if said.begins is None else said.begins[rows]
    return instances.take(examples), Decoded(said.mode[rows], said.marginal[rows], begins)


def differences(found: Mapping[str, Any], other: str | None = None) -> dict[str, tuple[float, float]]:
    """Mean difference of every system from another one over the samples, and its standard error.

    Parameters
    ----------
    other: the best rival by default.
    """
    rival, samples = other or found["rival"], found["samples"]
    result = {}
    for system in samples[0]:
        if system != rival:
            values = np.array([sample[system]["mean"] - sample[rival]["mean"] for sample in samples])
            result[system] = float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
    return result


def blocks_file(block: str, root: Path = Path(".")) -> Path:
    """Where the scores of other samples are kept."""
    return root / f"results/equal/samples{block}.json"
