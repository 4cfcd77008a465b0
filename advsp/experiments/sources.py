"""What a person says of the files that a corpus is prepared from: strict sections, one YAML file a corpus."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from advsp.aligners import programs
from advsp.aligners.base import AlignerProgram
from advsp.corpora.bitext_sources import AlignerRun, BitextSources, LabelledText, Part
from advsp.corpora.columns import ColumnForm
from advsp.corpora.conll import COLUMN_NAME, DocstartRule
from advsp.corpora.links import Notation
from advsp.corpora.parallel_text import TextFiles
from advsp.corpora.tokens import check_step
from advsp.corpora.wrappers import Wrapper
from advsp.support.errors import InputError
from advsp.support.problems import misfit
from advsp.support.registry import Registry
from advsp.support.sections import NamedSection, Strict

#: Pairs of labelled text beyond which a range of numbers is a slip of the pen.
_MOST_PAIRS = 10_000_000


class ExpectedCounts(Strict):
    """Counts a split must have."""

    sentences: int | None = None
    tokens: int | None = None
    entities: dict[str, int] | None = None


class ConllSource(Strict):
    """How column files are read.

    Attributes
    ----------
    output: folder that the corpus is prepared into, unless the command line names one.
    files: splits to files below the folder that is prepared.
    word, tag: numbers of the two columns, from 0; negative ones count from the end.
    scheme: how tags are written; ``iob2`` and ``bio`` are one.
    encoding: of the files.
    docstart: what becomes of lines that begin a document.
    expect: splits to counts that must be found.
    hold_out: splits to shares of the sentences of the first file, taken from its end.
    columns: names of further columns to their numbers; features may look at them.
    comment: lines that begin so are left out.
    delimiter: what stands between columns; ``auto`` is any number of blanks and tabs.
    document: lines that begin a document, a regular expression; ``-DOCSTART-`` by default.
    odd_classes: whether tags of scheme io may be classes that are probably none.
    """

    output: str = "data/conll2003"
    files: dict[str, str] = Field(min_length=1)
    hold_out: dict[str, Annotated[float, Field(gt=0, lt=1)]] = {}
    word: int = 0
    tag: int = -1
    columns: dict[Annotated[str, Field(pattern=COLUMN_NAME)], int] = {}
    scheme: Literal["io", "iob1", "iob2", "bio", "bioes", "bmes", "bilou"] = "iob1"
    comment: str | None = None
    delimiter: Literal["auto", "tab", "blank"] = "auto"
    document: str | None = None
    odd_classes: bool = False
    encoding: str = "utf-8"
    docstart: DocstartRule = "drop"
    expect: dict[str, ExpectedCounts] = {}

    @field_validator("columns")
    @classmethod
    def _other_names(cls, columns: dict[str, int]) -> dict[str, int]:
        for name in columns:
            if name in ("word", "tag"):
                raise misfit("has a key of its own", name)
        return columns

    @model_validator(mode="after")
    def _lines(self) -> ConllSource:
        try:
            _ = self.form
        except InputError as error:
            raise misfit(error.problem, error.key or "delimiter", hint=error.hint) from None
        return self

    @property
    def form(self) -> ColumnForm:
        """How lines are to be taken."""
        return ColumnForm(self.comment, self.delimiter, self.document)

    @model_validator(mode="after")
    def _something_left(self) -> ConllSource:
        for split in self.hold_out:
            if split in self.files:
                raise misfit("has a file of its own", "hold_out", split)
        if sum(self.hold_out.values()) >= 1:
            raise misfit("leaves nothing of the first file", "hold_out")
        return self


class BitextFiles(Strict):
    """Where parallel text is.

    Attributes
    ----------
    source: file of a sentence a line, of ``source ||| target`` where there is no ``target``.
    target: file of its translations, line by line.
    wrapper: what stands around every sentence, see :mod:`advsp.corpora.wrappers`.
    """

    source: str
    target: str | None = None
    wrapper: Wrapper | None = None

    def below(self, folder: Path, encoding: str) -> TextFiles:
        """The files in ``folder``."""
        target = folder / self.target if self.target else None
        return TextFiles(folder / self.source, target, encoding, self.wrapper)


class LabelledFiles(BitextFiles):
    """Parallel text with links.

    Attributes
    ----------
    links: file of the links.
    numbers: what a naacl file calls the pairs: ``[1-8, 11-39]``.
    """

    links: str
    numbers: list[Any] | None = None

    @field_validator("numbers")
    @classmethod
    def _ranges(cls, ranges: list[Any] | None) -> list[int] | None:
        return None if ranges is None else _numbers(ranges)


class BitextPart(Strict):
    """A split: some pairs of a labelled text.

    Attributes
    ----------
    text: name of the labelled text.
    first, last: numbers of the first pair, from 1, and of the last; to the end where none is named.
    """

    text: str
    first: int = Field(default=1, ge=1)
    last: int | None = Field(default=None, ge=1)


class LinkNotation(Strict):
    """How a link file writes links; all of it is to be declared.

    Attributes
    ----------
    format: a line a link, or a line a pair.
    base: number of a sentence's first word.
    order: the side whose word stands first.
    null: whether a word 0 is none, where words are counted from 1: the link says that a word has no link.
    """

    format: Literal["naacl", "pharaoh"]
    base: Literal[0, 1]
    order: Literal["source-target", "target-source"]
    null: bool = False


class Normalisation(Strict):
    """The steps that make unlabelled text agree with the labelled one.

    Attributes
    ----------
    source, target: steps of a side, in order.
    """

    source: list[str] = []
    target: list[str] = []

    @field_validator("source", "target")
    @classmethod
    def _known_steps(cls, steps: list[str]) -> list[str]:
        for step in steps:
            try:
                check_step(step)
            except InputError as error:
                raise misfit(error.problem, hint=error.hint) from None
        return steps


class RunConfig(NamedSection[AlignerProgram]):
    """An aligner program and its options; the name alone may stand for the section."""

    @classmethod
    def registry(cls) -> Registry[type[AlignerProgram]]:
        return programs


class RecordedLinks(Strict):
    """The links of all pairs, by direction: at most one source word for a target word in the first one."""

    forward: str
    reverse: str


class ExpectedLinks(Strict):
    """Counts a split must have."""

    pairs: int | None = None
    sure: int | None = None
    possible: int | None = None
    edges: int | None = None


class BitextSource(Strict):
    """How parallel text, its links, the links of aligners and unlabelled text are read.

    Attributes
    ----------
    output: folder that the bitext is prepared into, unless the command line names one.
    labelled: labelled texts by name.
    links: how their links are written.
    splits: splits by name; every labelled text is one where there are none.
    aligners: aligners, ``NAME.DIRECTION``, to splits to files of the links that they predict.
    aligner_links: how those are written.
    run: aligners and the programs that they are, ``{mine: {name: eflomal, model: 2}}``, or ``[eflomal]`` for
        programs under their own names.
    recorded: aligners that were run on all of the text before, ``{mine: {forward: FILE, reverse: FILE}}``:
        links of the labelled pairs of all splits and then of the unlabelled ones that are kept.
    unlabelled: text to count words in.
    distinct: whether pairs of that text that are repeated are left out.
    normalise: how that text comes to agree with the labelled one.
    encoding: of the files.
    expect: splits to counts that must be found.
    """

    output: str = "data/hansards"

    labelled: dict[str, LabelledFiles] = Field(min_length=1)
    links: LinkNotation
    splits: dict[str, BitextPart] = {}
    aligners: dict[str, dict[str, str]] = {}
    aligner_links: LinkNotation | None = None
    run: dict[str, RunConfig] = {}
    recorded: dict[str, RecordedLinks] = {}
    unlabelled: BitextFiles | None = None
    distinct: bool = True
    normalise: Normalisation = Normalisation()
    encoding: str = "utf-8"
    expect: dict[str, ExpectedLinks] = {}

    @field_validator("run", mode="before")
    @classmethod
    def _named(cls, run: Any) -> Any:
        """What is not said twice: a list gives programs their own names, a name may be the program's."""
        if isinstance(run, list):
            for name in run:
                if not isinstance(name, str) or run.count(name) > 1:
                    raise misfit(f"found {run!r}, expected distinct names")
            run = {name: {} for name in run}
        if isinstance(run, Mapping):
            run = {
                name: {"name": name, **options} if isinstance(options, Mapping) else options
                for name, options in run.items()
            }
        return run

    @model_validator(mode="after")
    def _declared(self) -> BitextSource:
        for key, files in (("aligners", self.aligners), ("recorded", self.recorded)):
            if files and not self.aligner_links:
                problem = "needs aligner_links, which says how links are written"
                hint = "for example {format: pharaoh, base: 0, order: source-target}"
                raise misfit(problem, key, hint=hint)
        return self

    def below(self, folder: Path) -> BitextSources:
        """The files in ``folder``."""
        return BitextSources(
            labelled={
                name: LabelledText(
                    files.below(folder, self.encoding),
                    folder / files.links,
                    files.numbers,
                )
                for name, files in self.labelled.items()
            },
            splits={split: Part(**part.model_dump()) for split, part in self.splits.items()},
            notation=Notation(**self.links.model_dump()),
            aligners={
                name: {split: folder / file for split, file in files.items()}
                for name, files in self.aligners.items()
            },
            aligner_notation=Notation(**(self.aligner_links or self.links).model_dump()),
            run={name: AlignerRun(run.name, run.options) for name, run in self.run.items()},
            recorded={
                name: {"forward": folder / files.forward, "reverse": folder / files.reverse}
                for name, files in self.recorded.items()
            },
            unlabelled=self.unlabelled.below(folder, self.encoding) if self.unlabelled else None,
            distinct=self.distinct,
            normalise=self.normalise.model_dump(),
        )


def _numbers(ranges: list[Any]) -> list[int]:
    """Numbers and ranges of them, ``8`` and ``11-39``, as a list of numbers."""
    numbers: list[int] = []
    for text in map(str, ranges):
        found = re.fullmatch(r"([0-9]+)(?:-([0-9]+))?", text)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if first > last:
            raise misfit(f"found {text!r}, expected numbers or ranges such as 11-39")
        if last - first >= _MOST_PAIRS - len(numbers):
            raise misfit(f"found {text!r}, which no text has: {_MOST_PAIRS:,} pairs are the most")
        numbers += range(first, last + 1)
    return numbers
