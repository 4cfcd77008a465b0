"""Features of the user's own beside those of a preset: columns, templates, and vectors of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_matrix, hstack

from advsp.corpora.conll import NOTHING
from advsp.corpora.word_vectors import WordVectors, read_vectors
from advsp.features import presets
from advsp.features.base import Preset, TaggedSentence
from advsp.features.index import FeatureIndex
from advsp.features.lookup import Lookup
from advsp.features.spec import FeatureSpec
from advsp.features.template_syntax import WORD, column_template, of_transition, parse_template
from advsp.support.arrays import Floats, Ints
from advsp.support.errors import InputError
from advsp.support.files import sha256
from advsp.training.instances import ChainInstances

#: Below this a number of the vectors is the same at all tokens.
_SAME = 1e-12


class OwnFeatures(Preset):
    """A preset, and features beside it: first those of the preset, then columns, templates, vectors.

    Parameters
    ----------
    base: the preset.
    spec: what is added to it.
    columns: names of the further columns that sentences have, in their order.

    Raises
    ------
    InputError: a column that there is not, a template that cannot be read.
    """

    def __init__(self, base: Preset, spec: FeatureSpec, columns: Sequence[str]) -> None:
        self.base, self.spec, self.columns = base, spec, tuple(columns)
        for name, _ in spec.columns:
            if name not in columns:
                known = ", ".join(columns) or "none"
                hint = f"it has {known}; name it when the corpus is prepared: columns: {{{name}: NUMBER}}"
                raise InputError(f"the corpus has no column {name!r}", key="features.columns", hint=hint)
        node = [
            column_template(name, offset)
            for name, reach in spec.columns
            for offset in range(-reach, reach + 1)
        ]
        node += [parse_template(text, columns) for text in spec.templates if not of_transition(text)]
        edge = [parse_template(text, columns) for text in spec.templates if of_transition(text)]
        self._templates = node, edge
        self._use(FeatureIndex(), FeatureIndex())
        self._vectors: WordVectors | None = None
        self._scale: tuple[Floats, Floats] = np.empty(0), np.empty(0)

    def fit(
        self,
        sentences: Iterable[TaggedSentence],
        tag_names: Sequence[str],
        progress: Callable[[int], None] | None = None,
    ) -> ChainInstances:
        sentences = list(sentences)
        instances = self.base.fit(sentences, tag_names, progress)
        self._use(FeatureIndex(), FeatureIndex())
        node, edge = self._lookup.matrices(self._read(sentences, instances))
        for index in self._indices:
            index.freeze()
        if self.spec.vectors is not None:
            self._vectors = read_vectors(Path(self.spec.vectors))
            self._scale = self._scaling(instances)
        return self._joined(instances, node, edge)

    def transform(
        self, sentences: Iterable[TaggedSentence], progress: Callable[[int], None] | None = None
    ) -> ChainInstances:
        sentences = list(sentences)
        instances = self.base.transform(sentences, progress)
        node, edge = self._lookup.matrices(self._read(sentences, instances))
        return self._joined(instances, node, edge)

    def state(self) -> dict[str, Any]:
        mean, deviation = self._scale
        added: dict[str, Any] = {
            "columns": [list(column) for column in self.spec.columns],
            "templates": list(self.spec.templates),
            "corpus_columns": list(self.columns),
            "node": self._indices[0].names(),
            "edge": self._indices[1].names(),
        }
        if self.spec.vectors is not None:
            file = Path(self.spec.vectors)
            added["vectors"] = {
                "file": str(file),
                "sha256": sha256(file),
                "mean": mean.tolist(),
                "deviation": deviation.tolist(),
            }
        return {**self.base.state(), "preset": self.spec.preset, "own": added}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Self:
        """Features that transform as those did whose ``state`` this is.

        Raises
        ------
        InputError: the file of the vectors is not there, or another one.
        """
        added, preset = state["own"], state["preset"]
        base = presets.get(preset).from_state(state)
        vectors = added.get("vectors")
        spec = FeatureSpec(
            preset,
            tuple((name, reach) for name, reach in added["columns"]),
            tuple(added["templates"]),
            vectors and vectors["file"],
        )
        features = cls(base, spec, added["corpus_columns"])
        node, edge = FeatureIndex(added["node"]), FeatureIndex(added["edge"])
        features._use(node, edge)
        for index in (node, edge):
            index.freeze()
        if vectors:
            file = Path(vectors["file"])
            if not file.exists() or sha256(file) != vectors["sha256"]:
                problem = "no such file" if not file.exists() else "is not what the model was trained with"
                raise InputError(problem, file=file, hint="it holds the word vectors that the features need")
            features._vectors = read_vectors(file)
            features._scale = np.array(vectors["mean"]), np.array(vectors["deviation"])
        return features

    def _use(self, node: FeatureIndex, edge: FeatureIndex) -> None:
        self._indices = node, edge
        self._lookup = Lookup(self._templates, self._indices)

    def _read(
        self, sentences: Sequence[TaggedSentence], instances: ChainInstances
    ) -> list[dict[str, Sequence[str]]]:
        """What templates read; presets may have put words of theirs before a sentence."""
        read: list[dict[str, Sequence[str]]] = []
        for sentence, words in zip(sentences, instances.words, strict=True):
            before = (NOTHING,) * (len(words) - len(sentence.words))
            values = getattr(sentence, "columns", ())
            if len(values) != len(self.columns):
                raise InputError(f"sentences without the columns {', '.join(self.columns)}")
            more = {name: (*before, *column) for name, column in zip(self.columns, values, strict=True)}
            read.append({WORD: words, **more})
        return read

    def _joined(self, instances: ChainInstances, node: csr_matrix, edge: csr_matrix) -> ChainInstances:
        """Instances with the features of the templates, and with vectors."""
        parts = [instances.node, node]
        if self._vectors is not None:
            parts.append(csr_matrix(self._standardised(self._vectors, instances)))
        return ChainInstances(
            hstack(parts, format="csr"),
            hstack([instances.edge, edge], format="csr"),
            instances.tags,
            instances.offsets,
            instances.tag_names,
            instances.words,
            instances.gold,
        )

    def _scaling(self, instances: ChainInstances) -> tuple[Floats, Floats]:
        """Mean and standard deviation of every number over the known training tokens."""
        assert self._vectors is not None
        rows = _rows(self._vectors, instances)
        if not (rows >= 0).any():
            raise InputError("has none of the training words", file=self.spec.vectors, key="features.vectors")
        table = self._vectors.table[rows[rows >= 0]].astype(np.float64)
        deviation = table.std(axis=0)
        return table.mean(axis=0), np.where(deviation > _SAME, deviation, 1.0)

    def _standardised(self, vectors: WordVectors, instances: ChainInstances) -> Floats:
        """float64 [T, d]; unknown words have zeros, which is the mean."""
        rows = _rows(vectors, instances)
        mean, deviation = self._scale
        table = np.zeros((len(rows), len(mean)))
        known = rows >= 0
        table[known] = (vectors.table[rows[known]] - mean) / deviation
        return table


def _rows(vectors: WordVectors, instances: ChainInstances) -> Ints:
    return vectors.rows([word for words in instances.words for word in words])
