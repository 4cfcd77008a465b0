import numpy as np
import pytest

from advsp.corpora.conll import Sentence, read_columns
from advsp.corpora.mpg import read_feature_file
from advsp.features.paper import PaperFeatures
from advsp.features.stanford import EDGE_TEMPLATES, NODE_TEMPLATES

TAGS = ("PER", "LOC", "ORG", "MISC", "O")


def test_a_boundary_token_precedes_every_sentence():
    preset = PaperFeatures()
    sentences = [Sentence(("Ada", "rows"), ("B-PER", "O")), Sentence(("Malta",), ("B-LOC",))]
    instances = preset.fit(sentences, TAGS)
    assert instances.words == (("-DOCSTART-", "Ada", "rows"), ("-DOCSTART-", "Malta"))
    assert instances.gold == (("O", "B-PER", "O"), ("O", "B-LOC"))
    assert instances.tags.tolist() == [4, 0, 4, 4, 1]
    assert instances.offsets.tolist() == [0, 3, 5]
    assert instances.node.shape[0] == instances.edge.shape[0] == 5
    assert {"-DOCSTART--WORD|C", "-DOCSTART--PW|C", "-XXX--TYPE|C"} <= set(preset.state()["node"])


def test_shapes_do_not_depend_on_known_words():
    preset = PaperFeatures()
    preset.fit([Sentence(("the", "The"), ("O", "O"))], TAGS)
    assert {"xxx-TYPE|C", "Xxx-TYPE|C"} <= set(preset.state()["node"])
    assert preset.state()["known_words"] == []


@pytest.fixture(scope="module")
def conll(corpus_file):
    return {
        split: read_columns(corpus_file(f"conll2003/eng.{name}")).sentences
        for split, name in (("train", "train"), ("test", "testb"))
    }


@pytest.mark.corpora
@pytest.mark.parametrize("sentences, total", [(300, 31979), (1000, 67513), (3000, 166737)])
def test_totals_of_the_paper(conll, sentences, total):
    instances = PaperFeatures().fit(conll["train"][:sentences], TAGS)
    assert instances.node.shape[1] + instances.edge.shape[1] == total


@pytest.mark.corpora
@pytest.mark.parametrize("name, longest", [("300", None), ("100", 10)])
def test_equals_the_released_files_entry_by_entry(corpus_file, conll, name, longest):
    # The smaller pair of files holds the first hundred sentences of at most ten words.
    chosen = {
        split: [one for one in sentences if longest is None or len(one.words) <= longest][: int(name)]
        for split, sentences in conll.items()
    }
    preset = PaperFeatures()
    ours = {"train": preset.fit(chosen["train"], TAGS), "test": preset.transform(chosen["test"])}
    for split, instances in ours.items():
        released = read_feature_file(corpus_file(f"mpg-features/{name}.{split}.gz"))
        for matrix, expected in ((instances.node, released.node), (instances.edge, released.edge)):
            assert matrix.shape == expected.shape
            np.testing.assert_array_equal(matrix.indptr, expected.indptr)
            np.testing.assert_array_equal(matrix.indices, expected.indices)
            np.testing.assert_array_equal(matrix.data, expected.data)
        np.testing.assert_array_equal(instances.tags, released.tags)
        np.testing.assert_array_equal(instances.offsets, released.offsets)


class Plain(PaperFeatures):
    """A preset that says which templates it has."""

    node_templates = NODE_TEMPLATES[:2]
    edge_templates = EDGE_TEMPLATES[:1]


def test_a_preset_may_say_which_templates_it_has():
    sentence = Sentence(("Oslo", "shines"), ("B-LOC", "O"))
    plain = Plain()
    instances = plain.fit([sentence], ("LOC", "O"))
    state = plain.state()
    # The word and the one before it, which the first has not; a sentence begins with a token of its own.
    words = {"-DOCSTART--WORD|C", "Oslo-WORD|C", "shines-WORD|C"}
    assert set(state["node"]) == words | {"-PW|C", "-DOCSTART--PW|C", "Oslo-PW|C"}
    assert state["edge"] == ["PSEQ|CpC"]
    again = Plain.from_state(state).transform([sentence])
    assert (again.node != instances.node).nnz == 0
