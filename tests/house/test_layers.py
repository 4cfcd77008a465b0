"""The package keeps to its plan, and the check of it finds what it is there to find."""

from __future__ import annotations

from pathlib import Path

import pytest
from house.imports import read_package
from house.plan import Door, Floor
from house.rules import check

ROOT = Path(__file__).parents[2]

FLOORS = (
    Floor(3, ("house",), "the front"),
    Floor(2, ("kitchen", "hall"), "where people are"),
    Floor(1, ("cellar",), "what all stand on"),
)
DOORS = (Door("wine", ("house.cellar.rack",), "it is precious"),)


@pytest.fixture
def lines(tmp_path):
    """What the check says of a house of three rooms, in which some files have other contents."""

    def look(changed: dict[str, str], known: tuple[str, ...] = ()) -> list[str]:
        files = {
            "__init__": "",
            "cellar/__init__": "",
            "cellar/rack": "import wine.red",
            "hall/__init__": "",
            "hall/stairs": "from house.cellar import rack",
            "kitchen/__init__": "",
            "kitchen/stove": "import house.cellar.rack",
        }
        for name, source in (files | changed).items():
            path = tmp_path / "house" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source)
        return check(read_package(tmp_path / "house"), FLOORS, DOORS, known)

    return look


def test_house_keeps_to_its_plan():
    said = check(read_package(ROOT / "advsp"))
    assert not said, "\n" + "\n".join(said)


def test_stairs_that_lead_down_are_no_offence(lines):
    assert lines({}) == []


def test_import_that_leads_up(lines):
    assert lines({"cellar/rack": "x = 1\nfrom house.kitchen import stove"}) == [
        "house/cellar/rack.py:2: cellar (floor 1) imports up: house.kitchen.stove is on floor 2",
        "a circle of imports: house.cellar.rack <-> house.kitchen.stove",
    ]


@pytest.mark.parametrize(
    "source",
    [
        "import house.hall.stairs",
        "import house.hall.stairs as way",
        "from house.hall import stairs",
        "from house.hall.stairs import *",
        "from house.hall.stairs import step",
        "from ..hall import stairs",
        "from ..hall.stairs import step",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING: from house.hall.stairs import Step",
        "def cook():\n    from house.hall import stairs",
        "try:\n    import house.hall.stairs\nexcept ImportError: pass",
        "from importlib import import_module\nimport_module('house.hall.stairs')",
        "__import__('house.hall.stairs')",
    ],
)
def test_rooms_of_one_floor_do_not_know_each_other_however_it_is_written(lines, source):
    (line,) = lines({"kitchen/stove": source})
    assert line.endswith("kitchen (floor 2) imports to the same floor: house.hall.stairs is on floor 2")


def test_room_that_no_floor_has(lines):
    assert lines({"attic/trunk": "import house.hall.stairs", "shed": ""}) == [
        "attic: a room that is on no floor",
        "shed: a room that is on no floor",
    ]


def test_floor_with_a_room_that_is_not_there(tmp_path):
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "__init__.py").touch()
    floors = (Floor(2, ("house",), "the front"), Floor(1, ("cellar",), "dug one day"))
    assert check(read_package(tmp_path / "house"), floors, (), ()) == [
        "cellar: on a floor, but not in the house"
    ]


@pytest.mark.parametrize("source", ["import wine", "from wine.red import bottle", "from wine import red"])
def test_package_that_is_not_taken_at_its_door(lines, source):
    assert lines({"hall/stairs": source}) == [
        "house/hall/stairs.py:1: wine is imported by house.cellar.rack alone: it is precious"
    ]


def test_module_whose_name_is_made_up_only_when_it_is_imported(lines):
    source = "from importlib import import_module\ndef drink(kind): return import_module(f'wine.{kind}')"
    (line,) = lines({"hall/stairs": source})
    assert line.startswith("house/hall/stairs.py:2: wine is imported by")


def test_door_of_another_package_whose_name_begins_alike(lines):
    assert lines({"hall/stairs": "import winery"}) == []


def test_circle_within_a_room(lines):
    said = lines(
        {
            "kitchen/stove": "from house.kitchen import pan",
            "kitchen/pan": "from house.kitchen import spoon",
            "kitchen/spoon": "def stir():\n    from house.kitchen import stove",
            "kitchen/plate": "from house.kitchen import pan",
        }
    )
    assert said == ["a circle of imports: house.kitchen.pan <-> house.kitchen.spoon <-> house.kitchen.stove"]


def test_package_whose_own_module_and_another_import_each_other(lines):
    said = lines(
        {"kitchen/__init__": "from house.kitchen.stove import boil", "kitchen/stove": "import house.kitchen"}
    )
    assert said == ["a circle of imports: house.kitchen <-> house.kitchen.stove"]


KNOWN = ("house.kitchen.stove -> house.hall.stairs",)


def test_known_exception_is_borne_as_long_as_it_is_needed(lines):
    assert lines({"kitchen/stove": "import house.hall.stairs"}, KNOWN) == []
    assert lines({}, KNOWN) == [
        "no longer there, take it off the known exceptions: house.kitchen.stove -> house.hall.stairs"
    ]


def test_known_exception_is_that_import_alone(lines):
    source = "import house.hall.stairs\nimport house.hall.bench"
    (line,) = lines({"kitchen/stove": source, "hall/bench": ""}, KNOWN)
    assert line.startswith("house/kitchen/stove.py:2: ")
