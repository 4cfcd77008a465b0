"""Tests of the kernels run where numba is installed."""

import pytest

pytest.importorskip("numba", reason="kernels need numba: pip install 'advsp[fast]'")
