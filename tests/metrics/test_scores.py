"""Files of scores: every committed one comes back to the byte; what is missing in one is named."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from made_scores import score_row
from places import ROOT

from advsp.metrics import metrics
from advsp.metrics.choice import Choice
from advsp.metrics.scores import PairedRow, Scores
from advsp.support.errors import InputError

COMMITTED = sorted(
    path
    for folder in ("results/scores", "results/published/scores")
    for path in (ROOT / folder).glob("*.json")
)
ROW = score_row(
    runs=(39.0, 41.0),
    seeds=2,
    sd=1.5,
    precision=45.0,
    recall=36.0,
    counted="tp_fp_fn",
    counts=((4, 5, 6), (5, 4, 6)),
)
TEST = PairedRow(
    split="testa",
    label="PER",
    metric="token_f1",
    systems=("CRF", "ADV_f1"),
    difference=-2.5,
    low=-5.0,
    high=0.5,
    p=0.25,
)
SCORES = Scores(
    name="tiny",
    table="table3",
    fingerprint="0123456789ab",
    data={"train.conll": "a" * 64},
    versions={"train": {"numpy": "2.0"}, "evaluate": {"numpy": "2.1"}},
    config={"evaluation": {"display": "rounded"}, "classes": ["PER"]},
    selection={"CRF": Choice("token_f1 on testa", 0, 2, "mode", 0.5, {})},
    rows=(ROW,),
    tests=(TEST,),
)


# --- there and back -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.stem)
def test_committed_scores_come_back_to_the_byte(path, tmp_path):
    Scores.read(path).write(tmp_path / path.name)
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_there_are_committed_scores_of_all_tables_and_with_every_part():
    found = [Scores.read(path) for path in COMMITTED]
    assert {scores.table for scores in found} == {"table2", "table3", "equal"}
    assert all(scores.rows and scores.selection for scores in found)
    assert any(scores.tests for scores in found)
    counted = {row.counted for scores in found for row in scores.rows if row.label != "mean"}
    assert counted == {
        "tp_fp_fn",
        "hits_sure_hits_possible_predicted_sure",
    }
    choices = [choice for scores in found for choice in scores.selection.values()]
    assert any(choice.grid and choice.options for choice in choices)
    assert any(choice.thresholds for choice in choices)


def test_scores_come_back_as_they_were(tmp_path):
    SCORES.write(tmp_path / "tiny.json")
    assert Scores.read(tmp_path / "tiny.json") == SCORES


def test_scores_of_a_run_are_read_as_they_were_written(finished):
    path = finished / "results/scores/tiny.json"
    scores = Scores.read(path)
    assert json.loads(path.read_text()) == json.loads(json.dumps(scores.to_json()))
    assert list(scores.selection) == ["CRF", "ADV_f1"]
    assert {len(row.runs) for row in scores.rows} == {1, 2}
    for row in scores.rows:
        assert row.seeds == len(row.runs) == len(row.counts)


def test_class_is_what_the_file_calls_a_label():
    for record in (ROW, TEST):
        assert record.to_json()["class"] == record.label
        assert "label" not in record.to_json()


def test_run_is_named_by_its_fingerprint_and_described_by_what_it_was_made_of():
    assert SCORES.run == "tiny@0123456789ab"
    assert list(SCORES.origin) == ["name", "fingerprint", "data", "versions", "config"]
    assert all(SCORES.origin[key] == SCORES.to_json()[key] for key in SCORES.origin)


@pytest.mark.parametrize(
    ("config", "truncated"),
    [
        ({"evaluation": {"display": "truncated"}}, True),
        ({"evaluation": {"display": "rounded"}}, False),
        ({}, False),
    ],
)
def test_display_is_what_the_configuration_says(config, truncated):
    assert replace(SCORES, config=config).truncated == truncated


# --- what is refused ------------------------------------------------------------------------------

HINT = "(make it with `advsp evaluate`)"


def refusal(path: Path, value) -> str:
    path.write_text(json.dumps(value))
    with pytest.raises(InputError) as raised:
        Scores.read(path)
    return str(raised.value)


@pytest.mark.parametrize("value", [[], 7, {}, {"name": "tiny"}])
def test_file_of_something_else_holds_no_scores(tmp_path, value):
    path = tmp_path / "tiny.json"
    assert refusal(path, value) == f"{path}: holds no scores {HINT}"


#: What tables can do without.
SPARE = {"runs", "precision", "recall", "tp_fp_fn", "selection", "tests"}


@pytest.mark.parametrize("key", sorted(set(SCORES.to_json()) - SPARE - {"rows"}))
def test_part_that_is_missing_is_named(tmp_path, key):
    path = tmp_path / "tiny.json"
    kept = {name: value for name, value in SCORES.to_json().items() if name != key}
    assert refusal(path, kept) == f"{path}: {key}: is missing {HINT}"


@pytest.mark.parametrize("key", sorted(set(ROW.to_json()) - SPARE))
def test_field_of_a_score_that_is_missing_is_named(tmp_path, key):
    path = tmp_path / "tiny.json"
    row = {name: value for name, value in ROW.to_json().items() if name != key}
    said = refusal(path, SCORES.to_json() | {"rows": [ROW.to_json(), row]})
    assert said == f"{path}: rows.1.{key}: is missing {HINT}"


@pytest.mark.parametrize("key", sorted(TEST.to_json()))
def test_field_of_a_test_that_is_missing_is_named(tmp_path, key):
    path = tmp_path / "tiny.json"
    test = {name: value for name, value in TEST.to_json().items() if name != key}
    assert refusal(path, SCORES.to_json() | {"tests": [test]}) == f"{path}: tests.0.{key}: is missing {HINT}"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"value": 40}, "rows.0.value: found 40, expected a number with a decimal point"),
        ({"seeds": "2"}, "rows.0.seeds: found '2', expected a whole number"),
        ({"tp_fp_fn": [4, 5, 6]}, "rows.0.tp_fp_fn.0: found 4, expected a list"),
        ({"comment": "mine"}, "rows.0.comment: unknown field"),
    ],
)
def test_field_of_another_kind_is_named(tmp_path, change, said):
    path = tmp_path / "tiny.json"
    assert refusal(path, SCORES.to_json() | {"rows": [ROW.to_json() | change]}) == f"{path}: {said} {HINT}"


def test_unknown_part_is_named(tmp_path):
    path = tmp_path / "tiny.json"
    assert refusal(path, SCORES.to_json() | {"comment": 1}) == f"{path}: comment: unknown field {HINT}"


def test_what_tables_can_do_without_may_be_missing(tmp_path):
    path = tmp_path / "tiny.json"
    row = {name: value for name, value in ROW.to_json().items() if name not in SPARE}
    kept = {name: value for name, value in SCORES.to_json().items() if name not in SPARE}
    path.write_text(json.dumps(kept | {"rows": [row]}))
    scores = Scores.read(path)
    assert (scores.selection, scores.tests) == ({}, ())
    (found,) = scores.rows
    assert found == replace(ROW, runs=(), precision=None, recall=None, counted="", counts=())


@pytest.mark.parametrize("name", metrics.names())
def test_rows_of_joint_metrics_are_known_by_their_name(name):
    assert score_row(metric=name).joint == metrics.get(name).joint
