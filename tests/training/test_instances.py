"""What every kind of instances must do: be taken apart, put together, and come back from plain arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from advsp.training.instance_files import load_instances, save_instances
from advsp.training.instances import KINDS, ChainInstances, EdgeInstances, Instances

#: Words of any script; a corpus is read line by line and word by word, so none has a control character.
words = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=4)
numbers = st.sampled_from([0.0, 1.0, -2.5, 1e-300, 1e9])


def table(draw, rows: int, columns: int) -> np.ndarray:
    values = draw(st.lists(numbers, min_size=rows * columns, max_size=rows * columns))
    return np.array(values, dtype=float).reshape(rows, columns)


def text(draw, length: int) -> tuple[str, ...]:
    return tuple(draw(st.lists(words, min_size=length, max_size=length)))


@st.composite
def chains(draw, sizes=st.lists(st.integers(1, 3), min_size=1, max_size=4)) -> ChainInstances:
    lengths = draw(sizes)
    total = sum(lengths)
    return ChainInstances(
        node=csr_matrix(table(draw, total, 3)),
        edge=csr_matrix(table(draw, total, 2)),
        tags=np.array(draw(st.lists(st.integers(0, 1), min_size=total, max_size=total)), dtype=np.int8),
        offsets=np.cumsum([0, *lengths], dtype=np.int64),
        tag_names=("PER", "O"),
        words=tuple(text(draw, length) for length in lengths),
        gold=tuple(text(draw, length) for length in lengths),
    )


@st.composite
def pairs(draw, sizes=st.lists(st.integers(1, 3), min_size=1, max_size=4)) -> EdgeInstances:
    shapes = [(rows, draw(st.integers(1, 3))) for rows in draw(sizes)]
    edges = [rows * columns for rows, columns in shapes]
    total = sum(edges)
    return EdgeInstances(
        features=table(draw, total, 2),
        labels=np.array(draw(st.lists(st.integers(0, 2), min_size=total, max_size=total)), dtype=np.int8),
        offsets=np.cumsum([0, *edges], dtype=np.int64),
        shapes=np.array(shapes, dtype=np.int64).reshape(-1, 2),
        feature_names=("bias", "dice"),
        source=tuple(text(draw, rows) for rows, _ in shapes),
        target=tuple(text(draw, columns) for _, columns in shapes),
    )


STRATEGIES = {"chain": chains, "edges": pairs}
#: Instances of any kind, and several of one kind.
instances = st.one_of([make() for make in STRATEGIES.values()])
splits = st.one_of([st.lists(make(), min_size=1, max_size=3) for make in STRATEGIES.values()])
#: Every kind of mistake shows on a few small examples.
few = settings(max_examples=25, deadline=None)
every_kind = pytest.mark.parametrize("kind", KINDS)


def content(data: Instances) -> list:
    """Example by example everything there is to know: numbers, labels and words."""
    found = []
    for example in range(len(data)):
        rows = data.rows(example)
        if isinstance(data, ChainInstances):
            numbers = [data.node[rows].toarray(), data.edge[rows].toarray(), data.tags[rows]]
            texts = data.words[example], data.gold[example]
        else:
            numbers = [data.features[rows], data.labels[rows], data.shapes[example]]
            texts = data.source[example], data.target[example]
        found.append((*[array.tolist() for array in numbers], *texts))
    return found


def assert_whole(data: Instances) -> None:
    """Offsets, numbers and texts fit each other, and have the types they are said to have."""
    assert data.offsets.dtype == np.int64
    assert data.offsets[0] == 0
    assert np.all(np.diff(data.offsets) > 0)
    total = int(data.offsets[-1])
    if isinstance(data, ChainInstances):
        assert data.node.shape[0] == data.edge.shape[0] == total == len(data.tags)
        assert data.node.format == data.edge.format == "csr"
        assert (data.node.dtype, data.edge.dtype, data.tags.dtype) == (np.float64, np.float64, np.int8)
        for texts in (data.words, data.gold):
            assert list(map(len, texts)) == np.diff(data.offsets).tolist()
    else:
        assert len(data.features) == len(data.labels) == total
        assert (data.features.dtype, data.labels.dtype, data.shapes.dtype) == (np.float64, np.int8, np.int64)
        assert data.shapes.prod(axis=1).tolist() == np.diff(data.offsets).tolist()
        for column, texts in enumerate((data.source, data.target)):
            assert list(map(len, texts)) == data.shapes[:, column].tolist()


def test_there_are_examples_of_every_kind():
    assert set(STRATEGIES) == set(KINDS)
    assert {name: kind.kind for name, kind in KINDS.items()} == {name: name for name in KINDS}


@given(instances, st.data())
@few
def test_examples_are_taken_in_the_order_asked_for(data, draw):
    chosen = draw.draw(st.lists(st.integers(0, len(data) - 1), max_size=5))
    taken = data.take(np.array(chosen, dtype=np.int64))
    everything = content(data)
    assert type(taken) is type(data)
    assert len(taken) == len(chosen)
    assert content(taken) == [everything[example] for example in chosen]
    assert taken.signature() == data.signature()
    assert_whole(taken)


@given(instances)
@few
def test_without_texts_the_rest_is_what_it_was(data):
    bare = data.without_texts()
    mine, its = bare.arrays(), data.arrays()
    texts = {f"{name}{end}" for name in ("words", "gold", "source", "target") for end in ("", "_lengths")}
    assert mine.keys() == its.keys()
    for name in mine:
        if name in texts:
            assert mine[name].size == 0
        else:
            assert np.array_equal(mine[name], its[name])
    again = type(data).from_arrays(mine)
    assert (len(again), again.signature()) == (len(data), data.signature())
    for name in mine.keys() - texts:
        assert np.array_equal(again.arrays()[name], its[name])


@given(splits)
@few
def test_joined_splits_are_one_after_the_other(parts):
    before = [content(part) for part in parts]
    joined = type(parts[0]).joined(parts)
    assert content(joined) == sum(before, [])
    assert [content(part) for part in parts] == before
    assert joined.signature() == parts[0].signature()
    assert_whole(joined)


@given(splits)
@few
def test_joined_splits_can_be_taken_apart_again(parts):
    joined = type(parts[0]).joined(parts)
    first = 0
    for part in parts:
        again = joined.take(np.arange(first, first + len(part)))
        assert content(again) == content(part)
        first += len(part)


@given(instances)
@few
def test_arrays_give_the_same_instances(data):
    again = type(data).from_arrays(data.arrays())
    assert content(again) == content(data)
    assert again.signature() == data.signature()
    assert again.feature_counts() == data.feature_counts()
    assert_whole(again)


@given(instances)
@few
def test_arrays_are_plain(data):
    assert all(array.dtype != object for array in map(np.asarray, data.arrays().values()))
    assert "kind" not in data.arrays(), "a file has that name for itself"


@given(data=instances)
@few
def test_file_gives_the_same_instances(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("instances") / "split.npz"
    save_instances(path, data)
    again = load_instances(path)
    assert type(again) is type(data)
    assert content(again) == content(data)
    assert_whole(again)


@given(instances)
@few
def test_rows_of_the_examples_follow_each_other(data):
    rows = [data.rows(example) for example in range(len(data))]
    assert [row.start for row in rows] == [0, *(row.stop for row in rows[:-1])]
    assert rows[-1].stop == data.offsets[-1]
    assert all(type(row.start) is int for row in rows)


@every_kind
@given(st.data())
@few
def test_nothing_may_be_taken(kind, draw):
    data = draw.draw(STRATEGIES[kind]())
    nothing = data.take(np.array([], dtype=np.int64))
    assert (len(nothing), nothing.offsets.tolist()) == (0, [0])
    assert nothing.feature_counts() == data.feature_counts()
    assert content(type(data).joined([nothing, data])) == content(data)


@given(instances)
@few
def test_signature_is_plain_and_names_what_weights_belong_to(data):
    (values,) = data.signature().values()
    names = data.tag_names if isinstance(data, ChainInstances) else data.feature_names
    assert values == list(names)


@given(instances)
@few
def test_features_are_counted_and_weighed(data):
    counts = data.feature_counts()
    if isinstance(data, ChainInstances):
        assert counts == {"node": 3, "edge": 2}
        stored = data.node.nnz + data.edge.nnz
        assert data.nbytes >= 8 * stored
    else:
        assert counts == {"edge": 2}
        assert data.nbytes == 8 * 2 * len(data.labels)


@every_kind
def test_kinds_have_words_for_their_examples_and_positions(kind):
    assert KINDS[kind].example and KINDS[kind].position


@given(pairs())
def test_shape_of_a_pair_is_its_numbers_of_words(instances):
    words = zip(instances.source, instances.target, strict=True)
    assert [instances.shape(pair) for pair in range(len(instances))] == [(len(a), len(b)) for a, b in words]
