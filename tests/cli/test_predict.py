"""``advsp predict``: what a trained run says of new text, and how it may be asked."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

RUN = Path("results/runs/tiny")
SYSTEMS = [
    ("CRF", ()),
    ("CRF+threshold", ()),
    ("ADV_f1", ("--seed", "1")),
    ("ADV_f1+threshold", ("--seed", "2")),
    ("ADV_f1+average", ()),
    ("ADV_f1+average+threshold", ()),
]


def tags(text: str) -> list[list[str]]:
    """The last column of every sentence."""
    return [[line.split()[-1] for line in block.splitlines()] for block in text.strip().split("\n\n")]


@pytest.fixture
def piped(monkeypatch):
    def give(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))

    return give


@pytest.mark.parametrize("system, options", SYSTEMS, ids=[name for name, _ in SYSTEMS])
def test_tags_are_those_of_the_prediction_files(trained, command, system, options):
    seed = f"seed-{options[1]}" if options else "average" if "+average" in system else "seed-1"
    for split in ("testa", "testb"):
        ended = command("predict", RUN, f"raw/{split}.txt", "--system", system, *options)
        assert ended.code == 0
        kept = (RUN / "predictions" / system / seed / f"{split}.conll").read_text()
        assert tags(ended.out) == tags(kept)
        assert f"{system.partition('+')[0]}, " in ended.err and "sentences" in ended.err


def test_several_files_are_one_text_in_their_order(trained, command):
    parts = [command("predict", RUN, f"raw/{split}.txt").out for split in ("testb", "testa")]
    assert command("predict", RUN, "raw/testb.txt", "raw/testa.txt").out == "".join(parts)


def test_without_tags_in_the_file_or_with_them_in_other_columns(trained, command):
    lines = [line.split() for line in Path("raw/testa.txt").read_text().splitlines()]
    Path("bare").write_text("".join(f"{cells[0]}\n" if cells else "\n" for cells in lines))
    Path("wide").write_text(
        "".join(f"{n}\t{cells[0]}\t_\n" if cells else "\n" for n, cells in enumerate(lines))
    )
    expected = tags(command("predict", RUN, "raw/testa.txt").out)
    bare, wide = command("predict", RUN, "bare"), command("predict", RUN, "wide", "--word", "1")
    assert tags(bare.out) == tags(wide.out) == expected
    assert wide.out.splitlines()[0] == f"0\t{lines[0][0]}\t_\t{expected[0][0]}"


def test_a_sentence_a_line_from_standard_input(trained, command, piped):
    sentences = [
        [line.split()[0] for line in block.splitlines()]
        for block in Path("raw/testa.txt").read_text().strip().split("\n\n")
    ]
    piped("".join(f"{' '.join(words)}\n" for words in sentences))
    ended = command("predict", RUN, "-", "--input", "lines", "--format", "jsonl", "--marginals")
    found = [json.loads(line) for line in ended.out.splitlines()]
    assert [sentence["words"] for sentence in found] == sentences
    assert [sentence["tags"] for sentence in found] == tags(command("predict", RUN, "raw/testa.txt").out)
    for sentence in found:
        assert list(sentence["marginals"]) == ["PER", "LOC"]
        assert all(0.0 <= value <= 1.0 for values in sentence["marginals"].values() for value in values)


def test_marginals_stand_before_the_tag_and_thresholds_move_the_decision(trained, command):
    plain = command("predict", RUN, "raw/testb.txt", "--marginals").out
    for level in (0.01, 0.99):
        moved = command("predict", RUN, "raw/testb.txt", "--threshold", f"PER={level}", "--marginals").out
        for before, after in zip(plain.splitlines(), moved.splitlines(), strict=True):
            if before:
                *_, per, _, tag = after.split()
                assert before.split()[:-1] == after.split()[:-1]
                assert tag != "I-PER" or float(per) >= level - 1e-4


def test_favoured_recall_tags_at_least_as_much_as_favoured_precision(trained, command):
    def tagged(favour: str) -> int:
        ended = command("predict", RUN, "raw/testb.txt", "--favour", favour)
        assert "above" in ended.err
        return sum(tag != "O" for sentence in tags(ended.out) for tag in sentence)

    assert tagged("recall") >= tagged("precision")


def test_the_file_is_there_once_all_is_well(trained, command):
    assert command("predict", RUN, "raw/testa.txt", "--output", "new/tagged").code == 0
    assert Path("new/tagged").read_text() == command("predict", RUN, "raw/testa.txt", "--quiet").out
    Path("new/tagged").write_text("before")
    Path("broken").write_text("Mira\n\nMira Tolen\n")
    assert command("predict", RUN, "broken", "--output", "new/tagged").code == 2
    assert Path("new/tagged").read_text() == "before"


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("no/run", "x"), "no/run: no run there (train it with `advsp train`)"),
        ((RUN, "x", "--system", "SVM"), f"{RUN}: the run has no system 'SVM' (it has CRF, ADV_f1)"),
        (
            (RUN, "x", "--system", "ADV_f1", "--seed", "3"),
            "ADV_f1 has no models of seed 3 (it has 1, 2, average)",
        ),
        ((RUN, "x", "--system", "ADV_f1+average", "--seed", "1"), "is the average over the seeds"),
        ((RUN, "x", "--threshold", "DAY=0.3"), "no class 'DAY' to set a threshold of (known: PER, LOC)"),
        ((RUN, "x", "--threshold", "PER=2"), "expected CLASS=VALUE with a value between 0 and 1"),
        ((RUN, "x", "--threshold", "PER"), "expected CLASS=VALUE"),
        ((RUN, "x", "raw/testa.txt"), "x: no such file"),
    ],
)
def test_what_is_refused(trained, refused, arguments, problem):
    said = refused("predict", *arguments, "--quiet")
    assert problem in said


def test_features_that_were_ready_made_are_named(trained, command):
    (RUN / "features/stanford.json").unlink()
    assert "there are no features to make of new text" in command("predict", RUN, "raw/testa.txt").complaint
