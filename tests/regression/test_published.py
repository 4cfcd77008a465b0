"""The configurations that give the paper's cells: on the paper's corpus, and with known counts on the sample.

On the sample an LP solver and an oracle are fixed: where equilibria are not unique, which one is found
depends on them.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from places import ROOT

from advsp.experiments.config import load_config
from advsp.experiments.evaluate import evaluate
from advsp.experiments.prepare import prepare_conll_corpus
from advsp.experiments.train import train
from advsp.report.tables import cut
from advsp.support.progress import Silent
from advsp.support.yaml_source import read_yaml

CONFIGS = ROOT / "configs/published"
CLASSES = ("PER", "LOC", "ORG", "MISC")
INITIAL = "optimiser.initial"

pytestmark = pytest.mark.skipif(find_spec("sklearn") is None, reason="scikit-learn is not installed")

#: tp, fp and fn over the sample's testa.
COUNTS = {"PER": [21, 21, 20], "LOC": [22, 11, 16], "ORG": [39, 8, 36], "MISC": [3, 5, 11]}


def counts(config: str, output: Path, *overrides: str) -> dict[str, dict[str, list[int]]]:
    """Train and evaluate a configuration; tp, fp and fn of the tokens of every split and class."""
    settings = [f"output={output}", "workers=1", "evaluation.bootstrap=100", *overrides]
    run = train(load_config(CONFIGS / config, settings), Silent())
    scores = json.loads(evaluate(run, Silent()).read_text())
    found: dict[str, dict[str, list[int]]] = {}
    for row in scores["rows"]:
        if row["metric"] == "token_f1" and row["class"] in CLASSES:
            found.setdefault(row["split"], {})[row["class"]] = row["tp_fp_fn"][0]
    return found


def cells(found: dict[str, list[int]]) -> dict[str, float]:
    """F1 as the paper prints it."""
    return {label: cut(200.0 * tp / (2 * tp + fp + fn)) for label, (tp, fp, fn) in found.items()}


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The counts on the sample corpus, prepared, by options."""
    folder = tmp_path_factory.mktemp("sample")
    raw, prepared = ROOT / "data/sample/conll", folder / "corpus"
    prepare_conll_corpus(raw, prepared, ROOT / "configs/sample-prepare.yaml", (), Silent())
    fixed = ("corpus.sentences=60", "corpus.test=[]", "engine.lp=linprog", "engine.oracle=numpy")

    def run(*overrides: str) -> dict[str, list[int]]:
        output = folder / "-".join(["results", *overrides]).replace("/", "_")
        return counts("conll300.yaml", output, f"corpus.path={prepared}", *fixed, *overrides)["testa"]

    return run


def test_sample_has_the_same_counts(sample):
    assert sample() == COUNTS


@pytest.mark.long
@pytest.mark.parametrize(
    "override",
    ["seed=1", "skip=1000", "l2=10.0", "tolerance=1.0e-8", "scale=0.1", "edges=zero", "generator=numpy"],
)
def test_other_weights_have_other_counts(sample, override):
    assert sample(f"{INITIAL}.{override}") != COUNTS


def test_constant_added_to_all_edges_decides_nothing(sample):
    """It is part of every labelling's potential alike."""
    assert sample(f"{INITIAL}.added=0.5") == COUNTS


@pytest.mark.corpora
@pytest.mark.parametrize("sentences", [300, 1000])
def test_cells_of_the_paper(tmp_path, sentences):
    corpus = ROOT / "data/conll2003"
    if not (corpus / "corpus.json").exists():
        pytest.skip("CoNLL-2003 is not prepared in data/conll2003")
    printed = read_yaml(ROOT / "results/paper.yaml").value["table3"][f"conll_{sentences}"]
    found = counts(f"conll{sentences}.yaml", tmp_path, f"corpus.path={corpus}")
    for split in ("testa", "testb"):
        assert cells(found[split]) == printed[split]["ADV_f1"]


@pytest.mark.corpora
def test_feature_files_of_the_authors_have_the_cells_of_the_same_sentences(tmp_path):
    folder = ROOT / "data/authors"
    if not (folder / "300.train.gz").exists():
        pytest.skip("the authors' feature files are not in data/authors")
    printed = read_yaml(ROOT / "results/paper.yaml").value["table3"]["conll_300"]["testb"]["ADV_f1"]
    found = counts("authors300.yaml", tmp_path, f"corpus.path={folder}")
    assert cells(found["testb"]) == printed
