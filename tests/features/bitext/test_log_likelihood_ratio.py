"""The log-likelihood ratio, by hand and against scipy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from advsp.features.bitext.groups import groups
from advsp.features.bitext.groups.log_likelihood_ratio import signed_ratio
from advsp.features.bitext.sets import CONTEXT, PREDICTIONS, TASKAR

#: Of four sentence pairs, the tables [[2, 0], [0, 2]], [[3, 0], [0, 1]] and [[2, 1], [1, 0]].
TIDES = 8 * math.log(2)
GULLS = 2 * (3 * math.log(4 / 3) + math.log(4))
APART = 2 * (2 * math.log(8 / 9) + 2 * math.log(4 / 3))
NAME = "log-likelihood ratio"


def ratio(both: int, first: int, second: int, total: int) -> float:
    return float(signed_ratio(np.array(both), np.array(first), np.array(second), total))


def test_ratios_by_hand():
    assert ratio(2, 2, 2, 4) == pytest.approx(TIDES)
    assert ratio(3, 3, 3, 4) == pytest.approx(GULLS)
    assert ratio(2, 3, 3, 4) == pytest.approx(-APART)
    assert ratio(1, 2, 2, 4) == 0
    assert ratio(0, 2, 2, 4) == pytest.approx(-TIDES)


@pytest.mark.parametrize("counts", [(0, 0, 3, 9), (0, 3, 0, 9), (0, 0, 0, 9), (4, 9, 4, 9), (9, 9, 9, 9)])
def test_a_word_that_is_nowhere_or_everywhere_tells_nothing(counts):
    assert ratio(*counts) == 0


def test_without_text_nothing_is_known():
    assert ratio(0, 0, 0, 0) == 0


cells = st.integers(0, 3) | st.integers(0, 300_000)


@given(cells, cells, cells, cells)
def test_the_ratio_is_that_of_scipy(both, left, right, neither):
    table = np.array([[both, left], [right, neither]])
    found = ratio(both, both + left, both + right, int(table.sum()))
    if 0 in table.sum(axis=0) or 0 in table.sum(axis=1):
        # scipy refuses these.
        assert found == 0
        return
    expected = chi2_contingency(table, lambda_="log-likelihood", correction=False).statistic
    assert abs(found) == pytest.approx(expected, rel=1e-9, abs=1e-8)
    dependence = both * neither - left * right
    assert math.copysign(1, dependence) * found >= 0


@given(cells, cells, cells, cells)
def test_the_sides_are_alike(both, left, right, neither):
    first, second, total = both + left, both + right, both + left + right + neither
    assert ratio(both, first, second, total) == pytest.approx(ratio(both, second, first, total), abs=1e-8)


def test_the_group_by_hand(group, evidence):
    """The never stands without la, which is in all four pairs; jamais is unknown."""
    found = group("log-likelihood-ratio", evidence("The gull tide", "la mouette maree jamais"))
    apart, gulls, tides = (math.log(1 + value) for value in (APART, GULLS, TIDES))
    # Tide and mouette: [[1, 1], [2, 0]]; the and maree: [[1, 2], [1, 0]]; as do gull and maree.
    rare = math.log(1 + 2 * (math.log(2 / 3) + math.log(2) + 2 * math.log(4 / 3)))
    np.testing.assert_allclose(
        found[NAME], [[0, -apart, -rare, 0], [0, gulls, -rare, 0], [0, -rare, tides, 0]], atol=1e-12
    )
    np.testing.assert_allclose(
        found[f"{NAME} lead of source"][1], [-gulls, gulls, -rare - gulls, -gulls], atol=1e-12
    )
    np.testing.assert_allclose(
        np.array(found[f"{NAME} lead of target"])[:, 1],
        [-apart - gulls, gulls + apart, -rare - gulls],
        atol=1e-12,
    )
    best = [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    assert found[f"best {NAME} of source"] == found[f"best {NAME} of target"] == best
    assert len(found) == 5


def test_tokens_do_not_matter(evidence):
    """The second unlabelled pair has gull and mouette twice; they are in three of four pairs."""
    (value,) = groups.get("log-likelihood-ratio")(evidence("gull", "mouette"))[NAME].ravel()
    assert value == pytest.approx(math.log(1 + GULLS))


def test_it_is_no_feature_of_the_published_set():
    assert "log-likelihood-ratio" in CONTEXT
    assert "log-likelihood-ratio" not in (*TASKAR, *PREDICTIONS)
