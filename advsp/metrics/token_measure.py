"""Measures of games as metrics of corpora: all tokens of a corpus together are one long labelling."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure
from advsp.engine.measures.fbeta import FBeta
from advsp.metrics import metrics
from advsp.metrics.base import Metric
from advsp.metrics.counts import precision, recall
from advsp.metrics.token import token_counts
from advsp.support.arrays import Bools, Floats, Ints, Numbers
from advsp.support.errors import InputError
from advsp.training.instances import ChainInstances, Instances

#: How the names of these metrics begin; the name of the measure follows, or F and its beta.
PREFIX = "token_"
_F_BETA = re.compile(r"f(\d+(\.\d+)?)")


class TokenMeasure(Metric):
    """A measure of the tokens of a class, from counts (tp, fp, fn, tn).

    What a measure prescribes for one labelling, such as a number of positives, plays no part in a corpus.

    Attributes
    ----------
    measure: how hits and counts make the score.
    """

    columns = ("tp", "fp", "fn", "tn")
    measure: CountMeasure

    def counts(self, decided: Bools, instances: Instances, label: str, begins: Bools | None = None) -> Ints:
        assert isinstance(instances, ChainInstances)
        gold = instances.is_of(label)
        found = token_counts(decided, gold, instances.offsets)
        return np.column_stack([found, np.diff(instances.offsets) - found.sum(axis=1)])

    def score(self, sums: Numbers) -> Floats:
        tp, fp, fn, tn = np.moveaxis(np.asarray(sums), -1, 0)
        weights, offsets = self.measure.defined(tp + fp, tp + fn, tp + fp + fn + tn)
        score: Floats = tp * weights + offsets
        return score

    def precision(self, sums: Numbers) -> Floats:
        return precision(*np.moveaxis(np.asarray(sums)[..., :3], -1, 0))

    def recall(self, sums: Numbers) -> Floats:
        return recall(*np.moveaxis(np.asarray(sums)[..., :3], -1, 0))


@metrics.derive
@cache
def token_measure(name: str) -> type[TokenMeasure] | None:
    """The metric called ``token_`` and a registered measure, or F and its beta as in ``token_f2``.

    None if there is none; links have no tokens.
    """
    if not name.startswith(PREFIX):
        return None
    measure = _measure(name.removeprefix(PREFIX))
    if measure is None:
        return None
    return type("TokenMeasure", (TokenMeasure,), {"measure": measure, "__doc__": f"{measure} over tokens."})


def _measure(name: str) -> CountMeasure | None:
    if (found := _F_BETA.fullmatch(name)) is not None and float(found[1]) > 0:
        return FBeta(float(found[1]))
    try:
        kind = measures.get(name)
    except InputError:
        return None
    return kind.of_corpora() if issubclass(kind, CountMeasure) and not kind.links_only else None


def names() -> list[str]:
    """Names of the metrics that registered measures are."""
    return [PREFIX + name for name in measures if _measure(name) is not None]
