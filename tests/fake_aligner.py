"""An aligner program for tests: it draws by chance, as it were, and breaks down when asked to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from advsp.aligners import programs
from advsp.aligners.base import AlignerProgram, AlignerText, Outcome, Tell
from advsp.corpora.posteriors import Posteriors
from advsp.support.errors import InputError


@dataclass(frozen=True)
class FakeAligner(AlignerProgram):
    """Links the first words of both sentences, and in its n-th run the n-th words, too.

    Attributes
    ----------
    reversed_too: whether the other direction has these links, or none.
    """

    reversed_too: bool = True

    package = "fake"
    install = "pip install fake"
    #: What the tests set: its version, None where it is not installed; what it writes instead of links;
    #: whether it has posteriors, which count up in the forward direction and are 0.5 in the reverse one.
    release: ClassVar[str | None] = "1.0"
    writes: ClassVar[str | None] = None
    probable: ClassVar[bool] = False
    fails: ClassVar[BaseException | None] = None
    #: The texts that it was given: lines of source and of target.
    given: ClassVar[list[tuple[list[str], list[str]]]]

    @classmethod
    def version(cls) -> str:
        return cls.release if cls.release else super().version()

    def align(self, text: AlignerText, forward: Path, reverse: Path, tell: Tell) -> Outcome:
        assert all(path.is_absolute() for path in (text.source, text.target, forward, reverse))
        source, target = (path.read_text().split("\n")[:-1] for path in (text.source, text.target))
        assert len(source) == len(target) == text.pairs
        self.given.append((source, target))
        (forward.parent / "scratch").write_text("removed with the folder")
        if self.fails:
            raise self.fails
        tell("half way")
        lengths = [min(len(left.split()), len(right.split())) for left, right in zip(source, target)]
        last = len(self.given) - 1
        links = "".join("0-0" + (f" {last}-{last}" if last < length else "") + "\n" for length in lengths)
        forward.write_text(links if self.writes is None else self.writes)
        reverse.write_text(links if self.reversed_too else "\n" * text.pairs)
        if not self.probable:
            return Outcome()
        cells = sum(
            len(left.split()) * len(right.split())
            for left, right in zip(source[: text.labelled], target[: text.labelled])
        )
        forth, back = np.linspace(0, 1, cells, dtype=np.float32), np.full(cells, 0.5, dtype=np.float32)
        return Outcome(Posteriors(forth, back))


@contextmanager
def fake_aligner() -> Iterator[type[FakeAligner]]:
    """The program registered as ``fake``, which has not been run yet."""
    members = {"given": [], "__annotations__": {}}
    fake = type("FakeAligner", (FakeAligner,), members)
    programs.names()
    programs.register("fake")(fake)
    try:
        yield fake
    finally:
        del programs._members["fake"]


#: How it fails.
BROKEN = InputError("fake ended with exit code 3; it said: no disk")
