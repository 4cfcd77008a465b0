"""Charts as inline SVG: in the page's own colours, readable on a phone, with a word under the pointer."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from advsp.report.page.axis import Axis
from advsp.report.page.markup import Markup, element

#: Sizes in units of the picture, which is scaled to the width there is.
_WIDTH, _LINE, _MARGIN, _LETTER = 720.0, 17.0, 34.0, 6.3
#: Classes of the lines of a chart, whose colours are the page's.
COLOURS = 6
#: Height of a picture of points, and of what stands above them.
_HEIGHT, _ABOVE = 340.0, 24.0


@dataclass(frozen=True)
class Estimate:
    """A value with its interval, and another that stands beside it, such as the paper's."""

    label: str
    value: float
    low: float
    high: float
    beside: float | None = None


@dataclass(frozen=True)
class Series:
    """Points (x, y) that belong together, and what each is called: as all of them where nothing is said."""

    label: str
    points: tuple[tuple[float, float], ...]
    names: tuple[str, ...] = ()


def intervals(rows: Sequence[Estimate], unit: str, zero: bool = False) -> Markup:
    """A line a row: a dot with its interval, and a diamond for what stands beside it.

    zero: draw a line where the value is 0, which differences are looked at against.
    """
    left = _MARGIN / 2 + _LETTER * min(46, max(len(row.label) for row in rows))
    values = [end for row in rows for end in (row.low, row.high, row.value)]
    values += [row.beside for row in rows if row.beside is not None] + ([0.0] if zero else [])
    axis = Axis.around(values, left, _WIDTH - _MARGIN)
    bottom = _LINE * (len(rows) + 0.5)
    drawn = [_tick(axis, value, bottom) for value in axis.ticks()]
    if zero:
        drawn.append(element("line", x1=axis.place(0), x2=axis.place(0), y1=0.0, y2=bottom, class_="zero"))
    for number, row in enumerate(rows):
        y = _LINE * (number + 0.7)
        said = f"{row.label}: {row.value:.2f} [{row.low:.2f}, {row.high:.2f}]"
        said += "" if row.beside is None else f", paper {row.beside:.2f}"
        parts = [
            element("title", said),
            element("text", _short(row.label), x=left - 8, y=y + 4, text_anchor="end"),
            element("line", x1=axis.place(row.low), x2=axis.place(row.high), y1=y, y2=y, class_="interval"),
            element("circle", cx=axis.place(row.value), cy=y, r=3.5, class_="dot"),
        ]
        if row.beside is not None:
            x = axis.place(row.beside)
            parts.append(element("path", d=f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z", class_="beside"))
        drawn.append(element("g", *parts))
    drawn.append(element("text", unit, x=_WIDTH - _MARGIN, y=bottom + 30, text_anchor="end", class_="unit"))
    return _picture(bottom + 36, drawn)


def scatter(series: Sequence[Series], x: str, y: str) -> Markup:
    """Points of two numbers, ``x`` and ``y``; those of a series are joined by a line, in their order."""
    height = _HEIGHT
    points = [point for one in series for point in one.points]
    across = Axis.around([point[0] for point in points], 1.5 * _MARGIN, _WIDTH - _MARGIN)
    up = Axis.around([point[1] for point in points], height - _MARGIN, _ABOVE)
    drawn = [_tick(across, value, height - _MARGIN) for value in across.ticks()]
    for value in up.ticks():
        place = up.place(value)
        drawn.append(element("line", x1=across.begin, x2=across.end, y1=place, y2=place, class_="grid"))
        drawn.append(element("text", f"{value:g}", x=across.begin - 6, y=place + 4, text_anchor="end"))
    for number, one in enumerate(series):
        places = [(across.place(a), up.place(b)) for a, b in one.points]
        colour = f"colour{number % COLOURS}"
        way = "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
        parts = [element("title", one.label), element("path", d=f"M{way}", class_=f"line {colour}")]
        for (cx, cy), point, name in zip(places, one.points, one.names or itertools.repeat(one.label)):
            said = element("title", f"{name}: {point[0]:.2f}, {point[1]:.2f}")
            parts.append(element("circle", said, cx=cx, cy=cy, r=4.0, class_=f"dot {colour}"))
        drawn.append(element("g", *parts))
    drawn.append(element("text", x, x=across.end, y=height, text_anchor="end", class_="unit"))
    drawn.append(element("text", y, x=across.begin, y=12.0, class_="unit"))
    return _picture(height + 6, drawn)


def legend(series: Sequence[Series]) -> Markup:
    """The names of series, no more than :data:`COLOURS`, in the colours of their lines."""
    return element("p", *(_named(number, one) for number, one in enumerate(series)), class_="legend")


def _named(number: int, one: Series) -> Markup:
    return element("span", element("i", "", class_=f"colour{number}"), one.label)


def _tick(axis: Axis, value: float, bottom: float) -> Markup:
    place = axis.place(value)
    return element(
        "g",
        element("line", x1=place, x2=place, y1=0.0, y2=bottom, class_="grid"),
        element("text", f"{value:g}", x=place, y=bottom + 14, text_anchor="middle"),
    )


def _picture(height: float, drawn: Sequence[Markup]) -> Markup:
    return element("svg", *drawn, viewBox=f"0 0 {_WIDTH:.0f} {height:.0f}", role="img", class_="chart")


def _short(label: str, most: int = 46) -> str:
    return label if len(label) <= most else label[: most - 1] + "…"
