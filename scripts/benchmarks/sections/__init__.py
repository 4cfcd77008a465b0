"""The sections of the bench, in the order in which they are measured and shown.

A section is a module with a ``TITLE``, ``measure(bench)`` to plain values, ``render(result)`` to lines of
Markdown, and ``headlines(result)`` to the lines of the table of docs/performance.md.
"""

from __future__ import annotations

from types import ModuleType

from benchmarks.sections import (
    alignment,
    certified,
    compilation,
    crf,
    experiment,
    games,
    memory,
    responses,
    startup,
    training,
)

SECTIONS: dict[str, ModuleType] = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        startup, compilation, games, responses, training, certified, alignment, crf, memory, experiment,
    )
}  # fmt: skip
