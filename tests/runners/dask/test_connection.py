"""A cluster that cannot do what is asked is refused before anything is written."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from advsp.runners.dask import connection
from advsp.support.errors import InputError

NOBODY = "tcp://127.0.0.1:9"


@pytest.mark.parametrize("address", ["", "10.0.0.1", "tcp://10.0.0.1", "http://10.0.0.1:80", "tcp://a b:1"])
def test_what_is_no_address_is_refused(refused, workspace, address):
    complaint = refused("train", "tiny.yaml", "--dask", address)
    assert complaint.startswith(
        f"--dask: {address!r} is not the address of a scheduler (start `dask scheduler`"
    )


def test_address_nobody_answers_at_is_refused_after_a_short_while():
    pytest.importorskip("distributed", reason="distributed is not installed")
    begun = time.monotonic()
    with pytest.raises(InputError) as raised:
        connection.connect(NOBODY, timeout=0.5)
    assert time.monotonic() - begun < 10
    assert "nobody answers there within 0.5 s" in str(raised.value)


@pytest.mark.parametrize("arguments", [("train", "tiny.yaml"), ("evaluate", "tiny.yaml")])
def test_without_the_package_it_says_what_to_install(refused, trained, monkeypatch, arguments):
    monkeypatch.setitem(sys.modules, "distributed", None)
    complaint = refused(*arguments, "--dask", NOBODY)
    assert complaint == '--dask: Dask distributed is not installed (pip install "advsp[dask]")'


def test_workers_of_several_threads_are_refused(processes, monkeypatch):
    loopback, client = processes
    monkeypatch.setattr(type(client), "nthreads", lambda self: {"tcp://10.0.0.1:4000": 4})
    with pytest.raises(InputError, match="tcp://10.0.0.1:4000 has 4 threads") as raised:
        connection.connect(loopback.address)
    assert "--nthreads 1" in str(raised.value)


def test_workers_with_other_versions_are_refused(loopback, monkeypatch):
    monkeypatch.setattr(connection, "versions", lambda: {"advsp": "0.0.0"})
    with pytest.raises(InputError, match=r"advsp of tcp://127.0.0.1:\d+ is .*, here it is 0.0.0"):
        connection.connect(loopback.address)


def test_workers_that_round_otherwise_are_refused_with_the_command_that_starts_others(loopback, monkeypatch):
    found = {**connection.versions(), "arithmetic": "SkylakeX, AVX512_ICL"}
    monkeypatch.setattr(connection, "versions", lambda: found)
    monkeypatch.setattr(connection.arithmetic, "settings", lambda: {"OPENBLAS_CORETYPE": "SkylakeX"})
    with pytest.raises(InputError, match="here it is SkylakeX, AVX512_ICL") as raised:
        connection.connect(loopback.address)
    assert f"env OPENBLAS_CORETYPE=SkylakeX dask worker {loopback.address} --nthreads 1" in str(raised.value)


def test_scheduler_without_workers_is_refused(loopback, monkeypatch):
    from distributed import Client

    def nobody_comes(self, workers, timeout):
        raise TimeoutError

    monkeypatch.setattr(Client, "wait_for_workers", nobody_comes)
    with pytest.raises(InputError, match="the scheduler has no workers") as raised:
        connection.connect(loopback.address)
    assert f"dask worker {loopback.address}" in str(raised.value)


def test_package_is_loaded_only_where_it_is_needed():
    code = (
        "import sys\n"
        "import advsp.experiments.train, advsp.experiments.evaluate\n"
        "import advsp.runners.dask.runner, advsp.runners.dask.connection\n"
        "print([name for name in sys.modules if name.partition('.')[0] in ('dask', 'distributed')])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
