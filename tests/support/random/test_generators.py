"""What all generators must do, and the numbers that Java's own is known by."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.support.errors import InputError
from advsp.support.random import generators

every = pytest.mark.parametrize("name", list(generators))
seeds = st.integers(min_value=0, max_value=2**63 - 1)


def specified(seed: int, draws: int) -> list[float]:
    """nextDouble of java.util.Random as its documentation writes it, in whole numbers."""
    state, numbers = (seed ^ 0x5DEECE66D) % 2**48, []

    def bits(count: int) -> int:
        nonlocal state
        state = (state * 0x5DEECE66D + 0xB) % 2**48
        return state >> (48 - count)

    for _ in range(draws):
        upper = bits(26) << 27
        numbers.append((upper + bits(27)) * 2.0**-53)
    return numbers


def test_java_begins_with_the_numbers_it_is_known_by():
    known = [0.7275636800328681, 0.6832234717598454, 0.30871945533265976]
    assert generators.get("java")(42).uniform(3).tolist() == known


@given(seed=seeds, draws=st.integers(0, 100))
def test_java_draws_what_its_specification_says(seed, draws):
    assert generators.get("java")(seed).uniform(draws).tolist() == specified(seed, draws)


def test_java_draws_what_its_specification_says_beyond_one_block():
    assert generators.get("java")(7).uniform(70_000).tolist() == specified(7, 70_000)


@every
@given(seed=seeds, skipped=st.integers(0, 50_000), draws=st.integers(0, 20))
def test_skipping_is_drawing(name, seed, skipped, draws):
    jumping, walking = generators.get(name)(seed), generators.get(name)(seed)
    jumping.skip(skipped)
    walking.uniform(skipped)
    assert np.array_equal(jumping.uniform(draws), walking.uniform(draws))


@every
@given(seed=seeds, cut=st.integers(0, 30))
def test_stream_does_not_depend_on_how_it_is_asked_for(name, seed, cut):
    whole, parts = generators.get(name)(seed), generators.get(name)(seed)
    assert np.array_equal(whole.uniform(30), np.append(parts.uniform(cut), parts.uniform(30 - cut)))


@every
def test_numbers_lie_between_zero_and_one_and_seeds_differ(name):
    drawn = [generators.get(name)(seed).uniform(1000) for seed in (1, 2)]
    assert all(((numbers >= 0.0) & (numbers < 1.0)).all() for numbers in drawn)
    assert all(abs(numbers.mean() - 0.5) < 0.05 for numbers in drawn)
    assert not np.isin(*drawn).any()


@every
def test_skipping_far_takes_no_time(name):
    generator, began = generators.get(name)(1), time.perf_counter()
    generator.skip(10**15)
    assert time.perf_counter() - began < 0.5


def test_unknown_generator_is_refused_with_the_nearest_one():
    with pytest.raises(InputError, match="unknown random generator 'jav'.*did you mean 'java'"):
        generators.get("jav")
