"""Preparing a corpus: what the description says is done, and what was found is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import ROOT

from advsp.corpora.conll import read_columns
from advsp.corpora.prepared import load, read_manifest
from advsp.experiments.prepare import prepare_conll_corpus
from advsp.experiments.sources import ConllSource
from advsp.support.errors import InputError
from advsp.support.progress import Silent
from advsp.support.section_files import load_section

MARKED = """\
-DOCSTART- -X- O

Signe NNP B-PER
of IN I-LOC
Halden NNP I-LOC

-DOCSTART- -X- O

waves NNS O
"""


class Listener(Silent):
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.bars: list[tuple[str, int]] = []
        self.ticks = 0
        self.stops = 0

    def say(self, text: str) -> None:
        self.lines.append(text)

    def start(self, label: str, total: int):
        self.bars.append((label, total))

        def progress(count: int) -> None:
            self.ticks += count

        return progress

    def stop(self) -> None:
        self.stops += 1


@pytest.fixture
def source(tmp_path) -> Path:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw/a.txt").write_text(MARKED)
    (tmp_path / "raw/b.txt").write_text("Halden NNP I-LOC\n")
    (tmp_path / "source.yaml").write_text("files: {train: a.txt, testa: b.txt}\n")
    return tmp_path


def prepare(folder: Path, *overrides: str) -> Listener:
    listener = Listener()
    prepare_conll_corpus(folder / "raw", folder / "out", folder / "source.yaml", overrides, listener)
    return listener


def test_counts_of_every_split_are_told(source):
    assert prepare(source).lines == [
        "train: 2 sentences, 4 tokens, LOC 1 PER 1; "
        "2 -DOCSTART- lines (drop), 1 tag out of sequence for iob1",
        "  line 3: 'B-PER' splits off an entity where none of its class ends just before",
        "testa: 1 sentence, 1 token, LOC 1; 0 -DOCSTART- lines (drop), 0 tags out of sequence for iob1",
        f"wrote {source / 'out'}",
    ]


def test_progress_counts_the_splits_and_ends(source):
    listener = prepare(source)
    assert listener.bars == [("reading", 2)]
    assert (listener.ticks, listener.stops) == (2, 1)


def test_bar_is_removed_when_reading_fails(source):
    (source / "raw/b.txt").write_text("\n")
    listener = Listener()
    with pytest.raises(InputError, match="no sentences"):
        prepare_conll_corpus(source / "raw", source / "out", source / "source.yaml", (), listener)
    assert listener.stops == 1
    assert not (source / "out").exists()


def test_description_decides_how_files_are_read(source):
    prepare(source, "docstart=uncounted", "scheme=iob2", "word=1")
    manifest = read_manifest(source / "out")
    assert (manifest["docstart"], manifest["scheme"], manifest["word"], manifest["tag"]) == (
        "uncounted",
        "iob2",
        1,
        -1,
    )
    assert [sentence.words for sentence in load(source / "out", "train")] == [
        ("-DOCSTART-",), ("NNP", "IN", "NNP"), ("-DOCSTART-",), ("NNS",),
    ]  # fmt: skip


def test_expected_counts_are_checked(source):
    prepare(source, "expect={train: {sentences: 2, tokens: 4, entities: {LOC: 1, PER: 1}}}")
    for wrong in ("sentences: 3", "tokens: 3", "entities: {LOC: 1}", "entities: {LOC: 2, PER: 1}"):
        with pytest.raises(InputError, match="split train: found"):
            prepare(source, f"expect={{train: {{{wrong}}}}}")


def test_without_a_description_files_are_read_as_those_of_conll_2003(tmp_path):
    for name in ("eng.train", "eng.testa", "eng.testb"):
        (tmp_path / name).write_text("Halden NNP I-NP I-LOC\n")
    with pytest.raises(InputError, match="split train: found sentences 1, expected 14041"):
        prepare_conll_corpus(tmp_path, tmp_path / "out", None, (), Silent())
    prepare_conll_corpus(tmp_path, tmp_path / "out", None, ["expect={}"], Silent())
    assert read_manifest(tmp_path / "out")["docstart"] == "uncounted"


def test_sample_corpus_is_prepared_as_its_configuration_expects(tmp_path):
    config = ROOT / "configs/sample-prepare.yaml"
    prepare_conll_corpus(ROOT / "data/sample/conll", tmp_path, config, (), Silent())
    expected = load_section(ConllSource, config).expect
    assert set(expected) == {"train", "testa", "testb"}
    for split, counts in expected.items():
        about = read_manifest(tmp_path)["splits"][split]
        assert (about["sentences"], about["entities"]) == (counts.sentences, counts.entities)
        assert about["violations"] == 0


def test_prepared_files_say_what_the_sources_said(source):
    prepare(source)
    before = read_columns(source / "raw/a.txt", scheme="iob1").sentences
    assert tuple(load(source / "out", "train")) == before
