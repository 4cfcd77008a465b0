"""The alignment of one sentence pair as a grid: a row for a source word, a column for a target word.

The shape of a mark says what the link is in the gold alignment: a square is sure, a diamond possible, a cross
neither.  A filled mark is predicted, a hollow one is not.  Colours repeat what is right and what is wrong,
so that nothing is lost without them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column, Table
from rich.text import Text

from advsp.corpora.bitext import Link, SentencePair
from advsp.engine.measures.roles import N, P, S
from advsp.features.bitext.grid import link_grid
from advsp.metrics.alignment import (
    alignment_counts,
    alignment_error_rate,
    alignment_precision,
    alignment_recall,
)
from advsp.show.pictures import save_picture
from advsp.support.words import has

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Blue and vermilion are told apart by colour-blind readers (Okabe and Ito, "Color Universal Design", 2008).
_RIGHT, _WRONG, _NEUTRAL, _GRID = "#0072b2", "#d55e00", "#6b6b6b", "#e2e2e2"

_TALLEST = 20  # letters of a target word that are written below each other
_CELL, _WIDEST = 0.3, 40.0  # inches of a cell, and of the longer side of a grid whose cells are smaller
_LETTERS = 10.0  # points of the letters beside a cell of that size


@dataclass(frozen=True)
class _Mark:
    """How the edges of one gold label that are predicted, or are not, are shown.

    A ``letter`` stands for the ``symbol`` where that cannot be shown.
    """

    label: int
    predicted: bool
    caption: str
    symbol: str
    letter: str
    style: str
    marker: str
    colour: str

    def shown(self, encoding: str) -> str:
        """The symbol, or the letter where an encoding does not have it."""
        return self.symbol if has(encoding, self.symbol) else self.letter


_COMPARED = (
    _Mark(S, True, "sure, predicted", "■", "S", "bold green", "s", _RIGHT),
    _Mark(S, False, "sure, missed", "□", "s", "bold red", "s", _WRONG),
    _Mark(P, True, "possible, predicted", "◆", "P", "green", "D", _RIGHT),
    _Mark(P, False, "possible, not predicted", "◇", "p", "", "D", _NEUTRAL),
    _Mark(N, True, "wrong", "×", "x", "bold red", "X", _WRONG),
)
_GOLD = (
    _Mark(S, False, "sure", "□", "s", "bold", "s", _RIGHT),
    _Mark(P, False, "possible", "◇", "p", "", "D", _NEUTRAL),
)
_UNMARKED = _Mark(N, False, "", "·", ".", "dim", "", "")


def grid_text(pair: SentencePair, predicted: Collection[Link] | None) -> Grid:
    """The grid for a terminal or a pipe, with both sentences, a legend, counts and scores.

    It takes the width that there is: a pair that is too long for it comes in several grids of some target
    words each.

    Parameters
    ----------
    predicted: links, or None to show the gold alignment alone.

    Raises
    ------
    ValueError: a link outside the pair.
    """
    return Grid(pair, predicted)


def draw_grid(pair: SentencePair, predicted: Collection[Link] | None, path: str | Path) -> None:
    """Write the grid as a picture, PNG or SVG by the suffix of ``path``; atomically, always the same bytes.

    Letters that the font of matplotlib, DejaVu Sans, does not have become boxes; matplotlib warns of them.

    Parameters
    ----------
    predicted: links, or None to show the gold alignment alone.

    Raises
    ------
    InputError: another suffix; matplotlib is not installed; the file cannot be written.
    ValueError: a link outside the pair.
    """
    save_picture(path, lambda: _figure(Grid(pair, predicted)))


class Grid:
    """What there is to see of one pair; rich renders it.

    Attributes
    ----------
    pair: the words.
    masks: a mark to the edges it stands at, bool [n, m].
    scores: the score of the pair by name, between 0 and 1; none without predicted links.
    """

    def __init__(self, pair: SentencePair, predicted: Collection[Link] | None) -> None:
        sure, possible = link_grid(pair.sure, pair.shape), link_grid(pair.possible, pair.shape)
        links = link_grid(predicted or (), pair.shape)
        labels = np.select([sure, possible], [S, P], N)
        self.pair = pair
        self.masks = {
            mark: (labels == mark.label) & (links == mark.predicted)
            for mark in (_GOLD if predicted is None else _COMPARED)
        }
        self.scores: dict[str, float] = {}
        if predicted is not None:
            counts = alignment_counts(links.ravel(), labels.ravel(), np.array([0, labels.size]))[0]
            self.scores = {
                "AER": float(alignment_error_rate(*counts)),
                "precision": float(alignment_precision(*counts)),
                "recall": float(alignment_recall(*counts)),
            }

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        sentences = Table.grid("", Column(overflow="fold"), padding=(0, 2, 0, 0))
        sentences.add_row("source", Text(" ".join(self.pair.source)))
        sentences.add_row("target", Text(" ".join(self.pair.target)))
        yield sentences
        yield Text()
        yield from self._grids(options.max_width, options.encoding)
        for mark, mask in self.masks.items():
            yield Text.assemble((mark.shown(options.encoding), mark.style), f"  {mark.caption}: {mask.sum()}")
        if self.scores:
            yield Text(", ".join(_percent(*score) for score in self.scores.items()))

    def _grids(self, width: int, encoding: str) -> Iterator[Text]:
        """Lines of one grid, or of several where the target sentence is too long for the width."""
        rows, columns = self.pair.shape
        cells = np.full((rows, columns), _UNMARKED, dtype=object)
        for mark, mask in self.masks.items():
            cells[mask] = mark
        # Of eighty columns a quarter leaves thirty target words their two columns each.
        margin = min(max(map(cell_len, self.pair.source)), max(width // 4, width - 2 * columns, 1))
        words_of_one = max(1, (width - margin) // 2)
        # Grids of nearly the same number of words.
        for part in np.array_split(np.arange(columns), -(-columns // words_of_one)):
            words = [_letters(self.pair.target[column]) for column in part]
            tallest = max(map(len, words))
            for letters in zip(*([""] * (tallest - len(word)) + word for word in words), strict=True):
                yield _line("", margin, ((letter, "") for letter in letters))
            for word, marks in zip(self.pair.source, cells[:, part], strict=True):
                yield _line(word, margin, ((mark.shown(encoding), mark.style) for mark in marks))
            yield Text()


def _line(label: str, width: int, cells: Iterable[tuple[str, str]]) -> Text:
    """A label in ``width`` columns, right-aligned, and symbols with their styles in two columns each."""
    line = Text(label, no_wrap=True, overflow="crop")
    line.truncate(width, overflow="ellipsis")
    line.align("right", width)
    for symbol, style in cells:
        line.append(" " * (2 - cell_len(symbol))).append(symbol, style)
    line.rstrip()
    return line


def _letters(word: str) -> list[str]:
    """The letters of a word, each with what combines with it; the last one stands for those that are cut."""
    letters: list[str] = []
    for character in word:
        if letters and not cell_len(character):
            letters[-1] += character
        else:
            letters.append(character)
    return letters if len(letters) <= _TALLEST else [*letters[: _TALLEST - 1], "…"]


def _percent(name: str, score: float) -> str:
    return f"{name} {100 * score:.2f} %"


def _figure(grid: Grid) -> Figure:
    """The picture; words and legend lie outside the figure and are taken in by the tight box."""
    from matplotlib.figure import Figure

    rows, columns = grid.pair.shape
    cell = min(_CELL, _WIDEST / max(rows, columns))
    letters = _LETTERS * cell / _CELL
    figure = Figure(figsize=(columns * cell, rows * cell))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    axes.set_xticks(range(columns), grid.pair.target, rotation=60, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(rows), grid.pair.source)
    axes.tick_params(length=0, labelsize=letters, labelbottom=False, labeltop=True)
    axes.set_xticks(np.arange(-0.5, columns), minor=True)
    axes.set_yticks(np.arange(-0.5, rows), minor=True)
    axes.tick_params(which="minor", length=0)
    axes.grid(which="minor", color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[:].set_visible(False)
    for mark, mask in grid.masks.items():
        down, right = np.nonzero(mask)
        axes.plot(
            right,
            down,
            linestyle="none",
            marker=mark.marker,
            # A diamond is a square on its corner: smaller, it looks as large.
            markersize=72 * cell * (0.38 if mark.marker == "D" else 0.48),
            markerfacecolor=mark.colour if mark.predicted else "white",
            markeredgecolor=mark.colour,
            markeredgewidth=72 * cell * 0.065,
            label=f"{mark.caption}: {mask.sum()}",
        )
    axes.legend(
        loc="upper left",
        bbox_to_anchor=(1, 1),
        borderaxespad=1.0,
        frameon=False,
        alignment="left",
        # The empty line at the end keeps the marks at a distance.
        title="".join(f"{_percent(*score)}\n" for score in grid.scores.items()),
        handlelength=1,
        markerscale=_CELL / cell,
    )
    return figure
