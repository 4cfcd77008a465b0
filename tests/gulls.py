"""A bitext of five sentence pairs about gulls and terns, and the files that it is prepared from."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from advsp.corpora.bitext import SentencePair
from advsp.corpora.bitext_sources import BitextSources, LabelledText, Part
from advsp.corpora.parallel_text import TextFiles

FILES = {
    "gulls.en": "The gull sleeps\nhigh tide\nit is late\n",
    "gulls.fr": "la mouette dort\nmarée haute\nil est tard\n",
    "gulls.naacl": "1 1 1 P\n1 2 2 S\n1 3 3 S\n2 1 2 S\n2 1 2 P\n3 3 3 S\n",
    "terns.en": "two terns\nno wind\n",
    "terns.fr": "deux sternes\npas de vent\n",
    "terns.naacl": "41 1 1 S\n43 1 1 P\n43 2 3 S\n",
    "m.head": "0-0 1-1\n\n",
    "m.tail": "2-2 0-1\n",
    "unlabelled.en": "The gull\n\nThe  gull\nno wind-mill\nthe gull\n",
    "unlabelled.fr": "la mouette\nrien\nla mouette\nl'élan\nla mouette\n",
}

GULLS = [
    SentencePair(
        ("The", "gull", "sleeps"),
        ("la", "mouette", "dort"),
        frozenset({(1, 1), (2, 2)}),
        frozenset({(0, 0)}),
    ),
    SentencePair(("high", "tide"), ("marée", "haute"), frozenset({(0, 1)})),
    SentencePair(("it", "is", "late"), ("il", "est", "tard"), frozenset({(2, 2)})),
]
TERNS = [
    SentencePair(("two", "terns"), ("deux", "sternes"), frozenset({(0, 0)})),
    SentencePair(("no", "wind"), ("pas", "de", "vent"), frozenset({(1, 2)}), frozenset({(0, 0)})),
]
SPLITS = ("train", "valid", "test")
STEPS = {"source": ["lower", "hyphens"], "target": ["french-contractions", "accents"]}


def write_raw(folder: Path) -> Path:
    """The folder, with the files above."""
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(content)
    return folder


def describe(raw: Path, **options: Any) -> BitextSources:
    """The files above as sources; options replace parts of the description."""
    parts = {
        "labelled": {
            "gulls": LabelledText(TextFiles(raw / "gulls.en", raw / "gulls.fr"), raw / "gulls.naacl"),
            "terns": LabelledText(
                TextFiles(raw / "terns.en", raw / "terns.fr"), raw / "terns.naacl", [41, 43]
            ),
        },
        "splits": {
            "train": Part("gulls", last=2),
            "valid": Part("terns"),
            "test": Part("gulls", first=3),
        },
        "aligners": {"m.ef": {"train": raw / "m.head", "test": raw / "m.tail"}},
        "unlabelled": TextFiles(raw / "unlabelled.en", raw / "unlabelled.fr"),
        "normalise": STEPS,
    }
    return BitextSources(**parts | options)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """A folder with the files of the bitext."""
    return write_raw(tmp_path / "raw")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where it is prepared."""
    return tmp_path / "bitext"


@pytest.fixture
def sources(raw: Path) -> partial[BitextSources]:
    """The description of its files; options replace parts."""
    return partial(describe, raw)
