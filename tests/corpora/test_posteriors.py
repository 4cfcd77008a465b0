"""Posteriors are probabilities, come back as they were saved, and fit their pairs."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.corpora.posteriors import Posteriors
from advsp.support.errors import InputError

GRIDS = [
    (np.array([[0.5, 0.25]]), np.array([[1, 0]])),
    (np.array([[0.125], [0.75]]), np.array([[0.5], [0.5]])),
]
SHAPES = [(1, 2), (2, 1)]


def test_grids_stand_row_by_row():
    posteriors = Posteriors.of(GRIDS)
    assert posteriors.forward.tolist() == [0.5, 0.25, 0.125, 0.75]
    assert posteriors.reverse.tolist() == [1, 0, 0.5, 0.5]
    for found, given in zip(posteriors.grids(SHAPES), GRIDS, strict=True):
        assert [side.tolist() for side in found] == [side.tolist() for side in given]


def test_there_may_be_no_pairs():
    assert Posteriors.of([]).grids([]) == []


def test_pairs_must_have_as_many_links():
    with pytest.raises(ValueError, match="4 probabilities for 2 possible links"):
        Posteriors.of(GRIDS).grids(SHAPES[:1])


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf")])
def test_others_than_probabilities_are_refused(value):
    with pytest.raises(ValueError, match="probabilities outside 0 to 1"):
        Posteriors(np.array([value], dtype=np.float32), np.array([0.5], dtype=np.float32))


@pytest.mark.parametrize("forward", [np.zeros(2), np.zeros((1, 1), np.float32), np.zeros(1, np.float32)])
def test_arrays_have_one_form(forward):
    with pytest.raises(ValueError, match="expected two float32 arrays of one length"):
        Posteriors(forward, np.zeros(2, dtype=np.float32))


def test_they_are_saved_to_the_same_bytes_and_read_as_they_were(tmp_path):
    for name in ("a.npz", "b.npz"):
        Posteriors.of(GRIDS).save(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    again = Posteriors.load(tmp_path / "a.npz", "again")
    assert np.array_equal(again.forward, Posteriors.of(GRIDS).forward)
    assert np.array_equal(again.reverse, Posteriors.of(GRIDS).reverse)


def test_files_that_are_no_posteriors_are_refused(tmp_path):
    with pytest.raises(InputError, match="no such file .again"):
        Posteriors.load(tmp_path / "none.npz", "again")
    (tmp_path / "text.npz").write_text("text")
    with pytest.raises(InputError, match="not posteriors: .* .again"):
        Posteriors.load(tmp_path / "text.npz", "again")
    np.savez(tmp_path / "one.npz", forward=np.zeros(1, dtype=np.float32))
    with pytest.raises(InputError, match="not posteriors: 'reverse' .again"):
        Posteriors.load(tmp_path / "one.npz", "again")
    np.savez(tmp_path / "wide.npz", forward=np.zeros(1), reverse=np.zeros(1))
    with pytest.raises(InputError, match="not posteriors: expected two float32"):
        Posteriors.load(tmp_path / "wide.npz", "again")
