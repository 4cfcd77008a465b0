"""A corpus of adjacent names: what ``tags`` says is what becomes of them, from preparing to predictions."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from advsp.corpora import schemes
from advsp.experiments import jobs
from advsp.experiments.config import ExperimentConfig
from advsp.support.records import read_json
from advsp.support.yaml_source import parse_value

NAMES = ("Mira", "Tolen", "Ossip", "Brandt", "Dorrit")
EXPERIMENT = """\
name: {tags}
corpus: {{name: crews, path: corpus}}
tags: {tags}
workers: 1
optimiser: {{name: adagrad, step: 0.3, passes: 10, average: iterates}}
evaluation: {{bootstrap: 100, thresholds: false}}
systems:
  CRF:
    learner: {{name: crf, start: own}}
    optimiser: {{name: lbfgs, passes: 1, iterations: 50, l2: 0.1}}
  ADV_f1: {{learner: {{name: adversarial}}}}
"""


def crew(rng: random.Random) -> str:
    """Names side by side, some of two words, in IOB2."""
    lines = ["the O", "crew O"]
    for _ in range(rng.choice((1, 2, 3))):
        lines += [f"{rng.choice(NAMES)} B-PER", *(["Storm I-PER"] if rng.random() < 0.5 else [])]
    return "\n".join([*lines, "left O"]) + "\n"


@pytest.fixture(scope="module")
def raw(tmp_path_factory) -> Path:
    folder, rng = tmp_path_factory.mktemp("crews"), random.Random(3)
    for split, number in (("train", 120), ("testa", 12), ("testb", 12)):
        (folder / f"{split}.txt").write_text("\n".join(crew(rng) for _ in range(number)))
    return folder


@pytest.fixture
def scores(raw, tmp_path, monkeypatch, command):
    """Scores by metric and system, of an experiment with these tags on a corpus in this scheme."""
    monkeypatch.chdir(tmp_path)
    sources = "{files: {train: train.txt, testa: testa.txt, testb: testb.txt}, scheme: iob2}"
    Path("prepare.yaml").write_text(sources)

    def run(tags: str) -> dict[tuple[str, str], float]:
        ended = command("prepare-conll", raw, "--config", "prepare.yaml", "--output", "corpus")
        assert "entities that begin where one of their class ends: " in ended.out + ended.err
        Path("my.yaml").write_text(EXPERIMENT.format(tags=tags))
        for verb in ("train", "evaluate"):
            assert command(verb, "my.yaml", "--quiet").code == 0
        rows = read_json(Path(f"results/scores/{tags}.json"))["rows"]
        return {
            (row["metric"], row["system"]): row["value"]
            for row in rows
            if row["split"] == "testb" and row["class"] == "PER"
        }

    return run


def test_classes_alone_find_every_token_and_merge_entities(scores):
    found = scores("io")
    for system in ("CRF", "ADV_f1"):
        assert found["token_f1", system] == 100.0
        assert found["entity_f1", system] < 50.0


@pytest.mark.parametrize("tags", ["bio", "bioes"])
def test_prefixes_find_every_entity(scores, tags, command, monkeypatch):
    monkeypatch.setattr(jobs, "PIECE", 5)  # what is decoded in pieces is joined, where entities begin, too
    found = scores(tags)
    for system in ("CRF", "ADV_f1"):
        for metric in ("token_f1", "entity_f1", "joint_token_f1", "joint_entity_f1"):
            assert found[metric, system] == 100.0
        folder = Path(f"results/runs/{tags}/predictions/{system}/seed-1")
        blocks = (folder / "testb.conll").read_text().strip().split("\n\n")
        written = [[line.split()[-1] for line in block.splitlines()] for block in blocks]
        assert not any(schemes.violations(sentence, "iob2") for sentence in written)
        Path("new").write_text("the crew Mira Storm Tolen left\n")
        ended = command("predict", f"results/runs/{tags}", "new", "--input", "lines", "--system", system)
        last = [line.split()[-1] for line in ended.out.splitlines() if line]
        assert last == ["O", "O", "B-PER", "I-PER", "B-PER", "O"]


@pytest.mark.long
@pytest.mark.parametrize("oracle", ["numpy", "auto"])
def test_observed_edges_are_fewer_and_say_as_much(scores, oracle, monkeypatch, command):
    text = EXPERIMENT + f"edges: observed\nengine: {{{{oracle: {oracle}}}}}\n"
    monkeypatch.setattr(f"{__name__}.EXPERIMENT", text)
    found = scores("bioes")
    assert {found["joint_entity_f1", system] for system in ("CRF", "ADV_f1")} == {100.0}
    about = read_json(Path("results/runs/bioes/models/CRF/seed-1/PER/model.json"))
    tags = about["data"]["tag_names"]
    pairs = {(tags[a] if a >= 0 else "", tags[b]) for a, b in about["data"]["transitions"]}
    assert ("B-PER", "E-PER") in pairs and ("", "O") in pairs
    assert not pairs & {("B-PER", "O"), ("O", "E-PER"), ("", "B-PER")}
    Path("new").write_text("the crew Mira Storm Tolen left\n")
    ended = command("predict", "results/runs/bioes", "new", "--input", "lines", "--system", "ADV_f1")
    assert [line.split()[-1] for line in ended.out.splitlines() if line][2:5] == ["B-PER", "I-PER", "B-PER"]
    ended = command("inspect", "results/runs/bioes", "--system", "ADV_f1", "--weights", "3")
    assert (ended.code, ended.err) == (0, "")


def test_a_run_of_classes_alone_is_what_it_was_before_there_were_others():
    said = EXPERIMENT.format(tags="io")
    configs = [
        ExperimentConfig.model_validate(parse_value(text)) for text in (said, said.replace("tags: io\n", ""))
    ]
    assert len({config.fingerprint() for config in configs}) == 1
    assert not {"tags", "edges", "checkpoint_seconds"} & configs[0].model_dump().keys()


def test_links_have_no_tags(bitext_workspace, command):
    text = Path("harbour.yaml").read_text()
    for key, value in (("tags", "bio"), ("edges", "observed")):
        Path("harbour.yaml").write_text(text + f"{key}: {value}\n")
        ended = command("train", "harbour.yaml")
        assert (ended.code, f"{key}: a corpus of kind bitext has no tags" in ended.err) == (2, True)
