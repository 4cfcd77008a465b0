"""Preparing corpora: how files are to be read comes from a strict YAML, what was found is printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from advsp.aligners import preparation, programs
from advsp.corpora import prepared
from advsp.corpora.bitext_sources import AlignerRun, BitextSources, LabelledText, Part
from advsp.corpora.links import Notation
from advsp.corpora.parallel_text import TextFiles
from advsp.corpora.tokens import check_step
from advsp.experiments.config import S, Section, Strict, load_section
from advsp.support.errors import InputError
from advsp.support.progress import Reporter
from advsp.support.registry import Registry


class ExpectedCounts(Strict):
    """Counts a split must have."""

    sentences: int | None = None
    tokens: int | None = None
    entities: dict[str, int] | None = None


class ConllSource(Strict):
    """How column files are read."""

    files: dict[str, str] = Field(min_length=1)
    word: int = 0
    tag: int = -1
    scheme: Literal["io", "iob1", "iob2", "bio", "bioes"] = "iob1"
    encoding: str = "utf-8"
    docstart: Literal["drop", "sentence", "uncounted", "glue"] = "drop"
    expect: dict[str, ExpectedCounts] = {}


class BitextFiles(Strict):
    """Where parallel text is; without ``target``, ``source`` holds ``source ||| target`` on every line."""

    source: str
    target: str | None = None

    def below(self, folder: Path, encoding: str) -> TextFiles:
        """The files in ``folder``."""
        return TextFiles(folder / self.source, self.target and folder / self.target, encoding)


class LabelledFiles(BitextFiles):
    """Parallel text with links; ``numbers`` is what a naacl file calls the pairs: ``[1-8, 11-39]``."""

    links: str
    numbers: list[Any] | None = None

    @field_validator("numbers")
    @classmethod
    def _ranges(cls, ranges: list[Any] | None) -> list[int] | None:
        return None if ranges is None else _numbers(ranges)


class BitextPart(Strict):
    """A split: the pairs ``first`` to ``last`` of a labelled text."""

    text: str
    first: int = Field(default=1, ge=1)
    last: int | None = Field(default=None, ge=1)


class LinkNotation(Strict):
    """How a link file writes links; all of it is to be declared."""

    format: Literal["naacl", "pharaoh"]
    base: Literal[0, 1]
    order: Literal["source-target", "target-source"]


class Normalisation(Strict):
    """The steps that make unlabelled text agree with the labelled one."""

    source: list[str] = []
    target: list[str] = []

    @field_validator("source", "target")
    @classmethod
    def _known_steps(cls, steps: list[str]) -> list[str]:
        for step in steps:
            try:
                check_step(step)
            except InputError as error:
                context = {"problem": error.problem, "hint": error.hint}
                raise PydanticCustomError("unknown_name", "{problem}", context) from None
        return steps


class RunConfig(Section):
    """An aligner program and its options; the name alone may stand for the section."""

    @classmethod
    def registry(cls) -> Registry:
        return programs

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value


class ExpectedLinks(Strict):
    """Counts a split must have."""

    pairs: int | None = None
    sure: int | None = None
    possible: int | None = None
    edges: int | None = None


class BitextSource(Strict):
    """How parallel text, its links, the links of aligners and unlabelled text are read.

    ``run`` names aligners and the programs that they are: ``{mine: {name: eflomal, model: 2}}``, or
    ``[eflomal]`` for programs under their own names.
    """

    labelled: dict[str, LabelledFiles] = Field(min_length=1)
    links: LinkNotation
    splits: dict[str, BitextPart] = {}
    aligners: dict[str, dict[str, str]] = {}
    aligner_links: LinkNotation | None = None
    run: dict[str, RunConfig] = {}
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
                    context = {"found": repr(run)}
                    raise PydanticCustomError("option", "found {found}, expected distinct names", context)
            run = {name: {} for name in run}
        if isinstance(run, Mapping):
            run = {
                name: {"name": name, **options} if isinstance(options, Mapping) else options
                for name, options in run.items()
            }
        return run

    @model_validator(mode="after")
    def _declared(self) -> BitextSource:
        if self.aligners and not self.aligner_links:
            context = {
                "key": "aligners",
                "hint": "for example {format: pharaoh, base: 0, order: source-target}",
            }
            raise PydanticCustomError(
                "option", "needs aligner_links, which says how links are written", context
            )
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
            run={name: AlignerRun(run.name, run.model_extra) for name, run in self.run.items()},
            unlabelled=self.unlabelled and self.unlabelled.below(folder, self.encoding),
            distinct=self.distinct,
            normalise=self.normalise.model_dump(),
        )


def _section(kind: type[S], config: Path | None, default: str, overrides: Iterable[str]) -> S:
    """The description of the sources in ``config``, or in a file of the package."""
    if config is not None:
        return load_section(kind, config, overrides)
    with resources.as_file(resources.files("advsp.corpora") / default) as file:
        return load_section(kind, file, overrides)


def prepare_conll_corpus(
    source: Path, output: Path, config: Path | None, overrides: Iterable[str], reporter: Reporter
) -> None:
    """Read the column files below ``source`` as ``config`` says and write the prepared corpus ``output``.

    Parameters
    ----------
    config: a YAML of :class:`ConllSource`; None reads the files of CoNLL-2003.

    Raises
    ------
    InputError: anything wrong with the configuration or the files; nothing is written then.
    """
    section = _section(ConllSource, config, "conll2003.yaml", overrides)
    if not source.is_dir():
        raise InputError("no such folder", file=source, hint="name the folder that holds the column files")
    progress = reporter.start("reading", len(section.files))
    try:
        manifest = prepared.prepare(
            {split: source / name for split, name in section.files.items()},
            output,
            word=section.word,
            tag=section.tag,
            scheme=section.scheme,
            encoding=section.encoding,
            docstart=section.docstart,
            expect={split: counts.model_dump(exclude_none=True) for split, counts in section.expect.items()},
            progress=lambda split: progress(1),
        )
    finally:
        reporter.stop()
    for split, about in manifest["splits"].items():
        entities = " ".join(f"{name} {count:,}" for name, count in sorted(about["entities"].items()))
        reporter.say(
            f"{split}: {about['sentences']:,} sentences, {about['tokens']:,} tokens, {entities}; "
            f"{about['docstart_lines']:,} -DOCSTART- lines ({section.docstart}), "
            f"{about['violations']:,} tags out of sequence for {section.scheme}"
        )
        for violation in about["first_violations"]:
            reporter.say(f"  {violation}")
    reporter.say(f"wrote {output}")


def prepare_bitext_corpus(
    source: Path, output: Path, config: Path | None, overrides: Iterable[str], reporter: Reporter
) -> None:
    """Read the parallel text below ``source`` as ``config`` says and write the prepared bitext ``output``.

    Parameters
    ----------
    config: a YAML of :class:`BitextSource`; None reads the files of the Hansards.

    Raises
    ------
    InputError: anything wrong with the configuration or the files; nothing is written then.
    """
    section = _section(BitextSource, config, "hansards.yaml", overrides)
    if not source.is_dir():
        raise InputError("no such folder", file=source, hint="name the folder that holds the parallel text")
    sources = section.below(source)
    _check_optional(sources)
    try:
        manifest = preparation.prepare(
            sources,
            output,
            expect={split: counts.model_dump(exclude_none=True) for split, counts in section.expect.items()},
            reporter=reporter,
        )
    finally:
        reporter.stop()
    for split, about in manifest["splits"].items():
        reporter.say(
            f"{split}: {about['pairs']:,} pairs, {about['source_words']:,} source and "
            f"{about['target_words']:,} target words, {about['sure']:,} sure and "
            f"{about['possible']:,} possible links, {about['edges']:,} edges"
        )
    for name, found in manifest["aligners"].items():
        missing = [split for split in manifest["splits"] if split not in found]
        reporter.say(
            f"aligner {name}: links "
            + ", ".join(f"{split} {about['links']:,}" for split, about in found.items())
            + (f"; none for {', '.join(missing)}" if missing else "")
        )
    if about := manifest["unlabelled"]:
        reporter.say(
            f"unlabelled: {about['pairs']:,} pairs; {about['repeated']:,} repeated and {about['empty']:,} "
            f"empty ones left out; {about['kept']:,} kept, {about['source_words']:,} source and "
            f"{about['target_words']:,} target words"
        )
        for side, words in about["unseen"].items():
            reporter.say(
                f"  labelled {side} words that it does not have: {_share(words, 'tokens')}, "
                f"{_share(words, 'types')}"
            )
    reporter.say(f"wrote {output}")


def _check_optional(sources: BitextSources) -> None:
    """What a bitext can do without is missed at once, and how to do without it is said."""
    aligners = [path for files in sources.aligners.values() for path in files.values()]
    unlabelled = sources.unlabelled.paths if sources.unlabelled else []
    for override, paths in (("aligners={}", aligners), ("unlabelled=null", unlabelled)):
        for path in paths:
            if not path.exists():
                raise InputError("no such file", file=path, hint=f"--set {override} does without")


def _share(words: dict[str, int], what: str) -> str:
    unseen, total = words[f"unseen_{what}"], words[what]
    return f"{unseen:,} of {total:,} {what} ({unseen / total:.2%})"


def _numbers(ranges: list[Any]) -> list[int]:
    """Numbers and ranges of them, ``8`` and ``11-39``, as a list of numbers."""
    numbers: list[int] = []
    for text in map(str, ranges):
        found = re.fullmatch(r"([0-9]+)(?:-([0-9]+))?", text)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if first > last:
            message = "found {found}, expected numbers or ranges such as 11-39"
            raise PydanticCustomError("option", message, {"found": repr(text)})
        numbers += range(first, last + 1)
    return numbers
