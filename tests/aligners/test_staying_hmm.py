"""The HMM whose words keep the position: against enumeration, and the kernel against numpy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from advsp.aligners.staying_hmm import Moves, model1, reference_hmm
from advsp.engine.backends import door

NONE = 0.3


def draw(length: int, positions: int, pairs: int, seed: int):
    """Arguments of the HMM: drawn emissions, jumps, and staying of every word."""
    rng = np.random.default_rng(seed)
    jumps = rng.random((positions, positions))
    jumps /= jumps.sum(axis=1, keepdims=True)
    keep = jumps.diagonal()[:, None].copy()
    np.fill_diagonal(jumps, 0)
    stay = rng.random((positions, pairs)) if positions > 1 else np.ones((1, pairs))
    leave = (1 - stay) / (1 - keep) if positions > 1 else np.zeros((1, pairs))
    start = rng.random(positions)
    arrays = [
        rng.random((length, positions, pairs)) * 3,
        rng.random((length, pairs)) * 3,
        jumps,
        start / start.sum(),
        stay,
        leave,
    ]
    emission, null, *moves = (array.astype(np.float32) for array in arrays)
    return emission, null, NONE, Moves(*moves)


def enumerate_hmm(emission, null, moves: Moves, pair: int):
    """Posterior [J, I], jumps [I, I], stays [I] and departures [I] of one pair, by all paths."""
    length, positions, _ = emission.shape
    posterior, jumps = np.zeros((length, positions)), np.zeros((positions, positions))
    stays, departures, total = np.zeros(positions), np.zeros(positions), 0.0
    stay, leave = moves.stay[:, pair].astype(float), moves.leave[:, pair].astype(float)
    transition = np.diag(stay) + leave[:, None] * moves.jumps
    states = list(product(range(positions), (True, False)))
    for path in product(states, repeat=length):
        weight = 1.0
        for j, (i, says) in enumerate(path):
            last = path[j - 1][0] if j else None
            if says:
                weight *= (1 - NONE) * (transition[last, i] if j else moves.start[i]) * emission[j, i, pair]
            else:
                weight *= NONE * null[j, pair] * ((last == i) if j else moves.start[i])
        total += weight
        for j, (i, says) in enumerate(path):
            if not says:
                continue
            posterior[j, i] += weight
            if j:
                last = path[j - 1][0]
                departures[last] += weight
                if last == i:
                    stays[i] += weight
                else:
                    jumps[last, i] += weight
    return posterior / total, jumps / total, stays / total, departures / total


SHAPES = [(1, 1), (1, 3), (3, 1), (3, 2), (3, 3), (5, 2)]


@pytest.mark.parametrize("shape", SHAPES)
def test_numpy_is_the_sum_over_all_paths(shape):
    emission, null, none, moves = draw(*shape, pairs=3, seed=sum(shape))
    found = reference_hmm(emission, null, none, moves)
    each = [enumerate_hmm(emission, null, moves, pair) for pair in range(3)]
    for pair, (posterior, _, stays, departures) in enumerate(each):
        np.testing.assert_allclose(found.posterior[:, :, pair], posterior, atol=1e-6)
        np.testing.assert_allclose(found.stays[:, pair], stays, atol=1e-6)
        np.testing.assert_allclose(found.departures[:, pair], departures, atol=1e-6)
    np.testing.assert_allclose(found.jumps, sum(jumps for _, jumps, _, _ in each), atol=1e-6)


@pytest.mark.skipif(door.missing() is not None, reason=f"{door.missing()} ({door.INSTALL})")
@pytest.mark.parametrize("shape", [*SHAPES, (20, 18), (7, 60)])
def test_the_kernel_finds_what_numpy_finds(shape):
    emission, null, none, moves = draw(*shape, pairs=5, seed=sum(shape))
    found = door.module("staying_hmm").staying_hmm(emission, null, none, *moves)
    for one, other in zip(found, reference_hmm(emission, null, none, moves), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-7)


def test_model_1_is_the_rule_of_bayes():
    emission, null, none, _ = draw(2, 3, 4, seed=1)
    found = model1(emission, null, none)
    joint = emission.astype(float) * (1 - none) / 3
    np.testing.assert_allclose(found, joint / (joint.sum(axis=1) + none * null)[:, None], rtol=1e-6)
    np.testing.assert_allclose(
        1 - found.sum(axis=1), none * null / (joint.sum(axis=1) + none * null), atol=1e-6
    )
