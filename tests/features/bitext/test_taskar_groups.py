"""The features of Taskar, Lacoste-Julien and Klein (2005), by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.features.bitext.groups.orthography import (
    common_letters,
    consonants,
    longest_common_subsequence,
    plain,
)


def test_bias(group, evidence):
    assert group("bias", evidence("a b", "c")) == {"bias": [[1], [1]]}


def test_dice(group, evidence):
    found = group("dice", evidence("The gull", "la mouette jamais"))
    assert found == {"dice": [[8 / 9, 6 / 8, 0], [8 / 9, 1, 0]]}


def test_distance_counts_words_from_one(group, evidence):
    """1/2 and 1 against 1/3, 2/3 and 1."""
    found = group("distance", evidence("a b", "c d e"))
    assert found["distance"] == pytest.approx(
        [pytest.approx([1 / 6, 1 / 6, 1 / 2]), pytest.approx([2 / 3, 1 / 3, 0])]
    )
    for far, squared, root in zip(*(sum(grid, []) for grid in found.values()), strict=True):
        assert squared == pytest.approx(far**2)
        assert root == pytest.approx(math.sqrt(far))
    assert list(found) == ["distance", "squared distance", "root of distance"]


def test_dice_times_distance(group, evidence):
    (grid,) = group("dice-distance", evidence("The gull", "la mouette jamais")).values()
    assert grid[0] == pytest.approx([8 / 9 / 6, 6 / 8 / 6, 0])
    assert grid[1] == pytest.approx([8 / 9 * 2 / 3, 1 / 3, 0])


def test_dice_of_the_words_that_follow(group, evidence):
    found = group("next-dice", evidence("The gull", "la mouette jamais"))
    assert found == {"next dice": [[1, 0, 0], [0, 0, 0]]}


def test_difference_of_the_logarithms_of_the_ranks(group, evidence):
    """Ranks 1 and 4 against 2 and, for an unknown word, 9."""
    (grid,) = group("rank", evidence("The high", "mouette jamais")).values()
    assert grid[0] == pytest.approx([math.log(2), math.log(9)])
    assert grid[1] == pytest.approx([math.log(2), math.log(9 / 4)])


def test_pairs_of_common_words(group, evidence):
    found = group("common-words", evidence("The gull the", "LA Marée"))
    assert len(found) == 25
    assert found["the / la"] == [[1, 0], [0, 0], [1, 0]]
    assert found["gull / maree"] == [[0, 0], [0, 1], [0, 0]]
    assert found["tide / la"] == [[0, 0], [0, 0], [0, 0]]


def test_orthography(group, evidence):
    found = group("orthography", evidence("Opera le a", "opéra Opera opere LE"))
    assert found["same word"] == [[0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert found["same without accents"] == [[1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert found["same without vowels"] == [[1, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert found["common letters"] == [[1, 1, 4 / 5, 1 / 5], [1 / 5, 1 / 5, 1 / 5, 1], [1 / 5, 1 / 5, 0, 0]]
    assert found["both short"] == [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 1]]


def test_three_letters_are_short_and_four_are_not(group, evidence):
    assert group("orthography", evidence("sea wave", "mer"))["both short"] == [[1], [0]]


@pytest.mark.parametrize(
    ("word", "letters", "skeleton"),
    [("Opéra", "opera", "pr"), ("île", "ile", "l"), ("eau", "eau", "eau"), ("À", "a", "a"), ("!", "!", "!")],
)
def test_spellings(word, letters, skeleton):
    assert plain(word) == letters
    assert consonants(word) == skeleton


def test_words_that_are_alike_in_one_spelling_are_so_in_the_next():
    assert plain("eau") == plain("EAU")
    assert consonants("eau") != consonants("oie")


def naive(first: str, second: str) -> int:
    row = [0] * (len(second) + 1)
    for letter in first:
        before, row = row, [0]
        for place, other in enumerate(second):
            row.append(before[place] + 1 if letter == other else max(before[place + 1], row[-1]))
    return row[-1]


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_longest_common_subsequence_is_that_of_the_table(first, second):
    assert longest_common_subsequence(first, second) == naive(first, second)


def test_common_letters_are_a_share_of_the_longer_word():
    assert common_letters("gull", "goeland") == common_letters("goeland", "gull") == 2 / 7
