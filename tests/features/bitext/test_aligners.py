import pytest

from advsp.features.bitext.aligners import (
    Aligner,
    choose,
    complete_aligners,
    find_aligner,
    list_aligners,
)
from advsp.support.errors import InputError

AVAILABLE = {
    "m4.ef": ("train", "valid", "test"),
    "m4.fe": ("train", "valid", "test"),
    "big.giza.forward": ("train", "test"),
    "big.giza.reverse": ("train", "test"),
    "solo": ("train", "valid", "test"),
}
SPLITS = ("train", "valid", "test")
M4 = Aligner("m4", ("m4.ef", "m4.fe"))
BIG = Aligner("big.giza", ("big.giza.forward", "big.giza.reverse"))
SOLO = Aligner("solo", ("solo",))


def test_directions_are_found_by_their_names():
    assert list_aligners(AVAILABLE) == [M4, BIG, SOLO]


@pytest.mark.parametrize(
    "endings",
    [
        ("ef", "fe"),
        ("en-fr", "fr-en"),
        ("s2t", "t2s"),
        ("forward", "backward"),
        ("reverse", "forward"),
        ("f", "r"),
        ("fwd", "rev"),
    ],
)
def test_opposite_endings(endings):
    names = tuple(f"a.{ending}" for ending in endings)
    assert list_aligners(names) == [Aligner("a", names)]


@pytest.mark.parametrize("names", [("a.one", "a.two"), ("ef", "fe"), ("a.ef", "b.fe"), ("a.ef",)])
def test_other_names_are_aligners_of_their_own(names):
    assert list_aligners(names) == [Aligner(name, (name,)) for name in names]


def test_a_third_ending_does_not_come_between():
    assert list_aligners(["a.ef", "a.sym", "a.fe"]) == [
        Aligner("a", ("a.ef", "a.fe")),
        Aligner("a.sym", ("a.sym",)),
    ]


@pytest.mark.parametrize("more", [["a.st", "a.ts"], ["a"]])
def test_a_name_that_could_mean_two_things_means_no_pair(more):
    names = ["a.ef", "a.fe", *more]
    assert list_aligners(names) == [Aligner(name, (name,)) for name in names]


def test_complete_aligners_have_all_splits_in_both_directions():
    assert complete_aligners(AVAILABLE, SPLITS) == [M4, SOLO]
    assert complete_aligners(AVAILABLE, ["train"]) == [M4, BIG, SOLO]
    assert complete_aligners({**AVAILABLE, "m4.fe": ("train",)}, SPLITS) == [SOLO]


def test_an_aligner_is_found_by_its_name_or_that_of_a_direction():
    assert find_aligner("m4", AVAILABLE, SPLITS) == M4
    assert find_aligner("m4.fe", AVAILABLE, SPLITS) == Aligner("m4.fe", ("m4.fe",))
    assert find_aligner("big.giza", AVAILABLE, ["test"]) == BIG


def test_the_first_alternative_that_has_a_split_is_taken():
    found = find_aligner("big.giza|m4", AVAILABLE, SPLITS)
    assert found == Aligner("big.giza|m4", ("big.giza.forward|m4.ef", "big.giza.reverse|m4.fe"))
    assert choose(found.directions[1], AVAILABLE, "test") == "big.giza.reverse"
    assert choose(found.directions[1], AVAILABLE, "valid") == "m4.fe"


@pytest.mark.parametrize(
    ("name", "available", "message"),
    [
        ("big.gizza", AVAILABLE, r"unknown aligner 'big.gizza' \(did you mean 'big.giza'\?\)"),
        ("zzz", AVAILABLE, r"unknown aligner 'zzz' \(known: m4, big.giza, solo\)"),
        ("m4", {}, r"unknown aligner 'm4' \(the corpus has no aligners\)"),
        (
            "big.giza",
            AVAILABLE,
            r"aligner 'big.giza.forward' has no links for split 'valid' \(big.giza.forward has train, test\)",
        ),
        (
            "m4|solo",
            AVAILABLE,
            r"aligner 'm4\|solo': alternatives with different numbers of directions: m4 2, solo 1",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(name, available, message):
    with pytest.raises(InputError, match=message):
        find_aligner(name, available, SPLITS)
