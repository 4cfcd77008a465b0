"""What every feature group owes its readers."""

from itertools import combinations

import numpy as np
import pytest

from advsp.features.bitext.groups import groups

EVERYTHING = {"m.ef": "0-0", "m.fe": "0-0", "solo": ""}
SENTENCES = [
    ("the gull sleeps", "la mouette dort"),
    ("gull", "mouette"),
    ("never", "jamais encore"),
    ("the the", "x"),
    ("…", "À"),
]


@pytest.mark.parametrize("name", groups.names())
@pytest.mark.parametrize("sentences", SENTENCES)
def test_values_are_finite_numbers_for_every_possible_link(evidence, name, sentences):
    pair = evidence(*sentences, EVERYTHING)
    for grid in groups.get(name)(pair).values():
        assert grid.shape == pair.shape
        assert np.isfinite(np.asarray(grid, dtype=float)).all()


@pytest.mark.parametrize("name", groups.names())
def test_names_are_the_same_for_all_pairs(evidence, name):
    first, *others = (list(groups.get(name)(evidence(*pair, EVERYTHING))) for pair in SENTENCES)
    assert all(names == first for names in others)
    assert first


def test_no_two_groups_share_a_name(evidence):
    pair = evidence(*SENTENCES[0], EVERYTHING)
    for first, second in combinations([set(groups.get(name)(pair)) for name in groups], 2):
        assert not first & second


@pytest.mark.parametrize("name", groups.names())
def test_there_need_not_be_an_aligner(evidence, name):
    pair = evidence(*SENTENCES[0])
    assert all(grid.shape == pair.shape for grid in groups.get(name)(pair).values())


@pytest.mark.parametrize("name", groups.names())
def test_evidence_is_not_changed(evidence, name):
    pair = evidence(*SENTENCES[0], EVERYTHING)
    before = pair.dice.copy(), pair.distance.copy(), pair.votes.copy()
    groups.get(name)(pair)
    for now, then in zip((pair.dice, pair.distance, pair.votes), before, strict=True):
        np.testing.assert_array_equal(now, then)
