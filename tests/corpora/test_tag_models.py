"""Tag models: classes with prefixes keep every boundary, and classes alone do not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from advsp.corpora import schemes
from advsp.corpora.tag_models import TAG_MODELS, as_modelled, merged, modelled, tag_names
from advsp.training.instances import ChainInstances

CLASSES = ("PER", "LOC")
tags = st.lists(st.sampled_from(("O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-MISC")), min_size=1, max_size=7)
#: Sentences in IOB2, as the corpora have them.
sentences = st.lists(tags.map(lambda found: tuple(schemes.to_iob2(found, "iob2"))), min_size=1, max_size=4)


def instances(gold) -> ChainInstances:
    offsets = np.cumsum([0, *map(len, gold)])
    ones = csr_matrix(np.ones((offsets[-1], 1)))
    names = {name: place for place, name in enumerate((*CLASSES, "O"))}
    numbers = [names.get(tag[2:] or tag, 2) for found in gold for tag in found]
    return ChainInstances(
        ones, ones, np.array(numbers, np.int8), offsets, (*CLASSES, "O"), tuple(gold), tuple(gold)
    )


def only_known(gold) -> list[list[str]]:
    return [[tag if tag[2:] in CLASSES else "O" for tag in found] for found in gold]


def test_names_stand_class_by_class():
    assert tag_names(("PER", "LOC", "O"), "io") == ("PER", "LOC", "O")
    assert tag_names(("PER", "O", "LOC"), "bio") == ("B-PER", "I-PER", "O", "B-LOC", "I-LOC")
    assert tag_names(("PER",), "bioes") == ("B-PER", "I-PER", "E-PER", "S-PER")


@given(sentences)
def test_prefixes_keep_every_boundary(gold):
    for model, scheme in (("bio", "iob2"), ("bioes", "bioes")):
        data = modelled(instances(gold), model)
        names = [data.tag_names[tag] for tag in data.tags]
        read = [schemes.to_iob2(names[data.rows(s)], scheme) for s in range(len(data))]
        assert [list(found) for found in read] == only_known(gold)
        assert not any(schemes.violations(names[data.rows(s)], scheme) for s in range(len(data)))


@given(sentences)
def test_a_class_is_its_tags_whatever_is_modelled(gold):
    plain = instances(gold)
    for model in TAG_MODELS:
        data = modelled(plain, model)
        for label in CLASSES:
            np.testing.assert_array_equal(data.is_of(label), plain.is_of(label))
            beginning = {data.tag_names[tag][0] for tag in data.beginning(label)}
            assert beginning == {"io": set(), "bio": {"B"}, "bioes": {"B", "S"}}[model]


@given(sentences)
def test_classes_alone_make_one_entity_of_neighbours(gold):
    plain = [as_modelled([found], (*CLASSES, "MISC"), "io") for found in gold]
    pairs = [pair for found in plain for pair in zip(["O", *found], found, strict=False)]
    runs = sum(tag not in ("O", before) for before, tag in pairs)
    assert sum(tag[0] == "B" for found in gold for tag in found) - merged(gold) == runs


@pytest.mark.parametrize("model", TAG_MODELS)
def test_what_is_modelled_stays_with_the_instances(model):
    gold = [("B-PER", "I-PER", "B-PER"), ("O",), ("B-LOC", "O")]
    data = modelled(instances(gold), model)
    assert ChainInstances.from_arrays(data.arrays()) == data
    assert ("prefixes" in data.arrays()) == (model != "io")
    for part in (data.take(np.array([2, 0])), data.joined([data, data]), data.without_texts()):
        assert (part.prefixes, part.tag_names) == (data.prefixes, data.tag_names)
