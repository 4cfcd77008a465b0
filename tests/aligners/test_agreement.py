"""Alignment by agreement, smoothed or not: what it learns, and that it always learns the same."""

from __future__ import annotations

import random
from itertools import chain

import numpy as np
import pytest

from advsp.aligners.agreement import Agreement
from advsp.aligners.base import AlignerText
from advsp.aligners.joint import Beliefs, Counts, Settings, train
from advsp.aligners.smoothed_agreement import SmoothedAgreement
from advsp.corpora import word_pairs
from advsp.corpora.tokens import Words
from advsp.support.state import State

#: A source word a target word, which follows it in the same order, but for adjectives.
LEXICON = {
    "the": "le", "gull": "mouette", "tide": "maree", "harbour": "port", "wind": "vent", "boat": "bateau",
    "sleeps": "dort", "rises": "monte", "falls": "tombe", "sings": "chante", "old": "vieux", "high": "haut",
}  # fmt: skip
NOUNS = ("gull", "tide", "harbour", "wind", "boat")
VERBS = ("sleeps", "rises", "falls", "sings")
ADJECTIVES = ("old", "high")


def sentence(rng: random.Random) -> tuple[str, str, set[tuple[int, int]]]:
    """A sentence, its translation, and its links."""
    noun, verb = rng.choice(NOUNS), rng.choice(VERBS)
    if rng.random() < 0.5:
        return f"the {noun} {verb}", " ".join(map(LEXICON.get, ("the", noun, verb))), {(0, 0), (1, 1), (2, 2)}
    adjective = rng.choice(ADJECTIVES)
    said = " ".join(map(LEXICON.get, ("the", noun, adjective, verb)))
    return f"the {adjective} {noun} {verb}", said, {(0, 0), (1, 2), (2, 1), (3, 3)}


SENTENCES = [sentence(random.Random(seed)) for seed in range(150)]
LABELLED = 20


@pytest.fixture
def text(tmp_path):
    """Write parallel text."""

    def write(name: str = "toy", sides: tuple[int, int] = (0, 1), sentences=SENTENCES) -> AlignerText:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for side, file in zip(sides, ("source", "target"), strict=True):
            (folder / file).write_text("".join(f"{pair[side]}\n" for pair in sentences))
        return AlignerText(folder / "source", folder / "target", len(sentences), LABELLED)

    return write


@pytest.fixture(params=[Agreement, SmoothedAgreement])
def program(request):
    return request.param


@pytest.fixture
def whole_words(program):
    """The option that tells all words apart."""
    return {"letters": 0} if program is Agreement else {"spellings": [[0]]}


@pytest.fixture
def align(program, tmp_path):
    """Run the program; return the lines of both files, and the posteriors."""

    def run(text: AlignerText, told=lambda words: None, **options):
        files = tmp_path / "forward", tmp_path / "reverse"
        posteriors = program(**options).align(text, *files, told).posteriors
        return *(file.read_text().split("\n")[:-1] for file in files), posteriors

    return run


def shapes(text: AlignerText) -> list[tuple[int, int]]:
    return [(len(source.split()), len(target.split())) for source, target, _ in SENTENCES[: text.labelled]]


def test_an_obvious_lexicon_is_found(align, text):
    forward, reverse, _ = align(text())
    assert len(forward) == len(reverse) == len(SENTENCES)
    for lines in (forward, reverse):
        found = [{tuple(map(int, link.split("-"))) for link in line.split()} for line in lines]
        assert found[:LABELLED] == [links for _, _, links in SENTENCES[:LABELLED]]
        assert not any(found[LABELLED:])


def test_posteriors_agree_with_the_links(align, text):
    given = text()
    forward, reverse, posteriors = align(given)
    for number, (p, q) in enumerate(posteriors.grids(shapes(given))):
        assert (p.sum(axis=0) < 1 + 1e-6).all() and (q.sum(axis=1) < 1 + 1e-6).all()
        for grid, lines in ((p, forward), (q, reverse)):
            assert lines[number] == " ".join(
                f"{i}-{j}"
                for i, j in sorted(
                    zip(*np.nonzero(grid > 0.5), strict=True),
                    key=lambda link: link[grid is p],
                )
            )


def test_the_same_text_gives_the_same_bytes(align, text, tmp_path):
    first = align(text())
    first[2].save(tmp_path / "first.npz")
    second = align(text())
    second[2].save(tmp_path / "second.npz")
    assert first[:2] == second[:2]
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()


def test_the_size_of_batches_makes_no_difference(align, text, monkeypatch):
    expected = align(text())[2]
    monkeypatch.setattr(word_pairs, "_CELLS", 40)
    found = align(text())[2]
    np.testing.assert_allclose(found.forward, expected.forward, atol=1e-6)
    np.testing.assert_allclose(found.reverse, expected.reverse, atol=1e-6)


@pytest.mark.parametrize("options", [{}, {"hmm": 0}])
def test_exchanging_the_sides_exchanges_the_directions(align, text, options):
    given = text()
    grids = align(given, **options)[2].grids(shapes(given))
    turned = align(text("turned", (1, 0)), **options)[2].grids([shape[::-1] for shape in shapes(given)])
    for (p, q), (first, second) in zip(grids, turned, strict=True):
        np.testing.assert_allclose(first.T, q, atol=1e-6)
        np.testing.assert_allclose(second.T, p, atol=1e-6)


def test_both_directions_count_what_they_agree_on(text):
    """One pair of one word each: its posteriors and the count of its type, by hand."""
    given = text(sentences=[("gull", "mouette", set())] * LABELLED)
    pairs = given.word_pairs.cut(0)
    settings = Settings(null=0.2, jump=1)
    beliefs = Beliefs.first(pairs, settings)
    (batch,) = pairs.batches
    found = beliefs.find(batch, settings, moving=False)
    assert [side.posterior[0, 0, 0] for side in found] == pytest.approx([0.8, 0.8])
    counts = Counts(pairs, settings)
    counts.add(batch, found)
    after = counts.beliefs(beliefs, moving=False)
    assert after.types == pytest.approx([LABELLED * 0.64])
    assert [side.totals.tolist() for side in after.directions] == [after.types.tolist()] * 2
    assert after.directions[0].jumps is beliefs.directions[0].jumps


def test_beliefs_stay_probabilities(text):
    given = text()
    pairs, settings = given.word_pairs.cut(5), Settings(0.1, 2)
    for beliefs in train(pairs, settings, (2, 2)):
        for side, (given, words) in zip(
            beliefs.directions, ((pairs.source_of, pairs.words[0]), (pairs.target_of, pairs.words[1]))
        ):
            np.testing.assert_allclose(side.null.sum(), 1)
            shares = np.bincount(given, beliefs.types / side.totals[given], minlength=words)
            np.testing.assert_allclose(shares, 1)
            np.testing.assert_allclose(side.transition(7).sum(axis=1), 1)
    # Adjectives follow their nouns in one language alone: positions jump forwards by 2 and back by 1.
    jumps = beliefs.directions[0].jumps
    assert jumps[[1, 3, 4]].min() > 10 > jumps[[0, 2]].max()


def test_words_without_translation_have_no_links(align, text):
    padded = [(source, f"{target} {'euh' if n % 2 else 'ben'}", links) for n, (source, target, links) in
              enumerate(SENTENCES)]  # fmt: skip
    forward, reverse, _ = align(text(sentences=padded))
    ends = [len(target.split()) - 1 for _, target, _ in padded[:LABELLED]]
    linked = [{int(link.split("-")[1]) for link in line.split()} for line in forward]
    assert sum(end in found for end, found in zip(ends, linked)) < LABELLED / 2


def test_a_threshold_leaves_out_what_is_less_probable(align, text):
    many, some = (align(text(), hmm=0, model1=1, threshold=threshold)[0] for threshold in (0, 0.5))
    assert len("".join(some)) < len("".join(many))


def test_pairs_of_long_sentences_get_no_links(align, text):
    long = (" ".join(["gull"] * 201), "mouette", set())
    forward, reverse, posteriors = align(text(sentences=[long, *SENTENCES]))
    assert (forward[0], reverse[0]) == ("", "")
    assert not posteriors.forward[:201].any() and posteriors.forward[201:].any()


def test_sentences_longer_than_any_jump(align, text, whole_words):
    words = [f"w{n}" for n in range(60)]
    pair = (" ".join(words), " ".join(words[30:] + words[:30]), set())
    each = [(word, word, set()) for word in words]
    forward, *_ = align(text(sentences=[pair, *each, *SENTENCES]), jump=3, **whole_words)
    assert forward[0] == " ".join(f"{(n + 30) % 60}-{n}" for n in range(60))


def test_iterations_are_told(align, text, whole_words):
    told = []
    align(text(), told.append, model1=1, hmm=1, **whole_words)
    assert told == ["reading", "iteration 1 of 2", "iteration 2 of 2"]


def test_without_iterations_everything_is_as_probable(align, text):
    forward, reverse, posteriors = align(text(), model1=0, hmm=0)
    assert not any(chain(forward, reverse))
    assert 0 < posteriors.forward.max() < 0.9


@pytest.fixture
def learnt(program, text, tmp_path):
    """What the program finds in a text, and the model that it keeps, read again from its files."""
    outcome = program().align(text(), tmp_path / "forward", tmp_path / "reverse", lambda words: None)
    outcome.model.save(tmp_path / "model")
    return outcome.posteriors, program().learnt(State.load(tmp_path / "model", "a model", ""))


def known(number: int) -> list[tuple[Words, Words]]:
    return [(tuple(source.split()), tuple(target.split())) for source, target, _ in SENTENCES[:number]]


def test_a_kept_model_finds_in_its_own_text_what_the_program_found(learnt, tmp_path):
    posteriors, model = learnt
    found = model.align(known(LABELLED))
    grids = posteriors.grids([(len(source), len(target)) for source, target in known(LABELLED)])
    for (forward, reverse), (again, back) in zip(grids, found.posteriors, strict=True):
        np.testing.assert_allclose(forward, again, atol=1e-6)
        np.testing.assert_allclose(reverse, back, atol=1e-6)
    for direction, links in found.links.items():
        written = (tmp_path / direction).read_text().split("\n")[:LABELLED]
        assert [{f"{i}-{j}" for i, j in of} for of in links] == [set(line.split()) for line in written]


def test_a_kept_model_aligns_new_sentences(learnt):
    _, model = learnt
    new = [(("the", "old", "boat", "rises"), ("le", "bateau", "vieux", "monte"))]
    for links in model.align(new).links.values():
        assert links == [{(0, 0), (1, 2), (2, 1), (3, 3)}]


def test_unknown_words_are_linked_to_each_other_or_to_none(learnt):
    _, model = learnt
    both, one = model.align(
        [(("the", "zeppelin", "rises"), ("le", "dirigeable", "monte")), (("the", "zeppelin"), ("le",))]
    ).links["forward"]
    assert both == {(0, 0), (1, 1), (2, 2)}
    assert one == {(0, 0)}


def test_what_a_kept_model_says_are_probabilities_of_sentences_of_any_length(learnt):
    _, model = learnt
    pairs = [(("gull",) * long, ("mouette",) * wide) for long, wide in ((1, 60), (60, 1), (201, 2))]
    found = model.align(pairs)
    for (source, target), (forward, reverse) in zip(pairs, found.posteriors, strict=True):
        assert forward.shape == reverse.shape == (len(source), len(target))
        for sums in (forward.sum(axis=0), reverse.sum(axis=1)):
            assert (sums <= 1 + 1e-5).all()
    assert not found.posteriors[2][0].any()
    assert model.align([]).posteriors == []
