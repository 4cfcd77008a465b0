"""Scores made by hand, of which nothing matters but what is said of them."""

from __future__ import annotations

from advsp.metrics.scores import ScoreRow, Scores


def score_row(**keys) -> ScoreRow:
    """A score of one run with an interval of a width of six."""
    value = keys.get("value", 40.0)
    given = {
        "corpus": "conll_300",
        "split": "testa",
        "label": "PER",
        "system": "CRF",
        "metric": "token_f1",
        "value": value,
        "low": value - 3.0,
        "high": value + 3.0,
        "seeds": 1,
        "sd": None,
    }
    return ScoreRow(**(given | keys))


def scores_of(name: str, fingerprint: str, *rows: ScoreRow) -> Scores:
    """The scores of a run."""
    return Scores(
        name=name, table="table3", fingerprint=fingerprint, data={}, versions={}, config={}, rows=rows
    )
