"""Preparing corpora: how files are to be read comes from a strict YAML, what was found is printed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Literal

from pydantic import Field

from advsp.config import Strict, load_section
from advsp.corpora import prepared
from advsp.errors import InputError
from advsp.reporter import Reporter


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
    if config is None:
        with resources.as_file(resources.files("advsp.corpora") / "conll2003.yaml") as default:
            section = load_section(ConllSource, default, overrides)
    else:
        section = load_section(ConllSource, config, overrides)
    if not source.is_dir():
        raise InputError("no such folder", file=source, hint="name the folder that holds the column files")
    tick = reporter.start("reading", len(section.files))
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
            progress=lambda split: tick(1),
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
