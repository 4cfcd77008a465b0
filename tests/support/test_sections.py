"""Sections: strict, read off dataclasses, and plain data once resolved."""

from __future__ import annotations

import dataclasses
import json
import pickle
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from annotated_types import Gt, Interval
from pydantic import Field, ValidationError
from toy_parts import Even, Guess, Mixed, Rote, Tilted, toy_learners, toy_measures

from advsp.support.errors import InputError
from advsp.support.problems import problems
from advsp.support.registry import Registry
from advsp.support.sections import AsSection, NamedSection, Section, Strict, build, describe


@dataclass(frozen=True)
class Speed:
    """A part without a name."""

    start: Annotated[float, Gt(0)] = 0.5
    decay: Annotated[float, Interval(gt=0, le=1)] = 1.0

    def __post_init__(self) -> None:
        if self.start < self.decay / 10:
            raise InputError("is too slow to begin with", key="start")


class Learner(Section[Any]):
    """A toy learner, and for how long it learns."""

    name: str = "guess"
    passes: int = Field(default=1, ge=0)

    @classmethod
    def registry(cls) -> Registry[Any]:
        return toy_learners


class Judge(NamedSection[Any]):
    """A toy measure."""

    @classmethod
    def registry(cls) -> Registry[Any]:
        return toy_measures


class Lesson(Strict):
    title: str
    source: str = Field(default="here", alias="from")
    speed: AsSection[Speed] = Speed()
    learner: Learner = Learner()
    judge: Judge | None = None


def lesson(**keys: Any) -> Lesson:
    return Lesson.model_validate({"title": "x", **keys})


def complaints(**keys: Any) -> list[str]:
    """What is said about a lesson that cannot be."""
    with pytest.raises(ValidationError) as raised:
        lesson(**keys)
    return [str(problem.as_error()) for problem in problems(raised.value)]


# --- strict sections --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"titel": "y"}, "titel: unknown key (did you mean title?)"),
        ({"source": "y"}, "source: unknown key (known: title, from, speed, learner, judge)"),
        ({"title": 3}, "title: found 3, expected text"),
        ({"title": None}, "title: found None, expected text"),
        ({"speed": 5}, "speed: found 5, expected a section of keys and values"),
        ({"learner": "guess"}, "learner: found 'guess', expected a section of keys and values"),
        ({"judge": ["even"]}, "judge: found ['even'], expected a section of keys and values"),
    ],
)
def test_keys_are_known_and_values_have_exactly_their_types(keys, said):
    assert complaints(**keys) == [said]


def test_missing_key_is_named():
    with pytest.raises(ValidationError) as raised:
        Lesson.model_validate({"from": "there"})
    assert [str(problem.as_error()) for problem in problems(raised.value)] == ["title: is missing"]


def test_problems_are_all_found():
    assert complaints(title=3, speed={"start": 0.0, "decay": 2.0}) == [
        "title: found 3, expected text",
        "speed.start: found 0.0, expected greater than 0",
        "speed.decay: found 2.0, expected less than or equal to 1",
    ]


# --- parts without a name ---------------------------------------------------------------------------


def test_section_of_a_dataclass_holds_one():
    assert lesson().speed == Speed()
    assert lesson(speed={}).speed == Speed()
    assert lesson(speed={"decay": 0.5}).speed == Speed(decay=0.5)
    assert lesson(speed=Speed(2.0)).speed == Speed(2.0)


def test_whole_number_is_a_number():
    assert isinstance(lesson(speed={"start": 2}).speed.start, float)


def test_section_of_a_dataclass_is_plain_data_again():
    assert lesson(speed={"decay": 0.5}).model_dump()["speed"] == {"start": 0.5, "decay": 0.5}


@pytest.mark.parametrize(
    ("speed", "said"),
    [
        ({"dekay": 1.0}, "speed.dekay: unknown key (did you mean decay?)"),
        ({"decay": 0.0}, "speed.decay: found 0.0, expected greater than 0"),
        ({"start": "fast"}, "speed.start: found 'fast', expected a number"),
        ({"start": 0.01}, "speed.start: is too slow to begin with"),
    ],
)
def test_what_a_dataclass_does_not_take_is_named(speed, said):
    assert complaints(speed=speed) == [said]


# --- registered parts -------------------------------------------------------------------------------


def test_options_beside_the_name_go_to_the_part():
    assert Learner().build() == Guess()
    given = Learner.model_validate({"name": "rote", "pages": 3, "passes": 2})
    assert (given.build(), given.passes, given.options) == (Rote(3), 2, {"pages": 3})


def test_resolved_section_states_the_options_of_its_part():
    assert lesson(learner={"passes": 3, "weights": {"b": 2}}).model_dump()["learner"] == {
        "name": "guess",
        "passes": 3,
        "backup": {"name": "tilted", "beta": 1.0, "side": "left"},
        "judge": "even",
        "seed": None,
        "weights": {"b": 2.0},
    }


def test_option_that_is_none_is_left_out_unless_it_is_to_be_stated():
    options = Learner().options
    assert "most" not in options and "measure" not in options
    assert options["seed"] is None
    assert Learner.model_validate({"most": None, "measure": None}).options == options
    assert Learner.model_validate({"most": 3}).options == {**options, "most": 3}


def test_name_alone_may_stand_for_a_section_that_allows_it():
    assert lesson(judge="even").judge == lesson(judge={"name": "even"}).judge
    assert lesson(judge="even").judge.build() == Even()


@pytest.mark.parametrize(
    ("learner", "said"),
    [
        ({"name": "gues"}, "learner.name: unknown learner 'gues' (did you mean 'guess'?)"),
        ({"name": 7}, "learner.name: found 7, expected text"),
        ({"name": "rote"}, "learner.pages: is missing"),
        ({"name": "rote", "page": 3}, "learner.page: unknown key (did you mean pages?)"),
        ({"pases": 3}, "learner.pases: unknown key (did you mean passes?)"),
        ({"name": "rote", "xyz": 3}, "learner.xyz: unknown key (known: name, passes, pages)"),
        ({"passes": -1}, "learner.passes: found -1, expected greater than or equal to 0"),
        ({"most": 0}, "learner.most: found 0, expected greater than or equal to 1"),
        ({"weights": {"c": 1.0}}, "learner.weights.c: found 'c', expected 'a' or 'b'"),
        ({"judge": "evn"}, "learner.judge: unknown measure 'evn' (did you mean 'even'?)"),
    ],
)
def test_what_a_registered_part_does_not_take_is_named(learner, said):
    assert complaints(learner=learner) == [said]


# --- options that are registered parts themselves ---------------------------------------------------


@pytest.mark.parametrize(
    ("given", "measure"),
    [
        (None, None),
        ("even", Even()),
        ({"name": "tilted"}, Tilted()),
        ({"name": "tilted", "beta": 2}, Tilted(2.0)),
        ({"name": "mixed"}, Mixed()),
        (
            {"name": "mixed", "parts": {"x": "even", "y": {"name": "mixed", "parts": {"z": "tilted"}}}},
            Mixed({"x": Even(), "y": Mixed({"z": Tilted()})}),
        ),
        (Tilted(3.0), Tilted(3.0)),
    ],
)
def test_part_gets_the_part_that_its_option_names(given, measure):
    assert lesson(learner={"measure": given}).learner.build() == Guess(measure=measure)


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("even", {"name": "even"}),
        ({"name": "tilted", "beta": 2}, {"name": "tilted", "beta": 2.0, "side": "left"}),
        (
            {"name": "mixed", "parts": {"x": "even"}},
            {"name": "mixed", "parts": {"x": {"name": "even"}}},
        ),
        (Tilted(3.0), {"name": "tilted", "beta": 3.0, "side": "left"}),
    ],
)
def test_option_that_is_a_part_is_plain_data_once_resolved(given, plain):
    learner = lesson(learner={"measure": given}).learner
    assert learner.options["measure"] == plain
    assert learner.model_dump()["measure"] == plain


def test_resolved_section_survives_json_and_pickling():
    made = lesson(judge="tilted", learner={"measure": {"name": "mixed", "parts": {"x": "even"}}, "most": 2})
    again = Lesson.model_validate(json.loads(json.dumps(made.model_dump(by_alias=True))))
    assert again == made == pickle.loads(pickle.dumps(made))
    assert again.learner.build() == Guess(Mixed({"x": Even()}), most=2)
    assert made.model_dump(mode="json") == made.model_dump()


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("evn", "learner.measure.name: unknown measure 'evn' (did you mean 'even'?)"),
        ({"name": "evn"}, "learner.measure.name: unknown measure 'evn' (did you mean 'even'?)"),
        ({"beta": 2.0}, "learner.measure.name: is missing"),
        ({"name": "tilted", "betta": 2.0}, "learner.measure.betta: unknown key (did you mean beta?)"),
        ({"name": "tilted", "xyz": 2.0}, "learner.measure.xyz: unknown key (known: name, beta, side)"),
        ({"name": "tilted", "beta": 0.0}, "learner.measure.beta: found 0.0, expected greater than 0"),
        (
            {"name": "tilted", "beta": 10, "side": "right"},
            "learner.measure.beta: beta 10 tips over (at most 9)",
        ),
        (5, "learner.measure: found 5, expected a section of keys and values"),
        (
            {"name": "mixed", "parts": {"x": "even", "y": {"name": "tilted", "side": "up"}}},
            "learner.measure.parts.y.side: found 'up', expected 'left' or 'right'",
        ),
    ],
)
def test_what_is_wrong_with_an_option_that_is_a_part_is_named_where_it_stands(measure, said):
    assert complaints(learner={"measure": measure}) == [said]


# --- describing and building again ------------------------------------------------------------------


@pytest.mark.parametrize(
    "part",
    [Guess(), Guess(Tilted(2.0), Even(3), "tilted", 4, 5, {"b": 0.5}), Guess(Mixed({"x": Even()})), Rote(1)],
)
def test_part_is_built_again_from_its_description(part):
    description = describe(toy_learners, part)
    assert description["name"] == toy_learners.name_of(type(part))
    assert build(toy_learners, json.loads(json.dumps(description))) == part


def test_description_is_what_a_resolved_section_says():
    given = {"name": "guess", "measure": {"name": "tilted", "beta": 2}}
    section = Judge.model_validate({"name": "mixed", "parts": {"x": "tilted"}})
    assert describe(toy_measures, section.build()) == section.model_dump()
    assert describe(toy_learners, build(toy_learners, given)) == {"name": "guess"} | Learner(**given).options


def test_description_shares_nothing_with_the_part():
    part = Guess()
    describe(toy_learners, part)["weights"]["b"] = 1.0
    assert part == Guess()


def test_description_does_not_judge_what_was_built_by_hand():
    assert describe(toy_measures, Tilted(beta=2))["beta"] == 2


@pytest.mark.parametrize(
    ("description", "said"),
    [
        ({"name": "gess"}, "name: unknown learner 'gess' (did you mean 'guess'?)"),
        (
            {"name": "guess", "measure": {"name": "tilted", "bta": 1}},
            "measure.bta: unknown key (did you mean beta?)",
        ),
        ({}, "name: is missing"),
        ([], "found [], expected a section of keys and values"),
    ],
)
def test_description_that_does_not_fit_is_one_error_of_its_key(description, said):
    with pytest.raises(InputError) as raised:
        build(toy_learners, description)
    assert str(raised.value) == said


def test_part_that_is_not_registered_cannot_be_described():
    with pytest.raises(ValueError, match="not registered as measure"):
        describe(toy_measures, Rote(1))


def test_sections_are_frozen():
    with pytest.raises(ValidationError):
        lesson().title = "y"
    with pytest.raises(dataclasses.FrozenInstanceError):
        lesson().speed.start = 1.0
