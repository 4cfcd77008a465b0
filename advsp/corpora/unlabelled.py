"""Unlabelled text, normalised to agree with a labelled one, and counted on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import blake2b

from advsp.corpora.parallel_text import TextFiles, sentence_writer, stream_pairs
from advsp.corpora.tokens import Normaliser, Unseen, Words

_STEP = 1000  # pairs between two steps of a progress bar


def write_unlabelled(
    text: TextFiles,
    written: TextFiles,
    normalisers: Mapping[str, Normaliser],
    unseen: Mapping[str, Unseen],
    *,
    distinct: bool,
    progress: Callable[[int], None],
) -> dict[str, int]:
    """Write a text normalised; one pair at a time is in memory.

    Parameters
    ----------
    text, written: where it is read, and the two files where it is written; pairs with an empty side are left
        out.
    normalisers: for ``source`` and ``target``.
    unseen: for ``source`` and ``target`` the words that are looked for; they are shown the sentences written.
    distinct: leave out pairs that are repeated, word by word as they are read.
    progress: called now and then with the number of pairs just read.

    Returns
    -------
    The numbers of pairs read, left out and kept, and of kept words.
    """
    names = ("pairs", "empty", "repeated", "kept", "source_words", "target_words")
    counts = Counter(dict.fromkeys(names, 0))
    known: set[bytes] = set()
    source_file, target_file = written.paths
    with sentence_writer(source_file) as write_source, sentence_writer(target_file) as write_target:
        for raw in stream_pairs(text):
            counts["pairs"] += 1
            if counts["pairs"] % _STEP == 0:
                progress(_STEP)
            if not all(raw):
                counts["empty"] += 1
                continue
            if distinct:
                digest = _digest(raw)
                if digest in known:
                    counts["repeated"] += 1
                    continue
                known.add(digest)
            source = normalisers["source"].normalise(raw[0])
            target = normalisers["target"].normalise(raw[1])
            write_source(source)
            write_target(target)
            unseen["source"].see(source)
            unseen["target"].see(target)
            counts.update(kept=1, source_words=len(source), target_words=len(target))
    progress(counts["pairs"] % _STEP)
    return dict(counts)


def _digest(pair: tuple[Words, Words]) -> bytes:
    """Sixteen bytes that stand for a pair, where the pairs themselves would fill the memory."""
    return blake2b("\n".join(map(" ".join, pair)).encode(), digest_size=16).digest()
