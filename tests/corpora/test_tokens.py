"""Normalisation: what every step does to words, and what steps do together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advsp.corpora.tokens import JOINING, SPELLING, SPLITTING, Normaliser, Unseen, check_step
from advsp.support.errors import InputError

STEPS = [*SPELLING, *SPLITTING, *JOINING]


def normalise(steps: str, sentence: str) -> str:
    return " ".join(Normaliser(steps.split()).normalise(tuple(sentence.split())))


@pytest.mark.parametrize(
    ("before", "after"),
    [("The Gull of ÉLISE", "the gull of élise"), ("already small", "already small")],
)
def test_lower(before, after):
    assert normalise("lower", before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Élève où naïf ça cœur Æsir", "Eleve ou naif ca coeur AEsir"),
        ("한국 ´ \u0308", "한국 ´ \u0308"),
    ],
)
def test_accents(before, after):
    assert normalise("accents", before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [("« gull » “ tide ” ''", '" gull " " tide " "'), ("‘ ’ 'tis l’eau ''gull", "' ' 'tis l'eau ''gull")],
)
def test_quotes(before, after):
    assert normalise("quotes", before) == after


def test_brackets():
    assert normalise("brackets", "-LRB- a -rrb- -LSB- -RSB- -lcb- -RCB- -x-") == "( a ) [ ] { } -x-"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("sea-gull F-16-B vient-elle ?", "sea - gull F - 16 - B vient - elle ?"),
        ("- a -- b- -c --d", "- a -- b - - c -- d"),
    ],
)
def test_hyphens(before, after):
    assert normalise("hyphens", before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("l'île d'or qu'elle j'ai n'a", "le île de or que elle je ai ne a"),
        ("s'il c'est m'a t'a", "se il ce est me a te a"),
        ("jusqu'ici lorsqu'on puisqu'il", "jusque ici lorsque on puisque il"),
        ("quoiqu'un quelqu'une presqu'île", "quoique un quelque une presque île"),
        ("du phare des ports", "de le phare de les ports"),
        ("au nord aux quais", "à le nord à les quais"),
        ("L'île Qu’il Du", "le île que il de le"),
        ("aujourd'hui Aujourd’hui", "aujourd' hui Aujourd’ hui"),
        ("l' eau d'l'eau", "le eau de le eau"),
        ("o'clock prud'homme auquel dune presque", "o'clock prud'homme auquel dune presque"),
        ("c'est-à-dire au-dessus", "ce est-à-dire au-dessus"),
    ],
)
def test_french_contractions(before, after):
    assert normalise("french-contractions", before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("the keeper's gulls' nest", "the keeper 's gulls ' nest"),
        ("don't Isn't can't won’t cannot", "do not Is not cannot will not cannot"),
        ("we'll you're I've i'm", "we will you are I have i am"),
        ("ma'm o'clock 's '", "ma'm o'clock 's '"),
    ],
)
def test_english_contractions(before, after):
    assert normalise("english-contractions", before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("25 000 gulls , 1 250 000 eggs", "25,000 gulls , 1,250,000 eggs"),
        ("in 1998 300 gulls , 7 12 , 007 000 , 000", "in 1998 300 gulls , 7 12 , 007 000 , 000"),
    ],
)
def test_thousands(before, after):
    assert normalise("thousands", before) == after


@pytest.mark.parametrize(
    ("steps", "before", "after"),
    [
        ("", "As It Is", "As It Is"),
        ("french-contractions hyphens", "c'est-à-dire au-dessus", "ce est - à - dire au - dessus"),
        ("hyphens french-contractions", "au-dessus", "à le - dessus"),
        ("french-contractions accents", "au", "a le"),
        ("accents french-contractions", "au", "à le"),
        ("hyphens thousands", "25 000-30 000", "25,000 - 30,000"),
        ("thousands hyphens", "25 000-30 000", "25 000 - 30 000"),
        (
            "lower french-contractions hyphens accents",
            "L'Élève-là va AU phare",
            "le eleve - la va a le phare",
        ),
    ],
)
def test_steps_are_taken_in_the_order_in_which_they_are_named(steps, before, after):
    assert normalise(steps, before) == after
    assert Normaliser(steps.split()).steps == tuple(steps.split())


def test_spelling_steps_alone_leave_every_word_one_word():
    normaliser = Normaliser(["lower", "french-contractions", "hyphens", "accents", "thousands"])
    assert normaliser.spell(("À", "Demi-tour", "du", "25", "000")) == ("a", "demi-tour", "du", "25", "000")


@pytest.mark.parametrize("step", STEPS)
@settings(max_examples=40)
@given(words=st.lists(st.text(st.characters(exclude_characters=" \t\r\n"), min_size=1)).map(tuple))
def test_every_step_gives_words(step, words):
    found = Normaliser([step]).normalise(words)
    assert all(found)
    assert not any(set(word) & set(" \t\r\n") for word in found)
    assert bool(found) == bool(words)
    assert len(Normaliser([step]).spell(words)) == len(words)
    if step in SPELLING:
        assert len(found) == len(words)


@pytest.mark.parametrize("step", sorted(set(STEPS) - {"french-contractions", "english-contractions"}))
@settings(max_examples=40)
@given(words=st.lists(st.text(st.sampled_from("adeilnqstu'-É0«"), min_size=1)).map(tuple))
def test_a_step_that_is_done_has_no_more_to_do(step, words):
    once = Normaliser([step]).normalise(words)
    assert Normaliser([step]).normalise(once) == once


def test_unknown_step_is_answered_with_the_nearest():
    with pytest.raises(InputError) as caught:
        Normaliser(["lower", "hyphen"])
    assert str(caught.value) == "unknown normalisation step 'hyphen' (did you mean 'hyphens'?)"
    with pytest.raises(InputError, match="known: lower, accents, "):
        check_step("xyz")


def test_unseen_words_are_counted_as_tokens_and_types():
    unseen = Unseen([("the", "gull", "the", "gull"), ("tide",)])
    assert unseen.counts == {
        "alike_tokens": 0, "tokens": 5, "unseen_tokens": 5, "types": 3, "unseen_types": 3
    }  # fmt: skip
    unseen.see(("the", "tern"))
    unseen.see(("the", "tide"))
    assert unseen.counts == {
        "alike_tokens": 0, "tokens": 5, "unseen_tokens": 2, "types": 3, "unseen_types": 1
    }  # fmt: skip


def test_unseen_words_that_are_there_in_other_case_or_with_other_accents():
    unseen = Unseen([("The", "étés", "The", "gull"), ("GULL",)])
    unseen.see(("the", "etes", "gull"))
    assert (unseen.counts["unseen_tokens"], unseen.counts["alike_tokens"]) == (4, 4)
