"""Kept links are found by the same run alone, and only as they were kept."""

from __future__ import annotations

import json

import numpy as np
import pytest

from advsp.aligners.base import Outcome
from advsp.aligners.cache import entry, keep, recall
from advsp.corpora.posteriors import Posteriors
from advsp.support.errors import InputError
from advsp.support.state import State

RECORD = {"program": "p", "version": "1", "options": {"a": 1, "b": 0.5}, "text": {"pairs": 2, "source": "x"}}
LINKS = {"forward": [frozenset({(1, 0), (0, 2)}), frozenset()], "reverse": [frozenset(), frozenset({(0, 0)})]}


@pytest.fixture
def kept(tmp_path):
    folder = entry(tmp_path / "cache", RECORD)
    keep(folder, RECORD, LINKS)
    return folder


def test_what_is_kept_is_found(kept):
    found = recall(kept, RECORD)
    assert found.posteriors is None
    assert {name: file.read_text() for name, file in found.links.items()} == {
        "forward": "0-2 1-0\n\n",
        "reverse": "\n0-0\n",
    }


@pytest.fixture
def probable(tmp_path):
    """A folder that keeps posteriors and a model, too."""
    folder = entry(tmp_path / "cache", RECORD)
    posteriors = Posteriors.of([(np.array([[0.25]]), np.array([[0.75]]))])
    keep(folder, RECORD, LINKS, Outcome(posteriors, State({"learnt": 3}, {"beliefs": np.ones(2)})))
    return folder


def test_posteriors_are_kept_beside_the_links(probable):
    found = recall(probable, RECORD)
    assert Posteriors.load(found.posteriors, "").forward.tolist() == [0.25]
    assert json.loads((probable / "run.json").read_text()).keys() == {*RECORD, "links", "posteriors", "model"}


def test_a_model_is_kept_beside_the_links(probable):
    found = State.load(recall(probable, RECORD).model, "a model", "")
    assert found.values == {"learnt": 3}
    assert found.arrays["beliefs"].tolist() == [1, 1]


@pytest.mark.parametrize("content", ["other", None])
@pytest.mark.parametrize("name", ["posteriors.npz", "model.json"])
def test_an_outcome_that_has_changed_is_not_used(probable, name, content):
    path = probable / name
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(InputError, match="changed since it was kept"):
        recall(probable, RECORD)


def test_posteriors_that_were_not_kept_are_not_used(kept, probable):
    keep(probable, RECORD, LINKS)
    assert recall(probable, RECORD)[1:] == ({}, None, None)
    (probable / "posteriors.npz").write_text("late")
    with pytest.raises(InputError, match="changed since it was kept"):
        recall(probable, RECORD)


def test_where_nothing_is_kept_nothing_is_found(tmp_path):
    assert recall(entry(tmp_path / "cache", RECORD), RECORD) is None
    assert list(tmp_path.iterdir()) == []


def test_names_are_those_of_programs_and_safe(kept):
    assert kept.name.startswith("p-")
    assert len(kept.name) == 18
    assert sorted(file.name for file in kept.iterdir()) == ["forward.pharaoh", "reverse.pharaoh", "run.json"]


def test_the_order_of_keys_does_not_matter(kept, tmp_path):
    turned = {key: RECORD[key] for key in reversed(RECORD)} | {"options": {"b": 0.5, "a": 1}}
    assert entry(tmp_path / "cache", turned) == kept
    assert recall(kept, turned)


@pytest.mark.parametrize(
    "change",
    [
        {"program": "q"},
        {"version": "1.0"},
        {"options": {"a": 2, "b": 0.5}},
        {"options": {"a": 1}},
        {"text": {"pairs": 2, "source": "y"}},
        {"text": {"pairs": 3, "source": "x"}},
    ],
)
def test_another_run_has_another_place(kept, tmp_path, change):
    other = RECORD | change
    assert entry(tmp_path / "cache", other) != kept
    with pytest.raises(InputError, match="changed since it was kept"):
        recall(kept, other)


@pytest.mark.parametrize("name", ["forward.pharaoh", "reverse.pharaoh", "run.json"])
@pytest.mark.parametrize("content", ["0-0\n\n", "{}", "[", None])
def test_what_has_changed_is_not_used(kept, name, content):
    if content is not None:
        (kept / name).write_text(content)
    elif name != "run.json":
        (kept / name).unlink()
    else:
        (kept / name).write_bytes(b"\xff")
    with pytest.raises(InputError) as caught:
        recall(kept, RECORD)
    assert str(caught.value) == f"{kept}: changed since it was kept"


def test_an_interruption_while_it_is_kept_leaves_nothing_to_find(kept, monkeypatch):
    """Links that are kept again, after they have changed, count when the record is complete."""
    (kept / "run.json").write_text(json.dumps({"links": {}}))

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("advsp.aligners.cache.write_json", interrupted)
    with pytest.raises(KeyboardInterrupt):
        keep(kept, RECORD, LINKS)
    with pytest.raises(InputError, match="changed since it was kept"):
        recall(kept, RECORD)
    monkeypatch.undo()
    keep(kept, RECORD, LINKS)
    assert recall(kept, RECORD)
