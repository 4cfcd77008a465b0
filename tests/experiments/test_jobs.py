"""Folds, and where jobs keep what they do."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.toy import toy_instances, toy_pairs

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.jobs import Fold, TrainingJob, folded, job_folder, read_instances
from advsp.experiments.run_folder import instances_path
from advsp.training.instance_files import save_instances

sizes = st.integers(2, 60)
numbers = st.integers(2, 12)
seeds = st.integers(0, 10)

# --- which examples are held out ----------------------------------------------------------------------


@given(sizes, numbers, seeds)
def test_every_example_is_held_out_once(examples, folds, seed):
    held_out = np.array([Fold(number, folds, seed).held_out(examples) for number in range(folds)])
    assert held_out.dtype == bool
    assert held_out.sum(axis=0).tolist() == [1] * examples


@given(sizes, numbers, seeds)
def test_folds_differ_in_size_by_one_at_most(examples, folds, seed):
    counts = [int(Fold(number, folds, seed).held_out(examples).sum()) for number in range(folds)]
    assert max(counts) - min(counts) <= 1


@given(sizes, numbers, seeds)
def test_same_fold_holds_out_the_same_examples(examples, folds, seed):
    mine, its = (Fold(folds - 1, folds, seed).held_out(examples) for _ in range(2))
    assert np.array_equal(mine, its)


def test_seed_and_number_of_folds_decide_what_is_held_out():
    held_out = {
        (seed, folds): Fold(0, folds, seed).held_out(40).tobytes() for seed in range(5) for folds in (2, 4, 5)
    }
    assert len(set(held_out.values())) == len(held_out)


def test_examples_are_mixed():
    """Or a fold would be a document, or a whole split."""
    for number in range(2):
        held_out = Fold(number, 2, 1).held_out(40)
        assert 5 <= held_out[:20].sum() <= 15
        assert 5 <= np.count_nonzero(held_out[1:] != held_out[:-1]) <= 35


def test_another_process_holds_out_the_same_examples():
    code = "from advsp.experiments.jobs import Fold; print(Fold(1, 3, 7).held_out(20).tolist())"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == str(Fold(1, 3, 7).held_out(20).tolist())


# --- what is trained on and decoded ---------------------------------------------------------------------

DATA = {
    "tagging": (toy_instances(lengths=(1, 2, 3, 1, 2)), toy_instances(seed=1, lengths=(2, 1, 1))),
    "alignment": (
        toy_pairs(shapes=((1, 1), (2, 1), (2, 2), (1, 3), (1, 2))),
        toy_pairs(seed=1, shapes=((2, 1), (1, 1), (3, 1))),
    ),
}
tasks = pytest.mark.parametrize("task", DATA)


def lengths(data) -> list[int]:
    return np.diff(data.offsets).tolist()


@tasks
@pytest.mark.parametrize("folds", [2, 3, 8])
def test_examples_of_both_splits_are_trained_on_or_held_out(task, folds):
    train, validation = DATA[task]
    both = np.array(lengths(train) + lengths(validation))
    for number in range(folds):
        fold = Fold(number, folds, 1)
        rest, held_out = folded(train, validation, fold)
        out = fold.held_out(len(both))
        assert lengths(rest) == both[~out].tolist()
        assert lengths(held_out) == both[out].tolist()
        assert rest.signature() == held_out.signature() == train.signature()


@tasks
def test_without_a_validation_split_the_training_split_is_folded(task):
    train, _ = DATA[task]
    rest, held_out = folded(train, None, Fold(0, 2, 1))
    assert len(rest) + len(held_out) == len(train)


SYSTEMS = {"tagging": "crf", "alignment": "ssvm"}


@pytest.fixture
def job(tmp_path):
    """A training job on the splits above, of either task."""

    def make(task: str, **changes) -> TrainingJob:
        given = {
            "name": "trial",
            "corpus": {"kind": "conll" if task == "tagging" else "bitext", "name": "x", "path": "nowhere"},
            "classes": ["PER"] if task == "tagging" else ["all"],
            "systems": {"A": {"learner": {"name": SYSTEMS[task]}}},
        }
        config = ExperimentConfig.model_validate(given).systems["A"]
        for split, data in zip(("train", "testa"), DATA[task]):
            save_instances(instances_path(tmp_path, config.features.view, split), data)
        made = TrainingJob(
            tmp_path, "print", "A", config, 1, 0, None, ("PER",), "train", "testa", 4, (2, 4), 1e-6, False
        )
        return dataclasses.replace(made, **changes)

    return make


@tasks
def test_job_without_a_fold_trains_on_one_split_and_decodes_the_other(job, task):
    train, validation = job(task).data()
    assert (lengths(train), lengths(validation)) == tuple(map(lengths, DATA[task]))
    train, validation = job(task, validation=None).data()
    assert (lengths(train), validation) == (lengths(DATA[task][0]), None)


@tasks
def test_job_on_a_fold_has_what_the_fold_leaves(job, task):
    for number in range(3):
        fold = Fold(number, 3, 1)
        for mine, its in zip(job(task, fold=fold).data(), folded(*DATA[task], fold), strict=True):
            assert lengths(mine) == lengths(its)


@tasks
def test_units_are_the_examples_of_every_pass_and_of_every_candidate(job, task):
    # Five examples in four passes, and two candidates on three; or of eight examples four in each part.
    assert job(task).units() == 4 * 5 + 2 * 3
    assert job(task, validation=None).units() == 4 * 5
    assert job(task, fold=Fold(0, 2, 1)).units() == 4 * 4 + 2 * 4
    assert job(task, fold=Fold(1, 2, 1), validation=None).units() in (4 * 3 + 2 * 2, 4 * 2 + 2 * 3)


def test_every_job_has_a_folder_of_its_own(job):
    made = [
        job("alignment", system=system, seed=seed, point=point, fold=fold)
        for system, seed, point, fold in product(
            ("A", "A [b]"), (1, 2), (0, 1), (None, Fold(0, 2, 1), Fold(1, 2, 1))
        )
    ]
    folders = {j.folder for j in made}
    assert len(folders) == len(made)
    assert not [f for f in folders if any(f in other.parents for other in folders)]


def test_folders_say_what_is_in_them():
    place = job_folder(Path("run"), "ADV_aer [m, label]", 3, 1, Fold(2, 5, 1))
    assert place == Path("run/jobs/ADV_aer_m_label/seed-3/point-1/fold-2")
    assert job_folder(Path("run"), "CRF", 3, 1, None) == Path("run/jobs/CRF/seed-3/point-1")


def test_instances_are_read_once_and_again_if_they_are_others(tmp_path):
    first, second = DATA["alignment"]
    path = instances_path(tmp_path, "taskar", "train")
    save_instances(path, first)
    assert read_instances(tmp_path, "taskar", "train") is read_instances(tmp_path, "taskar", "train")
    save_instances(path, second)
    assert lengths(read_instances(tmp_path, "taskar", "train")) == lengths(second)
