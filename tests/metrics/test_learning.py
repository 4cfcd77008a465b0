"""How systems learnt is kept and read as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from advsp.metrics.learning import Learning
from advsp.support.errors import InputError
from advsp.support.records import Fields


@pytest.mark.parametrize(
    "learning",
    [
        Learning((1, 9), (3.0, 1.5), (1, 2), (40.0, 50.5), 0),
        Learning((1,), (3.0,)),
        Learning((), (), (), (), 7),
    ],
)
def test_what_is_kept_is_read(learning):
    assert Learning.from_json(Fields(learning.to_json(), Path("scores.json"))) == learning


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("objective", [1], "learning.objective.0"),
        ("uncertified", 1.5, "learning.uncertified"),
        ("more", 1, "learning.more: unknown field"),
    ],
)
def test_what_is_not_as_it_was_kept_is_refused(key, value, problem):
    fields = Fields({**Learning((1,), (3.0,)).to_json(), key: value}, Path("scores.json"), place="learning")
    with pytest.raises(InputError, match=problem):
        Learning.from_json(fields)
