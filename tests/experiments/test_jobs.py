"""What jobs are trained on, and how much there is to do."""

from __future__ import annotations

import dataclasses
import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from training.toy import toy_instances, toy_pairs

from advsp.experiments import jobs
from advsp.experiments.config import ExperimentConfig
from advsp.experiments.folds import Fold, folded
from advsp.experiments.grid import GridPoint
from advsp.experiments.jobs import TrainingJob, TrainingRun
from advsp.experiments.run_folder import RunFolder
from advsp.support.progress import no_progress
from advsp.tasks.base import View

DATA = {
    "tagging": (toy_instances(lengths=(1, 2, 3, 1, 2)), toy_instances(seed=1, lengths=(2, 1, 1))),
    "alignment": (
        toy_pairs(shapes=((1, 1), (2, 1), (2, 2), (1, 3), (1, 2))),
        toy_pairs(seed=1, shapes=((2, 1), (1, 1), (3, 1))),
    ),
}
tasks = pytest.mark.parametrize("task", DATA)

SYSTEMS = {"tagging": "crf", "alignment": "ssvm"}


def lengths(data) -> list[int]:
    return np.diff(data.offsets).tolist()


@pytest.fixture
def job(tmp_path):
    """A training job on the splits above, of either task."""

    def make(task: str, validation: str | None = "testa", system: str = "A", point: int = 0, **changes):
        given = {
            "name": "trial",
            "corpus": {"kind": "conll" if task == "tagging" else "bitext", "name": "x", "path": "nowhere"},
            "classes": ["PER"] if task == "tagging" else ["all"],
            "systems": {"A": {"learner": {"name": SYSTEMS[task]}}},
        }
        config = ExperimentConfig.model_validate(given).systems["A"]
        folder = RunFolder(tmp_path)
        folder.save_view(config.features.view, View(dict(zip(("train", "testa"), DATA[task])), None))
        run = TrainingRun(
            folder=folder,
            fingerprint="print",
            train="train",
            validation=validation,
            tolerance=1e-6,
            checkpoint_seconds=0.0,
            resume=False,
        )
        made = TrainingJob(
            run=run,
            point=GridPoint(system, point, config),
            seed=1,
            fold=None,
            group=("PER",),
            passes=4,
            candidates=(2, 4),
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
    folders = {j.folder.path for j in made}
    assert len(folders) == len(made)
    assert not [f for f in folders if any(f in other.parents for other in folders)]


def test_models_are_read_once_for_all_pieces_and_again_when_they_change(trained, monkeypatch):
    read = []
    original = jobs.load_model
    monkeypatch.setattr(jobs, "load_model", lambda folder: read.append(folder) or original(folder))
    monkeypatch.setattr(jobs, "PIECE", 2)
    run = RunFolder(Path("results/runs/tiny"))
    job = jobs.DecodingJob(run, "ADV_f1", "seed-2", (("PER",), ("LOC",)), "stanford", "testb", 1e-6)
    jobs._models.cache_clear()
    pieces = job.pieces()
    assert len(pieces) > 1
    for piece in pieces:
        jobs.run_decoding_job(piece, no_progress)
    assert len(read) == 2
    description = run.model("ADV_f1", "seed-2", ("PER",)) / "model.json"
    os.utime(description, ns=(1, 1))
    jobs.run_decoding_job(pieces[0], no_progress)
    assert len(read) == 4
