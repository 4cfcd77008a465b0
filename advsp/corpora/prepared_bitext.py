"""The prepared bitext: a folder of parallel text, its links and a manifest to check them by.

=============================== ===================================================================
SPLIT.source, SPLIT.target      the labelled sentences, one a line
SPLIT.naacl                     their sure and possible links
aligners/NAME.SPLIT.pharaoh     what an aligner predicts for them
aligners/NAME.SPLIT.npz         how probable an aligner finds any link (:mod:`advsp.corpora.posteriors`)
aligners/NAME.DIRECTION.npy     the same, of all pairs (:mod:`advsp.corpora.text_posteriors`)
unlabelled.{source,target}.gz   unlabelled text, normalised
corpus.json                     how the sources were read, what was counted in them, SHA-256 of all
cache/                          what aligner programs predicted (:mod:`advsp.aligners.cache`)
=============================== ===================================================================

Links are written source first, numbered from 1 in naacl files and from 0 in pharaoh files.  Here it is read;
:mod:`advsp.aligners.preparation` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from advsp.corpora import manifest as manifests
from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.bitext_sources import SIDES, LabelledText, read_labelled, read_predicted
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.links import NAACL, PHARAOH
from advsp.corpora.parallel_text import TextFiles, stream_pairs
from advsp.corpora.posteriors import Grids, Posteriors
from advsp.corpora.text_posteriors import TextPosteriors
from advsp.corpora.tokens import Normaliser, Words
from advsp.support.errors import InputError

#: A column corpus has a number here: neither kind is mistaken for the other.
FORMAT = "bitext 1"
#: The folder that keeps what aligner programs predicted.
CACHE = "cache"

_COMMAND = "advsp prepare-hansards"


def aligner_file(aligner: str, split: str) -> str:
    """Where the links are that an aligner predicts for a split."""
    return f"aligners/{aligner}.{split}.pharaoh"


def posteriors_file(aligner: str, split: str) -> str:
    """Where the posteriors of an aligner are for a split."""
    return f"aligners/{aligner}.{split}.npz"


def text_posteriors_file(aligner: str, direction: str) -> str:
    """Where the posteriors of an aligner are for the whole text."""
    return f"aligners/{aligner}.{direction}.npy"


def unlabelled_file(side: str) -> str:
    """Where one side of the unlabelled text is."""
    return f"unlabelled.{side}.gz"


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a prepared bitext.

    Raises
    ------
    InputError: no prepared bitext there, or one of a format that this version does not read.
    """
    return manifests.read_manifest(folder, FORMAT, _COMMAND)


def load_pairs(folder: str | Path, split: str) -> list[SentencePair]:
    """The labelled sentence pairs of one split.

    Raises
    ------
    InputError: no prepared bitext there; no such split; a file missing, or changed since it was prepared.
    """
    manifest = read_manifest(folder)
    manifests.check_split(folder, manifest, split)
    source, target, links = (
        _verified(folder, manifest, f"{split}.{part}") for part in ("source", "target", "naacl")
    )
    return read_labelled(LabelledText(TextFiles(source, target, wrapper="none"), links), NAACL)


def load_links(
    folder: str | Path, aligner: str, split: str, pairs: Sequence[SentencePair] | None = None
) -> list[frozenset[Link]]:
    """The links that an aligner predicts for the pairs of one split.

    Parameters
    ----------
    pairs: what :func:`load_pairs` gives for the split, if it has been read already; whoever reads the
        links of several aligners need not have it read and verified for each of them.

    Raises
    ------
    InputError: what :func:`load_pairs` raises; no such aligner, or none of its links for the split; links
        that do not fit the pairs.
    """
    manifest = read_manifest(folder)
    manifests.check_split(folder, manifest, split)
    aligners = manifest["aligners"]
    if aligner not in aligners:
        hint = f"it has {', '.join(aligners)}" if aligners else "it has no aligners"
        raise InputError(f"no aligner {aligner!r} there", file=folder, hint=hint)
    if split not in aligners[aligner]:
        hint = f"it has {', '.join(aligners[aligner])}"
        raise InputError(f"aligner {aligner!r} has no links for split {split!r}", file=folder, hint=hint)
    path = _verified(folder, manifest, aligner_file(aligner, split))
    return read_predicted(path, load_pairs(folder, split) if pairs is None else pairs, PHARAOH)


def load_posteriors(
    folder: str | Path, aligner: str, split: str, pairs: Sequence[SentencePair] | None = None
) -> Grids:
    """How probable an aligner finds the links of the pairs of one split, forward and reverse.

    Parameters
    ----------
    aligner: by its name without a direction; :func:`list_posteriors` knows those that have some.
    pairs: as for :func:`load_links`.

    Raises
    ------
    InputError: what :func:`load_pairs` raises; no posteriors of that aligner for the split; posteriors
        that do not fit the pairs.
    """
    manifest = read_manifest(folder)
    manifests.check_split(folder, manifest, split)
    known = list_posteriors(folder)
    if split not in known.get(aligner, ()):
        hint = f"there are those of {', '.join(known)}" if known else "there are none at all"
        raise InputError(f"no posteriors of aligner {aligner!r} for split {split!r}", file=folder, hint=hint)
    path = _verified(folder, manifest, posteriors_file(aligner, split))
    posteriors = Posteriors.load(path, f"prepare it again with `{_COMMAND}`")
    if pairs is None:
        pairs = load_pairs(folder, split)
    try:
        return posteriors.grids([pair.shape for pair in pairs])
    except ValueError as error:
        raise InputError(f"does not fit the text: {error}", file=path) from None


def list_posteriors(folder: str | Path) -> dict[str, list[str]]:
    """The aligners that have posteriors, and for which splits.

    Raises
    ------
    InputError: no prepared bitext there.
    """
    known: dict[str, list[str]] = read_manifest(folder).get("posteriors", {})
    return known


def list_text_posteriors(folder: str | Path) -> list[str]:
    """The aligners that have posteriors, or links, of the whole text.

    Raises
    ------
    InputError: no prepared bitext there.
    """
    known: list[str] = read_manifest(folder).get("everywhere", [])
    return known


def load_text_posteriors(folder: str | Path, aligner: str) -> TextPosteriors:
    """How probable an aligner finds the links of all pairs: of the labelled ones, split by split, then of the
    unlabelled ones.

    Raises
    ------
    InputError: no prepared bitext there; no such aligner; a file missing, or changed since it was prepared.
    """
    manifest = read_manifest(folder)
    known = list_text_posteriors(folder)
    if aligner not in known:
        hint = f"there are those of {', '.join(known)}" if known else "there are none at all"
        raise InputError(f"no links of all pairs by aligner {aligner!r}", file=folder, hint=hint)
    forward, reverse = (
        _verified(folder, manifest, text_posteriors_file(aligner, side)) for side in DIRECTIONS
    )
    return TextPosteriors.load(forward, reverse, hint=f"prepare it again with `{_COMMAND}`")


def iterate_text(folder: str | Path) -> Iterator[tuple[Words, Words]]:
    """All pairs, spelled as the unlabelled text: the labelled ones, split by split, then the unlabelled ones.

    Raises
    ------
    InputError: what the other readers raise.
    """
    manifest = read_manifest(folder)
    source, target = load_normalisers(folder)
    for split in manifest["splits"]:
        for pair in load_pairs(folder, split):
            yield source.spell(pair.source), target.spell(pair.target)
    if manifest["unlabelled"] is not None:
        yield from iterate_unlabelled(folder)


def iterate_unlabelled(folder: str | Path) -> Iterator[tuple[Words, Words]]:
    """The unlabelled sentence pairs as (source, target), normalised, one after the other.

    Raises
    ------
    InputError: no prepared bitext there, or none with unlabelled text; a file missing, or changed since
        it was prepared.  Raised by the call, not by the first step.
    """
    manifest = read_manifest(folder)
    if manifest["unlabelled"] is None:
        raise InputError(
            "prepared without unlabelled text", file=folder, hint=f"prepare it again with `{_COMMAND}`"
        )
    source, target = (_verified(folder, manifest, unlabelled_file(side)) for side in SIDES)
    return stream_pairs(TextFiles(source, target, wrapper="none"))


def load_normalisers(folder: str | Path) -> tuple[Normaliser, Normaliser]:
    """How the unlabelled text was normalised, source and target.

    ``spell`` of each gives labelled words as they stand in the unlabelled text, one for one.

    Raises
    ------
    InputError: no prepared bitext there.
    """
    steps = read_manifest(folder)["normalise"]
    return Normaliser(steps["source"]), Normaliser(steps["target"])


def _verified(folder: str | Path, manifest: Mapping[str, Any], name: str) -> Path:
    """The path of a prepared file that is what it was when it was prepared."""
    return manifests.verified(Path(folder) / name, manifest["files"][name], _COMMAND)
