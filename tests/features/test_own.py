"""Features of one's own beside a preset: what they are, token by token, and that they are kept."""

from __future__ import annotations

import json

import numpy as np
import pytest

from advsp.corpora.conll import Sentence
from advsp.features import presets
from advsp.features.own import OwnFeatures
from advsp.features.spec import FeatureSpec
from advsp.support.errors import InputError

TRAIN = [
    Sentence(("the", "gull", "sleeps"), ("O", "B-X", "O"), columns=(("DT", "NN", "VB"), ("I", "I", "O"))),
    Sentence(("gulls",), ("B-X",), columns=(("NNS",), ("I",))),
]
NEW = [Sentence(("a", "Gull"), ("O", "O"), columns=(("DT", "NN"), ("B", "O")))]
COLUMNS = ["pos", "chunk"]
NAMES = ("X", "O")


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "vectors"
    path.write_text("the 1 5\ngull 3 5\nsleeps 8 5\na 0 0\n")
    return str(path)


def made(spec: FeatureSpec, preset: str = "stanford", columns=COLUMNS) -> OwnFeatures:
    return OwnFeatures(presets.get(preset)(), spec, columns)


def added(features: OwnFeatures, instances, token: int) -> dict[str, float]:
    """Names and values of the added node features of a token."""
    names = features.state()["own"]["node"]
    first = instances.node.shape[1] - len(names)
    row = instances.node[token].toarray()[0][first:]
    return {name: value for name, value in zip(names, row, strict=True) if value}


@pytest.mark.parametrize("preset", presets.names())
def test_a_preset_stays_what_it_is(preset, vectors):
    plain = presets.get(preset)()
    spec = FeatureSpec(preset, (("pos", 1),), ("%x[0,0]", "B%x[0,1]"), vectors)
    features = made(spec, preset)
    for instances, other in (
        (plain.fit(TRAIN, NAMES), features.fit(TRAIN, NAMES)),
        (plain.transform(NEW), features.transform(NEW)),
    ):
        for name in ("node", "edge"):
            before, after = getattr(instances, name), getattr(other, name)
            assert after.shape[1] > before.shape[1]
            assert (after[:, : before.shape[1]] != before).nnz == 0
        assert (instances.tags == other.tags).all() and instances.words == other.words


def test_columns_are_looked_at_so_far_to_either_side():
    features = made(FeatureSpec("stanford", (("pos", 1), ("chunk", 0))))
    instances = features.fit(TRAIN, NAMES)
    assert added(features, instances, 0) == dict.fromkeys(
        ("pos[-1]=_B", "pos[0]=DT", "pos[1]=NN", "chunk[0]=I"), 1.0
    )
    assert added(features, features.transform(NEW), 1) == dict.fromkeys(
        # The neighbour in front is DT; nobody has seen a word of another chunk behind NN.
        ("pos[-1]=DT", "pos[0]=NN", "pos[1]=_B", "chunk[0]=O"),
        1.0,
    )


def test_templates_make_one_feature_each():
    features = made(FeatureSpec("stanford", (), ("%x[-1,0]/%x[0,pos]", "B%x[0,1]")))
    instances = features.fit(TRAIN, NAMES)
    assert added(features, instances, 1) == {"%x[-1,0]/%x[0,pos]=the/NN": 1.0}
    names = features.state()["own"]["edge"]
    assert names == ["B%x[0,1]=BDT", "B%x[0,1]=BNN", "B%x[0,1]=BVB", "B%x[0,1]=BNNS"]
    edge = instances.edge.toarray()[:, -len(names) :]
    np.testing.assert_array_equal(edge, np.eye(4))


def test_words_that_a_preset_puts_before_a_sentence_have_no_columns():
    features = made(FeatureSpec("paper", (("pos", 0),)), "paper")
    instances = features.fit(TRAIN, NAMES)
    before = len(instances.words[0]) - len(TRAIN[0].words)
    assert before > 0
    for token in range(before):
        assert added(features, instances, token) == {"pos[0]=_": 1.0}
    assert added(features, instances, before) == {"pos[0]=DT": 1.0}


def test_vectors_have_mean_0_and_deviation_1_on_the_known_training_tokens(vectors):
    features = made(FeatureSpec("stanford", vectors=vectors))
    table = features.fit(TRAIN, NAMES).node.toarray()[:, -2:]
    # gulls is unknown, and the second number is 5 at all known tokens.
    np.testing.assert_allclose(table[:3, 0], (np.array([1, 3, 8]) - 4) / np.std([1, 3, 8]))
    np.testing.assert_array_equal(table[3], 0)
    np.testing.assert_array_equal(table[:, 1], 0)
    new = features.transform(NEW).node.toarray()[:, -2:]
    np.testing.assert_allclose(new[:, 0], (np.array([0, 3]) - 4) / np.std([1, 3, 8]))


def test_what_was_learnt_is_kept(vectors):
    features = made(FeatureSpec("stanford", (("pos", 1),), ("B%x[0,1]", "%x[0,0]"), vectors))
    features.fit(TRAIN, NAMES)
    again = OwnFeatures.from_state(json.loads(json.dumps(features.state())))
    assert again.spec == features.spec
    assert again.transform(NEW) == features.transform(NEW)
    assert again.state() == features.state()


def test_vectors_that_changed_are_refused(vectors, tmp_path):
    features = made(FeatureSpec("stanford", vectors=vectors))
    features.fit(TRAIN, NAMES)
    state = features.state()
    (tmp_path / "vectors").write_text("the 1 5\n")
    with pytest.raises(InputError, match="vectors: is not what the model was trained with"):
        OwnFeatures.from_state(state)
    (tmp_path / "vectors").unlink()
    with pytest.raises(InputError, match="vectors: no such file"):
        OwnFeatures.from_state(state)


def test_what_there_is_not_is_refused(vectors, tmp_path):
    with pytest.raises(InputError, match="features.columns: the corpus has no column 'lemma'"):
        made(FeatureSpec("stanford", (("lemma", 1),)))
    with pytest.raises(InputError, match="sentences without the columns pos, chunk"):
        made(FeatureSpec("stanford", (("pos", 0),))).fit([Sentence(("a",), ("O",))], NAMES)
    (tmp_path / "vectors").write_text("tern 1\n")
    with pytest.raises(InputError, match="has none of the training words"):
        made(FeatureSpec("stanford", vectors=vectors)).fit(TRAIN, NAMES)


def test_names_of_features_tell_what_is_added_apart():
    specs = [
        FeatureSpec("stanford"),
        FeatureSpec("stanford", (("pos", 1),)),
        FeatureSpec("stanford", (("pos", 2),)),
        FeatureSpec("stanford", (), ("%x[0,0]",)),
        FeatureSpec("stanford", (), (), "v"),
    ]
    assert len({spec.name for spec in specs}) == len(specs)
    assert specs[0].name == "stanford" and FeatureSpec("a|b").name == "a~b"
