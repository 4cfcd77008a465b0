"""Preparing corpora: files are read as a strict YAML says, and what was found is told."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import TypeVar

from advsp.aligners import preparation
from advsp.corpora import prepared
from advsp.corpora.bitext_sources import BitextSources
from advsp.experiments.config import PREPARATION
from advsp.experiments.sources import BitextSource, ConllSource
from advsp.features.bitext.text_counts import keep_counts
from advsp.support.errors import InputError
from advsp.support.progress import Reporter
from advsp.support.section_files import load_section
from advsp.support.sections import Strict
from advsp.support.shipped import configuration
from advsp.support.words import counted

S = TypeVar("S", bound=Strict)

#: The part of the labelled words that may be spelled otherwise in the unlabelled text without a warning.
_MANY = 0.02


def _section(kind: type[S], config: Path | None, default: str, overrides: Iterable[str]) -> S:
    """The description of the sources in ``config``, or in a file of the package."""
    if config is not None:
        return load_section(kind, configuration(config), overrides, below=PREPARATION)
    with resources.as_file(resources.files("advsp.corpora") / default) as file:
        return load_section(kind, file, overrides)


def prepare_conll_corpus(
    source: Path, output: Path | None, config: Path | None, overrides: Iterable[str], reporter: Reporter
) -> None:
    """Read the column files below ``source`` as ``config`` says and write the prepared corpus ``output``.

    Parameters
    ----------
    output: None for the folder that the configuration names.
    config: a YAML of :class:`ConllSource`, which may stand below ``prepare``; None reads the files of
        CoNLL-2003.

    Raises
    ------
    InputError: anything wrong with the configuration or the files; nothing is written then.
    """
    section = _section(ConllSource, config, "conll2003.yaml", overrides)
    output = Path(section.output) if output is None else output
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
            columns=section.columns,
            form=section.form,
            odd_classes=section.odd_classes,
            hold_out=section.hold_out,
            expect={split: counts.model_dump(exclude_none=True) for split, counts in section.expect.items()},
            progress=lambda split: progress(1),
        )
    finally:
        reporter.stop()
    for split, about in manifest["splits"].items():
        entities = " ".join(f"{name} {count:,}" for name, count in sorted(about["entities"].items()))
        reporter.say(
            f"{split}: {counted(about['sentences'], 'sentence')}, "
            f"{counted(about['tokens'], 'token')}, {entities}; "
            f"{counted(about['docstart_lines'], '-DOCSTART- line')} ({section.docstart}), "
            f"{counted(about['violations'], 'tag')} out of sequence for {section.scheme}"
        )
        for violation in about["first_violations"]:
            reporter.say(f"  {violation}")
        if about["merged"]:
            reporter.say(
                f"  entities that begin where one of their class ends: {about['merged']:,}; `tags: io` "
                "(default) makes one of both, `tags: bio` and `tags: bioes` part them"
            )
    reporter.say(f"wrote {output}")


def prepare_bitext_corpus(
    source: Path, output: Path | None, config: Path | None, overrides: Iterable[str], reporter: Reporter
) -> None:
    """Read the parallel text below ``source`` as ``config`` says and write the prepared bitext ``output``.

    Parameters
    ----------
    output: None for the folder that the configuration names.
    config: a YAML of :class:`BitextSource`, which may stand below ``prepare``; None reads the files of the
        Hansards.

    Raises
    ------
    InputError: anything wrong with the configuration or the files; nothing is written then.
    """
    section = _section(BitextSource, config, "hansards.yaml", overrides)
    output = Path(section.output) if output is None else output
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
        kept = manifest["unlabelled"]
        keep_counts(output, reporter.start("counting words", kept["kept"] if kept else 0))
    finally:
        reporter.stop()
    for split, about in manifest["splits"].items():
        reporter.say(
            f"{split}: {counted(about['pairs'], 'pair')}, {about['source_words']:,} source and "
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
            f"unlabelled: {counted(about['pairs'], 'pair')}; {about['repeated']:,} repeated "
            f"and {about['empty']:,} empty ones left out; {about['kept']:,} kept, "
            f"{about['source_words']:,} source and {about['target_words']:,} target words"
        )
        for side, words in about["unseen"].items():
            reporter.say(
                f"  labelled {side} words that it does not have: {_share(words, 'tokens')}, "
                f"{_share(words, 'types')}"
            )
            if words["alike_tokens"] > _MANY * words["tokens"]:
                reporter.say(
                    f"  warning: {words['alike_tokens']:,} of these tokens are there in other case, or with "
                    "other accents: neither aligners nor statistics know them. Do `lower` and `accents` of "
                    f"normalise.{side} agree with the text?"
                )
    reporter.say(f"wrote {output}")


def _check_optional(sources: BitextSources) -> None:
    """What a bitext can do without is missed at once, and how to do without it is said."""
    aligners = [path for files in sources.aligners.values() for path in files.values()]
    unlabelled = sources.unlabelled.paths if sources.unlabelled else []
    recorded = [path for files in sources.recorded.values() for path in files.values()]
    for override, paths in (
        ("aligners={}", aligners),
        ("unlabelled=null", unlabelled),
        ("recorded={}", recorded),
    ):
        for path in paths:
            if not path.exists():
                raise InputError("no such file", file=path, hint=f"--set {override} does without")


def _share(words: dict[str, int], what: str) -> str:
    unseen, total = words[f"unseen_{what}"], words[what]
    return f"{unseen:,} of {total:,} {what} ({unseen / total:.2%})"
