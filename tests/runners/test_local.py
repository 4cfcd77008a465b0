"""One map over processes: the same results, the same errors and the same progress for any number of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter

import pytest
from threadpoolctl import threadpool_info

from advsp.runners import local as parallel
from advsp.runners.local import available_workers, run_jobs
from advsp.support.errors import InputError

WORKERS = pytest.mark.parametrize("workers", [1, 2])


# Functions that workers import from here.


def square(job, progress):
    progress(job)
    return job * job


def fail_on_three(job, progress):
    if job == 3:
        raise InputError("found 3", file="numbers.txt", line=3, hint="leave it out")
    return job


def inner_threads(job, progress):
    return sorted({pool["num_threads"] for pool in threadpool_info()})


def process(job, progress):
    time.sleep(0.05)
    return os.getpid()


def chatter(job, progress):
    """Report without a pause, and fail while others do."""
    parallel.INTERVAL = 0.0
    for _ in range(200_000 if job else 5_000):
        progress(1)
    if not job:
        raise RuntimeError("enough")


def die(job, progress):
    """End as a process does that the system kills for want of memory."""
    if job == 1:
        os._exit(9)


def divide_by_the_job(job, progress):
    return 1 / job


def raise_what_cannot_travel(job, progress):
    raise RuntimeError(lambda: "not a word of this can be sent to another process")


def times_of(job, progress):
    """When a job of so many seconds began and when it ended."""
    begun = time.monotonic()
    time.sleep(job)
    return begun, time.monotonic()


def report_slowly(job, progress):
    """Report now and then, and go on for a while."""
    parallel.INTERVAL = 0.0
    for _ in range(5):
        progress(1, f"job {job}")
        time.sleep(0.02)


class Heard(list):
    """Progress that remembers what it was told."""

    def __call__(self, examples, note=""):
        self.append((examples, note))


ignore = Heard()


# --- results --------------------------------------------------------------------------------------


@WORKERS
def test_results_come_with_the_number_of_their_job(workers):
    assert dict(run_jobs(square, [3, 1, 2], workers, ignore)) == {0: 9, 1: 1, 2: 4}


@WORKERS
def test_no_jobs_no_results(workers):
    assert list(run_jobs(square, [], workers, ignore)) == []


def test_one_process_takes_the_jobs_one_after_the_other():
    done = []
    for index, _ in run_jobs(lambda job, progress: done.append(job), ["a", "b", "c"], 1, ignore):
        assert done == ["a", "b", "c"][: index + 1]


def test_single_job_stays_in_this_process():
    assert list(run_jobs(process, [0], 4, ignore)) == [(0, os.getpid())]


def test_large_jobs_wait_for_each_other_beside_small_ones():
    jobs = [0.3, 0.3, *[0.1] * 8]
    found = dict(run_jobs(times_of, jobs, 2, ignore, [9.0, 9.0, *[1.0] * 8]))
    assert sorted(found) == list(range(len(jobs)))
    first, second = sorted(found[job] for job in (0, 1))
    assert first[1] <= second[0]


def test_several_workers_are_several_processes():
    found = Counter(pid for _, pid in run_jobs(process, list(range(8)), 2, ignore))
    assert os.getpid() not in found
    assert 1 <= len(found) <= 2


@WORKERS
def test_job_has_one_inner_thread(workers):
    import numpy  # noqa: F401 - loads the library whose threads are counted

    for _, threads in run_jobs(inner_threads, [0, 1], workers, ignore):
        assert threads == [1]


def test_number_of_workers_is_what_was_asked_for_or_what_there_is():
    assert available_workers(3) == 3
    assert available_workers(0) == len(os.sched_getaffinity(0))


# --- errors ---------------------------------------------------------------------------------------


@WORKERS
def test_error_of_a_job_arrives_as_it_was_raised(workers):
    with pytest.raises(InputError) as raised:
        list(run_jobs(fail_on_three, [1, 2, 3, 4], workers, ignore))
    error = raised.value
    assert str(error) == "numbers.txt:3: found 3 (leave it out)"
    assert (error.file, error.line, error.hint) == ("numbers.txt", 3, "leave it out")


def test_jobs_after_an_error_are_given_up():
    done = []
    with pytest.raises(InputError):
        for index, _ in run_jobs(fail_on_three, [1, 3, 2], 1, ignore):
            done.append(index)
    assert done == [0]


@WORKERS
def test_no_process_is_left_behind(workers):
    assert len(list(run_jobs(square, [1, 2], workers, ignore))) == 2
    assert multiprocessing.active_children() == []
    with pytest.raises(InputError):
        list(run_jobs(fail_on_three, [3, 1, 2], workers, ignore))
    assert multiprocessing.active_children() == []
    half_way = run_jobs(square, [1, 2, 3], workers, ignore)
    next(half_way)
    half_way.close()
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(
    "workers",
    [
        1,
        2,
    ],
)
def test_traceback_of_a_defect_shows_where_it_is(workers):
    with pytest.raises(ZeroDivisionError) as raised:
        list(run_jobs(divide_by_the_job, [0, 1], workers, ignore))
    assert "in divide_by_the_job" in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize(
    "workers",
    [1, 2],
)
def test_defect_that_cannot_be_sent_is_not_blamed_on_the_user(workers):
    with pytest.raises(Exception) as raised:  # noqa: B017 - anything but an error of the user
        list(run_jobs(raise_what_cannot_travel, [0, 1], workers, ignore))
    assert not isinstance(raised.value, InputError)


# --- progress -------------------------------------------------------------------------------------


def test_progress_of_one_process_is_heard_at_once():
    heard = Heard()
    assert len(list(run_jobs(square, [5, 6], 1, heard))) == 2
    assert heard == [(5, ""), (6, "")]


def test_progress_of_other_processes_is_heard_to_the_last():
    heard = Heard()
    assert len(list(run_jobs(square, [3, 1, 2], 2, heard))) == 3
    assert sum(examples for examples, _ in heard) == 6


def test_progress_of_other_processes_is_heard_while_they_work():
    heard = Heard()
    assert len(list(run_jobs(report_slowly, [0, 1, 2, 3], 2, heard))) == 4
    assert sum(examples for examples, _ in heard) == 20
    assert len(heard) > 4
    assert {note for _, note in heard} == {"job 0", "job 1", "job 2", "job 3"}


# --- ends -----------------------------------------------------------------------------------------


SECONDS = 90
SCRIPT = """
import os, signal, sys, threading, time
sys.path[:0] = [{folder!r}]

def pester():
    while True:
        os.killpg(0, signal.SIGINT)
        time.sleep(0.01)

if __name__ == "__main__":
    import test_local as t
    if {pestered}:
        signal.signal(signal.SIGINT, lambda number, frame: None)
        threading.Thread(target=pester, daemon=True).start()
    try:
        print("done", len(list(t.run_jobs(t.{function}, [1, 0, 1], 2, t.ignore))))
    except BaseException as error:
        print(type(error).__name__)
"""


@pytest.fixture(scope="module")
def ends() -> dict[str, str]:
    """How maps of several functions over two workers end, each in a process of its own, all at a time.

    The last is pestered: an interrupt goes to it and to its workers every moment, and it does not mind.
    """
    children = {}
    for function in ("square", "chatter", "die", "report_slowly"):
        pestered = function == "report_slowly"
        script = SCRIPT.format(folder=os.path.dirname(__file__), function=function, pestered=pestered)
        children[function] = subprocess.Popen(
            [sys.executable, "-c", script],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    deadline, found = time.monotonic() + SECONDS, {}
    for function, child in children.items():
        try:
            found[function] = (
                child.communicate(timeout=max(0.1, deadline - time.monotonic()))[0].decode().strip()
            )
        except subprocess.TimeoutExpired:
            found[function] = "never"
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
    return found


@pytest.mark.long
def test_map_in_a_process_of_its_own_ends(ends):
    assert ends["square"] == "done 3"


def test_error_ends_the_map_though_other_workers_are_reporting(ends):
    assert ends["chatter"] == "RuntimeError"


def test_worker_that_is_killed_is_an_error(ends):
    assert ends["die"] not in ("never", "done 3")


def test_interrupt_is_left_to_the_parent_from_the_first_moment_on(ends):
    assert ends["report_slowly"] == "done 3"
