"""Sentences and tags as a user has them, made into instances: features by name or from words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_matrix

from advsp.corpora.conll import Sentence
from advsp.features import presets
from advsp.features.items import Item, ItemFeatures
from advsp.support.arrays import Ints, ranges
from advsp.support.errors import InputError
from advsp.training.instances import ChainInstances

#: One sentence: its words, or what is said of each of its tokens.
Given: TypeAlias = "Sequence[str] | Sequence[Item]"
OUTSIDE = "O"


class Features:
    """Makes instances of sentences, and remembers what it learnt from those it was fitted to.

    Parameters
    ----------
    preset: features that words are given, a registered preset.
    """

    def __init__(self, preset: str) -> None:
        self._preset_name = preset
        self._preset = presets.get(preset)()
        self._items: ItemFeatures | None = None

    def fit(self, sentences: Sequence[Given]) -> ChainInstances:
        """Unlabelled instances of sentences to learn from."""
        if _of_words(sentences):
            self._items = None
            return self._preset.fit([_plain(words) for words in sentences], (OUTSIDE,))
        self._items = ItemFeatures()
        return self._instances(sentences, self._items.fit(sentences))

    def transform(self, sentences: Sequence[Given]) -> ChainInstances:
        """Unlabelled instances of any sentences.

        Raises
        ------
        InputError: words where features were learnt from, or the other way about.
        """
        if any(map(len, sentences)) and _of_words(sentences) != (self._items is None):
            wanted = "words" if self._items is None else "features of tokens"
            raise InputError(f"the model was fitted to sentences of {wanted}, and these are others")
        if self._items is None:
            return self._preset.transform([_plain(words) for words in sentences])
        return self._instances(sentences, self._items.transform(sentences))

    def names(self) -> list[str]:
        """Names of the features of tokens, in column order."""
        if self._items is not None:
            return self._items.names()
        names: list[str] = self._preset.state()["node"]
        return names

    def state(self) -> dict[str, Any]:
        """What was learnt, for JSON."""
        if self._items is None:
            return {"preset": self._preset_name, **self._preset.state()}
        return {"items": self._items.names()}

    @classmethod
    def from_state(cls, preset: str, state: dict[str, Any]) -> Features:
        """Features that transform as those did whose ``state`` this is."""
        features = cls(preset)
        if "items" in state:
            features._items = ItemFeatures(state["items"])
        else:
            features._preset = presets.get(state["preset"]).from_state(state)
        return features

    def _instances(self, sentences: Sequence[Given], node: csr_matrix) -> ChainInstances:
        tokens, nothing = node.shape[0], tuple(("",) * len(sentence) for sentence in sentences)
        offsets = np.concatenate([[0], np.cumsum([len(s) for s in sentences], dtype=np.int64)])
        # A pair of tags has a weight; what stands at the beginning is for the features of tokens to say.
        pairs = np.ones((tokens, 1))
        pairs[offsets[:-1][np.diff(offsets) > 0]] = 0.0
        return ChainInstances(
            node=node,
            edge=csr_matrix(pairs),
            tags=np.zeros(tokens, dtype=np.int8),
            offsets=offsets,
            tag_names=(OUTSIDE,),
            words=nothing,
            gold=nothing,
        )


def own_rows(instances: ChainInstances, sentences: Sequence[Given]) -> Ints:
    """Rows int64 [k] of the sentences' own tokens: features may put words of theirs before a sentence."""
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    return ranges(instances.offsets[1:] - lengths, lengths)


def labelled(
    instances: ChainInstances,
    rows: Ints,
    labels: Sequence[str],
    names: tuple[str, ...],
    background: str,
    prefixes: str = "",
) -> ChainInstances:
    """Instances with the labels of their own tokens ``rows`` [k], of which ``names`` are all.

    Parameters
    ----------
    labels: k of them.
    background: the label of tokens that are not their own.
    prefixes: of the labels, as instances have them.
    """
    number = {name: place for place, name in enumerate(names)}
    tags = np.full(int(instances.offsets[-1]), number.get(background, len(names) - 1), dtype=np.int8)
    tags[rows] = [number[label] for label in labels]
    return replace(instances, tags=tags, tag_names=names, prefixes=prefixes)


def _of_words(sentences: Sequence[Given]) -> bool:
    """Whether tokens are words."""
    return all(isinstance(sentence[0], str) for sentence in sentences if len(sentence))


def _plain(words: Given) -> Sentence:
    return Sentence(tuple(map(str, words)), (OUTSIDE,) * len(words))
