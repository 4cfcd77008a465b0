"""The figure of error rates against the size of the text, and its caption."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.markdown import table
from benchmarks.style import COLOURS, INK, RULE, empty, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The parts of the labelled pairs: that which is drawn, and the other one.
TESTED, CHOSEN_ON = "tested", "chosen on"
_HEADER = ("aligner", "pairs", "AER 347", "AER 347, soft", "AER 137", "seconds")
_ABOUT = """\
AER in percent: of links that both directions have, and (soft) of links whose two posteriors have a mean
above a half. The 347 pairs are tested; what `smoothed-agreement` does was chosen on the 137. Of an aligner
that draws by chance the mean of its runs, and the least and the greatest.
"""


def draw(figure: dict[str, Any], path: Path) -> list[Path]:
    """Write ``path`` with the endings .svg and .png.

    Raises
    ------
    InputError: matplotlib is not installed.
    """
    return written(lambda: _compose(figure), path)


def series(figure: dict[str, Any], how: str, part: str) -> dict[str, dict[int, list[float]]]:
    """Program to number of pairs to the error rates of its runs; ``how`` is ``both`` or ``soft``."""
    found: dict[str, dict[int, list[float]]] = {}
    for run in figure["runs"]:
        if run[how]:
            found.setdefault(run["program"], {}).setdefault(run["pairs"], []).append(run[how][part])
    return found


def _compose(figure: dict[str, Any]) -> Figure:
    drawn = empty(6.8, 4.2)
    axes = drawn.add_axes((0.1, 0.14, 0.87, 0.78))
    soft = series(figure, "soft", TESTED)
    for colour, (program, rates) in zip(COLOURS, series(figure, "both", TESTED).items()):
        _line(axes, rates, colour, program, "-")
        if program in soft:
            _line(axes, soft[program], colour, f"{program}, soft", ":")
    axes.set_xscale("log")
    axes.set_xlabel("unlabelled sentence pairs")
    axes.set_ylabel("alignment error rate, percent")
    axes.set_title("Aligners that see no labels, 347 test pairs", loc="left", color=INK, fontsize=10)
    axes.grid(axis="y", color=RULE, linewidth=0.6)
    axes.legend(frameon=False, fontsize=8.5)
    return drawn


def _line(axes: Axes, rates: dict[int, list[float]], colour: str, label: str, style: str) -> None:
    """Means by size, with the least and the greatest."""
    sizes = sorted(rates)
    means = np.array([np.mean(rates[size]) for size in sizes])
    ends = np.array([[min(rates[size]), max(rates[size])] for size in sizes]).T
    spread = np.abs(ends - means)
    axes.errorbar(
        sizes, means, yerr=spread, color=colour, label=label, linestyle=style, linewidth=1.4,
        marker="o", markersize=4, capsize=2,
    )  # fmt: skip


def caption(figure: dict[str, Any]) -> str:
    """All numbers in Markdown."""
    both, soft = (series(figure, how, TESTED) for how in ("both", "soft"))
    other = series(figure, "both", CHOSEN_ON)
    lines = []
    for program, rates in both.items():
        for size in sorted(rates):
            runs = [run for run in figure["runs"] if (run["program"], run["pairs"]) == (program, size)]
            cells = (rates[size], soft.get(program, {}).get(size, []), other[program][size])
            seconds = float(np.mean([run["seconds"] for run in runs]))
            lines.append([program, f"{size:,}", *map(_shown, cells), f"{seconds:.0f}"])
    title = "# Aligners that see no labels, by the size of the text"
    parts = [title, "", _ABOUT, *table(_HEADER, lines), "", f"`{figure['command']}`", ""]
    return "\n".join(parts)


def _shown(rates: list[float]) -> str:
    """The mean of some rates, and their range where there are several."""
    if not rates:
        return ""
    mean = f"{np.mean(rates):.2f}"
    return mean if len(rates) == 1 else f"{mean} ({min(rates):.2f} to {max(rates):.2f})"
