"""The paper's figure: double-oracle time against sentence length, and how often both responses agree."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.style import COLOURS, INK, RULE, SOFT, empty, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Share of games with the same best predictor strategy that the paper reports.
PAPER = 0.92
_COLOURS = {"exact": COLOURS[0], "approximate": COLOURS[1]}
_LINES = {"compiled": "-", "numpy": (0, (4, 2))}


def draw(figure: dict[str, Any], path: Path) -> list[Path]:
    """Write ``path`` with the endings .svg and .png.

    Parameters
    ----------
    figure: what ``scripts/figure_double_oracle.py`` stores.

    Raises
    ------
    InputError: matplotlib is not installed.
    """
    return written(lambda: _compose(figure), path)


def _compose(figure: dict[str, Any]) -> Figure:
    """One panel of times a state of training, and a strip with the agreement."""
    states = figure["states"]
    drawn = empty(10.5, 5.6)
    grid = drawn.add_gridspec(
        2,
        len(states),
        height_ratios=(3.2, 1),
        hspace=0.5,
        wspace=0.08,
        left=0.085,
        right=0.86,
        top=0.86,
        bottom=0.12,
    )
    first: Axes | None = None
    for column, (state, about) in enumerate(states.items()):
        axes = drawn.add_subplot(grid[0, column], sharey=first, sharex=first)
        _times(axes, state, about, labels=column == len(states) - 1)
        axes.tick_params(labelleft=column == 0)
        if first is None:
            first = axes
            first.set_ylabel("time per game")
    _agreement(drawn.add_subplot(grid[1, :]), states)
    drawn.text(
        0.085, 0.955, "Double oracle with exact and with approximate responses", size=13, weight="bold"
    )
    several = len(next(iter(states.values()))["summary"]["speed"]) > 1
    about = "lines are geometric means over sentences of like length, bands the middle half"
    about = f"solid: compiled, dashed: numpy; {about}" if several else about
    drawn.text(0.085, 0.915, about, size=9, color=SOFT)
    drawn.text(0.085, 0.025, f"Games of {figure['games_of']}; one core", size=8, color=SOFT)
    return drawn


def _times(axes: Axes, state: str, about: dict[str, Any], labels: bool) -> None:
    """Means over lengths, one line a backend and kind of response."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True, which="major", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    ends: list[tuple[float, float, str, str]] = []
    backends = list(about["summary"]["speed"])
    several = len(backends) > 1
    for backend in backends:
        for kind, colour in _COLOURS.items():
            found = about["series"][f"{backend} {kind}"]
            style = _LINES[backend] if several else "-"
            axes.plot(found["length"], found["mean"], color=colour, linestyle=style, linewidth=1.8)
            axes.fill_between(
                found["length"], found["low"], found["high"], color=colour, alpha=0.10, linewidth=0
            )
            ends.append((found["length"][-1], found["mean"][-1], f"{kind}", colour))
    if labels:
        _label_ends(axes, ends, backends)
    axes.set_title(
        f"{state.capitalize()} weights, gap ≤ {about['summary']['tolerance']:g}",
        loc="left",
        size=10,
        color=INK,
    )
    axes.set_xlabel("tokens in the sentence")
    ticks = [t for t in (1, 2, 5, 10, 20, 50, 100) if t <= about["longest"]]
    axes.set_xticks(ticks, [str(t) for t in ticks])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _duration(value)))
    axes.tick_params(which="both", length=0)


def _label_ends(axes: Axes, ends: list[tuple[float, float, str, str]], backends: list[str]) -> None:
    """Names at the right ends of lines, moved apart where they would overlap."""
    import numpy as np

    apart = 0.28
    order = sorted(range(len(ends)), key=lambda k: ends[k][1])
    heights = np.log10([ends[k][1] for k in order])
    for k in range(1, len(heights)):
        heights[k] = max(heights[k], heights[k - 1] + apart)
    # As far down as up.
    heights -= (heights - np.log10([ends[k][1] for k in order])).mean()
    for k, height in zip(order, heights):
        x, _, kind, colour = ends[k]
        backend = backends[k // len(_COLOURS)]
        name = f"{kind}, {backend}" if len(backends) > 1 else kind
        axes.annotate(
            name, (x, 10**height), xytext=(6, 0), textcoords="offset points", color=colour, size=8,
            va="center", annotation_clip=False,
        )  # fmt: skip


def _duration(value: float) -> str:
    """A tick's label: 10 s, 100 ms, 10 µs."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 0.999:
            return f"{value * factor:g} {unit}"
    return f"{value * 1e9:g} ns"


def _agreement(axes: Axes, states: dict[str, Any]) -> None:
    """The share of games in which both responses end at the same best predictor strategy."""
    from matplotlib.ticker import MultipleLocator

    summaries = [about["summary"] for about in states.values()]
    # Whole tenths, so that every interval and the paper's number have room.
    lowest = min(PAPER, *(summary["interval"][0] for summary in summaries))
    floor = max(0.0, math.floor(10 * lowest - 0.2) / 10)
    for row, summary in enumerate(summaries):
        axes.plot(summary["interval"], [row, row], color=INK, linewidth=1.6, clip_on=False)
        axes.plot([summary["agreement"]], [row], "o", color=INK, markersize=5, clip_on=False)
        axes.annotate(
            f"{100 * summary['agreement']:.1f} % of {summary['games']:,}", (1.0, row), xytext=(10, 0),
            textcoords="offset points", va="center", size=8.5, annotation_clip=False,
        )  # fmt: skip
    axes.axvline(PAPER, color=SOFT, linewidth=0.9, linestyle=(0, (2, 2)))
    axes.annotate(
        f"paper: {100 * PAPER:.0f} %", (PAPER, -0.65), ha="center", va="bottom", size=8, color=SOFT,
        annotation_clip=False,
    )  # fmt: skip
    axes.set_yticks(range(len(states)), list(states))
    axes.set_ylim(len(states) - 0.4, -0.6)
    axes.set_xlim(floor, 1)
    axes.xaxis.set_major_locator(MultipleLocator(0.05 if floor >= 0.5 else 0.1))
    axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    axes.grid(True, axis="x", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
    title = "Games with the same best predictor strategy under both responses, 99 % intervals"
    axes.set_title(title, loc="left", size=10, pad=16)
