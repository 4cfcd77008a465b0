"""``advsp predict``: what a trained run says of new text, and how it may be asked."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from advsp.experiments.decisions import thresholds_in_steps
from advsp.experiments.system_in_use import open_system
from advsp.metrics import metrics
from advsp.support.records import read_json

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


@pytest.mark.parametrize("levels", [(0.02, 0.9), (0.3, 0.3), (0.9, 0.02)])
def test_thresholds_decide_by_the_marginals_that_stand_before_the_tag(trained, command, levels):
    given = [f"--threshold={label}={level}" for label, level in zip(("PER", "LOC"), levels, strict=True)]
    ended = command("predict", RUN, "raw/testb.txt", "--system", "CRF", "--marginals", *given)
    for line in filter(None, ended.out.splitlines()):
        *_, per, loc, tag = line.split()
        claims = {"I-PER": (float(per), levels[0]), "I-LOC": (float(loc), levels[1])}
        made = {name: value for name, (value, level) in claims.items() if value > level}
        rule = read_json(RUN / "selection.json")["CRF"]["joint"]
        strength = {
            name: {"marginal": value, "ratio": value / level, "difference": value - level}[rule]
            for name, (value, level) in claims.items()
            if name in made
        }
        assert tag == max(strength, key=strength.get, default="O")


@pytest.mark.parametrize("favour, metric", [("precision", "token_f0.5"), ("recall", "token_f2")])
def test_favoured_thresholds_are_those_of_the_best_score_on_the_validation_split(trained, favour, metric):
    used = open_system(RUN, "CRF")
    instances = used.run.folder.instances("stanford", "testa")
    said = used.decode(instances)
    score = metrics.get(metric)()
    for label, level in used.favouring(favour).thresholds.items():
        merits = {
            float(t): score.score(score.counts(said[label].marginal > t, instances, label).sum(axis=0))
            for t in thresholds_in_steps(0.05)
        }
        assert merits[level] == max(merits.values())


def test_favouring_is_deciding_by_those_thresholds(trained, command):
    levels = open_system(RUN, "CRF").favouring("recall").thresholds
    given = [f"--threshold={label}={level}" for label, level in levels.items()]
    asked = command("predict", RUN, "raw/testb.txt", "--system", "CRF", "--favour", "recall")
    assert asked == command("predict", RUN, "raw/testb.txt", "--system", "CRF", *given)
    assert "PER above" in asked.err


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
        ((RUN, "raw/testa.txt", "x"), "x: no such file"),
    ],
)
def test_what_is_refused(trained, refused, arguments, problem):
    said = refused("predict", *arguments, "--quiet")
    assert problem in said


def test_a_run_of_word_alignment_tags_nothing(trained_bitext, command):
    (run,) = Path("results/runs").iterdir()
    assert command("predict", run, "-").complaint == f"{run}: is a run of alignment, not of tagging"


def test_features_that_were_ready_made_are_named(trained, command):
    (RUN / "features/stanford.json").unlink()
    assert "there are no features to make of new text" in command("predict", RUN, "raw/testa.txt").complaint
