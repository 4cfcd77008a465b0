"""Scores against others that are known: cell by cell, and whether all lie within a tolerance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from advsp.metrics.scores import ScoreRow, Scores
from advsp.support.errors import InputError
from advsp.support.words import counted

#: Differences in points that two decimals do not show.
UNSEEN = 0.005


@dataclass(frozen=True)
class Difference:
    """One cell of both.

    Attributes
    ----------
    ours, reference: the score and the known one, in percent.
    """

    ours: ScoreRow
    reference: ScoreRow

    @property
    def points(self) -> float:
        """What ours is above the known score."""
        return self.ours.value - self.reference.value

    def outside(self, tolerance: float) -> bool:
        """Whether the two are further apart; also where one is not a number."""
        return not abs(self.points) <= tolerance + UNSEEN


@dataclass(frozen=True)
class Differences:
    """All cells that both have, and how many of the known ones have no counterpart."""

    cells: tuple[Difference, ...]
    left_out: int

    def outside(self, tolerance: float) -> list[Difference]:
        """The cells that are further apart than ``tolerance`` points, largest differences first."""
        found = [cell for cell in self.cells if cell.outside(tolerance)]
        return sorted(found, key=lambda cell: -abs(cell.points))


def score_files(folder: Path) -> list[Path]:
    """Score files of a folder of results, or of one of nothing but score files; empty if there are none."""
    return sorted((folder / "scores").glob("*.json")) or sorted(folder.glob("*.json"))


def differences(files: Iterable[Path], reference: Path) -> Differences:
    """Compare score files with those of a folder.

    A cell is a corpus, a split, a class, a system and a metric.  Only runs of a corpus that the files have
    are looked at.

    Raises
    ------
    InputError: no scores on one side, or no cell that both have.
    """
    ours = {row.place: row for path in files for row in Scores.read(path).rows}
    known = {row.place: row for path in score_files(reference) for row in Scores.read(path).rows}
    if not known:
        hint = "a folder with scores/*.json, or with score files"
        raise InputError("there are no scores to compare with", file=reference, hint=hint)
    corpora = {row.corpus for row in ours.values()}
    asked = {place: row for place, row in known.items() if row.corpus in corpora}
    cells = tuple(Difference(ours[place], row) for place, row in asked.items() if place in ours)
    if not cells:
        hint = f"it has {_names(known.values())}, the scores are of {_names(ours.values())}"
        raise InputError("has none of the cells that were scored", file=reference, hint=hint)
    return Differences(cells, len(asked) - len(cells))


def _names(rows: Iterable[ScoreRow]) -> str:
    return ", ".join(sorted({row.corpus for row in rows})) or "nothing"


def lines(found: Differences, tolerance: float) -> list[str]:
    """The comparison for a reader: a line for every cell outside, and one that sums up."""
    outside = found.outside(tolerance)
    said = [_line(cell) for cell in outside]
    largest = max(found.cells, key=lambda cell: abs(cell.points))
    equal = sum(not cell.outside(0.0) for cell in found.cells)
    summary = (
        f"{counted(len(found.cells), 'cell')} compared: {equal:,} equal, {len(outside):,} outside "
        f"{tolerance:g} points; largest difference {largest.points:+.2f}"
    )
    if found.left_out:
        summary += f"; {counted(found.left_out, 'known cell')} without a counterpart"
    return [*said, summary]


def _line(cell: Difference) -> str:
    place: Sequence[str] = cell.ours.place
    return (
        f"{' / '.join(place)}: {cell.ours.value:.2f}, known {cell.reference.value:.2f} ({cell.points:+.2f})"
    )
