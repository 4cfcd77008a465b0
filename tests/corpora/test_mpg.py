import gzip

import numpy as np
import pytest

from advsp.corpora.mpg import read_feature_file
from advsp.support.errors import InputError

TEXT = """\
# tag qid items
5 qid:1 1:U:1:1.0 2:B:1:1.0 9:U:6:0.0 10:B:4:0.0

1 qid:1 3:U:3:0.5 1:U:1:1.0 4:B:2:1.0 9:U:6:0.0 10:B:4:0.0 # a comment
1 qid:1 9:U:6:1.0 9:U:6:0.0 10:B:4:0.0
2 qid:2 10:B:4:0.0
"""


@pytest.fixture
def feature_file(tmp_path):
    def write(text):
        path = tmp_path / "features"
        path.write_text(text)
        return path

    return write


def test_matrices_tags_and_sentences(feature_file):
    instances = read_feature_file(feature_file(TEXT))
    assert instances.node.toarray().tolist() == [
        [1, 0, 0, 0, 0, 0],
        [1, 0, 0.5, 0, 0, 0],
        [0, 0, 0, 0, 0, 1],
        [0, 0, 0, 0, 0, 0],
    ]
    assert instances.edge.toarray().tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0] * 4, [0] * 4]
    assert instances.node.has_sorted_indices and instances.node.nnz == 4
    assert instances.tags.tolist() == [4, 0, 0, 1] and instances.tags.dtype == np.int8
    assert instances.offsets.tolist() == [0, 3, 4] and instances.offsets.dtype == np.int64
    assert instances.tag_names == ("PER", "LOC", "ORG", "MISC", "O")
    assert instances.words == (("_", "_", "_"), ("_",))
    assert instances.gold == (("O", "B-PER", "I-PER"), ("B-LOC",))


def test_gzip_reads_alike(feature_file, tmp_path):
    (tmp_path / "features.gz").write_bytes(gzip.compress(TEXT.encode()))
    packed, plain = read_feature_file(tmp_path / "features.gz"), read_feature_file(feature_file(TEXT))
    assert (packed.node != plain.node).nnz == 0 and packed.gold == plain.gold


def test_number_of_features_can_be_given(feature_file):
    instances = read_feature_file(feature_file(TEXT), node_features=9, edge_features=4)
    assert instances.node.shape == (4, 9) and instances.edge.shape == (4, 4)


def test_other_tags(feature_file):
    instances = read_feature_file(feature_file("2 qid:a 1:U:1:1\n1 qid:a 1:U:1:1\n"), tag_names=("O", "GENE"))
    assert instances.gold == (("B-GENE", "O"),)


@pytest.mark.parametrize(
    "line, problem",
    [
        ("6 qid:1", "found tag '6', expected a number from 1 to 5"),
        ("0 qid:1", "found tag '0'"),
        ("PER qid:1", "found tag 'PER'"),
        ("1", "found '' after the tag, expected qid:SENTENCE"),
        ("1 1:U:1:1", "found '1:U:1:1' after the tag"),
        ("1 qid:", "found 'qid:' after the tag"),
        ("1 qid:1", "qid:1 goes on after qid:2 has begun"),
        ("1 qid:3 1:1", "item '1:1' is not global:TYPE:local:value"),
        ("1 qid:3 1:T:1:1", "item '1:T:1:1' is not"),
        ("1 qid:3 1:U:x:1", "item '1:U:x:1' is not"),
        ("1 qid:3 1:U:1:one", "item '1:U:1:one' is not"),
        ("1 qid:3 1:U:1:nan", "item '1:U:1:nan' is not"),
        ("1 qid:3 1:U:0:1", "found feature number 0, expected 1 to 6"),
        ("1 qid:3 1:U:7:0", "found feature number 7, expected 1 to 6"),
        ("1 qid:3 1:B:99999999999:1", "found feature number 99999999999, expected 1 to 2147483647"),
        ("1 qid:3 1:U:2:1 1:U:2:1", "feature number 2 stands twice in a line"),
    ],
)
def test_refused_with_file_and_line(feature_file, line, problem):
    path = feature_file(TEXT + line + "\n")
    with pytest.raises(InputError) as caught:
        read_feature_file(path, node_features=6)
    assert str(caught.value).startswith(f"{path}:7: {problem}")


def test_no_tokens(feature_file, tmp_path):
    with pytest.raises(InputError, match="no tokens found"):
        read_feature_file(feature_file("# nothing\n"))
    with pytest.raises(InputError, match="no such file"):
        read_feature_file(tmp_path / "nowhere")


@pytest.mark.corpora
def test_counts_of_the_released_files(corpus_file):
    for name, counts in {"train": [152, 246, 200, 144], "test": [616, 234, 90, 85]}.items():
        instances = read_feature_file(corpus_file(f"mpg-features/300.{name}.gz"))
        assert len(instances) == 300
        assert instances.node.shape[1] == 23930 and instances.edge.shape[1] == 8049
        assert np.bincount(instances.tags)[:4].tolist() == counts
