"""A cluster of three worker processes."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def processes(tmp_path_factory):
    """The processes of a cluster, and a client of it."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    from runners.dask.loopback import Loopback

    from advsp.runners.dask.connection import connect

    loopback = Loopback(tmp_path_factory.mktemp("cluster"))
    try:
        from distributed import Client

        with Client(loopback.address, timeout=30, set_as_default=False) as starter:
            loopback.fill_up(3, starter)
        client = connect(loopback.address, timeout=30)
        yield loopback, client
        client.close()
    finally:
        loopback.end()


@pytest.fixture
def loopback(processes):
    """The processes, three workers among them."""
    loopback, client = processes
    loopback.fill_up(3, client)
    return loopback


@pytest.fixture
def three(loopback, processes):
    """A cluster of three workers."""
    from advsp.runners.dask.runner import Cluster

    return Cluster(processes[1], loopback.address)
