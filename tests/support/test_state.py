import json

import numpy as np
import pytest

from advsp.support.errors import InputError
from advsp.support.state import State

STATE = State({"names": ["gull", "île"]}, {"counts": np.arange(3)}).holding(
    inner=State({"size": 2}, {"counts": np.ones(2)})
)


def load(path):
    return State.load(path, "features", "make the features anew")


def test_a_state_is_read_back_as_it_was_written(tmp_path):
    STATE.save(tmp_path / "v1.features")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["v1.features.json", "v1.features.npz"]
    again = load(tmp_path / "v1.features")
    assert again.values == STATE.values
    assert again.arrays.keys() == {"counts", "inner/counts"}
    np.testing.assert_array_equal(again.arrays["counts"], [0, 1, 2])


def test_parts_come_out_as_they_went_in():
    part = STATE.part("inner")
    assert part.values == {"size": 2}
    assert part.arrays.keys() == {"counts"}
    np.testing.assert_array_equal(part.arrays["counts"], [1, 1])


def test_nothing_there(tmp_path):
    with pytest.raises(InputError, match=r"x.json: no such file \(make the features anew\)"):
        load(tmp_path / "x")


def test_arrays_that_are_missing(tmp_path):
    STATE.save(tmp_path / "x")
    (tmp_path / "x.npz").unlink()
    with pytest.raises(InputError, match="x.npz: no such file"):
        load(tmp_path / "x")


def test_arrays_of_another_state(tmp_path):
    STATE.save(tmp_path / "x")
    State({}, {"counts": np.zeros(1)}).save(tmp_path / "y")
    (tmp_path / "y.npz").rename(tmp_path / "x.npz")
    with pytest.raises(InputError, match="x.npz: not the arrays that the description names"):
        load(tmp_path / "x")


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps({"values": {}})])
def test_a_description_that_is_none(tmp_path, content):
    STATE.save(tmp_path / "x")
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(InputError, match="x.json: not the description of features"):
        load(tmp_path / "x")
