"""What is made of the predictions of aligners, by hand."""

from math import log

import pytest

#: Both directions of m link the diagonal; each has one link more.
PREDICTED = {"m.ef": "0-0 1-1 2-2 2-0", "m.fe": "0-0 1-1 2-2 0-2", "solo": "1-0"}


@pytest.fixture
def pair(evidence):
    return evidence("the gull sleeps", "la mouette dort", PREDICTED)


def test_predictions(group, pair):
    assert group("predictions", pair) == {
        "m.ef predicts": [[1, 0, 0], [0, 1, 0], [1, 0, 1]],
        "m.fe predicts": [[1, 0, 1], [0, 1, 0], [0, 0, 1]],
        "solo predicts": [[0, 0, 0], [1, 0, 0], [0, 0, 0]],
        "m predicts both ways": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    }


def test_neighbouring_links_are_those_of_both_directions(group, pair):
    found = group("neighbouring-links", pair)
    assert found["m before"] == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert found["m after"] == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert found["m before & after"] == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert found["m around"] == [[1, 2, 1], [2, 2, 2], [1, 2, 1]]
    assert found["solo after"] == [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert found["solo around"] == [[1, 1, 0], [0, 1, 0], [1, 1, 0]]


def test_posteriors(group, pair):
    """Half of what m predicts; solo has none."""
    found = group("posteriors", pair)
    assert list(found) == ["m log product", "m log forward", "m log reverse"]
    both, none = log(0.25 + 1e-4), log(1e-4)
    expected = [[both, none, none], [none, both, none], [none, none, both]]
    assert found["m log product"] == [pytest.approx(row) for row in expected]
    half, none = log(0.5 + 1e-3), log(1e-3)
    expected = [[half, none, none], [none, half, none], [half, none, half]]
    assert found["m log forward"] == [pytest.approx(row) for row in expected]
    expected = [[half, none, half], [none, half, none], [none, none, half]]
    assert found["m log reverse"] == [pytest.approx(row) for row in expected]


def test_neighbouring_predictions(group, pair):
    """m links the diagonal in both directions; votes are 2 there, 1 at 0-2, 1-0 and 2-0."""
    found = group("neighbouring-predictions", pair)
    assert found["m next target"] == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert found["m previous target"] == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert found["m next source"] == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert found["m previous source"] == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert found["solo next source"] == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert found["votes next target"] == [[0, 1, 0], [2, 0, 0], [0, 2, 0]]
    assert found["votes previous target"] == [[0, 2, 0], [0, 1, 2], [0, 1, 0]]
    assert found["votes next source"] == [[1, 2, 0], [1, 0, 2], [0, 0, 0]]
    assert found["votes previous source"] == [[0, 0, 0], [2, 0, 1], [1, 2, 0]]
    assert found["votes next source & previous target"] == [[0, 1, 2], [0, 1, 0], [0, 0, 0]]
    assert found["votes previous source & next target"] == [[0, 0, 0], [0, 1, 0], [2, 0, 0]]
    assert len(found) == 4 * 2 + 6


def test_degrees(group, pair):
    found = group("degrees", pair)
    assert found["m.ef degree of source"] == [[1, 1, 1], [1, 1, 1], [2, 2, 2]]
    assert found["m.ef degree of target"] == [[2, 1, 1]] * 3
    assert found["m.fe degree of source"] == [[2, 2, 2], [1, 1, 1], [1, 1, 1]]
    assert found["solo degree of target"] == [[1, 0, 0]] * 3


def test_link_probability(group, pair):
    """The gull is linked in the one pair that has both words; so says solo, of nothing else here."""
    found = group("link-probability", pair)
    assert found["m smoothed probability"] == [[1 / 2, 0, 0], [0, 1 / 2, 0], [0, 0, 0]]
    assert found["m discounted probability"] == [[1 / 2, 0, 0], [0, 1 / 2, 0], [0, 0, 0]]
    assert found["solo smoothed probability"] == [[0, 0, 0], [0, 1 / 2, 0], [0, 0, 1 / 2]]


def test_link_probability_of_words_never_seen_together_is_zero(group, evidence):
    found = group("link-probability", evidence("the never", "haute jamais", {"solo": "0-0"}))
    assert found == {
        "solo smoothed probability": [[0, 0], [0, 0]],
        "solo discounted probability": [[0, 0], [0, 0]],
    }


def test_votes(group, pair):
    found = group("votes", pair)
    assert found["votes"] == [[2, 0, 1], [1, 2, 0], [1, 0, 2]]
    assert found["all votes"] == [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert found["votes before"] == [[0, 0, 0], [0, 2, 0], [0, 1, 2]]
    assert found["votes after"] == [[2, 0, 0], [0, 2, 0], [0, 0, 0]]
    assert found["vote lead of source"] == [[1, -2, -1], [-1, 1, -2], [-1, -2, 1]]
    assert found["vote lead of target"] == [[1, -2, -1], [-1, 2, -2], [-1, -2, 1]]
    assert found["most votes of source"] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert found["most votes of target"] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_all_votes(group, evidence):
    found = group("votes", evidence("gull", "mouette", {"m.ef": "0-0", "m.fe": "0-0"}))
    assert found["votes"] == [[2]]
    assert found["all votes"] == [[1]]
    assert found["vote lead of source"] == [[2]]


def test_previous_dice(group, evidence):
    found = group("previous-dice", evidence("The gull", "la mouette jamais"))
    assert found == {"previous dice": [[0, 0, 0], [0, 8 / 9, 6 / 8]]}


def test_competition_of_dice(group, evidence):
    found = group("dice-competition", evidence("The gull", "la mouette jamais"))
    lead = found["dice lead of source"]
    assert lead[0] == pytest.approx([8 / 9 - 6 / 8, 6 / 8 - 8 / 9, -8 / 9])
    assert lead[1] == pytest.approx([8 / 9 - 1, 1 - 8 / 9, -1])
    assert found["dice lead of target"] == [[0, 6 / 8 - 1, 0], [0, 1 - 6 / 8, 0]]
    assert found["best dice of source"] == [[1, 0, 0], [0, 1, 0]]
    assert found["best dice of target"] == [[1, 0, 0], [1, 1, 0]]
