import pytest

from advsp.features.bitext.aligners import Aligner
from advsp.features.bitext.sets import CONTEXT, PREDICTIONS, TASKAR, FeatureSet, parse_feature_set
from advsp.support.errors import InputError

AVAILABLE = {"m.ef": ("train", "valid"), "m.fe": ("train", "valid"), "k": ("train",)}
M = Aligner("m", ("m.ef", "m.fe"))
K = Aligner("k", ("k",))
ALL = (*TASKAR, *PREDICTIONS, *CONTEXT)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("taskar", FeatureSet((*TASKAR, *PREDICTIONS))),
        ("taskar+m", FeatureSet((*TASKAR, *PREDICTIONS), (M,))),
        ("taskar+k+m", FeatureSet((*TASKAR, *PREDICTIONS), (K, M))),
        ("everything", FeatureSet(ALL, (M, K))),
        ("everything+k", FeatureSet(ALL, (K,))),
    ],
)
def test_names(name, expected):
    assert parse_feature_set(name, AVAILABLE, ["train"]) == expected


def test_everything_leaves_out_aligners_that_lack_a_split():
    assert parse_feature_set("everything", AVAILABLE, ["train", "valid"]) == FeatureSet(ALL, (M,))
    assert parse_feature_set("everything", {}, ["train"]) == FeatureSet(ALL)


def test_directions_are_named_once():
    both = FeatureSet(PREDICTIONS, (M, Aligner("m.ef", ("m.ef",))))
    assert both.directions == ["m.ef", "m.fe"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("taska", r"unknown feature set 'taska' \(did you mean 'taskar'\?\)"),
        ("gulls+m", r"unknown feature set 'gulls\+m' \(known: basic, taskar, everything"),
        ("taskar+n", "unknown aligner 'n'"),
        ("taskar+", "unknown aligner ''"),
        ("taskar+m+m", "aligner 'm' is there twice"),
        ("taskar+k", "aligner 'k' has no links for split 'valid'"),
    ],
)
def test_names_that_are_refused(name, message):
    with pytest.raises(InputError, match=message):
        parse_feature_set(name, AVAILABLE, ["train", "valid"])


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ((), "a feature set needs a feature group"),
        (("dise",), r"unknown bitext feature group 'dise' \(did you mean 'dice'\?\)"),
        (("dice", "bias", "dice"), "feature group 'dice' is there twice"),
    ],
)
def test_groups_that_are_refused(groups, message):
    with pytest.raises(InputError, match=message):
        FeatureSet(groups)


WHOLE = {"m.forward": ["train"], "m.reverse": ["train"], "k": ["train"]}


@pytest.mark.parametrize(
    "name", ["statistics", "statistics+identities", "statistics+m", "statistics+identities+m+k"]
)
def test_sets_of_the_whole_text_name_the_aligners_that_know_it(name):
    found = parse_feature_set(name, WHOLE, ["train"], ["m", "elsewhere"])
    assert found.everywhere == ("m",)
    assert found.of_text and found.groups[-1] == (
        "identities" if "identities" in name else "posterior-context"
    )


def test_a_set_of_the_whole_text_needs_an_aligner_that_knows_it():
    with pytest.raises(
        InputError, match="none of the aligners of 'statistics\\+k' has links of the whole text"
    ):
        parse_feature_set("statistics+k", WHOLE, ["train"], ["m"])
    assert not parse_feature_set("everything+m", WHOLE, ["train"], ["m"]).everywhere


def test_groups_are_added_to_those_of_a_set():
    found = parse_feature_set("basic+m", AVAILABLE, ["train"], more=["votes", "rank"])
    assert found == FeatureSet(("bias", "distance", "orthography", *PREDICTIONS, "votes", "rank"), (M,))
    with pytest.raises(InputError, match="feature group 'rank' is there twice"):
        parse_feature_set("taskar", AVAILABLE, ["train"], more=["rank"])
    with pytest.raises(InputError, match="unknown bitext feature group 'vots'.*did you mean 'votes'"):
        parse_feature_set("taskar", AVAILABLE, ["train"], more=["vots"])


def test_added_groups_of_the_whole_text_need_an_aligner_that_knows_it():
    with pytest.raises(InputError, match="none of the aligners of 'taskar[+]k' has links of the whole text"):
        parse_feature_set("taskar+k", AVAILABLE, ["train"], more=["identities"])
    assert parse_feature_set("taskar+k", AVAILABLE, ["train"], ["k"], ["identities"]).everywhere == ("k",)
