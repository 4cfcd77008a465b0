"""Entity-level counts: worked examples, a step-by-step conlleval, and seqeval."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from advsp.metrics.counts import f_score, micro_average
from advsp.metrics.entity import Chunk, EntityF1, chunks, entity_counts
from advsp.support.errors import InputError
from advsp.training.instances import ChainInstances

CLASSES = ("PER", "LOC")

# Pairs (prefix before, prefix here) between which the published script ends or starts a chunk within one
# class, and those that readers of BIOES add to it.
SCRIPT_ENDS = {"BB", "BO", "IB", "IO", "EE", "EI", "EO"}
SCRIPT_STARTS = {"BB", "IB", "OB", "OI", "EE", "EI", "OE"}
BIOES_ENDS = SCRIPT_ENDS | {"EB", "BS", "IS", "ES"} | {"S" + here for here in "BIESO"}
BIOES_STARTS = SCRIPT_STARTS | {"EB", "SB", "SI", "SE"} | {before + "S" for before in "BIESO"}


class Conlleval:
    """The scorer as the machine it is: fed a pair of tags at a time, it remembers one pair and one bit."""

    def __init__(self, ends: set[str], starts: set[str]) -> None:
        self.ends, self.starts = ends, starts
        self.gold_before = self.guess_before = ("O", "")
        self.all_right_so_far = False
        self.in_gold, self.in_guess, self.right = Counter(), Counter(), Counter()

    def feed(self, gold_tag: str, guess_tag: str) -> None:
        gold, guess = self.split(gold_tag), self.split(guess_tag)
        gold_ends = self.ended(self.gold_before, gold)
        guess_ends = self.ended(self.guess_before, guess)
        gold_starts = self.started(self.gold_before, gold)
        guess_starts = self.started(self.guess_before, guess)
        if self.all_right_so_far:
            if gold_ends and guess_ends and self.gold_before[1] == self.guess_before[1]:
                self.right[self.gold_before[1]] += 1
                self.all_right_so_far = False
            elif gold_ends != guess_ends or gold[1] != guess[1]:
                self.all_right_so_far = False
        if gold_starts and guess_starts and gold[1] == guess[1]:
            self.all_right_so_far = True
        self.in_gold[gold[1]] += gold_starts
        self.in_guess[guess[1]] += guess_starts
        self.gold_before, self.guess_before = gold, guess

    def ended(self, before: tuple[str, str], here: tuple[str, str]) -> bool:
        return before[0] + here[0] in self.ends or (before[0] != "O" and before[1] != here[1])

    def started(self, before: tuple[str, str], here: tuple[str, str]) -> bool:
        return before[0] + here[0] in self.starts or (here[0] != "O" and before[1] != here[1])

    @staticmethod
    def split(tag: str) -> tuple[str, str]:
        prefix, _, name = tag.partition("-")
        return prefix, name

    def totals(self, name: str) -> list[int]:
        right = self.right[name]
        return [right, self.in_guess[name] - right, self.in_gold[name] - right]


def by_machine(predicted, gold, ends, starts) -> dict[str, list[int]]:
    """Corpus totals (tp, fp, fn) per class; the script reads a sentence boundary as a pair of O."""
    machine = Conlleval(ends, starts)
    for guess, truth in zip(predicted, gold):
        for guess_tag, gold_tag in zip(guess, truth):
            machine.feed(gold_tag, guess_tag)
        machine.feed("O", "O")
    return {name: machine.totals(name) for name in CLASSES}


def totals(predicted, gold) -> dict[str, list[int]]:
    tables = entity_counts(predicted, gold, CLASSES)
    return {name: table.sum(axis=0).tolist() for name, table in tables.items()}


def tags_over(prefixes: str) -> list[str]:
    return ["O"] + [f"{prefix}-{name}" for prefix in prefixes for name in CLASSES]


def corpora(prefixes: str) -> st.SearchStrategy:
    """Pairs (predicted, gold) of corpora with any tags; often alike, so that chunks do match."""
    tag = st.sampled_from(tags_over(prefixes))
    position = st.one_of(tag.map(lambda same: (same, same)), st.tuples(tag, tag))
    sentences = st.lists(st.lists(position, max_size=8), max_size=4)
    return sentences.map(
        lambda corpus: tuple([[pair[side] for pair in sentence] for sentence in corpus] for side in (0, 1))
    )


@pytest.mark.parametrize(
    "tags, expected",
    [
        ("", []),
        ("O O", []),
        # IO and IOB1: an I after the same class goes on, a B parts neighbours.
        ("I-PER I-PER O I-LOC", [("PER", 0, 2), ("LOC", 3, 4)]),
        ("I-PER B-PER I-PER", [("PER", 0, 1), ("PER", 1, 3)]),
        # IOB2.
        ("B-PER I-PER B-PER O B-LOC", [("PER", 0, 2), ("PER", 2, 3), ("LOC", 4, 5)]),
        # BIOES.
        ("B-PER I-PER E-PER S-PER S-LOC", [("PER", 0, 3), ("PER", 3, 4), ("LOC", 4, 5)]),
        # Not in any scheme.
        ("B-PER I-LOC I-LOC", [("PER", 0, 1), ("LOC", 1, 3)]),
        ("E-PER E-PER", [("PER", 0, 1), ("PER", 1, 2)]),
        ("S-PER I-PER E-PER", [("PER", 0, 1), ("PER", 1, 3)]),
        ("B-PER S-PER", [("PER", 0, 1), ("PER", 1, 2)]),
        # The class is all that follows the first hyphen.
        ("B-GPE-loc I-GPE-loc I-GPE", [("GPE-loc", 0, 2), ("GPE", 2, 3)]),
    ],
)
def test_chunks(tags, expected):
    assert chunks(tags.split()) == [Chunk(*chunk) for chunk in expected]


def test_worked_example():
    gold = [["B-PER", "I-PER", "O", "B-LOC"], [], ["B-LOC", "B-PER"]]
    predicted = [["B-PER", "O", "O", "I-LOC"], [], ["I-LOC", "I-PER"]]
    tables = entity_counts(predicted, gold, CLASSES)
    np.testing.assert_array_equal(tables["PER"], [[0, 1, 1], [0, 0, 0], [1, 0, 0]])
    np.testing.assert_array_equal(tables["LOC"], [[1, 0, 0], [0, 0, 0], [1, 0, 0]])
    # 3 of 4 predicted and 3 of 4 gold entities.
    assert f_score(*micro_average(tables).sum(axis=0)) == pytest.approx(3 / 4)


def test_a_chunk_ends_with_its_sentence():
    apart, together = [["B-PER"], ["I-PER"]], [["B-PER", "I-PER"]]
    assert totals(apart, apart)["PER"] == [2, 0, 0]
    assert totals(together, together)["PER"] == [1, 0, 0]


def test_classes_not_asked_for_are_left_out():
    tables = entity_counts([["B-PER", "B-LOC"]], [["B-ORG", "B-LOC"]], ["LOC"])
    assert list(tables) == ["LOC"]
    np.testing.assert_array_equal(tables["LOC"], [[1, 0, 0]])


@pytest.mark.parametrize("tag", ["NAME", "PER", "I", "B-", "O-PER", "U-PER", "b-PER", "", "I-PER\n"])
def test_what_is_no_tag_is_refused(tag):
    with pytest.raises(InputError, match="is not a tag"):
        chunks(["O", tag])


def test_sides_of_different_length_are_refused():
    with pytest.raises(InputError, match="2 predicted sentences stand against 1 gold"):
        entity_counts([["O"], ["O"]], [["O"]], CLASSES)
    with pytest.raises(InputError, match="sentence 2 has 1 predicted tags and 2 gold tags"):
        entity_counts([["O"], ["O"]], [["O"], ["O", "O"]], CLASSES)


@pytest.mark.parametrize("prefixes", ["BI", "IE"])
def test_equals_the_script_on_all_short_sentences(prefixes):
    sentences = list(product(tags_over(prefixes), repeat=3))
    for guess, truth in product(sentences, repeat=2):
        assert totals([guess], [truth]) == by_machine([guess], [truth], SCRIPT_ENDS, SCRIPT_STARTS)


@given(corpora("BIE"))
def test_equals_the_script_wherever_no_b_follows_an_e_of_its_class(corpus):
    predicted, gold = corpus
    for sentence in predicted + gold:
        for before, here in zip(sentence, sentence[1:]):
            assume(not (before[0] == "E" and here == "B" + before[1:]))
    assert totals(predicted, gold) == by_machine(predicted, gold, SCRIPT_ENDS, SCRIPT_STARTS)


@given(corpora("BIES"))
def test_equals_the_script_with_bioes(corpus):
    assert totals(*corpus) == by_machine(*corpus, BIOES_ENDS, BIOES_STARTS)


@given(corpora("BIES"))
def test_equals_seqeval(corpus):
    """The default mode of seqeval is documented to be compatible with conlleval."""
    labeling = pytest.importorskip("seqeval.metrics.sequence_labeling")
    predicted, gold = corpus
    for sentence in predicted + gold:
        assert chunks(sentence) == [(name, a, z + 1) for name, a, z in labeling.get_entities(sentence)]
    assume(gold)  # seqeval refuses a corpus without sentences
    ours = f_score(*micro_average(entity_counts(predicted, gold, CLASSES)).sum(axis=0))
    assert ours == pytest.approx(labeling.f1_score(gold, predicted, zero_division=0))


@given(corpora("BIES"))
def test_gold_against_itself_is_perfect(corpus):
    gold = corpus[1]
    for name, table in entity_counts(gold, gold, CLASSES).items():
        tp, fp, fn = table.sum(axis=0)
        assert (fp, fn) == (0, 0)
        assert f_score(tp, fp, fn) == (1.0 if any(c.name == name for s in gold for c in chunks(s)) else 0.0)


@given(corpora("BIES"))
def test_exchanging_the_sides_exchanges_the_errors(corpus):
    predicted, gold = corpus
    forth, back = entity_counts(predicted, gold, CLASSES), entity_counts(gold, predicted, CLASSES)
    for name in CLASSES:
        np.testing.assert_array_equal(forth[name], back[name][:, [0, 2, 1]])


# --- the metric -----------------------------------------------------------------------------------


@st.composite
def tagged(draw) -> tuple[ChainInstances, np.ndarray, np.ndarray | None]:
    """Sentences, perhaps none or empty ones, with gold tags of any kind; decisions about one class."""
    gold = draw(
        st.lists(st.lists(st.sampled_from(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]), max_size=6), max_size=5)
    )
    total = sum(map(len, gold))
    masks = [np.array(draw(st.lists(st.booleans(), min_size=total, max_size=total)), bool) for _ in range(2)]
    instances = ChainInstances(
        node=csr_matrix((total, 1)),
        edge=csr_matrix((total, 1)),
        tags=np.zeros(total, dtype=np.int8),
        offsets=np.cumsum([0, *map(len, gold)]).astype(np.int64),
        tag_names=("PER", "LOC", "O"),
        words=tuple(("w",) * len(tags) for tags in gold),
        gold=tuple(map(tuple, gold)),
    )
    return instances, masks[0], draw(st.sampled_from([None, masks[1]]))


@given(tagged(), st.sampled_from(CLASSES))
def test_the_metric_counts_the_entities_of_the_written_tags(corpus, label):
    instances, decided, begins = corpus
    written = np.where(decided, f"I-{label}", "O").astype(object)
    if begins is not None:
        written[decided & begins] = f"B-{label}"
    predicted = [written[instances.rows(sentence)].tolist() for sentence in range(len(instances))]
    expected = entity_counts(predicted, instances.gold, [label])[label]
    found = EntityF1().counts(decided, instances, label, begins)
    assert found.tolist() == expected.tolist()
