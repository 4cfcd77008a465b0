"""The run folder: who may write into it, and what is read back from it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from training.toy import toy_pairs

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.run_folder import instances_path, open_run, read_json, read_run
from advsp.support.errors import InputError
from advsp.support.versions import versions
from advsp.training.instance_files import load_instances, save_instances
from advsp.training.instances import ChainInstances

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
        open_run(config, data, resume, overwrite)
    return str(raised.value)


# --- opening --------------------------------------------------------------------------------------


def test_new_run_says_what_it_is_made_of(config):
    folder = open_run(config(), DATA, resume=False, overwrite=False)
    assert folder == config().folder
    provenance = read_json(folder / "provenance.json")
    assert provenance == {"fingerprint": config().fingerprint(), "data": DATA, "versions": versions()}
    assert ExperimentConfig.model_validate(read_json(folder / "config.json")) == config()


def test_run_is_neither_replaced_nor_resumed_unasked(config):
    folder = open_run(config(), DATA, resume=False, overwrite=False)
    assert refusal(config(), DATA) == (
        f"{folder}: holds a run already (use --resume to go on with it, --overwrite to replace it)"
    )


def test_run_can_be_resumed_where_nothing_was_written_yet(config):
    assert open_run(config(), DATA, resume=True, overwrite=False).is_dir()


def test_resumed_run_keeps_everything(config, contents):
    folder = open_run(config(), DATA, resume=False, overwrite=False)
    (folder / "jobs").mkdir()
    before = contents(folder)
    assert open_run(config(), DATA, resume=True, overwrite=False) == folder
    assert contents(folder) == before


def test_number_of_workers_and_place_may_change_when_resuming(config, tmp_path):
    folder = open_run(config(), DATA, resume=False, overwrite=False)
    assert open_run(config(workers=3), DATA, resume=True, overwrite=False) == folder
    folder.parent.parent.rename(tmp_path / "moved")
    moved = config(output=str(tmp_path / "moved"))
    assert open_run(moved, DATA, resume=True, overwrite=False) == moved.folder


@pytest.mark.parametrize(("keys", "difference"), [({"seed": 2}, "seed"), ({"classes": ["LOC"]}, "classes")])
def test_run_of_another_configuration_is_not_resumed(config, keys, difference):
    folder = open_run(config(), DATA, resume=False, overwrite=False)
    assert refusal(config(**keys), DATA, resume=True) == (
        f"{folder}: the run there would not end the same (first difference: {difference}) "
        "(use --overwrite to train anew, or another name)"
    )


@pytest.mark.parametrize("data", [{**DATA, "testa.conll": "c" * 64}, {"train.conll": "a" * 64}, {}])
def test_run_on_other_data_is_not_resumed(config, data):
    open_run(config(), DATA, resume=False, overwrite=False)
    assert "(data files changed)" in refusal(config(), data, resume=True)


def test_overwriting_removes_what_a_run_writes_and_nothing_else(config, contents):
    folder = open_run(config(), DATA, resume=False, overwrite=False)
    for name in ("jobs/ADV", "models/ADV", "instances/stanford", "features", "predictions/ADV"):
        (folder / name).mkdir(parents=True)
        (folder / name / "file").write_text("old")
    for name in ("selection.json", "notes of mine.txt"):
        (folder / name).write_text("{}")
    open_run(config(seed=2), DATA, resume=False, overwrite=True)
    assert set(contents(folder)) == {"config.json", "provenance.json", "notes of mine.txt"}
    assert read_json(folder / "provenance.json")["fingerprint"] == config(seed=2).fingerprint()


def test_overwriting_nothing_is_a_new_run(config):
    assert open_run(config(), DATA, resume=False, overwrite=True).is_dir()


def test_folder_that_holds_no_run_is_not_emptied(config):
    folder = config().folder
    (folder / "models").mkdir(parents=True)
    (folder / "models" / "mine.txt").write_text("keep me")
    open_run(config(), DATA, resume=False, overwrite=True)
    assert (folder / "models" / "mine.txt").read_text() == "keep me"


def test_overwriting_that_is_killed_half_way_leaves_nothing_to_be_taken_for_the_next_run(config, monkeypatch):
    folder = open_run(config(), DATA, resume=False, overwrite=False)
    (folder / "jobs").mkdir()
    (folder / "selection.json").write_text("{}")

    def killed(*arguments, **options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("shutil.rmtree", killed)
        open_run(config(seed=2), DATA, resume=False, overwrite=True)
    # The next attempt is a new run as far as anyone can see, and what is left must not pass for its own.
    open_run(config(seed=2), DATA, resume=False, overwrite=True)
    assert not (folder / "selection.json").exists()


def test_versions_name_what_a_result_may_depend_on():
    assert {"advsp", "python", "platform", "numpy", "scipy", "pulp", "pydantic", "pyyaml"} <= set(versions())
    assert all(isinstance(version, str) and version for version in versions().values())


# --- reading --------------------------------------------------------------------------------------


def test_trained_run_is_read_back(config):
    folder = open_run(config(), DATA, resume=False, overwrite=False)
    (folder / "selection.json").write_text('{"ADV": {}}')
    found, provenance, selection = read_run(folder)
    assert found == config()
    assert found.fingerprint() == provenance["fingerprint"] == config().fingerprint()
    assert selection == {"ADV": {}}


def test_run_that_is_not_there_or_not_ready_is_refused(config, tmp_path):
    with pytest.raises(InputError, match=r"no run there \(train it with `advsp train`\)"):
        read_run(tmp_path)
    folder = open_run(config(), DATA, resume=False, overwrite=False)
    with pytest.raises(InputError, match=r"training has not ended \(go on with `advsp train --resume`\)"):
        read_run(folder)


@pytest.mark.parametrize(
    ("content", "said"), [(b"{", "not JSON: "), (b"\xff", "not JSON: "), (None, "no such file")]
)
def test_json_that_cannot_be_read_is_named(tmp_path, content, said):
    path = tmp_path / "value.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_json(path)
    assert str(raised.value).startswith(f"{path}: {said}")


def test_json_is_read_as_it_is(tmp_path):
    value = {"b": [1, 0.1, None], "a": "Tromsø"}
    (tmp_path / "value.json").write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    assert read_json(tmp_path / "value.json") == value


# --- instances ------------------------------------------------------------------------------------


@pytest.fixture
def instances() -> ChainInstances:
    """Two sentences with an awkward word each, and a feature that never fires."""
    return ChainInstances(
        node=csr_matrix(np.array([[1.0, 0.0, 0.0], [0.5, -2.0, 0.0], [0.0, 0.0, 0.0]])),
        edge=csr_matrix(np.array([[0.0], [1.0], [1e-300]])),
        tags=np.array([1, 0, 1], dtype=np.int8),
        offsets=np.array([0, 2, 3], dtype=np.int64),
        tag_names=("PER", "O"),
        words=(("naïve", "\N{NO-BREAK SPACE}Åse"), ("'\"\\",)),
        gold=(("O", "B-PER"), ("O",)),
    )


def test_instances_come_back_as_they_were(instances, tmp_path):
    save_instances(tmp_path / "split.npz", instances)
    again = load_instances(tmp_path / "split.npz")
    for name in ("node", "edge"):
        before, after = getattr(instances, name), getattr(again, name)
        assert (before.shape, before.dtype) == (after.shape, after.dtype)
        assert np.array_equal(before.toarray(), after.toarray())
    for name in ("tags", "offsets"):
        before, after = getattr(instances, name), getattr(again, name)
        assert before.dtype == after.dtype
        assert np.array_equal(before, after)
    assert (again.tag_names, again.words, again.gold) == (
        instances.tag_names,
        instances.words,
        instances.gold,
    )
    assert again.rows(1) == slice(2, 3)


def test_instances_are_plain_arrays(instances, tmp_path):
    save_instances(tmp_path / "split.npz", instances)
    with np.load(tmp_path / "split.npz", allow_pickle=False) as file:
        assert all(array.dtype != object for array in dict(file).values())
    assert [path.name for path in tmp_path.iterdir()] == ["split.npz"]


def test_file_says_which_kind_of_instances_it_holds(instances, tmp_path):
    for data in (instances, toy_pairs()):
        save_instances(tmp_path / "split.npz", data)
        again = load_instances(tmp_path / "split.npz")
        assert type(again) is type(data)
        assert again.signature() == data.signature()


@pytest.mark.parametrize("kind", ["chains", "", None])
def test_instances_of_a_kind_that_is_not_known_are_refused(tmp_path, kind):
    path = tmp_path / "split.npz"
    np.savez(path, **toy_pairs().arrays(), **({} if kind is None else {"kind": np.array(kind)}))
    with pytest.raises(InputError) as raised:
        load_instances(path)
    assert str(raised.value) == f"{path}: was not written by this version (train anew with --overwrite)"


def test_every_view_of_a_split_has_a_file_of_its_own(tmp_path):
    assert instances_path(tmp_path, "stanford", "testa") == tmp_path / "instances/stanford/testa.npz"
    assert len({instances_path(tmp_path, v, s) for v in ("a", "b") for s in ("train", "test")}) == 4
