"""Threads: one for the numerical libraries, any number for chunks, the same results in the same order."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from advsp.support.threads import CHUNK, over_chunks, single_threaded, use_threads


@single_threaded
def inner_threads(size: int, *, seed: int) -> list[int]:
    """Threads of every numerical library while there is work for them."""
    numbers = np.random.default_rng(seed).normal(size=(size, size))
    assert np.isfinite(numbers @ numbers).all()
    return [pool["num_threads"] for pool in threadpool_info()]


def test_a_function_has_one_inner_thread_and_others_have_as_many_as_before():
    with threadpool_limits(limits=2):
        before = [pool["num_threads"] for pool in threadpool_info()]
        assert set(inner_threads(3, seed=1)) <= {1}
        assert [pool["num_threads"] for pool in threadpool_info()] == before


def test_it_keeps_its_name_so_that_another_process_finds_it():
    assert (inner_threads.__name__, inner_threads.__module__) == ("inner_threads", __name__)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("examples", [0, 1, CHUNK, 3 * CHUNK + 1])
def test_chunks_come_in_their_order_whatever_the_number_of_threads(threads, examples):
    told: list[int] = []
    with use_threads(threads):
        ends = over_chunks(lambda first, last: (first, last), examples, told.append)
    assert [number for first, last in ends for number in range(first, last)] == list(range(examples))
    assert [last - first for first, last in ends] == told
    assert all(done <= CHUNK for done in told)
