"""eflomal: links by Gibbs sampling (Östling and Tiedemann 2016; extra ``advsp[align]``).

It draws its random numbers from the operating system and has no option for a seed: the links of two runs
on one text differ in places.  What a run predicted is the same again only because it is kept
(:mod:`advsp.aligners.cache`).
"""

from __future__ import annotations

import importlib.metadata
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Interval

from advsp.aligners import programs
from advsp.aligners.base import AlignerProgram, AlignerText, Outcome, Tell
from advsp.aligners.process import run_program
from advsp.support.errors import InputError

_SCRIPT = "eflomal-align"
_STAGE = re.compile(r"Aligning with (model [0-9] \([0-9]+ iterations\))")


@programs.register("eflomal")
@dataclass(frozen=True)
class Eflomal(AlignerProgram):
    """The program ``eflomal-align``; it aligns both directions at once and uses all cores.

    Pairs with a sentence of 1024 words or more get no links.  Case makes no difference.  What it draws cannot
    be drawn again: links are kept, and another ``number`` draws others.

    Attributes
    ----------
    model: 1 is IBM model 1; 2 adds jumps (HMM); 3 adds fertility.
    samplers: number of independent samplers, whose marginals are added up.
    null_prior: prior probability that a word is linked to none.
    iterations: number of iterations, relative to what the size of the text suggests.
    letters: words are the same if they begin with the same so many letters; 0 for all of their letters.
    number: of the run, where the same program is run several times.
    """

    model: Literal[1, 2, 3] = 3
    samplers: Annotated[int, Ge(1)] = 3
    null_prior: Annotated[float, Interval(gt=0, lt=1)] = 0.2
    iterations: Annotated[float, Gt(0)] = 1.0
    letters: Annotated[int, Ge(0)] = 0
    number: Annotated[int, Ge(1)] = 1

    package = "eflomal"
    install = "pip install 'advsp[align]'"

    def align(self, text: AlignerText, forward: Path, reverse: Path, tell: Tell) -> Outcome:
        options = {
            "--source": self._cut(text.source, forward.parent / "source"),
            "--target": self._cut(text.target, forward.parent / "target"),
            "--forward-links": forward,
            "--reverse-links": reverse,
            "--model": self.model,
            "--n-samplers": self.samplers,
            "--null-prior": self.null_prior,
            "--length": self.iterations,
        }
        command = [sys.executable, _script(), "--verbose", "--overwrite"]
        command += [str(part) for option in options.items() for part in option]

        def hear(line: str) -> None:
            if stage := _STAGE.match(line):
                tell(stage[1])

        run_program("eflomal", command, forward.parent, hear)
        return Outcome()

    def _cut(self, text: Path, cut: Path) -> Path:
        """A file of the same text whose words have no more letters than wanted."""
        if not self.letters:
            return text
        with (
            open(text, encoding="utf-8", newline="\n") as lines,
            open(cut, "w", encoding="utf-8", newline="\n") as written,
        ):
            for line in lines:
                written.write(" ".join(word[: self.letters] for word in line.rstrip("\n").split(" ")) + "\n")
        return cut


def _script() -> str:
    """Where the package has put its program."""
    for file in importlib.metadata.files("eflomal") or ():
        if file.name == _SCRIPT:
            return str(Path(file.locate()).resolve())
    raise InputError(f"the package 'eflomal' has come without {_SCRIPT}", hint="install it again")
