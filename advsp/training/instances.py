"""What a corpus becomes before it is learnt from: feature matrices and gold labellings.

Instances carry numbers, offsets and names; they know neither files nor games.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import csr_matrix, vstack

from advsp.support.arrays import Array, Bools, Floats, Ints, Labels
from advsp.support.equality import equal_by_value

#: Texts of examples: S tuples of strings.
Texts = tuple[tuple[str, ...], ...]


class Instances(ABC):
    """S labelled examples, all positions one below the other.

    Attributes
    ----------
    kind: name of the kind, which says how :meth:`arrays` are read again.
    example, position: what one of each is called.
    offsets: int64 [S + 1]; example ``s`` owns the rows ``offsets[s]:offsets[s + 1]``.
    """

    kind: ClassVar[str]
    example: ClassVar[str]
    position: ClassVar[str]
    offsets: Ints

    def __len__(self) -> int:
        """Number of examples S."""
        return len(self.offsets) - 1

    def rows(self, example: int) -> slice:
        """Rows of one example."""
        return slice(int(self.offsets[example]), int(self.offsets[example + 1]))

    @abstractmethod
    def signature(self) -> dict[str, Any]:
        """What weights learnt on these instances belong to; plain values.  Other data must agree."""

    @abstractmethod
    def feature_counts(self) -> dict[str, int]:
        """Number of features of every kind."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes that the feature matrices take."""

    @abstractmethod
    def take(self, examples: Ints) -> Self:
        """Some of the examples, int [k], in that order."""

    @abstractmethod
    def without_texts(self) -> Self:
        """The same with empty texts, which models do without."""

    @classmethod
    @abstractmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """The examples of several splits, one after the other."""

    @abstractmethod
    def arrays(self) -> dict[str, Array]:
        """Plain arrays that hold everything."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> Self:
        """The instances whose ``arrays`` these are."""

    def _taken_rows(self, examples: Ints) -> tuple[Ints, Ints]:
        """Rows of some examples and their offsets."""
        lengths = np.diff(self.offsets)[examples]
        rows = [np.arange(self.offsets[e], self.offsets[e + 1]) for e in examples]
        return np.concatenate([np.empty(0, dtype=np.int64), *rows]), _ends(lengths)


@equal_by_value
@dataclass(frozen=True)
class ChainInstances(Instances):
    """Labelled sequences with sparse features, all sentences one below the other.

    Attributes
    ----------
    node: CSR [T, F_node], float64; node (unigram) features of every token.
    edge: CSR [T, F_edge], float64; features of the transition *into* every token.
    tags: int8 [T], gold tag of every token, an index into ``tag_names``.
    offsets: int64 [S + 1]; sentence ``s`` owns the rows ``offsets[s]:offsets[s + 1]``.
    tag_names: names of the m tags, e.g. ``("PER", "LOC", "ORG", "MISC", "O")``.
    words: S tuples of words, in the order of the rows.
    gold: S tuples of IOB2 tags as the corpus has them (entity boundaries included).
    prefixes: what stands before the class in a tag's name, ``"BI"`` for B-PER and I-PER; none where tags are
        classes.
    transitions: int64 [E, 2], the pairs of tag and next tag that have weights, -1 standing before the first
        token; None where all have.
    """

    kind = "chain"
    example = "sentence"
    position = "token"

    node: csr_matrix
    edge: csr_matrix
    tags: Labels
    offsets: Ints
    tag_names: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    gold: tuple[tuple[str, ...], ...]
    prefixes: str = ""
    transitions: Ints | None = None

    def tags_of(self, label: str) -> tuple[int, ...]:
        """The tags of a class."""
        names = [f"{prefix}-{label}" for prefix in self.prefixes] or [label]
        return tuple(map(self.tag_names.index, names))

    def beginning(self, label: str) -> tuple[int, ...]:
        """Those of its tags with which an entity begins; none where tags are classes."""
        return tuple(self.tag_names.index(f"{p}-{label}") for p in self.prefixes if p in "BS")

    def is_of(self, label: str) -> Bools:
        """Whether tokens are of a class, bool [T]."""
        found: Bools = np.isin(self.tags, self.tags_of(label))
        return found

    def signature(self) -> dict[str, Any]:
        observed = {} if self.transitions is None else {"transitions": self.transitions.tolist()}
        return {"tag_names": list(self.tag_names), **observed}

    def observed(self) -> Ints:
        """The pairs of tag and next tag that occur, int64 [E, 2], ascending; -1 stands before the first."""
        before = np.concatenate([[-1], self.tags[:-1]]).astype(np.int64)
        before[self.offsets[:-1][np.diff(self.offsets) > 0]] = -1
        pairs: Ints = np.unique(np.stack([before, self.tags.astype(np.int64)], axis=1), axis=0)
        return pairs

    def feature_counts(self) -> dict[str, int]:
        return {"node": self.node.shape[1], "edge": self.edge.shape[1]}

    @property
    def nbytes(self) -> int:
        matrices: int = sum(
            array.nbytes
            for matrix in (self.node, self.edge)
            for array in (matrix.data, matrix.indices, matrix.indptr)
        )
        # Strings are held once, and a place for each where it occurs, for words and for tags.
        return matrices + 2 * 8 * int(self.offsets[-1])

    def take(self, examples: Ints) -> Self:
        rows, offsets = self._taken_rows(examples)
        return type(self)(
            self.node[rows],
            self.edge[rows],
            self.tags[rows],
            offsets,
            self.tag_names,
            tuple(self.words[e] for e in examples),
            tuple(self.gold[e] for e in examples),
            self.prefixes,
            self.transitions,
        )

    def without_texts(self) -> Self:
        return replace(self, words=((),) * len(self), gold=((),) * len(self))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        return cls(
            vstack([part.node for part in parts], format="csr"),
            vstack([part.edge for part in parts], format="csr"),
            np.concatenate([part.tags for part in parts]),
            _ends(np.concatenate([np.diff(part.offsets) for part in parts])),
            parts[0].tag_names,
            sum((part.words for part in parts), ()),
            sum((part.gold for part in parts), ()),
            parts[0].prefixes,
            parts[0].transitions,
        )

    def arrays(self) -> dict[str, Array]:
        arrays: dict[str, Array] = {
            "tags": self.tags,
            "offsets": self.offsets,
            "tag_names": np.array(self.tag_names),
            **_flat("words", self.words),
            **_flat("gold", self.gold),
        }
        if self.prefixes:
            arrays["prefixes"] = np.array(self.prefixes)
        if self.transitions is not None:
            arrays["transitions"] = self.transitions
        for name in ("node", "edge"):
            matrix = getattr(self, name)
            arrays |= {f"{name}_{part}": getattr(matrix, part) for part in ("data", "indices", "indptr")}
            arrays[f"{name}_shape"] = np.array(matrix.shape)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> Self:
        node, edge = (
            csr_matrix(
                tuple(arrays[f"{name}_{part}"] for part in ("data", "indices", "indptr")),
                shape=tuple(arrays[f"{name}_shape"]),
            )
            for name in ("node", "edge")
        )
        offsets = arrays["offsets"]
        words, gold = (_texts(arrays, name, offsets) for name in ("words", "gold"))
        names, prefixes = tuple(arrays["tag_names"].tolist()), str(arrays.get("prefixes", ""))
        transitions = arrays.get("transitions")
        return cls(node, edge, arrays["tags"], offsets, names, words, gold, prefixes, transitions)


#: What the constant feature of edges is called.
BIAS = "bias"


@equal_by_value
@dataclass(frozen=True)
class EdgeInstances(Instances):
    """Sentence pairs with features of every possible link, all pairs one below the other.

    The edges of a pair are all its (source word, target word) in row-major order.

    Attributes
    ----------
    features: float64 [T, F], of every edge.
    labels: int8 [T], gold label of every edge: 0 no link, 1 possible, 2 sure.
    offsets: int64 [S + 1]; pair ``s`` owns the rows ``offsets[s]:offsets[s + 1]``.
    shapes: int64 [S, 2], number of source and target words of every pair.
    feature_names: names of the F features; the constant feature is called :data:`BIAS`.
    source, target: S tuples of words.
    """

    kind = "edges"
    example = "pair"
    position = "edge"

    features: Floats
    labels: Labels
    offsets: Ints
    shapes: Ints
    feature_names: tuple[str, ...]
    source: tuple[tuple[str, ...], ...]
    target: tuple[tuple[str, ...], ...]

    def shape(self, example: int) -> tuple[int, int]:
        """Number of source and of target words of one pair."""
        source, target = self.shapes[example].tolist()
        return source, target

    def signature(self) -> dict[str, Any]:
        return {"feature_names": list(self.feature_names)}

    def feature_counts(self) -> dict[str, int]:
        return {"edge": self.features.shape[1]}

    @property
    def nbytes(self) -> int:
        return self.features.nbytes

    def take(self, examples: Ints) -> Self:
        rows, offsets = self._taken_rows(examples)
        return type(self)(
            self.features[rows],
            self.labels[rows],
            offsets,
            self.shapes[examples],
            self.feature_names,
            tuple(self.source[e] for e in examples),
            tuple(self.target[e] for e in examples),
        )

    def without_texts(self) -> Self:
        return replace(self, source=((),) * len(self), target=((),) * len(self))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        return cls(
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.labels for part in parts]),
            _ends(np.concatenate([np.diff(part.offsets) for part in parts])),
            np.concatenate([part.shapes for part in parts]),
            parts[0].feature_names,
            sum((part.source for part in parts), ()),
            sum((part.target for part in parts), ()),
        )

    def arrays(self) -> dict[str, Array]:
        return {
            "features": self.features,
            "labels": self.labels,
            "offsets": self.offsets,
            "shapes": self.shapes,
            "feature_names": np.array(self.feature_names),
            **_flat("source", self.source),
            **_flat("target", self.target),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> Self:
        source, target = (
            _texts(arrays, side, _ends(arrays["shapes"][:, column]))
            for column, side in enumerate(("source", "target"))
        )
        features, labels, offsets, shapes = (
            arrays[name] for name in ("features", "labels", "offsets", "shapes")
        )
        names = tuple(arrays["feature_names"].tolist())
        return cls(features, labels, offsets, shapes, names, source, target)


#: Kinds of instances by name.
KINDS: dict[str, type[Instances]] = {kind.kind: kind for kind in (ChainInstances, EdgeInstances)}


def _ends(lengths: Ints) -> Ints:
    """Where examples of these lengths begin, and where the last one ends, int64 [S + 1]."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _flat(name: str, texts: Texts) -> dict[str, Array]:
    """All strings as two arrays: their characters in UTF-8, one after the other, and their lengths.

    An array of strings would give every one of them the space of the longest.
    """
    strings = [text for example in texts for text in example]
    characters = "".join(strings).encode("utf-8", "surrogatepass")
    lengths = np.fromiter(map(len, strings), np.int32, len(strings))
    return {name: np.frombuffer(characters, dtype=np.uint8), f"{name}_lengths": lengths}


def _texts(arrays: Mapping[str, Array], name: str, ends: Ints) -> Texts:
    """The texts of which :func:`_flat` made two arrays; strings that are equal are one."""
    characters = arrays[name].tobytes().decode("utf-8", "surrogatepass")
    places = np.concatenate([[0], np.cumsum(arrays[f"{name}_lengths"], dtype=np.int64)]).tolist()
    known: dict[str, str] = {}
    strings = [
        known.setdefault(text, text) for text in (characters[a:b] for a, b in zip(places[:-1], places[1:]))
    ]
    return tuple(tuple(strings[a:b]) for a, b in zip(ends[:-1].tolist(), ends[1:].tolist()))
