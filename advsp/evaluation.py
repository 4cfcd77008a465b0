"""Scores of a trained run: token and entity F1 with intervals, paired tests, predictions as columns.

Every number is made from counts per sentence, so that intervals and tests come from the same data.
The result is one JSON file beside which the tables can be made again at any time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from advsp.config import ExperimentConfig
from advsp.corpora.conll import write_columns
from advsp.files import write_json
from advsp.instances import ChainInstances
from advsp.jobs import run_decoding
from advsp.learners.base import Decoded
from advsp.metrics.bootstrap import interval, paired_test
from advsp.metrics.counts import f_score, micro_average, precision, recall
from advsp.metrics.entity import entity_counts
from advsp.metrics.token import token_counts
from advsp.reporter import Reporter
from advsp.runs import load_instances, read_run, versions
from advsp.selection import AVERAGE, decide, decoding_jobs

#: Class name of the micro-average over the classes.
ALL = "all"
METRICS = ("token_f1", "entity_f1")

#: (metric, class) to counts int64 [S, 3] of one run.
Counts = dict[tuple[str, str], np.ndarray]


@dataclass(frozen=True)
class Scored:
    """One run of one system on one split, under one prediction rule.

    Attributes
    ----------
    seed: name of the run's folder of models.
    counts: what its scores are made of.
    ranked: class to float [T], the marginal where the class was decided and -1 elsewhere.
    """

    seed: str
    counts: Counts
    ranked: dict[str, np.ndarray]


def evaluate(run: Path, reporter: Reporter, bootstrap: int | None = None) -> Path:
    """Score every system of a trained run on its validation and test splits.

    Parameters
    ----------
    run: the run's folder.
    bootstrap: number of resamples, if other than the run's configuration says.

    Returns
    -------
    The file of scores, ``OUTPUT/scores/NAME.json``.

    Raises
    ------
    InputError: no trained run there.
    """
    config, provenance, selection = read_run(run)
    splits = config.corpus.splits[1:]
    instances = {split: load_instances(run / "instances" / f"{split}.npz") for split in splits}
    jobs = [job for split in splits for job in decoding_jobs(config, run, split)]
    outputs = run_decoding(jobs, config, instances, reporter, "decoding")
    decoded = {(job.split, job.system, job.seed): said for job, said in zip(jobs, outputs)}
    samples = bootstrap or config.evaluation.bootstrap
    rows, tests = [], []
    tick = reporter.start("intervals and paired tests", len(splits))
    for split in splits:
        variants = _variants(config, selection, decoded, split, instances[split])
        counts = {name: [run.counts for run in runs] for name, runs in variants.items()}
        rows += _rows(config, split, counts, samples)
        tests += _tests(config, split, counts, samples)
        tick(1)
        for name, runs in variants.items():
            for scored in runs:
                path = run / "predictions" / name / scored.seed / f"{split}.conll"
                write_predictions(path, instances[split], scored.ranked)
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


def _variants(
    config: ExperimentConfig,
    selection: Mapping[str, Any],
    decoded: Mapping[tuple[str, str, str], dict[str, Decoded]],
    split: str,
    instances: ChainInstances,
) -> dict[str, list[Scored]]:
    """System names as the tables have them, to their runs."""
    variants: dict[str, list[Scored]] = {}
    for system in config.systems:
        choice = selection[system]
        runs = {seed: said for (at, name, seed), said in decoded.items() if (at, name) == (split, system)}
        members = {
            "": [seed for seed in runs if seed != AVERAGE],
            "+average": [seed for seed in runs if seed == AVERAGE],
        }
        for suffix, seeds in members.items():
            for rule in (choice["rule"], "threshold") if choice["thresholds"] else (choice["rule"],):
                name = system + suffix + ("+threshold" if rule == "threshold" else "")
                for seed in seeds:
                    thresholds, said = choice["thresholds"].get(seed, {}), runs[seed]
                    masks = {
                        label: decide(said[label], rule, thresholds.get(label)) for label in config.classes
                    }
                    ranked = {
                        label: np.where(mask, said[label].marginal, -1.0) for label, mask in masks.items()
                    }
                    scored = Scored(seed, _counts(config, instances, masks), ranked)
                    variants.setdefault(name, []).append(scored)
    return variants


def _counts(config: ExperimentConfig, instances: ChainInstances, masks: Mapping[str, np.ndarray]) -> Counts:
    """Counts of every metric and class, and of their micro-average, per sentence."""
    counts: Counts = {}
    token, entity = {}, {}
    for label in config.classes:
        mask = masks[label]
        token[label] = token_counts(
            mask, instances.tags == instances.tag_names.index(label), instances.offsets
        )
        tags = np.where(mask, f"I-{label}", "O").tolist()
        predicted = [tags[instances.rows(s)] for s in range(len(instances))]
        entity[label] = entity_counts(predicted, instances.gold, [label])[label]
    for metric, tables in zip(METRICS, (token, entity)):
        counts |= {(metric, label): table for label, table in tables.items()}
        counts[metric, ALL] = micro_average(tables)
    return counts


def _f1(sums: np.ndarray) -> np.ndarray:
    return f_score(*sums.T)


def _rows(
    config: ExperimentConfig, split: str, systems: Mapping[str, list[Counts]], samples: int
) -> list[dict]:
    """One row a system, class and metric: mean over the runs, its interval, and what it is made of."""
    rows = []
    for name, runs in systems.items():
        for metric in METRICS:
            for label in (*config.classes, ALL):
                tables = [run[metric, label] for run in runs]
                value, low, high = interval(tables, _f1, samples=samples, seed=config.seed)
                sums = [table.sum(axis=0) for table in tables]
                single = [float(f_score(*s)) for s in sums]
                rows.append(
                    {
                        "corpus": config.corpus.name,
                        "split": split,
                        "class": label,
                        "system": name,
                        "metric": metric,
                        "value": 100 * value,
                        "low": 100 * low,
                        "high": 100 * high,
                        "seeds": len(runs),
                        "sd": 100 * float(np.std(single, ddof=1)) if len(single) > 1 else None,
                        "runs": [100 * score for score in single],
                        "precision": 100 * float(np.mean([precision(*s) for s in sums])),
                        "recall": 100 * float(np.mean([recall(*s) for s in sums])),
                        "tp_fp_fn": [s.tolist() for s in sums],
                    }
                )
    return rows


def _tests(
    config: ExperimentConfig, split: str, systems: Mapping[str, list[Counts]], samples: int
) -> list[dict]:
    """Paired bootstrap tests between all systems by their own rules, and between all by thresholds."""
    tests = []
    for first, second in combinations(systems, 2):
        if first.endswith("+threshold") != second.endswith("+threshold"):
            continue
        for metric in METRICS:
            for label in (*config.classes, ALL):
                a, b = ([run[metric, label] for run in systems[name]] for name in (first, second))
                result = paired_test(a, b, _f1, samples=samples, seed=config.seed)
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


def write_predictions(path: Path, instances: ChainInstances, ranked: Mapping[str, np.ndarray]) -> None:
    """Write predictions as CoNLL columns: word, one column a class, gold tag, predicted tag.

    The class columns hold what is scored.  The last column is one tag a token, as scorers expect:
    where several classes claim a token the one with the highest marginal has it.

    Parameters
    ----------
    ranked: as in :class:`Scored`.
    """
    labels = list(ranked)
    table = np.stack([ranked[label] for label in labels])
    best, claimed = table.argmax(axis=0), (table >= 0.0).any(axis=0)
    rows = []
    for sentence in range(len(instances)):
        lines = []
        first = int(instances.offsets[sentence])
        for t, (word, gold) in enumerate(zip(instances.words[sentence], instances.gold[sentence]), first):
            columns = [f"I-{label}" if ranked[label][t] >= 0.0 else "O" for label in labels]
            single = f"I-{labels[best[t]]}" if claimed[t] else "O"
            lines.append((word, *columns, gold, single))
        rows.append(lines)
    write_columns(path, rows)
