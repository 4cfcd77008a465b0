"""The house as an SVG picture: a row a floor, a box a room, an arrow from every room to those it imports.

Dark arrows are those that no way over other rooms makes up for; light ones lead where dark ones lead, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from xml.sax.saxutils import escape

from house.imports import Package
from house.plan import FLOORS, Floor
from house.rules import reached

WIDTH, ROW, TOP = 1000, 86, 20
#: Left of the rooms stands what floors are for.
CAPTION, COLUMN = 220, 156
BOX_WIDTH, BOX_HEIGHT = 116, 34
#: (column, number of columns) of every room: what imports each other most stands one above the other.
PLACES = {
    "advsp": (0, 1), "cli": (2, 1), "report": (1, 1), "show": (3, 1), "estimators": (0, 1),
    "experiments": (2, 1), "tasks": (3, 1), "runners": (1, 1), "features": (3, 1), "aligners": (4, 1),
    "learners": (1, 1), "metrics": (2, 1), "corpora": (4, 1), "training": (1, 1), "engine": (0, 1),
    "kernels": (0, 1), "support": (1, 4),
}  # fmt: skip
STYLE = """\
text { font-family: sans-serif; font-size: 14px; text-anchor: middle; fill: #222 }
.floor { font-size: 11px; text-anchor: start; fill: #666 }
.room { fill: #fdf6e3; stroke: #8a6d3b }
.arrow { fill: none; stroke: #345; stroke-width: 1.4; marker-end: url(#dark) }
.implied { fill: none; stroke: #c3cbd4; stroke-width: 1; marker-end: url(#light) }\
"""
MARKER = (
    '<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
)

Arrow = tuple[str, str]


@dataclass(frozen=True)
class Box:
    """Where a room is drawn."""

    left: float
    top: float
    width: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2


def draw(package: Package, floors: Sequence[Floor] = FLOORS) -> str:
    """The picture of a package; it depends on rooms, floors and arrows between rooms, and on nothing else."""
    boxes = _boxes(package, floors)
    arrows = [arrow for arrow in package.arrows() if boxes.keys() >= set(arrow)]
    height = TOP + ROW * len(floors) - (ROW - BOX_HEIGHT) + TOP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}">',
        f"<title>Rooms of {package.name} and what they import</title>",
        f"<style>\n{STYLE}\n</style>",
        "<defs>",
        MARKER.format(name="dark", colour="#345"),
        MARKER.format(name="light", colour="#c3cbd4"),
        "</defs>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        *_drawn_arrows(arrows, boxes),
        *(_drawn_room(room, box) for room, box in boxes.items()),
        *_captions(floors),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _boxes(package: Package, floors: Sequence[Floor]) -> dict[str, Box]:
    """The boxes of the rooms that are there."""
    boxes = {}
    for row, floor in enumerate(floors):
        for room in floor.rooms:
            if room in package.rooms:
                column, columns = PLACES[room]
                width = COLUMN * columns - (COLUMN - BOX_WIDTH)
                boxes[room] = Box(CAPTION + COLUMN * column, TOP + ROW * row, width)
    return boxes


def _drawn_arrows(arrows: Sequence[Arrow], boxes: Mapping[str, Box]) -> Iterable[str]:
    """Arrows, light ones first; those of one room side by side, in the order of the rooms they lead to."""
    needed = _needed(arrows)
    for a, b in sorted(arrows, key=lambda arrow: (arrow in needed, arrow)):
        x1, y1 = _port(boxes, a, b, [there for here, there in arrows if here == a]), boxes[a].top + BOX_HEIGHT
        x2, y2 = _port(boxes, b, a, [here for here, there in arrows if there == b]), boxes[b].top
        if boxes[b].width > BOX_WIDTH:
            x2 = max(x1, boxes[b].left + 8)
        bend = (y2 - y1) / 2
        kind = "arrow" if (a, b) in needed else "implied"
        path = f"M{x1:.0f} {y1}C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} {x2:.0f} {y2}"
        yield f'<path class="{kind}" d="{path}"><title>{a} imports {b}</title></path>'


def _port(boxes: Mapping[str, Box], room: str, other: str, others: Sequence[str]) -> float:
    """Where along the edge of a room the arrow from or to another one is: in the order of the others."""
    box, place = boxes[room], sorted(others, key=lambda one: boxes[one].middle).index(other)
    return box.left + box.width * (place + 1) / (len(others) + 1)


def _needed(arrows: Sequence[Arrow]) -> set[Arrow]:
    """The arrows without which something could not be reached."""
    targets: dict[str, set[str]] = {}
    for a, b in arrows:
        targets.setdefault(a, set()).add(b)

    return {(a, b) for a, b in arrows if not any(b in reached(targets, other) for other in targets[a] - {b})}


def _drawn_room(room: str, box: Box) -> str:
    place = f'x="{box.left}" y="{box.top}" width="{box.width}" height="{BOX_HEIGHT}" rx="5"'
    return f'<rect class="room" {place}/><text x="{box.middle:.0f}" y="{box.top + 22}">{room}</text>'


def _captions(floors: Sequence[Floor]) -> Iterable[str]:
    """Number and reason of every floor."""
    for row, floor in enumerate(floors):
        lines = wrap(f"{floor.number}: {floor.reason}", 34)
        spans = "".join(
            f'<tspan x="12" dy="{14 if n else 0}">{escape(line)}</tspan>' for n, line in enumerate(lines)
        )
        yield f'<text class="floor" y="{TOP + ROW * row + 14}">{spans}</text>'
