import numpy as np
import pytest

from advsp.corpora.bitext import SentencePair
from advsp.corpora.tokens import Normaliser
from advsp.features.bitext.featuriser import BitextFeatures
from advsp.features.bitext.link_counts import count_links
from advsp.features.bitext.sets import CONTEXT, PREDICTIONS, TASKAR, FeatureSet
from advsp.features.bitext.text_counts import TextCounts
from advsp.support.errors import InputError
from advsp.training.instances import EdgeInstances


@pytest.fixture
def plain_features(statistics):
    """Features of the groups named, without aligners."""

    def make(*groups: str) -> BitextFeatures:
        return BitextFeatures(FeatureSet(groups), statistics, count_links(statistics, [], []))

    return make


def unscaled(instances: EdgeInstances, features: BitextFeatures) -> np.ndarray:
    """The columns as they were before they were scaled."""
    scaling = features._scaling
    return instances.features * scaling.deviations + scaling.means


def assert_same(first: EdgeInstances, second: EdgeInstances) -> None:
    assert first.feature_names == second.feature_names
    for name in ("features", "labels", "offsets", "shapes"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_edges_stand_in_row_major_order(plain_features):
    pair = SentencePair(("a", "b"), ("c", "d", "e"), frozenset({(0, 2)}), frozenset({(1, 0)}))
    instances = plain_features("distance").fit([pair], {})
    distances = np.array([1 / 6, 1 / 6, 1 / 2, 2 / 3, 1 / 3, 0])
    np.testing.assert_allclose(instances.features[:, 0], (distances - distances.mean()) / distances.std())
    assert instances.labels.tolist() == [0, 0, 2, 1, 0, 0]


def test_instances_carry_the_pairs(features, pairs, predicted):
    instances = features.fit(pairs, predicted)
    assert len(instances) == 3
    assert instances.offsets.tolist() == [0, 9, 13, 14]
    assert instances.shapes.tolist() == [[3, 3], [2, 2], [1, 1]]
    assert instances.source == tuple(pair.source for pair in pairs)
    assert instances.target == tuple(pair.target for pair in pairs)
    assert instances.labels[instances.rows(0)].tolist() == [2, 0, 0, 0, 2, 0, 0, 0, 1]
    assert instances.labels[instances.rows(1)].tolist() == [0, 2, 2, 0]
    assert instances.features.dtype == np.float64
    assert instances.labels.dtype == np.int8
    assert instances.features.shape == (14, len(instances.feature_names))
    assert instances.features.flags.c_contiguous


def test_training_columns_are_standardised_and_the_bias_is_one(features, pairs, predicted):
    instances = features.fit(pairs, predicted)
    bias = instances.feature_names.index("bias")
    others = np.delete(instances.features, bias, axis=1)
    np.testing.assert_array_equal(instances.features[:, bias], 1)
    np.testing.assert_allclose(others.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(others.std(axis=0), 1)


def test_other_pairs_are_scaled_as_the_training_pairs_are(plain_features):
    features = plain_features("bias", "distance")
    features.fit([SentencePair(("a", "b"), ("c", "d"))], {})
    far = SentencePair(("a", "b", "c", "d"), ("e",))
    instances = features.transform([far], {})
    # Training distances 0, 1/2, 1/2, 0 have mean 1/4 and deviation 1/4.
    np.testing.assert_allclose(instances.features[:, 1], (np.array([3, 2, 1, 0]) / 4 - 1 / 4) * 4)


def test_columns_that_tell_nothing_are_dropped_and_named(plain_features):
    features = plain_features("bias", "dice", "orthography")
    assert features.names == features.dropped == ()
    features.fit([SentencePair(("gull", "sleeps"), ("mouette", "dort"))], {})
    assert features.names == ("bias", "dice", "common letters")
    assert features.dropped == ("same word", "same without accents", "same without vowels", "both short")


def test_transforming_the_training_pairs_gives_what_fitting_gave(features, pairs, predicted):
    fitted = features.fit(pairs, predicted)
    assert_same(features.transform(pairs, predicted), fitted)


def test_a_pair_is_transformed_the_same_in_any_company(features, pairs, predicted):
    whole = features.fit(pairs, predicted)
    alone = features.transform(pairs[1:2], {name: found[1:2] for name, found in predicted.items()})
    np.testing.assert_array_equal(alone.features, whole.features[whole.rows(1)])


def test_no_pairs_are_transformed_to_no_edges(features, pairs, predicted):
    names = features.fit(pairs, predicted).feature_names
    instances = features.transform([], {name: [] for name in predicted})
    assert instances.features.shape == (0, len(names))
    assert instances.shapes.shape == (0, 2)
    assert instances.offsets.tolist() == [0]
    assert instances.labels.shape == (0,)


def test_gold_links_do_not_show_in_the_features(features, pairs, predicted):
    fitted = features.fit(pairs, predicted)
    bare = [SentencePair(pair.source, pair.target) for pair in pairs]
    instances = features.transform(bare, predicted)
    np.testing.assert_array_equal(instances.features, fitted.features)
    assert not instances.labels.any()


def test_unknown_words_have_features(features, pairs, predicted):
    features.fit(pairs, predicted)
    unknown = [SentencePair(("never", "∅"), ("jamais",))]
    instances = features.transform(unknown, {name: [frozenset({(0, 0)})] for name in predicted})
    assert np.isfinite(instances.features).all()


def test_what_was_learnt_survives_saving(features, pairs, predicted, tmp_path):
    fitted = features.fit(pairs, predicted)
    features.save(tmp_path / "features")
    again = BitextFeatures.load(tmp_path / "features")
    assert again.feature_set == features.feature_set
    assert again.dropped == features.dropped
    assert_same(again.transform(pairs, predicted), fitted)


@pytest.fixture
def posteriors(pairs):
    """Posteriors of m for ``pairs``, as they are read."""
    draw = np.random.default_rng(0).random
    return {
        "m": [tuple(draw(pair.shape).astype(np.float32) for _ in ("forward", "reverse")) for pair in pairs]
    }


def test_posteriors_become_features(features, pairs, predicted, posteriors):
    without = features.fit(pairs, predicted).feature_names
    assert features.probable == ()
    instances = features.fit(pairs, predicted, posteriors | {"other": []})
    assert features.probable == ("m",)
    extra = [name for name in instances.feature_names if name not in without]
    assert extra == ["m log product", "m log forward", "m log reverse"]
    forward = np.concatenate([grids[0].ravel() for grids in posteriors["m"]]).astype(float)
    column = np.log(forward + 1e-3)
    found = instances.features[:, instances.feature_names.index("m log forward")]
    np.testing.assert_allclose(found, (column - column.mean()) / column.std())


def test_posteriors_are_needed_where_they_were_learnt_from(features, pairs, predicted, posteriors, tmp_path):
    fitted = features.fit(pairs, predicted, posteriors)
    features.save(tmp_path / "features")
    again = BitextFeatures.load(tmp_path / "features")
    assert again.probable == ("m",)
    assert_same(again.transform(pairs, predicted, posteriors), fitted)
    for transform in (features.transform, again.transform):
        with pytest.raises(InputError, match="no posteriors of aligner 'm', which had some in training"):
            transform(pairs, predicted)


def test_posteriors_that_were_not_learnt_from_are_not_looked_at(features, pairs, predicted, posteriors):
    fitted = features.fit(pairs, predicted)
    assert_same(features.transform(pairs, predicted, posteriors), fitted)


def test_there_are_posteriors_for_every_link(features, pairs, predicted, posteriors):
    for wrong in (posteriors["m"][:2], posteriors["m"][::-1]):
        with pytest.raises(ValueError, match="the posteriors of 'm' do not have the shapes of the sentence"):
            features.fit(pairs, predicted, {"m": wrong})


def test_transforming_leaves_what_was_learnt(features, pairs, predicted):
    features.fit(pairs, predicted)
    before = features.state()
    features.transform(pairs[:1], {name: found[:1] for name, found in predicted.items()})
    after = features.state()
    assert after.values == before.values
    for name, array in before.arrays.items():
        np.testing.assert_array_equal(after.arrays[name], array)


def test_predictions_of_every_direction_are_needed(features, pairs, predicted):
    del predicted["m.fe"]
    with pytest.raises(
        InputError, match=r"no predicted links of aligner 'm.fe' \(there are those of m.ef, solo\)"
    ):
        features.fit(pairs, predicted)
    with pytest.raises(InputError, match=r"'m.ef' \(there are none at all\)"):
        features.fit(pairs, {})


def test_predictions_of_other_aligners_are_not_looked_at(features, pairs, predicted):
    features.fit(pairs, {**predicted, "other": []})


def test_there_is_a_set_of_links_for_every_pair(features, pairs, predicted):
    with pytest.raises(ValueError, match="'solo' has links for 2 of 3 sentence pairs"):
        features.fit(pairs, {**predicted, "solo": predicted["solo"][:2]})


def test_links_lie_inside_their_pair(features, pairs, predicted):
    with pytest.raises(ValueError, match="links outside a sentence pair of 1 and 1 words"):
        features.fit(pairs, {**predicted, "solo": [frozenset(), frozenset(), frozenset({(0, 1)})]})


def test_there_must_be_pairs_to_learn_from(features):
    with pytest.raises(InputError, match="no sentence pairs to learn features from"):
        features.fit([], {"m.ef": [], "m.fe": [], "solo": []})


def test_nothing_is_transformed_or_saved_before_fitting(features, pairs, predicted):
    with pytest.raises(ValueError, match="the features were not fitted"):
        features.transform(pairs, predicted)
    with pytest.raises(ValueError, match="the features were not fitted"):
        features.state()


def test_new_pairs_are_seen_as_if_they_had_been_counted(aligners, text, pairs, predicted):
    """Counted with the others or seen as new, a pair has the same features."""
    feature_set = FeatureSet((*TASKAR, *PREDICTIONS, *CONTEXT), aligners)
    text = TextCounts.of(text, Normaliser(["lower"]), Normaliser(["lower", "accents"]))
    new = SentencePair(("the", "gull", "never", "the", "never"), ("la", "mouette", "jamais"))
    links = {name: [frozenset({(0, 0), (1, 1), (2, 2)})] for name in predicted}
    everything = [*pairs, new]

    def features(of, counted):
        counts = text.statistics((pair.source, pair.target) for pair in of)
        splits = [(pairs, predicted)] + ([([new], links)] if counted else [])
        found = BitextFeatures(feature_set, counts, count_links(counts, aligners, splits))
        found.fit(pairs, predicted)
        return found

    together = features(everything, True).transform([new], links)
    apart = features(pairs, False).knowing(text.statistics([(new.source, new.target)]))
    found = apart.transform([new], links, counted=frozenset())
    assert found.feature_names == together.feature_names
    assert unscaled(found, apart) == pytest.approx(unscaled(together, features(everything, True)))
    known = apart.transform([new], links, counted={new})
    assert unscaled(known, apart) != pytest.approx(unscaled(found, apart))
