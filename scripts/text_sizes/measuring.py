"""Alignment error rates of aligner programs on the labelled pairs, trained with ever more unlabelled ones."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np

from advsp.aligners.agreement import Agreement
from advsp.aligners.base import AlignerProgram, AlignerText, Outcome
from advsp.aligners.eflomal import Eflomal
from advsp.aligners.runs import readable
from advsp.aligners.smoothed_agreement import SmoothedAgreement
from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.links import PHARAOH, LinkStream
from advsp.corpora.prepared_bitext import iterate_unlabelled, load_normalisers, load_pairs
from advsp.corpora.tokens import Words
from advsp.metrics.alignment import alignment_error_rate
from advsp.support.progress import Progress

#: A prepared bitext, and its labelled pairs: those that recipes were chosen on, and those that are tested.
FOLDER = Path("data/hansards")
SPLITS = {"chosen on": ("train", "valid"), "tested": ("test",)}
#: Runs of an aligner that draws by chance.
RUNS = 3
#: Above this the mean of both posteriors is a link.
_HALF = 0.5


@dataclass(frozen=True)
class Measured:
    """What one run of a program came to.

    Attributes
    ----------
    program: its name.
    pairs: unlabelled pairs that it saw beside the labelled ones.
    run: from 1.
    seconds: that it took.
    both: name of a part of the labelled pairs to the error rate of the links of both directions, in percent.
    soft: the same of links whose mean posterior is above a half; empty of a program that has no posteriors.
    """

    program: str
    pairs: int
    run: int
    seconds: float
    both: dict[str, float]
    soft: dict[str, float]


def programs() -> list[tuple[str, list[AlignerProgram]]]:
    """Every program by its name, as often as it is run."""
    return [
        ("smoothed-agreement", [SmoothedAgreement()]),
        ("agreement", [Agreement()]),
        ("eflomal", [Eflomal(number=number) for number in range(1, RUNS + 1)]),
    ]


def measure(sizes: Sequence[int | None], progress: Progress) -> list[Measured]:
    """Run every program on texts of all sizes; None is all of the text."""
    labelled = {
        part: [pair for split in splits for pair in load_pairs(FOLDER, split)]
        for part, splits in SPLITS.items()
    }
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            text = _write(Path(folder), labelled, size)
            for name, runs in programs():
                for run, program in enumerate(runs, 1):
                    found.append(_run(name, program, run, text, labelled, Path(folder)))
                    progress(1, f"{name}, {text.pairs - text.labelled:,} pairs")
    return found


def _run(
    name: str,
    program: AlignerProgram,
    run: int,
    text: AlignerText,
    labelled: dict[str, list[SentencePair]],
    folder: Path,
) -> Measured:
    files = {direction: folder / direction for direction in DIRECTIONS}
    began = time.perf_counter()
    outcome = program.align(text, **files, tell=lambda words: None)
    seconds = time.perf_counter() - began
    pairs = list(chain.from_iterable(labelled.values()))
    shapes = [pair.shape for pair in pairs]
    each = [LinkStream(file, PHARAOH).take(shapes) for file in files.values()]
    both = [forward & reverse for forward, reverse in zip(*each, strict=True)]
    return Measured(
        name,
        text.pairs - text.labelled,
        run,
        round(seconds, 1),
        dict(error_rates(labelled, both)),
        {} if outcome.posteriors is None else dict(error_rates(labelled, _soft(outcome, shapes))),
    )


def _soft(outcome: Outcome, shapes: Sequence[tuple[int, int]]) -> list[frozenset[Link]]:
    """The links whose two posteriors have a mean above a half."""
    assert outcome.posteriors is not None
    return [
        frozenset((i, j) for i, j in np.argwhere((forward + reverse) / 2 > _HALF).tolist())
        for forward, reverse in outcome.posteriors.grids(shapes)
    ]


def error_rates(
    labelled: dict[str, list[SentencePair]], links: Sequence[frozenset[Link]]
) -> Iterator[tuple[str, float]]:
    """The error rate of every part of the labelled pairs, in percent."""
    left = iter(links)
    for part, pairs in labelled.items():
        counts = np.zeros(4)
        for pair, found in zip(pairs, islice(left, len(pairs)), strict=True):
            counts += (
                len(found & pair.sure),
                len(found & (pair.sure | pair.possible)),
                len(found),
                len(pair.sure),
            )
        yield part, round(100 * float(alignment_error_rate(*counts)), 3)


def _write(folder: Path, labelled: dict[str, list[SentencePair]], size: int | None) -> AlignerText:
    """The labelled pairs and the first unlabelled ones, as programs read them."""
    source, target = load_normalisers(FOLDER)
    pairs = list(chain.from_iterable(labelled.values()))
    spelled: Iterator[tuple[Words, Words]] = (
        (source.spell(pair.source), target.spell(pair.target)) for pair in pairs
    )
    count = 0
    paths = folder / "source", folder / "target"
    with open(paths[0], "w", encoding="utf-8") as left, open(paths[1], "w", encoding="utf-8") as right:
        for words in chain(spelled, islice(iterate_unlabelled(FOLDER), size)):
            for file, side in zip((left, right), words, strict=True):
                file.write(" ".join(readable(side)) + "\n")
            count += 1
    return AlignerText(*paths, count, len(pairs))
