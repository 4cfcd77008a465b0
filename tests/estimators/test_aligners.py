"""An aligner by scikit-learn's contract: pairs in, links out."""

from __future__ import annotations

import numpy as np
import pytest
import tiny_bitext

from advsp import AdversarialAligner, load
from advsp.engine.measures.fbeta import FBeta
from advsp.support.errors import InputError


def pairs(split: str) -> list[tuple[list[str], list[str]]]:
    lines = tiny_bitext.lines(tiny_bitext.PAIRS[split])
    return [(source.split(), target.split()) for source, target, _ in lines]


def gold(split: str) -> list[tuple[set, set]]:
    return [(set(sure), set(possible)) for sure, possible in tiny_bitext.gold(split)]


TEXT = [(source.split(), target.split()) for source, target in tiny_bitext.lines(tiny_bitext.UNLABELLED)] * 3
X, Y, NEW, TRUE = pairs("train"), gold("train"), pairs("test"), gold("test")
ALIGNERS = [
    AdversarialAligner(text=TEXT, passes=5),
    AdversarialAligner(agreement=False, passes=5, possible="label"),
    AdversarialAligner(text=TEXT, features="everything", measure="fbeta", passes=3),
]
every = pytest.mark.parametrize("aligner", ALIGNERS, ids=["agreement", "words", "everything"])


def anew(aligner: AdversarialAligner) -> AdversarialAligner:
    return AdversarialAligner(**aligner.get_params())


@pytest.fixture(scope="module")
def fitted():
    known = {}

    def fit(aligner):
        if id(aligner) not in known:
            known[id(aligner)] = anew(aligner).fit(X, Y)
        return known[id(aligner)]

    return fit


@every
def test_links_lie_in_their_pairs_and_are_scored(fitted, aligner):
    aligner = fitted(aligner)
    assert aligner.score(X, Y) > 0.6
    for links, marginals, (source, target) in zip(
        aligner.predict(NEW), aligner.predict_marginals(NEW), NEW, strict=True
    ):
        assert marginals.shape == (len(source), len(target))
        assert (marginals >= -1e-9).all() and (marginals <= 1 + 1e-9).all()
        assert all(0 <= i < len(source) and 0 <= j < len(target) for i, j in links)
    assert 0.0 <= aligner.score(NEW, TRUE) <= 1.0
    assert aligner.score(NEW, aligner.predict(NEW)) == 1.0


@every
def test_saved_and_loaded_it_predicts_the_same(fitted, aligner, tmp_path):
    aligner = fitted(aligner)
    aligner.save(tmp_path)
    again = load(tmp_path)
    assert again.get_params() == {**aligner.get_params(), "text": None}
    strange = [(["unheard", "gulls"], ["mouettes", "inouies"])]
    for given in (X, NEW, strange):
        assert again.predict(given) == aligner.predict(given)
        for first, second in zip(
            again.predict_marginals(given), aligner.predict_marginals(given), strict=True
        ):
            np.testing.assert_array_equal(first, second)
    assert not [path for path in tmp_path.rglob("*") if path.suffix not in ("", ".json", ".npz")]


def test_a_measure_may_be_an_object_and_is_saved_by_name(tmp_path):
    aligner = AdversarialAligner(agreement=False, measure=FBeta(2.0), passes=1).fit(X, Y)
    aligner.save(tmp_path)
    again = load(tmp_path)
    assert again.measure == {"name": "fbeta", "beta": 2.0}
    assert again.predict(NEW) == aligner.predict(NEW)


def test_links_of_other_aligners_are_looked_at():
    def with_links(split):
        links = [tiny_bitext.ALIGNERS[name][split] for name in ("m.ef", "m.fe")]
        return [
            (*pair, {"m.ef": tiny_bitext.links_of(forth), "m.fe": tiny_bitext.links_of(back)})
            for pair, forth, back in zip(pairs(split), *links, strict=True)
        ]

    aligner = AdversarialAligner(agreement=False, features="everything", passes=3).fit(with_links("train"), Y)
    assert len(aligner.predict(with_links("test"))) == len(NEW)
    with pytest.raises(InputError, match="no predicted links of aligner 'm.ef'"):
        aligner.predict(NEW)
    with pytest.raises(InputError, match="pair 2 has no links of aligner 'm.ef', which others have"):
        AdversarialAligner().fit([with_links("train")[0], X[1]], Y[:2])


def test_sure_links_alone_may_be_a_set_or_a_list():
    as_sets = AdversarialAligner(agreement=False, passes=1).fit(X, [sure for sure, _ in Y])
    as_lists = AdversarialAligner(agreement=False, passes=1).fit(X, [sorted(sure) for sure, _ in Y])
    assert as_sets.predict(NEW) == as_lists.predict(NEW)


@pytest.mark.parametrize(
    "X, y, problem",
    [
        ([], [], "there are no sentence pairs to learn from"),
        ([(["a"], ["b"])], [], "1 pair and 0 sets of links"),
        (["ab"], [set()], "pair 1 is no pair of sentences"),
        ([("a b", "c d")], [set()], "pair 1 is no pair of sentences"),
        ([(["a"], [])], [set()], "pair 1 has a side without words"),
        ([(["a"], ["b"])], [{(0, 1)}], r"pair 1: link \(0, 1\) lies outside its 1 and 1 word"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(X, y, problem):
    with pytest.raises(InputError, match=problem):
        AdversarialAligner().fit(X, y)


def test_not_fitted_it_says_so(tmp_path):
    for call in (lambda a: a.predict(NEW), lambda a: a.save(tmp_path)):
        with pytest.raises(InputError, match="this AdversarialAligner is not fitted yet"):
            call(AdversarialAligner())


def test_scikit_learn_clones_and_validates():
    base = pytest.importorskip("sklearn.base", reason="scikit-learn is not installed")
    selection = pytest.importorskip("sklearn.model_selection")
    aligner = AdversarialAligner(agreement=False, passes=2)
    assert base.clone(aligner).get_params() == aligner.get_params()
    scores = selection.cross_val_score(aligner, X, Y, cv=2)
    assert scores.shape == (2,) and (scores >= 0).all()
    search = selection.GridSearchCV(aligner, {"l2": [1.0, 10.0]}, cv=2).fit(X, Y)
    assert search.best_params_["l2"] in (1.0, 10.0)
