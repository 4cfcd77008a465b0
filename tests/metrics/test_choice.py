"""What was chosen comes back from its file as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advsp.metrics.choice import Choice, GridRow
from advsp.support.errors import InputError
from advsp.support.records import Fields

FILE = Path("selection.json")
ROW = GridRow(
    point=1,
    options={"optimiser.step": 0.2, "learner.cost": {"false_negative": 3.0}},
    passes=4,
    rule="threshold",
    score=0.75,
    classes={"PER": 0.5, "LOC": 1.0},
)
CHOICE = Choice(
    metric="mean token_f1 over the classes on testa",
    point=1,
    passes=4,
    rule="threshold",
    score=0.75,
    options=ROW.options,
    grid=(ROW,),
    thresholds={"average": {"PER": 0.4}, "seed-1": {"PER": 0.2}},
)
NOTHING_TO_CHOOSE = Choice("token_f1 on None", 0, 2, "mode", None, {})


def through_json(choice: Choice) -> Choice:
    return Choice.from_json(Fields(json.loads(json.dumps(choice.to_json())), FILE))


@pytest.mark.parametrize("choice", [CHOICE, NOTHING_TO_CHOOSE])
def test_choice_comes_back_as_it_was(choice):
    assert through_json(choice) == choice


def test_fields_are_in_the_order_that_files_have():
    keys = ["metric", "point", "passes", "rule", "score", "options", "grid", "thresholds"]
    assert list(CHOICE.to_json()) == keys
    assert list(ROW.to_json()) == [
        "point",
        "optimiser.step",
        "learner.cost",
        "passes",
        "rule",
        "score",
        "classes",
    ]


@pytest.mark.parametrize("key", list(CHOICE.to_json()))
def test_field_that_is_missing_is_named(key):
    kept = {name: value for name, value in CHOICE.to_json().items() if name != key}
    with pytest.raises(InputError) as raised:
        Choice.from_json(Fields(kept, FILE))
    assert str(raised.value) == f"{FILE}: {key}: is missing"


@pytest.mark.parametrize("key", ["point", "passes", "rule", "score", "classes"])
def test_field_that_is_missing_in_the_grid_is_named(key):
    row = {name: value for name, value in ROW.to_json().items() if name != key}
    with pytest.raises(InputError) as raised:
        Choice.from_json(Fields(CHOICE.to_json() | {"grid": [ROW.to_json(), row]}, FILE))
    assert str(raised.value) == f"{FILE}: grid.1.{key}: is missing"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rule": "best"}, "rule: found 'best', expected one of mode, marginal, threshold"),
        ({"score": 1}, "score: found 1, expected a number with a decimal point"),
        ({"thresholds": {"seed-1": {"PER": "0.2"}}}, "thresholds.seed-1.PER: found '0.2', expected a number"),
        ({"reason": "none"}, "reason: unknown field"),
    ],
)
def test_field_of_another_kind_is_named(change, said):
    with pytest.raises(InputError) as raised:
        Choice.from_json(Fields(CHOICE.to_json() | change, FILE))
    assert str(raised.value).startswith(f"{FILE}: {said}")


def test_thresholds_of_a_seed_are_its_own_or_those_of_every_seed():
    assert CHOICE.thresholds_of("seed-1") == {"PER": 0.2}
    assert CHOICE.thresholds_of("average") == {"PER": 0.4}
    every = Choice("aer on 2 folds of train", 0, 2, "mode", 0.1, {}, thresholds={"every": {"all": 0.3}})
    for seed in ("seed-1", "seed-7", "average"):
        assert every.thresholds_of(seed) == {"all": 0.3}
    assert NOTHING_TO_CHOOSE.thresholds_of("seed-1") == {}
