"""The picture of the house is that of the house."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from draw_house import PICTURE
from house.imports import read_package
from house.picture import PLACES, draw
from house.plan import FLOORS, Floor

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def rooms_and_arrows(picture: str) -> tuple[list[str], dict[tuple[str, str], str]]:
    """The rooms of a picture, and its arrows with their kinds."""
    root = ElementTree.fromstring(picture)
    rooms = [text.text or "" for text in root.iter(f"{SVG}text") if "class" not in text.attrib]
    arrows = {}
    for path in root.iter(f"{SVG}path"):
        if (title := path.find(f"{SVG}title")) is not None:
            a, _, b = (title.text or "").partition(" imports ")
            arrows[a, b] = path.attrib["class"]
    return rooms, arrows


def test_committed_picture_is_the_present_one():
    package = read_package(ROOT / "advsp")
    assert PICTURE.read_text(encoding="utf-8") == draw(package), "run: python scripts/draw_house.py"


def test_picture_has_every_room_and_every_arrow_of_the_package():
    package = read_package(ROOT / "advsp")
    rooms, arrows = rooms_and_arrows(PICTURE.read_text(encoding="utf-8"))
    assert sorted(rooms) == package.rooms
    assert sorted(arrows) == list(package.arrows())


def test_every_room_of_the_plan_has_a_place_of_its_own():
    rooms = [(floor.number, room) for floor in FLOORS for room in floor.rooms]
    assert {room for _, room in rooms} == set(PLACES)
    taken = [
        (number, column)
        for number, room in rooms
        for column in range(PLACES[room][0], PLACES[room][0] + PLACES[room][1])
    ]
    assert len(taken) == len(set(taken))


@pytest.fixture
def small(tmp_path):
    """The picture of a house of three rooms."""
    sources = {
        "__init__": "",
        "cli/__init__": "from advsp.tasks import do\nimport advsp.support",
        "tasks/__init__": "import advsp.support",
        "support/__init__": "",
    }
    for name, source in sources.items():
        path = tmp_path / "advsp" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    floors = (
        Floor(3, ("cli",), "above"),
        Floor(2, ("tasks",), "between"),
        Floor(1, ("support",), "below & all"),
    )
    return draw(read_package(tmp_path / "advsp"), floors)


def test_arrow_that_others_make_up_for_is_light(small):
    rooms, arrows = rooms_and_arrows(small)
    assert rooms == ["cli", "tasks", "support"]
    assert arrows == {("cli", "tasks"): "arrow", ("tasks", "support"): "arrow", ("cli", "support"): "implied"}


def test_arrows_lead_down(small):
    for ends in re.findall(r'd="M\S+ (\S+)C.* (\S+)"><title>', small):
        assert float(ends[0]) < float(ends[1])
    assert small.count("<title>") == 4


def test_caption_of_a_floor_may_have_any_letter(small):
    captions = ["".join(text.itertext()) for text in ElementTree.fromstring(small).iter(f"{SVG}text")]
    assert "1: below & all" in captions
