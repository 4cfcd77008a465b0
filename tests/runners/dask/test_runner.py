"""Jobs on a cluster: the results, errors and progress of a local run, whatever happens to a worker."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="distributed is not installed")

from runners.dask import work

from advsp.runners.dask import workers
from advsp.support.errors import InputError


class Heard(list):
    """Progress that remembers what it was told."""

    def __call__(self, examples, note=""):
        self.append((examples, note))


def test_results_come_with_the_number_of_their_job(three):
    heard = Heard()
    assert dict(three.run(work.square, [3, 1, 2], heard)) == {0: 9, 1: 1, 2: 4}
    assert sum(examples for examples, _ in heard) == 6


def test_no_jobs_no_results(three):
    assert list(three.run(work.square, [], Heard())) == []


def test_jobs_are_spread_over_the_workers_and_have_one_inner_thread(three):
    assert three.workers == 3
    assert len({pid for _, pid in three.run(work.process, list(range(9)), Heard())}) > 1
    for _, threads in three.run(work.inner_threads, [0, 1], Heard()):
        assert threads in ([1], [])


def test_error_of_a_job_arrives_as_it_was_raised(three):
    with pytest.raises(InputError) as raised:
        list(three.run(work.fail_on_three, [1, 2, 3, 4], Heard()))
    assert str(raised.value) == "numbers.txt:3: found 3 (leave it out)"
    with pytest.raises(ZeroDivisionError):
        list(three.run(work.divide_by_the_job, [0, 1], Heard()))


def test_job_of_a_lost_worker_runs_again_and_nothing_is_ticked_off_twice(three, tmp_path):
    heard = Heard()
    mark = tmp_path / "first"
    ((index, pid),) = three.run(work.die_the_first_time, [mark], heard)
    assert (index, pid != int(mark.read_text())) == (0, True)
    assert sum(examples for examples, _ in heard) == 5
    assert "about to die" in {note for _, note in heard}


def test_job_nobody_waits_for_ends(three, tmp_path):
    """Or it would write the files of the job that a resumed run starts."""
    mark = tmp_path / "ended"

    def interrupt(examples, note=""):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(three.run(work.go_on_until_told, [mark], interrupt))
    deadline = time.monotonic() + 10
    while not mark.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert mark.exists()


def test_folder_that_workers_see_is_accepted_and_left_as_it_was(three, tmp_path):
    three.check(tmp_path / "not" / "there" / "yet")
    assert list(tmp_path.iterdir()) == []


def test_folder_that_workers_do_not_see_is_refused(three, tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "write_text", lambda *_, **__: None)  # a file system of our own
    with pytest.raises(InputError, match="does not see this folder") as raised:
        three.check(tmp_path)
    assert str(tmp_path) in str(raised.value)
    assert "tcp://127.0.0.1:" in str(raised.value)


def test_task_that_kills_its_worker_again_and_again_is_an_error(three):
    with pytest.raises(InputError, match="2 workers ended one after the other") as raised:
        list(three.run(work.die, [1], Heard()))
    assert "memory" in str(raised.value)


def test_cluster_without_workers_is_waited_for_and_given_up(three, loopback, monkeypatch):
    monkeypatch.setattr(workers, "_LOOK", 0.1)
    monkeypatch.setattr(workers, "_PATIENCE", 0.5)
    for pid in loopback.pids():
        loopback.kill(pid)
    with pytest.raises(InputError, match="has had no workers") as raised:
        list(three.run(work.square, [1, 2], Heard()))
    assert "--resume" in str(raised.value)
