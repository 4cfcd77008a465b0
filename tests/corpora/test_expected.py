"""Counts that are expected: of what is counted and is there, and all differences in one message."""

from __future__ import annotations

import pytest

from advsp.corpora.expected import check_counts, check_names
from advsp.support.errors import InputError

FOUND = {"sentences": 3, "tokens": 12, "entities": {"PER": 2, "LOC": 1}}


def test_what_is_there_may_be_expected():
    check_names({"train": {"tokens": 1}, "test": {}}, ["train", "test"], ["tokens"])


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ({"dev": {"tokens": 1}}, "counts are expected of split 'dev', which is not there"),
        ({"train": {"words": 1}}, "split train: unknown count 'words' .known: tokens, sentences"),
    ],
)
def test_what_is_not_there_may_not(expect, problem):
    with pytest.raises(InputError, match=problem):
        check_names(expect, ["train"], ["tokens", "sentences"])


def test_counts_that_agree_are_passed_over():
    check_counts("a.txt", "train", FOUND, {"tokens": 12, "entities": {"LOC": 1, "PER": 2}}, "look again")


def test_counts_that_differ_are_named_together():
    expected = {"sentences": 4, "tokens": 12, "entities": {"PER": 3, "LOC": 1}}
    with pytest.raises(InputError) as caught:
        check_counts("a.txt", "train", FOUND, expected, "look again")
    assert str(caught.value) == (
        "a.txt: split train: found sentences 3, expected 4; "
        "found entities LOC 1 PER 2, expected LOC 1 PER 3 (look again)"
    )
