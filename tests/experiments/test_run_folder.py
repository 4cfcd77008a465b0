"""The run folder: who may write into it, and what is read back from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from training.toy import toy_pairs

from advsp.experiments.candidate import Candidate
from advsp.experiments.config import ExperimentConfig
from advsp.experiments.folds import Fold
from advsp.experiments.run_folder import AVERAGE, RunFolder, open_run, read_run, scores_file, seed_name
from advsp.learners.base import Decoded
from advsp.metrics.choice import Choice
from advsp.support.errors import InputError
from advsp.support.records import read_json
from advsp.support.versions import versions
from advsp.tasks.base import View

DATA = {"train.conll": "a" * 64, "testa.conll": "b" * 64}


@pytest.fixture
def config(tmp_path):
    """A configuration whose results go to a temporary folder, with keys replaced."""

    def make(**keys) -> ExperimentConfig:
        given = {
            "name": "trial",
            "corpus": {"name": "tiny", "path": "nowhere"},
            "classes": ["PER"],
            "systems": {"ADV": {"learner": {"name": "adversarial", "beta": 2.0}}},
            "output": str(tmp_path / "results"),
        }
        return ExperimentConfig.model_validate({**given, **keys})

    return make


def refusal(config, data, resume=False, overwrite=False) -> str:
    with pytest.raises(InputError) as raised:
        open_run(config, data, resume=resume, overwrite=overwrite)
    return str(raised.value)


# --- opening --------------------------------------------------------------------------------------


def test_new_run_says_what_it_is_made_of(config):
    folder = open_run(config(), DATA).path
    assert folder == config().folder
    provenance = read_json(folder / "provenance.json")
    assert provenance == {"fingerprint": config().fingerprint(), "data": DATA, "versions": versions()}
    assert ExperimentConfig.model_validate(read_json(folder / "config.json")) == config()


def test_run_is_neither_replaced_nor_resumed_unasked(config):
    folder = open_run(config(), DATA).path
    assert refusal(config(), DATA) == (
        f"{folder}: holds a run already (use --resume to go on with it, --overwrite to replace it)"
    )


def test_run_can_be_resumed_where_nothing_was_written_yet(config):
    assert open_run(config(), DATA, resume=True).path.is_dir()


def test_resumed_run_keeps_everything(config, contents):
    folder = open_run(config(), DATA).path
    (folder / "jobs").mkdir()
    before = contents(folder)
    assert open_run(config(), DATA, resume=True).path == folder
    assert contents(folder) == before


def test_number_of_workers_and_place_may_change_when_resuming(config, tmp_path):
    folder = open_run(config(), DATA).path
    assert open_run(config(workers=3), DATA, resume=True).path == folder
    folder.parent.parent.rename(tmp_path / "moved")
    moved = config(output=str(tmp_path / "moved"))
    assert open_run(moved, DATA, resume=True).path == moved.folder


@pytest.mark.parametrize(("keys", "difference"), [({"seed": 2}, "seed"), ({"classes": ["LOC"]}, "classes")])
def test_run_of_another_configuration_is_not_resumed(config, keys, difference):
    folder = open_run(config(), DATA).path
    assert refusal(config(**keys), DATA, resume=True) == (
        f"{folder}: the run there would not end the same (first difference: {difference}) "
        "(use --overwrite to train anew, or another name)"
    )


@pytest.mark.parametrize("data", [{**DATA, "testa.conll": "c" * 64}, {"train.conll": "a" * 64}, {}])
def test_run_on_other_data_is_not_resumed(config, data):
    open_run(config(), DATA)
    assert "(data files changed)" in refusal(config(), data, resume=True)


def test_overwriting_removes_what_a_run_writes_and_nothing_else(config, contents):
    folder = open_run(config(), DATA).path
    for name in ("jobs/ADV", "models/ADV", "instances/stanford", "features", "predictions/ADV"):
        (folder / name).mkdir(parents=True)
        (folder / name / "file").write_text("old")
    for name in ("selection.json", "notes of mine.txt"):
        (folder / name).write_text("{}")
    open_run(config(seed=2), DATA, overwrite=True)
    assert set(contents(folder)) == {"config.json", "provenance.json", "notes of mine.txt"}
    assert read_json(folder / "provenance.json")["fingerprint"] == config(seed=2).fingerprint()


def test_overwriting_nothing_is_a_new_run(config):
    assert open_run(config(), DATA, overwrite=True).path.is_dir()


def test_folder_that_holds_no_run_is_not_emptied(config):
    folder = config().folder
    (folder / "models").mkdir(parents=True)
    (folder / "models" / "mine.txt").write_text("keep me")
    open_run(config(), DATA, overwrite=True)
    assert (folder / "models" / "mine.txt").read_text() == "keep me"


def test_overwriting_that_is_killed_half_way_leaves_nothing_to_be_taken_for_the_next_run(config, monkeypatch):
    folder = open_run(config(), DATA).path
    (folder / "jobs").mkdir()
    (folder / "selection.json").write_text("{}")

    def killed(*arguments, **options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("shutil.rmtree", killed)
        open_run(config(seed=2), DATA, overwrite=True)
    # The next attempt is a new run as far as anyone can see, and what is left must not pass for its own.
    open_run(config(seed=2), DATA, overwrite=True)
    assert not (folder / "selection.json").exists()


def test_versions_name_what_a_result_may_depend_on():
    assert {"advsp", "python", "platform", "numpy", "scipy", "pulp", "pydantic", "pyyaml"} <= set(versions())
    assert all(isinstance(version, str) and version for version in versions().values())


# --- reading --------------------------------------------------------------------------------------

CHOICE = Choice(
    metric="token_f1 on testa",
    point=0,
    passes=4,
    rule="mode",
    score=0.5,
    options={"optimiser.step": 0.1},
    thresholds={"seed-1": {"PER": 0.25}},
)


def test_trained_run_is_read_back(config):
    run = open_run(config(), DATA)
    assert not run.trained
    run.end({"ADV": CHOICE})
    found = read_run(run.path)
    assert (found.folder, found.config) == (run, config())
    assert found.provenance == run.read_provenance()
    assert found.provenance.fingerprint == config().fingerprint()
    assert found.choices == {"ADV": CHOICE}


def test_run_that_is_not_there_or_not_ready_is_refused(config, tmp_path):
    with pytest.raises(InputError, match=r"no run there \(train it with `advsp train`\)"):
        read_run(tmp_path)
    run = open_run(config(), DATA)
    with pytest.raises(InputError, match=r"training has not ended \(go on with `advsp train --resume`\)"):
        read_run(run.path)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("selection.json", "{}", "does not name the run's systems"),
        ("selection.json", "[]", "found [], expected an object"),
        ("selection.json", '{"ADV": {}}', "ADV.thresholds: is missing"),
        ("provenance.json", '{"fingerprint": "a", "versions": {}}', "data: is missing"),
        ("config.json", '{"name": "trial"}', "was not written by this version"),
    ],
)
def test_what_is_missing_in_a_run_is_named(config, file, text, said):
    run = open_run(config(), DATA)
    run.end({"ADV": CHOICE})
    (run.path / file).write_text(text)
    with pytest.raises(InputError) as raised:
        read_run(run.path)
    assert str(raised.value) == f"{run.path / file}: {said} (train anew with --overwrite)"


def test_damaged_run_can_be_replaced(config):
    run = open_run(config(), DATA)
    for name in ("config.json", "provenance.json"):
        (run.path / name).write_text("{")
    assert "not JSON" in refusal(config(), DATA, resume=True)
    assert read_json(open_run(config(), DATA, overwrite=True).path / "provenance.json")["data"] == DATA


# --- where things are -----------------------------------------------------------------------------

RUN = RunFolder(Path("run"))


def test_jobs_models_and_predictions_have_folders_that_say_what_is_in_them():
    system, group = "ADV_aer [m, label]", ("PER", "LOC")
    place = Path("run/jobs/ADV_aer_m_label/seed-3/point-1")
    assert RUN.job(system, 3, 1, Fold(2, 5, 1), group).path == place / "fold-2/PER-LOC"
    assert RUN.job(system, 3, 1, None, group).path == place / "PER-LOC"
    assert RUN.model(system, seed_name(3), group) == Path("run/models/ADV_aer_m_label/seed-3/PER-LOC")
    assert RUN.model(system, AVERAGE, ["all"]) == Path("run/models/ADV_aer_m_label/average/all")
    variant = f"{system}+threshold"
    assert RUN.predictions(variant, "seed-3") == Path("run/predictions/ADV_aer_m_label_+threshold/seed-3")


def test_shards_say_what_they_are_cut_from():
    place = Path("run/instances/taskar+m/shards")
    assert RUN.shards("taskar+m", "train", None, 4) == place / "train-in-4"
    assert RUN.shards("taskar+m", "validation", Fold(0, 2, 1), 3) == place / "validation-fold-0-of-2-in-3"


def test_scores_are_beside_the_runs(config, tmp_path):
    assert scores_file(config()) == tmp_path / "results/scores/trial.json"


def test_view_is_kept_with_what_its_features_learnt(tmp_path):
    run = RunFolder(tmp_path)
    views = {"a": toy_pairs(), "b": toy_pairs(seed=1)}
    for name, data in views.items():
        run.save_view(name, View({"train": data}, lambda path: path.write_text("learnt")))
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} == {
        *(f"instances/{name}/train.npz" for name in views),
        *(f"features/{name}" for name in views),
    }
    for name, data in views.items():
        assert np.array_equal(run.instances(name, "train").labels, data.labels)
        assert run.count_instances(name, "train") == len(data)


def test_instances_are_read_once_and_again_if_they_are_others(tmp_path):
    run = RunFolder(tmp_path)
    first, second = toy_pairs(shapes=((1, 1),)), toy_pairs(shapes=((2, 1), (1, 1)))
    run.save_view("taskar", View({"train": first}, None))
    assert run.instances("taskar", "train") is run.instances("taskar", "train")
    run.save_view("taskar", View({"train": second}, None))
    assert len(run.instances("taskar", "train")) == 2


# --- jobs and candidates --------------------------------------------------------------------------


def job(tmp_path, name: str = "run"):
    return RunFolder(tmp_path / name).job("ADV", 1, 0, None, ["PER"])


def test_job_that_has_ended_says_so_and_keeps_its_candidates_alone(tmp_path):
    folder = job(tmp_path)
    folder.keep(2, Candidate(np.array([2.0])))
    assert (folder.kept([1, 2, 4]), folder.done) == ([2], False)
    (folder.path / "checkpoint.npz").write_bytes(b"")
    folder.memories.mkdir()
    folder.end([2])
    assert folder.done
    assert sorted(path.name for path in folder.path.iterdir()) == ["done.json", "pass-2.npz"]
    assert read_json(folder.path / "done.json") == {"candidates": [2]}


@pytest.mark.parametrize(("passes", "kept", "stands"), [(1, [1, 4], 1), (2, [1, 4], 4), (4, [4], 4)])
def test_candidate_that_was_not_kept_is_stood_in_for(tmp_path, passes, kept, stands):
    folder = job(tmp_path)
    for number in kept:
        folder.keep(number, Candidate(np.array([float(number)])))
    folder.end(kept)
    assert folder.candidate(passes).weights.tolist() == [stands]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"candidates": [1]}', "names no candidate of 2 passes"),
        ('{"candidates": ["1"]}', "candidates.0: found '1', expected a whole number"),
        ("{}", "candidates: is missing"),
    ],
)
def test_job_without_the_candidate_asked_for_is_named(tmp_path, text, said):
    folder = job(tmp_path)
    folder.path.mkdir(parents=True)
    (folder.path / "done.json").write_text(text)
    with pytest.raises(InputError) as raised:
        folder.candidate(2)
    assert str(raised.value) == f"{folder.path / 'done.json'}: {said} (train anew with --overwrite)"


def test_history_is_read_pass_by_pass(tmp_path):
    folder = job(tmp_path)
    with pytest.raises(InputError, match=r"history.jsonl: no such file"):
        folder.history()
    folder.path.mkdir(parents=True)
    (folder.path / "history.jsonl").write_text('{"pass": 1, "gap": null}\n{"pass": 2, "gap": 0.5}\n')
    assert [line.whole("pass") for line in folder.history()] == [1, 2]
    assert [line.number_or_none("gap") for line in folder.history()] == [None, 0.5]


def test_candidates_and_shards_are_removed_and_nothing_else(tmp_path, contents):
    run = RunFolder(tmp_path)
    folder = run.job("ADV", 1, 0, Fold(0, 2, 1), ["PER"])
    said = Decoded(np.array([True]), np.array([1.0]))
    folder.keep(2, Candidate(np.zeros(1), {"PER": said}))
    folder.end([2])
    run.save_view("stanford", View({"train": toy_pairs()}, None))
    before = set(contents(tmp_path))
    shards = run.shards("stanford", "train", None, 2)
    shards.mkdir(parents=True)
    (shards / "0.npz").write_bytes(b"")
    run.remove_candidates()
    candidate = str((folder.path / "pass-2.npz").relative_to(tmp_path))
    assert set(contents(tmp_path)) == before - {candidate}
