"""What is refused before anything is written; that it is, and where, see also tests/cli."""

from __future__ import annotations

import hashlib

import pytest
from training.toy import toy_instances

from advsp.experiments.checks import check_folds, check_systems, checksums
from advsp.experiments.config import ExperimentConfig
from advsp.experiments.grid import grid
from advsp.support.errors import InputError
from advsp.tasks.base import View


def experiment(validation: str | None = "testa", **selection) -> ExperimentConfig:
    return ExperimentConfig.model_validate(
        {
            "name": "trial",
            "corpus": {"name": "tiny", "path": "nowhere", "validation": validation},
            "classes": ["PER"],
            "selection": selection,
            "systems": {"A": {"learner": {"name": "crf"}}},
        }
    )


def check(config: ExperimentConfig) -> None:
    check_systems(config, {name: grid(name, system) for name, system in config.systems.items()})


def test_checksums_are_those_of_the_files(tmp_path):
    (tmp_path / "a").write_bytes(b"words")
    assert checksums({"A": tmp_path / "a"}) == {"A": hashlib.sha256(b"words").hexdigest()}
    with pytest.raises(InputError) as raised:
        checksums({"A": tmp_path / "a", "B": tmp_path / "b"})
    assert str(raised.value) == f"{tmp_path / 'b'}: no such file"


@pytest.mark.parametrize(
    "selection",
    [
        {"rules": ["mode"]},
        {"rules": ["marginal"], "passes": [99]},
        {"folds": 2, "passes": [1]},
    ],
)
def test_without_a_validation_split_there_is_one_possibility_or_there_are_folds(selection):
    check(experiment(validation=None, **selection))


@pytest.mark.parametrize(
    "selection",
    [
        {},
        {"rules": ["threshold"]},
        {"rules": ["mode"], "passes": [1]},
        {"rules": ["mode"], "grid": {"optimiser.step": [0.1, 0.2]}},
    ],
)
def test_nothing_can_be_chosen_without_anything_to_choose_by(selection):
    check(experiment(**selection))
    with pytest.raises(InputError, match=r"^systems.A.selection: there is something to choose but no "):
        check(experiment(validation=None, **selection))


@pytest.mark.parametrize(
    ("key", "values"),
    [("features.preset", ["stanford", "paper"]), ("runs", [1, 2]), ("selection.folds", [0, 2])],
)
def test_what_is_not_chosen_by_scores_cannot_differ_in_a_grid(key, values):
    section = key.partition(".")[0]
    with pytest.raises(InputError, match=rf"^systems.A.selection.grid: {section} cannot differ "):
        check(experiment(grid={key: values}))


def test_every_fold_holds_something_out():
    view = View({"train": toy_instances(lengths=(1, 2)), "testa": toy_instances(lengths=(1,))}, None)
    check_folds(experiment(folds=3), view)
    for config, examples in ((experiment(folds=4), 3), (experiment(validation=None, folds=3), 2)):
        with pytest.raises(
            InputError, match=rf"folds: {config.selection.folds} folds of {examples} examples"
        ):
            check_folds(config, view)
