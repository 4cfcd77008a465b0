"""Whatever is wrong with an experiment on word alignment is answered with one line, and leaves no trace."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import tiny_bitext
from edit_files import replace

RUN = Path("results/runs/harbour")
SCORES = Path("results/scores/harbour.json")


@pytest.fixture
def train(bitext_workspace, refused):
    """Train with overrides; must be refused."""

    def check(*overrides: str) -> str:
        return refused(
            "train", "harbour.yaml", *(part for override in overrides for part in ("--set", override))
        )

    return check


# --- train: what does not fit the corpus ----------------------------------------------------------


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (
            "corpus.path=nowhere",
            "nowhere: no prepared corpus there (prepare it with `advsp prepare-hansards`)",
        ),
        ("corpus.path=raw", "raw: no prepared corpus there (prepare it with `advsp prepare-hansards`)"),
        ("corpus.validation=valdi", "corpus: the corpus has no split 'valdi'; it has train, valid, test"),
        ("corpus.train=trial", "corpus: the corpus has no split 'trial'; it has train, valid, test"),
        ("corpus.test=[test, other]", "corpus: the corpus has no split 'other'; it has train, valid, test"),
        (
            "corpus.test=[test, valid]",
            "harbour.yaml:2: corpus.validation: what is chosen on a split cannot be tested on it",
        ),
        ("corpus.sentences=3", "--set corpus.sentences: a corpus of kind bitext is read as it is"),
        ("corpus.docstart=drop", "--set corpus.docstart: a corpus of kind bitext is read as it is"),
        ("corpus.files={train: x}", "--set corpus.files: files belong to kind: features"),
        ("corpus.kind=bitxt", "--set corpus.kind: unknown kind of corpus 'bitxt' (did you mean 'bitext'?)"),
        ("corpus.kind=3", "--set corpus.kind: unknown kind of corpus '3' (known: bitext, conll, features)"),
        ("classes=[PER]", "--set classes: a corpus of kind bitext has the classes all"),
        ("features.preset=taskr", "unknown feature set 'taskr' (did you mean 'taskar'?)"),
        ("features.preset=stanford", "unknown feature set 'stanford' "),
        ("features.preset=taskar+m5", "unknown aligner 'm5' (did you mean 'm'?)"),
        ("features.preset=taskar+m.ef+m.ef", "aligner 'm.ef' is there twice (name it once)"),
        ("systems.logistic [m].features.preset=taskar+x", "unknown aligner 'x' "),
        (
            "selection.metric=token_f1",
            "--set selection.metric: 'token_f1' is not measured there (known: aer)",
        ),
    ],
)
def test_experiment_that_does_not_fit_its_corpus(train, override, said):
    assert train(override).startswith(said)


def test_aligner_without_links_for_a_split_in_use(train, command):
    replace(
        "prepare.yaml",
        "m.fe: {train: m.fe.train, valid: m.fe.valid, test: m.fe.test}",
        "m.fe: {train: m.fe.train}",
    )
    prepared = command("prepare-hansards", "raw", "--config", "prepare.yaml", "--output", "corpus")
    assert prepared.code == 0
    assert train() == "aligner 'm.fe' has no links for split 'valid' (m.fe has train)"


def test_corpus_prepared_without_unlabelled_text(train, command):
    options = ["--config", "prepare.yaml", "--output", "corpus", "--set", "unlabelled=null"]
    assert command("prepare-hansards", "raw", *options).code == 0
    assert train().startswith(
        "features.preset: taskar looks at unlabelled text, and the bitext was prepared without any"
    )


@pytest.mark.parametrize("name", ["valid.naacl", "train.source", "aligners/m.ef.test.pharaoh"])
def test_prepared_corpus_that_was_changed_by_hand(train, name):
    path = Path("corpus") / name
    path.write_bytes(path.read_bytes() + b"\n")
    assert train().startswith(f"corpus/{name}: changed since it was prepared")


def test_corpora_of_other_kinds(train, workspace_of_names):
    assert train("corpus.path=names").startswith("names/corpus.json: ")
    assert train("corpus={kind: conll, name: harbour, path: corpus}", "classes=[all]")


@pytest.fixture
def workspace_of_names(bitext_workspace, command) -> None:
    """A prepared column corpus in ``names``."""
    for split in ("train", "testa", "testb"):
        (bitext_workspace / f"{split}.txt").write_text("Mira I-PER\nsails O\n")
    (bitext_workspace / "names.yaml").write_text(
        "files: {train: train.txt, testa: testa.txt, testb: testb.txt}\n"
    )
    assert command("prepare-conll", ".", "--config", "names.yaml", "--output", "names").code == 0


# --- train: what does not fit the task ------------------------------------------------------------


def system(options: str) -> str:
    """An override that adds a system."""
    return f"systems.X={{{options}}}"


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (
            system("learner: {name: crf}"),
            "--set systems.X.learner.name: crf is a learner of tagging, the corpus is one of alignment",
        ),
        (
            system("learner: {name: adversarial-links, cost: {AX: 1.0}}"),
            "--set systems.X.learner.cost.AX: found 'AX', expected 'AN', ",
        ),
        (
            system("learner: {name: adversarial-links, cost: {AN: -1.0}}"),
            "--set systems.X.learner.cost.AN: found -1.0, expected greater than or equal to 0",
        ),
        (
            system("learner: {name: adversarial-links, structure: chain}"),
            "--set systems.X.learner.structure: chain is no structure of links "
            "(known: column-chain, independent, matching)",
        ),
        (
            system("learner: {name: ssvm, possible: label}"),
            "--set systems.X.learner.possible: found 'label', expected 'ignore' or 'positive'",
        ),
        (
            system("learner: {name: ssvm}, optimiser: {name: bcfw}"),
            "--set systems.X.optimiser.l2: bcfw needs l2 > 0",
        ),
        (
            system("learner: {name: ssvm}, optimiser: {initial: {name: logistic, scal: 1.0}}"),
            "--set systems.X.optimiser.initial.scal: unknown key (did you mean scale?)",
        ),
        ("optimiser.batch=0", "--set optimiser.batch: found 0, expected greater than or equal to 1"),
        ("selection.folds=1", "--set selection.folds: one fold leaves nothing to train on"),
        (
            "systems.logistic [m].selection.folds=12",
            "systems.logistic [m].selection.folds: 12 folds of 11 examples "
            "(give at most as many folds as there are examples)",
        ),
        (
            "systems.SSVM [taskar].selection.grid={features.preset: [taskar, taskar+m]}",
            "systems.SSVM [taskar].selection.grid: features cannot differ from point to point of a grid "
            "(make them systems of their own)",
        ),
        (
            "systems.SSVM [taskar].selection.grid={selection.folds: [0, 2]}",
            "systems.SSVM [taskar].selection.grid: selection cannot differ from point to point of a grid",
        ),
        (
            "selection.grid={learner.false_positive: [1.0, 2.0]}",
            "systems.ADV_bip [m, ignore].selection.grid: the grid point learner.false_positive=1.0 ",
        ),
        ("systems.SSVM_taskar={learner: {name: ssvm}}", "--set systems.SSVM_taskar: SSVM [taskar] and "),
        ("corpus.validation=null", "systems.SSVM [taskar].selection: there is something to choose but no "),
    ],
)
def test_experiment_that_does_not_fit_its_task(train, override, said):
    assert train(override).startswith(said)


def test_as_many_folds_as_pairs_are_possible(bitext_workspace, command):
    systems = "systems={A: {learner: {name: logistic}, optimiser: {name: lbfgs, passes: 1, iterations: 2}}}"
    changes = [systems, "selection.folds=11", "corpus.validation=valid"]
    options = [word for change in changes for word in ("--set", change)]
    assert command("train", "harbour.yaml", *options).code == 0


def test_run_cannot_be_resumed_on_another_corpus(trained_bitext, refused):
    replace("raw/m.fe.test", "0-0", "1-1")
    tiny_bitext.prepare(Path())
    assert "data files changed" in refused("train", "harbour.yaml", "--resume")


# --- evaluate -------------------------------------------------------------------------------------


def other_links() -> None:
    replace("raw/m.ef.test", "0-0", "1-1")
    tiny_bitext.prepare(Path())


def fewer_pairs() -> None:
    for path in Path("raw").glob("*test*"):
        text = path.read_text()
        path.write_text("".join(line for line in text.splitlines(keepends=True)[:2]))
    tiny_bitext.prepare(Path())


def shorter_pairs() -> None:
    begins = {"test.en": "wind\n", "test.fr": "vent\n", "m.ef.test": "\n", "m.fe.test": "\n"}
    for name, line in begins.items():
        lines = (Path("raw") / name).read_text().splitlines(keepends=True)
        (Path("raw") / name).write_text("".join([line, *lines[1:]]))
    replace("raw/test.naacl", "1 1 1 S\n1 2 2 S\n1 3 3 S\n", "1 1 1 S\n")
    tiny_bitext.prepare(Path())


def without_aligners() -> None:
    replace("prepare.yaml", "aligners:", "aligners: {}\nencoding: utf-8\n#")
    text = Path("prepare.yaml").read_text()
    kept = [line for line in text.splitlines(keepends=True) if not line.startswith("  m.")]
    Path("prepare.yaml").write_text("".join(kept))
    tiny_bitext.prepare(Path())


@pytest.mark.parametrize("change", [other_links, fewer_pairs, shorter_pairs, without_aligners])
def test_corpus_that_changed_since_training_has_no_part_in_the_scores(trained_bitext, refused, change):
    change()
    said = refused("evaluate", "harbour.yaml")
    assert said == "corpus/corpus.json: has changed since the run was trained (train anew with --overwrite)"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        pytest.param(
            lambda: replace("corpus/aligners/m.ef.test.pharaoh", "0-0", "1-1"),
            "corpus/aligners/m.ef.test.pharaoh: ",
            id="by hand",
        ),
        pytest.param(
            lambda: Path("corpus/test.naacl").unlink(), "corpus/test.naacl: No such file", id="a file is gone"
        ),
        pytest.param(lambda: shutil.rmtree("corpus"), "corpus: no prepared corpus there", id="all is gone"),
    ],
)
def test_corpus_that_was_damaged_since_training_is_named(trained_bitext, refused, damage, said):
    damage()
    assert refused("evaluate", "harbour.yaml").startswith(said)


def test_corpus_prepared_again_from_the_same_files_is_the_same(trained_bitext, command, contents):
    before = contents(Path())
    tiny_bitext.prepare(Path())
    assert command("evaluate", "harbour.yaml").code == 0
    assert contents(Path()) == before


INSTANCES = RUN / "instances/taskar+m"
MODEL = RUN / "models/ADV_aer_m_label/seed-2/all"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda: (INSTANCES / "test.npz").unlink(), id="no instances"),
        pytest.param(lambda: shutil.rmtree(RUN / "instances/taskar"), id="no instances of a view"),
        pytest.param(lambda: (INSTANCES / "test.npz").write_bytes(b"PK"), id="instances"),
        pytest.param(lambda: np.savez(INSTANCES / "test.npz", kind=np.array("trees")), id="another kind"),
        pytest.param(lambda: shutil.rmtree(MODEL), id="no model of a seed"),
        pytest.param(lambda: replace(MODEL / "model.json", '"format": 3', '"format": 1'), id="format"),
        pytest.param(lambda: replace(MODEL / "model.json", '"bias"', '"bais"'), id="features of a model"),
    ],
)
def test_run_in_which_something_is_missing_is_named(trained_bitext, refused, damage):
    damage()
    said = refused("evaluate", "harbour.yaml")
    assert str(RUN) in said or said.startswith("the model has 56 weights over the feature names bais, ")
