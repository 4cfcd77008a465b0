"""Where entities begin, from what a learner says of the tags of a class."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.corpora.tag_models import PREFIXES, tag_names
from advsp.engine.settings import Engine
from advsp.learners.adversarial import Adversarial
from advsp.learners.base import Decoded
from advsp.learners.beginnings import beginnings, begins
from advsp.learners.crf import CRF
from advsp.training.instances import ChainInstances

ENGINE = Engine(lp="linprog", oracle="numpy")


def prefixed(model: str) -> ChainInstances:
    """Toy sentences whose tags have prefixes; which tag stands where is of no use here."""
    bare = toy_instances(lengths=(4, 3, 1))
    names = tag_names(("PER", "O"), model)
    return replace(bare, tag_names=names, tags=bare.tags % len(names), prefixes=PREFIXES[model])


def weights(model) -> np.ndarray:
    return np.random.default_rng(7).normal(size=model.size)


def test_an_entity_begins_where_that_is_more_probable_than_that_it_goes_on():
    data = prefixed("bioes")
    assert data.tag_names == ("B-PER", "I-PER", "E-PER", "S-PER", "O")
    rows = [[0.2, 0.3, 0.0, 0.2, 0.3], [0.2, 0.3, 0.2, 0.2, 0.1], [0.0, 0.0, 0.0, 0.0, 1.0]]
    assert begins(data, "PER", np.array(rows)).tolist() == [True, False, False]
    assert begins(toy_instances(), "PER", np.empty((9, 0))) is None


def test_classes_without_prefixes_are_left_out():
    said = Decoded(np.ones(2, bool), np.ones(2))
    assert beginnings({"PER": said, "LOC": replace(said, begins=np.ones(2, bool))}).keys() == {"LOC"}


@pytest.mark.parametrize("tags", ["bio", "bioes"])
def test_the_adversary_says_where_entities_begin(tags):
    learner, data = Adversarial(warm=False), prefixed(tags)
    model = learner.model(data)
    found = learner.decode(model, weights(model), ["PER"], ENGINE, 1e-9)["PER"]
    loss = learner.loss(model, ["PER"], ENGINE)
    table = model.all_potentials(weights(model))
    for sentence in range(len(data)):
        rows = data.rows(sentence)
        (game,) = loss.games(sentence, table[rows])
        mixture = loss.backend.solve(game, 1e-9).adversary
        first = sum(mixture.marginal(tag) for tag in data.beginning("PER"))
        later = sum(mixture.marginal(tag) for tag in set(data.tags_of("PER")) - set(data.beginning("PER")))
        np.testing.assert_array_equal(found.begins[rows], first > later)


@pytest.mark.parametrize("tags", ["bio", "bioes"])
def test_the_best_sequence_of_a_crf_says_where_its_entities_begin(tags):
    learner, data = CRF(start="own"), prefixed(tags)
    model = learner.model(data)
    found = learner.decode(model, weights(model), ["PER"], ENGINE, 1e-9)["PER"]
    # A tag by itself is what the same learner calls a class where tags have no prefixes.
    alone = learner.decode(
        learner.model(replace(data, prefixes="")), weights(model), data.tag_names, ENGINE, 1e-9
    )
    best = np.array([alone[name].mode for name in data.tag_names]).argmax(axis=0)
    np.testing.assert_array_equal(found.mode, np.isin(best, data.tags_of("PER")))
    np.testing.assert_array_equal(found.begins[found.mode], np.isin(best, data.beginning("PER"))[found.mode])
    probable = sum(alone[data.tag_names[tag]].marginal for tag in data.tags_of("PER"))
    np.testing.assert_allclose(found.marginal, probable)
