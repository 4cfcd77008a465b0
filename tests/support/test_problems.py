"""What is wrong with a section, in words."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError, model_validator

from advsp.support.problems import Problem, first_problem, misfit, problems, unknown_key
from advsp.support.sections import Strict


class Inner(Strict):
    low: int = 0
    high: int = 1

    @model_validator(mode="after")
    def _ordered(self) -> Inner:
        if self.high < self.low:
            raise misfit(f"{self.high} is below {{low}}", "high", hint="give another")
        return self


class Outer(Strict):
    inner: Inner = Inner()
    parts: dict[str, Annotated[int, Field(ge=1)]] = {}
    names: list[Annotated[str, Field(pattern="^[a-z]+$")]] = Field(default=["a"], min_length=1)
    side: Literal["left", "right", "both"] = "left"
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5

    @model_validator(mode="after")
    def _known_parts(self) -> Outer:
        for key in self.parts:
            if key not in ("engine", "wheel"):
                raise unknown_key(key, ["engine", "wheel"], "parts")
        return self


def found(**keys: Any) -> list[Problem]:
    with pytest.raises(ValidationError) as raised:
        Outer.model_validate(keys)
    assert first_problem(raised.value) == problems(raised.value)[0]
    return problems(raised.value)


#: What is expected of a name of a file.
PLAIN = "letters, digits and . _ + - only, a letter or digit first"


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"inner": {"low": 2}}, Problem(("inner", "high"), "1 is below {low}", "give another")),
        ({"inner": {"lov": 2}}, Problem(("inner", "lov"), "unknown key", "did you mean low?")),
        ({"parts": {"weel": 2}}, Problem(("parts", "weel"), "unknown key", "did you mean wheel?")),
        ({"parts": {"x.y": 2}}, Problem(("parts", "x.y"), "unknown key", "known: engine, wheel")),
        ({"parts": {1: 2}}, Problem(("parts", 1), "found 1, expected text", None)),
        (
            {"parts": {"wheel": 0}},
            Problem(("parts", "wheel"), "found 0, expected greater than or equal to 1", None),
        ),
        ({"parts": [1]}, Problem(("parts",), "found [1], expected a section of keys and values", None)),
        ({"names": []}, Problem(("names",), "found [], expected at least one entry", None)),
        ({"names": "a"}, Problem(("names",), "found 'a', expected a list", None)),
        ({"names": ["a", "B"]}, Problem(("names", 1), f"found 'B', expected {PLAIN}", None)),
        ({"side": "up"}, Problem(("side",), "found 'up', expected 'left', 'right' or 'both'", None)),
        ({"share": 1.0}, Problem(("share",), "found 1.0, expected less than 1", None)),
        ({"share": "half"}, Problem(("share",), "found 'half', expected a number", None)),
    ],
)
def test_problem_has_a_place_words_and_perhaps_a_hint(keys, problem):
    assert found(**keys) == [problem]


def test_every_problem_is_found_in_the_order_of_the_section():
    keys = [problem.key for problem in found(share=2.0, names=[1, 2], inner=3)]
    assert keys == ["inner", "names.0", "names.1", "share"]


def test_problem_is_an_error_of_its_key():
    (problem,) = found(inner={"low": 2})
    assert str(problem.as_error()) == "inner.high: 1 is below {low} (give another)"
    assert str(Problem((), "is nothing", None).as_error()) == "is nothing"
