"""The engine's settings: what cannot work together is refused as soon as it is said."""

from __future__ import annotations

import pytest

from advsp.engine.settings import Engine
from advsp.support.errors import InputError
from advsp.support.sections import options_of


@pytest.mark.parametrize("oracle", ["approximate", "approximate-numpy"])
def test_value_that_repeats_needs_best_responses(oracle):
    with pytest.raises(InputError) as raised:
        Engine(oracle=oracle, stop="value-repeats")
    assert str(raised.value) == (
        f"stop: value-repeats plays with best responses, {oracle} finds others "
        "(choose an exact oracle, or stop: certified)"
    )


def test_other_settings_go_together():
    assert Engine(oracle="numpy", stop="value-repeats").stop == "value-repeats"
    assert Engine("linprog", "approximate", 5).exact() == Engine("linprog", "auto", 5)


def test_settings_are_plain_data():
    assert options_of(Engine(lp="linprog")) == {
        "lp": "linprog",
        "oracle": "auto",
        "max_iterations": 10_000,
        "stop": "certified",
    }
