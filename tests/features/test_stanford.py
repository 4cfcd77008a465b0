import gzip
import json

import numpy as np
import pytest
from features.reference import token_features

from advsp.corpora.conll import Sentence
from advsp.corpora.prepared import load, prepare
from advsp.features import presets
from advsp.features.stanford import StanfordFeatures, ngrams
from advsp.support.errors import InputError

TAGS = ("PER", "LOC", "ORG", "MISC", "O")


def sentence(text: str, tags: str = "") -> Sentence:
    words = tuple(text.split())
    return Sentence(words, tuple(tags.split()) or ("O",) * len(words))


def names_of_rows(matrix, names):
    return [{names[column] for column in matrix[row].indices} for row in range(matrix.shape[0])]


def node_names(preset, instances):
    return names_of_rows(instances.node, preset.state()["node"])


def edge_names(preset, instances):
    return names_of_rows(instances.edge, preset.state()["edge"])


def test_ngrams_of_a_short_word_overlap():
    assert set(ngrams("EU")) == {"#<E#|C", "#<EU#|C", "#<EU>#|C", "#EU>#|C", "#U>#|C"}
    assert set(ngrams("a")) == {"#<a#|C", "#<a>#|C", "#a>#|C"}


def test_ngrams_of_a_long_word_touch_its_ends():
    assert set(ngrams("harbour")) == {
        *("#<h#|C", "#<ha#|C", "#<har#|C", "#<harb#|C", "#<harbo#|C"),
        *("#r>#|C", "#ur>#|C", "#our>#|C", "#bour>#|C", "#rbour>#|C"),
    }


def test_every_template_at_the_first_word():
    node, edge = token_features(["Oslo", "is", "far"], ["Xxxx", "xx", "xxx"])[0]
    assert node - set(ngrams("Oslo")) == {
        "Oslo-WORD|C",
        "-PW|C",
        "is-NW|C",
        "###|C",
        "Xxxx-TYPE|C",
        "-PTYPE|C",
        "xx-NTYPE|C",
        "...Xxxx-PW_CTYPE|C",
        "Xxxx...is-NW_CTYPE|C",
        "...Xxxx-PCTYPE|C",
        "Xxxx...xx-CNTYPE|C",
        "...Xxxx...xx-PCNTYPE|C",
        "is-DISJN|C",
        "far-DISJN|C",
        "-DISJN|C",
        "-DISJP|C",
    }
    assert edge == {
        "PSEQ|CpC",
        "Oslo-PSEQW|CpC",
        "-Oslo-PSEQW2|CpC",
        "-PSEQpW|CpC",
        "-PSEQpS|CpC",
        "Xxxx-PSEQcS|CpC",
        "-Xxxx-TYPES|CpC",
        "Xxxx-TPS2|CpC",
        "xx-TNS1|CpC",
    }


def test_after_the_last_word_everything_is_empty_but_one_shape_is_null():
    *_, (node, edge) = token_features(["is", "far"], ["xx", "xxx"])
    assert {"-NW|C", "-NTYPE|C", "xxx...-NW_CTYPE|C", "xxx...-CNTYPE|C", "xx...xxx...-PCNTYPE|C"} <= node
    assert {"null-TNS1|CpC", "is-far-PSEQW2|CpC", "xx-xxx-TYPES|CpC"} <= edge


def test_disjunctions_reach_four_words_and_forget_positions():
    words = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "b"]
    node, _ = token_features(words, words)[5]
    assert {name for name in node if "DISJN" in name} == {f"{u}-DISJN|C" for u in "ghib"}
    assert {name for name in node if "DISJP" in name} == {f"{u}-DISJP|C" for u in "bcde"}


def test_a_word_is_known_before_its_own_shape_is_taken():
    preset = StanfordFeatures()
    nodes = node_names(preset, preset.fit([sentence("The the The"), sentence("THE")], TAGS))
    assert "Xxx-TYPE|C" in nodes[0]
    assert "xxxk-TYPE|C" in nodes[1]
    assert "Xxxk-TYPE|C" in nodes[2]
    assert "XXXk-TYPE|C" in nodes[3]
    # The shape of the next word is taken when that word is read, not when it is looked at.
    assert "xxxk-NTYPE|C" in nodes[0]
    assert preset.state()["known_words"] == ["the"]


def test_known_words_are_frozen_after_training():
    preset = StanfordFeatures()
    preset.fit([sentence("the The"), sentence("far off")], TAGS)
    assert preset.state()["known_words"] == ["far", "off", "the"]
    nodes = node_names(preset, preset.transform([sentence("Off ran ran The")]))
    assert "Xxxk-TYPE|C" in nodes[0]
    assert not {"xxx-TYPE|C", "xxxk-TYPE|C"} & nodes[2]
    assert preset.state()["known_words"] == ["far", "off", "the"]


def test_features_are_numbered_at_first_appearance_by_name_within_a_token():
    preset = StanfordFeatures()
    instances = preset.fit([sentence("b a")], TAGS)
    names = preset.state()["node"]
    first = instances.node[0].indices
    assert first.tolist() == list(range(len(first)))
    assert names[: len(first)] == sorted(names[: len(first)])
    assert names[len(first) :] == sorted(names[len(first) :])
    edges = preset.state()["edge"]
    assert edges[:9] == sorted(edges[:9]) and edges[9:] == sorted(edges[9:])


def test_instances_are_complete():
    preset = StanfordFeatures()
    sentences = [sentence("Ada Byron rows", "B-PER I-PER O"), sentence("Malta Malta", "B-LOC B-LOC")]
    instances = preset.fit(sentences, TAGS)
    assert instances.tags.tolist() == [0, 0, 4, 1, 1] and instances.tags.dtype == np.int8
    assert instances.offsets.tolist() == [0, 3, 5] and instances.offsets.dtype == np.int64
    assert instances.tag_names == TAGS
    assert instances.words == (("Ada", "Byron", "rows"), ("Malta", "Malta"))
    assert instances.gold == (("B-PER", "I-PER", "O"), ("B-LOC", "B-LOC"))
    for matrix in (instances.node, instances.edge):
        assert matrix.dtype == np.float64 and set(matrix.data) == {1.0}
        assert all((np.diff(matrix[row].indices) > 0).all() for row in range(5))


def test_new_names_are_dropped_after_training():
    preset = StanfordFeatures()
    trained = preset.fit([sentence("Ada")], TAGS)
    read = preset.transform([sentence("Zoe")])
    assert read.node.shape == trained.node.shape
    (known,), (new,) = node_names(preset, trained), node_names(preset, read)
    assert new == known - {"Ada-WORD|C", *ngrams("Ada")}


def test_a_class_outside_the_tags_is_refused():
    with pytest.raises(InputError, match=r"sentence 2: class 'GENE' is not among the tags \(known: PER, LOC"):
        StanfordFeatures().fit([sentence("Ada"), sentence("BRCA1", "B-GENE")], TAGS)


def test_a_class_that_was_not_learnt_is_none():
    preset = StanfordFeatures()
    preset.fit([sentence("Ada")], TAGS)
    read = preset.transform([sentence("BRCA1 Ada", "B-GENE B-PER")])
    assert read.tags.tolist() == [TAGS.index("O"), TAGS.index("PER")]
    assert read.gold == (("B-GENE", "B-PER"),)


def test_progress_counts_sentences():
    seen = []
    preset = StanfordFeatures()
    preset.fit([sentence("Ada"), sentence("Malta")], TAGS, progress=seen.append)
    preset.transform([sentence("Oslo")], progress=seen.append)
    assert seen == [2, 1]


def test_fitting_again_starts_anew():
    preset = StanfordFeatures()
    preset.fit([sentence("the ship sails")], TAGS)
    preset.fit([sentence("Oslo")], TAGS)
    fresh = StanfordFeatures()
    fresh.fit([sentence("Oslo")], TAGS)
    assert preset.state() == fresh.state()


@pytest.mark.parametrize("name", ["stanford", "paper"])
def test_every_preset_comes_back_from_its_state(name):
    preset = presets.get(name)()
    preset.fit([sentence("The ship leaves the port"), sentence("Malta waits", "B-LOC O")], TAGS)
    again = presets.get(name).from_state(json.loads(json.dumps(preset.state())))
    new = [sentence("The port of Malta", "O O O B-LOC"), sentence("ship")]
    ours, theirs = preset.transform(new), again.transform(new)
    for matrix, other in ((ours.node, theirs.node), (ours.edge, theirs.edge)):
        assert matrix.shape == other.shape and (matrix != other).nnz == 0
    assert ours.tags.tolist() == theirs.tags.tolist() and ours.tag_names == theirs.tag_names
    assert again.state() == preset.state()


def test_presets_are_known_by_name():
    assert {"paper", "stanford"} <= set(presets)
    with pytest.raises(InputError, match="unknown feature preset 'standford'.*'stanford'"):
        presets.get("standford")


# ---- against Stanford NER's own output and totals


@pytest.fixture(scope="module")
def conll(corpus_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("conll")
    prepare({"train": corpus_file("conll2003/eng.train")}, folder, docstart="uncounted")
    return folder


@pytest.mark.corpora
def test_equals_stanford_token_by_token(corpus_file, conll):
    with gzip.open(corpus_file("ner-features/train300.jsonl.gz"), "rt", encoding="utf-8") as stream:
        printed = [json.loads(line) for line in stream]
    preset = StanfordFeatures()
    instances = preset.fit(load(conll, "train", sentences=300, docstart="drop"), TAGS)
    words = [word for one in instances.words for word in one]
    assert words == [token["w"] for token in printed]
    assert [TAGS[tag] for tag in instances.tags] == [token["y"] for token in printed]
    assert node_names(preset, instances) == [set(token["node"]) for token in printed]
    assert edge_names(preset, instances) == [set(token["edge"]) for token in printed]
    assert np.bincount([token["s"] for token in printed]).tolist() == np.diff(instances.offsets).tolist()


@pytest.mark.corpora
@pytest.mark.parametrize(
    "rule, sentences, node, edge",
    [
        ("uncounted", 300, 23808, 8145),
        ("uncounted", 1000, 49418, 17679),
        ("uncounted", 3000, 116798, 49431),
        ("drop", 300, 23793, 8140),
        ("drop", 1000, 49403, 17674),
        ("drop", 3000, 116784, 49426),
    ],
)
def test_totals_of_stanford(conll, rule, sentences, node, edge):
    preset = StanfordFeatures()
    instances = preset.fit(load(conll, "train", sentences=sentences, docstart=rule), TAGS)
    assert (instances.node.shape[1], instances.edge.shape[1]) == (node, edge)
    assert len(preset.state()["known_words"]) == {300: 988, 1000: 1489, 3000: 4165}[sentences]
