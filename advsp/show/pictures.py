"""Figures as files: PNG or SVG, always the same bytes for the same figure."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from advsp.support.errors import InputError
from advsp.support.files import atomic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: How the names of picture files may end.
PICTURES = (".png", ".svg")


def check_picture(path: Path) -> None:
    """Refuse what cannot be drawn before anything is computed.

    Raises
    ------
    InputError: another suffix; matplotlib is not installed.
    """
    if path.suffix.lower() not in PICTURES:
        hint = f"known: {', '.join(PICTURES)}"
        raise InputError(f"unknown kind of picture {path.suffix!r}", file=path, hint=hint)
    if not can_draw():
        raise InputError("drawing needs matplotlib", file=path, hint='pip install "advsp[plot]"')


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def save_picture(path: str | Path, draw: Callable[[], Figure]) -> None:
    """Write the figure that ``draw`` makes, atomically.

    Raises
    ------
    InputError: what :func:`check_picture` raises; the file cannot be written.
    """
    path = Path(path)
    check_picture(path)
    import matplotlib
    from matplotlib import style

    suffix = path.suffix.lower()
    # The style of the user's matplotlib must not show, nor must a word be taken for a formula.
    own = matplotlib.rc_context({"svg.hashsalt": "advsp", "text.parse_math": False})
    with style.context("default"), own:
        figure = draw()
        try:
            with atomic(path, "wb") as stream:
                figure.savefig(
                    stream,
                    format=suffix[1:],
                    dpi=200,
                    bbox_inches="tight",
                    pad_inches=0.15,
                    metadata={"Date": None} if suffix == ".svg" else None,
                )
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", file=path) from None
