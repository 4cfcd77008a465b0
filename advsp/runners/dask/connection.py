"""Reaching a cluster, and finding out before anything runs whether it can do what is asked."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from advsp.runners.dask import INSTALL
from advsp.runners.dask.tasks import describe_worker
from advsp.support import arithmetic
from advsp.support.errors import InputError
from advsp.support.versions import versions

if TYPE_CHECKING:
    from distributed import Client

#: Seconds in which a scheduler must answer and have a worker.
TIMEOUT = 10
#: What must be the same everywhere, or the numbers are not.
_DECISIVE = ("advsp", "numpy", "scipy", "pulp", "highspy", "numba", "arithmetic")
#: Addresses that a scheduler may have.
_ADDRESS = re.compile(r"^(tcp|tls)://[^/\s]+:\d+$")
#: What stands for the version of a package that is not there.
_MISSING = "not installed"


def connect(address: str, timeout: float = TIMEOUT) -> Client:
    """A client of the scheduler at ``address``, e.g. ``tcp://127.0.0.1:8786``.

    Raises
    ------
    InputError: not an address, distributed is not installed, nobody answers, there are no workers, or they
        differ from this process in what decides the numbers.
    """
    hint = "start `dask scheduler` and give the address it prints, e.g. tcp://10.0.0.1:8786"
    if not _ADDRESS.match(address):
        raise InputError(f"{address!r} is not the address of a scheduler", key="--dask", hint=hint)
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise InputError("Dask distributed is not installed", key="--dask", hint=INSTALL) from None
    # What goes wrong is said once, by whoever finds it out here.
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=timeout, set_as_default=False)
    except OSError:
        problem = f"{address}: nobody answers there within {timeout:g} s"
        raise InputError(problem, key="--dask", hint=hint) from None
    try:
        _check_workers(client, address, timeout)
    except BaseException:
        client.close()
        raise
    return client


def _check_workers(client: Client, address: str, timeout: float) -> None:
    hint = f"start some: {_start(address)}"
    try:
        client.wait_for_workers(1, timeout=timeout)
    except TimeoutError:
        raise InputError(f"{address}: the scheduler has no workers", key="--dask", hint=hint) from None
    for worker, threads in sorted(client.nthreads().items()):
        if threads != 1:
            raise InputError(
                f"{worker} has {threads} threads; sums keep their order in one only",
                key="--dask",
                hint=f"start workers of one thread: {_start(address)}",
            )
    ours = versions()
    for worker, theirs in sorted(client.run(describe_worker, on_error="return").items()):
        if isinstance(theirs, Exception):
            raise InputError(
                f"{worker} cannot run advsp: {theirs}", key="--dask", hint="install the same advsp everywhere"
            )
        for name in _DECISIVE:
            there, here = (found.get(name, _MISSING) for found in (theirs, ours))
            if there != here:
                raise InputError(
                    f"{name} of {worker} is {there}, here it is {here}",
                    key="--dask",
                    hint=_remedy(name, address),
                )


def _remedy(name: str, address: str) -> str:
    """What makes workers decide as this process does."""
    if name != "arithmetic":
        return "install the same versions everywhere"
    return f"start workers that round as the command does: {_start(address)}"


def _start(address: str) -> str:
    """The command that starts workers on a machine of this kind."""
    stated = [f"{key}={value}" for key, value in arithmetic.settings().items()]
    prefix = ["env", *stated] if stated else []
    return " ".join([*prefix, f"dask worker {address} --nthreads 1 --nworkers -1"])
