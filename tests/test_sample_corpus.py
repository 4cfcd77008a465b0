"""The sample corpus is what its generator makes, and what is said of it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from advsp.corpora.conll import read_columns
from advsp.support.yaml_source import read_yaml

SAMPLE = ROOT / "data/sample/conll"
SPLITS = ("train", "testa", "testb")


@pytest.fixture(scope="module")
def generated(tmp_path_factory) -> tuple[Path, str]:
    """The corpus made anew, and what its generator says."""
    folder = tmp_path_factory.mktemp("sample")
    script = ROOT / "scripts/make_sample_conll.py"
    made = subprocess.run(
        [sys.executable, script, "--output", folder], capture_output=True, text=True, check=True, timeout=60
    )
    return folder, made.stdout


@pytest.fixture(scope="module")
def corpus() -> dict:
    return {
        split: read_columns(SAMPLE / f"sample.{split}", scheme="iob1", docstart="uncounted")
        for split in SPLITS
    }


def test_generator_makes_the_committed_files_byte_by_byte(generated):
    folder, _ = generated
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"sample.{split}" for split in SPLITS)
    for split in SPLITS:
        assert (folder / f"sample.{split}").read_bytes() == (SAMPLE / f"sample.{split}").read_bytes()


def test_generator_counts_what_a_reader_counts(generated, corpus):
    _, said = generated
    for line, split in zip(said.splitlines(), SPLITS, strict=True):
        counts = corpus[split].counts
        entities = ", ".join(
            f"{label} {counts['entities'][label]}" for label in ("PER", "LOC", "ORG", "MISC")
        )
        assert line == (
            f"sample.{split}: {counts['docstart_lines']} documents, {counts['sentences']} sentences, "
            f"{counts['tokens']} tokens, {sum(counts['entities'].values())} entities ({entities})"
        )


def test_configuration_expects_what_is_there(corpus):
    expected = read_yaml(ROOT / "configs/sample-prepare.yaml").value["expect"]
    assert set(expected) == set(SPLITS)
    for split, counts in expected.items():
        assert {key: corpus[split].counts[key] for key in counts} == counts


def test_readme_says_how_many_sentences_there_are(corpus):
    text = (ROOT / "data/README.md").read_text()
    (line,) = [line for line in text.splitlines() if "`sample/conll/`" in line and line.startswith("|")]
    assert list(map(int, re.findall(r"\d+", line))) == [corpus[split].counts["sentences"] for split in SPLITS]


def test_readme_says_how_many_entities_are_new_in_the_test_splits(corpus):
    def entities(split: str) -> list[tuple[str, ...]]:
        found = []
        for sentence in corpus[split].sentences:
            for word, tag in zip(sentence.words, sentence.tags, strict=True):
                if tag[0] == "B":
                    found.append((tag[2:], word))
                elif tag[0] == "I":
                    found[-1] += (word,)
        return found

    known = set(entities("train"))
    tested = entities("testa") + entities("testb")
    assert 0.7 < sum(entity not in known for entity in tested) / len(tested) < 0.8


def test_tags_are_in_sequence_and_of_four_classes(corpus):
    for file in corpus.values():
        assert file.violations == ()
        assert set(file.counts["entities"]) == {"PER", "LOC", "ORG", "MISC"}


def test_every_line_has_the_four_columns_of_conll_2003():
    for split in SPLITS:
        for line in filter(None, (SAMPLE / f"sample.{split}").read_text().split("\n")):
            assert len(line.split(" ")) == 4, line


def test_no_sentence_comes_twice(corpus):
    sentences = [s.words for file in corpus.values() for s in file.sentences if s.counted]
    assert len(set(sentences)) == len(sentences)
