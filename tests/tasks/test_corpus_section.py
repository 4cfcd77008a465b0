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
