"""Stanford NER's first-order feature templates, and the preset that makes what Stanford NER makes.

Names, boundaries and numbering follow Stanford CoreNLP 3.7.0 in its first-order configuration
(``maxLeft=1``, shape ``chris2useLC``, disjunctions to four words on either side, n-grams of up to six
characters at either end of a word).  The templates read words only, and every feature has value 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import csr_matrix

from advsp.features import presets
from advsp.features.base import Preset, TaggedSentence
from advsp.features.index import FeatureIndex, by_appearance
from advsp.features.lookup import Lookup
from advsp.features.shape import becomes_known, known_word_shape
from advsp.features.templates import Expansion, Pattern, Template, Value
from advsp.support.arrays import Ints, ShortInts
from advsp.support.errors import InputError
from advsp.training.instances import ChainInstances

#: Words that the disjunctions look at on either side.
_REACH = 4
#: Characters of the longest n-gram, the marks < and > included.
_LONGEST = 6
#: Sentences that are looked up at a time.
_BATCH = 2000


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


def _words(pattern: str, *offsets: int) -> Pattern:
    return Pattern(pattern, tuple(Value("word", offset) for offset in offsets))


def _shapes(pattern: str, *offsets: int) -> Pattern:
    return Pattern(pattern, tuple(Value("shape", offset) for offset in offsets))


#: Templates C1-C15.  Words and shapes outside the sentence are empty.
NODE_TEMPLATES: tuple[Template, ...] = (
    _words("%s-WORD|C", 0),
    _words("%s-PW|C", -1),
    _words("%s-NW|C", 1),
    Pattern("###|C"),
    Expansion(ngrams, Value("word")),
    _shapes("%s-TYPE|C", 0),
    _shapes("%s-PTYPE|C", -1),
    _shapes("%s-NTYPE|C", 1),
    Pattern("%s...%s-PW_CTYPE|C", (Value("word", -1), Value("shape"))),
    Pattern("%s...%s-NW_CTYPE|C", (Value("shape"), Value("word", 1))),
    _shapes("%s...%s-PCTYPE|C", -1, 0),
    _shapes("%s...%s-CNTYPE|C", 0, 1),
    _shapes("%s...%s...%s-PCNTYPE|C", -1, 0, 1),
    *(_words("%s-DISJN|C", offset) for offset in range(1, _REACH + 1)),
    *(_words("%s-DISJP|C", -offset) for offset in range(1, _REACH + 1)),
)

#: Templates E1-E9.  The last one writes ``null`` for the shape after the last word.
EDGE_TEMPLATES: tuple[Template, ...] = (
    Pattern("PSEQ|CpC"),
    _words("%s-PSEQW|CpC", 0),
    _words("%s-%s-PSEQW2|CpC", -1, 0),
    _words("%s-PSEQpW|CpC", -1),
    _shapes("%s-PSEQpS|CpC", -1),
    _shapes("%s-PSEQcS|CpC", 0),
    _shapes("%s-%s-TYPES|CpC", -1, 0),
    _shapes("%s-TPS2|CpC", 0),
    Pattern("%s-TNS1|CpC", (Value("shape", 1, outside="null"),)),
)


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
    node_templates, edge_templates: what features are made by; a preset that has others says which.
    """

    boundary: tuple[str, ...] = ()
    known_words: bool = True
    node_templates: tuple[Template, ...] = NODE_TEMPLATES
    edge_templates: tuple[Template, ...] = EDGE_TEMPLATES

    def __init__(self) -> None:
        self._tag_names: tuple[str, ...] = ()
        self._known: set[str] = set()
        self._use(FeatureIndex(), FeatureIndex())

    def fit(
        self,
        sentences: Iterable[TaggedSentence],
        tag_names: Sequence[str],
        progress: Callable[[int], None] | None = None,
    ) -> ChainInstances:
        self._tag_names = tuple(tag_names)
        self._known = set()
        self._use(FeatureIndex(), FeatureIndex())
        read, node, edge = self._read(self._checked(sentences), self._learn_shape, progress)
        node_index, node = by_appearance(self._node.names(), node)
        edge_index, edge = by_appearance(self._edge.names(), edge)
        self._use(node_index, edge_index)
        return self._instances(read, node, edge)

    def transform(
        self, sentences: Iterable[TaggedSentence], progress: Callable[[int], None] | None = None
    ) -> ChainInstances:
        return self._instances(*self._read(sentences, self._shape, progress))

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
        indices = FeatureIndex(state["node"]), FeatureIndex(state["edge"])
        for index in indices:
            index.freeze()
        preset._use(*indices)
        return preset

    def _use(self, node: FeatureIndex, edge: FeatureIndex) -> None:
        """Features have these columns from now on."""
        self._node, self._edge = node, edge
        self._lookup = Lookup((self.node_templates, self.edge_templates), (node, edge))

    def _shape(self, word: str) -> str:
        return known_word_shape(word, self._known)

    def _learn_shape(self, word: str) -> str:
        if self.known_words and becomes_known(word):
            self._known.add(word)
        return self._shape(word)

    def _checked(self, sentences: Iterable[TaggedSentence]) -> Iterator[TaggedSentence]:
        """Sentences to learn from; those with a class that there is no tag for are refused."""
        for number, sentence in enumerate(sentences, 1):
            for tag in sentence.tags:
                if (tag[2:] or tag) not in self._tag_names:
                    problem = f"sentence {number}: class {tag[2:]!r} is not among the tags"
                    raise InputError(problem, hint=f"known: {', '.join(self._tag_names)}")
            yield sentence

    def _read(
        self,
        sentences: Iterable[TaggedSentence],
        shape: Callable[[str], str],
        progress: Callable[[int], None] | None,
    ) -> tuple[list[TaggedSentence], csr_matrix, csr_matrix]:
        """All sentences, and their node and edge features."""
        read: list[TaggedSentence] = []
        parts = [_patterns(self._lookup.matrices([]))]
        left = iter(sentences)
        while batch := list(islice(left, _BATCH)):
            columns = [self._columns(sentence, shape) for sentence in batch]
            parts.append(_patterns(self._lookup.matrices(columns)))
            read += batch
            if progress:
                progress(len(read))
        width = len(self._node), len(self._edge)
        edges = [edge for _, edge in parts]
        nodes = [node for node, _ in parts]
        parts.clear()
        return read, _stacked(nodes, width[0]), _stacked(edges, width[1])

    def _columns(self, sentence: TaggedSentence, shape: Callable[[str], str]) -> dict[str, Sequence[str]]:
        """What the templates read of a sentence."""
        words = (*self.boundary, *sentence.words)
        return {"word": words, "shape": [shape(word) for word in words]}

    def _instances(
        self, sentences: Sequence[TaggedSentence], node: csr_matrix, edge: csr_matrix
    ) -> ChainInstances:
        """Sentences as instances, with these features."""
        before = ("O",) * len(self.boundary)
        words = tuple((*self.boundary, *sentence.words) for sentence in sentences)
        gold = tuple((*before, *sentence.tags) for sentence in sentences)
        number = {name: index for index, name in enumerate(self._tag_names)}
        # A class that was not there to be learnt from is none of the targets.
        outside = number["O"]
        tags = [number.get(tag[2:] or tag, outside) for tags in gold for tag in tags]
        return ChainInstances(
            node=node,
            edge=edge,
            tags=np.array(tags, dtype=np.int8),
            offsets=np.concatenate([[0], np.cumsum(list(map(len, words)))]).astype(np.int64),
            tag_names=self._tag_names,
            words=words,
            gold=gold,
        )


class _Ones(NamedTuple):
    """Where a matrix [T, F] has ones: ends int [T + 1] of its rows' parts of the columns int32."""

    ends: Ints
    columns: ShortInts


def _patterns(matrices: Iterable[csr_matrix]) -> list[_Ones]:
    """Where matrices of ones and zeros have ones: all of the ones would be two thirds of their memory."""
    return [_Ones(matrix.indptr, matrix.indices) for matrix in matrices]


def _stacked(patterns: list[_Ones], width: int) -> csr_matrix:
    """The matrix [T, width] of patterns one below the other, which are used up, one by one."""
    ends = np.cumsum([0, *(len(ones.columns) for ones in patterns)])
    rows = np.cumsum([0, *(len(ones.ends) - 1 for ones in patterns)])
    index = np.int32 if ends[-1] <= np.iinfo(np.int32).max else np.int64
    indices, indptr = np.empty(ends[-1], dtype=index), np.zeros(rows[-1] + 1, dtype=index)
    patterns.reverse()
    for number in range(len(patterns)):
        ones = patterns.pop()
        indices[ends[number] : ends[number + 1]] = ones.columns
        indptr[rows[number] + 1 : rows[number + 1] + 1] = ones.ends[1:] + ends[number]
    return csr_matrix((np.ones(ends[-1]), indices, indptr), shape=(rows[-1], width))
