"""Order of jobs of different sizes: large ones alone among small ones, all of one size as they come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.runners.waiting import Waiting, held_together


def played(sizes, durations, workers: int):
    """Order in which jobs begin and the most memory held at a time, with so many seconds a job."""
    waiting, running, order, now, most = Waiting(sizes), {}, [], 0.0, 0.0
    while waiting or running:
        while waiting and len(running) < workers:
            job = waiting.take(running)
            running[job] = now + durations[job]
            order.append(job)
        most = max(most, sum(sizes[job] for job in running))
        ended = min(running, key=lambda job: (running[job], job))
        now = running.pop(ended)
    return order, most


def test_jobs_of_one_size_are_taken_as_they_come():
    assert played([3.0] * 5, [1.0] * 5, 2) == ([0, 1, 2, 3, 4], 6.0)
    assert played([0.0] * 3, [1.0] * 3, 2)[0] == [0, 1, 2]
    # None is large where all are within half of the largest.
    assert played([3.0, 4.0, 2.1], [1.0] * 3, 2)[0] == [0, 1, 2]


def test_large_jobs_wait_for_each_other():
    sizes = [50.0, 50.0, 50.0, *[3.0] * 9]
    order, most = played(sizes, [3.0] * 3 + [1.0] * 9, 2)
    assert most == 53.0 == held_together(sizes, 2)
    # A large one begins as soon as the one before has ended.
    assert order.index(1) < 6 and order.index(2) < 10


def test_large_jobs_that_are_left_run_together():
    sizes = [50.0, 50.0, 3.0]
    order, most = played(sizes, [9.0, 1.0, 1.0], 2)
    assert order == [0, 2, 1]
    assert most == 100.0 == held_together(sizes, 2)


def test_nothing_is_held_without_jobs():
    assert held_together([], 2) == 0.0
    assert len(Waiting([])) == 0


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(0.1, 10)), min_size=1, max_size=12),
    st.integers(1, 4),
)
def test_every_job_is_run_once(jobs, workers):
    sizes, durations = zip(*jobs, strict=True)
    order, most = played(sizes, durations, workers)
    assert sorted(order) == list(range(len(jobs)))
    assert most <= sum(sorted(sizes)[-workers:]) + 1e-9


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_one_at_a_time_begins_with_the_large_ones(workers):
    order, _ = played([1.0, 9.0, 1.0, 9.0], [1.0] * 4, workers)
    assert order[0] == 1
