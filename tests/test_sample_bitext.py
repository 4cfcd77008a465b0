"""The sample bitext that is committed is the one its script makes, and prepares like any other."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from advsp.corpora.bitext import SentencePair
from advsp.corpora.bitext_sources import LabelledText, read_labelled
from advsp.corpora.links import NAACL
from advsp.corpora.parallel_text import TextFiles

SAMPLE = ROOT / "data" / "sample" / "bitext"


def content(path: Path) -> bytes:
    """What a file says; two builds of zlib may pack the same text differently."""
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("bitext")
    script = ROOT / "scripts" / "make_sample_bitext.py"
    subprocess.run([sys.executable, script, "--output", folder], check=True, capture_output=True)
    return folder


def test_script_makes_the_committed_files_and_no_others(made):
    committed = {p.relative_to(SAMPLE): content(p) for p in SAMPLE.rglob("*") if p.is_file()}
    assert {p.relative_to(made): content(p) for p in made.rglob("*") if p.is_file()} == committed


def labelled(split: str) -> list[SentencePair]:
    text = TextFiles(SAMPLE / f"{split}.en", SAMPLE / f"{split}.fr")
    return read_labelled(LabelledText(text, SAMPLE / f"{split}.naacl"), NAACL)


@pytest.mark.parametrize(
    ("split", "pairs", "sure", "possible"),
    [("train", 80, 639, 1454), ("valid", 30, 205, 501), ("test", 60, 441, 1239)],
)
def test_labelled_pairs_have_the_stated_links(split, pairs, sure, possible):
    found = labelled(split)
    counts = len(found), sum(len(pair.sure) for pair in found), sum(len(pair.possible) for pair in found)
    assert counts == (pairs, sure, possible)
