"""Committed scores are not lost by a small run in their place."""

from __future__ import annotations

from pathlib import Path

from advsp.metrics.scores import Scores

SCORES = Path("results/scores/tiny.json")


def train(command, *more):
    ended = command("train", "tiny.yaml", "--overwrite", *more)
    assert ended.code == 0
    return ended.out


def test_scores_of_more_seeds_are_replaced_on_request_alone(workspace, command):
    train(command)
    assert command("evaluate", "tiny.yaml").code == 0
    kept = SCORES.read_bytes()
    said = train(command, "--set", "runs=1")
    assert "holds scores of 2 seeds, the run has 1: advsp evaluate will ask for --overwrite" in said
    assert SCORES.read_bytes() == kept
    refused = command("evaluate", "tiny.yaml")
    assert refused.code == 2 and "holds scores of 2 seeds, the run has 1" in refused.err
    assert SCORES.read_bytes() == kept
    assert command("evaluate", "tiny.yaml", "--overwrite").code == 0
    assert max(row.seeds for row in Scores.read(SCORES).rows) == 1


def test_scores_of_another_corpus_are_replaced_on_request_alone(workspace, command):
    train(command)
    assert command("evaluate", "tiny.yaml").code == 0
    kept = SCORES.read_bytes()
    said = train(command, "--set", "corpus.sentences=4")
    assert "holds scores of another corpus" in said
    assert "holds scores of another corpus" in command("evaluate", "tiny.yaml").err
    assert SCORES.read_bytes() == kept


def test_scores_of_the_same_run_and_damaged_ones_are_replaced(workspace, command):
    said = train(command)
    assert "--overwrite" not in said
    assert command("evaluate", "tiny.yaml").code == 0
    assert command("evaluate", "tiny.yaml").code == 0
    SCORES.write_text("{}")
    assert command("evaluate", "tiny.yaml").code == 0
    assert Scores.read(SCORES).rows
