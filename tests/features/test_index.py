from hypothesis import given
from hypothesis import strategies as st

from advsp.features.index import FeatureIndex

ROWS = st.lists(st.sets(st.text(max_size=3), max_size=6))


def test_numbers_at_first_appearance_by_code_points_within_a_row():
    index = FeatureIndex()
    assert index.columns({"b", "B", "é"}) == [0, 1, 2]
    assert index.columns({"a", "b"}) == [1, 3]
    assert index.names() == ["B", "b", "é", "a"]
    assert len(index) == 4


def test_frozen_index_drops_what_it_does_not_know():
    index = FeatureIndex(["b", "a"])
    index.freeze()
    assert index.columns({"a", "z", "b"}) == [0, 1]
    assert index.columns({"z"}) == []
    assert index.names() == ["b", "a"]


@given(rows=ROWS)
def test_numbers_every_name_once_without_gaps(rows):
    index = FeatureIndex()
    columns = [index.columns(row) for row in rows]
    names = index.names()
    assert sorted(set(names)) == sorted(set().union(*rows))
    for row, found in zip(rows, columns):
        assert found == sorted(found)
        assert {names[column] for column in found} == row


@given(rows=ROWS)
def test_rebuilt_from_its_names_it_numbers_alike(rows):
    index = FeatureIndex()
    columns = [index.columns(row) for row in rows]
    again = FeatureIndex(index.names())
    again.freeze()
    assert [again.columns(row) for row in rows] == columns
