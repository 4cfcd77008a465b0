"""The examples of a split that are the hardest for a system: its loss of each, beside the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advsp.engine.measures.counts import CountScore
from advsp.experiments.system_in_use import SystemInUse
from advsp.learners.beginnings import beginnings
from advsp.metrics import metrics
from advsp.support.progress import Progress
from advsp.training.instances import Instances
from advsp.training.objective import Loss


@dataclass(frozen=True)
class Hard:
    """An example.

    Attributes
    ----------
    number: of the example in its split, from 1.
    loss: of all its games together, or its log-loss or margin: what training makes small.
    guaranteed: mean over its games of value plus potential of the gold labelling; None without games of a
        score.  The adversary may play what is right: the predictor's expected score on it is at least that.
    score: of the system's decision, by what it was chosen by; NaN where there is nothing to score.
    """

    number: int
    loss: float
    guaranteed: float | None
    score: float


def hardest(system: SystemInUse, instances: Instances, number: int, progress: Progress) -> list[Hard]:
    """The ``number`` examples of greatest loss, descending.

    Parameters
    ----------
    progress: told of every example and model.
    """
    tolerance = system.run.config.evaluation.tolerance
    losses = np.zeros(len(instances))
    games = 0
    for model in system.models:
        linear = model.learner.model(instances)
        played = model.learner.games(linear, model.classes, model.engine.exact())
        loss: Loss = played or model.learner.loss(linear, model.classes, model.engine.exact())
        if played is not None:
            games += sum(isinstance(spec.score, CountScore) for spec in played.specs)
        potentials = linear.all_potentials(model.weights)
        for example in range(len(instances)):
            found = loss.evaluate(example, potentials[linear.rows(example)], tolerance)
            losses[example] += found.attained
            progress(1)
    scores = _scores(system, instances)
    order = np.argsort(-losses, kind="stable")[:number].tolist()
    return [
        Hard(
            example + 1,
            float(losses[example]),
            float(-losses[example] / games) if games else None,
            float(scores[example]),
        )
        for example in order
    ]


def _scores(system: SystemInUse, instances: Instances) -> Sequence[float]:
    """The score of every example, all classes together."""
    metric = metrics.get(system.point.config.selection.metric)()
    said = system.decode(instances)
    claims, begins = system.claims(said), beginnings(said)
    counts = np.sum(
        [metric.counts(mask, instances, label, begins.get(label)) for label, mask in claims.items()], axis=0
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = metric.score(counts)
    nothing = ~counts.any(axis=1)
    found: list[float] = np.where(nothing, np.nan, scores).tolist()
    return found
