"""Word vectors from a text file."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from advsp.corpora.word_vectors import read_vectors
from advsp.support.errors import InputError


@pytest.mark.parametrize("head", ["", "3 2\n"])
def test_vectors_are_read_with_and_without_a_first_line_of_counts(tmp_path, head):
    path = tmp_path / "v"
    path.write_text(f"{head}the 1 2\nGull -0.5 1e-1\nthe 9 9\nété 0 0 \n")
    found = read_vectors(path)
    assert found.words == ("the", "Gull", "été")
    np.testing.assert_allclose(found.table, [[1, 2], [-0.5, 0.1], [0, 0]])
    assert found.table.dtype == np.float32
    assert found.rows(["The", "gull", "Gull", "tern", "the"]).tolist() == [0, -1, 1, -1, 0]


def test_a_word_of_one_number_is_no_count(tmp_path):
    (tmp_path / "v").write_text("7 0.5\n8 1.5\n")
    assert read_vectors(tmp_path / "v").words == ("7", "8")


def test_gzipped_files_are_read(tmp_path):
    with gzip.open(tmp_path / "v.gz", "wt") as file:
        file.write("the 1\n")
    assert read_vectors(tmp_path / "v.gz").words == ("the",)


@pytest.mark.parametrize(
    "content, problem",
    [
        ("", "v: no word vectors found"),
        ("3 2\n", "v: no word vectors found"),
        ("the 1 2\ngull 1\n", "v:2: found 1 number, expected 2"),
        ("1 3\nthe 1 2\n", "v:2: found 2 numbers, expected 3"),
        ("the\n", "v:1: found 0 numbers, expected some"),
        ("the 1 x\n", "v:1: found 'x', expected a number"),
        ("the 1 nan\n", "v:1: found 'nan', expected a finite number"),
        ("the 1 1e99\n", "v:1: found '1e99', expected a finite number"),
    ],
)
def test_other_files_are_refused_with_their_line(tmp_path, content, problem):
    (tmp_path / "v").write_text(content)
    with pytest.raises(InputError) as caught:
        read_vectors(tmp_path / "v")
    assert problem in str(caught.value)
