"""What a bitext is prepared from: descriptions that cannot be met, and files that do not fit each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from advsp.corpora.bitext_sources import AlignerRun, LabelledText, Part
from advsp.corpora.parallel_text import TextFiles
from advsp.support.errors import InputError


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"labelled": {}}, "no labelled text given"),
        ({"splits": {"../up": Part("gulls")}}, "split name '../up' cannot name a file"),
        ({"splits": {"train": Part("gull")}}, "split train: labelled text 'gull' is not there"),
        ({"aligners": {".m": {}}}, "aligner name '.m' cannot name a file"),
        ({"aligners": {"m/ef": {}}}, "aligner name 'm/ef' cannot name a file"),
        ({"aligners": {"m": {"dev": Path("x")}}}, "aligner m: split 'dev' is not there"),
        ({"normalise": {"english": []}}, "normalisation: side 'english' is not there"),
    ],
)
def test_descriptions_that_cannot_be_met(sources, options, problem):
    with pytest.raises(InputError, match=problem):
        sources(**options)


@pytest.mark.parametrize(
    ("run", "problem"),
    [
        (["m"], "aligner 'm' is to be run, and 'm.ef' has that name already"),
        (["m.ef"], "aligner 'm.ef' is to be run, and 'm.ef' has that name already"),
        (["a", "a.forward"], "aligner 'a.forward' is to be run, and 'a.forward' has that name"),
        (["a.reverse", "a"], "aligner 'a.reverse' is to be run, and 'a.reverse' has that name"),
        (["m/ef"], "aligner name 'm/ef' cannot name a file"),
    ],
)
def test_names_of_aligners_that_are_run_are_theirs_alone(sources, run, problem):
    with pytest.raises(InputError, match=problem):
        sources(run={name: AlignerRun("fake") for name in run})


def test_names_that_are_not_the_same_are_no_obstacle(sources):
    sources(run={name: AlignerRun("fake") for name in ("m.fe", "m2", "mm")})


@pytest.mark.parametrize(
    ("splits", "problem"),
    [
        ({"a": Part("gulls", 1, 4)}, "split a: pairs 1 to 4 asked for, the text 'gulls' has pairs 1 to 3"),
        ({"a": Part("gulls", 4)}, "split a: pairs 4 to 3 asked for"),
        ({"a": Part("gulls", 0)}, "split a: pairs 0 to 3 asked for"),
        ({"a": Part("gulls", 3, 2)}, "split a: pairs 3 to 2 asked for"),
        ({"a": Part("gulls", 1, 2), "b": Part("gulls", 2)}, "pair 2 of 'gulls' is in a and in b"),
    ],
)
def test_splits_that_do_not_fit_their_text(sources, splits, problem):
    with pytest.raises(InputError, match=problem):
        sources(splits=splits, aligners={}).read_splits()


def test_numbers_of_pairs_are_to_be_declared(sources, raw):
    terns = LabelledText(TextFiles(raw / "terns.en", raw / "terns.fr"), raw / "terns.naacl")
    with pytest.raises(InputError, match="terns.naacl:1: unknown pair 41, the pairs of the text are 1 to 2"):
        sources(labelled={"terns": terns}, splits={}, aligners={}).read_splits()


def test_links_of_an_aligner_are_checked_against_the_sentences(sources, raw):
    splits = sources().read_splits()
    (raw / "m.tail").write_text("0-0 3-1\n")
    with pytest.raises(InputError, match="m.tail:1: pair 1: link 3-1 lies outside its sentences of 3 source"):
        sources().read_predicted(splits)
    (raw / "m.tail").write_text("0-0\n1-1\n")
    with pytest.raises(InputError, match="m.tail:2: found 2 lines, the text has 1 pair"):
        sources().read_predicted(splits)
    (raw / "m.tail").write_text("0-0 1?1\n")
    with pytest.raises(InputError, match="m.tail: pair 1 has links that are marked possible"):
        sources().read_predicted(splits)
