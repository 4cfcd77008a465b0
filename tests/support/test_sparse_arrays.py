"""Arrays kept as their entries come back to the last bit, and take less room."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.support.errors import InputError
from advsp.support.files import write_arrays
from advsp.support.sparse_arrays import packed, read_packed, unpacked, write_packed

ENTRIES = (-0.0, np.nan, -np.inf, 5e-324, 1.0, np.frombuffer(b"\x01\x00\x00\x00\x00\x00\xf0\x7f")[0])


def same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


@given(
    size=st.integers(0, 3000),
    entries=st.dictionaries(st.integers(0, 2999), st.sampled_from(ENTRIES), max_size=40),
)
def test_arrays_come_back_to_the_last_bit(size, entries):
    array = np.zeros(size)
    for place, value in entries.items():
        array[place : place + 1] = value
    back = unpacked(packed({"one/weights": array, "two": array[::-1]}))
    assert same_bits(back["one/weights"], array) and same_bits(back["two"], array[::-1].copy())


def test_full_short_and_other_arrays_are_kept_as_they_are():
    arrays = {
        "full": np.ones(5000),
        "two thirds": np.tile([1.0, 1.0, 0.0], 2000),
        "short": np.zeros(1023),
        "whole": np.zeros(5000, dtype=np.int64),
        "table": np.zeros((100, 100)),
    }
    assert packed(arrays).keys() == arrays.keys()
    assert all(same_bits(value, arrays[name]) for name, value in unpacked(packed(arrays)).items())


def test_file_grows_with_the_entries_and_not_with_the_array(tmp_path):
    array = np.zeros(1_000_000)
    array[::1000] = 2.5
    write_packed(tmp_path / "file.npz", {"weights": array})
    assert (tmp_path / "file.npz").stat().st_size < 1000 * 12 + 2000
    assert same_bits(read_packed(tmp_path / "file.npz", "a model", "")["weights"], array)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda parts: parts.pop("weights#places"), id="no places"),
        pytest.param(lambda parts: parts.pop("weights#values"), id="no values"),
        pytest.param(lambda parts: parts.update({"weights#size": np.array(3)}), id="too small"),
        pytest.param(lambda parts: parts.update({"weights#size": np.array(-1)}), id="negative"),
        pytest.param(lambda parts: parts.update({"weights#size": np.arange(2)}), id="two sizes"),
        pytest.param(lambda parts: parts.update({"weights#size": np.array(1 << 60)}), id="beyond memory"),
        pytest.param(lambda parts: parts.update({"weights#values": np.zeros(7)}), id="too many values"),
        pytest.param(lambda parts: parts.update({"weights#places": np.zeros(4)}), id="broken places"),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(tmp_path, change):
    array = np.zeros(2000)
    array[[3, 50, 700, 1999]] = 1.0
    parts = packed({"weights": array})
    change(parts)
    write_arrays(tmp_path / "file.npz", parts)
    with pytest.raises(InputError, match=r"file.npz: not a model: .* \(train anew\)"):
        read_packed(tmp_path / "file.npz", "a model", "train anew")
