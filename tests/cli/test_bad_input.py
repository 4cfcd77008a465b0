"""Whatever the user gets wrong is answered with one line and exit code 2, and nothing is left half-done."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from edit_files import replace

from advsp.engine.lp import solvers
from advsp.training.optimisers.adagrad import AdaGrad

RUN = Path("results/runs/tiny")
INSTANCES = RUN / "instances/stanford"
SCORES = Path("results/scores/tiny.json")


# --- prepare-conll --------------------------------------------------------------------------------


@pytest.fixture
def prepare(workspace, refused):
    """Prepare a corpus that does not exist yet; must be refused."""
    return lambda *options: refused(
        "prepare-conll", "raw", "--config", "prepare.yaml", "--output", "new", *options
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(None, "raw/testa.txt: no such file", id="missing file"),
        pytest.param(
            "Mira I-PER\nsails\n", "raw/testa.txt:2: found 1 column, expected 2 as in line 1", id="columns"
        ),
        pytest.param("Mira\nsails\n", "raw/testa.txt:1: word and tag are the same column", id="one column"),
        pytest.param("Mira X-PER\n", "raw/testa.txt:1: tag 'X-PER' has the prefix X-; ", id="prefix"),
        pytest.param("Mira PER\n", "raw/testa.txt:1: tag 'PER' has no prefix; iob1 has O, ", id="no prefix"),
        pytest.param("\n\n", "raw/testa.txt: no sentences found", id="empty"),
        pytest.param("-DOCSTART- O\n\n", "raw/testa.txt: no sentences found", id="document marks alone"),
        pytest.param(
            b"caf\xe9 O\n", "raw/testa.txt:1: byte 0xe9 at offset 3 is not utf-8 text", id="encoding"
        ),
    ],
)
def test_column_file_that_cannot_be_read(prepare, text, said):
    if text is None:
        Path("raw/testa.txt").unlink()
    else:
        Path("raw/testa.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert prepare().startswith(said)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("schem=io", "--set schem: unknown key (did you mean scheme?)"),
        ("scheme=bi", "--set scheme: found 'bi', expected 'io', "),
        ("tag=first", "--set tag: found 'first', expected a whole number"),
        ("tag=7", "raw/train.txt:1: found 2 columns, expected one at tag index 7"),
        ("files.train=nowhere.txt", "raw/nowhere.txt: no such file"),
        ("expect={testa: {sentences: 5}}", "raw/testa.txt: split testa: found sentences 4, expected 5"),
        (
            "expect={testc: {sentences: 5}}",
            "counts are expected of split 'testc', which is not there",
        ),
        (
            "expect={testa: {sentence: 5}}",
            "--set expect.testa.sentence: unknown key (did you mean sentences?)",
        ),
        ("encoding=latin-one", "unknown text encoding 'latin-one'"),
        ("files={../up: train.txt}", "split name '../up' cannot name a file"),
    ],
)
def test_description_of_column_files_that_does_not_fit(prepare, override, said):
    assert prepare("--set", override).startswith(said)


def test_folder_without_the_files(workspace, refused):
    assert refused("prepare-conll", "nowhere").startswith("nowhere: no such folder")
    assert refused("prepare-conll", "raw").startswith("raw/eng.train: no such file")


def test_refused_preparation_leaves_the_corpus_prepared_before(workspace, refused):
    Path("raw/testb.txt").write_text("Mira\n")
    assert refused("prepare-conll", "raw", "--config", "prepare.yaml", "--output", "corpus").startswith(
        "raw/testb.txt:1:"
    )


# --- train ----------------------------------------------------------------------------------------


@pytest.fixture
def train(workspace, refused):
    """Train with an override; must be refused."""

    def check(*overrides: str) -> str:
        return refused(
            "train", "tiny.yaml", *(part for override in overrides for part in ("--set", override))
        )

    return check


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("optimiser.stepp=1", "--set optimiser.stepp: unknown key (did you mean step?)"),
        ("corpus.path=nowhere", "nowhere: no prepared corpus there (prepare it with `advsp prepare-conll`)"),
        (
            "corpus.path=tiny.yaml",
            "tiny.yaml: no prepared corpus there (prepare it with `advsp prepare-conll`)",
        ),
        ("corpus.validation=testc", "corpus: the corpus has no split 'testc'; it has train, testa, testb"),
        ("corpus.test=[testb, testc]", "corpus: the corpus has no split 'testc'; it has train, testa, testb"),
        (
            "corpus.docstart=sentence",
            "corpus: prepared with the -DOCSTART- rule 'drop', it cannot be read under 'sentence'",
        ),
        ("classes=[PER, ORG]", "classes: the class 'ORG' occurs in no split"),
        ("features.preset=stanfrd", "unknown feature preset 'stanfrd' (did you mean 'stanford'?)"),
        ("corpus.kind=features", "corpus.files: names no file for the split 'train'"),
        (
            "selection.grid={optimiser.stepp: [1]}",
            "systems.ADV_f1.selection.grid: the grid point optimiser.stepp=1 ",
        ),
    ],
)
def test_experiment_that_does_not_fit_its_corpus(train, override, said):
    assert train(override).startswith(said)


def test_typo_in_the_file(workspace, refused):
    replace("tiny.yaml", "optimiser: {name: adagrad, step", "optimiser: {name: adagrad, stpe")
    assert refused("train", "tiny.yaml") == "tiny.yaml:8: optimiser.stpe: unknown key (did you mean step?)"


def test_missing_configuration(workspace, refused):
    for name in ("train", "evaluate"):
        assert refused(name, "nowhere.yaml") == "nowhere.yaml: no such file"
        assert refused(name, "corpus").startswith("corpus: is a folder")


def test_prepared_corpus_that_was_changed_by_hand(train):
    replace("corpus/testb.conll", "Dorrit", "Doris")
    assert train().startswith("corpus/testb.conll: changed since it was prepared")


def test_hint_for_a_class_that_never_occurs_names_those_that_do(train):
    assert train("classes=[PER, ORG]").endswith("(the training split has LOC, PER)")


@pytest.mark.parametrize("name", ["highs", "pulp-cbc"])
def test_solver_that_is_not_installed(train, monkeypatch, name):
    reason = classmethod(lambda cls: "the package it needs is not there")
    monkeypatch.setattr(solvers.get(name), "missing", reason)
    complaint = train(f"engine.lp={name}")
    assert complaint.startswith(
        f"engine.lp: LP solver {name!r} cannot be used: the package it needs is not there"
    )
    assert "choose auto" in complaint


def test_solver_of_one_system_that_is_not_installed(train, monkeypatch):
    monkeypatch.setattr(solvers.get("highs"), "missing", classmethod(lambda cls: "gone"))
    assert "'highs' cannot be used: gone" in train("systems.ADV_f1.engine.lp=highs")


def test_without_a_validation_split_there_must_be_nothing_to_choose(train):
    assert train("corpus.validation=null").startswith(
        "systems.ADV_f1.selection: there is something to choose"
    )


@pytest.mark.parametrize(
    "overrides",
    [
        pytest.param(["optimiser={name: bcfw}", "selection.grid={}"], id="optimiser that needs l2"),
        pytest.param(["systems.ADV_f1.learner.beta=-1.0"], id="negative beta"),
        pytest.param(["systems.CRF.optimiser.iterations=0"], id="no iterations"),
        pytest.param(["selection.grid={optimiser.step: []}"], id="empty grid"),
        pytest.param(["output=tiny.yaml"], id="output that is a file"),
        pytest.param(["selection.grid={features.preset: [stanford, paper]}"], id="features in a grid"),
        pytest.param(["selection.grid={selection.folds: [0, 2]}"], id="folds in a grid"),
        pytest.param(["selection.grid={runs: [1, 2]}"], id="runs in a grid"),
        pytest.param(["selection.folds=11"], id="more folds than sentences"),
        pytest.param(["selection.folds=2.0"], id="folds that are no whole number"),
    ],
)
def test_setting_that_cannot_work_is_refused_before_anything_is_written(train, overrides):
    assert train(*overrides)


@pytest.mark.parametrize("place", ["optimiser", "systems.CRF.optimiser"])
def test_learner_without_a_regression_cannot_begin_with_one(train, place):
    assert train(f"{place}.initial=logistic") == (
        "optimiser.initial: this learner has no log-loss of single positions (choose zeros or uniform)"
    )


def test_run_that_is_there_already_is_not_touched(trained, refused):
    assert refused("train", "tiny.yaml") == (
        "results/runs/tiny: holds a run already (use --resume to go on with it, --overwrite to replace it)"
    )


@pytest.mark.parametrize(
    ("override", "difference"),
    [("seed=4", "seed"), ("optimiser.step=0.2", "optimiser"), ("systems.CRF.optimiser.l2=2.0", "systems")],
)
def test_run_cannot_be_resumed_with_another_configuration(trained, refused, override, difference):
    complaint = refused("train", "tiny.yaml", "--resume", "--set", override)
    assert complaint.startswith("results/runs/tiny: the run there would not end the same")
    assert f"first difference: {difference}" in complaint


def test_run_cannot_be_resumed_on_other_data(trained, command, refused):
    replace("raw/train.txt", "ferry", "barge")
    assert command("prepare-conll", "raw", "--config", "prepare.yaml", "--output", "corpus").code == 0
    assert "data files changed" in refused("train", "tiny.yaml", "--resume")


@pytest.mark.parametrize(
    ("was", "said"), [("0.0.1", "numpy was 0.0.1, is "), (None, "numpy was absent, is ")]
)
def test_run_cannot_be_resumed_with_other_versions(trained, refused, was, said):
    provenance = json.loads((RUN / "provenance.json").read_text(encoding="utf-8"))
    provenance["versions"]["numpy"] = was
    if was is None:
        del provenance["versions"]["numpy"]
    (RUN / "provenance.json").write_text(json.dumps(provenance), encoding="utf-8")
    assert said in refused("train", "tiny.yaml", "--resume")


def test_run_is_resumed_after_an_update_of_the_system(trained, command):
    provenance = json.loads((RUN / "provenance.json").read_text(encoding="utf-8"))
    provenance["versions"]["platform"] = "Linux-1.0"
    (RUN / "provenance.json").write_text(json.dumps(provenance), encoding="utf-8")
    assert command("train", "tiny.yaml", "--resume").code == 0


def test_resuming_and_overwriting_exclude_each_other(trained, refused):
    complaint = refused("train", "tiny.yaml", "--resume", "--overwrite", "--set", "seed=4")
    assert "use --overwrite" not in complaint


@pytest.fixture
def stopped(workspace, command, monkeypatch) -> Path:
    """The checkpoint of a training that was interrupted in the second pass of a job."""
    run_pass, calls = AdaGrad.run_pass, []

    def stop(self, objective, *arguments):
        calls.extend([1] if objective.examples > 2 else [])  # a rehearsal has two
        if len(calls) == 2:
            raise KeyboardInterrupt
        return run_pass(self, objective, *arguments)

    monkeypatch.setattr(AdaGrad, "run_pass", stop)
    assert command("train", "tiny.yaml").code == 130
    monkeypatch.setattr(AdaGrad, "run_pass", run_pass)
    (checkpoint,) = RUN.rglob("checkpoint.npz")
    return checkpoint


def overwrite_middle(content: bytes) -> bytes:
    """The same number of bytes, a few hundred of them zero."""
    middle = len(content) // 2
    return content[: middle - 150] + bytes(300) + content[middle + 150 :]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: b"", id="empty"),
        pytest.param(lambda content: b"not an archive", id="something else"),
        pytest.param(lambda content: content[: len(content) // 2], id="half of it"),
        pytest.param(overwrite_middle, id="a hole in it"),
    ],
)
def test_damaged_checkpoint_is_named(stopped, refused, damage):
    stopped.write_bytes(damage(stopped.read_bytes()))
    assert refused("train", "tiny.yaml", "--resume").startswith(f"{stopped}: not a checkpoint: ")


def test_evaluating_a_run_that_was_stopped(stopped, refused):
    assert refused("evaluate", "tiny.yaml").startswith("results/runs/tiny: the run's training has not ended")


# --- evaluate -------------------------------------------------------------------------------------


def test_evaluating_before_training(workspace, refused):
    assert refused("evaluate", "tiny.yaml") == "results/runs/tiny: no run there (train it with `advsp train`)"


MODEL = RUN / "models/ADV_f1/seed-1/PER"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        pytest.param(
            lambda: (MODEL / "model.npz").write_bytes(b"PK"),
            f"{MODEL}/model.npz: the weights are not those the description names",
            id="weights",
        ),
        pytest.param(
            lambda: (MODEL / "model.npz").unlink(),
            f"{MODEL}/model.npz: the weights are not those the description names",
            id="no weights",
        ),
        pytest.param(
            lambda: (MODEL / "model.json").write_text("{"),
            f"{MODEL}/model.json: not JSON: ",
            id="description",
        ),
        pytest.param(
            lambda: (MODEL / "model.json").unlink(), f"{MODEL}: no trained model there", id="no description"
        ),
        pytest.param(
            lambda: replace(MODEL / "model.json", '"format": 3', '"format": 1'),
            f"{MODEL}/model.json: model format 1, this version reads 2 and 3",
            id="format",
        ),
        pytest.param(
            lambda: (RUN / "selection.json").write_text("{"),
            f"{RUN}/selection.json: not JSON: ",
            id="selection",
        ),
        pytest.param(
            lambda: (RUN / "config.json").unlink(), f"{RUN}/config.json: no such file", id="configuration"
        ),
    ],
)
def test_damaged_run_is_named(trained, refused, damage, said):
    damage()
    assert refused("evaluate", "tiny.yaml").startswith(said)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda: (INSTANCES / "testb.npz").unlink(), id="no instances"),
        pytest.param(lambda: (INSTANCES / "testb.npz").write_bytes(b"PK"), id="instances"),
        pytest.param(lambda: np.savez(INSTANCES / "testb.npz", tags=np.zeros(3)), id="other arrays"),
        pytest.param(lambda: shutil.rmtree(RUN / "models"), id="no models"),
        pytest.param(lambda: shutil.rmtree(RUN / "models/CRF"), id="no models of a system"),
        pytest.param(lambda: shutil.rmtree(MODEL), id="no model of a class"),
        pytest.param(lambda: (MODEL / "model.json").write_text("[]"), id="description"),
        pytest.param(lambda: (RUN / "selection.json").write_text("{}"), id="selection"),
        pytest.param(
            lambda: replace(RUN / "config.json", '"seed"', '"sead"'), id="configuration of another version"
        ),
    ],
)
def test_run_in_which_something_is_missing_is_named(trained, refused, damage):
    damage()
    assert str(RUN) in refused("evaluate", "tiny.yaml")


def test_run_without_one_of_its_seeds_is_not_scored_as_whole(trained, refused):
    shutil.rmtree(RUN / "models/ADV_f1/seed-1")
    assert str(RUN) in refused("evaluate", "tiny.yaml")


# --- compare --------------------------------------------------------------------------------------


def test_comparing_without_scores(workspace, refused):
    said = "there are no scores yet (make some with `advsp train` and `advsp evaluate`)"
    assert refused("compare") == said
    assert refused("compare", "--results", "nowhere") == said


def test_comparing_a_file_that_is_not_there(trained, refused):
    assert refused("compare", "nowhere.json") == "nowhere.json: no such file"
    assert refused("compare", SCORES, "nowhere.json") == "nowhere.json: no such file"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON: "),
        ('{"rows": [', "not JSON: "),
        ("\N{SNOWMAN}", "not JSON: "),
        ("[]", "holds no scores (make it with `advsp evaluate`)"),
        ("{}", "holds no scores (make it with `advsp evaluate`)"),
        ("7", "holds no scores (make it with `advsp evaluate`)"),
    ],
)
def test_damaged_scores_are_named(trained, refused, text, said):
    SCORES.write_text(text)
    assert refused("compare").startswith(f"{SCORES}: {said}")


def without(key: str) -> None:
    """Leave a key out of the scores, at the top or of the first row."""
    scores = json.loads(SCORES.read_text())
    (scores if key in scores else scores["rows"][0]).pop(key)
    SCORES.write_text(json.dumps(scores))


@pytest.mark.parametrize("key", ["table", "name", "fingerprint", "config", "value", "system"])
def test_scores_in_which_something_is_missing_are_named(trained, refused, key):
    without(key)
    assert str(SCORES) in refused("compare")


@pytest.mark.parametrize(
    ("damage", "arguments"),
    [
        pytest.param(lambda: None, ["results"], id="folder in place of scores"),
        pytest.param(lambda: Path("results/tables").write_text(""), [], id="file in place of the tables"),
        pytest.param(
            lambda: Path("results/paper.yaml").write_text("table3: [1, 2]\n"), [], id="numbers of the paper"
        ),
    ],
)
def test_files_of_the_wrong_kind_are_named(trained, refused, damage, arguments):
    damage()
    assert refused("compare", *arguments).startswith("results")
