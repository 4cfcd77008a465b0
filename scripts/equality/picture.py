"""The figure of differences from the best rival, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.style import COLOURS, INK, RULE, empty, written

from equality.summary import Difference

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(found: Mapping[str, Sequence[Difference]], path: Path) -> list[Path]:
    """Write ``path`` with the endings .svg and .png.

    Parameters
    ----------
    found: title of a panel to the differences in it.

    Raises
    ------
    InputError: matplotlib is not installed.
    """
    return written(lambda: _compose(found), path)


def _compose(found: Mapping[str, Sequence[Difference]]) -> Figure:
    """A panel a block; a line a system, with a dot and an interval for each kind of comparison."""
    systems = list(dict.fromkeys(difference.system for panel in found.values() for difference in panel))
    kinds = list(dict.fromkeys(difference.kind for panel in found.values() for difference in panel))
    drawn = empty(3.1 * len(found) + 1.2, 0.55 * len(systems) + 1.3)
    grid = drawn.add_gridspec(1, len(found), wspace=0.08, left=0.11, right=0.99, top=0.82, bottom=0.15)
    for column, (title, panel) in enumerate(found.items()):
        axes = drawn.add_subplot(grid[0, column])
        axes.axvline(0.0, color=INK, linewidth=0.8)
        for number, kind in enumerate(kinds):
            own = [difference for difference in panel if difference.kind == kind]
            shift = 0.22 * (number - 0.5 * len(kinds) + 0.5)
            axes.errorbar(
                [difference.value for difference in own],
                [-systems.index(difference.system) - shift for difference in own],
                xerr=[
                    [difference.value - difference.low for difference in own],
                    [difference.high - difference.value for difference in own],
                ],
                color=COLOURS[number], label=kind, linestyle="none", marker="o", markersize=3.5, capsize=2,
            )  # fmt: skip
        axes.set_title(title, loc="left", color=INK, fontsize=9)
        axes.set_yticks(
            [-line for line in range(len(systems))], systems if column == 0 else [""] * len(systems)
        )
        axes.set_ylim(0.6 - len(systems), 0.6)
        axes.set_xlabel("points of mean token F1")
        axes.grid(axis="x", color=RULE, linewidth=0.6)
    handles, labels = drawn.axes[0].get_legend_handles_labels()
    for axes in drawn.axes[1:]:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            if label not in labels:
                handles, labels = [*handles, handle], [*labels, label]
    drawn.legend(handles, labels, loc="upper center", ncols=len(labels), frameon=False, fontsize=8.5)
    return drawn
