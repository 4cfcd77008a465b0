"""The figure of regret against the number of training sentences, and its caption."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.markdown import table
from benchmarks.style import COLOURS, INK, RULE, empty, written

from regret.measuring import MEASURES
from regret.systems import SYSTEMS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(figure: dict[str, Any], path: Path) -> list[Path]:
    """Write ``path`` with the endings .svg and .png.

    Raises
    ------
    InputError: matplotlib is not installed.
    """
    return written(lambda: _compose(figure), path)


def _compose(figure: dict[str, Any]) -> Figure:
    """A panel a measure and length of the sentences."""
    lengths = sorted({row["length"] for row in figure["rows"]})
    drawn = empty(9.5, 6.6)
    grid = drawn.add_gridspec(
        len(MEASURES), len(lengths), hspace=0.34, wspace=0.14, left=0.08, right=0.985, top=0.86, bottom=0.08
    )
    for line, (measure, title) in enumerate(MEASURES.items()):
        for column, length in enumerate(lengths):
            axes = drawn.add_subplot(grid[line, column])
            rows = [row for row in figure["rows"] if (row["measure"], row["length"]) == (measure, length)]
            _panel(axes, rows)
            axes.set_title(f"{title}, sentences of {length} tokens", loc="left", color=INK, fontsize=9)
            if column == 0:
                axes.set_ylabel("regret, points")
            if line == len(MEASURES) - 1:
                axes.set_xlabel("training sentences")
    handles, labels = axes.get_legend_handles_labels()
    drawn.legend(handles, labels, loc="upper center", ncols=len(labels), frameon=False, fontsize=8.5)
    return drawn


def _panel(axes: Axes, rows: list[dict[str, Any]]) -> None:
    """Lines of all systems with standard errors."""
    for colour, system in zip(COLOURS, SYSTEMS):
        own = [row for row in rows if row["system"] == system]
        axes.errorbar(
            [row["sentences"] for row in own],
            [row["regret"] for row in own],
            yerr=[row["error"] for row in own],
            color=colour, label=system, linewidth=1.3, marker="o", markersize=3, capsize=2,
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(bottom=0.0)
    axes.grid(axis="y", color=RULE, linewidth=0.6)


def caption(figure: dict[str, Any]) -> str:
    """What the figure shows, with all numbers."""
    rows = figure["rows"]
    sizes = sorted({row["sentences"] for row in rows})
    parts = [
        "# Regret on chains whose distribution is known\n",
        "![regret against training sentences](consistency.svg)\n",
        f"{figure['draws']} draws of a population and of training sentences from it. Regret: what is lost "
        "against the best decisions under the true P(y | x), in points of F1, mean ± standard error. Nodes "
        "and edges have a feature for every context and position, so that with enough data the model holds "
        "the truth. In sentences of two tokens they determine P(y | x) wholly; in those of five, what a "
        "chain can say of it: the adversary of a game may be any distribution that agrees with that.\n",
    ]
    for measure, title in MEASURES.items():
        for length in sorted({row["length"] for row in rows}):
            cells = {
                (row["system"], row["sentences"]): f"{row['regret']:.2f} ± {row['error']:.2f}"
                for row in rows
                if (row["measure"], row["length"]) == (measure, length)
            }
            body = [[name, *(cells.get((name, size), "") for size in sizes)] for name in SYSTEMS]
            parts.append(f"## {title}, sentences of {length} tokens\n")
            parts += [*table(["system", *(f"{size:,}" for size in sizes)], body), ""]
    parts.append(f"Made by `{figure['command']}`, {figure['machine']['date']}.")
    return "\n".join(parts) + "\n"
