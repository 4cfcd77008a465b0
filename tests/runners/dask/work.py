"""Jobs that workers import from here."""

from __future__ import annotations

import os
import time
from pathlib import Path

from threadpoolctl import threadpool_info

from advsp.support.errors import InputError


def square(job, progress):
    progress(job)
    return job * job


def fail_on_three(job, progress):
    if job == 3:
        raise InputError("found 3", file="numbers.txt", line=3, hint="leave it out")
    return job


def divide_by_the_job(job, progress):
    return 1 / job


def process(job, progress):
    time.sleep(0.1)
    return os.getpid()


def inner_threads(job, progress):
    return sorted({pool["num_threads"] for pool in threadpool_info()})


def die(job, progress):
    """End as a process does that the system kills for want of memory."""
    os._exit(9)


def die_the_first_time(job: Path, progress):
    """The first worker that tries does not come back; the second one begins again."""
    for _ in range(5):
        progress(1)
    if not job.exists():
        job.write_text(str(os.getpid()))
        time.sleep(0.3)
        progress(0, "about to die")
        time.sleep(0.2)
        os._exit(9)
    return os.getpid()


def go_on_until_told(job: Path, progress):
    """Report for ever, and say when that ends."""
    job.with_suffix(".begun").touch()
    try:
        while True:
            time.sleep(0.05)
            progress(1, "still there")
    except BaseException:
        job.touch()
        raise
