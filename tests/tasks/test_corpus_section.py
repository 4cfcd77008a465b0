"""The section of a corpus: every kind has its own keys, and resolved ones are stated as they always were."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from advsp.support.problems import problems
from advsp.tasks import tasks
from advsp.tasks.corpus_section import CorpusSection

every = pytest.mark.parametrize("kind", tasks.names())
#: Keys that one kind alone has, and a value of each.
OWN = {"sentences": ("conll", 3), "docstart": ("conll", "drop"), "files": ("features", {"train": "a"})}


def section(kind: str, **keys: Any) -> CorpusSection:
    return tasks.get(kind).section.model_validate({"kind": kind, "name": "x", "path": "y", **keys})


def complaint(kind: str, **keys: Any) -> str:
    with pytest.raises(ValidationError) as raised:
        section(kind, **keys)
    (problem,) = problems(raised.value)
    return str(problem.as_error())


@every
def test_splits_are_those_in_use_the_training_split_first(kind):
    assert section(kind, validation="b", test=["c", "a"], train="a").splits == ["a", "b", "c"]
    assert section(kind, validation=None, test=[]).splits == ["train"]


@every
def test_what_is_chosen_on_a_split_is_not_tested_on_it_and_no_split_is_tested_twice(kind):
    assert complaint(kind, test=["a", "a"]) == "test: a split stands twice"
    said = "validation: what is chosen on a split cannot be tested on it"
    assert complaint(kind, validation="a", test=["a"]) == said


@every
@pytest.mark.parametrize("key", OWN)
def test_keys_of_a_kind_belong_to_it_alone(kind, key):
    owner, value = OWN[key]
    if kind == owner:
        assert getattr(section(kind, **{key: value}), key) == value
    else:
        read = f"a corpus of kind {kind} is read as it is"
        said = "files belong to kind: features" if key == "files" else read
        assert complaint(kind, **{key: value}) == f"{key}: {said}"


@every
def test_unknown_key_is_answered_with_the_nearest_of_its_kind(kind):
    assert complaint(kind, tran="a") == "tran: unknown key (did you mean train?)"


@every
def test_resolved_section_states_the_keys_that_fingerprints_are_made_of_and_is_read_again(kind):
    resolved = section(kind).model_dump()
    assert (resolved["sentences"], resolved["docstart"], resolved["files"]) == (None, None, {})
    assert section(**resolved) == section(kind)


def test_resolved_sections_share_nothing():
    section("conll").model_dump()["files"]["train"] = "a"
    assert section("conll").model_dump()["files"] == {}


# --- parts of splits -------------------------------------------------------------------------------


def test_parts_that_stand_where_splits_do_become_names():
    found = section(
        "conll",
        sentences=5,
        validation={"split": "testa", "sentences": 9},
        test=[{"split": "testb", "sentences": 3}, {"split": "testb"}, {"split": "testb", "skip": 4}, "other"],
    )
    assert found.splits == ["train", "testa-9", "testb-3", "testb-all", "testb-all-behind-4", "other"]
    parts = {name: found.part(name) for name in found.splits}
    assert {name: (part.split, part.sentences, part.skip) for name, part in parts.items()} == {
        "train": ("train", 5, 0),
        "testa-9": ("testa", 9, 0),
        "testb-3": ("testb", 3, 0),
        "testb-all": ("testb", None, 0),
        "testb-all-behind-4": ("testb", None, 4),
        "other": ("other", 5, 0),
    }
    assert section("conll", **found.model_dump(exclude={"kind", "name", "path"})) == found


def test_parts_may_have_names_of_their_own_and_training_may_skip_some():
    found = section("conll", skip=7, parts={"late": {"split": "testb", "skip": 2}}, test=["late"])
    assert (found.part("train").skip, found.part("testa").skip, found.part("late").skip) == (7, 0, 2)


def test_sections_without_parts_are_described_as_if_there_were_none():
    assert not {"skip", "parts"} & section("conll").model_dump().keys()
    assert section("conll", skip=3).model_dump()["skip"] == 3


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"test": [{"split": "testb", "sentences": 0}]}, "test.0.sentences: found 0, expected"),
        ({"test": [{"sentences": 3}]}, "test.0.split: is missing"),
        (
            {"test": [{"split": "testb", "sentence": 3}]},
            "test.0.sentence: unknown key (did you mean sentences?)",
        ),
        ({"validation": {"split": 3}}, "validation.split: found 3, expected text"),
        ({"parts": {"a/b": {"split": "testb"}}}, "parts.a/b: found 'a/b', expected letters, digits"),
        ({"parts": [1], "test": [{"split": "b"}]}, "parts: found [1], expected a section of keys and values"),
        ({"skip": -1}, "skip: found -1, expected greater than or equal to 0"),
        (
            {"validation": {"split": "testa"}, "test": [{"split": "testa", "sentences": 5}]},
            "test.0: some of it are sentences of testa-all",
        ),
        (
            {
                "validation": {"split": "testa", "sentences": 6},
                "test": ["testb", {"split": "testa", "skip": 5}],
            },
            "test.1: some of it are sentences of testa-6",
        ),
    ],
    ids=str,
)
def test_parts_that_do_not_fit_are_named_with_their_place(keys, said):
    assert complaint("conll", **keys).startswith(said)


def test_halves_of_a_split_may_choose_and_test():
    given = {"validation": {"split": "testa", "sentences": 6}, "test": [{"split": "testa", "skip": 6}]}
    assert section("conll", **given).splits == ["train", "testa-6", "testa-all-behind-6"]


def test_skip_belongs_to_prepared_corpora_alone():
    assert complaint("bitext", skip=3) == "skip: a corpus of kind bitext is read as it is"
