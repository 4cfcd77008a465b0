"""Scores that are there already: what says more than a new run could is not replaced without a word."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from advsp.experiments.config import ExperimentConfig
from advsp.metrics.scores import Scores
from advsp.support.errors import InputError
from advsp.support.words import counted


def what_would_be_lost(path: Path, config: ExperimentConfig, data: Mapping[str, str]) -> str | None:
    """What a file of scores has that those of a run would not have: another corpus, or more seeds.

    Parameters
    ----------
    path: where the run's scores would be kept.
    config, data: of the run, and the checksums of what it reads.

    Returns
    -------
    One clause; None where nothing would be lost, or no scores can be read there.
    """
    try:
        kept = Scores.read(path)
    except InputError:
        return None
    mine = json.loads(json.dumps(config.corpus.model_dump()))
    its = kept.config.get("corpus")
    same = isinstance(its, Mapping) and {**its, "path": mine["path"]} == mine
    # Files that aligners make may differ from machine to machine; the text and its links are the same.
    if not same or not any(data.get(name) == checksum for name, checksum in kept.data.items()):
        return "scores of another corpus"
    seeds = max((row.seeds for row in kept.rows), default=0)
    mine_at_most = max(system.runs for system in config.systems.values())
    if seeds > mine_at_most:
        return f"scores of {counted(seeds, 'seed')}, the run has {mine_at_most}"
    return None


def check_replaceable(path: Path, config: ExperimentConfig, data: Mapping[str, str]) -> None:
    """Scores may be written where nothing would be lost.

    Raises
    ------
    InputError: see :func:`what_would_be_lost`.
    """
    lost = what_would_be_lost(path, config, data)
    if lost is not None:
        hint = "--overwrite replaces them; --set output=DIR, or another name, keeps both"
        raise InputError(f"holds {lost}", file=path, hint=hint)
