"""Jobs run in processes of their own, which call what is compiled."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def ready(compiled_kernels):
    """Everything is compiled before the first test."""
