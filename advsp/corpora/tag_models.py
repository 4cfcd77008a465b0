"""What the labels of a chain are: classes, or classes with prefixes that say where entities begin and end.

====== ====================================================================================
io     a label a class; neighbours of one class are one entity (as in the paper)
bio    ``B-X`` where an entity begins, ``I-X`` where it goes on
bioes  ``B-X``, ``I-X``, ``E-X`` where it ends, and ``S-X`` for an entity of one word
====== ====================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from advsp.corpora.runs import of_tags, to_tags
from advsp.corpora.schemes import OUTSIDE
from advsp.training.instances import ChainInstances

TagModel = Literal["io", "bio", "bioes"]
TAG_MODELS: tuple[TagModel, ...] = get_args(TagModel)
#: Which pairs of neighbouring tags edge features have weights for: all, or those that training shows.
EdgeWeights = Literal["all", "observed"]

#: The prefixes of every model, and the scheme that has them.
PREFIXES: dict[TagModel, str] = {"io": "", "bio": "BI", "bioes": "BIES"}
_SCHEMES = {"bio": "iob2", "bioes": "bioes"}


def modelled(instances: ChainInstances, model: TagModel) -> ChainInstances:
    """Instances whose tags are classes as those of a tag model.

    >>> import scipy.sparse
    >>> ones = scipy.sparse.csr_matrix(np.ones((3, 1)))
    >>> words, gold = (("he", "saw", "Oslo"),), (("O", "O", "B-LOC"),)
    >>> tags, ends = np.array([1, 1, 0], np.int8), np.array([0, 3])
    >>> plain = ChainInstances(ones, ones, tags, ends, ("LOC", "O"), words, gold)
    >>> found = modelled(plain, "bio")
    >>> found.tag_names, found.tags.tolist()
    (('B-LOC', 'I-LOC', 'O'), [2, 2, 0])
    """
    if model == "io":
        return instances
    classes = [name for name in instances.tag_names if name != OUTSIDE]
    names = tag_names(instances.tag_names, model)
    number = {name: place for place, name in enumerate(names)}
    tags = [number[tag] for tag in as_modelled(instances.gold, classes, model)]
    return replace(instances, tags=np.array(tags, dtype=np.int8), tag_names=names, prefixes=PREFIXES[model])


def as_modelled(sentences: Sequence[Sequence[str]], classes: Sequence[str], model: TagModel) -> list[str]:
    """The labels of all tokens, one sentence after the other; of other classes they are O.

    sentences: tags in IOB2.
    """
    offsets = np.concatenate([[0], np.cumsum([len(tags) for tags in sentences], dtype=np.int64)])
    runs = of_tags(sentences, classes, offsets)
    if model == "io":
        return [OUTSIDE if number < 0 else classes[number] for number in runs.classes.tolist()]
    return to_tags(runs, classes, offsets, _SCHEMES[model])


def tag_names(classes: Sequence[str], model: TagModel) -> tuple[str, ...]:
    """The tags of a model, class by class; O, if it is among the classes, stands where it stood."""
    prefixes = PREFIXES[model]
    return tuple(
        name
        for label in classes
        for name in ([f"{p}-{label}" for p in prefixes] if prefixes and label != OUTSIDE else [label])
    )


def merged(sentences: Iterable[Sequence[str]]) -> int:
    """Entities that begin where another one of their class ends: ``io`` does not part them.

    sentences: tags in IOB2.
    """
    return sum(
        tag[0] == "B" and before[1:] == tag[1:]
        for tags in sentences
        for before, tag in zip(tags, tags[1:], strict=False)
    )
