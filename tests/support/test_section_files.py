"""A section in a file: read, overridden, and what is wrong said with file, line and key."""

from __future__ import annotations

from typing import Any

import pytest
from toy_parts import Guess, Tilted, toy_learners

from advsp.support.errors import InputError
from advsp.support.registry import Registry
from advsp.support.section_files import load_section
from advsp.support.sections import Section, Strict
from advsp.support.yaml_source import Place, Source


class Learner(Section[Any]):
    @classmethod
    def registry(cls) -> Registry[Any]:
        return toy_learners


class System(Strict):
    learner: Learner
    passes: int = 1


class Systems(Strict):
    systems: dict[str, System]
    passes: int | None = None


TEXT = """\
systems:
  X:
    learner:
      name: guess
      measure:
        name: tilted
        beta: 2
  Y: {learner: {name: rote, pages: 1}, passes: 3}
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Load a text from the file ``toys.yaml``."""
    monkeypatch.chdir(tmp_path)

    def from_text(text: str, *overrides: str, **options: Any) -> Systems:
        (tmp_path / "toys.yaml").write_text(text)
        return load_section(Systems, "toys.yaml", overrides, **options)

    return from_text


@pytest.fixture
def complaint(load):
    """What is said about a file that cannot be used."""

    def about(text: str, *overrides: str, **options: Any) -> str:
        with pytest.raises(InputError) as raised:
            load(text, *overrides, **options)
        return str(raised.value)

    return about


def test_file_becomes_a_section(load):
    found = load(TEXT)
    assert found.systems["X"].learner.build() == Guess(Tilted(2.0))
    assert found.systems["Y"].passes == 3


def test_overrides_replace_keys_in_their_order(load):
    found = load(TEXT, "systems.X.learner.measure.beta=3", "systems.Y.passes=1", "systems.Y.passes=2")
    assert found.systems["X"].learner.build() == Guess(Tilted(3.0))
    assert found.systems["Y"].passes == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "        beta: 2",
            "        betta: 2",
            "toys.yaml:7: systems.X.learner.measure.betta: unknown key (did you mean beta?)",
        ),
        (
            "        beta: 2",
            "        beta: 0",
            "toys.yaml:7: systems.X.learner.measure.beta: found 0, expected greater than 0",
        ),
        (
            "        name: tilted",
            "        name: titled",
            "toys.yaml:6: systems.X.learner.measure.name: unknown measure 'titled' (did you mean 'tilted'?)",
        ),
        (
            "      measure:\n        name: tilted\n        beta: 2",
            "      measure: titled",
            "toys.yaml:5: systems.X.learner.measure.name: unknown measure 'titled' (did you mean 'tilted'?)",
        ),
        (
            "        name: tilted\n",
            "",
            "toys.yaml:5: systems.X.learner.measure.name: is missing",
        ),
        (
            "      name: guess\n      measure:",
            "      name: rote\n      pages: 2\n      measure:",
            "toys.yaml:6: systems.X.learner.measure: unknown key (known: name, pages)",
        ),
    ],
)
def test_what_is_wrong_deep_down_is_named_with_file_line_and_key(complaint, old, new, said):
    assert TEXT.count(old) == 1
    assert complaint(TEXT.replace(old, new)) == said


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (
            "systems.X.learner.measure.betta=1",
            "--set systems.X.learner.measure.betta: unknown key (did you mean beta?)",
        ),
        ("systems.X.learner.measure=evn", "--set systems.X.learner.measure.name: unknown measure 'evn'"),
        ("systems.X.learner.name.x=1", "--set 'systems.X.learner.name.x=1': systems.X.learner.name is not"),
        ("passes", "--set 'passes' is not of the form key=value (e.g. --set optimiser.passes=5)"),
    ],
)
def test_override_at_fault_is_named(complaint, override, said):
    assert complaint(TEXT, override).startswith(said)


def test_problem_that_stands_first_in_the_file_is_said(complaint):
    text = TEXT.replace("beta: 2", "beta: 0")
    assert complaint(text + "passes: many\n").startswith("toys.yaml:7: systems.X.learner.measure.beta: ")
    assert complaint("passes: many\n" + text).startswith("toys.yaml:1: passes: ")


def test_value_can_stand_in_another_place_than_it_is_checked_at(complaint):
    def shared(place: Place, source: Source) -> Place:
        return place[2:] if place[2:] in source.lines else place

    text = TEXT.replace("passes: 3", "passes: x") + "passes: 1\n"
    assert complaint(text).startswith("toys.yaml:8: systems.Y.passes: ")
    assert complaint(text, written=shared).startswith("toys.yaml:9: passes: ")


@pytest.mark.parametrize("text", ["", "words\n", "- a\n"])
def test_file_must_hold_keys_and_values(complaint, text):
    assert complaint(text) == "toys.yaml:1: expected a mapping of keys to values"
