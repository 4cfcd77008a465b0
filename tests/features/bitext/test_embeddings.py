"""How alike a language model finds words: drawn vectors, and the model itself where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.features.bitext import embeddings
from advsp.features.bitext.groups import groups
from advsp.features.bitext.sets import parse_feature_set
from advsp.support.errors import InputError

REAL = embeddings.vectors


def test_columns_are_those_of_the_cosines(evidence):
    pair = evidence("the gull", "la mouette")
    columns = groups.get("embeddings")(pair)
    alike = embeddings.cosines(("the", "gull"), ("la", "mouette"))
    np.testing.assert_array_equal(columns["cosine"], alike)
    assert columns["cosine lead of source"][0, 0] == pytest.approx(alike[0, 0] - alike[0, 1])
    assert columns["cosine after"][0, 0] == alike[1, 1]
    assert columns["cosine before"][0].tolist() == [0, 0]


def test_a_word_is_asked_for_once(monkeypatch):
    asked: list[str] = []
    drawn = embeddings.vectors
    monkeypatch.setattr(embeddings, "vectors", lambda words: asked.extend(words) or drawn(words))
    embeddings.cosines(("b", "a", "b"), ("a",))
    embeddings.cosines(("a",), ("c",))
    assert asked == ["a", "b", "c"]
    assert embeddings.cosines(("a",), ("a",)) == pytest.approx(np.ones((1, 1)))


def test_without_the_package_it_is_named(monkeypatch):
    monkeypatch.setattr(embeddings, "PACKAGE", "no_such_package_anywhere")
    assert embeddings.missing() == "the package 'no_such_package_anywhere' is not installed"
    with pytest.raises(InputError) as caught:
        embeddings.version()
    assert caught.value.hint == "pip install 'advsp[embeddings]'"


def test_the_set_with_embeddings_looks_at_them():
    available = {"m.forward": ["train"], "m.reverse": ["train"]}
    assert (
        parse_feature_set("statistics+embeddings+m", available, ["train"], ["m"]).groups[-1] == "embeddings"
    )


@pytest.mark.skipif(embeddings.missing() is not None, reason=f"{embeddings.missing()} ({embeddings.INSTALL})")
def test_translations_are_alike_by_the_model(monkeypatch):
    monkeypatch.setattr(embeddings, "vectors", REAL)
    alike = embeddings.cosines(("house", "water"), ("maison", "eau"))
    assert alike[0, 0] > alike[0, 1] and alike[1, 1] > alike[1, 0]
