"""Tests of the kernels run where numba is installed, and call what is compiled."""

import pytest

pytest.importorskip("numba", reason="kernels need numba: pip install 'advsp[fast]'")


@pytest.fixture(scope="session", autouse=True)
def ready(compiled_kernels):
    """Everything is compiled before the first test."""
