"""Posteriors against the enumeration of everything that a word could come from."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from advsp.aligners.hmm import hmm, model1

NONE = 0.3


def enumerate_hmm(emission, null, none, transition, start):
    """Posterior [I, J], moves [I, I], first positions [I] and likelihood of one pair."""
    positions, length = emission.shape
    posterior, moves = np.zeros((positions, length)), np.zeros((positions, positions))
    first, total = np.zeros(positions), 0.0
    # A state is a position, and whether it says the word or only remembers itself.
    states = list(product(range(positions), (True, False)))
    for path in product(states, repeat=length):
        weight = 1.0
        for j, (i, says) in enumerate(path):
            last = path[j - 1][0] if j else None
            if says:
                weight *= (1 - none) * (transition[last, i] if j else start[i]) * emission[i, j]
            else:
                weight *= none * null[j] * ((last == i) if j else start[i])
        total += weight
        for j, (i, says) in enumerate(path):
            if says:
                posterior[i, j] += weight
                if j:
                    moves[path[j - 1][0], i] += weight
                else:
                    first[i] += weight
    return posterior / total, moves / total, first / total, total


def draw(positions: int, length: int, pairs: int, seed: int):
    rng = np.random.default_rng(seed)
    transition = rng.random((positions, positions))
    start = rng.random(positions)
    return (
        rng.random((positions, length, pairs)),
        rng.random((length, pairs)),
        NONE,
        transition / transition.sum(axis=1, keepdims=True),
        start / start.sum(),
    )


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1), (2, 3), (3, 3), (2, 5)])
def test_hmm_is_the_sum_over_all_paths(shape):
    emission, null, none, transition, start = draw(*shape, pairs=3, seed=sum(shape))
    found = hmm(emission, null, none, transition, start)
    each = [enumerate_hmm(emission[:, :, b], null[:, b], none, transition, start) for b in range(3)]
    for b, (posterior, _, _, _) in enumerate(each):
        np.testing.assert_allclose(found.posterior[:, :, b], posterior, atol=1e-12)
    np.testing.assert_allclose(found.moves, sum(moves for _, moves, _, _ in each), atol=1e-12)
    np.testing.assert_allclose(found.start, sum(first for _, _, first, _ in each), atol=1e-12)


def test_a_grid_may_be_seen_from_its_other_side():
    """What the reverse direction is given is a transposed view, and so is what it finds."""
    emission, null, none, transition, start = draw(3, 4, 2, seed=1)
    view = np.ascontiguousarray(emission.swapaxes(0, 1)).swapaxes(0, 1)
    expected = hmm(emission, null, none, transition, start)
    found = hmm(view, null, none, transition, start)
    np.testing.assert_array_equal(found.posterior, expected.posterior)
    assert found.posterior.swapaxes(0, 1).flags.c_contiguous


def test_long_sentences_of_improbable_words_do_not_vanish():
    emission, null, none, transition, start = draw(3, 200, 2, seed=2)
    expected = hmm(emission, null, none, transition, start).posterior
    found = hmm(emission * 1e-30, null * 1e-30, none, transition, start).posterior
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_model1_by_hand():
    """Two positions at (1 - 0.2) / 2 each: weights 0.4 * 0.5, 0.4 * 0.25, and 0.2 * 0.5 for none."""
    posterior = model1(np.array([0.5, 0.25]).reshape(2, 1, 1), np.array([[0.5]]), 0.2)
    np.testing.assert_allclose(posterior[:, 0, 0], [0.2 / 0.4, 0.1 / 0.4])


def test_model1_is_an_hmm_whose_positions_are_all_alike():
    emission, null, none, _, _ = draw(3, 4, 2, seed=3)
    even = np.full((3, 3), 1 / 3)
    np.testing.assert_allclose(
        model1(emission, null, none), hmm(emission, null, none, even, even[0]).posterior, atol=1e-12
    )


def test_counting_what_one_direction_finds_never_lowers_the_likelihood():
    """Expectation maximisation of emissions, words from none included, for pairs that share their words."""
    emission, null, none, transition, start = draw(3, 4, 2, seed=4)
    words = np.array([[0, 1], [1, 2], [0, 2], [3, 0]])  # said, by place and pair
    says, silent = np.full((3, 4), 0.25), np.full(4, 0.25)
    says[0] = [0.4, 0.3, 0.2, 0.1]
    likelihoods = []
    for _ in range(8):
        emission, null = says[:, words], silent[words]
        likelihoods.append(
            sum(
                np.log(enumerate_hmm(emission[:, :, b], null[:, b], none, transition, start)[3])
                for b in range(2)
            )
        )
        posterior = hmm(emission, null, none, transition, start).posterior
        says, silent = np.zeros((3, 4)), np.zeros(4)
        for j, b in np.ndindex(words.shape):
            says[:, words[j, b]] += posterior[:, j, b]
            silent[words[j, b]] += 1 - posterior[:, j, b].sum()
        says /= says.sum(axis=1, keepdims=True)
        silent /= silent.sum()
    assert (np.diff(likelihoods) > -1e-12).all()
    assert likelihoods[-1] > likelihoods[0]
