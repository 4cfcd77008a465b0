"""Taggers by scikit-learn's contract: what is fitted predicts, is set, is saved, and works in its tools."""

from __future__ import annotations

import json

import numpy as np
import pytest

import advsp
from advsp import AdversarialTagger, CrfTagger, load
from advsp.engine.measures.fbeta import FBeta
from advsp.support.errors import InputError

NAMES = ("Mira Tolen", "Ossip", "Dorrit Brandt")
PLACES = ("Ilmen", "Port Anka", "Vesterby")


def corpus(number: int) -> tuple[list[list[str]], list[list[str]]]:
    """Sentences of a person and a place, and their tags in IOB2."""
    rng = np.random.default_rng(number)
    words, tags = [], []
    for _ in range(number):
        name, place = str(rng.choice(NAMES)).split(), str(rng.choice(PLACES)).split()
        words.append([*name, "sails", "to", *place, "."])
        inside = ["I"] * 3
        tags.append(
            [f"{p}-PER" for p in ["B", *inside][: len(name)]]
            + ["O", "O"]
            + [f"{p}-LOC" for p in ["B", *inside][: len(place)]]
            + ["O"]
        )
    return words, tags


def as_words(sentences: list[list[str]]) -> list[list[str]]:
    return sentences


def described(sentences: list[list[str]]) -> list[list[dict[str, object]]]:
    """Features of every token by name."""
    return [
        [
            {
                "word": word.lower(),
                "title": word.istitle(),
                "length": len(word) / 10,
                "ends": [word[-1:], word[-2:]],
            }
            for word in words
        ]
        for words in sentences
    ]


X, Y = corpus(12)
NEW, TRUE = corpus(7)
TAGGERS = [
    CrfTagger(max_iterations=60),
    CrfTagger(max_iterations=60, scheme="iob2"),
    AdversarialTagger(passes=6),
    AdversarialTagger(passes=6, scheme="bio", rule="marginal"),
    AdversarialTagger({"name": "fbeta", "beta": 2.0}, passes=6, share=True, scheme="iob2"),
]
every = pytest.mark.parametrize("tagger", TAGGERS, ids=repr)
forms = pytest.mark.parametrize("form", [as_words, described])


def anew(tagger):
    return type(tagger)(**tagger.get_params())


@pytest.fixture(scope="module")
def fitted():
    """A tagger fitted to sentences in one of their forms, once."""
    known = {}

    def fit(tagger, form):
        if (repr(tagger), form) not in known:
            known[repr(tagger), form] = anew(tagger).fit(form(X), Y)
        return known[repr(tagger), form]

    return fit


@forms
@every
def test_what_is_learnt_is_predicted_marked_and_scored(fitted, tagger, form):
    tagger = fitted(tagger, form)
    said = tagger.predict(form(NEW))
    assert [len(tags) for tags in said] == [len(tags) for tags in TRUE]
    right = sum(a == b for tags, true in zip(said, TRUE) for a, b in zip(tags, true))
    assert right > 0.9 * sum(map(len, TRUE))
    assert 0.8 < tagger.score(form(NEW), TRUE) <= 1.0
    for sentence, tags in zip(tagger.predict_marginals(form(NEW)), TRUE, strict=True):
        assert len(sentence) == len(tags)
        for token in sentence:
            assert set(token) == set(tagger.classes_) - {"O"}
            assert all(-1e-9 <= value <= 1.0 + 1e-9 for value in token.values())


@every
def test_labels_are_the_classes_of_the_scheme_or_the_tags(fitted, tagger):
    expected = {"PER", "LOC", "O"} if tagger.scheme else {tag for tags in Y for tag in tags}
    assert set(fitted(tagger, as_words).classes_) == expected


@forms
@every
def test_saved_and_loaded_it_predicts_the_same(fitted, tagger, form, tmp_path):
    tagger = fitted(tagger, form)
    tagger.save(tmp_path / "kept")
    again = load(tmp_path / "kept")
    assert type(again) is type(tagger) and again.get_params() == tagger.get_params()
    assert again.predict(form(NEW)) == tagger.predict(form(NEW))
    assert again.predict_marginals(form(NEW)) == tagger.predict_marginals(form(NEW))
    assert not [path for path in (tmp_path / "kept").rglob("*") if path.suffix not in ("", ".json", ".npz")]


@every
def test_fitted_twice_it_is_the_same(fitted, tagger):
    assert anew(tagger).fit(X, Y).predict_marginals(NEW) == fitted(tagger, as_words).predict_marginals(NEW)


def test_tags_without_an_outside_are_learnt_too():
    kinds = [["WORD" if word.isalpha() else "MARK" for word in words] for words in X]
    for tagger in (CrfTagger(), AdversarialTagger(passes=4)):
        assert tagger.fit(X, kinds).predict([["Mira", "."]]) == [["WORD", "MARK"]]


def test_a_measure_may_be_an_object_and_is_saved_by_name(tmp_path):
    tagger = AdversarialTagger(FBeta(2.0), passes=2, scheme="iob2").fit(X, Y)
    tagger.save(tmp_path)
    kept = json.loads((tmp_path / "estimator.json").read_text())
    assert kept["parameters"]["measure"] == {"name": "fbeta", "beta": 2.0}
    assert load(tmp_path).predict(NEW) == tagger.predict(NEW)


@every
def test_parameters_are_read_and_set(tagger):
    changed = anew(tagger)
    assert changed.get_params() == tagger.get_params()
    assert changed.set_params(random_state=7) is changed and changed.random_state == 7
    with pytest.raises(ValueError, match="has no parameter 'sead'"):
        changed.set_params(sead=3)


@pytest.mark.parametrize(
    "X, y, problem",
    [
        ([["a"]], [], "1 sentence and 0 lists of tags"),
        ([], [], "no sentences to learn from"),
        (["Mira sails"], [["O"]], "sentence 1 is a text"),
        ([["a", "b"]], [["O"]], "sentence 1 has 2 tokens and 1 tag"),
        ([["a"]], [["O"]], "there is nothing to learn"),
        ([[{"x": float("nan")}]], [["B"]], "the feature x has the value nan, expected a finite number"),
        ([[{"x": None}]], [["B"]], "the feature x is a NoneType"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(X, y, problem):
    with pytest.raises(InputError, match=problem):
        CrfTagger().fit(X, y)


def test_tags_of_another_scheme_are_refused():
    with pytest.raises(InputError, match="has the prefix B-"):
        CrfTagger(scheme="io").fit(X, Y)


def test_words_do_not_fit_a_model_of_features():
    fitted = CrfTagger(max_iterations=5).fit(described(X), Y)
    with pytest.raises(InputError, match="was fitted to sentences of features of tokens"):
        fitted.predict(NEW)


def test_not_fitted_it_says_so(tmp_path):
    for call in (lambda t: t.predict(NEW), lambda t: t.save(tmp_path)):
        with pytest.raises(InputError, match="this CrfTagger is not fitted yet"):
            call(CrfTagger())
    with pytest.raises(InputError, match="estimator.json"):
        load(tmp_path)


def test_names_are_public_and_loaded_on_use():
    assert {"AdversarialTagger", "CrfTagger", "load"} <= set(advsp.__all__)


def test_scikit_learn_clones_validates_and_searches():
    base = pytest.importorskip("sklearn.base", reason="scikit-learn is not installed")
    selection = pytest.importorskip("sklearn.model_selection")
    tagger = AdversarialTagger(passes=3, scheme="iob2")
    assert base.clone(tagger).get_params() == tagger.get_params()
    scores = selection.cross_val_score(CrfTagger(max_iterations=30), X, Y, cv=3)
    assert scores.shape == (3,) and scores.min() > 0.5
    search = selection.GridSearchCV(tagger, {"step": [0.1, 0.5]}, cv=2).fit(X, Y)
    assert search.best_params_["step"] in (0.1, 0.5)
    assert len(search.predict(NEW)) == len(NEW)
