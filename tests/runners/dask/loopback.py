"""A scheduler and its workers, each a process of its own, on the loopback interface."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from places import ROOT

import advsp

#: What processes import from: the package under test, and the tests' own modules.
_PATHS = (Path(advsp.__file__).parents[1], ROOT / "tests")
#: Seconds in which anything must have started.
_STARTED = 30


class Loopback:
    """A scheduler with workers of one thread; every process is ended by :meth:`end`.

    A task may kill one worker; if it kills another, it is given up.

    Parameters
    ----------
    folder: for the logs of processes and what they spill.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._workers, self._started = folder, [], 0
        self._file = folder / "scheduler.json"
        self._scheduler = self._start(
            "dask_scheduler", "--port", "0", "--scheduler-file", self._file, "--no-dashboard", "--no-show"
        )
        try:
            self.address = self._found_address()
        except BaseException:
            self.end()
            raise

    def _start(self, module: str, *options: str | Path) -> subprocess.Popen:
        self._started += 1
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, _PATHS)),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1",
        }
        with open(self._folder / f"{module}-{self._started}.log", "wb") as log:
            return subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    f"distributed.cli.{module}",
                    "--host",
                    "127.0.0.1",
                    *map(str, options),
                ],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env=environment,
            )

    def _found_address(self) -> str:
        deadline = time.monotonic() + _STARTED
        while time.monotonic() < deadline:
            if self._file.exists() and (text := self._file.read_text()):
                return json.loads(text)["address"]
            time.sleep(0.05)
        raise TimeoutError("the scheduler does not start")

    def fill_up(self, workers: int, client) -> None:
        """Start workers until there are so many, and wait for them."""
        while len(self.pids()) < workers:
            options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", self._folder)
            self._workers.append(self._start("dask_worker", self.address, *options))
        client.wait_for_workers(workers, timeout=_STARTED)

    def pids(self) -> list[int]:
        """Workers that are running."""
        return [worker.pid for worker in self._workers if worker.poll() is None]

    def kill(self, pid: int) -> None:
        """Kill one of the workers, as a power cut does."""
        worker = next(worker for worker in self._workers if worker.pid == pid)
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def end(self) -> None:
        """Kill every process that was started."""
        for process in (*self._workers, self._scheduler):
            process.kill()
            process.wait()
