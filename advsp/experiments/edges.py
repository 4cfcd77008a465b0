"""Choices at the end of their grid: more of the same might have been better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from advsp.experiments.config import SystemConfig
from advsp.metrics.choice import Choice
from advsp.support.records import Json
from advsp.support.words import counted


def with_edges(choice: Choice, system: SystemConfig) -> Choice:
    """The choice, with what of it lies at the end of a grid.

    Ends that are natural bounds are none: 0 of what cannot be negative, and one pass.

    Parameters
    ----------
    system: the one that was chosen for, with its grid.
    """
    if choice.score is None:
        return choice
    return replace(choice, edges=tuple(_edges(choice, system)))


def _edges(choice: Choice, system: SystemConfig) -> Iterator[str]:
    for key, values in system.selection.grid.items():
        yield from _at_the_end(key, choice.options.get(key), values)
    tried = sorted({row.passes for row in choice.grid if row.point == choice.point})
    if choice.passes != 1:
        yield from _at_the_end("passes", choice.passes, tried)
    yield from _of_thresholds(choice, system.selection.threshold_step)


def _of_thresholds(choice: Choice, step: float) -> Iterator[str]:
    """One line for every class and end of the thresholds, with the number of models that are there."""
    found: Counter[str] = Counter()
    for thresholds in choice.thresholds.values():
        for label, threshold in thresholds.items():
            # Their natural bounds, 0 and 1, are none of them.
            found.update(_at_the_end(f"threshold of {label}", threshold, [step, 1.0 - step]))
    for line, models in found.items():
        yield f"{line} ({models} of {counted(len(choice.thresholds), 'model')})"


def _at_the_end(name: str, chosen: Json, values: Sequence[Json]) -> Iterator[str]:
    """One line if ``chosen`` is the least or the greatest of several numbers, and not 0."""
    numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if not isinstance(chosen, (int, float)) or isinstance(chosen, bool) or chosen == 0 or len(numbers) < 2:
        return
    for end, which in ((min(numbers), "lowest"), (max(numbers), "highest")):
        if abs(chosen - end) < 1e-9 and min(numbers) < max(numbers):
            yield f"{name} {chosen:g}, the {which}"
