"""eflomal: what it is told on its command line, and what the real one makes of a text."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest
from places import ROOT

from advsp.aligners import eflomal
from advsp.aligners.base import AlignerText
from advsp.aligners.eflomal import Eflomal
from advsp.support.errors import InputError


@pytest.fixture
def calls(monkeypatch, tmp_path) -> list:
    """What would be run, by a package whose program lies in ``bin``."""
    (tmp_path / "bin").mkdir()
    calls = []
    files = [FakeFile("METADATA", tmp_path), FakeFile("eflomal-align", tmp_path / "lib/../bin")]
    monkeypatch.setattr(importlib.metadata, "files", lambda package: files)
    monkeypatch.setattr(eflomal, "run_program", lambda *arguments: calls.append(arguments))
    return calls


class FakeFile:
    """A file as a distribution lists it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self._folder = name, folder

    def locate(self) -> Path:
        return self._folder / self.name


def test_options_and_files_are_given_to_the_program_of_the_package(calls, tmp_path):
    text = AlignerText(tmp_path / "s", tmp_path / "t", 1, 1)
    program = Eflomal(model=2, samplers=5, null_prior=0.1, iterations=0.5)
    program.align(text, tmp_path / "own/f", tmp_path / "own/r", print)
    ((name, command, folder, _),) = calls
    assert (name, folder) == ("eflomal", tmp_path / "own")
    assert command == [
        sys.executable, str(tmp_path / "bin/eflomal-align"), "--verbose", "--overwrite",
        "--source", str(tmp_path / "s"), "--target", str(tmp_path / "t"),
        "--forward-links", str(tmp_path / "own/f"), "--reverse-links", str(tmp_path / "own/r"),
        "--model", "2", "--n-samplers", "5", "--null-prior", "0.1", "--length", "0.5",
    ]  # fmt: skip


def test_of_what_it_says_the_stages_are_told(calls, tmp_path):
    told = []
    Eflomal().align(AlignerText(tmp_path, tmp_path, 1, 1), tmp_path / "f", tmp_path / "r", told.append)
    for line in ("INFO:eflomal:Prepared 7", "Aligning with model 3 (10 iterations)", "Done: 1.2 s"):
        calls[0][3](line)
    assert told == ["model 3 (10 iterations)"]


def test_a_package_without_its_program(monkeypatch, tmp_path):
    for files in (None, [FakeFile("METADATA", tmp_path)]):
        monkeypatch.setattr(importlib.metadata, "files", lambda package, files=files: files)
        with pytest.raises(InputError, match="'eflomal' has come without eflomal-align .install it again"):
            Eflomal().align(AlignerText(tmp_path, tmp_path, 1, 1), tmp_path / "f", tmp_path / "r", print)


# ---- the real one

CONFIG = """\
labelled:
  train: {source: train.en, target: train.fr, links: train.naacl}
  valid: {source: valid.en, target: valid.fr, links: valid.naacl}
links: {format: naacl, base: 1, order: source-target}
unlabelled: {source: unlabelled.en.gz, target: unlabelled.fr.gz}
normalise:
  source: [lower, quotes, english-contractions, hyphens]
  target: [lower, quotes, french-contractions, hyphens, accents, thousands]
run: [eflomal]
"""


@pytest.fixture
def installed() -> None:
    """The test is skipped if eflomal is not installed."""
    try:
        Eflomal.version()
    except InputError as error:
        pytest.skip(str(error))


@pytest.fixture
def sample(installed, tmp_path, command):
    """Prepare the sample bitext in ``new``, with eflomal."""
    (tmp_path / "mine.yaml").write_text(CONFIG)
    arguments = (
        ROOT / "data/sample/bitext",
        "--config",
        tmp_path / "mine.yaml",
        "--output",
        tmp_path / "new",
    )
    return lambda *overrides: command("prepare-hansards", *arguments, *overrides)


def test_sample_bitext_is_aligned_and_kept(sample, tmp_path, contents):
    from advsp.corpora.prepared_bitext import load_links, load_pairs, read_manifest

    outcome = sample()
    assert (outcome.code, outcome.err) == (0, "")
    first, second, *_ = outcome.out.splitlines()
    assert first == f"aligner eflomal: running eflomal {Eflomal.version()} on 2,110 pairs"
    assert second.startswith("aligner eflomal: done in 0:0")
    for split in ("train", "valid"):
        pairs = load_pairs(tmp_path / "new", split)
        predicted = [load_links(tmp_path / "new", f"eflomal.{way}", split) for way in ("forward", "reverse")]
        # Forward, no target word is linked twice; in reverse, no source word is.
        for links, end in zip(predicted, (1, 0), strict=True):
            assert all(len({link[end] for link in found}) == len(found) for found in links)
        both = [forward & reverse for forward, reverse in zip(*predicted, strict=True)]
        gold = [pair.sure | pair.possible for pair in pairs]
        assert sum(len(links & right) for links, right in zip(both, gold)) > 0.8 * sum(map(len, both))
    before = contents(tmp_path / "new")
    outcome = sample()
    assert "aligner eflomal: eflomal" in outcome.out and "was run on this text before" in outcome.out
    assert contents(tmp_path / "new") == before
    run = read_manifest(tmp_path / "new")["run"]["eflomal"]
    options = {"model": 3, "samplers": 3, "null_prior": 0.2, "iterations": 1.0, "letters": 0, "number": 1}
    assert run["options"] == options


def test_failure_of_its_program_is_one_line(sample, tmp_path, monkeypatch):
    """The binary cannot write its links: the place that it is given for them is a folder."""
    real = eflomal.run_program

    def without_space(name, command, folder, tell):
        (folder / "forward").mkdir()
        real(name, command, folder, tell)

    monkeypatch.setattr(eflomal, "run_program", without_space)
    complaint = sample("--set", "run={eflomal: {iterations: 0.01}}").complaint
    assert complaint.startswith("aligner eflomal: eflomal ended with exit code 1; it said: ")
    assert "died with <Signals.SIG" in complaint
    assert not (tmp_path / "new").exists()


def test_words_are_cut_to_so_many_letters(tmp_path):
    (tmp_path / "text").write_text("the gulls sleep\nétés\n", encoding="utf-8")
    cut = Eflomal(letters=3)._cut(tmp_path / "text", tmp_path / "cut")
    assert cut.read_text(encoding="utf-8") == "the gul sle\nété\n"
    assert Eflomal()._cut(tmp_path / "text", tmp_path / "other") == tmp_path / "text"
    assert not (tmp_path / "other").exists()
