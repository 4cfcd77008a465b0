"""Candidates come back as they were kept, or are refused by name."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.experiments.candidate import Candidate
from advsp.learners.base import Decoded
from advsp.support.errors import InputError

SAID = Decoded(np.array([True, False]), np.array([0.75, 0.25]))


def test_candidate_comes_back_as_it_was(tmp_path):
    path = tmp_path / "pass-3.npz"
    Candidate(np.array([0.5, -1e-300]), {"PER": SAID}).write(path)
    again = Candidate.read(path, ["PER"])
    assert again.weights.tobytes() == np.array([0.5, -1e-300]).tobytes()
    assert list(again.decoded) == ["PER"]
    assert (again.decoded["PER"].mode.tolist(), again.decoded["PER"].marginal.tolist()) == (
        [True, False],
        [0.75, 0.25],
    )
    assert [file.name for file in tmp_path.iterdir()] == ["pass-3.npz"]


def test_file_holds_plain_arrays_by_class(tmp_path):
    """As runs have it that were begun before."""
    Candidate(np.zeros(1), {"PER": SAID, "LOC": SAID}).write(tmp_path / "pass-1.npz")
    with np.load(tmp_path / "pass-1.npz", allow_pickle=False) as file:
        assert file.files == ["weights", "PER/mode", "PER/marginal", "LOC/mode", "LOC/marginal"]


def test_weights_alone_can_be_kept_and_read(tmp_path):
    Candidate(np.ones(3)).write(tmp_path / "pass-1.npz")
    again = Candidate.read(tmp_path / "pass-1.npz")
    assert (again.weights.tolist(), again.decoded) == ([1.0, 1.0, 1.0], {})


def test_class_that_nothing_was_said_of_is_named(tmp_path):
    path = tmp_path / "pass-1.npz"
    Candidate(np.zeros(1), {"PER": SAID}).write(path)
    with pytest.raises(InputError) as raised:
        Candidate.read(path, ["LOC"])
    assert str(raised.value) == f"{path}: not a candidate: it has no LOC/mode (train anew with --overwrite)"


@pytest.mark.parametrize(
    ("content", "said"), [(None, "no such file"), (b"PK", "not a candidate: "), (b"", "not a candidate: ")]
)
def test_file_that_is_no_candidate_is_named(tmp_path, content, said):
    path = tmp_path / "pass-1.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        Candidate.read(path)
    assert str(raised.value).startswith(f"{path}: {said}")


def test_file_without_weights_is_named(tmp_path):
    np.savez(tmp_path / "pass-1.npz", **{"PER/mode": SAID.mode, "PER/marginal": SAID.marginal})
    with pytest.raises(InputError, match="it has no weights"):
        Candidate.read(tmp_path / "pass-1.npz", ["PER"])
