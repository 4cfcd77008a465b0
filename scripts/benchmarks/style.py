"""How figures look, and how they are written: the same numbers give the same file."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from advsp.support.errors import InputError
from advsp.support.files import atomic

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

INK, SOFT, RULE = "#222222", "#6b6b6b", "#dddddd"
#: Colours that colour-blind readers tell apart (Okabe and Ito, "Color Universal Design", 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_STYLE: dict[RcKeyType, object] = {
    "font.size": 9,
    "font.family": "DejaVu Sans",
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "text.color": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "advsp",
}


def written(compose: Callable[[], Figure], path: Path) -> list[Path]:
    """Write what ``compose`` draws as ``path`` with the endings .svg and .png.

    Raises
    ------
    InputError: matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise InputError("matplotlib is not installed", hint='pip install "advsp[plot]"')
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        drawn = compose()
        files = []
        for ending, about in ((".svg", {"Date": None}), (".png", None)):
            with atomic(path.with_suffix(ending), "wb") as stream:
                drawn.savefig(stream, format=ending[1:], dpi=160, metadata=about)
            files.append(path.with_suffix(ending))
    return files


def empty(width: float, height: float) -> Figure:
    """A figure of so many inches that needs no screen."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(width, height))
    FigureCanvasAgg(drawn)
    return drawn
