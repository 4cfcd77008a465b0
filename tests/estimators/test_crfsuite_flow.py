"""What users of other CRF packages do: features as mappings, their parameters, searches, and a look inside.

On the sample corpus, beside CRFsuite itself where it is installed.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from advsp import CrfTagger
from advsp.corpora.conll import read_columns
from advsp.support.errors import InputError

SAMPLE = Path(__file__).parents[2] / "data/sample/conll"
Sentences = tuple[list[list[dict[str, object]]], list[list[str]]]


def token_features(words: tuple[str, ...], place: int) -> dict[str, object]:
    """What a token looks like, and its neighbours."""
    found: dict[str, object] = {
        "bias": 1.0,
        "lower": words[place].lower(),
        "ending": words[place][-3:],
        "upper": words[place].isupper(),
        "title": words[place].istitle(),
        "digit": words[place].isdigit(),
    }
    for name, other in (("before", place - 1), ("after", place + 1)):
        if 0 <= other < len(words):
            found |= {f"{name}:lower": words[other].lower(), f"{name}:title": words[other].istitle()}
        else:
            found[f"nothing {name}"] = True
    return found


def read(split: str, number: int) -> Sentences:
    sentences = read_columns(SAMPLE / f"sample.{split}").sentences[:number]
    X = [[token_features(one.words, t) for t in range(len(one.words))] for one in sentences]
    return X, [list(one.tags) for one in sentences]


@pytest.fixture(scope="module")
def corpus() -> tuple[Sentences, Sentences]:
    return read("train", 400), read("testb", 200)


@pytest.fixture(scope="module")
def fitted(corpus) -> CrfTagger:
    (X, y), _ = corpus
    return CrfTagger(
        algorithm="lbfgs", c1=0.1, c2=0.1, max_iterations=100, all_possible_transitions=True
    ).fit(X, y)


def weighted_f1(true: list[list[str]], said: list[list[str]], labels: list[str]) -> float:
    """Mean F1 of the labels, weighted by how often they are true."""
    pairs = Counter((a, b) for t, s in zip(true, said, strict=True) for a, b in zip(t, s, strict=True))
    total, weight = 0.0, 0
    for label in labels:
        hits = pairs[label, label]
        there = sum(count for (a, _), count in pairs.items() if a == label)
        found = sum(count for (_, b), count in pairs.items() if b == label)
        total += there * (2 * hits / max(1, there + found))
        weight += there
    return 100 * total / weight


def test_the_flow_of_a_tutorial(corpus, fitted):
    _, (X, y) = corpus
    labels = list(fitted.classes_)
    labels.remove("O")
    assert weighted_f1(y, fitted.predict(X), labels) > 65
    assert 0.85 < fitted.score(X, y) <= 1.0


@pytest.mark.parametrize("c1, c2, states, within", [(0.1, 0.1, False, 0.5), (0.0, 1.0, True, 0.1)])
def test_scores_are_those_of_crfsuite(corpus, tmp_path, c1, c2, states, within):
    """Weights for pairs of features and tags that were seen, as a tutorial has them, and for all."""
    pycrfsuite = pytest.importorskip("pycrfsuite", reason="CRFsuite is not installed")
    (X, y), (new, true) = corpus
    trainer = pycrfsuite.Trainer(verbose=False)
    settings = {"feature.possible_transitions": True, "feature.possible_states": states}
    trainer.set_params({"c1": c1, "c2": c2, "max_iterations": 200, **settings})
    for sentence, tags in zip(X, y, strict=True):
        trainer.append(pycrfsuite.ItemSequence(sentence), tags)
    trainer.train(str(tmp_path / "model"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    theirs = [tagger.tag(pycrfsuite.ItemSequence(sentence)) for sentence in new]
    ours = CrfTagger(c1=c1, c2=c2, max_iterations=200).fit(X, y).predict(new)
    labels = sorted({tag for tags in y for tag in tags} - {"O"})
    assert weighted_f1(true, ours, labels) == pytest.approx(weighted_f1(true, theirs, labels), abs=within)


def test_a_look_inside(fitted):
    states, transitions = fitted.state_features_, fitted.transition_features_
    assert all(value != 0.0 for value in states.values())
    assert {tag for _, tag in states} <= set(fitted.classes_)
    assert set(transitions) == {(a, b) for a in fitted.classes_ for b in fitted.classes_}
    names = [tag for tag in fitted.classes_ if tag != "O"]
    inside = [tag for tag in names if tag.startswith("I-")]
    # Nothing goes on behind O in IOB2.
    for tag in inside:
        assert transitions["O", tag] < transitions[f"B-{tag[2:]}", tag]
    assert Counter(states).most_common(1)[0][1] == max(states.values())


def test_l1_makes_fewer_weights(corpus):
    (X, y), _ = corpus
    numbers = [
        len(CrfTagger(c1=c1, c2=0.01, max_iterations=60).fit(X[:60], y[:60]).state_features_)
        for c1 in (0.0, 0.5, 2.0)
    ]
    assert numbers[0] > 2 * numbers[1] > 2 * numbers[2] > 0


def test_a_search_over_both_penalties(corpus):
    selection = pytest.importorskip("sklearn.model_selection", reason="scikit-learn is not installed")
    (X, y), _ = corpus
    search = selection.RandomizedSearchCV(
        CrfTagger(max_iterations=20), {"c1": [0.01, 0.5], "c2": [0.01, 0.1]}, cv=2, n_iter=2, random_state=0
    )
    search.fit(X[:60], y[:60])
    assert set(search.best_params_) == {"c1", "c2"}
    assert np.isfinite(search.best_score_)


@pytest.mark.parametrize(
    "parameters, problem",
    [
        ({"algorithm": "arow"}, "algorithm='arow', expected 'lbfgs'"),
        ({"all_possible_transitions": False}, "all_possible_transitions=True"),
        ({"all_possible_states": False}, "all_possible_states=True"),
    ],
)
def test_what_there_is_not_is_refused(corpus, parameters, problem):
    (X, y), _ = corpus
    with pytest.raises(InputError, match=problem):
        CrfTagger(**parameters).fit(X[:5], y[:5])
