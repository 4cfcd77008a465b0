"""Jobs that workers import from here."""

from __future__ import annotations

import os
import time
from pathlib import Path

from threadpoolctl import threadpool_info

from advsp.errors import InputError


def square(job, tick):
    tick(job)
    return job * job


def fail_on_three(job, tick):
    if job == 3:
        raise InputError("found 3", file="numbers.txt", line=3, hint="leave it out")
    return job


def divide_by_the_job(job, tick):
    return 1 / job


def process(job, tick):
    time.sleep(0.1)
    return os.getpid()


def inner_threads(job, tick):
    return sorted({pool["num_threads"] for pool in threadpool_info()})


def die(job, tick):
    """End as a process does that the system kills for want of memory."""
    os._exit(9)


def die_the_first_time(job: Path, tick):
    """The first worker that tries does not come back; the second one begins again."""
    for _ in range(5):
        tick(1)
    if not job.exists():
        job.write_text(str(os.getpid()))
        time.sleep(0.3)
        tick(0, "about to die")
        time.sleep(0.2)
        os._exit(9)
    return os.getpid()


def go_on_until_told(job: Path, tick):
    """Report for ever, and say when that ends."""
    job.with_suffix(".begun").touch()
    try:
        while True:
            time.sleep(0.05)
            tick(1, "still there")
    except BaseException:
        job.touch()
        raise
