"""Where the corpora are that the project may not ship."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

CORPORA = Path(os.environ.get("ADVSP_FIXTURES") or Path(__file__).parents[2] / "shared" / "data")


@pytest.fixture(scope="session")
def corpus_file() -> Callable[[str], Path]:
    """Path of a file of those corpora; the test is skipped if it is not there."""

    def find(name: str) -> Path:
        path = CORPORA / name
        if not path.exists():
            pytest.skip(f"{path} is not there; ADVSP_FIXTURES names the folder that holds {name}")
        return path

    return find
