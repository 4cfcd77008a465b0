from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from advsp.features import index as numbering
from advsp.features.index import FeatureIndex, by_appearance

ROWS = st.lists(st.sets(st.text(max_size=3), max_size=6))


def test_numbers_names_as_they_are_asked_for():
    index = FeatureIndex()
    assert index.columns(["b", "B", "b"]) == [0, 1, 0]
    assert index.columns(["a", "B"]) == [2, 1]
    assert index.names() == ["b", "B", "a"]
    assert len(index) == 3


def test_frozen_index_drops_what_it_does_not_know():
    index = FeatureIndex(["b", "a"])
    index.freeze()
    assert index.columns(["a", "z", "b"]) == [1, 0]
    assert index.columns(["z"]) == []
    assert index.names() == ["b", "a"]


@given(rows=ROWS)
def test_rebuilt_from_its_names_it_numbers_alike(rows):
    index = FeatureIndex()
    columns = [index.columns(sorted(row)) for row in rows]
    again = FeatureIndex(index.names())
    again.freeze()
    assert [again.columns(sorted(row)) for row in rows] == columns


@pytest.mark.parametrize("part", [1, 3, 1 << 22])
@given(rows=ROWS, order=st.randoms(use_true_random=False))
def test_by_appearance_numbers_run_on_from_row_to_row_and_by_code_points_in_one(rows, order, part):
    names = sorted(set().union(*rows))
    order.shuffle(names)
    dense = np.array([[name in row for name in names] for row in rows], dtype=float)
    with mock.patch.object(numbering, "_PART", part):
        index, matrix = by_appearance(names, csr_matrix(dense.reshape(len(rows), len(names))))
    expected = list(dict.fromkeys(name for row in rows for name in sorted(row)))
    assert index.names() == expected
    assert index.columns(["not there at all"]) == []
    for number, row in enumerate(rows):
        found = matrix[number].indices.tolist()
        assert found == sorted(found)
        assert {expected[column] for column in found} == row
