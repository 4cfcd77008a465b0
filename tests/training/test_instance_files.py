"""Instances as files: they come back as they were, and nothing but plain arrays is written."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from training.toy import toy_pairs

from advsp.support.errors import InputError
from advsp.training.instance_files import load_instances, save_instances
from advsp.training.instances import ChainInstances


@pytest.fixture
def instances() -> ChainInstances:
    """Two sentences with an awkward word each, and a feature that never fires."""
    return ChainInstances(
        node=csr_matrix(np.array([[1.0, 0.0, 0.0], [0.5, -2.0, 0.0], [0.0, 0.0, 0.0]])),
        edge=csr_matrix(np.array([[0.0], [1.0], [1e-300]])),
        tags=np.array([1, 0, 1], dtype=np.int8),
        offsets=np.array([0, 2, 3], dtype=np.int64),
        tag_names=("PER", "O"),
        words=(("naïve\0", "\N{NO-BREAK SPACE}Åse\ud800"), ("'\"\\\n",)),
        gold=(("O", "B-PER"), ("O",)),
    )


def test_instances_come_back_as_they_were(instances, tmp_path):
    save_instances(tmp_path / "split.npz", instances)
    again = load_instances(tmp_path / "split.npz")
    for name in ("node", "edge"):
        before, after = getattr(instances, name), getattr(again, name)
        assert (before.shape, before.dtype) == (after.shape, after.dtype)
        assert np.array_equal(before.toarray(), after.toarray())
    for name in ("tags", "offsets"):
        before, after = getattr(instances, name), getattr(again, name)
        assert before.dtype == after.dtype
        assert np.array_equal(before, after)
    assert (again.tag_names, again.words, again.gold) == (
        instances.tag_names,
        instances.words,
        instances.gold,
    )
    assert again.rows(1) == slice(2, 3)


def test_instances_are_plain_arrays(instances, tmp_path):
    save_instances(tmp_path / "split.npz", instances)
    with np.load(tmp_path / "split.npz", allow_pickle=False) as file:
        assert all(array.dtype != object for array in dict(file).values())
    assert [path.name for path in tmp_path.iterdir()] == ["split.npz"]


def test_file_says_which_kind_of_instances_it_holds(instances, tmp_path):
    for data in (instances, toy_pairs()):
        save_instances(tmp_path / "split.npz", data)
        again = load_instances(tmp_path / "split.npz")
        assert type(again) is type(data)
        assert again.signature() == data.signature()


@pytest.mark.parametrize("kind", ["chains", "", None])
def test_instances_of_a_kind_that_is_not_known_are_refused(tmp_path, kind):
    path = tmp_path / "split.npz"
    np.savez(path, **toy_pairs().arrays(), **({} if kind is None else {"kind": np.array(kind)}))
    with pytest.raises(InputError) as raised:
        load_instances(path)
    assert str(raised.value) == f"{path}: was not written by this version (train anew with --overwrite)"
