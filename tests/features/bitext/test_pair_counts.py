"""Numbers of pairs of words are those that cutting rows and columns out of the matrix gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix, random

from advsp.features.bitext.pair_counts import PairCounts


@pytest.mark.parametrize("seed", range(5))
def test_numbers_are_those_of_the_matrix(seed):
    matrix = random(7, 5, 0.4, format="csr", random_state=seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(0, 7, 9), rng.integers(0, 5, 4)
    # Indices that are not sorted, as after cutting columns out.
    for counts in (matrix, matrix[rng.permutation(7)][:, rng.permutation(5)]):
        found = PairCounts(counts).of(rows, columns)
        np.testing.assert_array_equal(found, counts[rows][:, columns].toarray())
        assert found.dtype == counts.dtype


def test_a_matrix_without_entries():
    assert PairCounts(csr_matrix((2, 2), dtype=np.int64)).of(np.array([0, 1]), np.array([1])).tolist() == [
        [0],
        [0],
    ]
