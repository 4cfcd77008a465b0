"""Stanford NER's first-order feature templates, and the preset that makes what Stanford NER makes.

Names, boundaries and numbering follow Stanford CoreNLP 3.7.0 in its first-order configuration
(``maxLeft=1``, shape ``chris2useLC``, disjunctions to four words on either side, n-grams of up to six
characters at either end of a word).  The templates read words only, and every feature has value 1.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_matrix

from advsp.features import presets
from advsp.features.base import Preset, TaggedSentence
from advsp.features.index import FeatureIndex
from advsp.features.shape import becomes_known, known_word_shape
from advsp.support.errors import InputError
from advsp.training.instances import ChainInstances

_REACH = 4  # words that the disjunctions look at on either side
_LONGEST = 6  # characters of the longest n-gram, the marks < and > included


@lru_cache(maxsize=1 << 17)
def ngrams(word: str) -> tuple[str, ...]:
    """Template C5: the substrings of ``<word>`` of two to six characters that touch either end.

    >>> ngrams("EU")
    ('#<E#|C', '#<EU#|C', '#<EU>#|C', '#EU>#|C', '#U>#|C')
    """
    marked = f"<{word}>"
    lengths = range(2, min(_LONGEST, len(marked)) + 1)
    pieces = {marked[:length] for length in lengths} | {marked[-length:] for length in lengths}
    return tuple(sorted(f"#{piece}#|C" for piece in pieces))


def token_features(words: Sequence[str], shapes: Sequence[str]) -> Iterable[tuple[set[str], set[str]]]:
    """Node names (templates C1-C15) and edge names (E1-E9) of every token of one sentence.

    Words and shapes outside the sentence are empty, except that template E9 writes ``null`` for the
    shape after the last word.

    Parameters
    ----------
    words, shapes: n of each.
    """
    margin = [""] * _REACH
    padded, outlines = [*margin, *words, *margin], [*margin, *shapes, *margin]
    end = _REACH + len(words) - 1
    for t in range(_REACH, end + 1):
        p, w, n = padded[t - 1 : t + 2]
        ps, s, ns = outlines[t - 1 : t + 2]
        node = {
            f"{w}-WORD|C",
            f"{p}-PW|C",
            f"{n}-NW|C",
            "###|C",
            f"{s}-TYPE|C",
            f"{ps}-PTYPE|C",
            f"{ns}-NTYPE|C",
            f"{p}...{s}-PW_CTYPE|C",
            f"{s}...{n}-NW_CTYPE|C",
            f"{ps}...{s}-PCTYPE|C",
            f"{s}...{ns}-CNTYPE|C",
            f"{ps}...{s}...{ns}-PCNTYPE|C",
        }
        node.update(ngrams(w))
        node.update([f"{u}-DISJN|C" for u in padded[t + 1 : t + 1 + _REACH]])
        node.update([f"{u}-DISJP|C" for u in padded[t - _REACH : t]])
        edge = {
            "PSEQ|CpC",
            f"{w}-PSEQW|CpC",
            f"{p}-{w}-PSEQW2|CpC",
            f"{p}-PSEQpW|CpC",
            f"{ps}-PSEQpS|CpC",
            f"{s}-PSEQcS|CpC",
            f"{ps}-{s}-TYPES|CpC",
            f"{s}-TPS2|CpC",
            f"{'null' if t == end else ns}-TNS1|CpC",
        }
        yield node, edge


@presets.register("stanford")
class StanfordFeatures(Preset):
    """What Stanford NER itself makes of a corpus.

    ``fit`` reads the training sentences once, in order, and learns

    * the feature names, numbered at first appearance; within a token by code points, the suffixes
      ``|C`` and ``|CpC`` included; node and edge features apart;
    * the known lower-case words, on which the shapes depend.  A word joins them just before its own
      shape is taken, so ``The`` changes its shape once the first ``the`` has been read.

    Both are frozen then.  ``transform`` reads any sentences with what was learnt, so on the training
    sentences it gives the shapes of a reader who has seen them all.

    Attributes
    ----------
    boundary: words put before every sentence, as ordinary tokens tagged ``O``.
    known_words: whether shapes depend on known lower-case words.
    """

    boundary: tuple[str, ...] = ()
    known_words: bool = True

    def __init__(self) -> None:
        self._tag_names: tuple[str, ...] = ()
        self._known: set[str] = set()
        self._node, self._edge = FeatureIndex(), FeatureIndex()

    def fit(
        self,
        sentences: Iterable[TaggedSentence],
        tag_names: Sequence[str],
        progress: Callable[[int], None] | None = None,
    ) -> ChainInstances:
        self._tag_names = tuple(tag_names)
        self._known = set()
        self._node, self._edge = FeatureIndex(), FeatureIndex()
        instances = self._read(sentences, self._learn_shape, progress)
        self._node.freeze()
        self._edge.freeze()
        return instances

    def transform(
        self, sentences: Iterable[TaggedSentence], progress: Callable[[int], None] | None = None
    ) -> ChainInstances:
        return self._read(sentences, self._shape, progress)

    def state(self) -> dict[str, Any]:
        return {
            "tag_names": list(self._tag_names),
            "known_words": sorted(self._known),
            "node": self._node.names(),
            "edge": self._edge.names(),
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Self:
        preset = cls()
        preset._tag_names = tuple(state["tag_names"])
        preset._known = set(state["known_words"])
        preset._node, preset._edge = FeatureIndex(state["node"]), FeatureIndex(state["edge"])
        preset._node.freeze()
        preset._edge.freeze()
        return preset

    def _shape(self, word: str) -> str:
        return known_word_shape(word, self._known)

    def _learn_shape(self, word: str) -> str:
        if self.known_words and becomes_known(word):
            self._known.add(word)
        return self._shape(word)

    def _read(
        self,
        sentences: Iterable[TaggedSentence],
        shape: Callable[[str], str],
        progress: Callable[[int], None] | None,
    ) -> ChainInstances:
        """All sentences as instances; an index that is not frozen grows on the way."""
        number = {name: index for index, name in enumerate(self._tag_names)}
        node, edge = _Rows(), _Rows()
        tags, offsets = array("b"), [0]
        words: list[tuple[str, ...]] = []
        gold: list[tuple[str, ...]] = []
        for done, sentence in enumerate(sentences, 1):
            words.append((*self.boundary, *sentence.words))
            gold.append((*["O" for _ in self.boundary], *sentence.tags))
            for node_names, edge_names in token_features(words[-1], [shape(word) for word in words[-1]]):
                node.append(self._node.columns(node_names))
                edge.append(self._edge.columns(edge_names))
            for tag in gold[-1]:
                entity_class = tag if tag == "O" else tag[2:]
                if entity_class not in number:
                    problem = f"sentence {done}: class {entity_class!r} is not among the tags"
                    raise InputError(problem, hint=f"known: {', '.join(self._tag_names)}")
                tags.append(number[entity_class])
            offsets.append(len(tags))
            if progress:
                progress(done)
        return ChainInstances(
            node=node.matrix(len(self._node)),
            edge=edge.matrix(len(self._edge)),
            tags=np.array(tags, dtype=np.int8),
            offsets=np.array(offsets, dtype=np.int64),
            tag_names=self._tag_names,
            words=tuple(words),
            gold=tuple(gold),
        )


class _Rows:
    """A matrix of zeros and ones that grows row by row."""

    def __init__(self) -> None:
        self._columns, self._ends = array("i"), array("i", [0])

    def append(self, columns: list[int]) -> None:
        """Add a row with ones in ``columns``, ascending."""
        self._columns.extend(columns)
        self._ends.append(len(self._columns))

    def matrix(self, width: int) -> csr_matrix:
        """CSR [rows, width], float64."""
        columns, ends = np.array(self._columns), np.array(self._ends)
        return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(ends) - 1, width))
